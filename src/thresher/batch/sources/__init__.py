"""A slice -> records, from whatever kind of input it is a piece of.

archives    WARC files
files       files, one page each
tables      JSON lines and Parquet, one page a row
addresses   lists of addresses, fetched
source      what all of them have
"""

from __future__ import annotations

from thresher.batch.job import Job, WorkerLimits
from thresher.batch.plan import Slice
from thresher.batch.sources.archives import ArchiveSource
from thresher.batch.sources.files import FileSource
from thresher.batch.sources.source import PageSource

__all__ = ["PageSource", "open_source"]


def open_source(piece: Slice, job: Job, limits: WorkerLimits = WorkerLimits()) -> PageSource:
    """The source that fits a slice."""
    if piece.kind == "warc":
        return ArchiveSource(piece, job)
    if piece.kind == "html":
        return FileSource(piece, job)
    if piece.kind == "urls":
        from thresher.batch.sources.addresses import AddressSource

        return AddressSource(piece, job, limits)
    from thresher.batch.sources.tables import JsonLinesSource, ParquetSource

    return JsonLinesSource(piece, job) if piece.kind == "jsonl" else ParquetSource(piece, job)

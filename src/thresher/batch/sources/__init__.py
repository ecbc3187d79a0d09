"""A slice -> records, from whatever kind of input it is a piece of.

archives    WARC files
files       files, one page each
tables      JSON lines and Parquet, one page a row
addresses   lists of addresses, fetched
source      what all of them have
"""

from __future__ import annotations

from thresher.batch.job import Care, Job
from thresher.batch.plan import Slice
from thresher.batch.sources.archives import Archive
from thresher.batch.sources.files import Files
from thresher.batch.sources.source import Source

__all__ = ["Source", "open_source"]


def open_source(piece: Slice, job: Job, care: Care = Care()) -> Source:
    """The source that fits a slice."""
    if piece.kind == "warc":
        return Archive(piece, job)
    if piece.kind == "html":
        return Files(piece, job)
    if piece.kind == "urls":
        from thresher.batch.sources.addresses import Addresses

        return Addresses(piece, job, care)
    from thresher.batch.sources.tables import JsonLines, Parquet

    return JsonLines(piece, job) if piece.kind == "jsonl" else Parquet(piece, job)

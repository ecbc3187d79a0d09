"""Rows into a part and out of it: Parquet or JSON lines, byte for byte the same for the same rows."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, cast

from thresher.batch.job import Compression, Job
from thresher.batch.rows import Row
from thresher.batch.schema import arrow_schema, import_pyarrow, in_schema
from thresher.batch.store import Draft
from thresher.warc.members import zstd_module

__all__ = ["JsonLinesWriter", "ParquetWriter", "Writer", "check_writer", "open_writer", "part_suffix", "read_rows"]

_GROUP_ROWS = 1_000
_GROUP_BYTES = 32 << 20  # of text: what a writer holds in memory


class Writer:
    """Takes rows until it is closed."""

    def write(self, row: Row) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def abandon(self) -> None:
        """Forget what was written."""


class JsonLinesWriter(Writer):
    """One JSON object a line."""

    def __init__(self, draft: Draft, job: Job) -> None:
        self._job = job
        self._write, self._finish = _compressor(draft, _compression(job))

    def write(self, row: Row) -> None:
        line = json.dumps(in_schema(row, self._job), ensure_ascii=False, separators=(",", ":"))
        self._write(line.encode() + b"\n")

    def close(self) -> None:
        self._finish()


class ParquetWriter(Writer):
    """Row groups of a thousand rows, or fewer where the texts are long."""

    def __init__(self, draft: Draft, job: Job) -> None:
        pyarrow = self._arrow = import_pyarrow()
        self._job = job
        self._schema = arrow_schema(job)
        self._waiting: list[Row] = []
        self._size = 0
        self._writer = pyarrow.parquet.ParquetWriter(
            pyarrow.PythonFile(draft, "w"), self._schema, compression=_compression(job)
        )

    def write(self, row: Row) -> None:
        self._waiting.append(in_schema(row, self._job))
        self._size += len(row.get("text") or "")
        if len(self._waiting) >= _GROUP_ROWS or self._size >= _GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def abandon(self) -> None:
        self._writer.is_open = False  # else it writes its footer when it is collected

    def _flush(self) -> None:
        if self._waiting:
            self._writer.write_table(self._arrow.Table.from_pylist(self._waiting, self._schema))
            self._waiting, self._size = [], 0


def read_rows(part: bytes, job: Job) -> Iterator[Row]:
    """The rows of a part that was written, with the columns of the schema thresher."""
    for row in _stored_rows(part, job):
        yield row if job.schema == "thresher" else {"id": row["id"], "text": row["text"], **row["metadata"]}


def _stored_rows(part: bytes, job: Job) -> Iterator[Row]:
    if job.format == "parquet":
        with import_pyarrow().parquet.ParquetFile(io.BytesIO(part)) as file:
            for batch in file.iter_batches(_GROUP_ROWS):
                yield from batch.to_pylist()
        return
    compression = _compression(job)
    if compression == "gzip":
        part = gzip.decompress(part)
    elif compression == "zstd":
        part = zstd_module().decompress(part)
    yield from map(json.loads, io.BytesIO(part))


def check_writer(job: Job) -> None:
    """MissingExtra if this machine cannot write the job's format: better before the first slice than in each."""
    if job.format == "parquet":
        if find_spec("pyarrow") is None:  # importing it takes longer than a plan
            import_pyarrow()
    elif _compression(job) == "zstd":
        zstd_module()


def open_writer(draft: Draft, job: Job) -> Writer:
    """The writer of the job's format."""
    return ParquetWriter(draft, job) if job.format == "parquet" else JsonLinesWriter(draft, job)


def part_suffix(job: Job) -> str:
    """What the names of the parts end in."""
    if job.format == "parquet":
        return ".parquet"
    return ".jsonl" + {"none": "", "gzip": ".gz", "zstd": ".zst"}[_compression(job)]


def _compression(job: Job) -> Compression:
    return job.compression or ("zstd" if job.format == "parquet" else "none")


def _compressor(draft: Draft, compression: Compression) -> tuple[Callable[[bytes], object], Callable[[], object]]:
    """How to write and how to finish; with no time or name in the result, which would differ from run to run."""
    if compression == "gzip":
        packed = gzip.GzipFile("", "wb", 6, fileobj=cast(Any, draft), mtime=0)
        return packed.write, packed.close
    if compression == "zstd":
        compressor = zstd_module().ZstdCompressor(level=3)
        return lambda data: draft.write(compressor.compress(data)), lambda: draft.write(compressor.flush())
    return draft.write, lambda: None

"""Tables of pages in, tables of results out: the one function that every batch engine calls.

    table = pyarrow.table({"url": urls, "html": pages})
    result = thresher.arrow.extract(table)                         one row for each row, in their order
    with TableExtractor(workers=4) as extractor: extractor(table)  the same, for many tables: processes are kept

The columns of the result are those of `thresher batch` (docs/batch.md), whatever engine hands the tables over: Ray,
Spark, Dask, pandas, polars (`thresher.integrations`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from queue import SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any

from thresher.batch.isolation import CannotStart, Isolated
from thresher.batch.job import Job, WorkerLimits
from thresher.batch.record import PageRecord, derived_id
from thresher.batch.rows import Row, check_method, error_row, row
from thresher.batch.schema import arrow_schema, import_pyarrow, in_schema
from thresher.batch.sources.tables import PAGE_COLUMNS, record_of
from thresher.result.extraction import Focus, Hidden

if TYPE_CHECKING:
    import pyarrow

__all__ = ["TableExtractor", "TableOptions", "extract", "schema"]

_ROWS_AT_A_TIME = 64  # of a table as Python objects: pages may have megabytes


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What is done to every page of a table."""

    html: str = "html"  # the column with the pages: bytes, or text that is decoded already
    method: str = "auto"
    focus: Focus = "balanced"
    hidden: Hidden = "default"
    markdown: bool = False  # a column with the text as Markdown
    pass_on: Sequence[str] = ()  # columns of the input that the result has, too
    workers: int = 1  # processes; 0: in this one, where a page that hangs or crashes is nobody's affair but yours
    seconds: float = 30.0  # of the processor that one page may take
    megabytes: int = 2048  # of memory

    @property
    def job(self) -> Job:
        """The same for `thresher.batch`."""
        wishes: dict[str, Any] = {"method": self.method, "focus": self.focus, "hidden": self.hidden}
        job = Job((), "", markdown=self.markdown, html_column=self.html, **wishes)
        check_method(job)
        return job


def extract(table: Any, **options: Any) -> pyarrow.Table:
    """The main content of a table of pages: one row for each of its rows, in their order.

    table       a pyarrow Table or RecordBatch, or what can give one (a data frame of pandas or polars): pages in the
                column `html`, and perhaps `url`, `id`, `date` in others
    options     those of `TableOptions`: html, method, focus, hidden, markdown, pass_on, workers, seconds, megabytes

    A page that cannot be extracted is a row with status `failed`; its `error` says why.
    """
    with TableExtractor(TableOptions(**options)) as extractor:
        return extractor(table)


def schema(options: TableOptions = TableOptions(), table: Any = None) -> pyarrow.Schema:
    """The columns of the result; `table`, or its schema, is needed for the types of columns that are passed on."""
    arrow = import_pyarrow()
    own = arrow_schema(options.job)
    clash = [name for name in options.pass_on if name in own.names]
    if clash:
        raise ValueError(f"a result has a column {clash[0]!r} of its own: rename that of the input")
    if not options.pass_on:
        return own
    given = table if isinstance(table, arrow.Schema) else getattr(table, "schema", arrow.schema([]))
    missing = [name for name in options.pass_on if name not in given.names]
    if missing:
        raise ValueError(f"the input has no column {missing[0]!r}")
    return arrow.schema([*own, *(given.field(name) for name in options.pass_on)])


class TableExtractor:
    """`extractor(table)` is `extract(table)`, with processes that are kept from table to table."""

    def __init__(self, options: TableOptions = TableOptions()) -> None:
        if options.workers < 0:
            raise ValueError(f"workers is a number from 0 on, not {options.workers}")
        self.options = options
        self._job = options.job
        limits = WorkerLimits(page_seconds=options.seconds, page_mb=options.megabytes)
        self._processes = [Isolated(self._job, limits) for _ in range(options.workers)]
        self._free: SimpleQueue[Isolated] = SimpleQueue()
        for process in self._processes:
            self._free.put(process)

    def __enter__(self) -> TableExtractor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.close()

    def __call__(self, table: Any) -> pyarrow.Table:
        arrow = import_pyarrow()
        given = _as_table(arrow, table)
        if self.options.html not in given.column_names:
            raise ValueError(f"the table has no column {self.options.html!r}; it has {', '.join(given.column_names)}")
        columns = schema(self.options, given)
        own = arrow_schema(self._job)
        batches = [arrow.RecordBatch.from_pylist(rows, own) for rows in self._rows(given)]
        result = arrow.Table.from_batches(batches, own)
        for name in self.options.pass_on:
            result = result.append_column(columns.field(name), given.column(name))
        return result

    def _rows(self, table: Any) -> Iterator[list[Row]]:
        """Rows of the result, some at a time."""
        names = [name for name in table.column_names if name in {self.options.html, *PAGE_COLUMNS}]
        for batch in table.select(names).to_batches(max_chunksize=_ROWS_AT_A_TIME):
            records = [_record(values, self.options.html) for values in batch.to_pylist()]
            yield [in_schema(each, self._job) for each in self._rows_of(records)]

    def _rows_of(self, records: list[PageRecord]) -> list[Row]:
        if not self._processes:
            return [row(record, self._job) for record in records]
        with ThreadPoolExecutor(len(self._processes)) as threads:
            under_way: list[Future[Row]] = [threads.submit(self._row, record) for record in records]
            return [future.result() for future in under_way]

    def _row(self, record: PageRecord) -> Row:
        process = self._free.get()
        try:
            return process.row(record)[0]
        except CannotStart as error:
            return error_row(record, self._job, f"failed: {error}")
        finally:
            self._free.put(process)


def _as_table(arrow: Any, table: Any) -> Any:
    """A table of Arrow, whatever was given."""
    if isinstance(table, arrow.Table):
        return table
    if isinstance(table, arrow.RecordBatch):
        return arrow.Table.from_batches([table])
    if type(table).__module__.partition(".")[0] == "pandas":  # as a stream it would come with its index
        return arrow.Table.from_pandas(table, preserve_index=False)
    if hasattr(table, "__arrow_c_stream__"):
        return arrow.table(table)
    raise TypeError(f"extract takes a table of pyarrow, or a data frame, not {type(table).__name__}")


def _record(values: dict[str, Any], html: str) -> PageRecord:
    """The record of one row.  Engines cut tables anywhere, so an id comes from the page, not from its place."""
    record = record_of(values, "", "", html)
    if record.id == derived_id("", ""):
        return replace(record, id=derived_id(record.url or "", hashlib.sha256(record.body).hexdigest()))
    return record

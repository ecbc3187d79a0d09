"""What a batch run is asked to do: `Job` decides every byte of the output, `WorkerLimits` only how it comes about."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:  # importing it takes as long as all else that plans a run
    from thresher.result.extraction import Focus, Hidden

__all__ = ["Compression", "Format", "Job", "Kind", "Schema", "WorkerLimits"]

Format = Literal["parquet", "jsonl"]
Schema = Literal["thresher", "datatrove"]
Compression = Literal["none", "gzip", "zstd"]
Kind = Literal["warc", "html", "jsonl", "parquet", "urls"]


@dataclass(frozen=True, slots=True)
class Job:
    """Inputs and options.  Two runs with equal jobs write the same bytes, on whatever engine."""

    inputs: tuple[str, ...]
    output: str
    input_format: Kind | None = None  # None: by name and first bytes
    method: str = "auto"
    focus: Focus = "balanced"
    hidden: Hidden = "default"  # "strict": what may be hidden is left out
    format: Format = "parquet"
    schema: Schema = "thresher"
    compression: Compression | None = None  # None: zstd in Parquet, none in JSON lines
    markdown: bool = False  # a column with the text as Markdown
    timing: bool = False  # a column with the CPU seconds of each page; then no two runs are alike
    include: Literal["html", "all"] = "html"  # responses that are HTML, or everything that was fetched
    language: str | None = None  # pages in other languages give rows without text
    dedupe: bool = False  # columns with the fingerprint of the text, and the first page that has nearly the same
    html_column: str = "html"  # of JSONL and Parquet inputs
    by_site: bool = False  # first count what recurs on the pages of each host
    sketch_mb: int = 256  # memory for these counts
    slice_bytes: int = 64 << 20  # of an input file that become one part
    slice_pages: int = 500  # files or addresses that become one part
    allow_hosts: tuple[str, ...] = ()  # private hosts that a URL list may name
    function: str = "thresher.batch.rows:row"  # record, job, evidence -> row; for your own pipelines

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Job:
        listed = ("inputs", "allow_hosts")
        known: dict[str, Any] = {name: tuple(value) if name in listed else value for name, value in values.items()}
        return cls(**known)


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """Limits for one page, when a process has served long enough, and manners towards servers."""

    page_seconds: float = 30.0  # of the processor; a page that waits without computing gets three times as long
    page_mb: int = 2048  # memory that one page may take beyond what the process has
    recycle_pages: int = 5_000
    recycle_mb: int = 1024
    delay: float = 1.0  # seconds between two requests to a host of a URL list

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> WorkerLimits:
        return cls(**{field.name: values[field.name] for field in fields(cls)})

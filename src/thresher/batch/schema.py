"""The one schema of rows: what a part, a table of Arrow and a row of datatrove have, column by column."""

from __future__ import annotations

from typing import Any

from thresher.batch.job import Job
from thresher.batch.rows import COLUMNS, Row, columns
from thresher.errors import MissingExtra

__all__ = ["arrow_schema", "import_pyarrow", "in_schema", "row_schema"]


def in_schema(row: Row, job: Job) -> Row:
    """The row in the job's schema: its columns in their order, and for datatrove all but two in `metadata`."""
    flat = {name: value and _clean(value) for name in columns(job) for value in (row.get(name),)}
    if job.schema == "thresher":
        return flat
    text, id = flat.pop("text"), flat.pop("id")
    return {"text": text, "id": id, "metadata": flat}


def arrow_schema(job: Job) -> Any:
    """The same as a `pyarrow.Schema`."""
    arrow = import_pyarrow()
    types = {"str": arrow.string(), "int": arrow.int32(), "float": arrow.float64(), "strs": arrow.list_(arrow.string())}
    fields = [arrow.field(name, types[kind]) for name, kind in columns(job).items()]
    if job.schema == "thresher":
        return arrow.schema(fields)
    top = [field for name in ("text", "id") for field in fields if field.name == name]
    rest = [field for field in fields if field.name not in ("text", "id")]
    return arrow.schema([*top, arrow.field("metadata", arrow.struct(rest))])


def row_schema() -> dict[str, Any]:
    """The same as a JSON Schema: every column may be null."""
    kinds: dict[str, Any] = {"str": {"type": ["string", "null"]}, "int": {"type": ["integer", "null"]}}
    kinds |= {"float": {"type": ["number", "null"]}, "strs": {"type": ["array", "null"], "items": {"type": "string"}}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A row of `thresher batch`",
        "type": "object",
        "properties": {name: kinds[kind] for name, kind in COLUMNS.items()},
        "required": list(columns(Job((), ""))),
    }


def import_pyarrow() -> Any:
    """pyarrow with its Parquet part; MissingExtra where there is none."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as missing:
        raise MissingExtra("Parquet needs pyarrow: pip install 'thresher[batch]', or --format jsonl") from missing
    return pyarrow


def _clean(value: Any) -> Any:
    """Half a surrogate pair is no character and has no bytes."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    return [_clean(each) for each in value] if isinstance(value, list) else value

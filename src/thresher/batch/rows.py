"""One record in, one row out: what is done to a page, and nothing about where or how often it is done.

Every record gives a row.  A row without text is an error row: its `error` says why, as `code: sentence`, and its
`status` is what `thresher.extract` says (empty, not_html, js_shell, blocked, …), `held_back` for a page in another
language than the job's, or `failed`, when there was nothing to extract from: a damaged record, an unknown coding, a
page that exceeded its time or memory or broke the process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from thresher import __version__, methods
from thresher.batch.job import Job
from thresher.batch.record import PageRecord
from thresher.errors import ThresherError
from thresher.http.media_types import charset_of
from thresher.warc.http import CodingError, decode_body, is_html

if TYPE_CHECKING:
    from thresher.batch.evidence import HostEvidence
    from thresher.result.extraction import Extraction

__all__ = ["COLUMNS", "Row", "check_method", "checked", "columns", "error_row", "model", "row"]

Row = dict[str, Any]

# The columns in their order, each with its type: str, int, float, or strs for a list.
COLUMNS: dict[str, str] = {
    "id": "str",
    "url": "str",
    "date": "str",
    "status": "str",
    "http_status": "int",
    "text": "str",
    "markdown": "str",
    "title": "str",
    "author": "str",
    "published": "str",
    "language": "str",
    "page_type": "str",
    "confidence": "float",
    "warnings": "strs",
    "error": "str",
    "fingerprint": "str",
    "duplicate_of": "str",
    "method": "str",
    "model": "str",
    "version": "str",
    "source": "str",
    "position": "str",
    "seconds": "float",
}
_INT_LIMIT = 1 << 31  # Parquet has these columns in 32 bits
_OURS = f"{__name__}:row"  # the function whose rows are of these types
_OPTIONAL = {"markdown", "fingerprint", "duplicate_of", "seconds"}  # there when the job asks for them


def row(record: PageRecord, job: Job, evidence: HostEvidence | None = None) -> Row:
    """The row of one record."""
    from thresher.parse import parse  # only the process that reads pages needs these, of three
    from thresher.result.extraction import extract

    if record.error:
        return error_row(record, job, record.error)
    try:
        body, problems = decode_body(record.body, record.codings)
    except CodingError as error:
        return error_row(record, job, f"coding: {error}")
    warnings = [*record.warnings, *map(str, problems)]
    if not warnings and not record.codings and record.http_length is not None and len(body) < record.http_length:
        warnings.append(f"truncated: the response had {record.http_length:,} bytes, {len(body):,} are stored")
    if record.content_type and not is_html(record.content_type, body):
        warnings.append(f"content_type: the server called this {record.content_type[:100]!r}")
    if record.http_status is not None and record.http_status >= 400:
        warnings.append(f"http_{record.http_status}: the server answered {record.http_status}")
    try:
        page = parse(body, record.url, charset_of(record.content_type))
        wishes: dict[str, Any] = {"focus": job.focus, "hidden": job.hidden}
        result = evidence.extract(page, job) if evidence else extract(page, job.method, **wishes)
    except ThresherError as error:
        return error_row(record, job, f"failed: {error}")
    return _row(record, job, result, warnings)


def _row(record: PageRecord, job: Job, result: Extraction, warnings: list[str]) -> Row:
    text = result.text if result.keep.any() else ""
    about = result.metadata
    other_language = _other_language(job, about.language) if text else None
    text = "" if other_language else text
    return {
        **_frame(record, job),
        "url": record.url or about.url,
        "status": "held_back" if other_language else result.status,
        "text": text,
        "markdown": result.markdown if job.markdown and text else "",
        "title": about.title,
        "author": about.author,
        "published": about.date,
        "language": about.language,
        "page_type": about.page_type,
        "confidence": None if result.confidence is None else round(result.confidence, 4),
        "warnings": [*warnings, *result.warnings],
        "fingerprint": result.fingerprint if job.dedupe and text else None,
        "duplicate_of": None,  # known when all pages are (duplicates)
        "error": None if text else other_language or next(reversed(result.warnings), "empty: nothing was kept"),
    }


def _other_language(job: Job, language: str | None) -> str | None:
    """Why a page of this language is held back, as `extract --language` has it; None if it is not."""
    if job.language is None or language == job.language.lower():
        return None
    return f"language: its language is {language or 'not known'}, not {job.language}"


def check_method(job: Job) -> None:
    """Raises what the method would say of every page of an archive: that it needs siblings, a layout or a model."""
    if job.function == _OURS:
        for need in sorted(methods.needs(job.method)):
            raise methods.missing(job.method.partition(":")[0], need)
        methods.check_model(job.method)


def checked(row: Any, record: PageRecord, job: Job) -> Row:
    """What a function gave for a record, or an error row: a part takes rows of the right types only."""
    if job.function == _OURS:
        return cast(Row, row)
    if not isinstance(row, dict):
        return error_row(record, job, f"failed: {job.function} gave {type(row).__name__} instead of a row")
    for name, kind in columns(job).items():
        if not _fits(row.get(name), kind):
            return error_row(record, job, f"failed: {job.function} gave {str(row[name])[:50]!r} as {name}")
    if not row.get("text") and not row.get("error"):
        row["error"] = f"empty: {job.function} gave no text"
    return {"id": record.id} | row


def _fits(value: Any, kind: str) -> bool:
    if value is None:
        return True
    if kind == "str":
        return isinstance(value, str)
    if kind == "strs":
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if isinstance(value, bool):
        return False
    if kind == "int":
        return isinstance(value, int) and -_INT_LIMIT <= value < _INT_LIMIT
    return isinstance(value, (int, float)) and isfinite(value)


def error_row(record: PageRecord, job: Job, error: str) -> Row:
    """The row of a record that gave no text."""
    return {
        **_frame(record, job),
        "status": "failed",
        "text": "",
        "markdown": "",
        "confidence": 0.0,
        "warnings": list(record.warnings),
        "error": error,
    }


@cache
def columns(job: Job) -> Mapping[str, str]:
    """The columns that this job's rows have."""
    chosen = {"markdown": job.markdown, "seconds": job.timing, "fingerprint": job.dedupe, "duplicate_of": job.dedupe}
    return {name: kind for name, kind in COLUMNS.items() if name not in _OPTIONAL or chosen[name]}


def _frame(record: PageRecord, job: Job) -> Row:
    """What is known before any extraction."""
    return {
        "id": record.id,
        "url": record.url,
        "date": record.date,
        "http_status": record.http_status,
        "title": None,
        "author": None,
        "published": None,
        "language": None,
        "page_type": None,
        "method": job.method,
        "model": model(job.method),
        "version": __version__,
        "source": record.source.encode("utf-8", "replace").decode(),  # names of files need not be characters
        "position": record.position,
    }


@cache
def model(method: str) -> str | None:
    """Name and digest of the trained weights that a method uses, those in its name or the shipped; None for none."""
    own, name = methods.split(method)[1].get("model"), method.partition(":")[0]
    shipped = [file for file in files("thresher").joinpath("data").iterdir() if file.name.split(".")[0] == name]
    weights = [Path(own)] if own else sorted(shipped, key=lambda file: file.name)
    if not weights:
        return None
    digest = hashlib.sha256()
    for file in weights:
        digest.update(file.read_bytes())
    return f"{name}-{digest.hexdigest()[:12]}"

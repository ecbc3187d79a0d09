"""A rendered page as a file: JSON, gzipped if its name ends in .gz.

    {"format": "thresher-page", "version": 1, "url": …, "viewport": [width, height], "html": …,
     "islands": [{tag, type, id, text}, …], "problems": [{code, message}, …],
     "box": [[x, y, width, height] or null, …],
     "style": {"display": {"values": ["block", …], "codes": [0, 0, -1, …]}, …},
     "declarations": {"names": ["color", …], "values": […], "rows": […], "start": […], "name": […], "value": […]}}

`html` is the page's canonical markup: reading it gives the same elements in the same order, so boxes and codes need no
names.  A page that was not rendered can be saved as well; its box and style are null.
Files from before there were `declarations` (styles.ComputedDeclarations) are read as well.
"""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from thresher.errors import RenderError
from thresher.page import Island, Page, Problem
from thresher.parse.scan import scan
from thresher.render.styles import VIEWPORT, ComputedDeclarations, ComputedStyles

__all__ = ["load", "loads", "save", "to_dict"]

_FORMAT, _VERSION = "thresher-page", 1
_MAX_BYTES = 1_000_000_000  # bytes of JSON; what unpacks to more is a bomb


def save(page: Page, path: str | Path) -> None:
    """Write a page; OSError if the file cannot be written."""
    data = json.dumps(to_dict(page), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    # No time and no name in the header: the same page gives the same bytes.
    Path(path).write_bytes(gzip.compress(data, 6, mtime=0) if str(path).endswith(".gz") else data)


def load(path: str | Path) -> Page:
    """Read a page that `save` has written; RenderError if the file is something else."""
    try:
        with gzip.open(path) if str(path).endswith(".gz") else open(path, "rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise RenderError(f"{str(path)!r} cannot be unpacked: {error}", "unreadable") from error
    return loads(data)


def loads(data: bytes) -> Page:
    """The page of a file's content; RenderError if it is something else."""
    try:
        if len(data) > _MAX_BYTES:
            raise ValueError("it is too large")
        return _from_dict(json.loads(data))
    except (AttributeError, KeyError, TypeError, ValueError, IndexError, AssertionError, RecursionError) as error:
        raise RenderError(f"this is no page saved by `thresher render`: {error!r}", "unreadable") from error


def to_dict(page: Page) -> dict[str, Any]:
    """A page as a value for JSON."""
    boxes = None
    if page.box is not None:
        boxes = [box if box[0] == box[0] else None for box in page.box.tolist()]  # NaN equals nothing
    style = page.style
    columns = None
    if style is not None:
        columns = {
            name: {"values": list(style.values[name]), "codes": style.codes[name].tolist()} for name in style.values
        }
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "url": page.url,
        "encoding": page.encoding,
        "size": page.size,
        "viewport": list(style.viewport) if style is not None else None,
        "html": page.markup.decode("utf-8", "replace"),
        "islands": [asdict(island) for island in page.islands],
        "problems": [asdict(problem) for problem in page.problems],
        "box": boxes,
        "style": columns,
        "declarations": _declarations_dict(style.declarations) if style is not None and style.declarations else None,
    }


_DECLARATION_COLUMNS = ("rows", "start", "name", "value")


def _declarations_dict(declarations: ComputedDeclarations) -> dict[str, Any]:
    columns = {column: getattr(declarations, column).tolist() for column in _DECLARATION_COLUMNS}
    return {"names": list(declarations.names), "values": list(declarations.values), **columns}


def _from_dict(record: dict[str, Any]) -> Page:
    if record.get("format") != _FORMAT or record.get("version") != _VERSION:
        raise ValueError(f"its format is not {_FORMAT} {_VERSION}")
    html = str(record["html"])
    page = scan(html.encode("utf-8", "replace"), escaped=True)
    if page is None or html.rfind("<") > html.rfind(">"):
        raise ValueError("its html is not in canonical form")
    box, style = record.get("box"), record.get("style")
    if style is not None:
        style = _styles(style, len(page), record.get("viewport") or VIEWPORT)
        style = replace(style, declarations=_declarations(record.get("declarations"), len(page)))
    return replace(
        page,
        url=record.get("url"),
        encoding=record.get("encoding"),
        size=int(record.get("size") or 0),
        islands=tuple(Island(**island) for island in record.get("islands", ())),
        problems=tuple(Problem(**problem) for problem in record.get("problems", ())),
        box=_boxes(box, len(page)) if box is not None else None,
        style=style,
    )


def _boxes(rows: list[list[float] | None], elements: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    box = np.array([(np.nan,) * 4 if row is None else row for row in rows], np.float32).reshape(-1, 4)
    if len(box) != elements:
        raise ValueError(f"it has {len(box)} boxes for {elements} elements")
    box.setflags(write=False)
    return box


def _styles(columns: dict[str, Any], elements: int, viewport: list[int] | tuple[int, int]) -> ComputedStyles:
    values, codes = {}, {}
    for name, column in columns.items():
        values[name] = tuple(map(str, column["values"]))
        code = np.array(column["codes"], np.int32)
        if code.shape != (elements,) or (len(code) and not -1 <= code.min() <= code.max() < len(values[name])):
            raise ValueError(f"the codes of {name} do not fit its elements and values")
        code.setflags(write=False)
        codes[name] = code
    width, height = viewport
    return ComputedStyles(values, codes, (int(width), int(height)))


def _declarations(record: dict[str, Any] | None, elements: int) -> ComputedDeclarations | None:
    if record is None:
        return None
    columns = [np.array(record[column], np.int32).reshape(-1) for column in _DECLARATION_COLUMNS]
    declarations = ComputedDeclarations(tuple(map(str, record["names"])), tuple(map(str, record["values"])), *columns)
    if len(declarations.rows) and declarations.rows[-1] >= elements:
        raise ValueError("it has declarations of elements that are not there")
    return declarations

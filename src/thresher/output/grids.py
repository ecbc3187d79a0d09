"""Tables that are made of other elements than `table`.

What says that an element is a row or a cell of one:

    role       row; cell, gridcell, columnheader, rowheader, in a table, grid or treegrid
    style      display: table-row; display: table-cell
    class      divTableRow, table__row, rt-tr; divTableCell, table__cell, rt-td

Roles and styles are believed as `table` is (tables.py): two rows of two cells or more.  Classes say it of columns of
the layout and of teasers, too, so they are believed of three rows or more with as many short cells each, and nothing
beside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from thresher.data.tags import HEADINGS, group
from thresher.output.containers import NO_PARTS
from thresher.output.tables import SEVERAL, data_tables
from thresher.page import Page, attributes, memoised
from thresher.page.parts import Parts, with_part
from thresher.page.tree import texts_within
from thresher.page.types import Bools, Bytes, Ints, Rows
from thresher.text.patterns import compile_later

__all__ = ["Grids", "find_grids", "in_data_table", "table_parts"]

_SHORT = 200  # bytes of a cell that only its class calls one
_MIN_ROWS = 3  # that only their classes call rows
_OTHER_TEXT = 5  # a table has at least so many times as much text in its cells as beside them
IS_TABLE, IS_ROW, IS_CELL = 1, 2, 4
_REAL = group(("table", "thead", "tbody", "tfoot", "tr", "td", "th"))
_UNFIT = group((*HEADINGS, "table", "form"))
_TABLE_ROLES = frozenset(("table", "grid", "treegrid"))
_HEADER_ROLES = frozenset(("columnheader", "rowheader"))
_CELL_ROLES = frozenset(("cell", "gridcell")) | _HEADER_ROLES
_CELL_PARTS = Parts(b"cell", b"td", b"table", b"tbl")
_HEADER_PARTS = Parts(b"th")  # part of many words: looked for where there are cells
_CELL_ENDS = ("cell", "td", "th", "head", "heading", "header", "col", "column")
_CELL_NAME = compile_later(
    r"(?:.*(?:table|tbl|[-_]))?(?:cell|td|th)|.*(?:table|tbl)[-_]*(?:head|heading|header|col|column)", re.IGNORECASE
)
_HEADER_CLASS = compile_later(r"(?:^|\s)\S*(?:head|heading|header|th)(?:[-_]*cell)?(?:$|\s)", re.IGNORECASE)
_ROW_CLASS = compile_later(r"(?:^|\s)(?:\S*(?:table|tbl|[-_]))?(?:row|tr)(?:$|\s)", re.IGNORECASE)
_GROUP_CLASS = compile_later(r"(?:^|\s)\S*(?:head|heading|header|body|foot|footer|group)(?:$|\s)", re.IGNORECASE)
_ROW_STYLE = compile_later(r"display\s*:\s*table-row\s*(?:;|!|$)", re.IGNORECASE)
_ROW_ROLE = Parts(b"row")
_GROUP_STYLE = compile_later(r"display\s*:\s*table-(?:row|header|footer)-group", re.IGNORECASE)


class Grids(NamedTuple):
    """The tables, rows and cells, each in document order; which cells are of a head."""

    tables: Rows
    lines: Rows
    cells: Rows
    headers: frozenset[int]


@memoised
def find_grids(page: Page) -> Grids | None:
    """The tables of data that are made of other elements; None if there are none, as on most pages."""
    cells = _cells(page)
    if cells is None or len(cells) < 4:
        return None
    tables = _tables(page, _lines(page, cells))
    chosen = {table: lines for table, lines in tables.items() if _holds_data(page, table, lines)}
    if not chosen:
        return None
    lines = {line: row for table in chosen.values() for line, row in table.items()}
    inside = [cell for row in lines.values() for cell in row]
    headers = frozenset(cell for cell in inside if _is_header(page, cell))
    return Grids(_ascending(chosen), _ascending(lines), _ascending(inside), headers)


def _ascending(rows: Iterable[int]) -> Rows:
    return np.array(sorted(rows), np.intp)


@memoised
def table_parts(page: Page) -> Bytes:
    """For each element IS_TABLE if it is a table of data, IS_ROW or IS_CELL if it is one and no `tr`, `td` or `th`;
    empty if the page has no table of data."""
    parts: Bytes = data_tables(page).view(np.uint8)
    grids = find_grids(page)
    if grids is not None:
        parts = parts.copy()
        for bit, rows in zip((IS_TABLE, IS_ROW, IS_CELL), grids[:3], strict=True):
            parts[rows] |= bit
    return parts if parts.any() else NO_PARTS


def in_data_table(page: Page) -> Bools:
    """Which texts stand in a table of data, at any depth."""
    parts = table_parts(page)
    return texts_within(page, (parts & IS_TABLE).view(bool)) if len(parts) else np.zeros(len(page.start), bool)


def _cells(page: Page) -> Rows | None:
    """The elements that say that they are cells, but for those of `table`, in document order."""
    styled = attributes.numbered(page, "style")
    by_class, styles = _rows_by_class(page, _CELL_PARTS), attributes.containing(page, styled, b"table-cell")
    by_role = with_part(page, "role", _ROW_ROLE)
    if not (len(by_class) or styles or by_role):
        return None
    mask = np.zeros(len(page), bool)
    if len(by_class):
        mask[by_class] = True
        mask[_rows_by_class(page, _HEADER_PARTS)] = True
    if by_role:
        rows, code, roles = attributes.distinct(page, "role")
        if "row" in roles:
            mask[rows[np.array([role in _CELL_ROLES for role in roles])[code]]] = True
    mask[attributes.rows_of(styled, styles)] = True
    return (mask & ~_REAL[page.tag]).nonzero()[0]


def _rows_by_class(page: Page, parts: Parts) -> Ints:
    """The elements whose class says that they are cells and has one of some parts."""
    likely = with_part(page, "class", parts)
    values = attributes.numbered(page, "class")
    named = [number for number in likely if _is_cell(attributes.value_of(page, values, number).decode())]
    return attributes.rows_of(values, named)


def _is_cell(classes: str) -> bool:
    likely = [token for token in classes.lower().split() if token.endswith(_CELL_ENDS)]
    return any(map(_CELL_NAME.fullmatch, likely))


def _lines(page: Page, cells: Rows) -> dict[int, list[int]]:
    """The rows around the cells, each with its cells.  Between the two there may be an element that only groups."""
    lines: dict[int, list[int]] = {}
    is_row: dict[int, bool] = {}  # what was asked before
    for cell in cells.tolist():
        for above, _ in zip(page.ancestors(cell), range(2), strict=False):
            if above not in is_row:
                is_row[above] = not _REAL[page.tag[above]] and _is_row(page.attributes(above))
            if is_row[above]:
                lines.setdefault(above, []).append(cell)
                break
    return lines


def _is_row(names: dict[str, str]) -> bool:
    return (
        names.get("role") == "row"
        or _ROW_STYLE.search(names.get("style", "")) is not None
        or _ROW_CLASS.search(names.get("class", "")) is not None
    )


def _tables(page: Page, lines: dict[int, list[int]]) -> dict[int, dict[int, list[int]]]:
    """The element around each row that groups no rows itself, with its rows."""
    tables: dict[int, dict[int, list[int]]] = {}
    for line, cells in lines.items():
        for above in page.ancestors(line):
            names = page.attributes(above)
            if names.get("role") != "rowgroup" and (
                names.get("role") in _TABLE_ROLES
                or not (_GROUP_STYLE.search(names.get("style", "")) or _GROUP_CLASS.search(names.get("class", "")))
            ):
                tables.setdefault(above, {})[line] = cells
                break
    return tables


def _holds_data(page: Page, table: int, lines: dict[int, list[int]]) -> bool:
    """Whether the rows of a table are many enough, and its cells short enough."""
    first, last = int(page.first[table]), int(page.last[table])
    if _UNFIT[page.tag[table : page.end[table]]].any() or _in_data_table(page, table):
        return False
    cells = [[cell for cell in row if page.last[cell] > page.first[cell]] for row in lines.values()]
    if sum(len(row) > 1 for row in cells) < 2:
        return False
    inside = sum(_size(page, int(page.first[cell]), int(page.last[cell])) for row in cells for cell in row)
    beside = _size(page, first, last) - inside
    if _is_declared(page, table, next(iter(lines))):
        blocks = (page.block[page.last[cell] - 1] - page.block[page.first[cell]] for row in cells for cell in row)
        return beside * _OTHER_TEXT <= inside and all(count < SEVERAL for count in blocks)
    shapes = {len(row) for row in lines.values()}
    short = all(_size(page, int(page.first[cell]), int(page.last[cell])) <= _SHORT for row in cells for cell in row)
    return len(lines) >= _MIN_ROWS and len(shapes) == 1 and beside == 0 and short


def _is_declared(page: Page, table: int, line: int) -> bool:
    """Whether a table is one by roles or styles."""
    names = page.attributes(line)
    if names.get("role") == "row":
        return page.attribute(table, "role") in _TABLE_ROLES
    return _ROW_STYLE.search(names.get("style", "")) is not None


def _is_header(page: Page, cell: int) -> bool:
    names = page.attributes(cell)
    role = names.get("role")
    return role in _HEADER_ROLES or (role is None and _HEADER_CLASS.search(names.get("class", "")) is not None)


def _in_data_table(page: Page, row: int) -> bool:
    tables = data_tables(page)
    return bool(tables[row]) or any(tables[above] for above in page.ancestors(row))


def _size(page: Page, first: int, last: int) -> int:
    """The bytes of some texts, without white space around them."""
    return sum(len(text.strip()) for text in page.cut(np.arange(first, last)))

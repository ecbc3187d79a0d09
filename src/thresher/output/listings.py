"""Which elements are listings, and their lines: one answer for every form.

pre             the outermost one, line by line (preformatted.py)
table           of two columns, line numbers beside code
code, tt, samp  with line breaks in it, alone on its lines
div             whose parts are a line each (code_lines.py)
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from thresher.data.tags import BLOCK, NUMBER, group
from thresher.output.code_lines import find_code_lines, joined_lines
from thresher.output.containers import LINE, elements_with_text, gaps
from thresher.output.preformatted import GUTTER, gutter, listing, trimmed
from thresher.page import Page, attributes, memoised, unescape
from thresher.page.columns import has
from thresher.page.types import Bools, Rows
from thresher.text.patterns import compile_later

__all__ = ["Listing", "listings"]


_BR, _CODE, _TABLE = (NUMBER[name] for name in ("br", "code", "table"))
_SPAN, _PRE, _CELL, _BLOCK = group(("code", "tt", "samp")), group(("pre", "listing")), group(("td", "th")), group(BLOCK)
_CODE_CELLS = frozenset("code blob-code blob-code-inner hljs-ln-code rouge-code lntd crayon-code".split())
_TAGS = compile_later(rb"<!--.*?-->|<[^>]*>", re.DOTALL)
_LAYOUT = compile_later("[ \t\n\r\f]+")


class Listing(NamedTuple):
    """The lines of an element, and the element in it that may name their language."""

    code: str
    holder: int


def listings(page: Page, keep: Bools, kept: Rows) -> dict[int, Listing]:
    """The elements that are printed as listings, in document order, none in another.  `kept` are the places of `keep`:
    elements without any of them are left out."""
    rows: list[int] = []
    if has(page, "pre", "listing"):
        rows += elements_with_text(page, _PRE[page.tag].nonzero()[0], kept).tolist()
    if has(page, "table"):
        rows += elements_with_text(page, _numbered_tables(page), kept).tolist()
    if has(page, "br") and has(page, "code", "tt", "samp"):
        rows += _code_with_line_breaks(page, kept).tolist()
    by_lines = find_code_lines(page)
    if by_lines:
        rows += elements_with_text(page, np.array(sorted(by_lines), np.intp), kept).tolist()
    result: dict[int, Listing] = {}
    done = 0
    for row in sorted(rows):
        if row < done:
            continue
        lines: Listing | None
        if row in by_lines:
            lines = Listing(joined_lines(page, keep, by_lines[row]), by_lines[row].holder)
        elif _PRE[page.tag[row]]:
            lines = Listing(listing(page, keep, row), row)
        elif page.tag[row] == _TABLE:
            lines = _code_table(page, keep, row)
        else:
            lines = Listing(_lines(page, keep, row), row)
        if lines is not None:
            result[row], done = lines, int(page.end[row])
    return result


def _code_with_line_breaks(page: Page, kept: Rows) -> Rows:
    """Elements of code with a line break between their texts, alone on their lines, without other blocks in them.

    With the kept texts a … b - 1 in an element, a gap of a LINE or more stands before one of a + 1 … b - 1, and before
    a and b themselves.
    """
    rows, breaks = _SPAN[page.tag].nonzero()[0], (page.tag == _BR).nonzero()[0]
    rows = rows[breaks.searchsorted(rows) < breaks.searchsorted(page.end[rows])]
    rows = elements_with_text(page, rows, kept) if len(rows) else rows
    if not len(rows):
        return rows
    gap = np.append(gaps(page, kept), LINE)
    first, last = kept.searchsorted(page.first[rows]), kept.searchsorted(page.last[rows])
    ends = np.concatenate(([0], np.cumsum(gap >= LINE)))
    several = ends[last] - ends[first + 1] > 0
    rows = rows[several & (gap[first] >= LINE) & (gap[last] >= LINE)]
    blocks: Rows = rows[[not _BLOCK[page.tag[row : page.end[row]]].any() for row in rows.tolist()]]
    return blocks


def _lines(page: Page, keep: Bools, row: int) -> str:
    """The kept lines of an element of code.  Breaks end them; other white space is the layout of the markup, but for
    no-break spaces, which indent."""
    texts = np.arange(page.first[row], page.last[row])
    texts = texts[keep[texts]]
    breaks = (page.tag[row : page.end[row]] == _BR).nonzero()[0] + row
    passed = page.tag_start[breaks].searchsorted(page.position[texts]).tolist()
    result: list[str] = []
    for place, text in enumerate(page.cut(texts)):
        if place:
            result.append("\n" * (passed[place] - passed[place - 1]))
        result.append(_LAYOUT.sub(" ", text))
    lines = "".join(result).split("\n")
    return trimmed("\n".join(line.strip(" ") for line in lines))


def _code_table(page: Page, keep: Bools, table: int) -> Listing | None:
    """The listing in a table that puts line numbers beside code, and the element that holds it; None when the table
    is something else.

    Such a table has cells of line numbers and cells of code.  Code outside of `pre` is read from the markup, where
    its white space is.
    """
    rows = np.arange(table, page.end[table])
    if (page.tag[rows[1:]] == _TABLE).any():
        return None
    cells = rows[_CELL[page.tag[rows]]].tolist()
    parts: list[str] = []
    holder = table
    numbers = False
    for cell in cells:
        names = page.attributes(cell)
        tokens = frozenset(names.get("class", "").lower().split())
        if not GUTTER.isdisjoint(tokens) or "data-line-number" in names or _only_numbers(page, cell):
            numbers = True
            continue
        inner = np.arange(cell, page.end[cell])
        preformatted = inner[_PRE[page.tag[inner]]]
        if len(preformatted):
            holder = int(preformatted[0])
            parts += [listing(page, keep, row) for row in preformatted.tolist()]
        elif not _CODE_CELLS.isdisjoint(tokens) or (page.tag[inner] == _CODE).any():
            if keep[page.first[cell] : page.last[cell]].all():
                parts.append(_from_markup(page, cell))
        else:
            return None
    code = "\n".join(parts).strip("\n")
    return Listing(code, holder) if numbers and code else None


@memoised
def _numbered_tables(page: Page) -> Rows:
    """The tables that may put line numbers beside code: any, if the page numbers lines, or those whose first cell does
    so by an attribute."""
    tables: Rows = (page.tag == _TABLE).nonzero()[0]
    if gutter(page) is not None:
        return tables
    if not attributes.is_used(page, "data-line-number"):
        return tables[:0]
    cells = np.append(_CELL[page.tag].nonzero()[0], len(page) - 1)
    first = cells[cells.searchsorted(tables)]
    spans = zip(page.tag_start[first].tolist(), page.tag_stop[first].tolist(), strict=True)
    numbered: Rows = tables[[b"data-line-number" in page.markup[start:stop] for start, stop in spans]]
    return numbered


def _only_numbers(page: Page, cell: int) -> bool:
    numbered = gutter(page)
    first, last = int(page.first[cell]), int(page.last[cell])
    return numbered is not None and first < last and bool(numbered[first:last].all())


def _from_markup(page: Page, cell: int) -> str:
    """The text of a cell with its white space, each block inside on a line of its own."""
    after = int(page.end[cell])
    stop = int(page.tag_start[after]) if after < len(page) else len(page.markup)
    inside = page.markup[page.tag_stop[cell] : stop].split(b"</td>")[0]
    inside = re.sub(rb"</div>|<br>", b"\n", inside)
    return trimmed(unescape(_TAGS.sub(b"", inside).decode()))

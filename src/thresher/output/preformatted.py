"""Preformatted text: its lines, and the line numbers that are not part of it."""

from __future__ import annotations

import re

import numpy as np

from thresher.data.tags import NUMBER, group
from thresher.page import Page, attributes, memoised
from thresher.page.columns import chars, has
from thresher.page.parts import Parts, with_part
from thresher.page.tree import within
from thresher.page.types import Bools
from thresher.text.characters import clean_preformatted
from thresher.text.patterns import compile_later

__all__ = ["GUTTER", "gutter", "listing", "trimmed"]

_NO_ROWS = np.zeros(0, np.intp)
_BR, _BUTTON = NUMBER["br"], NUMBER["button"]
_PRE = group(("pre", "listing"))

# Class names that highlighters give the column or the spans of line numbers: Pygments, Rouge, Chroma, hexo,
# highlightjs-line-numbers, SyntaxHighlighter, GitHub, Crayon, WordPress.
GUTTER = frozenset(
    """
    lineno linenos linenodiv linenumber linenumbers line-number line-numbers line_number line_numbers gutter
    rouge-gutter lnt ln hljs-ln-numbers hljs-ln-n blob-num crayon-nums crayon-num code-line-number
    react-syntax-highlighter-line-number codemirror-linenumber
    """.split()
)
_GUTTER_PARTS = Parts(b"line", b"ln", b"gutter", b"-num")
_GUTTER_STARTS = tuple(b"line ln gutter rouge-gu hljs-ln blob-num crayon-n code-lin react-sy".split())
_MAX_NUMBER_CHARS = 8  # and the white space beside it
_MIN_NUMBERED_LINES = 3  # that count up on every other line
_NUMBERS = compile_later(rb"[\d\s\0.:|]*")
# What says that an element is a line: `line`, `token-line`, `code_line`; `data-line`; a style that makes a block of it.
_LINE_CLASS = compile_later(r"(?:^|\s)(?:[\w-]*[-_])?line(?:$|\s)", re.IGNORECASE)
_LINE_STYLE = compile_later(r"(?:^|[;\s])display\s*:\s*(?:block|flex|grid|table-row|list-item)", re.IGNORECASE)
_LINE_NAMES = ("data-line", "data-line-number", "data-line-no")


@memoised
def gutter(page: Page) -> Bools | None:
    """Which texts are line numbers beside a listing, or on a button in it ("Copy"); None if there are none, as on most
    pages.

    A line number is an element whose class says so and whose text is digits.
    """
    if not has(page, "pre", "listing", "code", "tt"):
        return None
    values = attributes.numbered(page, "class")
    named = [number for number in with_part(page, "class", _GUTTER_PARTS) if _is_gutter(page, values, number)]
    has_buttons = has(page, "button") and has(page, "pre", "listing")
    if not named and not has_buttons:
        return None
    mask = np.zeros(len(page.start), bool)
    for row in attributes.rows_of(values, named).tolist():
        first, last = int(page.first[row]), int(page.last[row])
        if first < last and _NUMBERS.fullmatch(page.utf8, int(page.start[first]), int(page.stop[last - 1])):
            mask[first:last] = True
    if has_buttons:
        for row in (within(page, _PRE[page.tag]) & (page.tag == _BUTTON)).nonzero()[0].tolist():
            mask[page.first[row] : page.last[row]] = True
    return mask if mask.any() else None


def _is_gutter(page: Page, values: attributes.Numbered, number: int) -> bool:
    """Whether a class begins as those of line numbers do, and is one."""
    value = page.markup[values.start[number] : values.stop[number]].lower()
    return value.startswith(_GUTTER_STARTS) and not GUTTER.isdisjoint(value.decode().split())


def listing(page: Page, keep: Bools, row: int) -> str:
    """The kept lines of a `pre`: `br` and block elements end lines, line numbers and blank ends are left out."""
    first, last = int(page.first[row]), int(page.last[row])
    if first == last:
        return ""
    numbered = gutter(page)
    printed = keep[first:last] if numbered is None else keep[first:last] & ~numbered[first:last]
    whole = page.utf8[page.start[first] : page.stop[last - 1]]
    if first + 1 == last:
        return trimmed(whole.decode()) if printed[0] else ""
    breaks = (page.tag[row : page.end[row]] == _BR).nonzero()[0] + row if has(page, "br") else _NO_ROWS
    if not len(breaks) and b"\n" not in whole.strip(b"\0\n"):
        rows = _line_elements(page, row)
        if rows:
            return trimmed("\n".join(_joined(page, keep, line) for line in rows))
    one_block = page.block[first] == page.block[last - 1] and not len(breaks)
    # All of it, as it stands; the texts end with NULs.
    if one_block and (printed.all() or not chars(page)[first:last][~printed].any()):
        return trimmed(whole.replace(b"\0", b"").decode())
    pieces = page.cut(np.arange(first, last))
    # White space between kept texts belongs to them, even where a verdict on words passed it over.
    blank = np.array([not piece.strip() for piece in pieces], bool)
    if numbered is not None:
        blank &= ~numbered[first:last]
    taken = np.flatnonzero(printed | blank).tolist()
    passed = np.searchsorted(page.tag_start[breaks], page.position[first:last]).tolist()
    block = page.block[first:last].tolist()
    result: list[str] = []
    before = -1
    for place in taken:
        if before >= 0:
            ends = passed[place] - passed[before]
            if not ends and block[place] != block[before] and not pieces[before].endswith("\n"):
                ends = 1
            result.append("\n" * ends)
        result.append(pieces[place])
        before = place
    return trimmed("".join(result))


def _line_elements(page: Page, row: int) -> list[int]:
    """The elements that are a line each, where a style sheet and no line end sets them apart; none where there are any
    others beside them.

    They are the children of the `pre`, or of the innermost element that all of its text stands in, and say so.
    """
    first, last = page.first[row], page.last[row]
    inner = np.arange(row, page.end[row])
    around = int(inner[(page.first[inner] == first) & (page.last[inner] == last)][-1])
    rows = np.arange(around + 1, page.end[around])
    rows = rows[page.parent[rows] == around]
    if np.sum(page.last[rows] - page.first[rows]) != last - first or not _all_lines(page, rows.tolist()):
        return []
    lines: list[int] = rows.tolist()
    return lines


def _all_lines(page: Page, rows: list[int]) -> bool:
    """Whether there are several, and each of them says that it is a line."""
    return len(rows) > 1 and all(
        _LINE_CLASS.search(names.get("class", ""))
        or _LINE_STYLE.search(names.get("style", ""))
        or any(name in names for name in _LINE_NAMES)
        for names in map(page.attributes, rows)
    )


def _joined(page: Page, keep: Bools, row: int) -> str:
    """The kept texts of an element, and white space between."""
    numbered = gutter(page)
    texts = np.arange(page.first[row], page.last[row])
    if numbered is not None:
        texts = texts[~numbered[texts]]
    pieces = zip(keep[texts].tolist(), page.cut(texts), strict=True)
    return "".join(piece for wanted, piece in pieces if wanted or not piece.strip())


def trimmed(value: str) -> str:
    """Clean lines without trailing blanks, without blank lines at either end, and without numbers on lines between."""
    value = clean_preformatted(value).strip("\n")
    if " \n" in value or "\t\n" in value or value.endswith((" ", "\t")):
        value = "\n".join([row.rstrip() for row in value.split("\n")])
    if value[:_MAX_NUMBER_CHARS].partition("\n")[0].strip().isdecimal():
        rows = value.split("\n")
        numbers = rows[0::2]
        if len(numbers) >= _MIN_NUMBERED_LINES and len(numbers[0]) < _MAX_NUMBER_CHARS:
            first = int(numbers[0])
            if all(row.strip() == str(first + place) for place, row in enumerate(numbers)):
                return "\n".join(rows[1::2]).strip("\n")
    return value.strip("\n")

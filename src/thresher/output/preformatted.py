"""Preformatted text and program listings: their lines, their language, and line numbers that are not part of them."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from thresher.columns import chars
from thresher.data.tags import NUMBER, group
from thresher.output.characters import lines
from thresher.output.classes import prefixes, starting_with
from thresher.output.containers import names, nearest
from thresher.page import Page, memoised, unescape

__all__ = ["code_table", "gutter", "language", "listing"]

_BR, _CODE, _TABLE, _BUTTON = (NUMBER[name] for name in ("br", "code", "table", "button"))
_PRE = group(("pre", "listing"))
_CODE_HOLDERS = frozenset(("pre", "listing", "code", "tt"))
_CELL = group(("td", "th"))

# Class names that highlighters give the column or the spans of line numbers: Pygments, Rouge, Chroma, hexo,
# highlightjs-line-numbers, SyntaxHighlighter, GitHub, Crayon, WordPress.
_GUTTER = frozenset(
    """
    lineno linenos linenodiv linenumber linenumbers line-number line-numbers line_number line_numbers gutter
    rouge-gutter lnt ln hljs-ln-numbers hljs-ln-n blob-num crayon-nums crayon-num code-line-number
    """.split()
)
_GUTTER_STARTS = prefixes("line", "ln", "gutter", "rouge-gutter", "hljs-ln", "blob-num", "crayon-num", "code-line-num")
_FEWEST_NUMBERS = 3  # that count up on every other line
_CODE_CELLS = frozenset("code blob-code blob-code-inner hljs-ln-code rouge-code lntd crayon-code".split())
_NUMBERS = re.compile(rb"[\d\s\0.:|]*")
_TAGS = re.compile(rb"<!--.*?-->|<[^>]*>", re.DOTALL)

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language|lang|highlight(?:-source|-text)?|brush|source|sourcecode|src)[-:]\s*([\w+#.-]+)",
    re.IGNORECASE,
)
_LANGUAGE_NAMES = ("data-lang", "data-language", "data-code-lang", "data-enlighter-language")
_PLAIN_NAME = re.compile(r"[a-z][\w+#-]{0,19}", re.IGNORECASE)
# Class names beside which a bare word names the language: `hljs python`, `highlight js`, `sourceCode haskell`.
_HIGHLIGHTERS = frozenset("hljs highlight sourcecode prettyprint codehilite".split())
_NOT_A_LANGUAGE = _HIGHLIGHTERS | _GUTTER | frozenset(
    """
    code source block wrapper linenums line lines copy copyable nohighlight no-highlight notranslate plain plaintext
    text none auto default numbersource numberlines
    """.split()
)  # fmt: skip


@memoised
def gutter(page: Page) -> NDArray[np.bool_] | None:
    """Which texts are line numbers beside a listing, or on a button in it ("Copy"); None if there are none, as on most
    pages.

    A line number is an element whose class says so and whose text is digits.
    """
    if _CODE_HOLDERS.isdisjoint(names(page)):
        return None
    mask = np.zeros(len(page.start), bool)
    for row, tokens in starting_with(page, _GUTTER_STARTS):
        first, last = int(page.first[row]), int(page.last[row])
        if (
            first < last
            and not _GUTTER.isdisjoint(tokens)
            and _NUMBERS.fullmatch(page.utf8, int(page.start[first]), int(page.stop[last - 1]))
        ):
            mask[first:last] = True
    buttons = np.flatnonzero(page.tag == _BUTTON)
    for row in buttons[nearest(page, np.flatnonzero(_PRE[page.tag]), buttons) >= 0].tolist():
        mask[page.first[row] : page.last[row]] = True
    return mask if mask.any() else None


def listing(page: Page, keep: NDArray[np.bool_], row: int) -> str:
    """The kept lines of a `pre`: `br` and block elements end lines, line numbers and blank ends are left out."""
    first, last = int(page.first[row]), int(page.last[row])
    if first == last:
        return ""
    numbered = gutter(page)
    wanted = keep[first:last] if numbered is None else keep[first:last] & ~numbered[first:last]
    breaks = (page.tag[row : page.end[row]] == _BR).nonzero()[0] + row
    one_block = page.block[first] == page.block[last - 1] and not len(breaks)
    if one_block and not chars(page)[first:last][~wanted].any():  # all of it, as it stands; the texts end with NULs
        return _trimmed(page.utf8[page.start[first] : page.stop[last - 1]].replace(b"\0", b"").decode())
    pieces = page.cut(np.arange(first, last))
    # White space between kept texts belongs to them, even where a verdict on words passed it over.
    blank = np.array([not piece.strip() for piece in pieces], bool)
    if numbered is not None:
        blank &= ~numbered[first:last]
    taken = np.flatnonzero(wanted | blank).tolist()
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
    return _trimmed("".join(result))


def _trimmed(value: str) -> str:
    """Clean lines without trailing blanks, without blank lines at either end, and without numbers on lines between."""
    rows = [row.rstrip() for row in lines(value).strip("\n").split("\n")]
    numbers = rows[0::2]
    if len(numbers) >= _FEWEST_NUMBERS and len(numbers[0]) < 8 and numbers[0].strip().isdecimal():
        first = int(numbers[0])
        if all(row.strip() == str(first + place) for place, row in enumerate(numbers)):
            rows = rows[1::2]
    return "\n".join(rows).strip("\n")


def code_table(page: Page, keep: NDArray[np.bool_], table: int) -> tuple[str, int] | None:
    """The listing in a table that puts line numbers beside code, and the element that holds it; None when the table
    is something else.

    Such a table has cells of line numbers and cells of code.  Code outside of `pre` is read from the markup, where
    its white space is.
    """
    if not _numbers_lines(page):
        return None
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
        if not _GUTTER.isdisjoint(tokens) or "data-line-number" in names or _only_numbers(page, cell):
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
    return (code, holder) if numbers and code else None


@memoised
def _numbers_lines(page: Page) -> bool:
    """Whether the page numbers the lines of any listing; asked for each of its tables."""
    return gutter(page) is not None or b"data-line-number" in page.markup


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
    return _trimmed(unescape(_TAGS.sub(b"", inside).decode()))


def language(page: Page, row: int) -> str:
    """The language of a listing, from the `pre`, the first `code` in it, or the two elements around; "" if unsaid."""
    around = [row]
    inside = (page.tag[row + 1 : page.end[row]] == _CODE).nonzero()[0]
    if len(inside):
        around.insert(0, row + 1 + int(inside[0]))
    for ancestor in page.ancestors(row):
        around.append(ancestor)
        if len(around) > 3:
            break
    for place, element in enumerate(around):
        found = _named(page.attributes(element), own=element == row or place == 0)
        if found:
            return found
    return ""


def _named(names: dict[str, str], own: bool) -> str:
    for attribute in (*_LANGUAGE_NAMES, *(("lang",) if own else ())):
        value = names.get(attribute, "").strip().lower()
        if _PLAIN_NAME.fullmatch(value) and value not in _NOT_A_LANGUAGE:
            return value
    classes = names.get("class", "")
    match = _LANGUAGE.search(classes)
    if match and match[1].lower() not in _NOT_A_LANGUAGE:
        return match[1].lower()[:30]
    tokens = classes.lower().split()
    if not _HIGHLIGHTERS.isdisjoint(tokens):
        for token in tokens:
            if token not in _NOT_A_LANGUAGE and _PLAIN_NAME.fullmatch(token) and "-" not in token:
                return token
    return ""

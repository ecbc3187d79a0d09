"""Programs of which each line is an element, outside of `pre`: in editors (CodeMirror, Monaco, Ace) and highlighters.

    <div class="cm-editor">…<div class="cm-line">for x in y:</div><div class="cm-line">    print(x)</div>…
    <div class="highlight"><div class="line"><span class="ln">1</span>for x in y:</div>…

They are printed whole or not at all: of lines that a verdict kept and dropped by their length, nobody has any use.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from thresher.data.tags import NUMBER, group
from thresher.output.containers import closing_tag_start
from thresher.output.preformatted import GUTTER, trimmed
from thresher.page import Page, attributes, memoised, unescape
from thresher.page.columns import has
from thresher.page.parts import Parts, with_part
from thresher.page.types import Bools
from thresher.text.patterns import compile_later

__all__ = ["CodeLines", "find_code_lines", "joined_lines"]

_LINE_PART = Parts(b"line")
_HOLDER_PARTS = Parts(b"cm-editor", b"codemirror", b"monaco-editor", b"ace_editor", b"highlight", b"code", b"hljs")
_EDITORS = frozenset("cm-editor codemirror monaco-editor ace_editor".split())
_HOLDERS = frozenset("highlight highlighter code code-block codeblock code_block codehilite hljs sourcecode".split())
_IS_CODE, _IS_PRE, _IS_BLOCK = group(("code",)), group(("pre", "listing")), group(("div", "pre", "p", "li"))
_MAX_LEVELS = 10  # between an editor and its lines
_TAG = compile_later(rb"<!--.*?-->|<[^>]*>", re.DOTALL)
_BUTTON = NUMBER["button"]


class CodeLines(NamedTuple):
    """The lines of a program, and the element around them that may name its language."""

    lines: list[int]
    holder: int


class _Holders(NamedTuple):
    """Elements that are called editors, and those that are called code."""

    editors: frozenset[int]
    listings: frozenset[int]


@memoised
def find_code_lines(page: Page) -> dict[int, CodeLines]:
    """The elements that hold such programs, in document order."""
    likely = with_part(page, "class", _LINE_PART)
    holders = _holders(page) if likely else None
    if holders is None:
        return {}
    values = attributes.numbered(page, "class")
    named = [number for number in likely if _is_line(page.markup[values.start[number] : values.stop[number]])]
    found: dict[int, CodeLines] = {}
    for row in attributes.rows_of(values, named).tolist():
        holder = _holder(page, row, holders)
        if holder >= 0:
            found.setdefault(holder, CodeLines([], int(page.parent[row]))).lines.append(row)
    return {row: code for row, code in found.items() if len(code.lines) > 1}


def joined_lines(page: Page, keep: Bools, code: CodeLines) -> str:
    """The program, without line numbers; nothing where less than half of its lines were kept."""
    filled = [row for row in code.lines if page.first[row] < page.last[row]]
    kept = sum(bool(keep[page.first[row] : page.last[row]].any()) for row in filled)
    return trimmed("\n".join(_line(page, row) for row in code.lines)) if 2 * kept >= len(filled) else ""


def _is_line(classes: bytes) -> bool:
    """Whether a class is `line`, or ends with it as a word of its own: `cm-line`."""
    padded = b" ".join((b"", *classes.lower().split(), b""))
    return b" line " in padded or b"-line " in padded or b"_line " in padded


def _tokens(page: Page, row: int) -> frozenset[str]:
    return frozenset((page.attribute(row, "class") or "").lower().split())


def _holders(page: Page) -> _Holders | None:
    """What may hold lines of code by its name; None if nothing does, and no element is code by its tag."""
    values = attributes.numbered(page, "class")
    editors: list[int] = []
    listings: list[int] = []
    for number in with_part(page, "class", _HOLDER_PARTS):
        tokens = attributes.value_of(page, values, number).decode().lower().split()
        if not _EDITORS.isdisjoint(tokens):
            editors.append(number)
        if not _HOLDERS.isdisjoint(tokens):
            listings.append(number)
    if not (editors or listings or has(page, "code")):
        return None
    return _Holders(*(frozenset(attributes.rows_of(values, numbers).tolist()) for numbers in (editors, listings)))


def _holder(page: Page, row: int, holders: _Holders) -> int:
    """The editor around a line, or the element of code that it is a block in; -1 if there is none.  A `pre` has its own
    ways."""
    holder = -1
    around = list(islice(page.ancestors(row), 2))
    if _IS_BLOCK[page.tag[row]]:
        for above in around:
            if _IS_CODE[page.tag[above]] or above in holders.listings:
                holder = above
    if holder < 0 and not holders.editors:
        return -1
    for above in islice(page.ancestors(row), _MAX_LEVELS):
        if above in holders.editors:
            return above
        if _IS_PRE[page.tag[above]]:
            return -1
    return holder


def _line(page: Page, row: int) -> str:
    """The text of a line with its white space, which is in the markup, but for its number."""
    pieces: list[bytes] = []
    done = int(page.tag_stop[row])
    for inner in range(row + 1, int(page.end[row])):
        start = int(page.tag_start[inner])
        if start >= done and (page.tag[inner] == _BUTTON or not GUTTER.isdisjoint(_tokens(page, inner))):
            pieces.append(page.markup[done:start])
            done = closing_tag_start(page, inner)
    pieces.append(page.markup[done : closing_tag_start(page, row)])
    return unescape(_TAG.sub(b"", b"".join(pieces)).decode()).replace("\n", " ").rstrip()

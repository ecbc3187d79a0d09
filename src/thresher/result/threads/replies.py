"""Which post a post replies to, where the page tells: it stands inside of it, names it, is indented under it, quotes
it, or answers the question."""

from __future__ import annotations

import re
from itertools import islice

from thresher.data.tags import group
from thresher.page import Page, attributes

__all__ = ["parents"]

_NUMBERS = re.compile(r"\d+")
_PARENT_ATTRIBUTES = (
    "data-parent data-parent-id data-parentid data-parent-comment-id data-parent-post-id data-reply-to data-in-reply-to"
    " data-reply-to-id data-replyto"
).split()
_DEPTH_ATTRIBUTES = ("data-depth", "data-level", "data-indent", "indent", "aria-level")
_QUOTES = group(("blockquote", "cite", "aside"))
_REFERENCE_ATTRIBUTES = ("href", "cite", "data-post-id", "data-source", "data-post", "data-quote")
_MAX_QUOTE_ELEMENTS = 40  # looked at in a quote
_MAX_ROWS_TO_DEPTH = 8  # elements of a post among which its depth is looked for
_MAX_STEPS_TO_TYPE = 2  # elements around a post that may say what it is


def parents(page: Page, rows: list[int]) -> list[int | None]:
    """For each post the position of the one it replies to; None where the page does not tell."""
    nested = _around(page, rows)
    known = [_own_numbers(page, row) for row in rows]
    owner: dict[str, int] = {}
    for position, numbers in enumerate(known):
        for number in numbers:
            owner.setdefault(number, position)
    indented = _indented_under(_depths(page, rows))
    question = next((position for position, row in enumerate(rows) if _is(page, row, "question")), None)
    parents_of_posts: list[int | None] = []
    for position, row in enumerate(rows):
        parent = nested[position]
        if parent is None:
            parent = next((owner[n] for n in _named(page, row) if owner.get(n, position) != position), None)
        if parent is None:
            parent = indented[position]
        if parent is None:
            quoted = [owner[n] for n in _quoted(page, row, rows, position) if owner.get(n, position) < position]
            parent = quoted[0] if quoted else None
        if parent is None and question is not None and question < position and _is(page, row, "answer"):
            parent = question
        parents_of_posts.append(parent)
    return parents_of_posts


def _around(page: Page, rows: list[int]) -> list[int | None]:
    """The nearest post around each."""
    around: list[int | None] = []
    open_: list[int] = []
    for position, row in enumerate(rows):
        while open_ and page.end[rows[open_[-1]]] <= row:
            open_.pop()
        around.append(open_[-1] if open_ else None)
        open_.append(position)
    return around


def _own_numbers(page: Page, row: int) -> set[str]:
    """The numbers that a post goes by: in its id and in attributes that hold one."""
    own = page.attributes(row)
    told = [value for name, value in own.items() if name in ("id", "name") or name.startswith("data-")]
    told = [value for value in told if len(value) <= 40 and value not in _parent_values(own)]
    return {number for value in told for number in _NUMBERS.findall(value)[-1:]}


def _parent_values(own: dict[str, str]) -> list[str]:
    return [own[name] for name in (*_PARENT_ATTRIBUTES, *_DEPTH_ATTRIBUTES) if name in own]


def _named(page: Page, row: int) -> list[str]:
    own = page.attributes(row)
    return [number for name in _PARENT_ATTRIBUTES for number in _NUMBERS.findall(own.get(name, ""))[-1:]]


def _indented_under(depths: list[int]) -> list[int | None]:
    """For each post the last one before it that is less deep; none for those that are not indented."""
    above: list[int | None] = []
    open_: list[int] = []
    for position, depth in enumerate(depths):
        while open_ and depths[open_[-1]] >= depth:
            open_.pop()
        above.append(open_[-1] if open_ and depth else None)
        open_.append(position)
    return above


def _depths(page: Page, rows: list[int]) -> list[int]:
    """How deep each post is indented, where an attribute tells."""
    told: dict[int, int] = {}
    for name in _DEPTH_ATTRIBUTES:
        for row, value in attributes.values(page, name).items():
            if value.strip().isdecimal() and len(value) < 5:
                told.setdefault(row, int(value))
    ends = [min(int(page.end[row]), row + _MAX_ROWS_TO_DEPTH) for row in rows]
    return [next((told[r] for r in range(row, end) if r in told), 0) for row, end in zip(rows, ends, strict=True)]


def _quoted(page: Page, row: int, rows: list[int], position: int) -> list[str]:
    """The numbers in references of quotes in a post."""
    end = int(page.end[row])
    if position + 1 < len(rows):
        end = min(end, rows[position + 1])
    numbers = []
    quotes = (_QUOTES[page.tag[row:end]].nonzero()[0] + row).tolist()
    for quote in quotes[:3]:
        for inner in range(quote, min(int(page.end[quote]), quote + _MAX_QUOTE_ELEMENTS)):
            own = page.attributes(inner)
            for name in _REFERENCE_ATTRIBUTES:
                numbers += _NUMBERS.findall(own.get(name, ""))[-1:]
    return numbers


def _is(page: Page, row: int, kind: str) -> bool:
    """Whether a post or what is right around it is called a question or an answer."""
    for element in (row, *islice(page.ancestors(row), _MAX_STEPS_TO_TYPE)):
        own = page.attributes(element)
        if own.get("itemtype", "").rstrip("/").lower().endswith("/" + kind):
            return True
        if kind in own.get("class", "").lower().split() or own.get("id", "").lower() == kind:
            return True
    return False

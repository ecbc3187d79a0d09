"""The author as a reader sees it: near the heading, in elements that say so, behind "By", before "Staff Writer".

Asked only when the head and the items of a page are silent.  Close to the heading the first candidate counts, behind it
before in front of it; elsewhere only one that no other contradicts.
"""

from __future__ import annotations

import re
from itertools import zip_longest

import numpy as np

from thresher.data.tags import NUMBER
from thresher.metadata.naming import AUTHOR_WORDS, LONGEST, Named, Names
from thresher.metadata.surroundings import Block, Place, shown
from thresher.page import attributes
from thresher.text.dates import Reading, find_dates
from thresher.text.names import continues_names, distinct_names, is_person, is_role, parse_names, text_after_by
from thresher.text.plain import plain

__all__ = ["author"]

_LONGEST_LABEL = 15  # "Published on:"
_MOST_AWAY = 60  # elements away from the heading
_A = NUMBER["a"]

_SURE_AUTHOR_WORDS = frozenset("author authors byline bylines".split())
_FORUM_WORDS = frozenset("username poster user post message topic thread".split())
_BESIDE = 2  # texts between co-authors: "and", ","
_MANY = 2  # other bylines that make a page a list
_NOT_AUTHOR = frozenset("bio description image avatar img photo social links follow title job role date time".split())
# Where the pages of those who write are, on sites of many languages.
_AUTHOR_ADDRESS = re.compile(
    rb"/(?:authors?|autor(?:e[ns]?|as?|i)?|auteurs?|autore|autori|redakteure?|forfatter|skribent|yazar(?:lar)?|penulis|writers?"
    rb"|bylines?|columnists?|contributors?|journalists?|reporters?|avtor[yi]?)/[^/?#\"]",
    re.IGNORECASE,
)

_BAR = re.compile(r"\s*[|•·]\s*")


def author(where: Place, names: Names, near: list[Block], reading: Reading) -> tuple[str, list[str]] | None:
    """The names in the byline, and what gave it away.  `near` are the blocks around the heading."""
    rows = _author_rows(names.near, AUTHOR_WORDS)
    behind = [row for row in rows if row > where.heading and where.near(row)]
    before = [row for row in rows if row <= where.heading and where.near(row)][::-1]
    byline = (
        _first_byline(where, rows, behind, reading)
        or _first_byline(where, rows, before, reading)
        or _introduced(where, near, reading)
        or _before_role(where, near, reading)
        or _linked(where, reading)
    )
    if byline:
        return "page: byline", byline
    rows = _author_rows(names.anywhere, _SURE_AUTHOR_WORDS)
    away = list(rows)[:_MOST_AWAY]
    linked = [row for row in away if "author" in (where.page.attribute(row, "rel") or "").lower().split()]
    boxes = [row for row in away if where.far(row) and not where.in_teaser(row)]
    for source, candidates in (("page: rel=author", linked), ("page: author box", boxes)):
        found = [named_there for row in candidates if (named_there := _names_in(where, row, rows[row], reading))]
        if found and all(named_there == found[0] for named_there in found):
            return source, found[0]
    return None


def _author_rows(rows: Named, wanted: frozenset[str]) -> Named:
    return {row: words for row, words in rows.items() if words & wanted and not words & _NOT_AUTHOR}


def _first_byline(where: Place, rows: Named, candidates: list[int], reading: Reading) -> list[str]:
    """The names in the first element that has any, and in those right beside it: co-authors have one each.

    Where several others follow further on, the page is a list of articles; in a forum they are who answered.
    """
    page = where.page
    result: list[str] = []
    others = set()
    last = 0  # the text behind the byline
    for row in candidates:
        names = _names_in(where, row, rows[row], reading)
        if not names:
            continue
        if not result or (last <= page.first[row] <= last + _BESIDE and "username" not in rows[row]):
            result += names
            last = int(page.last[row])
        elif page.first[row] >= last and not rows[row] & _FORUM_WORDS:
            others.add(tuple(names))
    others.discard(tuple(result))
    return distinct_names(result) if len(others) < _MANY else []


def _names_in(where: Place, row: int, words: set[str], reading: Reading) -> list[str]:
    """The names in an author element: behind a label like "Written by", else in its first block that has any.

    Without such a label only what is written like a person's name counts; a single word must be a link, or a forum's
    user name.
    """
    parts = shown(where, row, LONGEST)
    for part, following in zip_longest(parts, parts[1:], fillvalue=""):
        rest = text_after_by(part)
        names = parse_names(following if rest == "" else rest, reading) if rest is not None else []
        if names:
            return distinct_names(names)
    page = where.page
    user = not words.isdisjoint(_FORUM_WORDS)
    linked = page.tag[page.parent[row]] == _A or (page.tag[row : page.end[row]] == _A).any()
    for part in parts:
        names = [name for name in parse_names(part, reading) if user or is_person(name) or (linked and " " not in name)]
        if names:
            return distinct_names(names)
    return []


def _introduced(where: Place, near: list[Block], reading: Reading) -> list[str]:
    """Names in a block that opens with "By" or its like, or follows one that says just that."""
    label = False
    for block in near:
        if len(block.string) > LONGEST:
            label = False
            continue
        own = _own_text(where, block, reading)
        if own and where.near(block.row):
            return own
        rest = text_after_by(block.string)
        if rest is None:
            rest = text_after_by(_without_date(block.string, reading))
        if rest is None:
            parts = _BAR.split(block.string)[1:]
            rest = next((named_there for part in parts if (named_there := text_after_by(part))), None)
        if label or (rest and not rest[:1].islower()):
            names = parse_names(rest or block.string, reading)
            if names and where.near(block.row):
                return distinct_names(names)
        label = rest == ""
    return []


def _own_text(where: Place, block: Block, reading: Reading) -> list[str]:
    """Names that a text introduces by itself, where what stands beside it in another element is no further name: in
    <span>By Jane Doe</span><span>Rural affairs correspondent</span> nothing else says where the name ends."""
    text = plain(where.page.cut(np.array([block.text]))[0], LONGEST)
    beside = block.string[len(text) :].lstrip()
    rest = text_after_by(text) if beside[:1].isalnum() and not continues_names(beside) else None
    names = parse_names(rest, reading) if rest and not rest[:1].islower() else []
    return distinct_names(names) if names and all(map(is_person, names)) else []


def _linked(where: Place, reading: Reading) -> list[str]:
    """Names in the first link near the heading that leads to an author's page, and in those right beside it."""
    found = attributes.find(where.page, "href")
    low, high = np.searchsorted(found.row, (where.first, where.last)).tolist()
    markup = where.page.markup
    spans = zip(
        found.row[low:high].tolist(), found.start[low:high].tolist(), found.stop[low:high].tolist(), strict=True
    )
    rows: Named = {row: set() for row, start, stop in spans if _AUTHOR_ADDRESS.search(markup, start, stop)}
    behind = [row for row in rows if row > where.heading and where.near(row) and not where.in_linked_item(row)]
    return _first_byline(where, rows, behind, reading)


def _before_role(where: Place, near: list[Block], reading: Reading) -> list[str]:
    """A name with what its owner is behind it: "Jane Doe, Staff Writer", or in the next block."""
    for block, following in zip_longest(near, near[1:]):
        name, comma, role = (part.strip() for part in block.string[:LONGEST].partition(","))
        beside = is_role(role) if comma else following is not None and is_role(following.string)
        if beside and is_person(name) and where.near(block.row):
            names = parse_names(name, reading)
            if names:
                return distinct_names(names)
    return []


def _without_date(text: str, reading: Reading) -> str:
    """What follows the date a byline opens with: "by Jane Doe" of "Published March 5, 2024 by Jane Doe"."""
    found = find_dates(text, reading)
    return text[found[0].stop :] if found and found[0].start <= _LONGEST_LABEL else text

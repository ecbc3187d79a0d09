"""The author as a reader sees it: near the heading, in elements that say so, behind "By", before "Staff Writer".

Asked only when the head and the items of a page are silent.  Close to the heading the first candidate counts, behind it
before in front of it; elsewhere only one that no other contradicts.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from thresher.data.tags import NUMBER
from thresher.metadata.byline_area import BylineArea
from thresher.metadata.byline_elements import AUTHOR_WORDS, MAX_BYLINE_LENGTH, BylineElements, Named
from thresher.metadata.text_blocks import TextBlock, visible_blocks
from thresher.page import attributes
from thresher.text.dates import Reading, find_dates
from thresher.text.names import continues_names, distinct_names, is_person, is_role, parse_names, text_after_by
from thresher.text.plain import plain

__all__ = ["author"]

_MAX_LABEL_LENGTH = 15  # "Published on:"
_MAX_FAR_ELEMENTS = 60  # away from the heading
_A = NUMBER["a"]

_SURE_AUTHOR_WORDS = frozenset("author authors byline bylines".split())
_FORUM_WORDS = frozenset("username poster user post message topic thread".split())
_MAX_TEXTS_BETWEEN_AUTHORS = 2  # "and", ","
_MIN_OTHER_BYLINES = 2  # that make a page a list of articles
_NOT_AUTHOR = frozenset("bio description image avatar img photo social links follow title job role date time".split())
# Where the pages of those who write are, on sites of many languages.
_AUTHOR_ADDRESS = re.compile(
    rb"/(?:authors?|autor(?:e[ns]?|as?|i)?|auteurs?|autore|autori|redakteure?|forfatter|skribent|yazar(?:lar)?|penulis|writers?"
    rb"|bylines?|columnists?|contributors?|journalists?|reporters?|avtor[yi]?)/[^/?#\"]",
    re.IGNORECASE,
)

_BAR, _BARS = re.compile(r"\s*[|•·]\s*"), tuple("|•·")


def author(
    area: BylineArea, elements: BylineElements, near: list[TextBlock], reading: Reading
) -> tuple[str, list[str]] | None:
    """The source of the byline, and the names in it.  `near` are the blocks around the heading."""
    rows = _author_rows(elements.near, AUTHOR_WORDS)
    behind = [row for row in rows if row > area.heading and area.near(row)]
    before = [row for row in rows if row <= area.heading and area.near(row)][::-1]
    byline = (
        _first_byline(area, rows, behind, reading)
        or _first_byline(area, rows, before, reading)
        or _after_by(area, near, reading)
        or _before_role(area, near, reading)
        or _linked(area, reading)
    )
    if byline:
        return "page: byline", byline
    rows = _author_rows(elements.anywhere, _SURE_AUTHOR_WORDS)
    away = list(rows)[:_MAX_FAR_ELEMENTS]
    linked = [row for row in away if "author" in (area.page.attribute(row, "rel") or "").lower().split()]
    boxes = [row for row in away if area.far(row) and not area.in_teaser(row)]
    for source, candidates in (("page: rel=author", linked), ("page: author box", boxes)):
        lists = [names for row in candidates if (names := _names_in(area, row, rows[row], reading))]
        if lists and all(names == lists[0] for names in lists):
            return source, lists[0]
    return None


def _author_rows(rows: Named, wanted: frozenset[str]) -> Named:
    return {row: words for row, words in rows.items() if words & wanted and not words & _NOT_AUTHOR}


def _first_byline(area: BylineArea, rows: Named, candidates: list[int], reading: Reading) -> list[str]:
    """The names in the first element that has any, and in those right beside it: co-authors have one each.

    Where several others follow further on, the page is a list of articles; in a forum they are who answered.
    """
    page = area.page
    result: list[str] = []
    others = set()
    last = 0  # the text behind the byline
    for row in candidates:
        names = _names_in(area, row, rows[row], reading)
        if not names:
            continue
        if not result or (last <= page.first[row] <= last + _MAX_TEXTS_BETWEEN_AUTHORS and "username" not in rows[row]):
            result += names
            last = int(page.last[row])
        elif page.first[row] >= last and not rows[row] & _FORUM_WORDS:
            others.add(tuple(names))
    others.discard(tuple(result))
    return distinct_names(result) if len(others) < _MIN_OTHER_BYLINES else []


def _names_in(area: BylineArea, row: int, words: set[str], reading: Reading) -> list[str]:
    """The names in an author element: behind a label like "Written by", else in its first block that has any.

    Without such a label only what is written like a person's name counts; a single word must be a link, or a forum's
    user name.
    """
    parts = visible_blocks(area, row, MAX_BYLINE_LENGTH)
    for part, following in zip_longest(parts, parts[1:], fillvalue=""):
        rest = text_after_by(part)
        names = parse_names(following if rest == "" else rest, reading) if rest is not None else []
        if names:
            return distinct_names(names)
    page = area.page
    user = not words.isdisjoint(_FORUM_WORDS)
    linked = page.tag[page.parent[row]] == _A or (page.tag[row : page.end[row]] == _A).any()
    for part in parts:
        names = [name for name in parse_names(part, reading) if user or is_person(name) or (linked and " " not in name)]
        if names:
            return distinct_names(names)
    return []


def _after_by(area: BylineArea, near: list[TextBlock], reading: Reading) -> list[str]:
    """Names in a block that opens with "By" or its like, or follows one that says just that."""
    label = False
    for block in near:
        if len(block.string) > MAX_BYLINE_LENGTH:
            label = False
            continue
        own = _own_text(area, block, reading)
        if own and area.near(block.row):
            return own
        rest = text_after_by(block.string)
        if rest is None and (undated := _without_date(block.string, reading)) != block.string:
            rest = text_after_by(undated)
        if rest is None and any(bar in block.string for bar in _BARS):
            parts = _BAR.split(block.string)[1:]
            rest = next((text for part in parts if (text := text_after_by(part))), None)
        if label or (rest and not rest[:1].islower()):
            names = parse_names(rest or block.string, reading)
            if names and area.near(block.row):
                return distinct_names(names)
        label = rest == ""
    return []


def _own_text(area: BylineArea, block: TextBlock, reading: Reading) -> list[str]:
    """Names that a text introduces by itself, where what stands beside it in another element is no further name: in
    <span>By Jane Doe</span><span>Rural affairs correspondent</span> nothing else says where the name ends."""
    page, following = area.page, block.text + 1
    if following == len(page.block) or page.block[following] != page.block[block.text]:
        return []
    text = plain(page.cut(slice(block.text, following))[0], MAX_BYLINE_LENGTH)
    beside = block.string[len(text) :].lstrip()
    rest = text_after_by(text) if beside[:1].isalnum() and not continues_names(beside) else None
    names = parse_names(rest, reading) if rest and not rest[:1].islower() else []
    return distinct_names(names) if names and all(map(is_person, names)) else []


def _linked(area: BylineArea, reading: Reading) -> list[str]:
    """Names in the first link near the heading that leads to an author's page, and in those right beside it."""
    row, start, stop = attributes.columns(area.page, "href")
    low, high = row.searchsorted((area.first, area.last)).tolist()
    markup = area.page.markup
    spans = zip(row[low:high].tolist(), start[low:high].tolist(), stop[low:high].tolist(), strict=True)
    rows: Named = {row: set() for row, start, stop in spans if _AUTHOR_ADDRESS.search(markup, start, stop)}
    behind = [row for row in rows if row > area.heading and area.near(row) and not area.in_linked_item(row)]
    return _first_byline(area, rows, behind, reading)


def _before_role(area: BylineArea, near: list[TextBlock], reading: Reading) -> list[str]:
    """A name with what its owner is behind it: "Jane Doe, Staff Writer", or in the next block."""
    for block, following in zip_longest(near, near[1:]):
        name, comma, role = block.string[:MAX_BYLINE_LENGTH].partition(",")
        name, role = name.strip(), role.strip()
        if not is_person(name):
            continue
        beside = is_role(role) if comma else following is not None and is_role(following.string)
        if beside and area.near(block.row):
            names = parse_names(name, reading)
            if names:
                return distinct_names(names)
    return []


def _without_date(text: str, reading: Reading) -> str:
    """What follows the date a byline opens with: "by Jane Doe" of "Published March 5, 2024 by Jane Doe"."""
    dates = find_dates(text, reading)
    return text[dates[0].stop :] if dates and dates[0].start <= _MAX_LABEL_LENGTH else text

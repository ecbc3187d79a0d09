"""Author and dates as a reader sees them: near the heading, in elements that say so, behind "By" or "Published".

Asked only when the head and the items of a page are silent.  Close to the heading the first candidate counts, behind it
before in front of it; elsewhere only one that no other contradicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, cached_property
from itertools import zip_longest
from typing import Literal, NamedTuple

import numpy as np

from thresher.data.tags import NUMBER
from thresher.metadata.dates import Found, Moment, Reading, in_text, stated
from thresher.metadata.names import distinct, introduced, is_person, people
from thresher.metadata.surroundings import Block, Place, named, shown, text_before
from thresher.metadata.wording import alternatives

__all__ = ["Names", "author", "dates"]

_LONGEST = 160  # characters of a byline
_SHARE = 0.4  # of a plain text near the heading must be the date, else the text is about something else
_LONGEST_LABEL = 15  # "Published on:"
_MOST_AWAY = 60  # elements away from the heading
_TIME, _A = NUMBER["time"], NUMBER["a"]

_AUTHOR_WORDS = frozenset(
    "author authors byline bylines writer writers username contributor contributors poster creator".split()
)
_SURE_AUTHOR_WORDS = frozenset("author authors byline bylines".split())
_FORUM_WORDS = frozenset("username poster user post message topic thread".split())
_BESIDE = 2  # texts between co-authors: "and", ","
_MANY = 2  # other bylines that make a page a list
_NOT_AUTHOR = frozenset("bio description image avatar img photo social links follow title job role date time".split())
_DATE_WORDS = frozenset(
    """date dates datetime dateline published publish pubdate postdate publishdate publication time timestamp timeago
    posted created""".split()
)
# For the whole page: "time", "posted" and "created" stand in too many tags.
_SURE_DATE_WORDS = frozenset("date published publish pubdate postdate publishdate publication".split())
# What all these words contain.
_PARTS = tuple(b"uthor yline riter sername ontributor poster creator ate ublish ime osted".split())
_DATE_ATTRIBUTES = ("datetime", "content", "title", "ts", "data-date", "data-datetime", "data-timestamp", "data-time")

_RANGE = re.compile(r"[–—-]\d{1,2}(?![\d:.h/-])")  # "April 29–30" are the days of an event
_BAR = re.compile(r"\s*[|•·]\s*")
_TIME_OF_DAY = re.compile(r"\d{1,2}\s?[:.h時点시]\s?[0-5]\d(?:[:分분]\d{0,2})?(?:\s*[ap]\.?m\b\.?)?", re.IGNORECASE)
_LETTER = re.compile(r"\w")
_MARK = re.compile(r"\s*[•·|⋅»/–—-]\s*")

Named = dict[int, set[str]]  # row -> the words of its class
Kind = Literal["published", "modified", "other", ""]
_KINDS: tuple[Kind, ...] = ("published", "modified", "other")


class Names:
    """The elements that name an author or a date in their class, with the words of it; found when asked for."""

    def __init__(self, where: Place) -> None:
        self.where = where

    @cached_property
    def near(self) -> Named:
        """Those close to the heading."""
        return named(self.where.page, _PARTS, _AUTHOR_WORDS | _DATE_WORDS, self.where.first, self.where.last)

    @cached_property
    def anywhere(self) -> Named:
        """Those of the whole page."""
        return named(self.where.page, _PARTS, _AUTHOR_WORDS | _DATE_WORDS)


# ---- authors -------------------------------------------------------------------------------------------------


def author(where: Place, names: Names, near: list[Block], reading: Reading) -> tuple[str, list[str]] | None:
    """The names in the byline, and what gave it away.  `near` are the blocks around the heading."""
    rows = _author_rows(names.near, _AUTHOR_WORDS)
    behind = [row for row in rows if row > where.heading and where.near(row)]
    before = [row for row in rows if row <= where.heading and where.near(row)][::-1]
    byline = (
        _first_byline(where, rows, behind, reading)
        or _first_byline(where, rows, before, reading)
        or _introduced(where, near, reading)
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
    return distinct(result) if len(others) < _MANY else []


def _names_in(where: Place, row: int, words: set[str], reading: Reading) -> list[str]:
    """The names in an author element: behind a label like "Written by", else in its first block that has any.

    Without such a label only what is written like a person's name counts; a single word must be a link, or a forum's
    user name.
    """
    parts = shown(where, row, _LONGEST)
    for part, following in zip_longest(parts, parts[1:], fillvalue=""):
        rest = introduced(part)
        names = people(following if rest == "" else rest, reading) if rest is not None else []
        if names:
            return distinct(names)
    page = where.page
    user = not words.isdisjoint(_FORUM_WORDS)
    linked = page.tag[page.parent[row]] == _A or (page.tag[row : page.end[row]] == _A).any()
    for part in parts:
        names = [name for name in people(part, reading) if user or is_person(name) or (linked and " " not in name)]
        if names:
            return distinct(names)
    return []


def _introduced(where: Place, near: list[Block], reading: Reading) -> list[str]:
    """Names in a block that opens with "By" or its like, or follows one that says just that."""
    label = False
    for block in near:
        if len(block.string) > _LONGEST:
            label = False
            continue
        rest = introduced(block.string)
        if rest is None:
            rest = introduced(_without_date(block.string, reading))
        if rest is None:
            parts = _BAR.split(block.string)[1:]
            rest = next((named_there for part in parts if (named_there := introduced(part))), None)
        if label or (rest and not rest[:1].islower()):
            names = people(rest or block.string, reading)
            if names and where.near(block.row):
                return distinct(names)
        label = rest == ""
    return []


def _without_date(text: str, reading: Reading) -> str:
    """What follows the date a byline opens with: "by Jane Doe" of "Published March 5, 2024 by Jane Doe"."""
    found = in_text(text, reading)
    return text[found[0].stop :] if found and found[0].start <= _LONGEST_LABEL else text


# ---- dates ---------------------------------------------------------------------------------------------------


class _Dated(NamedTuple):
    """A date on the page: its row, what it is of, and how it was found."""

    row: int
    kind: Kind
    moment: Moment
    source: str


def dates(where: Place, names: Names, near: list[Block], reading: Reading) -> dict[str, tuple[str, Moment]]:
    """The days the page shows, as "published" and "modified", each with what gave it away."""
    rows = _date_rows(where, names.near, _DATE_WORDS)
    found = [dated for row in rows if where.near(row) for dated in _dated_element(where, row, rows[row], reading)]
    elements = {dated.row for dated in found}
    found += [dated for dated in _dated_texts(where, near, reading) if dated.kind or dated.row not in elements]
    found.sort(key=lambda dated: dated.row)
    behind = [dated for dated in found if dated.row > where.heading]
    ordered = behind + [dated for dated in found if dated.row <= where.heading][::-1]
    result: dict[str, tuple[str, Moment]] = {}
    for dated in [d for d in ordered if d.kind] + [d for d in ordered if not d.kind]:
        if dated.kind != "other":
            result.setdefault(dated.kind or "published", (dated.source, dated.moment))
    if not result:
        rows = _date_rows(where, names.anywhere, _SURE_DATE_WORDS)
        away = [row for row in rows if where.far(row, aside=True)][:_MOST_AWAY]
        far = [dated for row in away for dated in _dated_element(where, row, rows[row], reading)]
        labelled = [dated for dated in far if dated.kind == "published"]
        far = labelled or [dated for dated in far if not dated.kind and where.far(dated.row)]
        far = [dated for dated in far if not where.in_teaser(dated.row)]
        if len({dated.moment.day for dated in far}) == 1:
            result["published"] = (far[0].source, far[0].moment)
    return result


def _date_rows(where: Place, rows: Named, wanted: frozenset[str]) -> Named:
    """The elements that name a date, and all <time> elements."""
    dated = {row: words for row, words in rows.items() if words & wanted}
    for row in np.flatnonzero(where.page.tag == _TIME).tolist():
        dated.setdefault(row, set())
    return dict(sorted(dated.items()))


def _dated_element(where: Place, row: int, words: set[str], reading: Reading) -> Iterator[_Dated]:
    """The date in an attribute of an element, else in its text."""
    page = where.page
    own = page.attributes(row)
    source = "page: time" if page.tag[row] == _TIME else "page: date"
    moment = next((m for name in _DATE_ATTRIBUTES if own.get(name) and (m := stated(own[name], reading))), None)
    label = ""
    if not moment:
        for text in shown(where, row, _LONGEST):
            for found in in_text(text, reading)[:1]:
                moment, label = found.moment, text[: found.start]
            if moment:
                break
    if moment:
        kind = _kind(label) or _kind(" ".join(sorted(words))) or _label(where, int(page.first[row]), reading)
        yield _Dated(row, kind, moment, source)


def _dated_texts(where: Place, near: list[Block], reading: Reading) -> Iterator[_Dated]:
    """Dates in short blocks near the heading that a word introduces, or that are about little else."""
    for block in near:
        text = block.string
        if len(text) > _LONGEST:
            continue
        found = in_text(text, reading)
        if not found or not where.near(block.row):
            continue
        about = _share(text, found) >= _SHARE or _is_byline(text[: found[0].start], reading)
        kind: Kind = ""
        stop = 0
        for one in found:
            kind = _kind(text[stop : one.start]) or ("" if stop else _label(where, block.text, reading))
            stop = one.stop
            if _RANGE.match(text, one.stop) or not (kind or about or _set_off(text, one.start, one.stop)):
                continue
            if kind or not (where.beside(block.row) or where.in_linked_item(block.row)):
                yield _Dated(block.row, kind, one.moment, "page: text")


def _share(text: str, found: list[Found]) -> float:
    """The part of a text that is dates and times of day: their characters / (those + letters and digits elsewhere)."""
    for one in reversed(found):
        text = f"{text[: one.start]} {text[one.stop :]}"
    dates = sum(one.stop - one.start for one in found) + sum(map(len, _TIME_OF_DAY.findall(text)))
    return dates / (dates + len(_LETTER.findall(_TIME_OF_DAY.sub(" ", text))))


def _is_byline(text: str, reading: Reading) -> bool:
    """Whether what stands before a date names who wrote: "By Jane Doe, 5 March 2024"."""
    rest = introduced(text)
    return bool(rest and not rest[:1].islower() and people(rest, reading))


def _label(where: Place, text: int, reading: Reading) -> Kind:
    """What the words before a text say of a date in it; another date among them has taken what stands before that."""
    before = text_before(where, text)
    dates = in_text(before, reading)
    return _kind(before[dates[-1].stop :] if dates else before)


def _set_off(text: str, start: int, stop: int) -> bool:
    """Whether a date stands alone in a line that marks divide: "Jane Doe • 5 March 2024"."""
    return bool(_MARK.match(text, stop) if start == 0 else _MARK.search(text, max(0, start - 3), start))


def _kind(before: str) -> Kind:
    """What the last telling word before a date says of it."""
    if _until().search(before):
        return "other"
    last: dict[Kind, int] = {kind: _last_end(kind, before) for kind in _KINDS}
    kind = max(last, key=lambda kind: last[kind])
    return kind if last[kind] >= 0 else ""


def _last_end(kind: Kind, text: str) -> int:
    """Where the last word of this kind ends; -1 without one."""
    return max((match.end() for match in _pattern(kind).finditer(text)), default=-1)


@cache
def _until() -> re.Pattern[str]:
    """What stands right before the day an offer ends or an event begins."""
    return re.compile(rf"{alternatives('until')}\s*:?\s*$", re.IGNORECASE)


@cache
def _pattern(kind: Kind) -> re.Pattern[str]:
    return re.compile(alternatives(kind), re.IGNORECASE)

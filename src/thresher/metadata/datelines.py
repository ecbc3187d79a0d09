"""Days as a reader sees them: near the heading, in elements that say so, behind "Published" or "Updated".

Asked only when the head and the items of a page are silent.  Close to the heading the first candidate counts, behind it
before in front of it; elsewhere only one that no other contradicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from thresher.data.tags import NUMBER
from thresher.metadata.byline_area import BylineArea
from thresher.metadata.byline_elements import DATE_WORDS, MAX_BYLINE_LENGTH, BylineElements, Named
from thresher.metadata.text_blocks import TextBlock, text_before, visible_blocks
from thresher.text.dates import DateInText, Moment, Reading, find_dates, parse_date
from thresher.text.names import parse_names, text_after_by
from thresher.text.patterns import compile_later
from thresher.text.phrases import alternatives

__all__ = ["dates", "is_dateline"]

_MIN_DATE_SHARE = 0.4  # of a plain text near the heading must be the date, else the text is about something else
_MAX_FAR_ELEMENTS = 60  # away from the heading
_TIME = NUMBER["time"]
# For the whole page: "time", "posted" and "created" stand in too many tags.
_SURE_DATE_WORDS = frozenset("date published publish pubdate postdate publishdate publication".split())
_DATE_ATTRIBUTES = ("datetime", "content", "title", "ts", "data-date", "data-datetime", "data-timestamp", "data-time")

_RANGE = compile_later(r"[–—-]\d{1,2}(?![\d:.h/-])")  # "April 29–30" are the days of an event
_SPAN = compile_later(r"\s*[–—-]\s*\d")
_TIME_OF_DAY = compile_later(r"\d{1,2}\s?[:.h時点시]\s?[0-5]\d(?:[:分분]\d{0,2})?(?:\s*[ap]\.?m\b\.?)?", re.IGNORECASE)
_LETTER = compile_later(r"\w")
_MARK = compile_later(r"\s*[•·|⋅»/–—-]\s*")

Kind = Literal["published", "modified", "other", ""]
_KINDS: tuple[Kind, ...] = ("published", "modified", "other")


class _Dated(NamedTuple):
    """A date on the page: its row, what it is of, and how it was found."""

    row: int
    kind: Kind
    moment: Moment
    source: str


def dates(
    area: BylineArea, elements: BylineElements, near: list[TextBlock], reading: Reading
) -> dict[str, tuple[str, Moment]]:
    """The days the page shows, as "published" and "modified", each with its source."""
    rows = _date_rows(area, elements.near, DATE_WORDS)
    dated_places = [dated for row in rows if area.near(row) for dated in _dated_element(area, row, rows[row], reading)]
    dated_rows = {dated.row for dated in dated_places}
    dated_places += [dated for dated in _dated_texts(area, near, reading) if dated.kind or dated.row not in dated_rows]
    dated_places.sort(key=lambda dated: dated.row)
    behind = [dated for dated in dated_places if dated.row > area.heading]
    ordered = behind + [dated for dated in dated_places if dated.row <= area.heading][::-1]
    result: dict[str, tuple[str, Moment]] = {}
    for dated in [d for d in ordered if d.kind] + [d for d in ordered if not d.kind]:
        if dated.kind != "other":
            result.setdefault(dated.kind or "published", (dated.source, dated.moment))
    if not result:
        rows = _date_rows(area, elements.anywhere, _SURE_DATE_WORDS)
        away = [row for row in rows if area.far(row, aside=True)][:_MAX_FAR_ELEMENTS]
        far = [dated for row in away for dated in _dated_element(area, row, rows[row], reading)]
        labelled = [dated for dated in far if dated.kind == "published"]
        far = labelled or [dated for dated in far if not dated.kind and area.far(dated.row)]
        far = [dated for dated in far if not area.in_teaser(dated.row)]
        if len({dated.moment.day for dated in far}) == 1:
            result["published"] = (far[0].source, far[0].moment)
    return result


def _date_rows(area: BylineArea, rows: Named, wanted: frozenset[str]) -> Named:
    """The elements that name a date, and all <time> elements."""
    dated = {row: words for row, words in rows.items() if words & wanted}
    for row in (area.page.tag == _TIME).nonzero()[0].tolist():
        dated.setdefault(row, set())
    return dict(sorted(dated.items()))


def _dated_element(area: BylineArea, row: int, words: set[str], reading: Reading) -> Iterator[_Dated]:
    """The date in an attribute of an element, else in its text."""
    page = area.page
    own = page.attributes(row)
    source = "page: time" if page.tag[row] == _TIME else "page: date"
    moment = next((m for name in _DATE_ATTRIBUTES if own.get(name) and (m := parse_date(own[name], reading))), None)
    label = ""
    if not moment:
        for text in visible_blocks(area, row, MAX_BYLINE_LENGTH):
            for date in find_dates(text, reading)[:1]:
                moment, label = date.moment, text[: date.start]
            if moment:
                break
    if moment:
        kind = _kind(label) or _kind(" ".join(sorted(words))) or _label(area, int(page.first[row]), reading)
        yield _Dated(row, kind, moment, source)


def _dated_texts(area: BylineArea, near: list[TextBlock], reading: Reading) -> Iterator[_Dated]:
    """Dates in short blocks near the heading that a word introduces, or that are about little else."""
    for block in near:
        text = block.string
        if len(text) > MAX_BYLINE_LENGTH:
            continue
        dates = find_dates(text, reading)
        if not dates or not area.near(block.row):
            continue
        about = _share(text, dates) >= _MIN_DATE_SHARE or _is_byline(text[: dates[0].start], reading)
        kind: Kind = ""
        stop = 0
        for one in dates:
            kind = _kind(text[stop : one.start]) or ("" if stop else _label(area, block.text, reading))
            stop = one.stop
            if _RANGE.match(text, one.stop) or not (kind or about or _set_off(text, one.start, one.stop)):
                continue
            if kind or not (area.beside(block.row) or area.in_linked_item(block.row)):
                yield _Dated(block.row, kind, one.moment, "page: text")


def is_dateline(text: str, reading: Reading) -> bool:
    """Whether a line is about little else than a day, or two, of which none begins where the other ends."""
    dates = find_dates(text, reading)
    return (
        bool(dates) and _share(text, dates) >= _MIN_DATE_SHARE and not any(_SPAN.match(text, one.stop) for one in dates)
    )


def _share(text: str, dates: list[DateInText]) -> float:
    """The part of a text that is dates and times of day: their characters / (those + letters and digits elsewhere)."""
    for one in reversed(dates):
        text = f"{text[: one.start]} {text[one.stop :]}"
    dated = sum(one.stop - one.start for one in dates) + sum(map(len, _TIME_OF_DAY.findall(text)))
    return dated / (dated + len(_LETTER.findall(_TIME_OF_DAY.sub(" ", text))))


def _is_byline(text: str, reading: Reading) -> bool:
    """Whether the text before a date is a byline: "By Jane Doe, 5 March 2024"."""
    rest = text_after_by(text)
    return bool(rest and not rest[:1].islower() and parse_names(rest, reading))


def _label(area: BylineArea, text: int, reading: Reading) -> Kind:
    """What the words before a text say of a date in it; another date among them has taken what stands before that."""
    before = text_before(area, text)
    dates = find_dates(before, reading)
    return _kind(before[dates[-1].stop :] if dates else before)


def _set_off(text: str, start: int, stop: int) -> bool:
    """Whether a date stands alone in a line that marks divide: "Jane Doe • 5 March 2024"."""
    return bool(_MARK.match(text, stop) if start == 0 else _MARK.search(text, max(0, start - 3), start))


def _kind(before: str) -> Kind:
    """What the last telling word before a date says of it."""
    if not before or before.isspace():
        return ""
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

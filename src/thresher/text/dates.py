"""Dates as pages write them: ISO, in words of sixty languages, in numbers of either order, in addresses.

A date is believed when it has a day, a month and a year, lies between 1990 and tomorrow, and can be read in one way on
this page.  Whatever is left open (3/4/2024 without a language, "March 2024", "two days ago") is no date.  Other
calendars than ours are in calendars.py; a year of two digits needs two for day and month, and a language; with dots
(17.7.11) a language whose pages write dates so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple

from thresher.text.calendars import ERAS, era_year, gregorian_day, ideographic_number
from thresher.text.patterns import compile_later

__all__ = ["DateInText", "Moment", "Reading", "date_in_url", "find_dates", "month_number", "parse_date"]

EARLIEST = date(1990, 1, 1)  # the first web page
_MAX_TEXT_LENGTH = 300  # characters searched; a byline is shorter
_YEAR_COMES_FIRST = frozenset({"ko", "ja", "zh", "hu"})  # 24.03.05
# Where dots stand in dates, and versions or numbers of chapters are not meant: German, Nordic, Slavic and Baltic pages.
_DOTTED = frozenset("de da no nb nn fi is et lv cs sk pl ru uk be bg sr hr bs sl mk ro tr az ka hy".split())
_CENTURY, _THAI_CENTURY = 2000, 2500  # of a year of two digits
_MIN_FOREIGN_MONTH_LETTERS = 5  # shorter month names of other languages than the page's often mean something else

_MONTHS = Path(__file__).parents[1] / "data" / "months.txt"

_CLOCK = r"([0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?)(?:[.,][0-9]+)?\s*(Z|[+-][0-9]{2}:?[0-9]{2})?"
_TIME = rf"(?:[T\s,]*{_CLOCK}(?![\d:]|\s*[ap]\.?m))?"  # half a day's clock is left out
# A word, or two that are one month in the Levant (كانون الثاني); behind a slash some add the other name of the month.
_WORD = (
    r"([^\s\d.,;:/()\[\]{}|•·–—\"“”«»!?<>'’_-]{2,20}(?:\s(?:الثاني|الأول|الاول)(?!\w))?)"
    r"(?:/[^\W\d_]{2,20}(?:\s(?:الثاني|الأول|الاول)(?!\w))?)?"
)
_YEAR = r"(\d{4})(?!\d)"
_DAY = r"(?<![\d.,:/$€£#-])(\d{1,2})"

_YEAR_FIRST = compile_later(rf"(?<![\d./-])(\d{{4}})(?P<s>[-/.])\s?(\d{{1,2}})(?P=s)\s?(\d{{1,2}})(?!\d){_TIME}")
_YEAR_LAST = compile_later(rf"(?<![\w./-])(\d{{1,2}})\s?(?P<s>[-/.])\s?(\d{{1,2}})\s?(?P=s)\s?{_YEAR}(?![./-]\d)")
_EAST_ASIAN = compile_later(r"(?<!\d)(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일号號]")
_ERA = compile_later(rf"({'|'.join(ERAS)})\s*(\d{{1,3}}|元)\s*年\s*(\d{{1,2}})\s*月\s*(\d{{1,2}})\s*日")
_IDEOGRAPHIC = compile_later(
    "([〇○零一二三四五六七八九]{4})年([一二三四五六七八九十]{1,2})月([一二三四五六七八九十]{1,3})日"
)
_VIETNAMESE = compile_later(
    rf"(?<!\d)(\d{{1,2}})\s+tháng\s+(\d{{1,2}}|[^\W\d_]+(?:\s(?:một|hai))?)(?:\s*,|\s+năm)?\s+{_YEAR}", re.IGNORECASE
)
# "มี.ค." has a dot inside, "พ.ศ." is the era, and the last two digits of a year will do.
_THAI = compile_later(rf"{_DAY}\s*([ก-ฮเ][ก-๎]*(?:\.[ก-ฮ]\.?)?)\s*(?:พ\.?\s?ศ\.?\s*)?(\d{{4}}|\d\d)(?![\d.:])")
# "5 de marzo de 2024", "5 of March", "៥ ខែមីនា ឆ្នាំ២០២៤"
_JOINTS = r"(?:(?:(?:de|of|d|del|di|da|the)\b['’.]?|ខែ|ឆ្នាំ|ປີ)\s*)?"
_DAY_WORD_YEAR = compile_later(
    rf"{_DAY}(?:st|nd|rd|th|er|\.|º|°|ª|an|ste|de)?[\s.,-]*{_JOINTS}{_WORD}[.,]*[\s-]*,?\s*{_JOINTS}{_YEAR}",
    re.IGNORECASE,
)
_BEHIND_DAY = r"(?:st|nd|rd|th|er|\.)?\s*[,-]?\s*(?:of\s+)?"
_WORD_DAY_YEAR = compile_later(rf"{_WORD}\.?[\s-]*(\d{{1,2}}){_BEHIND_DAY}{_YEAR}", re.IGNORECASE)
_YEAR_WORD_DAY = compile_later(
    rf"(?<!\d)(\d{{4}})(?:\.|,|ko|ж\.|\s*m\.|\.?\s*gada)?[\s-]*{_WORD}\.?[\s-]*(\d{{1,2}})(?![\d:])", re.IGNORECASE
)
_GADA = compile_later(
    rf"(?<!\d)(\d{{4}})\.?\s*gada\s+(\d{{1,2}})\.\s*{_WORD}", re.IGNORECASE
)  # Latvian: year, day, month
_SHORT_DOTTED = compile_later(r"(?<![\w./:-])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d\d)(?![\w/:-]|\.\d)")  # 17.7.11
_NUMBERED = compile_later(  # what is no date behind it
    r"(?:\b(?:v|ver|version|release|update|kapitel|abschnitt|nr|версия|версії|wersja|verze|глава)\.?|[§#№])\s*$",
    re.IGNORECASE,
)
_SHORT_YEAR = compile_later(r"(?<![\w./:-])(\d\d)(?P<s>[./])(\d\d)(?P=s)(\d\d)(?![\w/:-]|\.\d)")
_DIGIT = compile_later(r"[\d年]")  # in what has a sign of a year
_SIGN_OF_YEAR = compile_later(r"\d{4}|\d[./]\s?\d\d(?!\d)|年|[ก-๎]\.?\s*\d\d")

_COMPACT = compile_later(r"(?<!\d)((?:19|20)\d\d)([01]\d)([0-3]\d)(?:T?\d{4,6}Z?)?(?!\d)")
_EPOCH = compile_later(r"\s*(\d{10})(?:\d{3})?(?:\.\d+)?\s*")
_IN_ADDRESS = compile_later(
    r"/((?:19|20)\d\d)[/-]?(\d\d)[/-]?(\d\d)(?![\d])|/((?:19|20)\d\d)/(\d{1,2})/(\d{1,2})(?=/|-|$)"
    r"|[-_/]((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)|/((?:19|20)\d\d)/([a-z]{3,9})/(\d\d)(?=/|-|$)"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What decides how dates on a page are read: its language, whether 3/4 is March 4, and today's date."""

    language: str | None = None
    month_first: bool | None = None  # None: 3/4/2024 stays open
    today: date = field(default_factory=date.today)
    known: dict[str, list[DateInText]] = field(default_factory=dict, compare=False, repr=False)  # the dates of texts


class Moment(NamedTuple):
    """A day, and the time of day with its zone where the page says so (ISO 8601)."""

    day: date
    time: str | None = None

    @property
    def full(self) -> str | None:
        return f"{self.day.isoformat()}T{self.time}" if self.time else None


class DateInText(NamedTuple):
    """A date in a text, and where it stands."""

    start: int
    stop: int
    moment: Moment


def parse_date(value: str, reading: Reading) -> Moment | None:
    """The date in a value that should be one: an attribute, a meta element, a property of an item."""
    value = value[:_MAX_TEXT_LENGTH]
    if epoch := _EPOCH.fullmatch(value):
        return _moment(_of_epoch(int(epoch[1])), None, reading)
    if dates := find_dates(value, reading):
        return dates[0].moment
    if compact := _COMPACT.search(value):
        year, month, day = map(int, compact.groups())
        return _moment(gregorian_day(year, month, day), None, reading)
    return None


def find_dates(text: str, reading: Reading) -> list[DateInText]:
    """All dates of a text, in the order they stand in."""
    text = text[:_MAX_TEXT_LENGTH]
    known = reading.known.get(text)
    if known is None:
        may_hold_any = _DIGIT.search(text) and _SIGN_OF_YEAR.search(text)
        known = reading.known[text] = _dates_of(text, reading) if may_hold_any else []
    return known


def _dates_of(text: str, reading: Reading) -> list[DateInText]:
    dates: dict[int, DateInText] = {}
    for start, stop, day, time in _candidates(text, reading):
        moment = _moment(day, time, reading)
        if moment and not any(start < other.stop and other.start < stop for other in dates.values()):
            dates[start] = DateInText(start, stop, moment)
    return sorted(dates.values())


def date_in_url(address: str, reading: Reading) -> Moment | None:
    """The date in a path such as /2024/03/05/title or /news-2024-03-05."""
    for match in _IN_ADDRESS.finditer(address[:2_000].lower()):
        year, month, day = (part for part in match.groups() if part)
        number = int(month) if month.isdecimal() else month_number(month, Reading("en"))
        moment = _moment(gregorian_day(int(year), number or 0, int(day)), None, reading)
        if moment:
            return moment
    return None


def _candidates(text: str, reading: Reading) -> Iterator[tuple[int, int, date | None, str | None]]:
    """Start, stop, day and time of whatever may be a date, the least ambiguous formats first."""
    for match in _YEAR_FIRST.finditer(text):
        year, _, month, day, time, zone = match.groups()
        yield *match.span(), _day(year, month, day, reading), _time(time, zone)
    if not text.isascii():
        for match in _EAST_ASIAN.finditer(text):
            year, month, day = match.groups()
            yield *match.span(), _day(year, month, day, reading), None
    if "年" in text:
        for match in _ERA.finditer(text):
            era, year, month, day = match.groups()
            yield *match.span(), _day(era_year(era, year), month, day, reading), None
        for match in _IDEOGRAPHIC.finditer(text):
            year, month, day = map(ideographic_number, match.groups())
            yield *match.span(), _day(year, month, day, reading), None
    if not text.isascii():
        for match in _VIETNAMESE.finditer(text):
            day, month, year = match.groups()
            number = int(month) if month.isdecimal() else month_number(month, reading)
            yield *match.span(), _day(year, number or 0, day, reading), None
    for match in _YEAR_LAST.finditer(text):
        one, separator, two, year = match.groups()
        yield *match.span(), _numeric(int(one), int(two), int(year), separator, reading), None
    if reading.language == "th":
        for match in _THAI.finditer(text):
            day, word, year = match.groups()
            month = month_number(word.rstrip("."), reading)
            yield *match.span(), _day(int(year) + _THAI_CENTURY * (len(year) == 2), month or 0, day, reading), None
    for pattern, order, sign in _WORD_FORMATS:
        for match in pattern.finditer(text) if sign.search(text) else ():
            part = dict(zip(order, match.groups(), strict=True))
            month = month_number(part["month"], reading)
            if month:
                yield *match.span(), _day(part["year"], month, part["day"], reading), None
    if reading.language:
        for match in _SHORT_YEAR.finditer(text):
            one, separator, two, last = match.groups()
            if reading.language in _YEAR_COMES_FIRST:
                day = _day(_CENTURY + int(one), two, last, reading)
            else:
                day = _numeric(int(one), int(two), _CENTURY + int(last), separator, reading)
            yield *match.span(), day, None
    if reading.language in _DOTTED:
        for match in _SHORT_DOTTED.finditer(text):
            one, two, last = (int(number) for number in match.groups())
            if not _NUMBERED.search(text[: match.start()]):
                yield *match.span(), _numeric(one, two, _CENTURY + last, ".", reading), None


# How they are written, the order of their parts, and what stands in each and is found faster.
_WORD_FORMATS = (
    (_GADA, ("year", "day", "month"), compile_later(r"\d[.\s]*gada", re.IGNORECASE)),
    (_DAY_WORD_YEAR, ("day", "month", "year"), compile_later(r"\d\D+\d{4}(?!\d)")),
    (_WORD_DAY_YEAR, ("month", "day", "year"), compile_later(rf"\d{_BEHIND_DAY}{_YEAR}", re.IGNORECASE)),
    (_YEAR_WORD_DAY, ("year", "month", "day"), compile_later(r"\d{4}\D+\d")),
)


def _numeric(one: int, two: int, year: int, separator: str, reading: Reading) -> date | None:
    """d.m.y with dots everywhere; else the order of the page, unless only the other one makes a date that can be."""
    day_first, month_first = _day(year, two, one, reading), _day(year, one, two, reading)
    if separator == "." or day_first == month_first:
        return day_first
    possible = [day for day in (day_first, month_first) if day and _plausible(day, reading)]
    if len(possible) == 1:
        return possible[0]
    if not possible or reading.month_first is None:
        return None
    return month_first if reading.month_first else day_first


def _time(clock: str | None, zone: str | None) -> str | None:
    """hh:mm:ss with the zone as ±hh:mm or Z."""
    if not clock:
        return None
    clock = clock.rjust(5, "0") if len(clock) < 6 else clock.rjust(8, "0")
    if int(clock[:2]) > 23:
        return None
    clock = clock if len(clock) == 8 else clock + ":00"
    zone = zone or ""
    return clock + (zone if len(zone) != 5 else f"{zone[:3]}:{zone[3:]}")


def _moment(day: date | None, time: str | None, reading: Reading) -> Moment | None:
    return Moment(day, time) if day and _plausible(day, reading) else None


def _plausible(day: date, reading: Reading) -> bool:
    return EARLIEST <= day <= reading.today + timedelta(days=1)  # tomorrow: it is later elsewhere


def _day(year: int | str, month: int | str, day: int | str, reading: Reading) -> date | None:
    return gregorian_day(int(year), int(month), int(day), reading.language, reading.today.year)


def _of_epoch(seconds: int) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()


def month_number(word: str, reading: Reading) -> int | None:
    """The month of a word: in the page's language, in English, or a longer word all languages agree on.

    Short names of other languages stay unread: "iPhone 15 Pro 2024" is no Czech December.
    """
    word = _folded(word.replace(" ", "_"))
    months = _months()
    for language in (reading.language, "en"):
        number = months.get(language or "", {}).get(word)
        if number:
            return number
    if len(word) < _MIN_FOREIGN_MONTH_LETTERS:
        return None
    numbers = {known[word] for known in months.values() if word in known}
    return numbers.pop() if len(numbers) == 1 else None


def _folded(word: str) -> str:
    """Lower case without accents, which capitals drop: ΜΑΡΤΙΟΥ, MAYIS.  In Indic scripts marks are letters and stay."""
    word = word.lower()
    if word.isascii() or word[0] >= "\u0530":
        return word
    bare = (letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))
    return "".join(bare).replace("ı", "i").replace("ς", "σ")


@cache
def _months() -> dict[str, dict[str, int]]:
    """Language -> word -> number of the month; two-word names have a _ inside."""
    table = {}
    for line in _MONTHS.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            code, *columns = line.split("|")
            table[code.strip()] = {
                _folded(word): number for number, column in enumerate(columns, 1) for word in column.split()
            }
    return table

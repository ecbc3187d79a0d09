"""Days of other calendars as days of ours.  The language of the page and the size of the year tell which one it is.

- Buddhist    th lo km    y - 543                               2567 is 2024
    Persian     fa ps       days from 1 Farvardin 1403, 20 March 2024; years 1300 to 1499
    Minguo      民國 y年    y + 1911                              113 is 2024
    Japanese    令和 y年    y + 2018, 平成 y + 1988, 昭和 y + 1925
"""

from __future__ import annotations

from datetime import date, timedelta

__all__ = ["ERAS", "era_year", "gregorian_day", "ideographic_number"]

ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}  # what to add to a year of the era
_BUDDHIST_OFFSET = 543  # years
_BUDDHIST_LANGUAGES = frozenset({"th", "lo", "km"})
_PERSIAN_LANGUAGES = frozenset({"fa", "ps"})
_PERSIAN_YEARS = range(1300, 1500)  # AD 1921 to 2121; the rule of leap years holds from 1244 to 1531
_REFERENCE_NEW_YEAR, _REFERENCE_YEAR = date(2024, 3, 20), 1403
_NUMERALS = {numeral: value for value, numeral in enumerate("〇一二三四五六七八九十")} | {"○": 0, "零": 0}


def gregorian_day(year: int, month: int, day: int, language: str | None = None, this_year: int = 9999) -> date | None:
    """The day that a page in this language means; None when there is no such day."""
    if language in _PERSIAN_LANGUAGES and year in _PERSIAN_YEARS:
        return _persian(year, month, day)
    if language in _BUDDHIST_LANGUAGES and year > this_year + _BUDDHIST_OFFSET // 2:
        year -= _BUDDHIST_OFFSET
    try:
        return date(year, month, day)
    except ValueError:
        return None


def era_year(era: str, year: str) -> int:
    """The year of a Japanese or Taiwanese era; 元 is its first."""
    return ERAS[era] + (1 if year == "元" else int(year))


def ideographic_number(numerals: str) -> int:
    """二〇二四 is 2024, 十二 is 12, 三十一 is 31: digits one by one, or tens and ones around 十."""
    tens, ten, ones = numerals.partition("十")
    if not ten:
        return int("".join(str(_NUMERALS[numeral]) for numeral in numerals))
    return 10 * (_NUMERALS[tens] if tens else 1) + (_NUMERALS[ones] if ones else 0)


def _persian(year: int, month: int, day: int) -> date | None:
    """Months 1-6 have 31 days, 7-11 have 30, the last 29, in leap years 30."""
    length = 31 if month < 7 else 30 if month < 12 or _leap_years_before(year + 1) > _leap_years_before(year) else 29
    if not (1 <= month <= 12 and 1 <= day <= length):
        return None
    years = 365 * (year - _REFERENCE_YEAR) + _leap_years_before(year) - _leap_years_before(_REFERENCE_YEAR)
    return _REFERENCE_NEW_YEAR + timedelta(days=years + 31 * min(month - 1, 6) + 30 * max(month - 7, 0) + day - 1)


def _leap_years_before(year: int) -> int:
    """⌊(8 y + 21) / 33⌋: eight of 33 years are leap years."""
    return (8 * year + 21) // 33

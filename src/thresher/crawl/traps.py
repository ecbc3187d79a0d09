"""Crawler traps: addresses without end.

Pages, depth and requests are bounded anyway (`CrawlOptions`), so a trap never holds a crawl up for ever; but it can use
up the pages that were meant for the site.  What an address alone tells (`trap`):

    not_a_page      its name ends like a picture, recording, archive, program, font or style sheet
    url_too_long    longer than `length` characters
    path_too_deep   more than `segments` parts
    repeating_path  a part stands in it three times (/a/b/a/b/a/b: relative links on a page without its folder);
                    numbers may stand there three times (/2011/11/11/11)
    calendar        a month more than a year ahead; in a calendar also one before 1990

And what only shows in their number: addresses of one `shape` are counted, and only the first `variants` are followed.

    the path of an address with a query: lists that can be sorted and filtered without end
    the path of a calendar with its digits as 0: /calendar/2024/05/12 is /calendar/0/0/0
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlsplit

__all__ = ["TrapLimits", "shape", "trap"]

# Names with a colon are pages about files (/wiki/File:Flail.jpg); scripts are left out, for /tags/node.js is a page.
_FILE_NAME = re.compile(
    r"""[^/:]*\.(?:
    jpe?g|jfif|png|gif|webp|avif|svgz?|ico|bmp|tiff?|heic|psd|eps|  # pictures
    mp[234]|m4[av]|ogg|og[av]|opus|wav|flac|aac|wma|webm|avi|mov|mkv|wmv|flv|mpe?g|m3u8?|  # recordings
    zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|iso|dmg|exe|msi|deb|rpm|apk|bin|whl|  # archives and programs
    woff2?|ttf|otf|eot|css  # parts of pages
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CALENDAR = re.compile(
    r"(?:^|[/_-])(?:calendars?|kalender|calendrier|calendario|agenda|events?|eventos?|veranstaltungen|termine|schedule)"
    r"(?=$|[/_.-])",
    re.IGNORECASE,
)
_CALENDAR_PARAMETER = re.compile(
    r"(?:^|[&_-])(?:year|month|week|day|date|jahr|monat|woche|datum|annee|mois|mes|ano)=", re.IGNORECASE
)
_YEAR_AND_MONTH = re.compile(r"/([12][0-9]{3})[/-](?:0?[1-9]|1[0-2])(?=[/-]|$)")
_YEAR_OF_QUERY = re.compile(r"=([12][0-9]{3})(?=[&-]|$)")
_DIGITS = re.compile("[0-9]+")
_FIRST_YEAR = 1990  # the web's first calendar came later


@dataclass(frozen=True, slots=True)
class TrapLimits:
    """How much of a site's address space is believed to be real."""

    length: int = 2_000  # characters of an address
    segments: int = 20  # parts of a path
    variants: int = 100  # addresses of one shape


def trap(url: str, limits: TrapLimits, today: date) -> str | None:
    """Why a canonical address looks like a trap, in one word; None when it looks like a page."""
    if len(url) > limits.length:
        return "url_too_long"
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.split("/") if segment]
    if len(segments) > limits.segments:
        return "path_too_deep"
    if segments and _FILE_NAME.fullmatch(segments[-1]):
        return "not_a_page"
    if any(count > (3 if part.isdigit() else 2) for part, count in Counter(segments).items()):
        return "repeating_path"
    years = [int(year) for year in _YEAR_AND_MONTH.findall(parts.path)]
    calendar = _CALENDAR.search(parts.path) is not None
    if _CALENDAR_PARAMETER.search(parts.query):
        calendar = True
        years += [int(year) for year in _YEAR_OF_QUERY.findall(parts.query)]
    if any(year > today.year + 1 or (calendar and year < _FIRST_YEAR) for year in years):
        return "calendar"
    return None


def shape(url: str) -> str | None:
    """What is counted of an address that may be one of countless others; None for all others."""
    start, _, query = url.partition("?")
    if _CALENDAR.search(urlsplit(start).path):
        return _DIGITS.sub("0", start)
    return start if query else None

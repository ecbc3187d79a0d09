"""Where the authors and dates of posts stand, and what else is beside a post: profiles, signatures, controls."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cache
from itertools import chain, islice, tee
from typing import NamedTuple

import numpy as np

from thresher.data.tags import NUMBER
from thresher.metadata.byline_area import elements_named
from thresher.metadata.byline_elements import AUTHOR_WORDS, DATE_WORDS
from thresher.metadata.clean import text_of
from thresher.page import Page, attributes, memoised
from thresher.page.parts import Parts, with_part
from thresher.page.types import Bools
from thresher.text.dates import Moment, Reading, find_dates, parse_date
from thresher.text.names import text_after_by
from thresher.text.phrases import alternatives

__all__ = ["Signs", "author_in", "date_in", "is_name", "signs"]

_AUTHOR_WORDS = AUTHOR_WORDS | frozenset(
    "user users usernames nick nickname member hnuser screenname displayname postername fn persona".split()
)
_NAME = frozenset({"name"})  # of an author if it is the whole class; else of anything
_NO_NAME = frozenset(
    """bio description image avatar img photo social links follow title job role date time rank level count posts
    signature stats has with id hentry status reputation badge badges action actions menu card popup icon""".split()
)
_APART = frozenset(
    """signature sig signatures profile postprofile userinfo userdetails userstats avatar rank badge badges stats tools
    toolbar actions action controls buttons menu vote votes voting votecell rating karma likes share sharing report
    permalink reputation usertitle userbanner breadcrumb pagination postbody-actions postdetails""".split()
)
_NO_APART = frozenset("has with no".split())  # post has-profile
_DATE_WORDS = DATE_WORDS | frozenset("age ago relativetime when".split())
_DATE_ATTRIBUTES = ("datetime", "data-time", "data-timestamp", "data-datetime", "data-date", "content", "title", "ts")
_AUTHOR_ATTRIBUTES = ("data-author", "data-username", "data-user-name", "data-post-author", "data-poster")
_TIME, _A = NUMBER["time"], NUMBER["a"]
# Where the pages of members are, in the usual forum programs.
_PROFILE = re.compile(
    rb"mode=viewprofile|member\.php|/members?/|[/?]users?[/?=]|user\?id=|/u/|/profiles?/|profile\.php|/authors?/|/people/"
    rb"|/~|action=profile|/@|space-uid|userinfo\.php|usuario|mitglied",
    re.IGNORECASE,
)
_MAX_NAME_LENGTH, _MAX_NAME_WORDS = 60, 6
_NOBODY = frozenset(("author", "member", "members", "member list", "user", "username", "posted by", "by"))
_MAX_STEPS_TO_LINE = 3  # elements around a name or date that may say that it is of an edit
_MAX_INNER_ELEMENTS = 4  # of an element with a date whose attributes are read
_MAX_DATE_LENGTH = 120  # characters of a line with the date of a post
_MARKS = " \t\n\xa0:,»«·•|–—-#()[]"
_PARTS_PROFILE = Parts(*b"profile member user /u/ author /people/ /~ /@ space-uid usuario mitglied".split())
_PARTS_AUTHOR = Parts(*b"uthor yline riter ser ontributor oster reator ick ember name fn ersona".split())
_PARTS_DATE = Parts(*b"ate ublish ime osted odified reated age ago when".split())
_PARTS_APART = Parts(
    *b"sig rofile user vatar rank adge stat ool ction ontrol utton menu ot ating arma ike hare eport putation".split(),
    b"details",
)


class Signs(NamedTuple):
    """Elements of the whole page that say who wrote, when, or are no part of what was written."""

    author: list[int]
    profile: list[int]  # links to pages of members
    date: list[int]
    apart: list[int]
    sets: tuple[frozenset[int], frozenset[int], frozenset[int]]  # authors, profiles and dates, to look up in
    with_author_attribute: frozenset[int]
    with_date_attribute: frozenset[int]

    def mask(self, page: Page) -> Bools:
        """The elements that name an author or a date."""
        mask = np.zeros(len(page), bool)
        mask[[*self.author, *self.profile, *self.date]] = True
        return mask


@memoised
def signs(page: Page) -> Signs:
    """The signs of a page."""
    author = {
        row
        for row, words in elements_named(page, _PARTS_AUTHOR, _AUTHOR_WORDS | _NAME).items()
        if (words & _AUTHOR_WORDS and not words & _NO_NAME) or words == _NAME
    }
    date = {row for row, words in elements_named(page, _PARTS_DATE, _DATE_WORDS).items() if words & _DATE_WORDS}
    date.update((page.tag == _TIME).nonzero()[0].tolist())
    for row, names in attributes.tokens(page, "itemprop").items():
        if not {"author", "creator"}.isdisjoint(names):
            author.add(row)
        if not {"datepublished", "datecreated", "commenttime"}.isdisjoint(names):
            date.add(row)
    for name in ("data-time", "data-timestamp"):
        date.update(attributes.columns(page, name)[0].tolist())
    named, dated = (
        frozenset(row for name in names for row in attributes.columns(page, name)[0].tolist())
        for names in (_AUTHOR_ATTRIBUTES, _DATE_ATTRIBUTES)
    )
    author |= named
    apart = [
        row
        for row, words in elements_named(page, _PARTS_APART, _APART).items()
        if words & _APART and not words & _NO_APART
    ]
    profile = _profiles(page)
    sets = frozenset(author), frozenset(profile), frozenset(date)
    return Signs(sorted(author), profile, sorted(date), apart, sets, named, dated)


def _profiles(page: Page) -> list[int]:
    """The links to pages of members."""
    values = attributes.numbered(page, "href")
    numbers = [
        number
        for number in with_part(page, "href", _PARTS_PROFILE)
        if _PROFILE.search(page.markup, int(values.start[number]), int(values.stop[number]))
    ]
    rows = attributes.rows_of(values, numbers)
    profiles: list[int] = rows[page.tag[rows] == _A].tolist()
    return profiles


def author_in(page: Page, rows: Iterable[int]) -> str:
    """The first name in some elements, attributes before texts, and longer ones before single letters, which stand for
    a picture; "" for none."""
    once, again = tee(rows)
    named = signs(page).with_author_attribute
    for row in once if named else ():
        own = page.attributes(row) if row in named else {}
        for name in _AUTHOR_ATTRIBUTES:
            if is_name(own.get(name, "")):
                return own[name].strip()
    letter = ""
    for row in again:
        name = _name(page, row)
        if len(name) > 1:
            return name
        letter = letter or name
    return letter


def _name(page: Page, row: int) -> str:
    """The name in an element: in its link to a profile if it has one, else all it says."""
    known = signs(page)
    end = int(page.end[row])
    inside = known.author[bisect_right(known.author, row) : bisect_left(known.author, end)]
    links = known.profile[bisect_left(known.profile, row) : bisect_left(known.profile, end)]
    for inner in [*links[:3], *inside[:3], row]:
        text = text_of(page, inner, 4 * _MAX_NAME_LENGTH).strip(_MARKS)
        text = (text_after_by(text) or text).strip(_MARKS)
        if is_name(text):
            return text
    own = page.attributes(row).get("content", "")
    return own if is_name(own) else ""


def is_of_edit(page: Page, row: int) -> bool:
    """Whether an element stands in a line that opens with "edited" or its like."""
    for element in (row, *islice(page.ancestors(row), _MAX_STEPS_TO_LINE)):
        first, last = int(page.first[element]), int(page.last[element])
        if first < last and page.stop[last - 1] - page.start[first] > _MAX_DATE_LENGTH:
            return False
        if _edited().match(text_of(page, element, _MAX_DATE_LENGTH)):
            return True
    return False


@cache
def _edited() -> re.Pattern[str]:
    return re.compile(rf"(?:last\s+)?(?:edited|{alternatives('modified')})", re.IGNORECASE)


def is_name(text: str) -> bool:
    """Whether a text can be what someone is called."""
    return (
        0 < len(text) <= _MAX_NAME_LENGTH
        and len(text.split()) <= _MAX_NAME_WORDS
        and any(map(str.isalpha, text))
        and (text.lower() not in _NOBODY and not find_dates(text, Reading("en")))
    )


def date_in(page: Page, rows: Iterable[int], lines: list[str], reading: Reading) -> Moment | None:
    """The first day in some elements, their attributes before their text; else in short lines."""
    once, again = tee(rows)
    dated = signs(page).with_date_attribute
    for inner in (inner for row in once for inner in range(row, min(int(page.end[row]), row + _MAX_INNER_ELEMENTS))):
        own = page.attributes(inner) if inner in dated else {}
        moment = next((m for name in _DATE_ATTRIBUTES if own.get(name) and (m := parse_date(own[name], reading))), None)
        if moment:
            return moment
    texts = (text_of(page, row, _MAX_DATE_LENGTH) for row in again)
    for line in chain(texts, (line for line in lines if len(line) <= _MAX_DATE_LENGTH)):
        for date in find_dates(line, reading)[:1]:
            label = line[: date.start]
            if not (":" in label or "：" in label) or re.search(alternatives("published"), label, re.IGNORECASE):
                return date.moment
    return None

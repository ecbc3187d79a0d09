"""The evidence about a block in words that a person uses: "mostly links", "in the sidebar", "repeated in the page".

One function for each kind of evidence.  It gets the page, the row of the block, its features, and whether this kind of
evidence speaks for the block: a paragraph in a sidebar is "in the sidebar" where that speaks against it.  What sounds
like the contrary of how the network took it ("for: in a part with little text") is said in general ("the part of the
page that it stands in").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import chain, islice

import numpy as np

from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.features import FEATURES
from thresher.page import Page, attributes, memoised
from thresher.page.types import Singles

__all__ = ["PHRASES"]

_COLUMN = {name: k for k, name in enumerate(FEATURES)}
_SHORT, _LONG = 12, 60  # words
_FEW, _MOST = 0.1, 0.5  # shares of a text or a page
_TOP, _BOTTOM = 0.2, 0.8  # of the page
_MIN_COMMON = 0.2  # share of words that makes some of "few"
_MAX_NAMES = 2
_MAX_STEPS_UP = 50  # elements above a block that are asked for their names
# What elements are and where they stand, in the order in which it is said
_FORMS = {
    "main heading": "the main heading",
    "heading": "a heading",
    "caption": "a caption",
    "code": "code",
    "quotation": "a quotation",
    "table cell": "in a table",
    "list item": "in a list",
    "time": "a date",
    "address": "an address",
    "paragraph": "a paragraph",
    "link": "a link",
}
_CONTENT = {"article": "in the article", "main": "in the main part of the page", "section": "in a section"}
_CHAFF = {
    "navigation": "in a menu",
    "footer": "in the footer",
    "aside": "in the sidebar",
    "form": "in a form",
    "header": "in the header",
}
# What people call the parts that web designers name so
_CHAFF_NAMES = {
    "sidebar side aside": "in the sidebar",
    "nav navbar navigation menu navi": "in a menu",
    "footer foot": "in the footer",
    "header masthead topbar": "in the header",
    "breadcrumb breadcrumbs": "in the path to the page",
    "comment comments": "in the comments",
    "related recommended recommendations": "among related pages",
    "ad ads advert advertisement sponsor sponsored promo": "in an advertisement",
    "cookie cookies consent": "in the cookie notice",
    "share social sharing": "among buttons to share the page",
    "newsletter subscribe signup": "in a sign-up box",
    "pagination pager": "among links to further pages",
}
_CONTENT_NAMES = {
    "article post entry story": "in the article",
    "content main body maincontent": "in the main part of the page",
}
_PART = re.compile(r"[a-z]+")


def _length(page: Page, row: int, x: Singles, is_for: bool) -> str:
    words = round(float(np.expm1(x[_COLUMN["own words"]])))
    if words == 1:
        return "a single word"
    return f"a {'short ' if words < _SHORT else 'long ' if words > _LONG else ''}text of {words} words"


def _sentences(page: Page, row: int, x: Singles, is_for: bool) -> str:
    return "whole sentences" if x[_COLUMN["own sentences"]] > 0 else "no whole sentence"


def _links(page: Page, row: int, x: Singles, is_for: bool) -> str:
    own, around = x[_COLUMN["own linked"]], x[_COLUMN["level 1 linked"]]
    if is_for:
        return "few links" if max(own, around) <= _FEW else "how much of it is links"
    return "mostly links" if own > _MOST else "among links" if around > _MOST else "how much around it is links"


def _tags(page: Page, row: int, x: Singles, is_for: bool) -> str:
    places = _CONTENT | _CHAFF if is_for else _CHAFF | _CONTENT
    told = [next((said for name, said in kind.items() if x[_COLUMN[f"in {name}"]]), "") for kind in (_FORMS, places)]
    return ", ".join(filter(None, told)) or "in no marked part of the page"


def _names(page: Page, row: int, x: Singles, is_for: bool) -> str:
    known = _named(page)
    at = int(blocks(page).at[row])
    above = islice(chain((at,), page.ancestors(at)), _MAX_STEPS_UP)
    path = [known[up] for up in above if up in known]
    place = _place_by_name(path, _CONTENT_NAMES if is_for else _CHAFF_NAMES)
    if place:
        return place
    quoted = ", ".join(f"“{name}”" for name in path[:_MAX_NAMES])
    return f"the page calls it {quoted}" if quoted else f"no name {'of a menu or a box' * is_for or 'at all'} around it"


def _place_by_name(path: Iterable[str], places: dict[str, str]) -> str:
    """The part of the page that the innermost telling name stands for, and that name."""
    for name in path:
        parts = set(_PART.findall(name.lower()))
        for words, said in places.items():
            if not parts.isdisjoint(words.split()):
                return f"{said} (named “{name}”)"
    return ""


@memoised
def _named(page: Page) -> dict[int, str]:
    """The class, or else the id, of each element that has one."""
    known: dict[int, str] = {}
    for attribute in ("id", "class"):
        rows, code, values = attributes.distinct(page, attribute)
        short = [" ".join(value.split())[:40] for value in values]
        known.update({at: short[k] for at, k in zip(rows.tolist(), code.tolist(), strict=True) if short[k]})
    return known


def _wording(page: Page, row: int, x: Singles, is_for: bool) -> str:
    return "begins like content" if is_for else "begins like a menu or a notice"


def _containers(page: Page, row: int, x: Singles, is_for: bool) -> str:
    share = x[_COLUMN["level 2 share"]]
    if is_for and share > _MOST:
        return "in the part with most of the page's text"
    return "in a part with little text" if not is_for and share < _FEW else "the part of the page that it stands in"


def _repeats(page: Page, row: int, x: Singles, is_for: bool) -> str:
    alike = round(float(np.expm1(x[_COLUMN["same_path"]])))
    if alike == 1:
        return "nothing else in the page looks like it"
    return f"one of {alike} texts of a kind" if is_for else f"repeated in the page ({alike} alike)"


def _place(page: Page, row: int, x: Singles, is_for: bool) -> str:
    place = x[_COLUMN["at place"]]
    where = "near the top" if place < _TOP else "near the bottom" if place > _BOTTOM else "in the middle"
    return f"{where} of the page"


def _prose(page: Page, row: int, x: Singles, is_for: bool) -> str:
    inside = bool(x[_COLUMN["prose in_run"]])
    if inside != is_for:
        return "where it stands beside the main text"
    where = "in" if inside else "below" if x[_COLUMN["prose blocks_after_run"]] else "above"
    return f"{where} the main text"


def _vocabulary(page: Page, row: int, x: Singles, is_for: bool) -> str:
    in_common = bool(x[_COLUMN["vocabulary run_1"]] > _MIN_COMMON)
    if in_common != is_for:
        return "its words"
    return f"{'' if in_common else 'few '}words in common with the main text"


def _signs(page: Page, row: int, x: Singles, is_for: bool) -> str:
    names = {
        "comments_by_name": "in the comments",
        "comments_by_heading": "in the comments",
        "dialog": "in a dialog",
        "sign_up": "in a sign-up box",
        "price": "a price",
        "date": "a date",
        "prices_2": "among prices",
        "dates_2": "among dates",
    }
    return next((said for name, said in names.items() if x[_COLUMN[f"sign {name}"]] > 0), "no date or price near it")


def _described(page: Page, row: int, x: Singles, is_for: bool) -> str:
    if x[_COLUMN["described body"]] > 0:
        return "in the text that the page gives to search engines"
    return f"{'fits' if is_for else 'does not fit'} what the page tells search engines"


def _page(page: Page, row: int, x: Singles, is_for: bool) -> str:
    return f"{'usual' if is_for else 'unusual'} in the content of pages of this kind"


PHRASES: dict[str, Callable[[Page, int, Singles, bool], str]] = {
    "length": _length,
    "sentences": _sentences,
    "links": _links,
    "tags": _tags,
    "names": _names,
    "wording": _wording,
    "containers": _containers,
    "repeats": _repeats,
    "place": _place,
    "prose": _prose,
    "vocabulary": _vocabulary,
    "signs": _signs,
    "described": _described,
    "page": _page,
}

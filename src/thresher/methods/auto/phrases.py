"""The evidence about a block in words that a person uses: "mostly links", "in the sidebar", "repeated in the page".

One function for each kind of evidence.  It says what can be seen of the block and the page; whether that speaks for the
block or against it is for the model that judged to say (reasons).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice

import numpy as np

from thresher.data.tags import TAGS
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
_PLACES = {
    "article": "in the article",
    "main": "in the main part of the page",
    "nav": "in a menu",
    "menu": "in a menu",
    "footer": "in the footer",
    "aside": "in the sidebar",
    "header": "in the header",
    "form": "in a form",
}
# What people call the parts that web designers name so
_NAMED_PLACES = {
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
    "byline author authors writer": "in the byline",
    "tag tags": "among tags",
    "caption": "in a caption",
    "search": "in a search box",
    "modal popup overlay dialog": "in a dialog",
    "article post entry story": "in the article",
    "main maincontent": "in the main part of the page",
}
_PLACE_OF = {word: said for words, said in _NAMED_PLACES.items() for word in words.split()}
_PART = re.compile(r"[a-z]+")


def _length(page: Page, row: int, x: Singles) -> str:
    words = round(float(np.expm1(x[_COLUMN["own words"]])))
    if words == 1:
        return "a single word"
    return f"a {'short ' if words < _SHORT else 'long ' if words > _LONG else ''}text of {words} words"


def _sentences(page: Page, row: int, x: Singles) -> str:
    return "whole sentences" if x[_COLUMN["own sentences"]] > 0 else "no whole sentence"


def _links(page: Page, row: int, x: Singles) -> str:
    own, around = x[_COLUMN["own linked"]], x[_COLUMN["level 1 linked"]]
    if own > _MOST:
        return "mostly links"
    return "among links" if around > _MOST else "some links" if own > _FEW else "few links"


def _tags(page: Page, row: int, x: Singles) -> str:
    form = next((said for name, said in _FORMS.items() if x[_COLUMN[f"in {name}"]]), "")
    tags = (TAGS[page.tag[up]] for up in _path(page, row))
    place = next((_PLACES[tag] for tag in tags if tag in _PLACES), "")
    return ", ".join(filter(None, (form, place))) or "in no marked part of the page"


def _names(page: Page, row: int, x: Singles) -> str:
    known = _named(page)
    path = [known[up] for up in _path(page, row) if up in known]
    # The innermost telling name: a sidebar in a post is a sidebar.
    for name in path:
        place = next((_PLACE_OF[part] for part in _PART.findall(name.lower()) if part in _PLACE_OF), "")
        if place:
            return f"{place} (named “{name}”)"
    quoted = ", ".join(f"“{name}”" for name in path[:_MAX_NAMES])
    return f"the page calls it {quoted}" if quoted else "the page gives it no name"


def _path(page: Page, row: int) -> Iterator[int]:
    """The element of a block and those around it, the innermost first."""
    at = int(blocks(page).at[row])
    return islice(chain((at,), page.ancestors(at)), _MAX_STEPS_UP)


@memoised
def _named(page: Page) -> dict[int, str]:
    """The class, or else the id, of each element that has one."""
    known: dict[int, str] = {}
    for attribute in ("id", "class"):
        rows, code, values = attributes.distinct(page, attribute)
        short = [" ".join(value.split())[:40] for value in values]
        known.update({at: short[k] for at, k in zip(rows.tolist(), code.tolist(), strict=True) if short[k]})
    return known


def _wording(page: Page, row: int, x: Singles) -> str:
    return "the words it begins with"


def _containers(page: Page, row: int, x: Singles) -> str:
    share = x[_COLUMN["level 2 share"]]
    part = "most" if share > _MOST else "little" if share < _FEW else "some"
    return f"in a part with {part} of the page's text"


def _repeats(page: Page, row: int, x: Singles) -> str:
    alike = round(float(np.expm1(x[_COLUMN["same_path"]])))
    if alike == 1:
        return "nothing else in the page looks like it"
    return f"repeated in the page ({alike} alike)"


def _place(page: Page, row: int, x: Singles) -> str:
    place = x[_COLUMN["at place"]]
    where = "near the top" if place < _TOP else "near the bottom" if place > _BOTTOM else "in the middle"
    return f"{where} of the page"


def _prose(page: Page, row: int, x: Singles) -> str:
    is_below = x[_COLUMN["prose blocks_after_run"]]
    return f"{'in' if x[_COLUMN['prose in_run']] else 'below' if is_below else 'above'} the main text"


def _vocabulary(page: Page, row: int, x: Singles) -> str:
    return f"{'' if x[_COLUMN['vocabulary run_1']] > _MIN_COMMON else 'few '}words in common with the main text"


def _signs(page: Page, row: int, x: Singles) -> str:
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


def _described(page: Page, row: int, x: Singles) -> str:
    if x[_COLUMN["described body"]] > 0:
        return "in the text that the page gives to search engines"
    return "what the page tells search engines about itself"


def _page(page: Page, row: int, x: Singles) -> str:
    return "what is usual on pages of this kind"  # the result says which: a type may also come from the page's own data


PHRASES: dict[str, Callable[[Page, int, Singles], str]] = {
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

"""What may be hidden though nothing that was read says so: left out where `hidden="strict"` asks for it.

    rules not read     the page has more style rules than are read: all of it may be hidden
    sheets not loaded  the page loads style sheets, which are not read, and an element looks like one that they hide:
                       by a class or id (`js-hide`, `sr-only`, `off-screen`, `modal`, `lg:hidden`), by `aria-hidden` or
                       `inert`, as a dialog or tooltip, as what a control opens that is not expanded
    until a script     the styles hide it, and it looks as if a script showed it later (until_script.py)
    until found        `hidden="until-found"`: shown when the reader searches for it

A sheet may hide an element that looks like any other.  To leave out all that it could hide would leave nothing of any
page; to be sure of those too, render the page, and nothing is in doubt.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from thresher.css.page_sheets import uses_other_sheets
from thresher.css.values import distinct
from thresher.data.tags import group
from thresher.page import Page, attributes
from thresher.page.columns import chars
from thresher.page.tree import text_sum
from thresher.page.types import Bools, Ints, Rows
from thresher.text.patterns import compile_later

__all__ = ["Doubts", "doubts", "hiding_name"]

_RULES = "perhaps by style rules that were not read, for they are too many"
_SHEETS = "perhaps by a style sheet that was not loaded ({})"
_SCRIPT = "unless a script shows it"
_FOUND = "until it is searched for (hidden=until-found)"

_NO_ROWS: Rows = np.zeros(0, np.intp)
_ROOTS = group(("html", "body"))  # their classes tell the state of other elements: `menu-hidden`
_FLAGS = {"aria-hidden": b"true", "aria-modal": b"true", "data-state": b"closed"}
_ROLES = frozenset(b"dialog alertdialog tooltip menu listbox".split())

# Words of which names of what is hidden are made, and pairs of words that stand one after the other in a name.
_HIDING = frozenset(
    """hidden hide invisible unseen nodisplay displaynone offscreen visuallyhidden screenreader sronly assistive
    sr-only screen-reader for-sr off-screen off-left d-none display-none no-display print-only only-print mobile-only
    only-mobile""".split()
)
# The same of what stays closed until it is used.
_CLOSED = frozenset(
    "collapsed collapse closed modal popup popover tooltip lightbox offcanvas flyout dropdown-menu tab-pane".split()
)
# Words beside them that name the element itself, or nothing; others may name another: `sidebar-hidden`.
_NEUTRAL = frozenset(
    """js is u ui c o vc wp w condition elementor util utility helper state all initially default visually accessible
    accessibility a11y element text content block box d display desktop lg xl md up large wide only reader screen sr off
    left for no print mobile dropdown menu tab pane panel accordion answer cdk usa govuk""".split()
)
# Words beside them by which nothing is hidden, or nothing on a wide screen: `overflow-hidden`, `hidden-xs`.
_NOT_HIDING = frozenset(
    """overflow backface scroll scrollbar border xs sm small phone handheld touch tablet tag category cat term topic not
    un toggle trigger button btn link icon""".split()
)
_ON_NARROW_ONLY = frozenset({"mobile", "print"})  # with `only` they hide elsewhere, without it there
# Classes of no size or colour, and places far away.
_SIZELESS = compile_later(
    r"(?:opacity|scale|[hw]|size|max-[hw])-0|-?(?:left|right|top|indent|translate-[xy])-\[?-?9{3,}.*"
)
# Classes beside it that say that an element is shown: on wide screens, or now, as the open one of several tabs.
_SHOWN_WIDE = compile_later(
    r"(?:sm|md|lg|xl|2xl):(?:(?:inline-)?(?:block|flex|grid|table)|inline|contents|table-\w+|visible|opacity-[1-9]\d*)"
    r"|d-(?:sm|md|lg|xl|xxl)-(?!none)\w+"
)
_OPEN = compile_later(r"(?:is-)?(?:active|shown?|in|open(?:ed)?|current|selected|visible|expanded)")
_ON_WIDE = compile_later(r"(?:sm|md|lg|xl|2xl):(?:hidden|invisible)")
_WORD = compile_later(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_MAX_WORDS = 4  # of a name; longer ones are sentences: `post-why-we-hide-things`
_MAX_NAME_BYTES = 1_000  # of a class attribute
_MAX_SHARE = 0.25  # of the page's text in elements with a name that may tell of something else


class Doubts(NamedTuple):
    """For each row the number of the first reason to doubt that it is seen, in words; 0 for none."""

    number: Ints
    words: list[str]


def doubts(page: Page, opened: Bools, unread: bool) -> Doubts:
    """The rows of a page that was not rendered which may be hidden, with all they hold, and why.

    `opened` are the rows that styles hide and a script is believed to show; `unread` tells that rules were left out.
    """
    reasons = [
        (_RULES, np.flatnonzero(page.parent < 0) if unread else _NO_ROWS),
        (_SCRIPT, np.flatnonzero(opened)),
        (_FOUND, _saying(page, "hidden", b"until-found")),
    ]
    if uses_other_sheets(page):
        reasons += [(_SHEETS.format(words), rows[~_ROOTS[page.tag[rows]]]) for words, rows in _marked(page)]
    reasons = [(words, rows) for words, rows in reasons if len(rows)]
    number = np.zeros(len(page), np.int32)
    for place, (_, rows) in reversed(list(enumerate(reasons, 1))):
        number[rows] = place
    return Doubts(number, ["", *(words for words, _ in reasons)])


def _saying(page: Page, name: str, said: bytes) -> Rows:
    """The rows with an attribute that says this."""
    return np.array(attributes.rows_saying(page, name, said), np.intp)


def _marked(page: Page) -> list[tuple[str, Rows]]:
    """What marks elements that style sheets hide, and the elements."""
    marked = [(f"{name}={said.decode()}", _saying(page, name, said)) for name, said in _FLAGS.items()]
    marked.append(("inert", attributes.find(page, "inert").row))
    roles = distinct(page, "role")
    for number, role in enumerate(roles.values):
        if role.strip().lower() in _ROLES:
            marked.append((f"role {role.strip().lower().decode()}", roles.of(number)))
    for name in ("class", "id"):
        marked += _named(page, name)
    marked.append(("a closed panel", _closed_panels(page)))
    return marked


def _named(page: Page, attribute: str) -> list[tuple[str, Rows]]:
    """Elements by a class or id that tells of something hidden; a name that may speak of another element counts only
    where those who have it are no large part of the page."""
    values = distinct(page, attribute)
    numbers: dict[str, list[int]] = {}
    for number, value in enumerate(values.values):
        token = hiding_name(value[:_MAX_NAME_BYTES].decode(errors="replace"))
        if token:
            numbers.setdefault(token, []).append(number)
    size = text_sum(page, chars(page)) if numbers else np.zeros(1)
    named = []
    for token, some in numbers.items():
        rows = values.of_any(some)
        if _is_about_itself(token) or size[rows].sum() < _MAX_SHARE * size[0]:
            named.append((f"{attribute} {token}", rows))
    return named


def hiding_name(value: str) -> str | None:
    """The token of a class or id that tells of something hidden on a wide screen: `js-hide` of "note js-hide"."""
    tokens = value.split()
    if any(_SHOWN_WIDE.fullmatch(token) for token in tokens):
        return None
    words = _HIDING if any(_OPEN.fullmatch(token) for token in tokens) else _HIDING | _CLOSED
    return next((token for token in tokens if _hides(token, words)), None)


def _hides(token: str, hiding: frozenset[str]) -> bool:
    if _SIZELESS.fullmatch(token) or _ON_WIDE.fullmatch(token):
        return True
    words = _words(token)
    if ":" in token or len(words) > _MAX_WORDS or not _NOT_HIDING.isdisjoint(words):
        return False  # with a colon: in a state that the page is not in
    if not _ON_NARROW_ONLY.isdisjoint(words) and "only" not in words:
        return False
    return not hiding.isdisjoint([*words, *map("-".join, pairwise(words))])


def _is_about_itself(token: str) -> bool:
    return all(word in _HIDING or word in _CLOSED or word in _NEUTRAL or word.isdigit() for word in _words(token))


def _words(token: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(token)]


def _closed_panels(page: Page) -> Rows:
    """What a control that is not expanded opens."""
    closed = attributes.rows_saying(page, "aria-expanded", b"false")
    if not closed:
        return _NO_ROWS
    opens = attributes.values(page, "aria-controls")
    wanted = {name for row in closed for name in opens.get(row, "").split()}
    return np.array([row for row, name in attributes.values(page, "id").items() if name in wanted], np.intp)

"""Pages that hide themselves until a script runs, told from pages that hide something.

Some pages make their body, or the wrapper around all of it, invisible and show it when everything is loaded.  Others
fade their sections in as one scrolls.  What a reader would see then is what counts.  But a hidden instruction must not
come in this way, so a row is opened only if

    it is `html` or `body`; or
    it is a wrapper: hidden by style as scripts do it (display, visibility, opacity), or from screen readers while a
    dialog is open (aria-hidden, then of thirty elements), with more than twice the text that can be seen outside of it,
    built like a page (a heading or thirty elements, or the name of an application's root), and no prose can be seen
    outside of it but in headers, footers, dialogs and notices; where it holds a `main`, links, headers and the like
    do not count as text, for the menus of large sites have more words than their pages; or
    it is one of many parts that together are such a wrapper, of a hundred elements, all hidden by one property; or
    it is transparent and wears the sign of a library that fades it in, as several rows of the page do; a single one
    must be nearly the whole page.

A page with a visible article hides nothing of itself, however much it hides.
"""

from __future__ import annotations

import re

import numpy as np

from thresher.data.tags import NUMBER, UNREAD, group
from thresher.page import Page, attributes
from thresher.page.columns import chars, in_link, sentence_ends
from thresher.page.parts import Parts, with_part
from thresher.page.tree import block_sum, inherit, text_sum, texts_within, within
from thresher.page.types import Bools, Bytes, Longs
from thresher.text.patterns import compile_later
from thresher.visible.kernels import mark_rows, survey

__all__ = ["has_prose", "marked", "shown_later"]


_BY_SCRIPTS = ("display", "visibility", "opacity", "aria-hidden")
_ROOTS = group(("html", "body"))
_UNREAD = group(UNREAD)
# Marks of rows, kinds of tags and answers of `survey`, as the loop knows them.
_HIDES, _OTHERWISE, _BY_ATTRIBUTE, _FROM_READERS, _OPENED, _CANDIDATE = (1 << bit for bit in range(6))
_OTHER = _HIDES | _OTHERWISE
_MARKS = dict.fromkeys(_BY_SCRIPTS, _HIDES) | {"aria-hidden": _HIDES | _FROM_READERS}
_KINDS = sum(group_.astype(np.uint8) << bit for bit, group_ in enumerate((_ROOTS, _UNREAD, group(("main",)))))
_SOME_OPENED, _SOME_CANDIDATES, _HOLD_MAIN = 1, 2, 4
_HEADINGS = group(("h1", "h2", "h3", "main", "article"))
_BESIDE = group(("header", "footer", "nav", "aside", "form", "dialog", "button", "label"))
_BESIDE_ROLES = frozenset({"dialog", "alertdialog", "alert", "banner", "navigation", "contentinfo", "status"})
# What classes and ids of notices hold; of the last that it begins a word.
_NOTICE_PARTS = Parts(
    *b"cookie consent gdpr privacy banner notice alert loader loading spinner splash".split(),
    *b"noscript no-js nojs footer header menu".split(),
)
_NAV_PARTS = Parts(b"nav")
_NAV = compile_later(r"\bnav", re.IGNORECASE)
_ROOT_NAME = compile_later(
    rb'\ id="(?:__next|__nuxt|___gatsby|[\w-]*(?:app|root|page|wrapper|main|content|site)[\w-]*)"'
)
# Attributes, classes and styles by which libraries for animation mark what they fade in.
_ANIMATED = compile_later(
    rb"""\ data-(?:aos|w-id|sal|scroll|animat|wow|reveal)
    | \ class="[^"]*(?:animat|\baos|fade-?in|reveal|\bwow\b|in-?view|waypoint|appear)
    | \ style="[^"]*(?:transform|transition|animation|will-change)""",
    re.IGNORECASE | re.VERBOSE,
)
_MIN_PARTS = 3  # rows that fade in, or parts of a page
_MIN_PROSE_CHARS = 40  # characters outside of links in a block with a sentence; "Please wait, loading …" has fewer
_MIN_WRAPPER_ELEMENTS, _MIN_WHOLE_PAGE_ELEMENTS = 30, 100
_MIN_NAMED_WRAPPER_ELEMENTS = 3
_MAX_HIDDEN_SHARE = 3  # a wrapper holds the page if the texts are more than so many times those outside
_MAX_OPENED = 20  # wrappers in each other or beside each other


def marked(page: Page, told: dict[str, Bools]) -> tuple[dict[str, Bools], Bytes]:
    """The reasons that hide any row, and marks of the rows that they hide.

    `told` are the rows hidden by each property, attribute or class.
    """
    marks = np.zeros(len(page.tag), np.uint8)
    reasons = {
        reason: rows
        for reason, rows in told.items()
        if mark_rows(rows.view(np.uint8), _MARKS.get(reason, _OTHER), marks)
    }
    return reasons, marks


def shown_later(
    page: Page, reasons: dict[str, Bools], marks: Bytes, by_attribute: Bools | None
) -> tuple[Bools | None, Bools]:
    """Which of the rows that something hides are to be opened, None for none; and those that stay hidden.

    `by_attribute` are the rows that an attribute hides (`hidden`), although the reason is the same as for a style.
    """
    if by_attribute is not None:
        mark_rows(by_attribute.view(np.uint8), _BY_ATTRIBUTE, marks)
    fading = _fades_in(page, reasons)
    if fading is not None:
        mark_rows(fading.view(np.uint8), _OPENED, marks)
    closed, sizes = np.empty(len(page.tag), bool), np.empty(2, np.int64)
    found = survey(
        marks, page.tag, page.end, page.first, page.last, chars(page), _KINDS, _MIN_WRAPPER_ELEMENTS,
        closed.view(np.uint8), sizes,
    )  # fmt: skip
    total, outside = sizes.tolist()
    may_hold = _MAX_HIDDEN_SHARE * outside < total  # a wrapper may hold the page
    if not found & _SOME_CANDIDATES or not (may_hold or found & _HOLD_MAIN):  # nothing below opens anything
        return (marks & _OPENED > 0 if found & _SOME_OPENED else None), closed
    shown: Bools = marks & _OPENED > 0
    shown |= _opened(page, reasons, marks & _CANDIDATE > 0, closed, total, outside)
    return shown, closed & ~shown


def _opened(page: Page, reasons: dict[str, Bools], candidates: Bools, closed: Bools, total: int, outside: int) -> Bools:
    """Those of the candidates that are to be opened, of a page with so many characters in all and outside of what is
    closed."""
    shown = np.zeros(len(page), bool)
    length = chars(page) * ~texts_within(page, _UNREAD[page.tag])
    if 5 * outside < total and not has_prose(page, length * ~texts_within(page, closed)):
        shown |= _parts(page, reasons, candidates, length, outside)
    main = _holding_main(page, candidates) & ~shown
    if main.any():
        beside = in_link(page) | within(page, _around_content(page))[page.owner]
        shown |= _wrappers(page, main, closed & ~shown, length * ~beside)
    if _MAX_HIDDEN_SHARE * outside >= total:  # no wrapper holds the page
        return shown
    return shown | _wrappers(page, candidates, closed & ~shown, length)


def _holding_main(page: Page, candidates: Bools) -> Bools:
    """Those of some rows that are a `main` or hold one."""
    holding = np.zeros(len(page), bool)
    for main in np.flatnonzero(page.tag == NUMBER["main"])[:_MAX_OPENED].tolist():
        holding[: main + 1] |= candidates[: main + 1] & (page.end[: main + 1] > main)
    return holding


def _wrappers(page: Page, candidates: Bools, closed: Bools, length: Longs) -> Bools:
    """Rows that hold the page, outermost first, where texts count by these lengths."""
    shown = np.zeros(len(page), bool)
    texts = text_sum(page, length)
    for _ in range(_MAX_OPENED):
        seen = ~within(page, closed & ~shown)[page.owner]
        outside = int((length * seen).sum())
        if _MAX_HIDDEN_SHARE * outside >= texts[0]:
            break
        rows = np.flatnonzero(candidates & closed & ~shown & (texts > 2 * outside))
        rows = rows[np.argsort(-texts[rows], kind="stable")]
        wrapper = next((row for row in rows.tolist() if _is_page_like(page, row)), None)
        if wrapper is None:
            break
        if has_prose(page, length * seen) and not _is_whole(page, wrapper, texts, outside):
            break
        shown[wrapper] = True
    return shown


def _parts(page: Page, reasons: dict[str, Bools], candidates: Bools, length: Longs, outside: int) -> Bools:
    """Rows that one property hides, side by side or in each other, and that together are nearly the whole page, where
    to open a single one would not show most of it."""
    for name in _BY_SCRIPTS:
        parts = candidates & reasons[name] if name in reasons else candidates[:0]
        if (
            np.count_nonzero(parts) < _MIN_PARTS
            or np.count_nonzero(inside := within(page, parts)) < _MIN_WHOLE_PAGE_ELEMENTS
        ):
            continue
        nearest = inherit(page, np.where(parts, np.arange(len(page)), 0), parts)[page.owner]
        shows = np.bincount(nearest, weights=length * inside[page.owner])
        if shows.sum() > max(4 * outside, 2 * shows.max()):
            return parts
    return np.zeros(len(page), bool)


def _is_page_like(page: Page, row: int) -> bool:
    """Whether a row is built like a page rather than like a note."""
    size = int(page.end[row]) - row
    if size >= _MIN_WRAPPER_ELEMENTS:
        return True
    inside = page.tag[row : page.end[row]]
    named = _ROOT_NAME.search(page.markup, int(page.tag_start[row]), int(page.tag_stop[row])) is not None
    return size >= _MIN_NAMED_WRAPPER_ELEMENTS and (named or bool(_HEADINGS[inside].any()))


def _is_whole(page: Page, row: int, texts: Longs, outside: int) -> bool:
    """Whether a row that fades in is so large that nothing else is the page."""
    large = page.end[row] - row >= _MIN_WHOLE_PAGE_ELEMENTS and texts[row] > 4 * outside
    return bool(large) and _is_animated(page, row)


def _is_animated(page: Page, row: int) -> bool:
    return _ANIMATED.search(page.markup, int(page.tag_start[row]), int(page.tag_stop[row])) is not None


def has_prose(page: Page, length: Longs) -> bool:
    """Whether some of the texts with a length are sentences of some size, outside of what stands around content."""
    prose = block_sum(page, length * ~in_link(page)) >= _MIN_PROSE_CHARS
    prose &= block_sum(page, sentence_ends(page) * (length > 0)) > 0
    if not prose.any():
        return False
    owners = page.owner[prose[page.block] & (length > 0)]
    return not within(page, _around_content(page))[owners].all()


def _around_content(page: Page) -> Bools:
    """Headers, footers, notices: elements whose sentences are not what a page is about."""
    around: Bools = _BESIDE[page.tag].copy()
    for attribute in ("class", "id"):
        values = attributes.numbered(page, attribute)
        named = np.zeros(len(values.start), bool)
        named[with_part(page, attribute, _NOTICE_PARTS)] = True
        for number in with_part(page, attribute, _NAV_PARTS):
            named[number] |= _NAV.search(attributes.value_of(page, values, number).decode()) is not None
        around[values.row[named[values.code]]] = True
    rows, code, roles = attributes.distinct(page, "role")
    if roles:
        around[rows[np.array([role.strip().lower() in _BESIDE_ROLES for role in roles])[code]]] = True
    return around & ~_ROOTS[page.tag]


def _fades_in(page: Page, reasons: dict[str, Bools]) -> Bools | None:
    """Which rows are transparent, hidden by nothing else, and marked as fading in, where several are."""
    clear = reasons.get("opacity")
    if clear is None or np.count_nonzero(clear) < _MIN_PARTS:
        return None
    shown = np.zeros(len(page), bool)
    others = [rows for name, rows in reasons.items() if name != "opacity"]
    alone = clear & ~np.logical_or.reduce(others) if others else clear
    for row in np.flatnonzero(alone).tolist():
        shown[row] = _is_animated(page, row)
    return shown if np.count_nonzero(shown) >= _MIN_PARTS else None

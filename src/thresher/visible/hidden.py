"""Which elements a page hides from its readers, and by what.

Read are attributes (`hidden`, `aria-hidden`, a closed dialog, a popover), the class names that everybody uses for text
meant for screen readers, style attributes, and the rules of the page's own style sheets, cascaded as a browser does on
a desktop screen before the user has done anything.  Sheets loaded from elsewhere are not seen.

`display`, `opacity`, a zero box, a clip or a place off the screen hide all that stands inside an element.
`visibility`, `font-size` and `color` are inherited instead: a descendant that sets its own value shows again.  An
element is `hidden` when nothing inside it shows; one with such a descendant has its
`own_text_hidden` only.

Many pages hide themselves until a script runs.  What a reader would see then is what counts (until_script.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.css.cascade import Hint, styles
from thresher.css.cascade_entries import ATTRIBUTE, Styles
from thresher.css.hiding import Effect
from thresher.css.lengths import is_zero
from thresher.css.page_sheets import uses_other_sheets
from thresher.css.properties import INHERITED, SIZES
from thresher.css.values import distinct
from thresher.data.tags import NUMBER
from thresher.page import Page, attributes, memoised
from thresher.page.columns import column, has
from thresher.page.parts import Parts, with_part
from thresher.page.types import Bools, Rows
from thresher.text.patterns import compile_later
from thresher.visible.by_styles import hidden_by_styles
from thresher.visible.doubts import Doubts, doubts
from thresher.visible.kernels import pass_on
from thresher.visible.screen_readers import left_out
from thresher.visible.until_script import marked, shown_later
from thresher.visible.vanishing import vanishing
from thresher.visible.word_kernels import mark_saying

__all__ = ["causes", "doubtful", "hidden", "hiding", "is_own_text_hidden", "own_text_hidden", "styles_unread"]

# Classes by which style sheets everywhere hide text that is meant for screen readers.
SCREEN_READER = frozenset(
    b"""
    sr-only visually-hidden visuallyhidden screen-reader-text screenreader-only u-visually-hidden a11y-hidden
    hide-accessible element-invisible show-for-sr usa-sr-only govuk-visually-hidden slds-assistive-text
    cdk-visually-hidden is-visually-hidden screen-reader-only
    """.split()
)
# Bootstrap's `display: none !important`, unless a class of the same family shows the element on wide screens.
_BOOTSTRAP_NONE = b"d-none"
_BOOTSTRAP_WIDTHS = (b"d-sm-", b"d-md-", b"d-lg-", b"d-xl-")

# Properties that pass on to what is inside.
_INHERITED = tuple(name for name in INHERITED if name != "line-height")
_TEXTLESS = {"hidden input"}  # a reason by which no text is hidden
_NO_ROWS: Bools = np.zeros(0, bool)


class _Verdict(NamedTuple):
    hidden: Bools
    own_text_hidden: Bools | None  # None where there is no such row, as on most pages
    reasons: dict[str, Bools]  # rows hidden by each attribute, class name or property
    styles: Styles
    opened: Bools | None = None  # of a page to be judged strictly: rows that a script is believed to show
    doubts: Doubts | None = None  # of a page to be judged strictly: rows that hide what is in them in doubt only


@column
def hidden(page: Page) -> Bools:
    """Elements hidden by themselves, with all they hold; those inside them are not marked for it."""
    return _verdict(page).hidden


@column
def own_text_hidden(page: Page) -> Bools:
    """Elements whose own text is unseen though something inside them shows."""
    veil = _verdict(page).own_text_hidden
    return np.zeros(len(page), bool) if veil is None else veil


def is_own_text_hidden(page: Page) -> bool:
    """Whether there is any such element."""
    return _verdict(page).own_text_hidden is not None


@column
def doubtful(page: Page) -> Bools:
    """Elements of a page to be judged strictly that count as hidden only because nobody can tell whether they are."""
    in_doubt = _verdict(page).doubts
    return np.zeros(len(page), bool) if in_doubt is None else in_doubt.number > 0


def styles_unread(page: Page) -> bool:
    """Whether the page's styles were too many to be read to the end: then something hidden may be taken for seen."""
    return _verdict(page).styles.unread


def causes(page: Page) -> dict[int, str]:
    """Why each hidden element, or one with hidden text, is so, in a few words: `display: none by style rule .popup`."""
    verdict = _verdict(page)
    rows = verdict.hidden | own_text_hidden(page)
    return {row: _cause(verdict, row) for row in np.flatnonzero(rows).tolist()}


def hiding(page: Page, rows: Rows) -> dict[int, frozenset[str]]:
    """All that hides each of some hidden elements: properties, attributes ("hidden attribute"), class names.  A box of
    a pixel, which is made for screen readers, is told from one of none."""
    verdict = _verdict(page)
    reasons: dict[int, set[str]] = {row: set() for row in rows.tolist()}
    for reason, mask in verdict.reasons.items():
        hit = rows[mask[rows]]
        winner = verdict.styles.winner.get(reason)
        entries = [0] * len(hit) if winner is None else winner[hit].tolist()
        said = {entry: _said(verdict.styles, reason, entry) for entry in set(entries)}
        for row, entry in zip(hit.tolist(), entries, strict=True):
            reasons[row].add(said[entry])
    return {row: frozenset(names) for row, names in reasons.items()}


def _said(styles: Styles, reason: str, entry: int) -> str:
    """What hides, by the entry that wins; 0 for none."""
    declared = styles.declared(entry) if entry else None
    if declared is not None and declared.level == ATTRIBUTE:
        return declared.words
    if declared is not None and reason in SIZES and not is_zero(declared.value):
        return f"{reason} of a pixel"
    return reason


def _cause(verdict: _Verdict, row: int) -> str:
    if verdict.doubts is not None and verdict.doubts.number[row]:
        return verdict.doubts.words[int(verdict.doubts.number[row])]
    reason = next(name for name, mask in verdict.reasons.items() if mask[row])
    if reason not in verdict.styles.winner:
        return reason
    entry = int(verdict.styles.winner[reason][row])
    return verdict.styles.declared(entry).words if entry else f"{reason} of an element around it"


@memoised
def _verdict(page: Page) -> _Verdict:
    verdict = _judged(page)
    return _with_doubts(page, verdict) if page.strict and page.box is None else verdict


def _with_doubts(page: Page, verdict: _Verdict) -> _Verdict:
    """What may be hidden counts as hidden."""
    opened = np.zeros(len(page), bool) if verdict.opened is None else verdict.opened
    in_doubt = doubts(page, opened, verdict.styles.unread)
    in_doubt.number[verdict.hidden] = 0
    return verdict._replace(hidden=verdict.hidden | (in_doubt.number > 0), doubts=in_doubt)


def _judged(page: Page) -> _Verdict:
    hints = _hints(page)
    won = styles(page, hints)
    told = {**_named(page), **hidden_by_styles(page, won)}
    unseen_colour = _NO_ROWS
    if "color" in won.winner:
        unseen_colour, told["color"] = vanishing(page, won)
    reasons, marks = marked(page, told)
    if not reasons:
        return _Verdict(marks.view(bool), None, reasons, won)
    if reasons.keys() == _TEXTLESS:  # nor is there anything that a script might open
        return _Verdict(reasons["hidden input"], None, reasons, won)
    shown, mask = shown_later(page, reasons, marks, _by_attribute(won) if hints else None)
    if shown is None and reasons.keys().isdisjoint(_INHERITED):
        return _Verdict(mask, None, reasons, won)
    opened = _opened(reasons, shown) if page.strict and shown is not None else None
    mask, veil = np.zeros((2, len(page)), bool)
    is_veiled = False
    for reason, rows in reasons.items():
        if shown is not None:
            rows &= ~shown
        if reason not in _INHERITED:
            mask |= rows
            continue
        reasons[reason], shows = np.empty((2, len(page)), bool)
        by_colour = reason == "color"
        again = _NO_ROWS if by_colour else _shown_again(won, reason, rows)
        columns = (rows, again, unseen_colour if by_colour else _NO_ROWS, reasons[reason], shows, mask, veil)
        is_veiled |= pass_on(page.parent, *(column.view(np.uint8) for column in columns)) > 0
    return _Verdict(mask, veil if is_veiled else None, reasons, won, opened)


def _opened(reasons: dict[str, Bools], shown: Bools) -> Bools:
    """Rows that are shown though something hides them from eyes."""
    opened: Bools = np.zeros(len(shown), bool)
    for reason, rows in reasons.items():
        opened |= rows & shown & (reason != "aria-hidden")
    return opened


def _by_attribute(won: Styles) -> Bools | None:
    """Rows whose display an attribute decides."""
    return won.origin[won.winner["display"]] == ATTRIBUTE if "display" in won.winner else None


# ---- attributes and class names ------------------------------------------------------------------------------


def _hints(page: Page) -> list[Hint]:
    """Attributes that act as `display: none` does, until a style says otherwise."""
    hints = []
    if attributes.is_used(page, "hidden") and len(rows := _hidden_by_attribute(page)):
        hints.append(Hint(_NO_DISPLAY, "hidden attribute", rows))
    if attributes.is_used(page, "popover"):
        hints.append(Hint(_NO_DISPLAY, "popover attribute", attributes.find(page, "popover").row))
    if has(page, "dialog"):
        closed = np.flatnonzero((page.tag == NUMBER["dialog"]) & ~attributes.rows_with(page, "open"))
        hints.append(Hint(_NO_DISPLAY, "closed dialog", closed))
    return hints


def _hidden_by_attribute(page: Page) -> Rows:
    """The elements with `hidden`, but for what is found by a search and for pieces of the page that are sent later."""
    by_attribute = distinct(page, "hidden")
    shut = [number for number, value in enumerate(by_attribute.values) if value.strip().lower() != b"until-found"]
    rows = by_attribute.of_any(shut)
    streamed = _streamed(page) if len(rows) else []
    return rows[~np.isin(rows, streamed)] if streamed else rows


def _streamed(page: Page) -> list[int]:
    """Elements that are pieces of the page, sent later and in a hidden wrapper, to be put by a script where React left
    a template for them: `<template id="B:1">` … `<div hidden id="S:1">`."""
    rows = np.flatnonzero(page.tag == NUMBER["template"])
    if not len(rows) or b"S:" not in page.markup:
        return []
    ids = attributes.values(page, "id")
    awaited = {name for row in rows.tolist() if _AWAITED.fullmatch(name := ids.get(row, ""))}
    wrappers = ((row, _SENT.fullmatch(name)) for row, name in ids.items())
    return [row for row, sent in wrappers if sent and any(f"{sent[1]}{kind}:{sent[2]}" in awaited for kind in "BP")]


_AWAITED = compile_later(r"[\w-]*[BP]:[0-9a-f]+")
_SENT = compile_later(r"([\w-]*)S:([0-9a-f]+)")
_NO_DISPLAY = Effect("display", hides=True, colour=b"", important=False)


def _named(page: Page) -> dict[str, Bools]:
    """Rows that an attribute or a class name hides whatever the styles say."""
    reasons: dict[str, Bools] = {}
    if has(page, "input"):
        inputs = _saying(page, "type", b"hidden", NUMBER["input"])
        if inputs is not None:
            reasons["hidden input"] = inputs
    classes = attributes.numbered(page, "class")
    numbers: dict[bytes, list[int]] = {}
    for number in with_part(page, "class", _HIDING_CLASSES):
        tokens = page.markup[classes.start[number] : classes.stop[number]].split()
        for_readers = SCREEN_READER.intersection(tokens)
        if for_readers:
            numbers.setdefault(min(for_readers), []).append(number)
        elif _BOOTSTRAP_NONE in tokens and not any(map(_shows_when_wide, tokens)):
            numbers.setdefault(_BOOTSTRAP_NONE, []).append(number)
    for token, some in numbers.items():
        reasons[f"class {token.decode()}"] = _marking(page, attributes.rows_of(classes, some))
    true = _saying(page, "aria-hidden", b"true")
    if true is not None:
        rows = true.nonzero()[0]
        rows = rows[~_has_twin(page, rows, reasons)] if numbers else rows
        reasons["aria-hidden"] = _marking(page, rows[left_out(page, rows, uses_other_sheets(page))])
    return reasons


def _marking(page: Page, rows: NDArray[np.integer]) -> Bools:
    marks = np.zeros(len(page.tag), bool)
    marks[rows] = True
    return marks


def _saying(page: Page, name: str, said: bytes, tag: int = -1) -> Bools | None:
    """The rows, of one tag if it is given, with an attribute that says this; None for none."""
    if not attributes.is_used(page, name):
        return None
    rows: Bools = np.zeros(len(page.tag), bool)
    where = attributes.columns(page, name)
    return rows if mark_saying(page.markup, *where, said, tag < 0, page.tag, tag, rows.view(np.uint8)) else None


def _has_twin(page: Page, rows: Rows, named: dict[str, Bools]) -> Bools:
    """Which of some rows have a sibling for screen readers: then they are what the eye sees instead.

    `<span aria-hidden="true">$5</span><span class="sr-only">five dollars</span>`
    """
    parents = np.zeros(len(page) + 1, bool)
    for words, mask in named.items():
        if words.startswith("class "):
            parents[page.parent[mask]] = True
    parents[-1] = False
    return parents[page.parent[rows]]


_HIDING_CLASSES = Parts(*sorted(SCREEN_READER), _BOOTSTRAP_NONE)


def _shows_when_wide(token: bytes) -> bool:
    return token.startswith(_BOOTSTRAP_WIDTHS) and not token.endswith(b"-none")


def _shown_again(won: Styles, name: str, rows: Bools) -> Bools:
    """Rows on which an inherited property that hides others has a value of its own that does not."""
    if np.count_nonzero(won.winner[name]) == np.count_nonzero(rows):
        return _NO_ROWS
    return won.shows(name)

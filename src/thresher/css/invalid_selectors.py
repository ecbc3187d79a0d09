"""Invalid selectors: one of them in a list, and a browser drops the whole rule.

    p, .note:hovr { display: block }        does nothing, though p is fine

Rejected is only what is certain of the browsers of today: signs that have no meaning in a selector, names that begin
with a digit, combinators without a partner, tests of attributes that are none, brackets without their like, and
pseudo-classes and -elements that do not exist; inside of `:not()` and `:has()` too, while `:is()` and `:where()`
forgive.  Names with `-webkit-` may exist, and names with a namespace may be declared.
"""

from __future__ import annotations

import re
from functools import lru_cache

from thresher.css.selector import IDENT, MAX_NESTING, MAX_SELECTOR_BYTES, STEP, bracketed, step_and_choice
from thresher.css.text import split_list
from thresher.text.patterns import compile_later

__all__ = ["is_invalid"]

_COMPOUND = rb"(?:(?:\*|[a-zA-Z][-\w]*)(?:[.#]IDENT)*|(?:[.#]IDENT)+)".replace(b"IDENT", rb"(?:-?[_a-zA-Z]|--)[-\w]*")
_PLAIN = compile_later(_COMPOUND + rb"(?:(?:\s*[>+~]\s*|\s+)" + _COMPOUND + rb")*")
_PIECE = compile_later(
    rb"(?P<combinator>\s*[>+~]\s*|\s+)|(?P<type>\*|" + IDENT + rb")|[.#]" + IDENT + rb"|&"
    rb"|\[\s*" + IDENT + rb"\s*(?:[~|^$*]?=\s*(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|" + IDENT + rb")"
    rb"\s*[iIsS]?\s*)?\]"
    rb"|(?P<colons>::?)(?P<pseudo>" + IDENT + rb")(?P<call>\()?",
    re.DOTALL,
)
_PSEUDO_CLASSES = frozenset(
    b"""
    active active-view-transition any-link autofill buffering checked corner-present current decrement default defined
    disabled double-button empty enabled end first-child first-of-type focus focus-visible focus-within
    fullscreen future has-slotted horizontal host hover in-range increment indeterminate interest-source
    interest-target invalid last-child last-of-type link local-link modal muted no-button only-child only-of-type
    open optional out-of-range past paused picture-in-picture placeholder-shown playing popover-open read-only
    read-write required root scope seeking single-button stalled start state target target-after target-before
    target-current target-within user-invalid user-valid valid vertical visited volume-locked window-inactive xr-overlay
    before after first-line first-letter
    """.split()
)
_PSEUDO_CLASS_FUNCTIONS = frozenset(
    b"""
    active-view-transition-type current dir has heading host host-context is lang not nth-child nth-col nth-last-child
    nth-last-col nth-last-of-type nth-of-type state where
    """.split()
)
_PSEUDO_ELEMENTS = frozenset(
    b"""
    after backdrop before checkmark column cue details-content file-selector-button first-letter first-line
    grammar-error marker picker-icon placeholder scroll-marker scroll-marker-group search-text selection spelling-error
    target-text view-transition
    """.split()
)
_PSEUDO_ELEMENT_FUNCTIONS = frozenset(
    b"""
    cue highlight part picker scroll-button slotted view-transition-group view-transition-group-children
    view-transition-image-pair view-transition-new view-transition-old
    """.split()
)
_KNOWN_PSEUDOS = {
    (b":", False): _PSEUDO_CLASSES,
    (b":", True): _PSEUDO_CLASS_FUNCTIONS,
    (b"::", False): _PSEUDO_ELEMENTS,
    (b"::", True): _PSEUDO_ELEMENT_FUNCTIONS,
}
_VENDOR_PREFIXES = (b"-webkit-", b"-internal-", b"-apple-")
_STRICT_FUNCTIONS = frozenset({b"not", b"has"})
_FORGIVING_FUNCTIONS = frozenset({b"is", b"where"})
_HAS = compile_later(rb":has\(", re.IGNORECASE)


def is_invalid(selector: bytes) -> bool:
    """Whether a browser drops each rule in whose list this selector stands."""
    return _PLAIN.fullmatch(selector) is None and _is_invalid(selector)


@lru_cache(1 << 10)
def _is_invalid(text: bytes, depth: int = 0, relative: bool = False) -> bool:
    text = text.strip()
    if not text:
        return True
    if len(text) > MAX_SELECTOR_BYTES or depth > MAX_NESTING or b"|" in text.replace(b"|=", b""):
        return False
    at = 0
    first, filled = True, relative  # whether the compound is at its start; whether a combinator has something before it
    drawn = False  # behind a pseudo-element comes nothing but pseudo-classes
    while at < len(text):
        piece = _PIECE.match(text, at)
        if piece is None:
            return True
        at = piece.end()
        if drawn and not piece["pseudo"]:
            return True
        if piece["combinator"] is not None:
            if not filled or at == len(text):
                return True
            first, filled = True, False
            continue
        if piece["type"] and not first and text[piece.start() - 1 : piece.start()] != b")":
            return True  # what `&` stands for may come before a tag
        if piece["pseudo"]:
            called = piece["call"] is not None
            within = bracketed(text, at) if called else b""
            if within is None or _is_unknown_pseudo(piece["colons"], piece["pseudo"].lower(), called, within, depth):
                return True
            at += len(within) + called
            drawn |= piece["colons"] == b"::"
        first, filled = False, True
    return not filled


def _is_unknown_pseudo(colons: bytes, name: bytes, called: bool, within: bytes, depth: int) -> bool:
    """Whether a pseudo-class or -element does not exist, or not with this between its brackets."""
    if name.startswith(_VENDOR_PREFIXES):
        return False
    if name not in _KNOWN_PSEUDOS[colons, called]:
        return True
    if called and not within.strip():
        return name not in _FORGIVING_FUNCTIONS
    if name in _STRICT_FUNCTIONS:
        if name == b"has" and _HAS.search(within):
            return True
        return any(_is_invalid(part, depth + 1, name == b"has") for part in split_list(within))
    if called and name.startswith(b"nth-") and not name.endswith(b"col"):
        step, choice = step_and_choice(within)
        wrong = STEP.fullmatch(step.lower()) is None and step.strip().lower() not in (b"odd", b"even")
        return wrong or (choice is not None and any(_is_invalid(part, depth + 1) for part in split_list(choice)))
    return False

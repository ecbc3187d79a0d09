"""What the scripts and styles of a page hold that is worth keeping: data, application state, style rules, formulas.

All of them leave the tree; what is kept becomes islands.  A formula stays where its script stood, as an element.
"""

from __future__ import annotations

import re
from threading import local

from selectolax.lexbor import LexborCSSSelector, LexborHTMLParser, LexborNode

from thresher.css.media import holds
from thresher.page import Island
from thresher.text.patterns import compile_later

__all__ = ["take_islands"]

# Application state that frameworks leave in plain scripts: __NEXT_DATA__, __NUXT__, self.__next_f.push(…).
_STATE = compile_later(r"__[A-Z][A-Z_]+__|\b__next_f\b|\b__(?:initial|preloaded)", re.IGNORECASE)
_STATE_WITHIN = 200  # characters: the assignment stands at the start of its script
_MAX_ISLANDS = 20_000  # scripts and styles that are looked at
_MAX_MEDIA_LENGTH = 1_000  # bytes
_MAX_NOSCRIPT_DISTANCE = 50  # elements around a style sheet among which a noscript is looked for
_FORMULA = "thresher-tex"  # stands where a <script type="math/tex"> stood, so that the formula keeps its place


def take_islands(tree: LexborHTMLParser) -> tuple[Island, ...]:
    """Remove every script and style from the tree; return those that hold data, state or style rules."""
    islands = []
    nodes = _selector().find("script, style", tree.root) if tree.root else []
    for node in nodes[:_MAX_ISLANDS]:
        tag = node.tag or ""
        attributes = node.attrs
        if _is_in_noscript(node) if tag == "style" else "src" in attributes:
            continue
        kind = (attributes.get("type") or "").strip().lower()
        if kind.startswith("math/tex"):
            formula = tree.create_node(_FORMULA)
            formula.attrs["display"] = "block" if "display" in kind else "inline"
            formula.insert_child(node.text())
            node.insert_before(formula)
            continue
        if tag == "style" and not _is_for_screens(attributes.get("media")):
            continue
        text = node.text()
        if tag == "style" or "json" in kind or _holds_state(text[:_STATE_WITHIN]):
            islands.append(Island(tag, kind, attributes.get("id") or "", text))
    for node in nodes:
        node.decompose(recursive=False)
    return tuple(islands)


def _selector() -> LexborCSSSelector:
    """One for each thread; making one takes as long as it needs for a page."""
    if not hasattr(_OF_THREAD, "selector"):
        _OF_THREAD.selector = LexborCSSSelector()  # type: ignore[no-untyped-call]
    selector: LexborCSSSelector = _OF_THREAD.selector
    return selector


_OF_THREAD = local()


def _is_in_noscript(node: LexborNode) -> bool:
    """Whether a style sheet is for readers without scripts only: `.gallery { display: none }`."""
    for _ in range(_MAX_NOSCRIPT_DISTANCE):
        outer = node.parent
        if outer is None or outer.tag == "noscript":
            return outer is not None
        node = outer
    return False


def _is_for_screens(media: str | None) -> bool:
    """Whether a style sheet applies on a desktop screen: rules for paper say nothing about it."""
    return not (media or "").strip() or holds(b"@media " + (media or "").encode("utf-8", "replace")[:_MAX_MEDIA_LENGTH])


def _holds_state(start: str) -> bool:
    return "__" in start and _STATE.search(start) is not None

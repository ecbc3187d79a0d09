"""Boxes that say how what is in them is meant: notes, tips, warnings, as the generators of documentation write them.

Sphinx, MkDocs    <div class="admonition note"><p class="admonition-title">Note</p>…
Docusaurus        <div class="theme-admonition theme-admonition-tip alert alert--success">…
GitHub            <div class="markdown-alert markdown-alert-warning">…
by hand           <aside class="note">, <div class="warning">, with no other class; role="note"
"""

from __future__ import annotations

import numpy as np

from thresher.data.tags import group
from thresher.page import Page, attributes

__all__ = ["KINDS", "find_admonitions"]

KINDS = {
    "note": "NOTE", "info": "NOTE", "seealso": "NOTE", "abstract": "NOTE", "tip": "TIP", "hint": "TIP",
    "important": "IMPORTANT", "warning": "WARNING", "attention": "WARNING", "caution": "CAUTION", "danger": "CAUTION",
    "error": "CAUTION",
}  # fmt: skip
_BY_HAND = frozenset((name,) for name in ("note", "tip", "warning", "caution", "important"))
_SIGNS = (b"admonition", b"markdown-alert", b'role="note"', *(f'class="{name}"'.encode() for (name,) in _BY_HAND))
_BOX = group(("div", "aside", "section", "blockquote"))
_NAMES = frozenset(("admonition", "theme-admonition", "markdown-alert"))
_POINTER = "hatnote"  # "Main article: …" on Wikipedia
_PREFIXES = ("theme-admonition-", "markdown-alert-", "admonition-")


def find_admonitions(page: Page) -> dict[int, str]:
    """The elements that are such boxes, and the kind of each in GitHub's words."""
    if not any(sign in page.markup for sign in _SIGNS):
        return {}
    boxes: dict[int, str] = {}
    for row, tokens in attributes.tokens(page, "class").items():
        if _BOX[page.tag[row]] and (tokens in _BY_HAND or not _NAMES.isdisjoint(tokens)):
            boxes[row] = _kind(tokens)
    roles, classes = attributes.Lookup(page, "role"), attributes.Lookup(page, "class")
    for row in np.flatnonzero(attributes.rows_with(page, "role") & _BOX[page.tag]).tolist():
        if roles.get(row) == "note" and _POINTER not in (classes.get(row) or ""):
            boxes.setdefault(row, "NOTE")
    return boxes


def _kind(tokens: tuple[str, ...]) -> str:
    for token in tokens:
        for prefix in _PREFIXES:
            token = token.removeprefix(prefix)
        if token in KINDS:
            return KINDS[token]
    return "NOTE"

"""Boxes that say how what is in them is meant: notes, tips, warnings, as the generators of documentation write them.

Sphinx, MkDocs    <div class="admonition note"><p class="admonition-title">Note</p>…
Docusaurus        <div class="theme-admonition theme-admonition-tip alert alert--success">…
GitHub            <div class="markdown-alert markdown-alert-warning">…
VuePress          <div class="custom-block tip"><p class="custom-block-title">TIP</p>…
mdBook            <blockquote class="blockquote-tag blockquote-tag-note"><p class="blockquote-tag-title">Note</p>…
Starlight         <aside class="starlight-aside starlight-aside--tip"><p class="starlight-aside__title">Tip</p>…
Asciidoctor       <div class="admonitionblock note"><table>…<div class="title">Note</div>…
by hand           <aside class="note">, <div class="warning">, with no other class; role="note"
"""

from __future__ import annotations

from thresher.data.tags import group
from thresher.page import Page, attributes
from thresher.page.parts import Parts, with_part
from thresher.page.types import Ints

__all__ = ["KINDS", "find_admonitions"]

KINDS = {
    "note": "NOTE", "info": "NOTE", "seealso": "NOTE", "abstract": "NOTE", "tip": "TIP", "hint": "TIP",
    "important": "IMPORTANT", "warning": "WARNING", "attention": "WARNING", "caution": "CAUTION", "danger": "CAUTION",
    "error": "CAUTION",
}  # fmt: skip
_BY_HAND = frozenset((name,) for name in "note tip hint seealso warning caution important".split())
_BOX = group(("div", "aside", "section", "blockquote"))
_NAMES = frozenset(
    "admonition admonitionblock theme-admonition markdown-alert custom-block blockquote-tag starlight-aside".split()
)
_CLASS_PARTS = Parts(
    b"admonition", b"markdown-alert", b"custom-block", b"blockquote-tag", b"starlight-aside",
    *(name.encode() for (name,) in sorted(_BY_HAND)),
)  # fmt: skip
_ROLE, _ROLE_PART = b"note", Parts(b"note")
_POINTER = "hatnote"  # "Main article: …" on Wikipedia
_PREFIXES = ("theme-admonition-", "markdown-alert-", "admonition-", "blockquote-tag-", "starlight-aside--")


def find_admonitions(page: Page) -> dict[int, str]:
    """The elements that are such boxes, and the kind of each in GitHub's words."""
    boxes: dict[int, str] = {}
    classes = attributes.numbered(page, "class")
    for number in with_part(page, "class", _CLASS_PARTS):
        tokens = tuple(attributes.value_of(page, classes, number).decode().lower().split())
        if tokens in _BY_HAND or not _NAMES.isdisjoint(tokens):
            boxes |= dict.fromkeys(_boxes(page, attributes.rows_of(classes, [number])), _kind(tokens))
    roles = attributes.numbered(page, "role")
    for number in with_part(page, "role", _ROLE_PART):
        if attributes.value_of(page, roles, number) == _ROLE:
            rows = _boxes(page, attributes.rows_of(roles, [number]))
            boxes = {row: "NOTE" for row in rows if _POINTER not in (page.attribute(row, "class") or "")} | boxes
    return boxes


def _boxes(page: Page, rows: Ints) -> list[int]:
    boxes: list[int] = rows[_BOX[page.tag[rows]]].tolist()
    return boxes


def _kind(tokens: tuple[str, ...]) -> str:
    for token in tokens:
        for prefix in _PREFIXES:
            token = token.removeprefix(prefix)
        if token in KINDS:
            return KINDS[token]
    return "NOTE"

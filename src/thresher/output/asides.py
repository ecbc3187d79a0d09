"""Footnotes that stand in the line, as LaTeXML writes them for papers (arXiv):

    <span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span
    class="ltx_note_content"><sup class="ltx_note_mark">1</sup><span class="ltx_tag_note">1</span>The note.</span> …

A style sheet shows the content beside the line and the mark in it; the marks in the content are not to be printed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.data.tags import NUMBER
from thresher.output.classes import class_prefixes, rows_with_class
from thresher.page import Page, memoised
from thresher.page.columns import has
from thresher.page.types import Bools

__all__ = ["Aside", "asides", "repeated_marks"]

_ARTICLE = NUMBER["article"]
_CLASS_PREFIXES = class_prefixes("ltx_note", "ltx_tag")
_CONTENT, _MARK = "ltx_note_content", "ltx_note_mark"
_REPEATS = frozenset((_MARK, "ltx_tag_note", "ltx_note_type"))


class Aside(NamedTuple):
    """The element that marks the place of a note, and the one that holds the note."""

    mark: int
    content: int


class _Asides(NamedTuple):
    asides: list[Aside]
    repeats: Bools  # texts


@memoised
def _find_asides(page: Page) -> _Asides | None:
    """None on pages that LaTeXML did not make, as nearly all are: their `article` has no class of its own."""
    if not has(page, "article"):
        return None
    row = int(np.argmax(page.tag == _ARTICLE))
    if b"ltx_document" not in page.markup[page.tag_start[row] : page.tag_stop[row]]:
        return None
    asides: list[Aside] = []
    repeats = np.zeros(len(page.start), bool)
    mark = content = -1
    for row, tokens in rows_with_class(page, _CLASS_PREFIXES):
        inside = content >= 0 and row < page.end[content]
        if _CONTENT in tokens and mark >= 0 and not inside:
            content = row
            asides.append(Aside(mark, content))
            mark = -1
        elif inside and not _REPEATS.isdisjoint(tokens):
            repeats[page.first[row] : page.last[row]] = True
        elif _MARK in tokens:
            mark = row
    return _Asides(asides, repeats)


def asides(page: Page) -> list[Aside]:
    """The notes in lines."""
    notes = _find_asides(page)
    return notes.asides if notes is not None else []


def repeated_marks(page: Page) -> Bools | None:
    """Which texts in such notes only say their number again; None if there are none."""
    notes = _find_asides(page)
    return notes.repeats if notes is not None and notes.asides else None

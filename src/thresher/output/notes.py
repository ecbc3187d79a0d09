"""Footnotes: a raised link to a note of the page, and the note.

A reference is a link to a fragment that is raised (`sup` inside or around it) or says that it is one (`role`, class);
with a `sup` around that holds nothing more but brackets, that is the reference.  Its note is the list item, paragraph
or table that has the fragment as its id, or begins with an element that has.  Both must be kept; otherwise the page's
own text stands as it is.  Other notes stand in the line (asides.py).
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from thresher.data.tags import NUMBER, group
from thresher.output.asides import asides
from thresher.output.fragments import IN_PAGE, fragment_links
from thresher.page import Page, attributes
from thresher.page.types import Bools, Ints

__all__ = ["Notes", "find"]

_LINK, _SUP = NUMBER["a"], NUMBER["sup"]
_HOLDER = group(("li", "p", "div", "aside", "dd", "table"))  # old versions of Sphinx make a table of each note
_REFERENCE_NAME = re.compile(
    r"\b(?:doc-noteref|noteref|foot-?note-?(?:ref(?:erence)?|link|anchor)|fn-?ref|easy-footnote)\b", re.IGNORECASE
)
_WORD_NOTE_ID = re.compile(r"_(?:ftn|edn)\d+")  # what Word calls its notes
_LABEL = re.compile(r"\w{1,12}")
_BRACKETS = "[](){}^ "
_MAX_TEXTS_IN_SUP = 5  # texts
_MAX_ANCESTORS = 4  # elements from an id to the item or paragraph that it begins
_MAX_NOTE_BYTES = 20_000  # bytes: a longer one is a chapter


class Notes(NamedTuple):
    """References and notes by row.  Both lead to the note's label."""

    reference: dict[int, str]
    note: dict[int, str]
    back: frozenset[int]  # links inside notes that lead back to the text; not to be printed


NO_NOTES = Notes({}, {}, frozenset())


def find(page: Page, keep: Bools, links: bool = True) -> Notes:
    """The footnotes of which both ends are kept; without `links`, those in lines only."""
    in_lines = asides(page)
    if not in_lines and not (links and _keeps_fragment(page, keep)):
        return NO_NOTES
    kept_before = np.concatenate(([0], np.cumsum(keep)))

    def has_kept(row: int) -> bool:
        return bool(kept_before[page.last[row]] > kept_before[page.first[row]])

    fragments = _fragments(page) if links else page.owner[:0]
    kept = fragments[kept_before[page.last[fragments]] > kept_before[page.first[fragments]]]
    raised = {row: name for row, name in _names_of(page, kept).items() if _is_reference(page, row, name)}
    if not raised and not in_lines:
        return NO_NOTES
    targets = set(raised.values())
    identified: dict[str, int] = {}
    for attribute in ("id", "name"):
        for row, name in attributes.values(page, attribute).items():
            if name in targets:
                identified.setdefault(name, row)
    reference: dict[int, str] = {}
    note: dict[int, str] = {}
    labels: set[str] = set()
    for row, name in raised.items():
        holder = _holder(page, identified[name]) if name in identified else None
        if holder is None or holder <= row < page.end[holder] or not has_kept(holder):
            continue
        if holder not in note:
            note[holder] = _label(page, row, labels)
        reference[_with_brackets(page, row)] = note[holder]
    for mark, content in in_lines:
        if has_kept(mark) and has_kept(content):
            reference[mark] = note[content] = _label(page, mark, labels)
    return _disjoint(page, reference, note, fragments)


def _keeps_fragment(page: Page, keep: Bools) -> bool:
    """Whether a kept text stands in a link to a place in the page itself."""
    count, mark = fragment_links(page)
    return count > 0 and bool((mark * keep == IN_PAGE).any())


def _fragments(page: Page) -> Ints:
    """The links to places in the page itself."""
    row, start, stop = attributes.columns(page, "href")
    within = (np.frombuffer(page.markup, np.uint8)[start] == ord("#")) & (stop - start > 1) & (page.tag[row] == _LINK)
    links: Ints = row[within]
    return links


def _names_of(page: Page, links: Ints) -> dict[int, str]:
    """The names of the places that such links lead to."""
    return {row: unquote(address[1:]) for row, address in attributes.values_of_rows(page, "href", links).items()}


def _is_reference(page: Page, row: int, name: str) -> bool:
    above = int(page.parent[row])
    if above >= 0 and page.tag[above] == _SUP:
        return True
    if page.end[row] > row + 1 and page.tag[row + 1] == _SUP:
        return True
    if _WORD_NOTE_ID.fullmatch(name):
        return True
    names = page.attributes(row)
    declared = " ".join(
        (names.get("role", ""), names.get("class", ""), names.get("epub:type", ""), names.get("rel", ""))
    )
    return bool(_REFERENCE_NAME.search(declared))


def _with_brackets(page: Page, row: int) -> int:
    """The `sup` around a reference, if brackets are all else that stands in it; otherwise the reference."""
    above = int(page.parent[row])
    if above < 0 or page.tag[above] != _SUP or page.last[above] - page.first[above] > _MAX_TEXTS_IN_SUP:
        return row
    return above if page.inner_text(above).strip(_BRACKETS) == page.inner_text(row).strip(_BRACKETS) else row


def _holder(page: Page, row: int) -> int | None:
    """The item or paragraph that the identified element is or begins; None when there is none near."""
    start = page.first[row]
    for _ in range(_MAX_ANCESTORS):
        if _HOLDER[page.tag[row]]:
            first, last = int(page.first[row]), int(page.last[row])
            short = first < last and page.stop[last - 1] - page.start[first] <= _MAX_NOTE_BYTES
            return row if short and first == start else None
        row = int(page.parent[row])
        if row < 0 or page.first[row] != start:
            return None
    return None


def _label(page: Page, row: int, taken: set[str]) -> str:
    """What the reference shows, without brackets; a number where that says nothing or is taken."""
    shown = page.inner_text(row).strip(_BRACKETS)
    label = shown if _LABEL.fullmatch(shown) else ""
    number = len(taken) + 1
    while not label or label in taken:
        label, number = str(number), number + 1
    taken.add(label)
    return label


def _disjoint(page: Page, reference: dict[int, str], note: dict[int, str], fragments: Ints) -> Notes:
    """Without notes inside other notes; and the links in notes that lead back."""
    outer: dict[int, str] = {}
    back: set[int] = set()
    covered = 0
    for row in sorted(note):
        if row < covered:
            continue
        covered = int(page.end[row])
        outer[row] = note[row]
        inside = fragments[fragments.searchsorted(row) : fragments.searchsorted(covered)].tolist()
        back.update(link for link in inside if link not in reference and int(page.parent[link]) not in reference)
    labels = set(outer.values())
    return Notes({row: label for row, label in reference.items() if label in labels}, outer, frozenset(back))

"""Short lines in an article that are none of it, told by their words in many languages:

related_links     "Baca juga:" and a link, in one line or above some that are nothing but links; in documentation
                  "See also" is content
advert            the label of an advertisement, "Anzeige", where one would stand
copyright_notice  "© 2025 …" at the end
"""

from __future__ import annotations

from functools import cache

import numpy as np

from thresher.methods.auto.kernels.decision import choose_blocks, labels_above_links
from thresher.methods.auto.model import Opinion
from thresher.methods.auto.rules.rule import Evidence, among, block_line, flags
from thresher.page.types import Bools
from thresher.text.phrases import phrases

__all__ = ["advert", "copyright_notice", "related_links"]

_MIN_LINKED, _ONLY_LINKS = 0.5, float(np.float32(0.9))  # share of characters in links, counted in single precision
_MAX_LINES = 60  # of links or labels; a page of more is made of them
_MIN_RELATED_WORDS, _MAX_LABEL_WORDS = 4, 8  # of a line with label and link, of a label by itself
_MAX_ADVERT_WORDS = 4
_MAX_OPENING, _PREFIX = 60, 3  # characters of a line that are looked at, of a label that are looked up
_MAX_COPYRIGHT_CHARS = 90
_COPYRIGHT = ("©", "ⓒ", "(c) ", "Copyright ")
_MARKS = " :：|»>→•-–—[(【👉"
_MARKS_BEHIND = frozenset(_MARKS.strip())


def related_links(evidence: Evidence, chosen: Bools) -> Bools | None:
    """Links behind "Read also", in the same block or in those that follow a block that says just that."""
    opinion = evidence.opinion
    linked = _linked_lines(opinion, chosen)
    if linked is None:
        return None
    spans = [slice(block, block + 1) for block in linked if _opens_with_label(block_line(evidence, block))]
    for block in _above_links(opinion, chosen):
        if block_line(evidence, block).strip(_MARKS).lower() in _labels():
            alike = opinion.blocks.alike[block + 1 :]
            others = (alike != alike[0]) | (opinion.linked[block + 1 :] < _ONLY_LINKS)
            spans.append(slice(block, block + 1 + int(others.argmax()) if others.any() else len(chosen)))
    if not spans:
        return None
    related = np.zeros(len(chosen), bool)
    for span in spans:
        related[span] = True
    return related & chosen


def _linked_lines(opinion: Opinion, chosen: Bools) -> list[int] | None:
    """The chosen blocks with links and some words; None if there are many."""
    rows = np.empty(_MAX_LINES, np.intp)
    count = choose_blocks(
        flags(chosen),
        bytes(len(chosen)),
        opinion.words,
        _MIN_RELATED_WORDS,
        float("inf"),
        opinion.linked,
        _MIN_LINKED,
        rows,
    )
    return rows[:count].tolist() if count <= _MAX_LINES else None


def _above_links(opinion: Opinion, chosen: Bools) -> list[int]:
    """The short blocks, no links, above one that is nothing but links."""
    rows = np.empty(len(chosen), np.intp)
    count = labels_above_links(flags(chosen), opinion.words, _MAX_LABEL_WORDS, opinion.linked, _ONLY_LINKS, rows)
    labels: list[int] = rows[:count].tolist()
    return labels


def _opens_with_label(line: str) -> bool:
    """Whether a line opens with a label of related links and a mark."""
    line = line[:_MAX_OPENING].lstrip(_MARKS).lower()
    if line[:_PREFIX] not in _label_prefixes():
        return False
    return any(line.startswith(label) and line[len(label) :].lstrip()[:1] in _MARKS_BEHIND for label in _labels())


@cache
def _labels() -> frozenset[str]:
    return frozenset(phrases("also"))


@cache
def _label_prefixes() -> frozenset[str]:
    return frozenset(label[:_PREFIX] for label in _labels())


def advert(evidence: Evidence, chosen: Bools) -> Bools | None:
    """Lines that say advertisement and no more."""
    opinion, rows = evidence.opinion, np.empty(_MAX_LINES, np.intp)
    count = choose_blocks(
        flags(chosen),
        flags(opinion.heading),
        opinion.words,
        0,
        _MAX_ADVERT_WORDS,
        opinion.linked,
        0,
        rows,
    )
    short = rows[:count].tolist() if count <= _MAX_LINES else ()
    labels = [block for block in short if block_line(evidence, block).lower() in _advert_labels()]
    return among(labels, len(chosen)) if labels else None


@cache
def _advert_labels() -> frozenset[str]:
    return frozenset(phrases("advert"))


def copyright_notice(evidence: Evidence, chosen: Bools) -> Bools | None:
    """The last line, if it reserves rights."""
    last = chosen.tobytes().rfind(b"\1")
    if last < 0:
        return None
    text = block_line(evidence, last)
    return among([last], len(chosen)) if text.startswith(_COPYRIGHT) and len(text) <= _MAX_COPYRIGHT_CHARS else None

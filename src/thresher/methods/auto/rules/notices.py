"""Short lines in an article that are none of it, told by their words in many languages:

related_links     "Baca juga:" and a link, in one line or above some that are nothing but links; in documentation
                  "See also" is content
advert            the label of an advertisement, "Anzeige", where one would stand
copyright_notice  "© 2025 …" at the end
"""

from __future__ import annotations

from functools import cache

import numpy as np

from thresher.methods.auto.kernels import columns as col
from thresher.methods.auto.model import Opinion
from thresher.methods.auto.rules.rule import Evidence, among, block_line
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
    _, opinion, *_ = evidence
    words, linked = opinion.words, opinion.linked
    lines = chosen & (words >= _MIN_RELATED_WORDS) & (linked >= _MIN_LINKED)
    if np.count_nonzero(lines) > _MAX_LINES:
        return None
    related = np.zeros(len(chosen), bool)
    for block in (evidence.marks & col.RELATED).nonzero()[0].tolist():
        if lines[block] and _opens_with_label(block_line(evidence, block)):
            related[block] = True
        if _is_above_links(opinion, chosen, block) and block_line(evidence, block).strip(_MARKS).lower() in _labels():
            alike = opinion.blocks.alike[block + 1 :]
            others = (alike != alike[0]) | (linked[block + 1 :] < _ONLY_LINKS)
            related[block : block + 1 + int(others.argmax()) if others.any() else len(chosen)] = True
    return related & chosen


def _is_above_links(opinion: Opinion, chosen: Bools, block: int) -> bool:
    """Whether a short block, no link, stands above one that is nothing but links."""
    linked, behind = opinion.linked, block + 1
    return bool(
        behind < len(chosen)
        and linked[block] < _ONLY_LINKS <= linked[behind]
        and opinion.words[block] <= _MAX_LABEL_WORDS
        and (chosen[block] or chosen[behind])
    )


def _opens_with_label(line: str) -> bool:
    """Whether a line opens with a label of related links and a mark."""
    line = line[:_MAX_OPENING].lstrip(_MARKS).lower()
    labels = _labels_with_prefix().get(line[:_PREFIX], ())
    return any(line.startswith(label) and line[len(label) :].lstrip()[:1] in _MARKS_BEHIND for label in labels)


@cache
def _labels() -> frozenset[str]:
    return frozenset(phrases("also"))


@cache
def _labels_with_prefix() -> dict[str, list[str]]:
    labels: dict[str, list[str]] = {}
    for label in phrases("also"):
        labels.setdefault(label[:_PREFIX], []).append(label)
    return labels


def advert(evidence: Evidence, chosen: Bools) -> Bools | None:
    """Lines that say advertisement and no more."""
    opinion = evidence.opinion
    labels = evidence.candidates(col.ADVERT, chosen)
    labels = [block for block in labels if block_line(evidence, block).lower() in _advert_labels()]
    if not labels:
        return None
    short = chosen & ~opinion.heading & (opinion.words <= _MAX_ADVERT_WORDS)
    return among(labels, len(chosen)) if np.count_nonzero(short) <= _MAX_LINES else None


@cache
def _advert_labels() -> frozenset[str]:
    return frozenset(phrases("advert"))


def copyright_notice(evidence: Evidence, chosen: Bools) -> Bools | None:
    """The last line, if it reserves rights."""
    last = chosen.tobytes().rfind(b"\1")
    if last < 0 or not evidence.marks[last] & col.COPYRIGHT:
        return None
    text = block_line(evidence, last)
    return among([last], len(chosen)) if text.startswith(_COPYRIGHT) and len(text) <= _MAX_COPYRIGHT_CHARS else None

"""Short lines in an article that are none of it, told by their words in many languages:

related_links     "Baca juga:" and a link, in one line or above some that are nothing but links; in documentation
                  "See also" is content
advert            the label of an advertisement, "Anzeige", where one would stand
copyright_notice  "© 2025 …" at the end
"""

from __future__ import annotations

from functools import cache

import numpy as np

from thresher.methods.auto.rules.rule import Evidence, lines
from thresher.page.types import Bools
from thresher.text.phrases import phrases

__all__ = ["advert", "copyright_notice", "related_links"]

_MIN_LINKED, _ONLY_LINKS = 0.5, 0.9  # share of characters in links
_MAX_LINES = 60  # of links or labels; a page of more is made of them
_MIN_RELATED_WORDS, _MAX_LABEL_WORDS = 4, 8  # of a line with label and link, of a label by itself
_MAX_ADVERT_WORDS = 4
_MAX_OPENING, _PREFIX = 60, 3  # characters of a line that are looked at, of a label that are looked up
_MAX_COPYRIGHT_CHARS = 90
_COPYRIGHT = ("©", "ⓒ", "(c) ", "Copyright ")
_MARKS = " :：|»>→•-–—[(【👉"
_MARKS_BEHIND = frozenset(_MARKS.strip())


def related_links(evidence: Evidence, chosen: Bools) -> Bools:
    """Links behind "Read also", in the same block or in those that follow a block that says just that."""
    opinion = evidence.opinion
    related = np.zeros(len(chosen), bool)
    blocks = (chosen & (opinion.linked >= _MIN_LINKED) & (opinion.words >= _MIN_RELATED_WORDS)).nonzero()[0]
    if len(blocks) > _MAX_LINES:
        return related
    text = zip(blocks.tolist(), lines(evidence, blocks), strict=True)
    related[[block for block, line in text if _opens_with_label(line)]] = True
    link = opinion.linked >= _ONLY_LINKS
    above_links = (chosen[:-1] | chosen[1:]) & ~link[:-1] & link[1:] & (opinion.words[:-1] <= _MAX_LABEL_WORDS)
    blocks = above_links.nonzero()[0]
    for block, line in zip(blocks.tolist(), lines(evidence, blocks), strict=True):
        if line.strip(_MARKS).lower() in _labels():
            alike = opinion.blocks.alike[block + 1 :]
            others = (alike != alike[0]) | ~link[block + 1 :]
            end = block + 1 + int(others.argmax()) if others.any() else len(related)
            related[block:end] = True
    return related & chosen


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


def advert(evidence: Evidence, chosen: Bools) -> Bools:
    """Lines that say advertisement and no more."""
    adverts = np.zeros(len(chosen), bool)
    blocks = (chosen & (evidence.opinion.words <= _MAX_ADVERT_WORDS) & ~evidence.opinion.heading).nonzero()[0]
    if len(blocks) <= _MAX_LINES:
        labelled = zip(blocks.tolist(), lines(evidence, blocks), strict=True)
        adverts[[block for block, line in labelled if line.lower() in phrases("advert")]] = True
    return adverts


def copyright_notice(evidence: Evidence, chosen: Bools) -> Bools:
    """The last line, if it reserves rights."""
    notice = np.zeros(len(chosen), bool)
    last = chosen.nonzero()[0][-1:]
    notice[last] = any(
        line.startswith(_COPYRIGHT) and len(line) <= _MAX_COPYRIGHT_CHARS for line in lines(evidence, last)
    )
    return notice

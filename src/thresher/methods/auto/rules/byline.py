"""Lines around an article that say who wrote it and when, and boxes that say who that is.

The network has learned them where it knows the words or the names of their elements, and that is in English for the
most part.  Here the words of many languages count, and how such lines are built:

    dateline     most of it is a day: "Publié le 3 février 2025 à 06h15"; without such words only beside a byline, for
                 it may be the day of a concert
    byline       a name behind "By": "文：山口 彩", "Von Katharina Brandl, Bonn"
    beside them  a few words with a number, or what somebody is: "4 Min. Lesezeit", "Redakteurin"
    author box   under the text, a name and a block that opens with it; the name stands beside the title, too

Of the first three only short lines close to the title count, and no headings.  Where several follow each other, with a
name or a day each, they belong to the items of a list.
"""

from __future__ import annotations

import numpy as np

from thresher.methods.auto.kernels import columns as col
from thresher.methods.auto.model import Opinion
from thresher.methods.auto.rules.rule import Evidence, among, block_line
from thresher.page.types import Bools
from thresher.visible.readable import block_chars

__all__ = ["author_box", "byline"]

_BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE = 3, 10
_MAX_LINE_CHARS = 90
_SENTENCE_ENDS = (".", "!", "?", ":", "。", "！", "？", "।", "…")
_LAST_BLOCKS, _MAX_WORDS_BEHIND = 12, 50  # of the text, among which author boxes are; words behind these


def byline(evidence: Evidence, chosen: Bools) -> Bools | None:
    """Bylines, datelines and what stands beside them."""
    near = _near_title(evidence.opinion, chosen)
    line_of = _short_lines(evidence, chosen, near, evidence.candidates(col.BYLINE | col.DAY, chosen))
    if not any(evidence.marks[block] & (col.BYLINE | col.PUBLISHED) for block in line_of):
        return None
    from thresher.methods.auto.rules.credits import credits_among, is_beside  # with names and dates in all languages

    credits = credits_among(line_of, evidence.marks, evidence.page.attribute(0, "lang"))
    if not credits:
        return None
    for block in range(near.start, near.stop):
        if not credits.isdisjoint((block - 1, block + 1)) and block not in credits:
            line = _short_lines(evidence, chosen, near, [block]).get(block)
            if line is not None and is_beside(line):
                credits.add(block)
    return among([*credits], len(chosen))


def _short_lines(evidence: Evidence, chosen: Bools, near: slice, blocks: list[int]) -> dict[int, str]:
    """The lines of those of some blocks that may be such."""
    page, opinion, *_ = evidence
    size, number, heading = block_chars(page), opinion.blocks.number, opinion.heading
    lines: dict[int, str] = {}
    for block in blocks:
        if not (near.start <= block < near.stop and chosen[block]) or heading[block]:
            continue
        if size[number[block]] <= _MAX_LINE_CHARS:
            line = block_line(evidence, block)
            if not line.endswith(_SENTENCE_ENDS):
                lines[block] = line
    return lines


def _near_title(opinion: Opinion, chosen: Bools) -> slice:
    """The blocks around the title; none where there is no title."""
    titles = opinion.title.nonzero()[0].tolist()
    if not titles:
        return slice(0, 0)
    title = next((block for block in titles if chosen[block]), titles[0])
    return slice(max(0, title - _BLOCKS_BEFORE_TITLE), min(title + _BLOCKS_AFTER_TITLE + 1, len(chosen)))


def author_box(evidence: Evidence, chosen: Bools) -> Bools | None:
    """The last blocks that open with a name that stands right before them and beside the title."""
    page, opinion, *_ = evidence
    candidates = evidence.candidates(col.AUTHOR, chosen)
    near = _near_title(opinion, chosen) if candidates else slice(0, 0)
    if not near.stop:
        return None
    from thresher.text.names import is_person

    boxes = np.zeros(len(chosen), bool)
    first, last = opinion.blocks.first, opinion.blocks.last
    words_behind = 0.0
    for block in chosen.nonzero()[0][:-_LAST_BLOCKS:-1].tolist():
        if words_behind > _MAX_WORDS_BEHIND or block <= near.start:
            break
        before = page.start[first[block - 1]]
        name = page.utf8[before : page.stop[last[block - 1]]].strip()
        if block in candidates and is_person(name.decode()):
            if name in page.utf8[page.start[first[near.start]] : min(page.stop[last[near.stop - 1]], before)]:
                boxes[block - 1 : block + 1] = True
        elif not boxes[block]:
            words_behind += opinion.words[block]
    return boxes & chosen

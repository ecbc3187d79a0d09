"""Lines around the title that are about an article and none of it: who wrote it, when, and how long it takes to read.

The judge has learned them where it knows the words or the names of their elements, and that is in English for the most
part.  Here the words of many languages count, which the metadata read them by:

    a dateline   most of it is a day: "Publié le 3 février 2025 à 06h15"
    a byline     a name behind "By": "文：山口 彩", "Von Katharina Brandl, Bonn"
    beside one   a few words with a number, or what somebody is: "4 Min. Lesezeit", "Redakteurin"

Only short lines close to the title count, and no headings.  Where several follow each other, with a name or a day each,
they belong to the items of a list.
"""

from __future__ import annotations

from datetime import date

import numpy as np
from numpy.typing import NDArray

from thresher.judge.model import Opinion
from thresher.language import normalise
from thresher.metadata.datelines import is_dateline
from thresher.metadata.dates import Reading
from thresher.metadata.names import introduced, is_role, people
from thresher.page import Page
from thresher.readable import block_chars, readable

__all__ = ["credits"]

Bools = NDArray[np.bool_]

_BEFORE, _AFTER = 3, 10  # blocks around the title
_LONGEST, _FEW = 90, 30  # characters
_SENTENCE = (".", "!", "?", ":", "。", "！", "？", "।", "…")
_BYLINES, _DAYS = 1, 2  # of one article: published and updated
_TODAY = date(2100, 1, 1)  # the same verdict on any day


def credits(page: Page, found: Opinion, kept: Bools) -> Bools:
    """Which of the kept blocks are such lines."""
    chosen = np.zeros(len(kept), bool)
    lines = {block: _line(page, found, block) for block in _near_title(page, found, kept)}
    lines = {block: line for block, line in lines.items() if not line.endswith(_SENTENCE)}
    if not lines:
        return chosen
    reading = Reading(normalise(page.attribute(0, "lang")), today=_TODAY)
    bylines = {block for block, line in lines.items() if _is_byline(line, reading)}
    days = {block for block, line in lines.items() if is_dateline(line, reading)} - bylines
    if len(bylines) > _BYLINES or len(days) > _DAYS:
        return chosen
    for block, line in lines.items():
        beside = chosen[block - 1] or block + 1 in bylines | days
        chosen[block] = block in bylines | days or (beside and _is_beside(line))
    return chosen


def _near_title(page: Page, found: Opinion, kept: Bools) -> list[int]:
    """The kept blocks that may be such lines."""
    titles = found.title.nonzero()[0].tolist()
    if not titles:
        return []
    title = next((block for block in titles if kept[block]), titles[0])
    near = slice(max(0, title - _BEFORE), title + _AFTER + 1)
    short = kept[near] & ~found.heading[near] & (block_chars(page)[found.blocks.number[near]] <= _LONGEST)
    blocks: list[int] = (short.nonzero()[0] + near.start).tolist()
    return blocks


def _line(page: Page, found: Opinion, block: int) -> str:
    first, last = int(found.blocks.first[block]), int(found.blocks.last[block])
    texts = np.flatnonzero(readable(page)[first : last + 1]) + first
    return " ".join(" ".join(page.cut(texts)).split())


def _is_byline(line: str, reading: Reading) -> bool:
    rest = introduced(line)
    return bool(rest and not rest[:1].islower() and people(rest, reading))


def _is_beside(line: str) -> bool:
    return len(line) <= _FEW and (any(character.isdecimal() for character in line) or is_role(line))

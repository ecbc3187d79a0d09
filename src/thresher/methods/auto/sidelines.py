"""Lines in and around an article that are none of it: who wrote it and when, who that is, what else there is to read.

The judge has learned them where it knows the words or the names of their elements, and that is in English for the most
part.  Here the words of many languages count, and how such lines are built:

    a dateline     most of it is a day: "Publié le 3 février 2025 à 06h15"; without such words only beside a byline, for
                   it may be the day of a concert
    a byline       a name behind "By": "文：山口 彩", "Von Katharina Brandl, Bonn"
    beside these   a few words with a number, or what somebody is: "4 Min. Lesezeit", "Redakteurin"
    an author box  under the text, a name and a block that opens with it; the name stands beside the title, too
    an advert      "Anzeige", where one would stand
    a sign-up      a small box around a field for an address
    the rights     "© 2025 …" at the end
    a pointer      "Baca juga:" and a link, in one line or above some that are nothing but links; in documentation
                   "See also" is content

Of the first three only short lines close to the title count, and no headings.  Where several follow each other, with a
name or a day each, they belong to the items of a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import cache

import numpy as np
from numpy.typing import NDArray

from thresher.metadata.datelines import is_dateline
from thresher.methods.auto.model import Opinion
from thresher.page import Page, attributes
from thresher.page.columns import chars
from thresher.text.dates import Reading
from thresher.text.language import normalise
from thresher.text.names import introduced, is_person, is_role, people
from thresher.text.phrases import alternatives, phrases
from thresher.visible.readable import block_chars

__all__ = ["sidelines"]

Bools = NDArray[np.bool_]

_BEFORE, _AFTER = 3, 10  # blocks around the title
_LONGEST, _FEW = 90, 30  # characters
_SENTENCE = (".", "!", "?", ":", "。", "！", "？", "।", "…")
_BYLINES, _DAYS = 1, 2  # of one article: published and updated
_TODAY = date(2100, 1, 1)  # the same verdict on any day
_BOXES, _BEHIND = 12, 50  # blocks at the end of the text that may be author boxes, and words behind them
_NAME = range(5, 61)  # bytes
_OPENS = 12  # bytes before the name in a block that opens with it: an article, "About"
_RIGHTS = ("©", "ⓒ", "(c) ", "Copyright ")
_FIELDS, _BOX, _MANY_WORDS = 5, 300, 100  # fields for an address; characters around one, words before it
_LINKED, _ALL_LINK = 0.5, 0.9  # share of characters in links
_HALF = 0.5
_MOST = 60  # lines of links; a page of more is made of them
_WORDS, _LABEL, _NOTE = 4, 8, 4  # of a line that points to something at least, of a label and a note at most
_POINTER, _PREFIX = 60, 3  # characters
_MARKS = " :：|»>→•-–—[(【👉"
_MARKS_BEHIND = frozenset(_MARKS.strip())


def sidelines(page: Page, found: Opinion, kept: Bools) -> Bools:
    """Which of the kept blocks are such lines."""
    chosen = np.zeros(len(kept), bool)
    if found.types["documentation"] <= _HALF:
        _pointers(page, found, kept, out=chosen)
    titles = found.title.nonzero()[0].tolist()
    if titles:
        title = next((block for block in titles if kept[block]), titles[0])
        near = slice(max(0, title - _BEFORE), min(title + _AFTER + 1, len(kept)))
        for block in (*_credits(page, found, kept, near), *_author_boxes(page, found, kept, near)):
            chosen[block] = True
    _adverts(page, found, kept, out=chosen)
    _sign_ups(page, found, kept, out=chosen)
    last = (kept & ~chosen).nonzero()[0][-1:]
    chosen[last] = any(line.startswith(_RIGHTS) and len(line) <= _LONGEST for line in _lines(page, found, last))
    return chosen


def _credits(page: Page, found: Opinion, kept: Bools, near: slice) -> set[int]:
    """Bylines, datelines and what stands beside them."""
    short = kept[near] & ~found.heading[near] & (block_chars(page)[found.blocks.number[near]] <= _LONGEST)
    rows = short.nonzero()[0] + near.start
    lines = dict(zip(rows.tolist(), _lines(page, found, rows), strict=True))
    lines = {block: line for block, line in lines.items() if not line.endswith(_SENTENCE)}
    if not lines:
        return set()
    reading = Reading(normalise(page.attribute(0, "lang")), today=_TODAY)
    bylines = {block for block, line in lines.items() if _is_byline(line, reading)}
    days = {block for block, line in lines.items() if is_dateline(line, reading)} - bylines
    if len(bylines) > _BYLINES or len(days) > _DAYS:
        return set()
    if not bylines:  # a day by itself may be that of a concert
        days = {block for block in days if _published().match(lines[block])}
    credits = bylines | days
    for block, line in lines.items():
        if not credits.isdisjoint((block - 1, block + 1)) and _is_beside(line):
            credits.add(block)
    return credits


def _is_byline(line: str, reading: Reading) -> bool:
    rest = introduced(line)
    return bool(rest and not rest[:1].islower() and people(rest, reading))


def _is_beside(line: str) -> bool:
    return len(line) <= _FEW and (any(character.isdecimal() for character in line) or is_role(line))


def _author_boxes(page: Page, found: Opinion, kept: Bools, near: slice) -> set[int]:
    """The last blocks that open with a name that stands right before them and beside the title."""
    first, last = page.start[found.blocks.first], page.stop[found.blocks.last]
    boxes: set[int] = set()
    behind = 0.0  # words
    for block in kept.nonzero()[0][:-_BOXES:-1].tolist():
        if behind > _BEHIND or block <= near.start:
            break
        name = page.utf8[first[block - 1] : last[block - 1]].strip()
        opening = page.utf8[first[block] : min(last[block], first[block] + len(name) + _OPENS)]
        if len(name) in _NAME and name in opening and is_person(name.decode()):
            if name in page.utf8[first[near.start] : min(last[near.stop - 1], first[block - 1])]:
                boxes |= {block - 1, block}
        elif block not in boxes:
            behind += found.words[block]
    return boxes


def _adverts(page: Page, found: Opinion, kept: Bools, out: Bools) -> None:
    """Lines that say advertisement and no more."""
    rows = (kept & (found.words <= _NOTE) & ~found.heading).nonzero()[0]
    if len(rows) <= _MOST:
        lines = zip(rows.tolist(), _lines(page, found, rows), strict=True)
        out[[row for row, line in lines if line.lower() in phrases("advert")]] = True


def _sign_ups(page: Page, found: Opinion, kept: Bools, out: Bools) -> None:
    """All of the small boxes around fields for an address, behind some text: one at the top is what a page is about."""
    rows, code, values = attributes.distinct_bytes(page, "type")
    if b"email" in values:
        for row in rows[code == values.index(b"email")][:_FIELDS].tolist():
            box = row
            for above in page.ancestors(row):
                if chars(page)[page.first[above] : page.last[above]].sum() > _BOX:
                    break
                box = above
            begin, stop = found.blocks.first.searchsorted((page.first[box], page.last[box]))
            if found.words[:begin] @ kept[:begin] >= _MANY_WORDS:
                out[begin:stop] = True


def _pointers(page: Page, found: Opinion, kept: Bools, out: Bools) -> None:
    """Links behind "Read also", in the same block or in those that follow a block that says just that."""
    rows = (kept & (found.linked >= _LINKED) & (found.words >= _WORDS)).nonzero()[0]
    if len(rows) > _MOST:
        return
    out[[row for row, line in zip(rows.tolist(), _lines(page, found, rows), strict=True) if _says_also(line)]] = True
    link = found.linked >= _ALL_LINK
    label = (kept[:-1] | kept[1:]) & ~link[:-1] & link[1:] & (found.words[:-1] <= _LABEL)
    rows = label.nonzero()[0]
    for row, line in zip(rows.tolist(), _lines(page, found, rows), strict=True):
        if line.strip(_MARKS).lower() in _pointing():
            others = (found.blocks.alike[row + 1 :] != found.blocks.alike[row + 1]) | ~link[row + 1 :]
            end = row + 1 + int(others.argmax()) if others.any() else len(out)
            out[row:end] = True


def _says_also(line: str) -> bool:
    """Whether a line opens with such words and a mark."""
    line = line[:_POINTER].lstrip(_MARKS).lower()
    if line[:_PREFIX] not in _prefixes():
        return False
    return any(line.startswith(said) and line[len(said) :].lstrip()[:1] in _MARKS_BEHIND for said in _pointing())


@cache
def _published() -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{alternatives('published')}|{alternatives('modified')})", re.IGNORECASE)


@cache
def _pointing() -> frozenset[str]:
    return frozenset(phrases("also"))


@cache
def _prefixes() -> frozenset[str]:
    return frozenset(said[:_PREFIX] for said in _pointing())


def _lines(page: Page, found: Opinion, blocks: NDArray[np.intp]) -> Iterator[str]:
    """Blocks as lines of text."""
    starts, stops = page.start[found.blocks.first[blocks]], page.stop[found.blocks.last[blocks]]
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        yield " ".join(page.utf8[start:stop].replace(b"\0", b" ").decode().split())

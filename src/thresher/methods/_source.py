"""A page's source as one sequence of content and code, as paper 004 prints it: "all the tags in the source code
correspond to code while everything else is content".

    characters   one unit a character; without `anchors` the tags of links are no units at all
    tokens       one unit a word, one a tag

Scripts, styles and comments are code: every character of them, and in tokens every word of a script and style, while a
comment is one tag.  White space is content, between tags, too.  A word is what stands between white space and tags;
one with a script in its middle, which no reader sees, stays one.
Nothing here asks what a reader sees.

The source is the page's markup in its canonical form, in which every element that can be closed is, with the scripts
and styles at their places (`Page.removed`, where `parse` was asked for them).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.data.tags import NUMBER
from thresher.page import Page
from thresher.page.types import Bools, Bytes, Rows
from thresher.parse.markup_tags import MarkupTags, markup_tags

__all__ = ["SourceVector", "characters", "shortened", "tokens", "word_spans"]

_SPACE = 32


class SourceVector(NamedTuple):
    """The units in their order, and the words that they are part of."""

    content: Bytes  # (n,)  1 for content, 0 for code
    word: Rows  # (n,)  the number of the word; -1 for white space and code
    start: Rows  # (w,)  where each word starts in the markup


def characters(page: Page, anchors: bool = True) -> SourceVector:
    """Each character of the source; without `anchors`, the tags of links are left out."""
    buffer, tags = np.frombuffer(page.markup, np.uint8), markup_tags(page.markup)
    content = ~_within(tags, len(buffer))
    word, start = _words(buffer, content)
    unit = (buffer & 0xC0) != 0x80  # the first byte of each character
    if not anchors:
        link = tags.tag == NUMBER["a"]
        unit &= ~_within(MarkupTags(*(column[link] for column in tags)), len(buffer))
    at = np.flatnonzero(unit)
    return _with_removed(page, at, content[at].view(np.uint8), word[at], start, column=1)


def tokens(page: Page) -> SourceVector:
    """Each word and each tag."""
    buffer, tags = np.frombuffer(page.markup, np.uint8), markup_tags(page.markup)
    _, start = _words(buffer, ~_within(tags, len(buffer)))
    at: Rows = np.concatenate((start, tags.start.astype(np.intp)))
    order = np.argsort(at, kind="stable")
    number = np.concatenate((np.arange(len(start)), np.full(len(tags.start), -1)))[order]
    return _with_removed(page, at[order], (number >= 0).view(np.uint8), number, start, column=2)


def word_spans(page: Page, vector: SourceVector) -> tuple[Rows, Rows, Rows]:
    """The words of the page's texts: where each starts and stops in `utf8`, and its number in the vector."""
    ink = np.frombuffer(page.utf8, np.uint8) > _SPACE
    edge = np.diff(ink.view(np.int8), prepend=0, append=0)
    start, stop = np.flatnonzero(edge == 1), np.flatnonzero(edge == -1)
    text = np.searchsorted(page.start, start, side="right") - 1
    inside = (text >= 0) & (start < np.append(page.stop, 0)[text])  # a no-break space alone is a word, but no text
    start, stop, text = start[inside], stop[inside], text[inside]
    # The markup has the same words: unescaping makes no white space, and takes none away.
    first = np.searchsorted(vector.start, page.position)
    return start, stop, first[text] + np.arange(len(text)) - np.searchsorted(text, text)


def shortened(vector: SourceVector, most: int) -> SourceVector:
    """The same without the middle of code that is longer than `most` units."""
    code = np.concatenate(([False], vector.content == 0, [False]))
    begin, end = np.flatnonzero(code[1:] > code[:-1]), np.flatnonzero(code[1:] < code[:-1])
    keep = np.ones(len(vector.content), bool)
    for k in np.flatnonzero(end - begin > most).tolist():
        keep[begin[k] + most // 2 : end[k] - most // 2] = False
    return SourceVector(vector.content[keep], vector.word[keep], vector.start)


def _within(tags: MarkupTags, size: int) -> Bools:
    """Which bytes of the markup are part of the tags."""
    step = np.zeros(size + 1, np.int8)
    step[tags.start] = 1
    step[tags.stop] -= 1
    return np.cumsum(step[:-1], dtype=np.int8) > 0


def _words(buffer: Bytes, content: Bools) -> tuple[Rows, Rows]:
    """The number of the word that each byte is part of, -1 for none, and where the words start."""
    ink = content & (buffer > _SPACE)
    begins = ink.copy()
    begins[1:] &= ~ink[:-1]
    return np.where(ink, np.cumsum(begins) - 1, -1), np.flatnonzero(begins)


def _with_removed(page: Page, at: Rows, content: Bytes, word: Rows, start: Rows, column: int) -> SourceVector:
    """The units with those of scripts and styles between them: a `column` of `removed` has how many."""
    if page.removed is None or not len(page.removed):
        return SourceVector(content, word, start)
    place = np.repeat(np.searchsorted(at, page.removed[:, 0]), page.removed[:, column])
    return SourceVector(np.insert(content, place, 0), np.insert(word, place, -1), start)

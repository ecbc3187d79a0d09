"""Columns that many methods share: characters, words, links, sentence ends, what a reader can see.

Each is a pure function of a Page, computed at most once per page and read-only.  Texts are counted in their UTF-8
bytes, so a column costs one or two passes over the text of the page, however many nodes it has.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.data.tags import NUMBER, UNREAD, group
from thresher.page import Page, memoised
from thresher.spans import is_among
from thresher.tree import block_sum, text_sum, within

__all__ = [
    "block_chars",
    "block_link_density",
    "capitals",
    "chars",
    "column",
    "digits",
    "in_link",
    "link_density",
    "punctuation",
    "readable",
    "sentence_ends",
    "tag_mask",
    "tokens",
    "words",
]

Bools = NDArray[np.bool_]
Counts = NDArray[np.int64]
Array = TypeVar("Array", bound=NDArray[Any])


def column(compute: Callable[[Page], Array]) -> Callable[[Page], Array]:
    """Make a function of a page a column: computed once per page, read-only."""

    @wraps(compute)
    def read_only(page: Page) -> Array:
        array = compute(page)
        array.setflags(write=False)
        return array

    return memoised(read_only)


# ---- text nodes ----------------------------------------------------------------------------------------------


@column
def chars(page: Page) -> Counts:
    """Characters of each text that leave ink: code points but white space and control characters.

    In UTF-8 a code point is a byte that is no continuation byte (10xxxxxx); white space is a byte ≤ 32 or U+00A0.
    """
    bytes_ = _bytes(page)
    inked = (bytes_ > 32) & ((bytes_ & 0xC0) != 0x80)
    nbsp = np.flatnonzero(bytes_ == 0xA0)
    nbsp = nbsp[bytes_[nbsp - 1] == 0xC2]
    inked[nbsp - 1] = False
    return _count(page, inked)


@column
def words(page: Page) -> Counts:
    """Words of each text, in any script.

    w = r + ⌈c / 2⌉ + ⌈s / 4⌉, where r counts runs of letters and digits in scripts that put spaces between words, c
    the Han and kana characters (a Chinese or Japanese word has about two), s the letters of Thai, Lao, Khmer and
    Burmese (about four, marks not counted).  An apostrophe or a dot inside a run ends it, as `\\w+` does.
    """
    bytes_ = _bytes(page)
    small = bytes_ | 0x20
    run = ((small >= ord("a")) & (small <= ord("z"))) | ((bytes_ >= ord("0")) & (bytes_ <= ord("9")))
    run |= bytes_ == ord("_")
    if page.utf8.isascii():
        return _count(page, _starts(run))
    run |= bytes_ >= 0x80
    lead, code = _wide(page)
    kind = _KINDS[np.searchsorted(_BOUNDS, code, side="right")]
    other = lead[kind != _LETTER]
    width = np.array([1, 2, 3, 4])[(bytes_[other] >= 0xC0) * 1 + (bytes_[other] >= 0xE0) + (bytes_[other] >= 0xF0)]
    for offset in range(4):
        run[other[width > offset] + offset] = False
    count = _count(page, _starts(run))
    for wanted, letters_a_word in ((_IDEOGRAPH, 2), (_UNSPACED, 4)):
        chosen = lead[kind == wanted]
        if len(chosen):
            count += -(-_count(page, _at(page, chosen)) // letters_a_word)
    return count


@column
def digits(page: Page) -> Counts:
    """ASCII digits of each text."""
    bytes_ = _bytes(page)
    return _count(page, (bytes_ >= ord("0")) & (bytes_ <= ord("9")))


@column
def capitals(page: Page) -> Counts:
    """ASCII capitals of each text."""
    bytes_ = _bytes(page)
    return _count(page, (bytes_ >= ord("A")) & (bytes_ <= ord("Z")))


@column
def punctuation(page: Page) -> Counts:
    """Commas, stops and their kin of each text: , ; : . ! ? and the same marks of other scripts."""
    bytes_ = _bytes(page)
    marks = (bytes_ & 0xFE) == ord(":")  # and the semicolon, its neighbour
    for mark in b",.!?":
        marks |= bytes_ == mark
    return _count(page, marks | _occurrences(page, _COMMAS_AND_STOPS))


@column
def sentence_ends(page: Page) -> Counts:
    """Sentence ends of each text: . ! ? … before white space, a closing quote or the end of the text, and the stops of
    other scripts (。！？｡ । ॥ ؟ ۔ ። ፧ ។ ၊ ။) anywhere, for those scripts need no space after them."""
    bytes_ = _bytes(page)
    mark = (bytes_ == ord(".")) | (bytes_ == ord("!")) | (bytes_ == ord("?"))
    at = np.flatnonzero(mark)
    following = bytes_[at + 1]  # a NUL stands behind every text
    closing = _CLOSING[following]
    mark[at[~closing]] = False
    return _count(page, mark | _occurrences(page, _STOP_CODES))


@column
def in_link(page: Page) -> Bools:
    """Which texts stand inside an `a` element."""
    return within(page, page.tag == NUMBER["a"])[page.owner]


@column
def readable(page: Page) -> Bools:
    """Which texts a reader of the page gets to see: all but those in the head, in scripts' and forms' innards,
    in drawings, templates and fallbacks (`UNREAD`), and in hidden elements.

    One fallback may be the page itself: some forums write their posts into `noscript` for visitors without scripts
    and next to nothing outside it.  It counts when it has ten times the text of the rest, and the rest no sentence.
    On a rendered page a text must have been seen in the browser too.
    """
    from thresher.selfhiding import has_prose
    from thresher.visibility import hidden, veiled

    fallback = page.tag == NUMBER["noscript"]
    unread, in_fallback = within(page, np.column_stack((_UNREAD[page.tag] & ~fallback | hidden(page), fallback))).T
    seen: Bools = ~(unread | veiled(page))[page.owner]
    offered: Bools = in_fallback[page.owner]
    if offered.any():
        size = chars(page) * seen
        rest = size * ~offered
        offered_size = int(size[offered].sum())
        if offered_size < max(_FALLBACK_CHARS, _FALLBACK_SHARE * int(rest.sum())) or has_prose(page, rest):
            seen &= ~offered
    if page.box is not None and page.style is not None:
        from thresher.render.sight import seen as seen_in_browser

        seen &= seen_in_browser(page)
    return seen


# ---- blocks and elements -------------------------------------------------------------------------------------


@column
def block_chars(page: Page) -> Counts:
    """Readable characters of each block."""
    return block_sum(page, chars(page) * readable(page))


@column
def block_link_density(page: Page) -> NDArray[np.float64]:
    """Share of each block's readable characters that stand in links; 0 for a block without any."""
    total = block_chars(page)
    linked = block_sum(page, chars(page) * (readable(page) & in_link(page)))
    return linked / np.maximum(total, 1)


@column
def link_density(page: Page) -> NDArray[np.float64]:
    """Share of each element's readable characters that stand in links; 0 for an element without any."""
    seen = chars(page) * readable(page)
    return text_sum(page, seen * in_link(page)) / np.maximum(text_sum(page, seen), 1)


def tag_mask(page: Page, *names: str) -> Bools:
    """Which elements have one of these names."""
    mask: Bools = group(names)[page.tag]
    return mask


def tokens(page: Page) -> dict[int, tuple[str, ...]]:
    """The class, id and role tokens of each element that has any, in lower case."""
    result: dict[int, tuple[str, ...]] = {}
    for name in ("class", "id", "role"):
        for row, found in attributes.tokens(page, name).items():
            result[row] = result.get(row, ()) + found
    return result


# ---- bytes ---------------------------------------------------------------------------------------------------

_UNREAD = group(UNREAD)
_FALLBACK_CHARS = 300  # a noscript with less is a request to turn scripts on
_FALLBACK_SHARE = 10  # what is seen without it may have a tenth of its text
_LETTER, _IDEOGRAPH, _UNSPACED, _MARK = range(4)
_COMMAS = ("，", "、", "；", "：", "،", "؛", "…", "၊", "፣")
_STOPS = ("。", "！", "？", "｡", "।", "॥", "؟", "۔", "።", "፧", "។", "။", "．")
_STOP_CODES, _COMMAS_AND_STOPS = (np.array(sorted(map(ord, marks)), np.int32) for marks in (_STOPS, _STOPS + _COMMAS))
_CLOSING = np.arange(256) <= 32  # bytes behind a mark that ends a sentence: white space, quotes and brackets
_CLOSING[np.frombuffer(b"\"')]\xc2\xe2", np.uint8)] = True


def _bytes(page: Page) -> NDArray[np.uint8]:
    return np.frombuffer(page.utf8, np.uint8)


def _count(page: Page, mask: Bools) -> Counts:
    """How many True bytes each text holds.  Between texts lie only blank pieces and NULs, so a text's count may be
    taken from its start to the start of the next, provided the mask is False on white space."""
    if not len(page.start):
        return np.zeros(0, np.int64)
    return np.add.reduceat(mask.view(np.uint8), page.start, dtype=np.int64)


def _starts(run: Bools) -> Bools:
    """The first byte of each run."""
    starts: Bools = run.copy()
    starts[1:] &= ~run[:-1]
    return starts


def _at(page: Page, positions: NDArray[np.intp]) -> Bools:
    """A mask over the bytes that is True at some positions."""
    mask = np.zeros(len(page.utf8), bool)
    mask[positions] = True
    return mask


def _occurrences(page: Page, marks: NDArray[np.int32]) -> Bools:
    """The first byte of each occurrence of one of these characters beyond ASCII, given by their code points."""
    if page.utf8.isascii():
        return np.zeros(len(page.utf8), bool)
    lead, code = _wide(page)
    return _at(page, lead[is_among(code, marks)])


def _wide(page: Page) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Where the characters beyond ASCII start, and their code points."""
    return _leads(page), _code_points(page)


@column
def _leads(page: Page) -> NDArray[np.intp]:
    """Where the characters beyond ASCII start."""
    return np.flatnonzero(_bytes(page) >= 0xC2)


@column
def _code_points(page: Page) -> NDArray[np.int32]:
    """The code points of the characters beyond ASCII, put together from the bits of their bytes."""
    bytes_ = _bytes(page)
    lead = _leads(page)
    first = bytes_[lead].astype(np.int32)
    last = len(bytes_) - 1
    tail = [bytes_[np.minimum(lead + k, last)].astype(np.int32) & 0x3F for k in (1, 2, 3)]
    two = ((first & 0x1F) << 6) | tail[0]
    three = ((first & 0x0F) << 12) | (tail[0] << 6) | tail[1]
    four = ((first & 0x07) << 18) | (tail[0] << 12) | (tail[1] << 6) | tail[2]
    return np.where(first >= 0xF0, four, np.where(first >= 0xE0, three, two))


# Code point ranges that are not letters of a script with spaces.  Sources: the Unicode block list.
_RANGES = (
    (0x0080, 0x00A9, _MARK), (0x00AB, 0x00B4, _MARK), (0x00B6, 0x00B9, _MARK), (0x00BB, 0x00BF, _MARK),
    (0x00D7, 0x00D7, _MARK), (0x00F7, 0x00F7, _MARK),
    (0x060C, 0x061F, _MARK), (0x06D4, 0x06D4, _MARK), (0x0964, 0x0965, _MARK),
    (0x0E01, 0x0E30, _UNSPACED), (0x0E31, 0x0E3F, _MARK), (0x0E40, 0x0E46, _UNSPACED), (0x0E47, 0x0E4F, _MARK),
    (0x0E81, 0x0EB0, _UNSPACED), (0x0EB1, 0x0EBC, _MARK), (0x0EBD, 0x0EC6, _UNSPACED), (0x0EC7, 0x0ECF, _MARK),
    (0x1000, 0x102A, _UNSPACED), (0x102B, 0x104F, _MARK), (0x1050, 0x109F, _UNSPACED),
    (0x1362, 0x1368, _MARK), (0x1780, 0x17B3, _UNSPACED), (0x17B4, 0x17DF, _MARK),
    (0x2000, 0x206F, _MARK), (0x20A0, 0x20CF, _MARK), (0x2190, 0x2BFF, _MARK), (0x2E00, 0x2E7F, _MARK),
    (0x2E80, 0x2FDF, _IDEOGRAPH), (0x3000, 0x3004, _MARK), (0x3005, 0x3007, _IDEOGRAPH), (0x3008, 0x3030, _MARK),
    (0x3031, 0x3035, _IDEOGRAPH), (0x3036, 0x303F, _MARK), (0x3040, 0x30FA, _IDEOGRAPH), (0x30FB, 0x30FB, _MARK),
    (0x30FC, 0x312F, _IDEOGRAPH), (0x31A0, 0x31BF, _IDEOGRAPH), (0x31F0, 0x31FF, _IDEOGRAPH),
    (0x3200, 0x33FF, _MARK), (0x3400, 0x4DBF, _IDEOGRAPH), (0x4E00, 0x9FFF, _IDEOGRAPH),
    (0xD800, 0xF8FF, _MARK), (0xF900, 0xFAFF, _IDEOGRAPH), (0xFE10, 0xFE6F, _MARK), (0xFEFF, 0xFF0F, _MARK),
    (0xFF1A, 0xFF20, _MARK), (0xFF3B, 0xFF3E, _MARK), (0xFF5B, 0xFF65, _MARK), (0xFF66, 0xFF9F, _IDEOGRAPH),
    (0xFFE0, 0xFFFF, _MARK), (0x1F000, 0x1FAFF, _MARK), (0x20000, 0x3FFFF, _IDEOGRAPH), (0xE0000, 0xE0FFF, _MARK),
)  # fmt: skip
# The same as a step function: the kind of a code point is that of the last bound at or below it.
_BOUNDS = np.array([edge for low, high, _ in _RANGES for edge in (low, high + 1)], np.int32)
_KINDS = np.array([_LETTER] + [kind for *_, value in _RANGES for kind in (value, _LETTER)], np.int8)

"""Names of tags as numbers, for all tags of a page at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import NUMBER, TAGS
from thresher.words8 import Words, as_word, name_words

__all__ = ["tag_numbers"]

Rows = NDArray[np.intp]
Tags = NDArray[np.int16]

_SPACE, _GREATER_THAN = b" >"


def tag_numbers(buffer: NDArray[np.uint8], at: Rows) -> Tags:
    """The number in TAGS of the name at each position; 0 where the table lacks it.

    A name of up to eight bytes is one word, of up to sixteen two; the words are hashed into a small table and
    compared, so a stranger that falls on a taken slot is still a stranger.
    """
    word, mask = name_words(buffer, at, before=0, also=(_SPACE, _GREATER_THAN))
    number = _SLOTS[(word * _MULTIPLIER) >> _SHIFT]
    number[_WORDS[number] != word] = 0
    long = np.flatnonzero(mask == _ALL)
    if len(long):
        rest, mask = name_words(buffer, at[long] + 8, before=0, also=(_SPACE, _GREATER_THAN))
        key = word[long] + rest * _MULTIPLIER
        found = np.minimum(np.searchsorted(_LONG_KEYS, key), len(_LONG_KEYS) - 1)
        known = (_LONG_KEYS[found] == key) & (mask != _ALL)
        exactly_eight = rest == 0
        number[long] = np.where(known, _LONG_NUMBERS[found], np.where(exactly_eight, number[long], 0))
    numbers: Tags = number
    return numbers


# The hash table of names.  The multiplier was found by trying random odd numbers until no two names of at most
# eight bytes fell on one slot; the assertion says when a new name in TAGS asks for another.
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_MULTIPLIER = np.uint64(0xD23F0824128B2F33)
_SHIFT = np.uint64(64 - 14)


def _spellings() -> list[tuple[bytes, int]]:
    """Names with their numbers; svg's names come out of the parser in camel case."""
    camel = ["foreignObject", "linearGradient", "radialGradient", "clipPath"]
    return [(name.encode(), number) for number, name in enumerate(TAGS) if name] + [
        (name.encode(), NUMBER[name.lower()]) for name in camel
    ]


def _short_table() -> tuple[NDArray[np.int16], Words]:
    words = np.zeros(len(TAGS), np.uint64)
    slots = np.zeros(1 << 14, np.int16)
    for name, number in _spellings():
        if len(name) <= 8:
            words[number] = as_word(name)
            slot = int((np.uint64(as_word(name)) * _MULTIPLIER) >> _SHIFT)
            assert not slots[slot], f"{name!r} needs another multiplier"
            slots[slot] = number
    return slots, words


def _long_table() -> tuple[Words, NDArray[np.int16]]:
    long = [(name, number) for name, number in _spellings() if len(name) > 8]
    keys = np.array([as_word(name) for name, _ in long], np.uint64)
    keys += np.array([as_word(name[8:]) for name, _ in long], np.uint64) * _MULTIPLIER
    order = np.argsort(keys)
    return keys[order], np.array([number for _, number in long], np.int16)[order]


with np.errstate(over="ignore"):
    _SLOTS, _WORDS = _short_table()
    _LONG_KEYS, _LONG_NUMBERS = _long_table()

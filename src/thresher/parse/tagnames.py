"""Names of tags as numbers, for all tags of a page at once."""

from __future__ import annotations

import numpy as np

from thresher.data.tags import HEADINGS, NUMBER, TAGS, group
from thresher.page.byte_words import Words, as_word, name_words, words_at
from thresher.page.types import Bytes, Rows, Tags

__all__ = ["tag_numbers"]


_SPACE, _GREATER_THAN = b" >"


def tag_numbers(buffer: Bytes, at: Rows) -> Tags:
    """The number in TAGS of the name at each position; 0 where the table lacks it.

    The bytes of a word are letters, with bit 6 set, up to the byte that ends the name, which is space or `>`.  Cut
    behind it, a word is looked up in a hash table with both spellings of each name and compared, so a stranger that
    falls on a taken slot is still a stranger.  Headings are cut behind their digit; names of eight letters and more,
    where nothing is cut, take a second word.
    """
    word = words_at(buffer, at)
    ends = ~word & _BITS_6
    ends &= -ends  # the first
    long = (ends == 0).nonzero()[0]
    word &= (ends << _TWO) - _ONE
    slot = (word * _MULTIPLIER) >> _SHIFT
    number: Tags = _NUMBERS.take(slot)
    number[_WORDS.take(slot) != word] = 0
    heading = _IS_HEADING.take(number).nonzero()[0]
    if len(heading):
        behind = buffer.take(at.take(heading) + 2)
        number[heading[(behind != _SPACE) & (behind != _GREATER_THAN)]] = 0
    if len(long):
        rest, mask = name_words(buffer, at.take(long) + 8, before=0, also=(_SPACE, _GREATER_THAN))
        key = word.take(long) + rest * _MULTIPLIER
        found = np.minimum(_LONG_WORDS.searchsorted(key), len(_LONG_WORDS) - 1)
        known = (_LONG_WORDS.take(found) == key) & (mask != _ALL)
        number[long] = np.where(known, _LONG_NUMBERS.take(found), 0)
    return number


_IS_HEADING = group(HEADINGS)
_ALL, _BITS_6, _ONE, _TWO = np.array([0xFFFFFFFFFFFFFFFF, 0x4040404040404040, 1, 2], np.uint64)
# The multiplier was found by trying random odd numbers until no two spellings fell on one slot; the assertion says
# when a new name in TAGS asks for another.
_MULTIPLIER = np.uint64(0x93CDE0E841619C21)
_SLOTS = 1 << 12
_SHIFT = np.uint64(64 - 12)


def _spellings() -> list[tuple[bytes, int]]:
    """Names with their numbers; svg's names come out of the parser in camel case."""
    camel = ["foreignObject", "linearGradient", "radialGradient", "clipPath"]
    return [(name.encode(), number) for number, name in enumerate(TAGS) if name] + [
        (name.encode(), NUMBER[name.lower()]) for name in camel
    ]


def _short_table() -> tuple[Tags, Words]:
    """By slot: the number of a name, and the word that says so."""
    numbers, words = np.zeros(_SLOTS, np.int16), np.zeros(_SLOTS, np.uint64)
    for name, number in _spellings():
        for word in [name] if _IS_HEADING[number] else [name + b" ", name + b">"]:
            if len(word) <= 8:
                slot = int((np.uint64(as_word(word)) * _MULTIPLIER) >> _SHIFT)
                assert not numbers[slot], f"{name!r} needs another multiplier"
                numbers[slot], words[slot] = number, as_word(word)
    return numbers, words


def _long_table() -> tuple[Words, Tags]:
    long = [(name, number) for name, number in _spellings() if len(name) >= 8]
    keys = np.array([as_word(name) for name, _ in long], np.uint64)
    keys += np.array([as_word(name[8:]) for name, _ in long], np.uint64) * _MULTIPLIER
    order = np.argsort(keys)
    return keys[order], np.array([number for _, number in long], np.int16)[order]


with np.errstate(over="ignore"):
    _NUMBERS, _WORDS = _short_table()
    _LONG_WORDS, _LONG_NUMBERS = _long_table()

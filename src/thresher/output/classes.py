"""Elements found by how their class begins, without reading the classes of the others."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thresher.page import Page, attributes
from thresher.page.byte_words import as_word, words_at

__all__ = ["ClassPrefixes", "class_prefixes", "rows_with_class"]

_SMALL_LETTERS = 0x2020202020202020
ClassPrefixes = tuple[tuple[np.uint64, np.uint64], ...]


def class_prefixes(*names: str) -> ClassPrefixes:
    """The first eight bytes of each name in small letters as a number, and the mask of the bytes that count."""
    words = []
    for name in names:
        mask = (1 << 8 * min(len(name), 8)) - 1
        words.append((np.uint64((as_word(name.encode()) | _SMALL_LETTERS) & mask), np.uint64(mask)))
    return tuple(words)


def rows_with_class(page: Page, prefixes: ClassPrefixes) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Rows whose class begins with one of the names, in any case, and their class tokens in small letters.

    Eight bytes of every different class value are compared at once.  The bit that makes a capital small is set in all
    of them, so a few others are found as well (`@` for a grave accent); the caller looks at the tokens.
    """
    values = attributes.numbered(page, "class")
    word = words_at(np.frombuffer(page.markup, np.uint8), values.start) | np.uint64(_SMALL_LETTERS)
    hit = np.zeros(len(word), bool)
    for prefix, mask in prefixes:
        hit |= (word & mask) == prefix
    if not hit.any():
        return
    spans = zip(values.start[hit].tolist(), values.stop[hit].tolist(), strict=True)
    split = [tuple(page.markup[start:stop].decode().lower().split()) for start, stop in spans]
    place = hit.cumsum() - 1
    rows = hit[values.code].nonzero()[0]
    for row, number in zip(values.row[rows].tolist(), place[values.code[rows]].tolist(), strict=True):
        yield row, split[number]

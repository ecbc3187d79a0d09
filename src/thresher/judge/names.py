"""Names as evidence: the words of classes, ids, roles, labels and tags around a block, as sums of learned vectors.

Authors name their containers: `post-content`, `sidebar`, `related`, `commentList`.  No list of such words is kept: each
word is hashed into one of 4,096 buckets, and training gives each bucket, and each tag, a vector.  A block gets four
sums of them, by how far away the named elements stand:

    own        from the element of its first text up to its block-level element
    near       further up to its first larger container
    around     further up to its third larger container
    above      from there to the root

Sums along a path are differences of path sums, so no list is built per block.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.data.tags import TAGS
from thresher.judge.blocks import Blocks
from thresher.judge.hashing import BUCKETS, hash_words
from thresher.page import Page
from thresher.tree import along_path

__all__ = ["BAGS", "ROWS", "element_buckets", "further_wrappers", "name_sums", "path_ends"]

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]

ROWS = BUCKETS + len(TAGS)  # the table of vectors: a row per bucket, then a row per tag
BAGS = ("own", "near", "around", "above")

_ATTRIBUTES = ("class", "id", "role", "itemprop", "aria-label")
# A path of a thousand names would outweigh all other evidence, and that of its neighbours; real sums are smaller.
_MOST = np.float32(16)
_DEEP = 24  # pages that nest no deeper are not looked at for wrappers around wrappers


def element_buckets(page: Page) -> tuple[Rows, Rows]:
    """(row, bucket) of every word in the names of every element, in no particular order."""
    named, size, flat = _named(page)
    start = np.cumsum(size) - size
    rows, found = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    for row, code in named:
        count = size[code]
        offset = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        rows.append(np.repeat(row, count))
        found.append(flat[np.repeat(start[code], count) + offset])
    return np.concatenate(rows), np.concatenate(found)


def name_sums(page: Page, found: Blocks, table: Floats) -> Floats:
    """The four sums of each block side by side; `table` has a vector in each of its ROWS."""
    vector = table[BUCKETS:].take(page.tag, axis=0)
    named, size, flat = _named(page)
    filled = np.flatnonzero(size)
    if len(filled):
        value = np.zeros((len(size), table.shape[1]), np.float32)
        value[filled] = np.add.reduceat(table.take(flat, axis=0), (np.cumsum(size) - size)[filled], axis=0)
        for row, code in named:
            vector[row] += value.take(code, axis=0)
    further = further_wrappers(page)
    if further is not None:
        vector[further] = 0
    path = along_path(page, vector)
    at = [path.take(end - 1, axis=0) for end in path_ends(page, found)]
    sums = np.concatenate([lower - upper for lower, upper in zip(at, [*at[1:], np.float32(0)], strict=True)], axis=1)
    return np.clip(sums, -_MOST, _MOST, out=sums)


def further_wrappers(page: Page) -> NDArray[np.bool_] | None:
    """Elements that say no more, for they and the eight around them hold the same texts; None if there are none.

    On pages that nest hundreds of elements, to no purpose or to hide, their names would outweigh everything else.
    """
    if int(page.depth.max(initial=0)) <= _DEEP:
        return None
    up = np.maximum(page.parent, 0).astype(np.intp)
    same: NDArray[np.bool_] = (page.first == page.first[up]) & (page.last == page.last[up]) & (page.parent >= 0)
    for _ in range(3):  # of one, two, four elements
        same &= same[up]
        up = up[up]
    return same


def path_ends(page: Page, found: Blocks) -> list[Rows]:
    """Where the four parts of each block's path end, from below: one more than the row of the lowest element."""
    near, around, above = (page.parent[found.level[k]].astype(np.intp) + 1 for k in (0, 1, 3))
    return [found.at + 1, near, around, above]


def _named(page: Page) -> tuple[list[tuple[Rows, Rows]], Rows, Rows]:
    """For each attribute the rows that have it and which value each has; how many words each value has, and the
    buckets of the words of all values."""
    named: list[tuple[Rows, Rows]] = []
    values: list[bytes] = []
    for name in _ATTRIBUTES:
        row, code, known = attributes.distinct_bytes(page, name)
        if known:
            named.append((row, code + len(values)))
            values += known
    return named, *_name_buckets(values)


def _name_buckets(values: list[bytes]) -> tuple[Rows, Rows]:
    """How many words each value has, and the buckets of all of them: "postBody entry-content" has post, body, entry,
    content.

    A word begins at a letter after something else, or at a capital after a small letter; single letters say nothing.
    """
    text = b"\n".join(values) + b"\n"
    code = np.frombuffer(text, np.uint8)
    small = (code >= 0x61) & (code <= 0x7A)
    capital = (code >= 0x41) & (code <= 0x5A)
    letter = small | capital | (code >= 0x80)
    begins = letter.copy()
    begins[1:] &= ~letter[:-1] | (capital[1:] & small[:-1])
    start, bucket, length = hash_words(code, letter, begins)
    start, bucket = start[length > 1], bucket[length > 1]
    stop = np.cumsum([len(value) + 1 for value in values])
    return np.diff(np.searchsorted(start, stop), prepend=0), bucket

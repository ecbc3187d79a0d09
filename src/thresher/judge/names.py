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
from thresher.tree import levels

__all__ = ["BAGS", "ROWS", "element_buckets", "name_sums", "path_ends"]

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]

ROWS = BUCKETS + len(TAGS)  # the table of vectors: a row per bucket, then a row per tag
BAGS = ("own", "near", "around", "above")

_ATTRIBUTES = ("class", "id", "role", "itemprop", "aria-label")
# A path of a thousand names outweighs all other evidence, and that of the blocks around; on real pages sums are smaller.
_MOST = np.float32(16)


def element_buckets(page: Page) -> tuple[Rows, Rows]:
    """(row, bucket) of every word in the names of every element, in no particular order."""
    rows, found = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    for row, code, flat, size in _named(page):
        count = size[code]
        start = np.cumsum(size) - size
        offset = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        rows.append(np.repeat(row, count))
        found.append(flat[np.repeat(start[code], count) + offset])
    return np.concatenate(rows), np.concatenate(found)


def name_sums(page: Page, found: Blocks, table: Floats) -> Floats:
    """The four sums of each block side by side; `table` has a vector in each of its ROWS."""
    vector = table[BUCKETS + page.tag.astype(np.intp)]
    for row, code, flat, size in _named(page):
        named = np.flatnonzero(size)
        if len(named):
            start = (np.cumsum(size) - size)[named]
            value = np.zeros((len(size), table.shape[1]), np.float32)
            value[named] = np.add.reduceat(table[flat], start, axis=0)
            vector[row] += value[code]
    for rows in levels(page)[1:]:
        vector[rows] += vector[page.parent[rows]]
    path = np.concatenate((np.zeros_like(vector[:1]), vector))  # path[i + 1]: from the root to row i
    at = [path[end] for end in path_ends(page, found)]
    sums = np.concatenate([lower - upper for lower, upper in zip(at, [*at[1:], np.float32(0)], strict=True)], axis=1)
    return np.clip(sums, -_MOST, _MOST, out=sums)


def path_ends(page: Page, found: Blocks) -> list[Rows]:
    """Where the four parts of each block's path end, from below: one more than the row of the lowest element."""
    near, around, above = (page.parent[found.level[k]].astype(np.intp) + 1 for k in (0, 1, 3))
    return [found.at + 1, near, around, above]


def _named(page: Page) -> list[tuple[Rows, Rows, Rows, Rows]]:
    """For each attribute: the rows that have it, which value each has, the buckets of all values, how many each
    value has."""
    present = [attributes.distinct(page, name) for name in _ATTRIBUTES]
    values = [value for _, _, known in present for value in known]
    size, flat = _name_buckets(values)
    result, done, used = [], 0, 0
    for row, code, known in present:
        count = size[done : done + len(known)]
        words = int(count.sum())
        if words:
            result.append((row, code, flat[used : used + words], count))
        done, used = done + len(known), used + words
    return result


def _name_buckets(values: list[str]) -> tuple[Rows, Rows]:
    """How many words each value has, and the buckets of all of them: "postBody entry-content" has post, body, entry,
    content.

    A word begins at a letter after something else, or at a capital after a small letter; single letters say nothing.
    """
    lines = [value.encode() for value in values]
    text = b"\n".join(lines) + b"\n"
    code = np.frombuffer(text, np.uint8)
    small = (code >= 0x61) & (code <= 0x7A)
    capital = (code >= 0x41) & (code <= 0x5A)
    letter = small | capital | (code >= 0x80)
    begins = letter.copy()
    begins[1:] &= ~letter[:-1] | (capital[1:] & small[:-1])
    start, bucket, length = hash_words(code, letter, begins)
    start, bucket = start[length > 1], bucket[length > 1]
    stop = np.cumsum([len(line) + 1 for line in lines])
    return np.diff(np.searchsorted(start, stop), prepend=0), bucket

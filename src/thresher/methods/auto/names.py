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

from typing import NamedTuple

import numpy as np

from thresher.data.tags import TAGS
from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.hashing import BUCKETS, codes
from thresher.methods.auto.kernels.hashing import hash_names
from thresher.methods.auto.kernels.vectors import add_values, path_sums
from thresher.page import Page, attributes, memoised
from thresher.page.types import Bools, Ints, Rows, Singles

__all__ = ["BAGS", "MAX_SUM", "ROWS", "element_buckets", "further_wrappers", "name_sums", "names_of_page", "path_ends"]

ROWS = BUCKETS + len(TAGS)  # the table of vectors: a row per bucket, then a row per tag
BAGS = ("own", "near", "around", "above")

_ATTRIBUTES = ("class", "id", "role", "itemprop", "aria-label")
# A path of a thousand names would outweigh all other evidence, and that of its neighbours; real sums are smaller.
MAX_SUM = 16.0
_DEEP = 24  # pages that nest no deeper are not looked at for wrappers around wrappers


class _Names(NamedTuple):
    """The words of one attribute."""

    row: Ints  # the elements that have it
    code: Ints  # the number of the value of each
    stop: Rows  # (V,)  where the words of each value end among those of all
    bucket: Rows


def element_buckets(page: Page) -> tuple[Rows, Rows]:
    """(row, bucket) of every word in the names of every element, in no particular order."""
    rows, buckets = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    for row, code, stop, bucket in _names(page):
        size = np.diff(stop, prepend=0)
        count = size[code]
        offset = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        rows.append(np.repeat(row, count))
        buckets.append(bucket[np.repeat((stop - size)[code], count) + offset])
    return np.concatenate(rows, dtype=np.intp), np.concatenate(buckets)


def names_of_page(page: Page) -> Rows:
    """The rows of the table that the page has, each once: words of names anywhere on it, and tags."""
    has = np.zeros(ROWS, bool)
    for names in _names(page):
        has[names.bucket] = True
    has[BUCKETS + page.tag] = True
    return has.nonzero()[0]


def name_sums(page: Page, found: Blocks, table: Singles, out: Singles) -> None:
    """The four sums of each block side by side; `table` has a vector in each of its ROWS."""
    path = np.empty((len(page) + 1, table.shape[1]), np.float32)  # the first row for what stands above the root
    path[0] = 0
    table.take(page.tag + BUCKETS, axis=0, out=path[1:])
    for row, code, stop, bucket in _names(page):
        add_values(row, code, stop, bucket, table, path)
    further = further_wrappers(page)
    if further is not None:
        path[1:][further] = 0
    path_sums(page.parent, path_ends(page, found), MAX_SUM, path, out)


def further_wrappers(page: Page) -> Bools | None:
    """Elements that say no more, for they and the eight around them hold the same texts; None if there are none.

    On pages that nest hundreds of elements, to no purpose or to hide, their names would outweigh everything else.
    """
    if int(page.depth.max(initial=0)) <= _DEEP:
        return None
    up = np.maximum(page.parent, 0).astype(np.intp)
    same: Bools = (page.first == page.first[up]) & (page.last == page.last[up]) & (page.parent >= 0)
    for _ in range(3):  # of one, two, four elements
        same &= same[up]
        up = up[up]
    return same


def path_ends(page: Page, found: Blocks) -> Rows:
    """Where the four parts of each block's path end, from below: one more than the row of the lowest element."""
    ends = np.empty((len(BAGS), len(found)), np.intp)
    ends[0] = found.at
    ends[1:] = page.parent[found.level[[0, 1, 3]]]
    ends += 1
    return ends


@memoised
def _names(page: Page) -> list[_Names]:
    """The words of each attribute that the page has: "postBody entry-content" has post, body, entry, content.

    A word begins at a letter after something else, or at a capital after a small letter; single letters say nothing.
    """
    names = []
    for attribute in _ATTRIBUTES:
        values = attributes.numbered(page, attribute)
        if len(values.row):
            known = _hashed(values, page.markup, values.start, values.stop, has_escapes=True)
            names.append(known or _hashed(values, *attributes.unescaped(page, values), has_escapes=False))
    return [name for name in names if name]


def _hashed(values: attributes.Numbered, data: bytes, start: Ints, stop: Ints, *, has_escapes: bool) -> _Names | None:
    """The words of the values, which stand in these spans; None if one has an escape."""
    words = np.empty(len(start), np.intp)
    bucket = np.empty(int(np.add.reduce(stop - start)) // 2, np.intp)
    count = hash_names(data, start, stop, has_escapes, _CODES, words, bucket)
    return _Names(values.row, values.code, words, bucket[:count]) if count >= 0 else None


_CODES = codes(lambda byte: byte >= 0x80 or chr(byte).isalpha())

"""Names as evidence: the words of classes, ids, roles, labels and tags around a block, as sums of learned vectors.

Authors name their containers: `post-content`, `sidebar`, `related`, `commentList`.  No list of such words is kept: each
word is hashed into one of 4,096 buckets, and training gives each bucket, and each tag, a vector.  A block gets four
sums of them, by how far away the named elements stand:

    own        from the element of its first text up to its block-level element
    near       further up to its first larger container
    around     further up to its third larger container
    above      from there to the root

Sums along a path are differences of path sums, so no list is built per block (kernels/vectors.py).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.data.tags import TAGS
from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.elements import elements
from thresher.methods.auto.hashing import BUCKETS, codes
from thresher.methods.auto.kernels.hashing import collect, hash_names
from thresher.methods.auto.kernels.vectors import write_names
from thresher.page import Page, attributes, memoised
from thresher.page.types import Ints, Rows, Singles

__all__ = ["BAGS", "MAX_SUM", "ROWS", "Names", "name_sums", "names", "names_of_page"]

ROWS = BUCKETS + len(TAGS)  # the table of vectors: a row per bucket, then a row per tag
BAGS = ("own", "near", "around", "above")

_ATTRIBUTES = ("class", "id", "role", "itemprop", "aria-label")
# A path of a thousand names would outweigh all other evidence, and that of its neighbours; real sums are smaller.
MAX_SUM = 16.0


class Names(NamedTuple):
    """The words of all names: "postBody entry-content" has post, body, entry, content.

    A word begins at a letter after something else, or at a capital after a small letter; single letters say nothing.
    """

    row: Ints  # the elements that have an attribute
    code: Ints  # the number of the value of each
    bounds: Ints  # (K, 3)  where those of each attribute begin and stop (attributes.Together)
    words: Ints  # (2, …)  where the words of each value begin and stop among those of all
    bucket: Rows


@memoised
def names(page: Page) -> Names:
    row, (code, start, stop), bounds = attributes.together(page, _ATTRIBUTES)
    data, words, bucket = page.markup, np.empty((2, len(row)), np.int32), np.empty(len(page.markup) // 2, np.intp)
    count = hash_names(data, start, stop, bounds, True, _CODES, words, bucket)
    if count < 0:
        data, start, stop = _unescaped(page, start, stop, bounds)
        bucket = np.empty(len(data) // 2, np.intp)
        count = hash_names(data, start, stop, bounds, False, _CODES, words, bucket)
    return Names(row, code, bounds, words, bucket[:count].copy())


def _unescaped(page: Page, start: Ints, stop: Ints, bounds: Ints) -> tuple[bytes, Ints, Ints]:
    """The same without the escapes."""
    data, start, stop = page.markup, start.copy(), stop.copy()
    for begin, _, count in bounds.tolist():
        some = slice(begin, begin + count)
        values = attributes.Numbered(start[:0], start[:0], start[some], stop[some])
        pieces, start[some], stop[some] = attributes.unescaped(page, values)
        moved = (start[some] >= len(page.markup)).nonzero()[0] + begin
        start[moved] += len(data) - len(page.markup)
        stop[moved] += len(data) - len(page.markup)
        data += pieces[len(page.markup) :]
    return data, start, stop


def names_of_page(page: Page) -> Rows:
    """The rows of the table that the page has, each once: words of names anywhere on it, and tags."""
    found = np.empty(ROWS, np.intp)
    return found[: collect(names(page).bucket, page.tag, BUCKETS, np.empty(ROWS, np.uint8), found)]


def name_sums(page: Page, found: Blocks, table: Singles, x: Singles, at: int) -> None:
    """Write the four sums of each block side by side, from column `at` on; `table` has a vector in each of its ROWS."""
    walked = elements(page)
    path, depth = np.empty((len(walked), table.shape[1]), np.float32), np.empty(len(walked), np.int32)
    write_names(walked, *names(page), table, MAX_SUM, found.table, depth, path, x, at)


_CODES = codes(lambda byte: byte >= 0x80 or chr(byte).isalpha())

"""The loops of `features` about a block by itself: what it is made of, where it stands, how often it repeats.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

if cython.compiled:
    from cython.cimports.libc.math import log1p
else:
    from math import log1p

__all__ = ["write_own", "write_place", "write_repeats"]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)
_WORDS = cython.declare(cython.int, 0)  # rows of what is counted, as `counts` has them
_CHARS = cython.declare(cython.int, 1)
_DIGITS = cython.declare(cython.int, 2)
_CAPITALS = cython.declare(cython.int, 3)
_PUNCTUATION = cython.declare(cython.int, 4)
_ENDS = cython.declare(cython.int, 5)
_LINKED = cython.declare(cython.int, 6)
_EMPHASIS = cython.declare(cython.int, 7)
_SUMS = cython.declare(cython.int, 8)
_FEW_WORDS = cython.declare(cython.int, 3)
_MAX_GROUPS = cython.declare(cython.int, 32)  # a bit of a number for each


def write_own(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    first: cython.const[cython.Py_ssize_t][::1],
    last: cython.const[cython.Py_ssize_t][::1],
    own: cython.const[cython.float][:, ::1],
    shapes: cython.const[cython.uchar][::1],
    out: cython.float[:, :],
) -> None:
    """Write the columns named in OWN, but for the last: the rank of a heading.  `shapes` has for each byte a bit for
    each way a block begins or ends with it."""
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(utf8)
    chars: cython.double
    words: cython.double
    if not len(first) == len(last) == own.shape[1] == out.shape[0] or len(start) != len(stop):
        raise ValueError("columns have not the lengths they need")
    if own.shape[0] < _SUMS or out.shape[1] < 19 or len(shapes) < 256:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for b in range(len(first)):
            chars = max(own[_CHARS, b], 1.0)
            words = own[_WORDS, b]
            out[b, 0] = log1p(chars)
            out[b, 1] = log1p(words)
            out[b, 2] = min(chars / max(words, 1.0), 20.0) / 5
            out[b, 3] = own[_LINKED, b] / chars
            out[b, 4] = log1p(own[_ENDS, b])
            out[b, 5] = own[_PUNCTUATION, b] * 10 / chars
            out[b, 6] = own[_DIGITS, b] / chars
            out[b, 7] = own[_CAPITALS, b] * 2 / chars
            out[b, 8] = own[_EMPHASIS, b] / chars
            for k in range(9, 18):
                out[b, k] = 0
            if 0 <= first[b] <= last[b] < len(start):
                begin = start[first[b]]
                end = stop[last[b]]
                if 0 <= begin < end <= size:
                    for k in range(3):
                        out[b, 9 + k] = shapes[utf8[begin]] >> k & 1
                        out[b, 12 + k] = shapes[utf8[end - 1]] >> (3 + k) & 1
                out[b, 15] = log1p(last[b] - first[b])
                out[b, 16] = min(max((end - begin) / chars - 1.2, 0.0), 2.0)
            out[b, 17] = words <= _FEW_WORDS


def write_place(
    at: cython.const[cython.Py_ssize_t][::1],
    depth: cython.const[cython.int][::1],
    first: cython.const[cython.Py_ssize_t][::1],
    last: cython.const[cython.Py_ssize_t][::1],
    before: cython.const[cython.int][::1],
    inside: cython.const[cython.uint][::1],
    heading: cython.uint,
    main_heading: cython.uint,
    groups: cython.float[:, :],
    share: cython.double[::1],
    out: cython.float[:, :],
) -> int:
    """Write into `groups` which bits of `inside` the element of each block has, into `share` the share of the blocks
    that have each, and the columns named in PLACE, but for the words of the title; how many blocks are in a heading.

    `before` are the characters of the texts before each; `heading` and `main_heading` are bits of `inside`.
    """
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t = 0  # the element of the block before
    blocks: cython.Py_ssize_t = len(at)
    rows: cython.Py_ssize_t = len(depth)
    texts: cython.Py_ssize_t = len(before) - 1
    last_heading: cython.Py_ssize_t = -1
    next_heading: cython.Py_ssize_t = 2 * blocks
    main: cython.Py_ssize_t = -1
    gap: cython.Py_ssize_t
    headings: cython.Py_ssize_t = 0
    total: cython.double
    if not blocks == len(first) == len(last) == out.shape[0] == groups.shape[0] or out.shape[1] < 10 or texts < 0:
        raise ValueError("columns have not the lengths they need")
    if len(inside) != rows or (blocks > 0 and rows == 0) or not groups.shape[1] == len(share) <= _MAX_GROUPS:
        raise ValueError("columns have not the lengths they need")
    total = max(before[texts], 1)
    with cython.nogil:
        for k in range(len(share)):
            share[k] = 0
        for b in range(blocks):
            row = at[b] if 0 <= at[b] < rows else 0
            for k in range(len(share)):
                groups[b, k] = inside[row] >> k & 1
                share[k] += inside[row] >> k & 1
            if inside[row] & heading:
                last_heading = b
                headings += 1
            if main < 0 and inside[row] & main_heading:
                main = b
            out[b, 0] = cython.cast(cython.double, b) / blocks
            out[b, 1] = before[min(max(first[b], 0), texts)] / total
            out[b, 2] = 1 - before[min(max(last[b], -1), texts - 1) + 1] / total
            out[b, 3] = min(depth[row] / 20.0, 2.0)
            out[b, 4] = log1p(b - last_heading)
            out[b, 6] = out[b, 7] = 0
            gap = max(row - above, 0) if b > 0 else 0
            above = row
            out[b, 8] = log1p(gap)
            if b > 0:
                out[b - 1, 9] = out[b, 8]
        if blocks > 0:
            out[blocks - 1, 9] = log1p(rows - above)
        for b in range(blocks - 1, -1, -1):
            if inside[at[b] if 0 <= at[b] < rows else 0] & heading:
                next_heading = b
            out[b, 5] = log1p(next_heading - b)
            if main >= 0:
                out[b, 6] = log1p(b - main) if b >= main else -log1p(main - b)
        for k in range(len(share)):
            share[k] /= max(blocks, 1)
    return headings


def write_repeats(
    alike: cython.const[cython.Py_ssize_t][::1],
    beside: cython.const[cython.Py_ssize_t][::1],
    own: cython.const[cython.float][:, ::1],
    lengths: cython.const[cython.int][::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    key: cython.ulonglong[::1],
    room: cython.float[::1],
    held: cython.double[:, ::1],
    out: cython.float[:, :],
) -> None:
    """Write the columns named in REPEATS: how many blocks are built alike, how much text they hold, and how many have
    the same words, or as many of them.

    `lengths` are those of the blocks where the characters do not tell them, else none.  `slots` is room for a hash
    table, its length a power of two above the number of blocks; the others are room for as many.
    """
    b: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = len(alike)
    mask: cython.Py_ssize_t = len(slots) - 1
    total: cython.double = 0
    if not blocks == len(beside) == own.shape[1] == len(key) == len(room) == held.shape[1] == out.shape[0]:
        raise ValueError("columns have not the lengths they need")
    if own.shape[0] < _SUMS or held.shape[0] < 2 or out.shape[1] < 5 or len(lengths) not in (0, blocks):
        raise ValueError("columns have not the lengths they need")
    if blocks > mask or mask & len(slots):
        raise ValueError("the length of the hash table is no power of two above that of the blocks")
    with cython.nogil:
        for slot in range(len(slots)):
            slots[slot] = -1
        for b in range(blocks):
            total += own[_CHARS, b]
        total = max(total, 1.0)
        _group_sizes(alike, own, held, total, out, 0)
        _group_sizes(beside, own, held, total, out, 2)
        for b in range(blocks):
            held[0, b] = 0
            key[b] = _shape(own, lengths, b, room)
            slot = cython.cast(cython.Py_ssize_t, ((key[b] * secret) & _ALL_BITS) >> 33) & mask
            while slots[slot] >= 0 and key[slots[slot]] != key[b]:
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot] = b
            held[1, b] = slots[slot]
            held[0, slots[slot]] += 1
        for b in range(blocks):
            slot = cython.cast(cython.Py_ssize_t, held[1, b])
            out[b, 4] = log1p(held[0, slot])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _group_sizes(
    group: cython.const[cython.Py_ssize_t][::1],
    own: cython.const[cython.float][:, ::1],
    held: cython.double[:, ::1],
    total: cython.double,
    out: cython.float[:, :],
    column: cython.Py_ssize_t,
) -> cython.void:
    """Write the size of each block's group and the share of the characters that it holds."""
    b: cython.Py_ssize_t
    for b in range(len(group)):
        held[0, b] = held[1, b] = 0
    for b in range(len(group)):
        if 0 <= group[b] < len(group):
            held[0, group[b]] += 1
            held[1, group[b]] += own[_CHARS, b]
    for b in range(len(group)):
        out[b, column] = out[b, column + 1] = 0
        if 0 <= group[b] < len(group):
            out[b, column] = log1p(held[0, group[b]])
            out[b, column + 1] = held[1, group[b]] / total


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _shape(
    own: cython.const[cython.float][:, ::1],
    lengths: cython.const[cython.int][::1],
    b: cython.Py_ssize_t,
    room: cython.float[::1],
) -> cython.ulonglong:
    """A number for length, marks, capitals and words of a block.

    The network was trained with numbers of single precision, which of long blocks are the same more often than their
    words: each step is rounded as it was there.
    """
    if len(lengths) > 0:
        return cython.cast(
            cython.ulonglong,
            ((max(lengths[b], 0) * 1009.0 + own[_PUNCTUATION, b]) * 1009.0 + own[_CAPITALS, b]) * 1009.0
            + own[_WORDS, b],
        )
    room[b] = own[_CHARS, b] * 1009.0
    room[b] = cython.cast(cython.double, room[b]) + own[_PUNCTUATION, b]
    room[b] = room[b] * 1009.0
    room[b] = cython.cast(cython.double, room[b]) + own[_CAPITALS, b]
    room[b] = room[b] * 1009.0
    room[b] = cython.cast(cython.double, room[b]) + own[_WORDS, b]
    return cython.cast(cython.ulonglong, room[b])

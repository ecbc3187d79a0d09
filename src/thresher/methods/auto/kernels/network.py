"""The loops of `network`: what a layer does with its products, and what follows the last.

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
    from cython.cimports.libc.math import exp
else:
    from math import exp

__all__ = ["agree", "close_layer", "open_layer", "write_logits"]

_KINDS = cython.declare(cython.int, 4)  # of what a mean is over (means.py)
_MOST = cython.declare(cython.Py_ssize_t, 1 << 20)  # blocks from one to its neighbour
_FARTHEST = cython.declare(cython.double, 30)  # logit


def open_layer(
    h: cython.float[:, ::1],
    page: cython.const[cython.float][::1],
    types: cython.const[cython.float][::1],
    aside: cython.const[cython.float][:, ::1],
    weight: cython.const[cython.float][::1],
    bias: cython.float[::1],
    mean: cython.float[::1],
    tiles: cython.float[:, :, ::1],
    distance: cython.Py_ssize_t,
) -> None:
    """h_b ← relu(h_b + c); write the tiles of h for the layer whose neighbours stand so far away, c, and the mean of h
    with these weights.

    `aside` has b, V and U, one below the other: c = b + page · V + t · U, with the probabilities t of the types.
    """
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    width: cython.Py_ssize_t = h.shape[1]
    if not width == aside.shape[1] == len(bias) == len(mean) == tiles.shape[2] or len(weight) != h.shape[0]:
        raise ValueError("columns have not the lengths they need")
    if aside.shape[0] != 1 + len(page) + len(types) or tiles.shape[0] != 4 or not 0 < distance <= _MOST:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        _add_aside(page, types, aside, bias)
        for column in range(width):
            mean[column] = 0
        for b in range(h.shape[0]):
            for column in range(width):
                h[b, column] = max(h[b, column] + bias[column], 0)
            for column in range(width):
                mean[column] += weight[b] * h[b, column]
        _write_tiles(h, distance, 0, tiles)


def close_layer(
    h: cython.float[:, ::1],
    near: cython.const[cython.float][:, :, ::1],
    far: cython.const[cython.float][:, :, ::1],
    numbers: cython.const[cython.int][:, ::1],
    types: cython.const[cython.float][::1],
    aside: cython.const[cython.float][:, ::1],
    weight: cython.const[cython.float][::1],
    bias: cython.float[::1],
    mean: cython.float[::1],
    tiles: cython.float[:, :, ::1],
    first: cython.Py_ssize_t,
    distance: cython.Py_ssize_t,
    next_distance: cython.Py_ssize_t,
) -> None:
    """h_b ← h_b + relu(n_b + Σ_k f_k + c): n from the products of the tiles, f from those of the means, c from `aside`
    with the mean of h for the page.

    The products are those of some tiles, from number `first` on, and `numbers` are the rows in the products of the
    means for the blocks from twice that on.  Before the blocks change, the tiles behind these are written, for
    the next call; with the last, the mean of the new h, and the first of its tiles for the next layer, of which there
    is none at the distance 0 (`open_layer`)."""
    t: cython.Py_ssize_t
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = h.shape[0]
    width: cython.Py_ssize_t = h.shape[1]
    behind: cython.Py_ssize_t
    if not width == aside.shape[1] == len(bias) == len(mean) == tiles.shape[2] == near.shape[2] == far.shape[2]:
        raise ValueError("columns have not the lengths they need")
    if not 0 <= first <= blocks:
        raise ValueError("there are no such tiles")
    if len(weight) != blocks or aside.shape[0] != 1 + width + len(types) or not 0 < distance <= _MOST:
        raise ValueError("columns have not the lengths they need")
    if (
        not near.shape[0] == far.shape[0] == tiles.shape[0] == _KINDS
        or far.shape[1] < 1
        or not 0 <= next_distance <= _MOST
    ):
        raise ValueError("columns have not the lengths they need")
    if numbers.shape[0] < _KINDS:
        raise ValueError("columns have not the lengths they need")
    behind = first + near.shape[1]
    with cython.nogil:
        if first == 0:
            _add_aside(mean, types, aside, bias)
        if _block_of(behind, distance) < blocks:
            _write_tiles(h, distance, behind, tiles)
        for t in range(near.shape[1]):
            b = _block_of(first + t, distance)
            if b < blocks:
                _close_block(h, near, far, numbers, bias, t, 1, b, b - 2 * first)
            if b + distance < blocks:
                _close_block(h, near, far, numbers, bias, t, -1, b + distance, b + distance - 2 * first)
        if _block_of(behind, distance) >= blocks:
            for column in range(width):
                mean[column] = 0
            for b in range(blocks):
                for column in range(width):
                    mean[column] += weight[b] * h[b, column]
            if next_distance > 0:
                _write_tiles(h, next_distance, 0, tiles)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _block_of(tile: cython.Py_ssize_t, distance: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The first block of a tile."""
    return tile // distance * 2 * distance + tile % distance


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_aside(
    page: cython.const[cython.float][::1],
    types: cython.const[cython.float][::1],
    aside: cython.const[cython.float][:, ::1],
    bias: cython.float[::1],
) -> cython.void:
    """c"""
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    for column in range(aside.shape[1]):
        bias[column] = aside[0, column]
    for row in range(len(page)):
        for column in range(aside.shape[1]):
            bias[column] += page[row] * aside[1 + row, column]
    for row in range(len(types)):
        for column in range(aside.shape[1]):
            bias[column] += types[row] * aside[1 + len(page) + row, column]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _close_block(
    h: cython.float[:, ::1],
    near: cython.const[cython.float][:, :, ::1],
    far: cython.const[cython.float][:, :, ::1],
    numbers: cython.const[cython.int][:, ::1],
    bias: cython.const[cython.float][::1],
    t: cython.Py_ssize_t,
    sign: cython.float,
    b: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
) -> cython.void:
    """The first block of a tile has the sum of its first three products, the second the second less the others; `at` is
    its column in `numbers`."""
    column: cython.Py_ssize_t
    end: cython.Py_ssize_t = 0 if sign > 0 else 3
    last: cython.Py_ssize_t = far.shape[1] - 1
    one: cython.Py_ssize_t
    two: cython.Py_ssize_t
    three: cython.Py_ssize_t
    four: cython.Py_ssize_t
    if not 0 <= at < numbers.shape[1]:
        return
    one = min(max(numbers[0, at], 0), last)
    two = min(max(numbers[1, at], 0), last)
    three = min(max(numbers[2, at], 0), last)
    four = min(max(numbers[3, at], 0), last)
    for column in range(near.shape[2]):
        h[b, column] += max(
            bias[column]
            + (near[1, t, column] + sign * (near[end, t, column] + near[2, t, column]))
            + (far[0, one, column] + far[1, two, column])
            + (far[2, three, column] + far[3, four, column]),
            0,
        )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _write_tiles(
    h: cython.const[cython.float][:, ::1],
    distance: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    tiles: cython.float[:, :, ::1],
) -> cython.void:
    """Of the tiles from number `first` on, each of two blocks a distance d apart, b and b + d:  h₋ - h₊, h_b + h₊,
    h₊ - h_b, h_b - h₊₊  with what stands at b - d, b + d, b + 2 d; zeros beyond the ends of the page."""
    t: cython.Py_ssize_t
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    has_before: cython.bint
    has_this: cython.bint
    has_next: cython.bint
    has_behind: cython.bint
    blocks: cython.Py_ssize_t = h.shape[0]
    for t in range(tiles.shape[1]):
        b = _block_of(first + t, distance)
        has_before, has_this, has_next, has_behind = (
            0 <= b - distance < blocks, b < blocks, b + distance < blocks, b + 2 * distance < blocks
        )  # fmt: skip
        if has_before and has_behind:  # loops of one line each, which compilers turn into vector instructions
            for column in range(h.shape[1]):
                tiles[0, t, column] = h[b - distance, column] - h[b + distance, column]
            for column in range(h.shape[1]):
                tiles[1, t, column] = h[b, column] + h[b + distance, column]
            for column in range(h.shape[1]):
                tiles[2, t, column] = h[b + distance, column] - h[b, column]
            for column in range(h.shape[1]):
                tiles[3, t, column] = h[b, column] - h[b + 2 * distance, column]
            continue
        for column in range(h.shape[1]):
            tiles[0, t, column] = h[b - distance, column] if has_before else 0
            tiles[1, t, column] = tiles[3, t, column] = h[b, column] if has_this else 0
            tiles[2, t, column] = -tiles[1, t, column]
            if has_next:
                tiles[0, t, column] -= h[b + distance, column]
                tiles[1, t, column] += h[b + distance, column]
                tiles[2, t, column] += h[b + distance, column]
            if has_behind:
                tiles[3, t, column] -= h[b + 2 * distance, column]


def write_logits(
    h: cython.const[cython.float][:, ::1],
    types: cython.const[cython.float][::1],
    weights: cython.const[cython.float][:, ::1],
    last: cython.float[::1],
    logit: cython.float[::1],
) -> None:
    """h w + c, where w and behind it c are the first row of the weights, and those below it times the types; `last` is
    room for them."""
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    width: cython.Py_ssize_t = h.shape[1]
    one: cython.float
    two: cython.float
    three: cython.float
    four: cython.float
    if weights.shape[0] != 1 + len(types) or not len(last) == weights.shape[1] == width + 1:
        raise ValueError("columns have not the lengths they need")
    if len(logit) != h.shape[0]:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        _add_aside(types[:0], types, weights, last)
        for b in range(len(logit)):
            one = two = three = four = 0  # sums that do not wait for one another
            for column in range(0, width - width % 4, 4):
                one += h[b, column] * last[column]
                two += h[b, column + 1] * last[column + 1]
                three += h[b, column + 2] * last[column + 2]
                four += h[b, column + 3] * last[column + 3]
            for column in range(width - width % 4, width):
                one += h[b, column] * last[column]
            logit[b] = one + two + (three + four) + last[width]


def agree(
    logit: cython.const[cython.float][::1],
    group: cython.const[cython.int][::1],
    weight: cython.const[cython.float][::1],
    room: cython.double[:, ::1],
    p: cython.float[:, ::1],
) -> None:
    """Write into the first row of p the probabilities of blocks that got the mean logit of their groups, weighted, and
    into the second those of their own logits; `room` has two rows, a column for each group.  A block of no group keeps
    its own, and so do those of one without weight."""
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    groups: cython.Py_ssize_t = room.shape[1]
    if not len(logit) == len(group) == len(weight) == p.shape[1] or room.shape[0] < 2 or p.shape[0] != 2:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for b in range(groups):
            room[0, b] = 0
            room[1, b] = 0
        for b in range(len(logit)):
            if 0 <= group[b] < groups:
                room[0, group[b]] += logit[b] * weight[b]
                room[1, group[b]] += weight[b]
        for b in range(len(logit)):
            p[0, b] = p[1, b] = logit[b]
            if 0 <= group[b] < groups and room[1, group[b]] > 0:
                p[0, b] = room[0, group[b]] / room[1, group[b]]
            for k in range(2):
                p[k, b] = 1 / (1 + exp(-min(max(p[k, b], -_FARTHEST), _FARTHEST)))

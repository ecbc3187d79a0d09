"""The loops of `network` about what stands around a block: the means over its containers and over the blocks alike.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["find_ranges", "means"]

_LEVELS = cython.declare(cython.int, 3)  # of containers; behind them, as the fourth, the groups
_BEGIN = cython.declare(cython.int, 4)  # rows of `ranges`
_STOP = cython.declare(cython.int, 7)
_SIZE = cython.declare(cython.int, 10)
_ROWS = cython.declare(cython.int, 11)


def find_ranges(
    begin: cython.const[cython.int][:, ::1],
    stop: cython.const[cython.int][:, ::1],
    level: cython.Py_ssize_t,
    alike: cython.const[cython.int][::1],
    ranges: cython.int[:, ::1],
) -> int:
    """Number the containers of three levels, from `level` on, and the groups of blocks alike; the highest count.

    `ranges` has a column for each block and one more: in its first rows the number of the container or group that a
    block is in, behind those of all blocks how many there are; then where each container begins and stops; then the
    size of each group.  What is no range of blocks is empty, and no group is one behind the last.
    """
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    known: cython.Py_ssize_t
    count: cython.Py_ssize_t
    most: cython.Py_ssize_t = 0
    blocks: cython.Py_ssize_t = len(alike)
    if not blocks == begin.shape[1] == stop.shape[1] == ranges.shape[1] - 1 or ranges.shape[0] < _ROWS:
        raise ValueError("columns have not the lengths they need")
    if level < 0 or begin.shape[0] < level + _LEVELS or stop.shape[0] < level + _LEVELS or blocks >= 1 << 30:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(_LEVELS):
            for b in range(blocks + 1):
                ranges[_SIZE, b] = -1  # the last container that begins there
            count = 0
            for b in range(blocks):
                first, last = begin[level + k, b], stop[level + k, b]
                if not 0 <= first <= last <= blocks:
                    first = last = 0
                known = ranges[_SIZE, first]
                if known < 0 or ranges[_STOP + k, known] != last:
                    known = ranges[_SIZE, first] = count
                    ranges[_BEGIN + k, count], ranges[_STOP + k, count] = first, last
                    count += 1
                ranges[k, b] = known
            ranges[k, blocks] = count
            most = max(most, count)
        count = 0
        for b in range(blocks):
            if 0 <= alike[b] < blocks:
                count = max(count, alike[b] + 1)
        for b in range(blocks):
            ranges[_SIZE, b] = 0
        for b in range(blocks):
            known = alike[b] if 0 <= alike[b] < blocks else count
            ranges[_LEVELS, b] = known
            if known < count:
                ranges[_SIZE, known] += 1
        ranges[_LEVELS, blocks] = count
    return max(most, count)


def means(
    pooled: cython.const[cython.float][:, ::1],
    ranges: cython.const[cython.int][:, ::1],
    room: cython.double[:, ::1],
    far: cython.float[:, :, ::1],
) -> None:
    """Write the mean of `pooled` over each container and each group (`find_ranges`), one table for each kind; behind
    the last of a kind there are zeros.

    `room` is for the sums over the blocks before each, and behind these, one row more than there are blocks, over each
    group; groups for which there is no row have none.
    """
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    share: cython.double
    blocks: cython.Py_ssize_t = pooled.shape[0]
    narrow: cython.Py_ssize_t = pooled.shape[1]
    rows: cython.Py_ssize_t = far.shape[1]
    groups: cython.Py_ssize_t = room.shape[0] - blocks - 1
    if ranges.shape[0] < _ROWS or ranges.shape[1] != blocks + 1 or far.shape[0] != _LEVELS + 1 or rows < 1:
        raise ValueError("columns have not the lengths they need")
    if groups < 0 or room.shape[1] != narrow or far.shape[2] != narrow:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(blocks + 1, room.shape[0]):
            for column in range(narrow):
                room[row, column] = 0
        for column in range(narrow):
            room[0, column] = 0
        for b in range(blocks):
            for column in range(narrow):
                room[b + 1, column] = room[b, column] + pooled[b, column]
            row = ranges[_LEVELS, b]
            if 0 <= row < groups:
                for column in range(narrow):
                    room[blocks + 1 + row, column] += pooled[b, column]
        for k in range(_LEVELS + 1):
            stop = min(max(ranges[k, blocks], 0), rows, blocks, groups if k == _LEVELS else blocks)
            for row in range(stop, rows):
                for column in range(narrow):
                    far[k, row, column] = 0
            for row in range(stop):
                if k == _LEVELS:
                    share = 1.0 / max(ranges[_SIZE, row], 1)
                    for column in range(narrow):
                        far[k, row, column] = room[blocks + 1 + row, column] * share
                else:
                    _mean_of_range(room, ranges[_BEGIN + k, row], ranges[_STOP + k, row], blocks, far, k, row)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _mean_of_range(
    room: cython.const[cython.double][:, ::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    blocks: cython.Py_ssize_t,
    far: cython.float[:, :, ::1],
    k: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
) -> cython.void:
    column: cython.Py_ssize_t
    share: cython.double
    if not 0 <= begin <= stop <= blocks:
        begin = stop = 0
    share = 1.0 / max(stop - begin, 1)
    for column in range(far.shape[2]):
        far[k, row, column] = (room[stop, column] - room[begin, column]) * share

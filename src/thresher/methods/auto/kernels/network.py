"""The loops of `network`: what stands around each block, and what a layer does with its products.

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

__all__ = ["activate", "add_near", "agree", "means", "page_bias", "write_logistic"]

_MOST = cython.declare(cython.Py_ssize_t, 1 << 40)  # blocks
_FARTHEST = cython.declare(cython.double, 30)  # logit


def means(
    pooled: cython.const[cython.float][:, ::1],
    alike: cython.const[cython.Py_ssize_t][::1],
    begin: cython.const[cython.Py_ssize_t][:, ::1],
    stop: cython.const[cython.Py_ssize_t][:, ::1],
    running: cython.double[:, ::1],
    groups: cython.double[:, ::1],
    out: cython.float[:, ::1],
) -> None:
    """Write beside each other, for each block, the mean of `pooled` over each of its containers begin:stop and over the
    blocks alike.

    `running` is room for the sums over the blocks before each, a row more than there are blocks; `groups` has a row for
    each group, with a last column for its size.
    """
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    level: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = pooled.shape[0]
    narrow: cython.Py_ssize_t = pooled.shape[1]
    levels: cython.Py_ssize_t = begin.shape[0]
    if not blocks == len(alike) == begin.shape[1] == stop.shape[1] == out.shape[0] or levels != stop.shape[0]:
        raise ValueError("columns have not the lengths they need")
    if running.shape[0] <= blocks or running.shape[1] < narrow or groups.shape[1] <= narrow:
        raise ValueError("columns have not the lengths they need")
    if out.shape[1] < (levels + 1) * narrow:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        _add_up(pooled, alike, running, groups)
        for b in range(blocks):
            for level in range(levels):
                _container_mean(running, begin[level, b], stop[level, b], blocks, narrow, out, b, level * narrow)
            if 0 <= alike[b] < groups.shape[0]:
                for column in range(narrow):
                    out[b, levels * narrow + column] = groups[alike[b], column]
            else:
                for column in range(narrow):
                    out[b, levels * narrow + column] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_up(
    pooled: cython.const[cython.float][:, ::1],
    alike: cython.const[cython.Py_ssize_t][::1],
    running: cython.double[:, ::1],
    groups: cython.double[:, ::1],
) -> cython.void:
    """The sums over the blocks before each, and the mean over each group."""
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    narrow: cython.Py_ssize_t = pooled.shape[1]
    for b in range(groups.shape[0]):
        for column in range(narrow + 1):
            groups[b, column] = 0
    for column in range(narrow):
        running[0, column] = 0
    for b in range(pooled.shape[0]):
        for column in range(narrow):
            running[b + 1, column] = running[b, column] + pooled[b, column]
        if 0 <= alike[b] < groups.shape[0]:
            for column in range(narrow):
                groups[alike[b], column] += pooled[b, column]
            groups[alike[b], narrow] += 1
    for b in range(groups.shape[0]):
        for column in range(narrow):
            groups[b, column] /= max(groups[b, narrow], 1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _container_mean(
    running: cython.const[cython.double][:, ::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    blocks: cython.Py_ssize_t,
    narrow: cython.Py_ssize_t,
    out: cython.float[:, ::1],
    b: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
) -> cython.void:
    column: cython.Py_ssize_t
    share: cython.double
    if not 0 <= begin <= stop <= blocks:
        begin = stop = 0
    share = 1.0 / max(stop - begin, 1)
    for column in range(narrow):
        out[b, at + column] = (running[stop, column] - running[begin, column]) * share


def add_near(
    near: cython.const[cython.float][:, :, ::1],
    start: cython.Py_ssize_t,
    distance: cython.Py_ssize_t,
    step: cython.float[:, ::1],
) -> None:
    """Add to each row of `step` what a layer makes of its block, of the one `distance` before and of that behind: the
    three parts of `near`, in which the block of the first row has the number `start`.  What is not there adds
    nothing."""
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    at: cython.Py_ssize_t
    part: cython.Py_ssize_t
    width: cython.Py_ssize_t = step.shape[1]
    if near.shape[0] != 3 or near.shape[2] != width:
        raise ValueError("columns have not the lengths they need")
    if not (0 <= start <= _MOST and 0 <= distance <= _MOST):
        raise ValueError("there are no such blocks")
    with cython.nogil:
        for row in range(step.shape[0]):
            for part in range(3):
                at = start + row + (distance if part == 2 else -distance if part == 1 else 0)
                if 0 <= at < near.shape[1]:
                    for column in range(width):
                        step[row, column] += near[part, at, column]


def page_bias(
    page: cython.const[cython.float][::1],
    of_page: cython.const[cython.float][:, ::1],
    types: cython.const[cython.float][::1],
    of_types: cython.const[cython.float][:, ::1],
    own: cython.const[cython.float][::1],
    bias: cython.float[::1],
) -> None:
    """c = page · V + t · U + b, what is the same for all blocks of a page."""
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    width: cython.Py_ssize_t = len(bias)
    if of_page.shape[0] != len(page) or of_types.shape[0] != len(types):
        raise ValueError("columns have not the lengths they need")
    if not width == of_page.shape[1] == of_types.shape[1] == len(own):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for column in range(width):
            bias[column] = own[column]
        for row in range(len(page)):
            for column in range(width):
                bias[column] += page[row] * of_page[row, column]
        for row in range(len(types)):
            for column in range(width):
                bias[column] += types[row] * of_types[row, column]


def activate(
    step: cython.float[:, ::1],
    bias: cython.const[cython.float][::1],
    before: cython.const[cython.float][:, ::1],
    weight: cython.const[cython.float][::1],
    mean: cython.float[::1],
) -> None:
    """step_b ← relu(step_b + bias) + before_b, without the last in the first layer, where `before` has no rows; and
    write its mean with these weights."""
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = step.shape[0]
    width: cython.Py_ssize_t = step.shape[1]
    if not width == len(bias) == len(mean) == before.shape[1] or len(weight) != blocks:
        raise ValueError("columns have not the lengths they need")
    if before.shape[0] not in (0, blocks):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for column in range(width):
            mean[column] = 0
        for b in range(blocks):
            for column in range(width):
                step[b, column] = max(step[b, column] + bias[column], 0)
            if before.shape[0] > 0:
                for column in range(width):
                    step[b, column] += before[b, column]
            for column in range(width):
                mean[column] += weight[b] * step[b, column]


def agree(
    logit: cython.const[cython.float][::1],
    group: cython.const[cython.Py_ssize_t][::1],
    weight: cython.const[cython.float][::1],
    room: cython.double[:, ::1],
    out: cython.float[::1],
) -> None:
    """Write the mean logit of the group of each block, weighted; `room` has two rows, a column for each group.  A block
    of no group keeps its own, and so do those of one without weight."""
    b: cython.Py_ssize_t
    groups: cython.Py_ssize_t = room.shape[1]
    if not len(logit) == len(group) == len(weight) == len(out) or room.shape[0] < 2:
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
            out[b] = logit[b]
            if 0 <= group[b] < groups and room[1, group[b]] > 0:
                out[b] = room[0, group[b]] / room[1, group[b]]


def write_logistic(logit: cython.const[cython.float][::1], out: cython.float[::1]) -> None:
    """out = σ(l)"""
    b: cython.Py_ssize_t
    if len(logit) != len(out):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for b in range(len(logit)):
            out[b] = 1 / (1 + exp(-min(max(logit[b], -_FARTHEST), _FARTHEST)))

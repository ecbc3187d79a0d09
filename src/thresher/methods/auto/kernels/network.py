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

__all__ = ["activate", "add_up", "page_bias", "surroundings"]


def add_up(
    pooled: cython.const[cython.float][:, ::1],
    alike: cython.const[cython.Py_ssize_t][::1],
    running: cython.double[:, ::1],
    groups: cython.double[:, ::1],
) -> None:
    """Write the sums of `pooled` over the blocks before each, a row more than there are blocks, and the mean over each
    group of blocks alike.  `groups` has a row for each group, with a last column for its size."""
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = pooled.shape[0]
    narrow: cython.Py_ssize_t = pooled.shape[1]
    if len(alike) != blocks or running.shape[0] <= blocks or running.shape[1] < narrow or groups.shape[1] <= narrow:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for b in range(groups.shape[0]):
            for column in range(narrow + 1):
                groups[b, column] = 0
        for column in range(narrow):
            running[0, column] = 0
        for b in range(blocks):
            for column in range(narrow):
                running[b + 1, column] = running[b, column] + pooled[b, column]
            if 0 <= alike[b] < groups.shape[0]:
                for column in range(narrow):
                    groups[alike[b], column] += pooled[b, column]
                groups[alike[b], narrow] += 1
        for b in range(groups.shape[0]):
            for column in range(narrow):
                groups[b, column] /= max(groups[b, narrow], 1)


def surroundings(
    h: cython.const[cython.float][:, ::1],
    start: cython.Py_ssize_t,
    distance: cython.Py_ssize_t,
    begin: cython.const[cython.Py_ssize_t][:, ::1],
    stop: cython.const[cython.Py_ssize_t][:, ::1],
    alike: cython.const[cython.Py_ssize_t][::1],
    running: cython.const[cython.double][:, ::1],
    groups: cython.const[cython.double][:, ::1],
    seen: cython.float[:, ::1],
) -> None:
    """Write beside each other, for each block from `start` on, as many as `seen` has rows: h of itself, of the block
    `distance` before and of that behind, the mean over each of its containers begin:stop and over its group `alike`
    (`add_up`)."""
    blocks: cython.Py_ssize_t = h.shape[0]
    width: cython.Py_ssize_t = h.shape[1]
    levels: cython.Py_ssize_t = begin.shape[0]
    narrow: cython.Py_ssize_t = running.shape[1]
    row: cython.Py_ssize_t
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    level: cython.Py_ssize_t
    at: cython.Py_ssize_t
    if (
        not blocks == begin.shape[1] == stop.shape[1] == len(alike)
        or levels != stop.shape[0]
        or running.shape[0] <= blocks
        or groups.shape[1] <= narrow
        or seen.shape[1] < 3 * width + (levels + 1) * narrow
        or not 0 <= start <= blocks - seen.shape[0]
        or distance < 0
    ):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(seen.shape[0]):
            b = start + row
            _copy(h, b, seen, row, 0)
            _copy(h, b - distance, seen, row, width)
            _copy(h, b + distance, seen, row, 2 * width)
            at = 3 * width
            for level in range(levels):
                _container_mean(running, begin[level, b], stop[level, b], blocks, seen, row, at)
                at += narrow
            if 0 <= alike[b] < groups.shape[0]:
                for column in range(narrow):
                    seen[row, at + column] = groups[alike[b], column]
            else:
                for column in range(narrow):
                    seen[row, at + column] = 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _copy(
    h: cython.const[cython.float][:, ::1],
    b: cython.Py_ssize_t,
    seen: cython.float[:, ::1],
    row: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
) -> cython.void:
    """Write the row of a block; zeros if there is none."""
    column: cython.Py_ssize_t
    if 0 <= b < h.shape[0]:
        for column in range(h.shape[1]):
            seen[row, at + column] = h[b, column]
    else:
        for column in range(h.shape[1]):
            seen[row, at + column] = 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _container_mean(
    running: cython.const[cython.double][:, ::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    blocks: cython.Py_ssize_t,
    seen: cython.float[:, ::1],
    row: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
) -> cython.void:
    column: cython.Py_ssize_t
    share: cython.double
    if not 0 <= begin <= stop <= blocks:
        begin = stop = 0
    share = 1.0 / max(stop - begin, 1)
    for column in range(running.shape[1]):
        seen[row, at + column] = (running[stop, column] - running[begin, column]) * share


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

"""The loops of `tree`: over elements in document order, where a parent stands before its children.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["nearest_marked", "sum_where"]


def nearest_marked(
    mark: cython.const[cython.uchar][::1],
    parent: cython.const[cython.int][::1],
    none: cython.int,
    nearest: cython.int[::1],
) -> None:
    """Write for each element itself if it is marked, else its nearest ancestor that is; `none` where there is none."""
    row: cython.Py_ssize_t
    if not len(mark) == len(parent) == len(nearest):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(len(mark)):
            if mark[row]:
                nearest[row] = row
            elif 0 <= parent[row] < row:
                nearest[row] = nearest[parent[row]]
            else:
                nearest[row] = none


def sum_where(values: cython.const[cython.longlong][::1], mask: cython.const[cython.uchar][::1]) -> int:
    """The sum of the values that are masked."""
    at: cython.Py_ssize_t
    total: cython.longlong = 0
    if len(values) != len(mask):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for at in range(len(values)):
            if mask[at]:
                total += values[at]
    return total

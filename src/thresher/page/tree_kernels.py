"""The loops of `tree`: over elements in document order, where a parent stands before its children.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["count_tags", "mark_texts", "mark_within", "nearest_marked", "sum_where"]


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


def count_tags(tag: cython.const[cython.short][::1], counts: cython.int[::1]) -> None:
    """Write how many elements have each name."""
    at: cython.Py_ssize_t
    with cython.nogil:
        for at in range(len(counts)):
            counts[at] = 0
        for at in range(len(tag)):
            if 0 <= tag[at] < len(counts):
                counts[tag[at]] += 1


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


def mark_within(
    parent: cython.const[cython.int][::1], chosen: cython.const[cython.uchar][::1], inside: cython.uchar[::1]
) -> None:
    """Write 1 for the elements that are chosen or stand in a chosen one, 0 for the others."""
    row: cython.Py_ssize_t
    if not len(parent) == len(chosen) == len(inside):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(len(parent)):
            inside[row] = chosen[row] != 0
            if 0 <= parent[row] < row:
                inside[row] |= inside[parent[row]]


def mark_texts(
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    chosen: cython.const[cython.uchar][::1],
    inside: cython.uchar[::1],
) -> None:
    """Write 1 for the texts in a chosen element, 0 for the others.  Elements are in document order and hold the texts
    from first to last."""
    row: cython.Py_ssize_t
    text: cython.Py_ssize_t
    seen: cython.Py_ssize_t = 0
    if not len(first) == len(last) == len(chosen):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for text in range(len(inside)):
            inside[text] = 0
        for row in range(len(first)):
            if chosen[row] and last[row] > seen:
                for text in range(max(max(first[row], seen), 0), min(last[row], len(inside))):
                    inside[text] = 1
                seen = last[row]

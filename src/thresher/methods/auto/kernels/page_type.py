"""The loops of `page_type` and `model`: the features within their bounds, those of a page together, and its bags.

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
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

__all__ = ["add_bag", "limit", "put_together"]


def limit(x: cython.float[:, ::1], low: cython.const[cython.float][::1], high: cython.const[cython.float][::1]) -> None:
    """Put the first columns of x, as many as there are bounds, within these."""
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    if not len(low) == len(high) <= x.shape[1]:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for b in range(x.shape[0]):
            for column in range(len(low)):
                x[b, column] = min(max(x[b, column], low[column]), high[column])


def put_together(
    x: cython.const[cython.float][:, ::1],
    weight: cython.const[cython.float][::1],
    in_container: cython.Py_ssize_t,
    in_run: cython.Py_ssize_t,
    numbers: cython.float[:, ::1],
) -> None:
    """Write the means of the first columns of x, as many as `numbers` has, with these weights alone, times the column
    `in_container`, and times `in_run`; their highest values; and their spread."""
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    row: cython.Py_ssize_t
    width: cython.Py_ssize_t = numbers.shape[1]
    alone: cython.float
    contained: cython.float
    running: cython.float
    total: cython.double = 0
    total_contained: cython.double = 0
    total_running: cython.double = 0
    if x.shape[0] != len(weight) or not len(weight) or numbers.shape[0] != 5 or x.shape[1] < width:
        raise ValueError("columns have not the lengths they need")
    if not (0 <= in_container < width and 0 <= in_run < width):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for column in range(width):
            for row in range(5):
                numbers[row, column] = x[0, column] if row == 3 else 0
        for b in range(len(weight)):
            alone = weight[b]
            contained = alone * x[b, in_container]
            running = alone * x[b, in_run]
            total += alone
            total_contained += contained
            total_running += running
            for column in range(width):  # loops of one line each, which compilers turn into vector instructions
                numbers[0, column] += alone * x[b, column]
            for column in range(width):
                numbers[1, column] += contained * x[b, column]
            for column in range(width):
                numbers[2, column] += running * x[b, column]
            for column in range(width):
                numbers[3, column] = max(numbers[3, column], x[b, column])
            for column in range(width):
                numbers[4, column] += alone * x[b, column] * x[b, column]
        for column in range(width):
            numbers[0, column] /= max(total, 1e-6)
            numbers[1, column] /= max(total_contained, 1e-6)
            numbers[2, column] /= max(total_running, 1e-6)
            numbers[4, column] = sqrt(max(numbers[4, column] - numbers[0, column] * numbers[0, column], 0))


def add_bag(
    bag: cython.const[cython.Py_ssize_t][::1], weights: cython.const[cython.float][:, ::1], logit: cython.float[::1]
) -> None:
    """Add the rows of a bag, divided by the root of how many there are."""
    k: cython.Py_ssize_t
    t: cython.Py_ssize_t
    share: cython.double
    if weights.shape[1] != len(logit):
        raise ValueError("columns have not the lengths they need")
    if len(bag) == 0:
        return
    with cython.nogil:
        share = 1 / sqrt(len(bag))
        for k in range(len(bag)):
            if 0 <= bag[k] < weights.shape[0]:
                for t in range(len(logit)):
                    logit[t] += share * weights[bag[k], t]

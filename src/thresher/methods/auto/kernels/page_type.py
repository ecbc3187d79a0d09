"""The loops of `page_type` and `model`: the features within their bounds, and the bags of a page.

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

__all__ = ["add_bag", "limit"]


def limit(x: cython.float[:, :], low: cython.const[cython.float][::1], high: cython.const[cython.float][::1]) -> None:
    """Put each column of x within its bounds."""
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    if not x.shape[1] == len(low) == len(high):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for b in range(x.shape[0]):
            for column in range(x.shape[1]):
                x[b, column] = min(max(x[b, column], low[column]), high[column])


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

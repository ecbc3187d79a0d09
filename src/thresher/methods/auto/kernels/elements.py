"""The loop of `elements`: what stands before each element, what it stands in.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["walk_elements"]

_MARKS = cython.declare(cython.int, 7)  # the first columns of the elements; the others, as `elements` has them:
_CLASS = cython.declare(cython.int, 7)
_INSIDE = cython.declare(cython.int, 8)
_ARTICLE = cython.declare(cython.int, 9)
_ARTICLES_AROUND = cython.declare(cython.int, 10)
_CHILDREN = cython.declare(cython.int, 11)
_PARENT = cython.declare(cython.int, 12)
_END = cython.declare(cython.int, 13)
_FIRST_TEXT = cython.declare(cython.int, 14)
_LAST_TEXT = cython.declare(cython.int, 15)
_DEPTH = cython.declare(cython.int, 16)
_TAG = cython.declare(cython.int, 17)
_COLUMNS = cython.declare(cython.int, 18)
_ALL_MARKS = cython.declare(cython.ulonglong, (1 << 7) - 1)  # bits of a tag, as `elements` has them
_IS_ARTICLE = cython.declare(cython.int, 4)
_ALL_GROUPS = cython.declare(cython.ulonglong, (1 << 19) - 1)
_IS_TITLE = cython.declare(cython.int, 31)


def walk_elements(
    tag: cython.const[cython.short][::1],
    parent: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    depth: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    class_row: cython.const[cython.int][::1],
    class_code: cython.const[cython.int][::1],
    facts: cython.const[cython.ulonglong][::1],
    elements: cython.int[:, ::1],
) -> int:
    """Write the columns of the elements (`elements`), one row more than there are; the row of the first title, or -1.

    `facts` has for each tag the bits that `elements` names; `class_row` are the elements that have a class.
    """
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t
    k: cython.Py_ssize_t
    title: cython.Py_ssize_t = -1
    bits: cython.ulonglong
    rows: cython.Py_ssize_t = len(tag)
    if not rows == len(parent) == len(end) == len(depth) == len(first) == len(last) == elements.shape[0] - 1:
        raise ValueError("columns have not the lengths they need")
    if len(class_row) != len(class_code) or elements.shape[1] != _COLUMNS:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(_COLUMNS):
            elements[0, k] = elements[rows, k] = 0
        for row in range(rows):
            bits = facts[tag[row]] if 0 <= tag[row] < len(facts) else 0
            above = parent[row]
            elements[row, _CLASS] = elements[row, _CHILDREN] = 0
            elements[row, _INSIDE] = bits >> _MARKS & _ALL_GROUPS
            elements[row, _ARTICLE] = elements[row, _ARTICLES_AROUND] = 0
            elements[row, _PARENT] = above
            elements[row, _END] = end[row]
            elements[row, _FIRST_TEXT] = first[row]
            elements[row, _LAST_TEXT] = last[row]
            elements[row, _DEPTH] = depth[row]
            elements[row, _TAG] = tag[row]
            if 0 <= above < row:
                elements[row, _INSIDE] |= elements[above, _INSIDE]
                elements[row, _ARTICLE] = elements[above, _ARTICLE]
                elements[row, _ARTICLES_AROUND] = elements[above, _ARTICLES_AROUND]
                elements[above, _CHILDREN] += 1
            for k in range(_MARKS):
                elements[row + 1, k] = elements[row, k]
            if bits & _ALL_MARKS:
                for k in range(_MARKS):
                    elements[row + 1, k] += bits >> k & 1
                if bits >> _IS_ARTICLE & 1:
                    elements[row, _ARTICLE] = row + 1
                    elements[row, _ARTICLES_AROUND] += 1
            if title < 0 and bits >> _IS_TITLE & 1:
                title = row
        for k in range(len(class_row)):
            if 0 <= class_row[k] < rows and 0 <= class_code[k] < len(class_row):
                elements[class_row[k], _CLASS] = class_code[k] + 1
    return title

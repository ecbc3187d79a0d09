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

if cython.compiled:
    from cython.cimports.thresher.methods.auto.kernels import columns as col
else:
    from thresher.methods.auto.kernels import columns as col

__all__ = ["walk_elements"]

_ALL_MARKS = cython.declare(cython.ulonglong, (1 << 8) - 1)  # bits of a tag, as `elements` has them
_ALL_GROUPS = cython.declare(cython.ulonglong, (1 << 19) - 1)


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
    if len(class_row) != len(class_code) or elements.shape[1] != col.ELEMENT_COLUMNS:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(col.ELEMENT_COLUMNS):
            elements[0, k] = elements[rows, k] = 0
        for row in range(rows):
            bits = facts[tag[row]] if 0 <= tag[row] < len(facts) else 0
            above = parent[row]
            elements[row, col.CLASS] = elements[row, col.CHILDREN] = 0
            elements[row, col.INSIDE] = bits >> col.MARKS & _ALL_GROUPS
            elements[row, col.ARTICLE] = elements[row, col.ARTICLES_AROUND] = 0
            elements[row, col.PARENT] = above
            elements[row, col.END] = end[row]
            elements[row, col.FIRST_TEXT] = first[row]
            elements[row, col.LAST_TEXT] = last[row]
            elements[row, col.DEPTH] = depth[row]
            elements[row, col.TAG] = tag[row]
            if 0 <= above < row:
                elements[row, col.INSIDE] |= elements[above, col.INSIDE]
                elements[row, col.ARTICLE] = elements[above, col.ARTICLE]
                elements[row, col.ARTICLES_AROUND] = elements[above, col.ARTICLES_AROUND]
                elements[above, col.CHILDREN] += 1
            for k in range(col.MARKS):
                elements[row + 1, k] = elements[row, k]
            if bits & _ALL_MARKS:
                for k in range(col.MARKS):
                    elements[row + 1, k] += bits >> k & 1
                if bits >> col.IS_ARTICLE & 1:
                    elements[row, col.ARTICLE] = row + 1
                    elements[row, col.ARTICLES_AROUND] += 1
            if title < 0 and bits >> col.IS_TITLE & 1:
                title = row
        for k in range(len(class_row)):
            if 0 <= class_row[k] < rows and 0 <= class_code[k] < len(class_row):
                elements[class_row[k], col.CLASS] = class_code[k] + 1
    return title

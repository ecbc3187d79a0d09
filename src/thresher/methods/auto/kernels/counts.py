"""The loops of `counts`: sums over the texts before each and over each block, and what elements hold.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["count_foreign", "sum_blocks", "sum_texts", "walk_elements"]

_WORDS = cython.declare(cython.int, 0)  # rows of the sums, as `counts` has them
_CHARS = cython.declare(cython.int, 1)
_ENDS = cython.declare(cython.int, 5)
_LINKED = cython.declare(cython.int, 6)
_EMPHASIS = cython.declare(cython.int, 7)
_SUMS = cython.declare(cython.int, 8)
_WORD_LENGTH = cython.declare(cython.int, 5)  # letters
_SENTENCE_LENGTH = cython.declare(cython.int, 20)  # words
_UNMARKED = cython.declare(cython.int, 100)  # words for each mark that ends a sentence, and more: they end without one
_ARTICLE = cython.declare(cython.int, 4)  # which of the marks an article has
_MAX_MARKS = cython.declare(cython.int, 8)  # a bit of a byte for each


def count_foreign(utf8: cython.const[cython.uchar][::1]) -> int:
    """How many letters of other scripts than the Latin one there are, by their first bytes: not those of quotes, dashes
    and signs (E2), nor of emoji (from F0 on)."""
    at: cython.Py_ssize_t
    count: cython.int = 0  # the narrower, the more at once
    with cython.nogil:
        for at in range(len(utf8)):
            count += (utf8[at] >= 0xCD) & (utf8[at] < 0xF0) & (utf8[at] != 0xE2)
    return count


def sum_texts(
    counted: cython.const[cython.longlong][:, ::1],
    seen: cython.const[cython.uchar][::1],
    in_link: cython.const[cython.uchar][::1],
    owner: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    is_emphasis: cython.const[cython.uchar][::1],
    is_foreign: cython.bint,
    sums: cython.int[:, ::1],
) -> None:
    """Write the sums of what is counted over the texts before each, those that are seen.

    On a page in a foreign script a word counts as five letters, and if hardly any sentence has an end, twenty words as
    one.
    """
    text: cython.Py_ssize_t
    row: cython.Py_ssize_t
    k: cython.Py_ssize_t
    texts: cython.Py_ssize_t = len(seen)
    words: cython.longlong = 0
    ends: cython.longlong = 0
    chars: cython.longlong
    unmarked: cython.bint
    if counted.shape[0] < _LINKED or sums.shape[0] < _SUMS or sums.shape[1] != texts + 1:
        raise ValueError("columns have not the lengths they need")
    if not texts == counted.shape[1] == len(in_link) == len(owner):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        if is_foreign:
            for text in range(texts):
                words += counted[_WORDS, text] if seen[text] else 0
                ends += counted[_ENDS, text] if seen[text] else 0
        unmarked = _UNMARKED * ends < words
        for k in range(_SUMS):
            sums[k, 0] = 0
        for text in range(texts):
            for k in range(_SUMS):
                sums[k, text + 1] = sums[k, text]
            if not seen[text]:
                continue
            for k in range(_LINKED):
                if k != _CHARS and k != _ENDS:
                    sums[k, text + 1] += counted[k, text]
            chars = counted[_CHARS, text]
            if is_foreign:
                chars = max(_WORD_LENGTH * counted[_WORDS, text], 1 if chars > 0 else 0)
            ends = counted[_WORDS, text] // _SENTENCE_LENGTH if unmarked else counted[_ENDS, text]
            sums[_CHARS, text + 1] += chars
            sums[_ENDS, text + 1] += ends
            if in_link[text]:
                sums[_LINKED, text + 1] += chars
            row = owner[text]
            if 0 <= row < len(tag) and 0 <= tag[row] < len(is_emphasis) and is_emphasis[tag[row]]:
                sums[_EMPHASIS, text + 1] += chars


def sum_blocks(
    sums: cython.const[cython.int][:, ::1],
    first: cython.const[cython.Py_ssize_t][::1],
    last: cython.const[cython.Py_ssize_t][::1],
    own: cython.float[:, ::1],
) -> None:
    """Write the sums over each block, the texts from first to last."""
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    if not len(first) == len(last) == own.shape[1] or own.shape[0] > sums.shape[0]:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(own.shape[0]):
            for b in range(len(first)):
                own[k, b] = 0
                if 0 <= first[b] <= last[b] < sums.shape[1] - 1:
                    own[k, b] = sums[k, last[b] + 1] - sums[k, first[b]]


def walk_elements(
    tag: cython.const[cython.short][::1],
    parent: cython.const[cython.int][::1],
    marks_of: cython.const[cython.uchar][::1],
    groups_of: cython.const[cython.uint][::1],
    marks: cython.int[:, ::1],
    inside: cython.uint[::1],
    article: cython.int[:, ::1],
    children: cython.int[::1],
) -> None:
    """Write for each element how many have each mark before it, the groups of the tags on its path, one more than the
    row of the innermost article around it and how many are around it, and how many children it has.

    marks_of and groups_of have a bit for each mark and each group, by tag.
    """
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t
    k: cython.Py_ssize_t
    bits: cython.int
    rows: cython.Py_ssize_t = len(tag)
    if not rows == len(parent) == len(inside) == len(children) == article.shape[1] == marks.shape[1] - 1:
        raise ValueError("columns have not the lengths they need")
    if article.shape[0] < 2 or len(marks_of) != len(groups_of) or marks.shape[0] > _MAX_MARKS:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(marks.shape[0]):
            marks[k, 0] = 0
        for row in range(rows):
            bits = 0
            inside[row] = 0
            article[0, row] = article[1, row] = children[row] = 0
            if 0 <= tag[row] < len(marks_of):
                bits = marks_of[tag[row]]
                inside[row] = groups_of[tag[row]]
            above = parent[row]
            if 0 <= above < row:
                inside[row] |= inside[above]
                article[0, row] = article[0, above]
                article[1, row] = article[1, above]
                children[above] += 1
            if bits >> _ARTICLE & 1:
                article[0, row] = row + 1
                article[1, row] += 1
            for k in range(marks.shape[0]):
                marks[k, row + 1] = marks[k, row] + (bits >> k & 1)

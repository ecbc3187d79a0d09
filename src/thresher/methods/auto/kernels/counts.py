"""The loops of `counts`: sums over the texts before each and over each block.

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

__all__ = ["count_foreign", "sum_texts"]

_WORD_LENGTH = cython.declare(cython.int, 5)  # letters
_SENTENCE_LENGTH = cython.declare(cython.int, 20)  # words
_UNMARKED = cython.declare(cython.int, 100)  # words for each mark that ends a sentence, and more: they end without one


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
    facts: cython.const[cython.ulonglong][::1],
    is_foreign: cython.bint,
    blocks: cython.const[cython.int][:, ::1],
    sums: cython.int[:, ::1],
    own: cython.float[:, ::1],
) -> None:
    """Write the sums of what is counted over the texts before each, those that are seen, and over each block.

    On a page in a foreign script a word counts as five letters, and if hardly any sentence has an end, twenty words as
    one.
    """
    text: cython.Py_ssize_t
    row: cython.Py_ssize_t
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    texts: cython.Py_ssize_t = len(seen)
    words: cython.longlong = 0
    ends: cython.longlong = 0
    chars: cython.longlong
    unmarked: cython.bint
    if (
        counted.shape[0] < col.LINKED
        or sums.shape[1] != col.SUMS
        or sums.shape[0] != texts + 1
        or own.shape[1] != col.SUMS
    ):
        raise ValueError("columns have not the lengths they need")
    if not texts == counted.shape[1] == len(in_link) == len(owner):
        raise ValueError("columns have not the lengths they need")
    if blocks.shape[0] < col.BLOCK_ROWS or blocks.shape[1] != own.shape[0]:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        if is_foreign:
            for text in range(texts):
                words += counted[col.WORDS, text] if seen[text] else 0
                ends += counted[col.ENDS, text] if seen[text] else 0
        unmarked = _UNMARKED * ends < words
        for k in range(col.SUMS):
            sums[0, k] = 0
        for text in range(texts):
            for k in range(col.SUMS):
                sums[text + 1, k] = sums[text, k]
            if not seen[text]:
                continue
            for k in range(col.LINKED):
                if k != col.CHARS and k != col.ENDS:
                    sums[text + 1, k] += counted[k, text]
            chars = counted[col.CHARS, text]
            if is_foreign:
                chars = max(_WORD_LENGTH * counted[col.WORDS, text], 1 if chars > 0 else 0)
            ends = counted[col.WORDS, text] // _SENTENCE_LENGTH if unmarked else counted[col.ENDS, text]
            sums[text + 1, col.CHARS] += chars
            sums[text + 1, col.ENDS] += ends
            if in_link[text]:
                sums[text + 1, col.LINKED] += chars
            row = owner[text]
            if 0 <= row < len(tag) and 0 <= tag[row] < len(facts) and facts[tag[row]] >> col.IS_EMPHASIS & 1:
                sums[text + 1, col.EMPHASIS] += chars
        for b in range(blocks.shape[1]):
            if 0 <= blocks[col.FIRST, b] <= blocks[col.LAST, b] < texts:
                for k in range(col.SUMS):
                    own[b, k] = sums[blocks[col.LAST, b] + 1, k] - sums[blocks[col.FIRST, b], k]
            else:
                for k in range(col.SUMS):
                    own[b, k] = 0

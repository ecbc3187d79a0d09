"""The loops over blocks of what comes after the network: the choice of blocks (threshold.py), and of their texts.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs.
`words` are those of each block, p its probability.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["best_choice", "expected_hits", "spread_texts"]


def best_choice(
    p: cython.const[cython.double][::1],
    words: cython.const[cython.float][::1],
    order: cython.const[cython.Py_ssize_t][::1],
) -> tuple[float, int, float]:
    """The best expected F1 of the likeliest blocks, `order` from the likeliest down, the last block that gives it
    (threshold.py), and the words of all blocks in `order`."""
    place: cython.Py_ssize_t
    block: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(p)
    best: cython.double = -1
    at: cython.Py_ssize_t = 0
    hits: cython.double = 0
    total: cython.double = 0
    expected: cython.double
    all_hits: cython.double = 0
    if not size == len(words) == len(order):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for block in range(size):
            all_hits += p[block] * words[block]
        for place in range(size):
            block = order[place]
            if not 0 <= block < size:
                continue
            hits += p[block] * words[block]
            total += words[block]
            expected = 2 * hits / (total + all_hits + 1e-9)
            if expected > best:
                best, at = expected, block
    return best, at, total


def expected_hits(
    p: cython.const[cython.double][::1],
    words: cython.const[cython.float][::1],
    chosen: cython.const[cython.uchar][::1],
) -> float:
    """The expected F1 of the chosen blocks (threshold.py)."""
    block: cython.Py_ssize_t
    hits: cython.double = 0
    whole: cython.double = 0
    if not len(p) == len(words) == len(chosen):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for block in range(len(p)):
            whole += p[block] * words[block]
            if chosen[block]:
                hits += p[block] * words[block]
                whole += words[block]
    return 2 * hits / whole if whole else 0.0


def spread_texts(
    kept: cython.const[cython.uchar][::1],
    number: cython.const[cython.int][::1],
    block: cython.const[cython.int][::1],
    readable: cython.const[cython.uchar][::1],
    chars: cython.const[cython.longlong][::1],
    keep: cython.uchar[::1],
) -> None:
    """Write which texts are kept: the readable ones of blocks with characters, if the last of the judged blocks up to
    theirs is kept.  `number` are the judged blocks, ascending, `block` is that of each text."""
    text: cython.Py_ssize_t
    at: cython.Py_ssize_t = -1
    size: cython.Py_ssize_t = len(number)
    if len(kept) != size or not len(block) == len(readable) == len(keep):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for text in range(len(block)):
            while at + 1 < size and number[at + 1] <= block[text]:
                at += 1
            keep[text] = 0
            if at >= 0 and kept[at] and readable[text] and 0 <= block[text] < len(chars):
                keep[text] = chars[block[text]] > 0

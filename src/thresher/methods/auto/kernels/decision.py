"""The loops over blocks of what comes after the network: the choice of blocks, and the rules that count words.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs.
`words` are those of each block, p its probability; `chosen`, `heading` and the like say which blocks are such.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = [
    "best_choice",
    "choose_blocks",
    "expected_hits",
    "in_kept_text",
    "labels_above_links",
    "orphans",
    "spread_texts",
    "text_begins",
]


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
    number: cython.const[cython.Py_ssize_t][::1],
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


def text_begins(
    p: cython.const[cython.double][::1],
    words: cython.const[cython.float][::1],
    heading: cython.const[cython.uchar][::1],
    probable: cython.double,
    least: cython.double,
) -> int:
    """The first block before which `least` words of probable text stand, headings left out; how many there are, if
    there is none."""
    block: cython.Py_ssize_t
    before: cython.double = 0
    size: cython.Py_ssize_t = len(p)
    if not size == len(words) == len(heading):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for block in range(size):
            if before >= least:
                break
            if p[block] >= probable and not heading[block]:
                before += words[block]
        else:
            block = size
    return block


def in_kept_text(
    words: cython.const[cython.float][::1],
    chosen: cython.const[cython.uchar][::1],
    kind: cython.const[cython.uchar][::1],
    without: cython.const[cython.uchar][::1],
    p: cython.const[cython.double][::1],
    least: cython.double,
    begin: cython.const[cython.Py_ssize_t][::1],
    stop: cython.const[cython.Py_ssize_t][::1],
    share: cython.double,
    sums: cython.double[:, ::1],
    inside: cython.uchar[::1],
) -> int:
    """Write which blocks of a kind, `without` others, not chosen and likely enough, stand in kept text: of the words in
    begin:stop, those of the kind left out, some are chosen and at least this share.  How many there are.

    `sums` has two rows with a number more than there are blocks.
    """
    block: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(words)
    kept: cython.double
    if not size == len(chosen) == len(kind) == len(without) == len(p) == len(begin) == len(stop) == len(inside):
        raise ValueError("columns have not the lengths they need")
    if sums.shape[0] < 2 or sums.shape[1] <= size:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for block in range(size):
            inside[block] = kind[block] and not without[block] and not chosen[block] and p[block] >= least
            count += inside[block]
        if count:
            sums[0, 0] = sums[1, 0] = 0
            for block in range(size):
                sums[0, block + 1] = sums[0, block] + (words[block] if chosen[block] and not kind[block] else 0)
                sums[1, block + 1] = sums[1, block] + (words[block] if not kind[block] else 0)
            for block in range(size):
                if inside[block]:
                    kept = _between(sums, 0, begin[block], stop[block], size)
                    if kept <= 0 or kept < share * _between(sums, 1, begin[block], stop[block], size):
                        inside[block] = 0
                        count -= 1
    return count


def orphans(
    words: cython.const[cython.float][::1],
    chosen: cython.const[cython.uchar][::1],
    heading: cython.const[cython.uchar][::1],
    title: cython.const[cython.uchar][::1],
    p: cython.const[cython.double][::1],
    begin: cython.const[cython.Py_ssize_t][::1],
    stop: cython.const[cython.Py_ssize_t][::1],
    least_words: cython.double,
    least_before: cython.double,
    sums: cython.double[:, ::1],
    orphan: cython.uchar[::1],
) -> int:
    """Write which chosen headings, but titles, have no chosen text in begin:stop, but some text at least, and behind so
    much that is expected.  How many there are.  `sums` has three rows with a number more than there are blocks."""
    block: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(words)
    text: cython.double
    if not size == len(chosen) == len(heading) == len(title) == len(p) == len(begin) == len(stop) == len(orphan):
        raise ValueError("columns have not the lengths they need")
    if sums.shape[0] < 3 or sums.shape[1] <= size:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for block in range(size):
            orphan[block] = chosen[block] and heading[block] and not title[block]
            count += orphan[block]
        if count:
            sums[0, 0] = sums[1, 0] = sums[2, 0] = 0
            for block in range(size):
                text = 0 if heading[block] else words[block]
                sums[0, block + 1] = sums[0, block] + (text if chosen[block] else 0)
                sums[1, block + 1] = sums[1, block] + text
                sums[2, block + 1] = sums[2, block] + p[block] * text
            for block in range(size):
                if orphan[block] and (
                    _between(sums, 0, begin[block], stop[block], size) != 0
                    or _between(sums, 1, begin[block], stop[block], size) < least_words
                    or _between(sums, 2, 0, begin[block], size) < least_before
                ):
                    orphan[block] = 0
                    count -= 1
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _between(
    sums: cython.double[:, ::1],
    row: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
) -> cython.double:
    """What stands in begin:stop, from running sums."""
    return sums[row, min(max(stop, 0), size)] - sums[row, min(max(begin, 0), size)]


def choose_blocks(
    chosen: cython.const[cython.uchar][::1],
    without: cython.const[cython.uchar][::1],
    words: cython.const[cython.float][::1],
    least: cython.double,
    most: cython.double,
    linked: cython.const[cython.float][:],
    least_linked: cython.double,
    blocks: cython.Py_ssize_t[::1],
) -> int:
    """Write the chosen blocks, `without` others, with so many words, so much of them in links; how many there are.
    Those beyond the room for them are counted only."""
    block: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    if not len(chosen) == len(without) == len(words) == len(linked):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for block in range(len(chosen)):
            if chosen[block] and not without[block] and least <= words[block] <= most and linked[block] >= least_linked:
                if count < len(blocks):
                    blocks[count] = block
                count += 1
    return count


def labels_above_links(
    chosen: cython.const[cython.uchar][::1],
    words: cython.const[cython.float][::1],
    most: cython.double,
    linked: cython.const[cython.float][:],
    only_links: cython.double,
    blocks: cython.Py_ssize_t[::1],
) -> int:
    """Write the blocks of so many words at most that stand above one that is only links and are none; of the two one
    is chosen.  How many there are.  `blocks` has room for all."""
    block: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    if not len(chosen) == len(words) == len(linked) == len(blocks):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for block in range(len(chosen) - 1):
            if linked[block] >= only_links or linked[block + 1] < only_links or words[block] > most:
                continue
            if chosen[block] or chosen[block + 1]:
                blocks[count] = block
                count += 1
    return count

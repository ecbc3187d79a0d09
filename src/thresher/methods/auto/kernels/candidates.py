"""The loop that finds the blocks a rule may be about by what is chosen (methods/auto/rules): titles, headings, code,
captions, and headings without the text under them.

Compiled (see thresher.kernels), bounds are not checked: the loop makes sure that its arrays are as long as it needs.
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

__all__ = ["mark_chosen"]

_SECTION = cython.declare(cython.int, 1)  # levels of containers
_COLUMN = cython.declare(cython.int, 3)
_HEADING = cython.declare(cython.double, 0.3)  # the least probability
_CODE = cython.declare(cython.double, 0.1)
_MIN_KEPT_AROUND = cython.declare(cython.double, 0.6)  # share of the words in the container
_MIN_TITLED_WORDS = cython.declare(cython.double, 20)  # under a title, and before a late one
_MIN_TITLED_SHARE = cython.declare(cython.double, 0.5)  # of a page of few words
_PROBABLE = cython.declare(cython.double, 0.5)
_MIN_BOX_WORDS = cython.declare(cython.double, 4)  # in a box besides its heading
_MIN_WORDS_BEFORE_ORPHAN = cython.declare(cython.double, 20)  # expected to be content


def mark_chosen(
    blocks: cython.const[cython.int][:, ::1],
    p: cython.const[cython.double][::1],
    words: cython.const[cython.float][::1],
    chosen: cython.const[cython.uchar][::1],
    kinds: cython.const[cython.uchar][:, ::1],
    reals: cython.double[:, ::1],
    marks: cython.int[::1],
) -> int:
    """Add to what is known of each block (kernels/lines.py) what it may be next to the chosen ones; all bits of these,
    and those of headings, code and captions in kept text, and of a page without a chosen title.

    `kinds` are titles, headings that are a phrase of the page's title, headings, code and captions.  `reals` is room
    for three rows with a number more than there are blocks.
    """
    b: cython.Py_ssize_t
    titles: cython.int
    phrases: cython.int
    found: cython.int
    size: cython.Py_ssize_t = len(marks)
    if not size == len(p) == len(words) == len(chosen) == kinds.shape[1] == blocks.shape[1]:
        raise ValueError("columns have not the lengths they need")
    if kinds.shape[0] < col.KINDS or blocks.shape[0] < col.BLOCK_ROWS:
        raise ValueError("columns have not the lengths they need")
    if reals.shape[0] < 3 or reals.shape[1] <= size:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        found = _mark_kept(kinds, col.KIND_HEADING, chosen, p, words, blocks, _SECTION, _HEADING, reals, marks)
        found |= _mark_kept(kinds, col.KIND_CODE, chosen, p, words, blocks, _COLUMN, _CODE, reals, marks)
        found |= _mark_kept(kinds, col.KIND_CAPTION, chosen, p, words, blocks, _COLUMN, 0, reals, marks)
        titles = _mark_titles(kinds, col.KIND_TITLE, chosen, p, words, marks)
        phrases = _mark_titles(kinds, col.KIND_PHRASE, chosen, p, words, marks)
        if titles > 0 or (titles == 0 and phrases > 0):
            found |= col.UNTITLED
            _mark_titled(words, chosen, kinds, blocks, reals, marks)
        _mark_orphans(p, words, chosen, kinds, blocks, reals, marks)
        for b in range(size):
            if chosen[b]:
                found |= marks[b]
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mark_kept(
    kinds: cython.const[cython.uchar][:, ::1],
    kind: cython.int,
    chosen: cython.const[cython.uchar][::1],
    p: cython.const[cython.double][::1],
    words: cython.const[cython.float][::1],
    blocks: cython.const[cython.int][:, ::1],
    level: cython.int,
    least: cython.double,
    reals: cython.double[:, ::1],
    marks: cython.int[::1],
) -> cython.int:
    """Mark the blocks of a kind, not chosen and likely enough, in kept text: of the words in their container, those of
    the kind left out, some are chosen and most.  What stands in a caption is judged as a caption.  The bit, if there
    are any."""
    b: cython.Py_ssize_t
    kept: cython.double
    found: cython.int = 0
    size: cython.Py_ssize_t = len(marks)
    bit: cython.int = col.HEADING if kind == col.KIND_HEADING else col.CODE if kind == col.KIND_CODE else col.CAPTION
    for b in range(size):
        if _may_be_kept(kinds, kind, chosen, b) and p[b] >= least:
            found = 1
            break
    if not found:
        return 0
    found = 0
    reals[0, 0] = reals[1, 0] = 0
    for b in range(size):
        reals[0, b + 1] = reals[0, b] + (words[b] if chosen[b] and not kinds[kind, b] else 0)
        reals[1, b + 1] = reals[1, b] + (words[b] if not kinds[kind, b] else 0)
    for b in range(size):
        if _may_be_kept(kinds, kind, chosen, b) and p[b] >= least:
            kept = _between(reals, 0, blocks[col.BEGIN + level, b], blocks[col.STOP + level, b], size)
            if kept > 0 and kept >= _MIN_KEPT_AROUND * _between(
                reals, 1, blocks[col.BEGIN + level, b], blocks[col.STOP + level, b], size
            ):
                marks[b] |= bit
                found = bit
    return found


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _may_be_kept(
    kinds: cython.const[cython.uchar][:, ::1],
    kind: cython.int,
    chosen: cython.const[cython.uchar][::1],
    b: cython.Py_ssize_t,
) -> cython.bint:
    return kinds[kind, b] and not chosen[b] and (kind == col.KIND_CAPTION or not kinds[col.KIND_CAPTION, b])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _between(
    sums: cython.const[cython.double][:, ::1],
    row: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
) -> cython.double:
    """What stands in begin:stop, from running sums."""
    return sums[row, min(max(stop, 0), size)] - sums[row, min(max(begin, 0), size)]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mark_titles(
    kinds: cython.const[cython.uchar][:, ::1],
    kind: cython.int,
    chosen: cython.const[cython.uchar][::1],
    p: cython.const[cython.double][::1],
    words: cython.const[cython.float][::1],
    marks: cython.int[::1],
) -> cython.int:
    """Mark the headings of a kind that stand before much probable text, or if there are none, all of them; none, if one
    of these is chosen.  How many there are; below 0 if one is chosen."""
    b: cython.Py_ssize_t
    begins: cython.Py_ssize_t = len(p)  # the text
    count: cython.int = 0
    before: cython.double = 0
    for b in range(len(p)):
        if before >= _MIN_TITLED_WORDS and count:
            begins = b
            break
        count += kinds[kind, b] != 0 and before < _MIN_TITLED_WORDS
        if p[b] >= _PROBABLE and not kinds[col.KIND_HEADING, b]:
            before += words[b]
    count = 0
    for b in range(begins):
        if kinds[kind, b]:
            if chosen[b]:
                return -1
            count += 1
    for b in range(begins):
        if kinds[kind, b]:
            marks[b] |= col.TITLE if kind == col.KIND_TITLE else col.PHRASE
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mark_titled(
    words: cython.const[cython.float][::1],
    chosen: cython.const[cython.uchar][::1],
    kinds: cython.const[cython.uchar][:, ::1],
    blocks: cython.const[cython.int][:, ::1],
    sums: cython.double[:, ::1],
    marks: cython.int[::1],
) -> cython.void:
    """Mark the titles that have enough chosen text in their container or, if they say it word for word, behind them."""
    b: cython.Py_ssize_t
    text: cython.double
    enough: cython.double
    size: cython.Py_ssize_t = len(marks)
    sums[0, 0] = 0
    for b in range(size):
        sums[0, b + 1] = sums[0, b] + (words[b] if chosen[b] else 0)
    enough = min(_MIN_TITLED_WORDS, _MIN_TITLED_SHARE * sums[0, size])
    for b in range(size):
        if marks[b] & (col.TITLE | col.PHRASE):
            if kinds[col.KIND_PHRASE, b]:
                text = sums[0, size] - sums[0, b]
            else:
                text = _between(sums, 0, blocks[col.BEGIN + _COLUMN, b], blocks[col.STOP + _COLUMN, b], size)
            if text >= enough:
                marks[b] |= col.TITLED


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mark_orphans(
    p: cython.const[cython.double][::1],
    words: cython.const[cython.float][::1],
    chosen: cython.const[cython.uchar][::1],
    kinds: cython.const[cython.uchar][:, ::1],
    blocks: cython.const[cython.int][:, ::1],
    reals: cython.double[:, ::1],
    marks: cython.int[::1],
) -> cython.void:
    """Mark the headings, but titles, of boxes that have other text and none of it chosen, behind some that is."""
    b: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    text: cython.double
    size: cython.Py_ssize_t = len(marks)
    reals[0, 0] = reals[1, 0] = reals[2, 0] = 0
    for b in range(size):
        text = 0 if kinds[col.KIND_HEADING, b] else words[b]
        reals[0, b + 1] = reals[0, b] + (text if chosen[b] else 0)
        reals[1, b + 1] = reals[1, b] + text
        reals[2, b + 1] = reals[2, b] + p[b] * text
    for b in range(size):
        if kinds[col.KIND_HEADING, b] and not kinds[col.KIND_TITLE, b]:
            begin, end = blocks[col.BEGIN + _SECTION, b], blocks[col.STOP + _SECTION, b]
            if (
                _between(reals, 0, begin, end, size) == 0
                and _between(reals, 1, begin, end, size) >= _MIN_BOX_WORDS
                and _between(reals, 2, 0, begin, size) >= _MIN_WORDS_BEFORE_ORPHAN
            ):
                marks[b] |= col.ORPHAN

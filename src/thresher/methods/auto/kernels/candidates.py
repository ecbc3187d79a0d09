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
    blocks: cython.const[cython.Py_ssize_t][:, ::1],
    p: cython.const[cython.double][::1],
    words: cython.const[cython.float][::1],
    chosen: cython.const[cython.uchar][::1],
    title: cython.const[cython.uchar][::1],
    verbatim: cython.const[cython.uchar][::1],
    heading: cython.const[cython.uchar][::1],
    listing: cython.const[cython.uchar][::1],
    caption: cython.const[cython.uchar][::1],
    reals: cython.double[:, ::1],
    marks: cython.int[::1],
) -> int:
    """Add to what is known of each block (kernels/lines.py) what it may be next to the chosen ones; all bits of these,
    and those of headings, code and captions in kept text, and of a page without a chosen title.

    `reals` is room for three rows with a number more than there are blocks.
    """
    b: cython.Py_ssize_t
    titles: cython.int
    phrases: cython.int
    found: cython.int
    size: cython.Py_ssize_t = len(marks)
    if not size == len(p) == len(words) == len(chosen) == len(title) == len(verbatim) == len(heading):
        raise ValueError("columns have not the lengths they need")
    if not size == len(listing) == len(caption) == blocks.shape[1] or blocks.shape[0] < col.BLOCK_ROWS:
        raise ValueError("columns have not the lengths they need")
    if reals.shape[0] < 3 or reals.shape[1] <= size:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        found = _mark_kept(heading, caption, chosen, p, words, blocks, _SECTION, _HEADING, col.HEADING, reals, marks)
        found |= _mark_kept(listing, caption, chosen, p, words, blocks, _COLUMN, _CODE, col.CODE, reals, marks)
        found |= _mark_kept(caption, chosen, chosen, p, words, blocks, _COLUMN, 0, col.CAPTION, reals, marks)
        titles = _mark_titles(title, chosen, p, words, heading, col.TITLE, marks)
        phrases = _mark_titles(verbatim, chosen, p, words, heading, col.PHRASE, marks)
        if titles > 0 or (titles == 0 and phrases > 0):
            found |= col.UNTITLED
            _mark_titled(words, chosen, verbatim, blocks, reals, marks)
        _mark_orphans(p, words, chosen, title, heading, blocks, reals, marks)
        for b in range(size):
            if chosen[b]:
                found |= marks[b]
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mark_kept(
    kind: cython.const[cython.uchar][::1],
    without: cython.const[cython.uchar][::1],
    chosen: cython.const[cython.uchar][::1],
    p: cython.const[cython.double][::1],
    words: cython.const[cython.float][::1],
    blocks: cython.const[cython.Py_ssize_t][:, ::1],
    level: cython.int,
    least: cython.double,
    bit: cython.int,
    reals: cython.double[:, ::1],
    marks: cython.int[::1],
) -> cython.int:
    """Mark the blocks of a kind, `without` others, not chosen and likely enough, in kept text: of the words in their
    container, those of the kind left out, some are chosen and most.  The bit, if there are any."""
    b: cython.Py_ssize_t
    kept: cython.double
    found: cython.int = 0
    size: cython.Py_ssize_t = len(marks)
    for b in range(size):
        if kind[b] and not without[b] and not chosen[b] and p[b] >= least:
            found = 1
            break
    if not found:
        return 0
    found = 0
    reals[0, 0] = reals[1, 0] = 0
    for b in range(size):
        reals[0, b + 1] = reals[0, b] + (words[b] if chosen[b] and not kind[b] else 0)
        reals[1, b + 1] = reals[1, b] + (words[b] if not kind[b] else 0)
    for b in range(size):
        if kind[b] and not without[b] and not chosen[b] and p[b] >= least:
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
    kind: cython.const[cython.uchar][::1],
    chosen: cython.const[cython.uchar][::1],
    p: cython.const[cython.double][::1],
    words: cython.const[cython.float][::1],
    heading: cython.const[cython.uchar][::1],
    bit: cython.int,
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
        count += kind[b] != 0 and before < _MIN_TITLED_WORDS
        if p[b] >= _PROBABLE and not heading[b]:
            before += words[b]
    count = 0
    for b in range(begins):
        if kind[b]:
            if chosen[b]:
                return -1
            count += 1
    for b in range(begins):
        if kind[b]:
            marks[b] |= bit
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _mark_titled(
    words: cython.const[cython.float][::1],
    chosen: cython.const[cython.uchar][::1],
    verbatim: cython.const[cython.uchar][::1],
    blocks: cython.const[cython.Py_ssize_t][:, ::1],
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
            if verbatim[b]:
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
    title: cython.const[cython.uchar][::1],
    heading: cython.const[cython.uchar][::1],
    blocks: cython.const[cython.Py_ssize_t][:, ::1],
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
        text = 0 if heading[b] else words[b]
        reals[0, b + 1] = reals[0, b] + (text if chosen[b] else 0)
        reals[1, b + 1] = reals[1, b] + text
        reals[2, b + 1] = reals[2, b] + p[b] * text
    for b in range(size):
        if heading[b] and not title[b]:
            begin, end = blocks[col.BEGIN + _SECTION, b], blocks[col.STOP + _SECTION, b]
            if (
                _between(reals, 0, begin, end, size) == 0
                and _between(reals, 1, begin, end, size) >= _MIN_BOX_WORDS
                and _between(reals, 2, 0, begin, size) >= _MIN_WORDS_BEFORE_ORPHAN
            ):
                marks[b] |= col.ORPHAN

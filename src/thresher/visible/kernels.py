"""The loops of `visible` over the elements and texts of a page.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.  An array that may be empty tells by this that there is nothing to say.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["mark_entries", "mark_rows", "pass_on", "read_texts", "survey"]

# Marks of rows that something hides, those of until_script; and what its tags are.
_HIDES = cython.declare(cython.int, 1)
_OTHERWISE = cython.declare(cython.int, 2)
_BY_ATTRIBUTE = cython.declare(cython.int, 4)
_FROM_READERS = cython.declare(cython.int, 8)
_OPENED = cython.declare(cython.int, 16)
_CANDIDATE = cython.declare(cython.int, 32)
_ROOT = cython.declare(cython.int, 1)
_INNARDS = cython.declare(cython.int, 2)
_MAIN = cython.declare(cython.int, 4)
_SOME_OPENED = cython.declare(cython.int, 1)
_SOME_CANDIDATE = cython.declare(cython.int, 2)
_HOLDS_MAIN = cython.declare(cython.int, 4)
_MAX_MAINS = cython.declare(cython.int, 20)

# What tags and texts are, those of readable.
_UNREAD = cython.declare(cython.int, 1)
_FALLBACK = cython.declare(cython.int, 2)
_LINK = cython.declare(cython.int, 4)


def mark_entries(winner: cython.const[cython.int][::1], used: cython.uchar[::1]) -> None:
    """Mark the entries that win on some row; 0 is none."""
    row: cython.Py_ssize_t
    with cython.nogil:
        for row in range(len(winner)):
            if 0 < winner[row] < len(used):
                used[winner[row]] = 1


def mark_rows(chosen: cython.const[cython.uchar][::1], mark: cython.int, marks: cython.uchar[::1]) -> int:
    """Add a mark to those of the rows that are chosen; how many they are."""
    row: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    if len(chosen) != len(marks):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(len(chosen)):
            if chosen[row]:
                marks[row] |= mark & 255
                count += 1
    return count


def pass_on(
    parent: cython.const[cython.int][::1],
    rows: cython.const[cython.uchar][::1],
    again: cython.const[cython.uchar][::1],
    unseen: cython.const[cython.uchar][::1],
    hidden: cython.uchar[::1],
    shows: cython.uchar[::1],
    mask: cython.uchar[::1],
    veil: cython.uchar[::1],
) -> int:
    """Mark what is hidden by a value that hides on some rows and goes on to those inside, until it shows again on one
    (`again` may be empty) or, where it is known which rows it makes unseen, on those.  Add to `mask` the outermost rows
    of which all is hidden, to `veil` those with something inside that shows; how many these are.
    """
    row: cython.Py_ssize_t
    up: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(parent)
    count: cython.Py_ssize_t = 0
    if not size == len(rows) == len(hidden) == len(shows) == len(mask) == len(veil):
        raise ValueError("columns have not the lengths they need")
    if (len(again) and len(again) != size) or (len(unseen) and len(unseen) != size):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(size):
            up = parent[row] if 0 <= parent[row] < row else -1
            hidden[row] = 1 if rows[row] or (up >= 0 and hidden[up] and not (len(again) and again[row])) else 0
        for row in range(size):
            if len(unseen) and not unseen[row]:
                hidden[row] = 0
            shows[row] = not hidden[row]
        for row in range(size - 1, -1, -1):
            if shows[row] and 0 <= parent[row] < row:
                shows[parent[row]] = 1
        for row in range(size):
            if hidden[row] and shows[row]:
                veil[row] = 1
                count += 1
            elif hidden[row] and not (0 <= parent[row] < size and not shows[parent[row]]):
                mask[row] = 1
    return count


def survey(
    marks: cython.uchar[::1],
    tag: cython.const[cython.short][::1],
    end: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    length: cython.const[cython.longlong][::1],
    kinds: cython.const[cython.uchar][::1],
    least: cython.int,
    closed: cython.uchar[::1],
    sizes: cython.longlong[::1],
) -> int:
    """Mark the hidden roots, which are opened, and the rows that may be; write which rows are still closed, and the
    length of all texts that can be read and of those that are seen.  The answer tells by bits whether any row is
    opened, whether any may be, and whether one of these holds a `main`.
    """
    row: cython.Py_ssize_t
    mark: cython.int
    kind: cython.int
    is_large: cython.bint
    answer: cython.int = 0
    mains: cython.int = 0
    holds: cython.Py_ssize_t = 0  # where the last row ends that may be opened
    unread: cython.Py_ssize_t = 0  # the texts that have been looked at, and those outside of what can be read
    unseen: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(marks)
    if not size == len(tag) == len(end) == len(first) == len(last) == len(closed) or len(sizes) < 2:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        sizes[0] = 0
        for row in range(len(length)):
            sizes[0] += length[row]
        sizes[1] = sizes[0]
        for row in range(size):
            mark = marks[row]
            kind = kinds[tag[row]] if 0 <= tag[row] < len(kinds) else 0
            if mark & _HIDES and kind & _ROOT:
                mark |= _OPENED
            closed[row] = 1 if mark & _HIDES and not mark & _OPENED else 0
            if mark & _OPENED:
                answer |= _SOME_OPENED
            is_large = not mark & _FROM_READERS or end[row] - row >= least
            if closed[row] and is_large and not mark & (_OTHERWISE | _BY_ATTRIBUTE):
                mark |= _CANDIDATE
                answer |= _SOME_CANDIDATE
                holds = max(holds, end[row])
            marks[row] = mark & 255
            if kind & _MAIN and mains < _MAX_MAINS:
                mains += 1
                if row < holds:
                    answer |= _HOLDS_MAIN
            if kind & _INNARDS and last[row] > unread:
                sizes[0] -= _sum(length, max(first[row], unread), last[row])
                unread = last[row]
            if (kind & _INNARDS or closed[row]) and last[row] > unseen:
                sizes[1] -= _sum(length, max(first[row], unseen), last[row])
                unseen = last[row]
    return answer


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _sum(
    length: cython.const[cython.longlong][::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> cython.longlong:
    text: cython.Py_ssize_t
    total: cython.longlong = 0
    for text in range(max(first, 0), min(last, len(length))):
        total += length[text]
    return total


def read_texts(
    tag: cython.const[cython.short][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    hidden: cython.const[cython.uchar][::1],
    closed: cython.const[cython.uchar][::1],
    kinds: cython.const[cython.uchar][::1],
    block: cython.const[cython.int][::1],
    length: cython.const[cython.longlong][::1],
    seen: cython.uchar[::1],
    sums: cython.longlong[::1],
) -> None:
    """Mark the texts that a reader sees, and write how long they are in each block, and behind the blocks: those that
    are seen, of these those outside of links, those that are not, and fallbacks.

    Unseen is what stands in a hidden element or one that is not read, and what is closed; either may be empty.
    """
    row: cython.Py_ssize_t
    text: cython.Py_ssize_t
    bits: cython.int
    unread: cython.Py_ssize_t = 0
    fallback: cython.Py_ssize_t = 0
    linked: cython.Py_ssize_t = 0
    blocks: cython.Py_ssize_t = len(sums) - 4
    if not len(tag) == len(first) == len(last) or not len(block) == len(length) == len(seen) or blocks < 0:
        raise ValueError("columns have not the lengths they need")
    if (len(hidden) and len(hidden) != len(tag)) or (len(closed) and len(closed) != len(seen)):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for text in range(len(sums)):
            sums[text] = 0
        for text in range(len(seen)):
            seen[text] = _UNREAD if len(closed) and closed[text] else 0
        for row in range(len(tag)):
            bits = kinds[tag[row]] if 0 <= tag[row] < len(kinds) else 0
            if len(hidden) and hidden[row]:
                bits |= _UNREAD
            if bits == 0:
                continue
            if bits & _UNREAD:
                unread = _marked(seen, first[row], last[row], unread, _UNREAD)
            if bits & _FALLBACK:
                fallback = _marked(seen, first[row], last[row], fallback, _FALLBACK)
            if bits & _LINK:
                linked = _marked(seen, first[row], last[row], linked, _LINK)
        for text in range(len(seen)):
            bits = seen[text]
            if bits & (_UNREAD | _FALLBACK):
                seen[text] = 0
                sums[blocks + 2] += length[text]
                if not bits & _UNREAD:
                    sums[blocks + 3] += length[text]
                continue
            seen[text] = 1
            sums[blocks] += length[text]
            if not bits & _LINK:
                sums[blocks + 1] += length[text]
            if 0 <= block[text] < blocks:
                sums[block[text]] += length[text]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _marked(
    seen: cython.uchar[::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t, done: cython.Py_ssize_t, bit: cython.int
) -> cython.Py_ssize_t:
    """Mark the texts of an element behind those that are done; how far it is done then."""
    text: cython.Py_ssize_t
    for text in range(max(first, done), min(last, len(seen))):
        seen[text] |= bit
    return max(done, last)

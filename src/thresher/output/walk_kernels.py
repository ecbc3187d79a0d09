"""The loops over a page that tell what of it a walk through its content meets.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["find_heading_links", "mark_content", "order_events"]

# Bits of a tag.
_VISITED = cython.declare(cython.int, 1)
_BOX = cython.declare(cython.int, 2)
_CELL = cython.declare(cython.int, 4)
_ROW = cython.declare(cython.int, 8)

_ALWAYS = cython.declare(cython.int, 1)  # what is wanted of an element
_WITH_TEXT = cython.declare(cython.int, 2)


def order_events(
    tag: cython.const[cython.short][::1],
    parent: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    tag_start: cython.const[cython.int][::1],
    media: cython.const[cython.uchar][::1],
    wanted: cython.const[cython.uchar][::1],
    kinds: cython.const[cython.uchar][::1],
    kept: cython.const[cython.Py_ssize_t][::1],
    position: cython.const[cython.int][::1],
    before: cython.int[::1],
    medium: cython.int[::1],
    events: cython.int[::1],
) -> int:
    """Write what a walk meets, in document order: elements as their rows, kept texts as ~place; how many there are.

    An element is met if its kind is, and a kept text (`kept`, ascending) or one of the `media` is in it; if it is one
    of these; if it is a box without text, or an empty cell of a row, in an element with text; or if it is wanted,
    always or with text.  `wanted` is empty where nothing is.  `before` and `medium` are room: for the number of kept
    texts before each text, and the first medium from each row on.
    """
    row: cython.Py_ssize_t
    text: cython.Py_ssize_t
    place: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(tag)
    texts: cython.Py_ssize_t = len(position)
    kind: cython.int
    met: cython.bint
    alive: cython.bint
    if not size == len(parent) == len(end) == len(first) == len(last) == len(tag_start) == len(media):
        raise ValueError("columns have not the lengths they need")
    if len(before) <= texts or len(medium) <= size or len(events) < size + len(kept) or len(wanted) not in (0, size):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for text in range(texts + 1):
            while place < len(kept) and kept[place] < text:
                place += 1
            before[text] = place
        medium[size] = size
        for row in range(size - 1, -1, -1):
            medium[row] = row if media[row] else medium[row + 1]
        place = 0
        for row in range(size):
            kind = kinds[tag[row]] if 0 <= tag[row] < len(kinds) else 0
            alive = _has_kept(first[row], last[row], before)
            met = media[row] != 0 or (kind & _VISITED and (alive or medium[row] < end[row]))
            if not met and not alive and kind & (_BOX | _CELL) and 0 <= parent[row] < size:
                met = _has_kept(first[parent[row]], last[parent[row]], before) and (
                    kind & _BOX or (0 <= tag[parent[row]] < len(kinds) and kinds[tag[parent[row]]] & _ROW)
                )
            if not met and len(wanted):
                met = wanted[row] & _ALWAYS or (wanted[row] & _WITH_TEXT and alive)
            if not met:
                continue
            while place < len(kept) and 0 <= kept[place] < texts and position[kept[place]] < tag_start[row]:
                events[count] = ~place
                place += 1
                count += 1
            events[count] = row
            count += 1
        while place < len(kept):
            events[count] = ~place
            place += 1
            count += 1
    return count


def mark_content(
    parent: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    chars: cython.const[cython.longlong][::1],
    readable: cython.const[cython.uchar][::1],
    keep: cython.const[cython.uchar][::1],
    apart: cython.const[cython.uchar][::1],
    sums: cython.longlong[:, ::1],
    content: cython.uchar[::1],
) -> None:
    """Mark the elements of whose readable characters at least half are kept; one without any goes with the element
    around it.  Texts that are `apart` count if they are kept; it is empty where none is.  `sums` is room for the
    characters before each text, all and kept ones.
    """
    row: cython.Py_ssize_t
    text: cython.Py_ssize_t
    total: cython.longlong
    size: cython.Py_ssize_t = len(parent)
    texts: cython.Py_ssize_t = len(chars)
    if not size == len(first) == len(last) == len(content) or not texts == len(readable) == len(keep):
        raise ValueError("columns have not the lengths they need")
    if sums.shape[0] < 2 or sums.shape[1] <= texts or len(apart) not in (0, texts):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        sums[0, 0] = sums[1, 0] = 0
        for text in range(texts):
            total = chars[text] if readable[text] and (keep[text] or not len(apart) or not apart[text]) else 0
            sums[0, text + 1] = sums[0, text] + total
            sums[1, text + 1] = sums[1, text] + (total if keep[text] else 0)
        for row in range(size):
            content[row] = 0
            if 0 <= first[row] <= last[row] <= texts:
                total = sums[0, last[row]] - sums[0, first[row]]
                if total > 0:
                    content[row] = 2 * (sums[1, last[row]] - sums[1, first[row]]) >= total
                    continue
            if 0 <= parent[row] < row:
                content[row] = content[parent[row]]


def find_heading_links(
    markup: cython.const[cython.uchar][::1],
    row: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    tag: cython.const[cython.short][::1],
    end: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    text_start: cython.const[cython.int][::1],
    text_stop: cython.const[cython.int][::1],
    utf8: cython.const[cython.uchar][::1],
    most: cython.int,
    sign_size: cython.int,
    heading_size: cython.int,
    beside: cython.int[:, ::1],
    found: cython.int[:, ::1],
) -> int:
    """Find the links (bit 1 of the `kinds` of tags) that stand in a heading (bit 2) or lead to a fragment of the page,
    `most` of them; of these, those that lead to a fragment and stand in or right beside a heading of at most
    `heading_size` bytes, or are a sign: at most `sign_size` bytes without a letter or digit of ASCII.

    Of each its place among the addresses markup[start:stop], its heading or -1, where its fragment begins, and
    whether it stands in the heading.  How many there are.  `beside` is room: for the headings that end and begin at
    each text.
    """
    at: cython.Py_ssize_t
    here: cython.Py_ssize_t
    mark: cython.Py_ssize_t
    texts: cython.Py_ssize_t = len(text_start)
    size: cython.Py_ssize_t = len(tag)
    heading: cython.int = -1  # the last one up to the link
    around: cython.int
    seen: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    taken: cython.int = 0
    inside: cython.bint
    local: cython.bint
    if not size == len(end) == len(first) == len(last) or texts != len(text_stop):
        raise ValueError("columns have not the lengths they need")
    if not len(row) == len(start) == len(stop) or beside.shape[0] < 2 or beside.shape[1] <= texts:
        raise ValueError("columns have not the lengths they need")
    if found.shape[0] < 4 or found.shape[1] < len(row):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for at in range(texts + 1):
            beside[0, at] = beside[1, at] = -1
        for here in range(size):
            if 0 <= tag[here] < len(kinds) and kinds[tag[here]] & 2 and 0 <= first[here] < last[here] <= texts:
                beside[0, last[here]] = beside[1, first[here]] = here
        for at in range(len(row)):
            if taken >= most:
                break
            if not 0 <= row[at] < size or not 0 <= start[at] <= stop[at] <= len(markup):
                continue
            here = row[at]
            while seen <= here:
                if 0 <= tag[seen] < len(kinds) and kinds[tag[seen]] & 2:
                    heading = seen
                seen += 1
            inside = heading >= 0 and end[heading] > here
            local = start[at] < len(markup) and markup[start[at]] == 35
            if not (inside or local) or not 0 <= tag[here] < len(kinds) or not kinds[tag[here]] & 1:
                continue
            taken += 1
            mark = start[at]
            while not local and mark < stop[at] and markup[mark] != 35:
                mark += 1
            if mark >= stop[at] and not local:
                continue
            around = heading
            if not 0 <= first[here] <= last[here] <= texts:
                continue
            if not inside:
                around = beside[0, first[here]] if beside[0, first[here]] >= 0 else beside[1, last[here]]
                if around < 0 and not _is_sign(utf8, text_start, text_stop, first[here], last[here], sign_size):
                    continue
            if around >= 0 and _bytes(text_start, text_stop, first[around], last[around]) > heading_size:
                continue
            found[0, count], found[1, count], found[2, count], found[3, count] = at, around, mark, inside
            count += 1
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _has_kept(first: cython.int, last: cython.int, before: cython.int[::1]) -> cython.bint:
    """Whether a kept text stands between two."""
    return 0 <= first <= last < len(before) and before[last] > before[first]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _bytes(
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """The bytes from a text to the end of another."""
    if not 0 <= first < last <= len(start):
        return 0
    return cython.cast(cython.longlong, stop[last - 1]) - start[first]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_sign(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    most: cython.int,
) -> cython.bint:
    """Whether texts are a few bytes without a letter or digit of ASCII."""
    at: cython.Py_ssize_t
    if first >= last or _bytes(start, stop, first, last) > most:
        return False
    for at in range(max(start[first], 0), min(stop[last - 1], len(utf8))):
        if 48 <= utf8[at] <= 57 or 65 <= utf8[at] <= 90 or 97 <= utf8[at] <= 122:
            return False
    return True

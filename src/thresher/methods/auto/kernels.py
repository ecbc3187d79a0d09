"""The loops of `auto`: words and names hashed to buckets, their vectors summed, and what stands around each block.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = [
    "add_values",
    "hash_first_words",
    "hash_names",
    "number_keys",
    "overlap",
    "path_sums",
    "sum_words",
    "surroundings",
]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)
_BASE = cython.declare(cython.ulonglong, 0x100000001B3)
_MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_SHIFT = cython.declare(cython.int, 52)
_BUCKETS = cython.declare(cython.int, 1 << 12)
_MAX_POWERS = cython.declare(cython.int, 64)  # bytes of a word that have powers of their own

_KANA = cython.declare(cython.int, 0xE3)  # first bytes of kana and ideographs: from here
_HAN_END = cython.declare(cython.int, 0xE9)  # to here
_FIRST_BYTE = cython.declare(cython.int, 0xC0)  # of any character of more than one
_HAN_BYTES = cython.declare(cython.int, 3)
_BETWEEN = cython.declare(cython.int, 0xFF)  # names


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _bucket(
    data: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    codes: cython.const[cython.uchar][::1],
) -> cython.Py_ssize_t:
    """The bucket of a word (hashing)."""
    value: cython.ulonglong = 0
    power: cython.ulonglong = _BASE
    last: cython.Py_ssize_t = at + _MAX_POWERS - 1
    while at < stop:
        value = (value + codes[data[at]] * power) & _ALL_BITS
        if at < last:
            power = (power * _BASE) & _ALL_BITS
        at += 1
    return cython.cast(cython.Py_ssize_t, ((value * _MIX) & _ALL_BITS) >> _SHIFT)


def hash_first_words(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    codes: cython.const[cython.uchar][::1],
    width: cython.Py_ssize_t,
    piece: cython.Py_ssize_t[::1],
    bucket: cython.Py_ssize_t[::1],
) -> int:
    """Write piece and bucket of each word in the texts utf8[start[k]:stop[k]], of at most `width` bytes each; how many
    there are.

    Of ideographs and kana every two that follow each other are a word, and so is one alone.  The last of a piece that
    has the whole width is followed by the first of the next.
    """
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    word: cython.Py_ssize_t
    end: cython.Py_ssize_t
    place: cython.Py_ssize_t
    value: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(utf8)
    room: cython.Py_ssize_t = min(len(piece), len(bucket))
    count: cython.Py_ssize_t = 0
    is_han: cython.bint
    follows: cython.bint
    joined: cython.bint = False  # whether the last word is the end of a pair
    last_han: cython.Py_ssize_t = -1 - _HAN_BYTES  # where it stands, all pieces side by side
    if len(start) != len(stop) or len(codes) < 256:
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for k in range(len(start)):
            at = start[k]
            end = min(min(at + width, stop[k]), size)
            while 0 <= at < end and count < room:
                if codes[utf8[at]] == 0:
                    at += 1
                    continue
                word = at
                is_han = _KANA <= utf8[word] <= _HAN_END
                at = _word_end(utf8, word, end, is_han, codes)
                value = _bucket(utf8, word, at, codes)
                place = k * width + word - start[k]
                follows = is_han and place - last_han == _HAN_BYTES
                if follows and count > 0:
                    bucket[count - 1] = (bucket[count - 1] * 31 + value * 7 + 1) % _BUCKETS
                elif joined:
                    count -= 1
                piece[count] = k
                bucket[count] = value
                count += 1
                joined = follows
                last_han = place if is_han else -1 - _HAN_BYTES
    return count - joined


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _word_end(
    utf8: cython.const[cython.uchar][::1],
    word: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    is_han: cython.bint,
    codes: cython.const[cython.uchar][::1],
) -> cython.Py_ssize_t:
    at: cython.Py_ssize_t = word + 1
    byte: cython.int
    while at < end:
        byte = utf8[at]
        if codes[byte] == 0 or _KANA <= byte <= _HAN_END:
            break
        if is_han and at == word + _HAN_BYTES and (byte < 0x80 or byte >= _FIRST_BYTE):
            break
        at += 1
    return at


def hash_names(
    text: cython.const[cython.uchar][::1],
    codes: cython.const[cython.uchar][::1],
    stop: cython.Py_ssize_t[::1],
    bucket: cython.Py_ssize_t[::1],
) -> int:
    """Write the buckets of the words of names, and for each name, which the byte FF ends, how many words stand before
    its end; how many words there are.

    A word begins at a letter after something else, or at a capital after a small letter; one of a single letter is
    left out.
    """
    at: cython.Py_ssize_t = 0
    word: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(text)
    count: cython.Py_ssize_t = 0
    names: cython.Py_ssize_t = 0
    if len(codes) < 256:
        raise ValueError("the table has not the length it needs")
    with cython.nogil:
        while at < size:
            if codes[text[at]] == 0:
                if text[at] == _BETWEEN and names < len(stop):
                    stop[names] = count
                    names += 1
                at += 1
                continue
            word = at
            at += 1
            while at < size and codes[text[at]] != 0:
                if ord("A") <= text[at] <= ord("Z") and ord("a") <= text[at - 1] <= ord("z"):
                    break
                at += 1
            if at > word + 1 and count < len(bucket):
                bucket[count] = _bucket(text, word, at, codes)
                count += 1
    return count


def number_keys(
    keys: cython.const[cython.ulonglong][::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    number: cython.Py_ssize_t[::1],
) -> None:
    """Number the distinct keys in the order of their first occurrence.

    `slots` is a hash table, all -1, its length a power of two above that of the keys.  `secret` is an odd number that
    pages do not know, so that none is made to fill one slot.
    """
    k: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    mask: cython.Py_ssize_t = len(slots) - 1
    count: cython.Py_ssize_t = 0
    if not len(keys) == len(number) <= mask or mask & len(slots):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(len(keys)):
            slot = cython.cast(cython.Py_ssize_t, ((keys[k] * secret) & _ALL_BITS) >> 33) & mask
            while slots[slot] >= 0 and keys[slots[slot]] != keys[k]:
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot] = k
                number[k] = count
                count += 1
            else:
                number[k] = number[slots[slot]]


def sum_words(
    block: cython.const[cython.Py_ssize_t][::1],
    bucket: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.float][:, ::1],
    chosen: cython.const[cython.uchar][::1],
    out: cython.float[:, :],
) -> None:
    """out_b = Σ vectors / √count over the words of block b if it is chosen, else the row above it.  Words are in the
    order of their blocks."""
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    word: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    total: cython.double
    width: cython.Py_ssize_t = out.shape[1]
    if len(block) != len(bucket) or len(chosen) != out.shape[0] or table.shape[0] < _BUCKETS or table.shape[1] < width:
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for b in range(out.shape[0]):
            begin = word
            while word < len(block) and block[word] <= b:
                word += 1
            for column in range(width):
                total = 0
                if not chosen[b]:
                    total = out[b - 1, column] if b > 0 else 0
                elif word > begin:
                    for k in range(begin, word):
                        total += table[bucket[k] & (_BUCKETS - 1), column]
                    total = total / (word - begin) ** 0.5
                out[b, column] = total


def overlap(
    block: cython.const[cython.Py_ssize_t][::1],
    bucket: cython.const[cython.Py_ssize_t][::1],
    in_title: cython.const[cython.uchar][::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    rarity: cython.const[cython.double][::1],
    stamp: cython.int[:, ::1],
    share: cython.double[:, ::1],
) -> None:
    """Write into share[0, b] and share[1, b] a_b (vocabulary) with the words of the title, and with those of the other
    blocks of begin:stop.

    rarity[n] is r_w of a word that stands in n blocks.  `stamp` has three rows of zeros, a column for each bucket: the
    last block with it and one, the number of blocks with it, and of those in begin:stop.
    """
    k: cython.Py_ssize_t
    b: cython.Py_ssize_t
    w: cython.Py_ssize_t
    weight: cython.double
    whole: cython.double
    blocks: cython.Py_ssize_t = share.shape[1]
    if len(block) != len(bucket) or len(in_title) < _BUCKETS or len(rarity) <= blocks or share.shape[0] < 2:
        raise ValueError("columns and tables have not the lengths they need")
    if stamp.shape[0] < 3 or stamp.shape[1] < _BUCKETS:
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for k in range(len(block)):
            b, w = block[k], bucket[k] & (_BUCKETS - 1)
            if 0 <= b < blocks and stamp[0, w] != b + 1 and stamp[1, w] < blocks:
                stamp[0, w] = b + 1
                stamp[1, w] += 1
                stamp[2, w] += begin <= b < stop
        k = 0
        for b in range(blocks):
            whole = share[0, b] = share[1, b] = 0
            while k < len(block) and block[k] <= b:
                w = bucket[k] & (_BUCKETS - 1)
                weight = rarity[stamp[1, w]]
                whole += weight
                if in_title[w]:
                    share[0, b] += weight
                if stamp[2, w] > (begin <= b < stop):
                    share[1, b] += weight
                k += 1
            share[0, b] /= max(whole, 1e-6)
            share[1, b] /= max(whole, 1e-6)


def add_values(
    row: cython.const[cython.Py_ssize_t][::1],
    code: cython.const[cython.Py_ssize_t][::1],
    stop: cython.const[cython.Py_ssize_t][::1],
    bucket: cython.const[cython.Py_ssize_t][::1],
    table: cython.const[cython.float][:, ::1],
    path: cython.float[:, ::1],
) -> None:
    """Add to path[row + 1] the vectors of the words of the value `code`, which end before stop[code] among all."""
    k: cython.Py_ssize_t
    word: cython.Py_ssize_t
    column: cython.Py_ssize_t
    width: cython.Py_ssize_t = path.shape[1]
    if len(row) != len(code) or table.shape[0] < _BUCKETS or table.shape[1] < width:
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for k in range(len(row)):
            if not (0 <= row[k] < path.shape[0] - 1 and 0 <= code[k] < len(stop)):
                continue
            word = stop[code[k] - 1] if code[k] > 0 else 0
            while 0 <= word < stop[code[k]] and word < len(bucket):
                for column in range(width):
                    path[row[k] + 1, column] += table[bucket[word] & (_BUCKETS - 1), column]
                word += 1


def path_sums(
    parent: cython.const[cython.int][::1],
    ends: cython.const[cython.Py_ssize_t][:, ::1],
    limit: cython.double,
    path: cython.float[:, ::1],
    out: cython.float[:, :],
) -> None:
    """Turn path[row + 1] into the sum along the path from the root to each row; then write for each block the sums
    between the ends of the parts of its path, from below, one part beside the other, none beyond ±limit."""
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    part: cython.Py_ssize_t
    b: cython.Py_ssize_t
    value: cython.double
    width: cython.Py_ssize_t = path.shape[1]
    parts: cython.Py_ssize_t = ends.shape[0]
    rows: cython.Py_ssize_t = path.shape[0]
    if rows != len(parent) + 1 or out.shape[0] != ends.shape[1] or out.shape[1] < parts * width:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(rows - 1):
            if 0 <= parent[row] < row:
                for column in range(width):
                    path[row + 1, column] += path[parent[row] + 1, column]
        for b in range(ends.shape[1]):
            for part in range(parts):
                for column in range(width):
                    value = 0
                    if 0 <= ends[part, b] < rows:
                        value = path[ends[part, b], column]
                    if part + 1 < parts and 0 <= ends[part + 1, b] < rows:
                        value -= path[ends[part + 1, b], column]
                    out[b, part * width + column] = min(max(value, -limit), limit)


def surroundings(
    h: cython.const[cython.float][:, ::1],
    pooled: cython.const[cython.float][:, ::1],
    distance: cython.Py_ssize_t,
    begin: cython.const[cython.Py_ssize_t][:, ::1],
    stop: cython.const[cython.Py_ssize_t][:, ::1],
    alike: cython.const[cython.Py_ssize_t][::1],
    running: cython.double[:, ::1],
    groups: cython.double[:, ::1],
    seen: cython.float[:, ::1],
) -> None:
    """Write beside each other, for each block: h of itself, of the block `distance` before and of that behind, the mean
    of `pooled` over each of its containers begin:stop and over its group `alike`.

    `running` and `groups` are room for sums: a row more than h, and a row per group, with a last column for its size.
    """
    blocks: cython.Py_ssize_t = h.shape[0]
    width: cython.Py_ssize_t = h.shape[1]
    narrow: cython.Py_ssize_t = pooled.shape[1]
    levels: cython.Py_ssize_t = begin.shape[0]
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    level: cython.Py_ssize_t
    at: cython.Py_ssize_t
    if (
        not blocks == pooled.shape[0] == begin.shape[1] == stop.shape[1] == len(alike) == seen.shape[0]
        or levels != stop.shape[0]
        or running.shape[0] <= blocks
        or running.shape[1] < narrow
        or groups.shape[1] <= narrow
        or seen.shape[1] < 3 * width + (levels + 1) * narrow
        or distance < 0
    ):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        _add_up(pooled, alike, running, groups)
        for b in range(blocks):
            for column in range(width):
                seen[b, column] = h[b, column]
                seen[b, width + column] = h[b - distance, column] if b >= distance else 0
                seen[b, 2 * width + column] = h[b + distance, column] if b + distance < blocks else 0
            at = 3 * width
            for level in range(levels):
                _container_mean(running, begin[level, b], stop[level, b], blocks, narrow, seen, b, at)
                at += narrow
            if 0 <= alike[b] < groups.shape[0]:
                for column in range(narrow):
                    seen[b, at + column] = groups[alike[b], column] / groups[alike[b], narrow]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_up(
    pooled: cython.const[cython.float][:, ::1],
    alike: cython.const[cython.Py_ssize_t][::1],
    running: cython.double[:, ::1],
    groups: cython.double[:, ::1],
) -> cython.void:
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    narrow: cython.Py_ssize_t = pooled.shape[1]
    for b in range(groups.shape[0]):
        for column in range(narrow + 1):
            groups[b, column] = 0
    for column in range(narrow):
        running[0, column] = 0
    for b in range(pooled.shape[0]):
        for column in range(narrow):
            running[b + 1, column] = running[b, column] + pooled[b, column]
        if 0 <= alike[b] < groups.shape[0]:
            for column in range(narrow):
                groups[alike[b], column] += pooled[b, column]
            groups[alike[b], narrow] += 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _container_mean(
    running: cython.double[:, ::1],
    begin: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    blocks: cython.Py_ssize_t,
    narrow: cython.Py_ssize_t,
    seen: cython.float[:, ::1],
    b: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
) -> cython.void:
    column: cython.Py_ssize_t
    share: cython.double = 1.0 / max(stop - begin, 1)
    if 0 <= begin <= stop <= blocks:
        for column in range(narrow):
            seen[b, at + column] = (running[stop, column] - running[begin, column]) * share

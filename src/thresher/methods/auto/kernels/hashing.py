"""The loops of `hashing`: words of texts and of names to the numbers of their buckets.

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

__all__ = ["collect", "hash_first_words", "hash_names"]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)
_BASE = cython.declare(cython.ulonglong, 0x100000001B3)
_MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_SHIFT = cython.declare(cython.int, 52)
_BUCKETS = cython.declare(cython.int, 1 << 12)
_MAX_POWERS = cython.declare(cython.int, 64)  # bytes of a word that have powers of their own
_KANA = cython.declare(cython.int, 0xE3)  # first bytes of kana and ideographs: from here
_HAN_END = cython.declare(cython.int, 0xE9)  # to here
_FIRST_BYTE = cython.declare(cython.int, 0xC0)  # of any character of more than one
_MAX_WIDTH = cython.declare(cython.Py_ssize_t, 1 << 20)  # of what is read of a block, in bytes
_HAN_BYTES = cython.declare(cython.int, 3)


def hash_first_words(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    blocks: cython.const[cython.int][:, ::1],
    title_begin: cython.Py_ssize_t,
    title_stop: cython.Py_ssize_t,
    codes: cython.const[cython.uchar][::1],
    width: cython.Py_ssize_t,
    words: cython.Py_ssize_t[:, ::1],
    counts: cython.Py_ssize_t[::1],
) -> None:
    """Write into two rows block and bucket of each word in the first bytes of the blocks, `width` at most, and behind
    them those of the words of the title, which is cut into pieces of so many bytes, as if each were a further block;
    and into `counts` how many words the blocks have, and the title.

    A block goes from the start of its first text to the stop of its last.  Of ideographs and kana every two that follow
    each other are a word, and so is one alone.  The last of a piece that has the whole width is followed by the first
    of the next.
    """
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    word: cython.Py_ssize_t
    end: cython.Py_ssize_t
    place: cython.Py_ssize_t
    value: cython.Py_ssize_t
    byte: cython.int
    sum_of_codes: cython.ulonglong
    power: cython.ulonglong
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    of_blocks: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(utf8)
    room: cython.Py_ssize_t = words.shape[1]
    count: cython.Py_ssize_t = 0
    pieces: cython.Py_ssize_t = blocks.shape[1]
    is_han: cython.bint
    follows: cython.bint
    joined: cython.bint = False  # whether the last word is the end of a pair
    last_han: cython.Py_ssize_t = -1 - _HAN_BYTES  # where it stands, all pieces side by side
    if blocks.shape[0] < col.BLOCK_ROWS or len(start) != len(stop) or len(codes) < 256 or len(counts) < 2:
        raise ValueError("columns and tables have not the lengths they need")
    if words.shape[0] < 2 or not 0 < width <= _MAX_WIDTH or title_begin < 0 or title_stop > size:
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        if title_begin < title_stop:
            pieces += (title_stop - title_begin + width - 1) // width
        for k in range(pieces + 1):
            if k == blocks.shape[1]:
                of_blocks = count = count - joined
                joined = False
                last_han = -1 - _HAN_BYTES
            if k < blocks.shape[1]:
                first, last = blocks[col.FIRST, k], blocks[col.LAST, k]
                if not (0 <= first < len(start) and 0 <= last < len(stop)):
                    continue
                begin, end = start[first], stop[last]
            else:
                begin, end = title_begin + (k - blocks.shape[1]) * width, title_stop
            at = begin
            end = min(min(at + width, end), size)
            while 0 <= at < end and count < room:
                if codes[utf8[at]] == 0:
                    at += 1
                    continue
                word = at
                is_han = _KANA <= utf8[word] <= _HAN_END
                sum_of_codes = 0
                power = _BASE
                while at < end:
                    byte = utf8[at]
                    if codes[byte] == 0 or (_KANA <= byte <= _HAN_END and at > word):
                        break
                    if is_han and at == word + _HAN_BYTES and (byte < 0x80 or byte >= _FIRST_BYTE):
                        break
                    sum_of_codes = (sum_of_codes + codes[byte] * power) & _ALL_BITS
                    if at < word + _MAX_POWERS - 1:
                        power = (power * _BASE) & _ALL_BITS
                    at += 1
                value = cython.cast(cython.Py_ssize_t, ((sum_of_codes * _MIX) & _ALL_BITS) >> _SHIFT)
                place = k * width + word - begin
                follows = is_han and place - last_han == _HAN_BYTES
                if follows and count > 0:
                    words[1, count - 1] = (words[1, count - 1] * 31 + value * 7 + 1) % _BUCKETS
                elif joined:
                    count -= 1
                words[0, count] = k
                words[1, count] = value
                count += 1
                joined = follows
                last_han = place if is_han else -1 - _HAN_BYTES
        counts[0] = of_blocks
        counts[1] = count - joined - of_blocks


def hash_names(
    data: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    bounds: cython.const[cython.int][:, ::1],
    has_escapes: cython.bint,
    codes: cython.const[cython.uchar][::1],
    words: cython.int[:, ::1],
    bucket: cython.Py_ssize_t[::1],
) -> int:
    """Write the buckets of the words of names, and for each name where its words begin and stop among all; how many
    words there are.

    The names are the spans start:stop; of each attribute those from bounds[k, 0] on, bounds[k, 2] of them.  A word
    begins at a letter after something else, or at a capital after a small letter; one of a single letter is left out.
    If there may be escapes and a name has one, -1.
    """
    k: cython.Py_ssize_t
    name: cython.Py_ssize_t
    at: cython.Py_ssize_t
    end: cython.Py_ssize_t
    word: cython.Py_ssize_t
    sum_of_codes: cython.ulonglong
    power: cython.ulonglong
    names: cython.Py_ssize_t = len(start)
    count: cython.Py_ssize_t = 0
    if len(codes) < 256 or not names == len(stop) == words.shape[1] or words.shape[0] < 2 or bounds.shape[1] != 3:
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for k in range(bounds.shape[0]):
            if not 0 <= bounds[k, 0] <= names or bounds[k, 2] > names - bounds[k, 0] or count < 0:
                continue
            for name in range(bounds[k, 0], cython.cast(cython.Py_ssize_t, bounds[k, 0]) + bounds[k, 2]):
                at = max(start[name], 0)
                end = min(stop[name], len(data))
                words[0, name] = count
                while at < end:
                    if codes[data[at]] == 0:
                        if data[at] == ord("&") and has_escapes:
                            count = -1
                            break
                        at += 1
                        continue
                    word = at
                    sum_of_codes = 0
                    power = _BASE
                    while at < end and codes[data[at]] != 0:
                        if ord("A") <= data[at] <= ord("Z") and at > word and ord("a") <= data[at - 1] <= ord("z"):
                            break
                        sum_of_codes = (sum_of_codes + codes[data[at]] * power) & _ALL_BITS
                        if at < word + _MAX_POWERS - 1:
                            power = (power * _BASE) & _ALL_BITS
                        at += 1
                    if at > word + 1 and count < len(bucket):
                        bucket[count] = cython.cast(cython.Py_ssize_t, ((sum_of_codes * _MIX) & _ALL_BITS) >> _SHIFT)
                        count += 1
                if count < 0:
                    break
                words[1, name] = count
    return count


def collect(
    bucket: cython.const[cython.Py_ssize_t][::1],
    tag: cython.const[cython.short][::1],
    first_tag: cython.Py_ssize_t,
    seen: cython.uchar[::1],
    found: cython.Py_ssize_t[::1],
) -> int:
    """List each bucket once, and each tag, as so many numbers more; how many there are.  `seen` is room for a mark of
    each number, of which those beyond it are passed over."""
    k: cython.Py_ssize_t
    number: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    if not 0 <= first_tag <= len(seen) or len(found) < len(seen):
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for k in range(len(seen)):
            seen[k] = 0
        for k in range(len(bucket) + len(tag)):
            number = bucket[k] if k < len(bucket) else first_tag + tag[k - len(bucket)]
            if 0 <= number < len(seen) and not seen[number]:
                seen[number] = 1
                found[count] = number
                count += 1
    return count

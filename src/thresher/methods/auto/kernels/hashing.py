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

__all__ = ["hash_first_words", "hash_names"]

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
    data: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    has_escapes: cython.bint,
    codes: cython.const[cython.uchar][::1],
    words: cython.Py_ssize_t[::1],
    bucket: cython.Py_ssize_t[::1],
) -> int:
    """Write the buckets of the words of names, the spans start:stop, and for each name how many words there are up to
    its end; how many there are in all.

    A word begins at a letter after something else, or at a capital after a small letter; one of a single letter is
    left out.  If there may be escapes and a name has one, -1.
    """
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    end: cython.Py_ssize_t
    word: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    if len(codes) < 256 or not len(start) == len(stop) == len(words):
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for k in range(len(start)):
            at = max(start[k], 0)
            end = min(stop[k], len(data))
            while at < end:
                if codes[data[at]] == 0:
                    if data[at] == ord("&") and has_escapes:
                        count = -1
                        break
                    at += 1
                    continue
                word = at
                at += 1
                while at < end and codes[data[at]] != 0:
                    if ord("A") <= data[at] <= ord("Z") and ord("a") <= data[at - 1] <= ord("z"):
                        break
                    at += 1
                if at > word + 1 and count < len(bucket):
                    bucket[count] = _bucket(data, word, at, codes)
                    count += 1
            if count < 0:
                break
            words[k] = count
    return count

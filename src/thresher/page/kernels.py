"""The loops of `page`: over the bytes of its texts and tags.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = [
    "count_byte",
    "count_texts",
    "find_attributes",
    "index_attributes",
    "mark_spans",
    "number_spans",
    "spans_with",
]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)

# A quote, a one and a top bit in each of eight bytes.
_QUOTES = cython.declare(cython.ulonglong, 0x2222222222222222)
_ONES = cython.declare(cython.ulonglong, 0x0101010101010101)
_TOPS = cython.declare(cython.ulonglong, 0x8080808080808080)

# Bits of a byte, in the order of COUNTED; and of one that may stand behind a mark which ends a sentence: white space,
# quotes, brackets.
_CLOSING = cython.declare(cython.int, 7)

# Kinds of characters beyond ASCII.
_LETTER = cython.declare(cython.int, 0)
_IDEOGRAPH = cython.declare(cython.int, 1)
_UNSPACED = cython.declare(cython.int, 2)
_BLANK = cython.declare(cython.int, 4)
_COMMA = cython.declare(cython.int, 5)
_STOP = cython.declare(cython.int, 6)


def count_byte(data: cython.const[cython.uchar][::1], byte: cython.uchar) -> int:
    """How often a byte occurs."""
    at: cython.Py_ssize_t
    count: cython.int = 0  # the narrower, the more at once
    with cython.nogil:
        for at in range(len(data)):
            count += data[at] == byte
    return count


def count_texts(
    utf8: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    of_byte: cython.const[cython.uchar][::1],
    kinds: cython.const[cython.uchar][::1],
    count: cython.longlong[:, ::1],
) -> None:
    """Write the counts of the texts utf8[start[k]:stop[k]] into the columns of `count`."""
    text: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(utf8)
    if (
        len(of_byte) < 256
        or len(kinds) < 0x12000
        or not len(stop) == len(start) == count.shape[1]
        or count.shape[0] < 6
    ):
        raise ValueError("columns and tables have not the lengths they need")
    with cython.nogil:
        for text in range(len(start)):
            if start[text] >= 0 and stop[text] <= size:
                _count_text(utf8, start[text], stop[text], of_byte, kinds, count, text)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _count_text(
    utf8: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    of_byte: cython.const[cython.uchar][::1],
    kinds: cython.const[cython.uchar][::1],
    count: cython.longlong[:, ::1],
    text: cython.Py_ssize_t,
) -> cython.void:
    words: cython.longlong = 0
    chars: cython.longlong = 0
    digits: cython.longlong = 0
    capitals: cython.longlong = 0
    marks: cython.longlong = 0
    ends: cython.longlong = 0
    ideographs: cython.longlong = 0
    unspaced: cython.longlong = 0
    in_word: cython.int = 0
    byte: cython.int
    bits: cython.int
    kind: cython.int
    code: cython.int
    size: cython.Py_ssize_t = len(utf8)
    while at < stop:
        byte = utf8[at]
        at += 1
        if byte < 0x80:
            bits = of_byte[byte]
            words += bits & 1 & ~in_word
            in_word = bits & 1
            chars += bits >> 1 & 1
            digits += bits >> 2 & 1
            capitals += bits >> 3 & 1
            marks += bits >> 4 & 1
            if bits >> 5 & 1 and (at >= size or of_byte[utf8[at]] >> _CLOSING):
                ends += 1
            continue
        code = byte & (0x1F if byte < 0xE0 else 0x0F if byte < 0xF0 else 0x07)
        while at < stop and utf8[at] & 0xC0 == 0x80:
            code = (code << 6 | (utf8[at] & 0x3F)) & 0x1FFFFF
            at += 1
        kind = kinds[code if code < 0x10000 else 0x10000 + (code >> 8)]
        words += kind == _LETTER and not in_word
        in_word = kind == _LETTER
        chars += kind != _BLANK
        marks += kind in (_COMMA, _STOP)
        ends += kind == _STOP
        ideographs += kind == _IDEOGRAPH
        unspaced += kind == _UNSPACED
    count[0, text] = words + ((ideographs + 1) >> 1) + ((unspaced + 3) >> 2)
    count[1, text] = chars
    count[2, text] = digits
    count[3, text] = capitals
    count[4, text] = marks
    count[5, text] = ends


def find_attributes(
    markup: cython.const[cython.uchar][::1],
    tag_start: cython.const[cython.int][::1],
    tag_stop: cython.const[cython.int][::1],
    spans: cython.int[:, ::1],
) -> int:
    """Write row, start and stop of the name, start and stop of the value of each attribute; how many there are.

    In canonical markup an attribute is ` name="value"`; names hold no `=` but perhaps as their first character, values
    hold no quote.  `spans` has five rows, and a column for each pair of quotes in the markup.
    """
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    name: cython.Py_ssize_t
    equals: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(markup)
    room: cython.Py_ssize_t = spans.shape[1]
    count: cython.Py_ssize_t = 0
    if len(tag_start) != len(tag_stop) or spans.shape[0] < 5:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(len(tag_start)):
            at = max(tag_start[row], 0)
            stop = min(tag_stop[row], size)
            while at < stop and count < room:
                if markup[at] != ord(" "):
                    at += 1
                    continue
                at += 1
                name = at
                equals = _equals_sign(markup, name, stop)
                if equals == 0:
                    continue
                at = _next_quote(markup, equals + 2, stop)
                if at >= stop and equals > name and markup[name] == ord("=") and markup[name + 1] == ord('"'):
                    equals = name  # no name, then
                    at = _next_quote(markup, equals + 2, stop)
                if at >= stop:  # the value does not end, and no further one will
                    break
                spans[0, count], spans[1, count], spans[2, count] = row, name, equals
                spans[3, count], spans[4, count] = equals + 2, at
                count += 1
                at += 1
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _equals_sign(
    markup: cython.const[cython.uchar][::1], name: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Where the `="` behind the name that starts here stands; 0 where there is none."""
    at: cython.Py_ssize_t = name
    if at < stop and markup[at] == ord("="):
        at += 1
    while at < stop and markup[at] != ord("=") and markup[at] != ord(" "):
        at += 1
    if at + 1 < stop and markup[at] == ord("=") and markup[at + 1] == ord('"'):
        return at
    if name + 1 < stop and markup[name] == ord("=") and markup[name + 1] == ord('"'):
        return name
    return 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _next_quote(
    markup: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    word: cython.ulonglong
    while at + 8 <= stop:  # less a quote in each, a byte is 0 that borrows and had no bit at its top
        word = _word(markup, at) ^ _QUOTES
        if ((word - _ONES) & ~word & _TOPS) != 0:
            break
        at += 8
    while at < stop and markup[at] != ord('"'):
        at += 1
    return at


def number_spans(
    data: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    code: cython.int[::1],
    first: cython.int[::1],
) -> int:
    """Number the distinct contents of spans in the order of their first occurrence; how many there are.

    code[k] is the number of span k, first[c] the first span with number c.  `slots` is room for a hash table, its
    length a power of two above that of the spans.  `secret` is an odd number that pages do not know, so that none is
    made to fill one slot.
    """
    k: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    mask: cython.Py_ssize_t = len(slots) - 1
    size: cython.Py_ssize_t = len(data)
    count: cython.int = 0
    if not len(start) == len(stop) == len(code) == len(first) <= mask or mask & len(slots):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for slot in range(len(slots)):
            slots[slot] = -1
        for k in range(len(start)):
            if not 0 <= start[k] <= stop[k] <= size:
                code[k] = 0
                continue
            slot = _hash(data, start[k], stop[k], secret) & mask
            while slots[slot] >= 0 and not _same_bytes(
                data, start[first[slots[slot]]], stop[first[slots[slot]]], start[k], stop[k]
            ):
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot] = count
                first[count] = k
                count += 1
            code[k] = slots[slot]
    return count


def index_attributes(
    markup: cython.const[cython.uchar][::1],
    spans: cython.const[cython.int][:, ::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    code: cython.int[::1],
    ordered: cython.int[:, ::1],
    bounds: cython.int[:, ::1],
    names: cython.uchar[::1],
) -> int:
    """Write attributes (`find_attributes`), as many as `code` has places, by their names, those of one name in document
    order; how many bytes of `names` are written: each distinct name, in the order of their first occurrence, and a
    space behind it.

    The attributes of name n are the columns of `ordered` from bounds[0, n] to bounds[0, n + 1]: the row, start and stop
    of the value, and the number of what stands in it among the values of the name.  Of these there are bounds[1, n];
    where the one with number c stands first is told, start and stop, by the last two rows at column bounds[0, n] + c.
    `slots` is room for a hash table, its length a power of two above their number.  `secret` is an odd number that
    pages do not know, so that none is made to fill one slot.
    """
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    at: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    here: cython.Py_ssize_t
    known: cython.int = 0
    count: cython.Py_ssize_t = len(code)
    used: cython.Py_ssize_t = 0
    mask: cython.Py_ssize_t = len(slots) - 1
    size: cython.Py_ssize_t = len(markup)
    if not count == ordered.shape[1] <= min(spans.shape[1], mask) or mask & len(slots):
        raise ValueError("columns have not the lengths they need")
    if spans.shape[0] < 5 or ordered.shape[0] < 6 or bounds.shape[0] < 2 or bounds.shape[1] < count + 2:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for c in range(count + 2):
            bounds[0, c] = 0
        for slot in range(len(slots)):
            slots[slot] = -1
        for k in range(count):  # which name; ordered[4] and ordered[5] are where each stands first
            code[k] = -1
            if not (0 <= spans[1, k] <= spans[2, k] <= size and 0 <= spans[3, k] <= spans[4, k] <= size):
                continue
            slot = _hash(markup, spans[1, k], spans[2, k], secret) & mask
            while slots[slot] >= 0 and not _same_bytes(
                markup, ordered[4, slots[slot]], ordered[5, slots[slot]], spans[1, k], spans[2, k]
            ):
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot] = known
                ordered[4, known] = spans[1, k]
                ordered[5, known] = spans[2, k]
                known += 1
            code[k] = slots[slot]
            bounds[0, code[k] + 2] += 1
        for c in range(known):
            if used + ordered[5, c] - ordered[4, c] >= len(names):
                break
            for at in range(ordered[4, c], ordered[5, c]):
                names[used] = markup[at]
                used += 1
            names[used] = ord(" ")
            used += 1
        for c in range(2, known + 2):
            bounds[0, c] += bounds[0, c - 1]
        for k in range(count):  # bounds[c + 1] is where the next of name c goes, and in the end where they end
            if code[k] >= 0:
                at = bounds[0, code[k] + 1]
                bounds[0, code[k] + 1] += 1
                ordered[0, at], ordered[1, at], ordered[2, at] = spans[0, k], spans[3, k], spans[4, k]
        for slot in range(len(slots)):
            slots[slot] = -1
        for c in range(known):
            here = bounds[0, c]
            bounds[1, c] = 0
            for k in range(here, bounds[0, c + 1]):
                slot = (_hash(markup, ordered[1, k], ordered[2, k], secret) + c) & mask
                while slots[slot] >= 0 and (
                    slots[slot] < here
                    or not _same_bytes(
                        markup, ordered[4, slots[slot]], ordered[5, slots[slot]], ordered[1, k], ordered[2, k]
                    )
                ):
                    slot = (slot + 1) & mask
                if slots[slot] < 0:
                    slots[slot] = here + bounds[1, c]
                    ordered[4, slots[slot]] = ordered[1, k]
                    ordered[5, slots[slot]] = ordered[2, k]
                    bounds[1, c] += 1
                ordered[3, k] = slots[slot] - here
    return used


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _hash(
    data: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, stop: cython.Py_ssize_t, secret: cython.ulonglong
) -> cython.Py_ssize_t:
    """A number for the bytes from one place to another, which both lie in the data.  A product carries upwards only, so
    its upper half is brought down each time; two more rounds bring the last byte down to where slots are told."""
    value: cython.ulonglong = secret
    rest: cython.int
    while at + 8 <= stop:
        value = ((value ^ _word(data, at)) * secret) & _ALL_BITS
        value ^= value >> 32
        at += 8
    rest = cython.cast(cython.int, stop - at)
    if rest > 0:
        value = ((value ^ _bytes_of_word(data, at, rest)) * secret) & _ALL_BITS
        value ^= value >> 32
    value = ((value ^ rest) * secret) & _ALL_BITS
    return cython.cast(cython.Py_ssize_t, value >> 32)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _word(data: cython.const[cython.uchar][::1], at: cython.Py_ssize_t) -> cython.ulonglong:
    """Eight bytes as a number, which a compiler reads as one."""
    low: cython.uint = data[at] | data[at + 1] << 8 | data[at + 2] << 16 | cython.cast(cython.uint, data[at + 3]) << 24
    high: cython.uint = (
        data[at + 4] | data[at + 5] << 8 | data[at + 6] << 16 | cython.cast(cython.uint, data[at + 7]) << 24
    )
    return low | cython.cast(cython.ulonglong, high) << 32


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _bytes_of_word(data: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, count: cython.int) -> cython.ulonglong:
    """The same of one to seven bytes, with nothing behind them."""
    value: cython.ulonglong = 0
    if at + 8 <= len(data):
        return _word(data, at) & ((cython.cast(cython.ulonglong, 1) << 8 * count) - 1)
    while count > 0:
        count -= 1
        value = value << 8 | data[at + count]
    return value


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _same_bytes(
    data: cython.const[cython.uchar][::1],
    one: cython.Py_ssize_t,
    one_stop: cython.Py_ssize_t,
    other: cython.Py_ssize_t,
    other_stop: cython.Py_ssize_t,
) -> cython.bint:
    if one_stop - one != other_stop - other:
        return False
    while one + 8 <= one_stop:
        if _word(data, one) != _word(data, other):
            return False
        one += 8
        other += 8
    while one < one_stop:
        if data[one] != data[other]:
            return False
        one += 1
        other += 1
    return True


def spans_with(
    data: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    part: cython.const[cython.uchar][::1],
    number: cython.int[::1],
) -> int:
    """Write the numbers of the spans that hold a part, in capitals or not; how many there are.  The part is in small
    letters."""
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(data)
    if not len(start) == len(stop) == len(number) or len(part) == 0:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(len(start)):
            for at in range(max(start[k], 0), min(stop[k], size) - len(part) + 1):
                if _small(data[at]) == part[0] and _stands_at(data, at, part):
                    number[count] = k
                    count += 1
                    break
    return count


def mark_spans(
    data: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    letter: cython.const[cython.uchar][::1],
    table: cython.const[cython.ushort][:, ::1],
    marks: cython.const[cython.ulonglong][::1],
    marked: cython.ulonglong[::1],
) -> int:
    """Write for each span the bits of all states that its bytes lead to; their union.  From a state, the byte leads to
    table[state, letter[byte]], or to the first state; `marks` are the bits of the states."""
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    state: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(data)
    bits: cython.ulonglong
    union: cython.ulonglong = 0
    if not len(start) == len(stop) == len(marked) or len(letter) < 256 or not 0 < table.shape[0] == len(marks):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(len(start)):
            state = 0
            bits = 0
            for at in range(max(start[k], 0), min(stop[k], size)):
                state = table[state, letter[data[at]]] if letter[data[at]] < table.shape[1] else 0
                if state >= len(marks):
                    state = 0
                bits |= marks[state]
            marked[k] = bits
            union |= bits
    return union


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _small(byte: cython.int) -> cython.int:
    return byte + 32 if ord("A") <= byte <= ord("Z") else byte


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _stands_at(
    data: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, part: cython.const[cython.uchar][::1]
) -> cython.bint:
    k: cython.Py_ssize_t = 0
    while k < len(part) and _small(data[at + k]) == part[k]:
        k += 1
    return k == len(part)

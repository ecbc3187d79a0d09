"""The loop that unpacks a gzip member in one step (RFC 1951): nearly twice as fast as zlib does in pieces.

It gives up where anything is unusual: what cannot be decoded, input that ends, output that has no room.  Whoever calls
it goes on with zlib then, from the start of the member, so what it takes is no more than what zlib takes.

Bits are taken from a word that is filled up to 56 bits or more, eight bytes at a time.  A table has for the next 11
bits (10 for distances) what they begin with: the length of a code and what it stands for.  Codes that are longer, which
are rare, are decoded bit by bit from the number of codes of each length (`_long`).

Compiled (see thresher.kernels), bounds are not checked: each step makes sure that its input and its room suffice.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["inflate"]

_BROKEN = cython.declare(cython.Py_ssize_t, -1)
_NO_INPUT = cython.declare(cython.Py_ssize_t, -2)
_NO_ROOM = cython.declare(cython.Py_ssize_t, -3)

_WORD = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_WORD_BYTES = cython.declare(cython.Py_ssize_t, 8)
_STEP_ROOM = cython.declare(cython.Py_ssize_t, 300)  # bytes: literals, the longest match, and a word beyond it
_MAX_BITS = cython.declare(cython.Py_ssize_t, 15)  # of a code

# An entry of a table: five bits for the length of the code, four for the bits that follow it, two for its kind, and
# from the 16th on its value.
_EXTRA_AT = cython.declare(cython.uint, 5)
_KIND_AT = cython.declare(cython.uint, 9)
_VALUE_AT = cython.declare(cython.uint, 16)
_KINDS = cython.declare(cython.uint, 3 << 9)
_LITERAL = cython.declare(cython.uint, 1 << 9)
_COPY = cython.declare(cython.uint, 2 << 9)  # a length or a distance
_END = cython.declare(cython.uint, 3 << 9)
_LONGER = cython.declare(cython.uint, 1 << 16)  # without a kind: the code is longer than the table knows; 0: no code

# Places in `work`: the two tables, the lengths of all codes, and for both their number by length and their symbols.
_TABLE_BITS = cython.declare(cython.Py_ssize_t, 11)
_DISTANCE_BITS = cython.declare(cython.Py_ssize_t, 10)
_TABLE_MASK = cython.declare(cython.ulonglong, (1 << 11) - 1)
_DISTANCE_MASK = cython.declare(cython.ulonglong, (1 << 10) - 1)
_DISTANCES = cython.declare(cython.Py_ssize_t, 2048)
_LENGTHS = cython.declare(cython.Py_ssize_t, 3072)
_CODES = cython.declare(cython.Py_ssize_t, 3392)  # 16 numbers by length, then up to 288 symbols
_DISTANCE_CODES = cython.declare(cython.Py_ssize_t, 3696)
_NEXT_CODES = cython.declare(cython.Py_ssize_t, 4000)
_WORK = cython.declare(cython.Py_ssize_t, 4032)

_SYMBOLS = cython.declare(cython.Py_ssize_t, 288)
_MAX_SYMBOLS = cython.declare(cython.Py_ssize_t, 286)
_MAX_DISTANCES = cython.declare(cython.Py_ssize_t, 30)
_PRE_SYMBOLS = cython.declare(cython.Py_ssize_t, 19)
_PRE_BITS = cython.declare(cython.Py_ssize_t, 7)
_PRE_MASK = cython.declare(cython.ulonglong, (1 << 7) - 1)

# What a symbol stands for.
_OF_PRE = cython.declare(cython.Py_ssize_t, 0)
_OF_TEXT = cython.declare(cython.Py_ssize_t, 1)
_OF_DISTANCE = cython.declare(cython.Py_ssize_t, 2)


def inflate(
    data: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    out: cython.uchar[::1],
    work: cython.uint[::1],
    end: cython.longlong[::1],
) -> int:
    """Unpack what begins at a place of `data` into `out`: the number of bytes, or -1 for what cannot be decoded, -2
    when the input ends, -3 when `out` has no room.

    `end` gets the place behind it.  `data` has to go on for 16 bytes there, of which gzip's checksum is half; `out`
    needs 300 bytes more than it gets.  `work` is 4,032 numbers.
    """
    count: cython.Py_ssize_t
    if start < 0 or len(work) < _WORK or not len(end):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        count = _inflate(data, start, out, work, end)
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _inflate(
    data: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    out: cython.uchar[::1],
    work: cython.uint[::1],
    end: cython.longlong[::1],
) -> cython.Py_ssize_t:
    count: cython.Py_ssize_t = 0  # bytes written
    size: cython.Py_ssize_t = len(data)
    hold: cython.ulonglong = 0
    bits: cython.Py_ssize_t = 0
    header: cython.Py_ssize_t
    entry: cython.uint
    length: cython.Py_ssize_t
    distance: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    room: cython.Py_ssize_t = len(out) - _STEP_ROOM
    while True:
        if at + _WORD_BYTES > size:
            return _NO_INPUT
        hold = (hold | (_word(data, at) << bits)) & _WORD
        at += (63 - bits) >> 3
        bits |= 56
        header = hold & 7
        hold >>= 3
        bits -= 3
        if header >> 1 == 0:
            at -= bits >> 3  # to the byte behind
            hold, bits = 0, 0
            if at + 4 > size:
                return _NO_INPUT
            length = data[at] | (data[at + 1] << 8)
            if length != ((data[at + 2] | (data[at + 3] << 8)) ^ 0xFFFF):
                return _BROKEN
            at += 4
            if at + length > size:
                return _NO_INPUT
            if count + length > room:
                return _NO_ROOM
            for stop in range(length):
                out[count + stop] = data[at + stop]
            at += length
            count += length
            if header & 1:
                break
            continue
        if header >> 1 == 1:
            _fix_codes(work)
        elif header >> 1 == 2:
            at -= bits >> 3
            bits &= 7
            at = _read_codes(data, at, hold & 0x7F, bits, work)
            if at < 0:
                return at
            bits = at & 7
            at >>= 3
            hold = 0
            if bits:
                hold = data[at] >> bits
                bits = 8 - bits
                at += 1
        else:
            return _BROKEN
        while True:
            if count > room:
                return _NO_ROOM
            if at + _WORD_BYTES > size:
                return _NO_INPUT
            hold = (hold | (_word(data, at) << bits)) & _WORD
            at += (63 - bits) >> 3
            bits |= 56
            entry = work[hold & _TABLE_MASK]
            if entry & _KINDS == _LITERAL:
                out[count] = entry >> _VALUE_AT
                count += 1
                hold >>= entry & 31
                bits -= entry & 31
                entry = work[hold & _TABLE_MASK]
                if entry & _KINDS == _LITERAL:
                    out[count] = entry >> _VALUE_AT
                    count += 1
                    hold >>= entry & 31
                    bits -= entry & 31
                    entry = work[hold & _TABLE_MASK]
                    if entry & _KINDS == _LITERAL:
                        out[count] = entry >> _VALUE_AT
                        count += 1
                        hold >>= entry & 31
                        bits -= entry & 31
                        continue
                if at + _WORD_BYTES > size:
                    return _NO_INPUT
                hold = (hold | (_word(data, at) << bits)) & _WORD
                at += (63 - bits) >> 3
                bits |= 56
            if not entry & _KINDS:
                entry = _long(hold, work, _CODES, _OF_TEXT) if entry else 0
                if not entry & _KINDS:
                    return _BROKEN
            hold >>= entry & 31
            bits -= entry & 31
            if entry & _KINDS == _LITERAL:
                out[count] = entry >> _VALUE_AT
                count += 1
                continue
            if entry & _KINDS == _END:
                break
            length = (entry >> _EXTRA_AT) & 15
            stop = length
            length = (entry >> _VALUE_AT) + (hold & ((1 << length) - 1))
            hold >>= stop
            bits -= stop
            entry = work[_DISTANCES + cython.cast(cython.Py_ssize_t, hold & _DISTANCE_MASK)]
            if not entry & _KINDS:
                entry = _long(hold, work, _DISTANCE_CODES, _OF_DISTANCE) if entry else 0
                if not entry & _KINDS:
                    return _BROKEN
            hold >>= entry & 31
            bits -= entry & 31
            stop = (entry >> _EXTRA_AT) & 15
            distance = (entry >> _VALUE_AT) + (hold & ((1 << stop) - 1))
            hold >>= stop
            bits -= stop
            if distance > count:
                return _BROKEN
            _copy(out, count, distance, count + length)
            count += length
        if header & 1:
            break
    end[0] = at - (bits >> 3)
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _word(data: cython.const[cython.uchar][::1], at: cython.Py_ssize_t) -> cython.ulonglong:
    """Eight bytes as a number, the first of them the lowest."""
    bytes_: cython.pointer(cython.const[cython.uchar])
    if not cython.compiled:
        return int.from_bytes(data[at : at + 8], "little")
    bytes_ = cython.address(data[at])  # of one address compilers make one access
    return (
        cython.cast(cython.ulonglong, bytes_[0])
        | (cython.cast(cython.ulonglong, bytes_[1]) << 8)
        | (cython.cast(cython.ulonglong, bytes_[2]) << 16)
        | (cython.cast(cython.ulonglong, bytes_[3]) << 24)
        | (cython.cast(cython.ulonglong, bytes_[4]) << 32)
        | (cython.cast(cython.ulonglong, bytes_[5]) << 40)
        | (cython.cast(cython.ulonglong, bytes_[6]) << 48)
        | (cython.cast(cython.ulonglong, bytes_[7]) << 56)
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _copy(
    out: cython.uchar[::1], at: cython.Py_ssize_t, distance: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.void:
    """Repeat what stands so many bytes before, up to `stop` and perhaps seven bytes beyond."""
    word: cython.ulonglong
    if distance < _WORD_BYTES:
        while at < stop:
            out[at] = out[at - distance]
            at += 1
        return
    while at < stop:
        word = _word(out, at - distance)
        out[at] = word & 0xFF
        out[at + 1] = (word >> 8) & 0xFF
        out[at + 2] = (word >> 16) & 0xFF
        out[at + 3] = (word >> 24) & 0xFF
        out[at + 4] = (word >> 32) & 0xFF
        out[at + 5] = (word >> 40) & 0xFF
        out[at + 6] = (word >> 48) & 0xFF
        out[at + 7] = (word >> 56) & 0xFF
        at += _WORD_BYTES


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _read_codes(
    data: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    first: cython.ulonglong,
    first_bits: cython.Py_ssize_t,
    work: cython.uint[::1],
) -> cython.Py_ssize_t:
    """Fill the tables from the head of a block, of which some bits have been taken from the byte before; the place
    behind it in bits, or what is wrong."""
    hold: cython.ulonglong = first
    bits: cython.Py_ssize_t = first_bits
    symbols: cython.Py_ssize_t
    distances: cython.Py_ssize_t
    codes: cython.Py_ssize_t
    place: cython.Py_ssize_t
    entry: cython.uint
    symbol: cython.uint
    times: cython.Py_ssize_t
    value: cython.uint
    # At most 14 bits, 19 times 3, and 316 times 14: never without a look at what is left.
    if at + 2 * _WORD_BYTES > len(data):
        return _NO_INPUT
    hold |= _word(data, at) << bits
    hold &= _WORD
    at += (63 - bits) >> 3
    bits |= 56
    symbols = 257 + (hold & 31)
    distances = 1 + ((hold >> 5) & 31)
    codes = 4 + ((hold >> 10) & 15)
    hold >>= 14
    bits -= 14
    if symbols > _MAX_SYMBOLS or distances > _MAX_DISTANCES:
        return _BROKEN
    for place in range(_PRE_SYMBOLS):
        work[_LENGTHS + place] = 0
    for place in range(codes):
        if bits < 3:
            hold |= _word(data, at) << bits
            hold &= _WORD
            at += (63 - bits) >> 3
            bits |= 56
        work[_LENGTHS + _pre_place(place)] = hold & 7
        hold >>= 3
        bits -= 3
    if not _make_table(work, _LENGTHS, _PRE_SYMBOLS, 0, _PRE_BITS, _CODES, _OF_PRE):
        return _BROKEN
    place = 0
    while place < symbols + distances:
        if at + _WORD_BYTES > len(data):
            return _NO_INPUT
        hold |= _word(data, at) << bits
        hold &= _WORD
        at += (63 - bits) >> 3
        bits |= 56
        entry = work[hold & _PRE_MASK]
        if not entry & _KINDS:
            return _BROKEN
        hold >>= entry & 31
        bits -= entry & 31
        symbol = entry >> _VALUE_AT
        if symbol < 16:
            work[_LENGTHS + place] = symbol
            place += 1
            continue
        value = 0
        if symbol == 16:
            if not place:
                return _BROKEN
            value = work[_LENGTHS + place - 1]
            times = 3 + (hold & 3)
            hold >>= 2
            bits -= 2
        elif symbol == 17:
            times = 3 + (hold & 7)
            hold >>= 3
            bits -= 3
        else:
            times = 11 + (hold & 127)
            hold >>= 7
            bits -= 7
        if place + times > symbols + distances:
            return _BROKEN
        while times:
            work[_LENGTHS + place] = value
            place += 1
            times -= 1
    if not work[_LENGTHS + 256]:  # no end of the block
        return _BROKEN
    if not _make_table(work, _LENGTHS, symbols, 0, _TABLE_BITS, _CODES, _OF_TEXT):
        return _BROKEN
    if not _make_table(work, _LENGTHS + symbols, distances, _DISTANCES, _DISTANCE_BITS, _DISTANCE_CODES, _OF_DISTANCE):
        return _BROKEN
    return 8 * at - bits


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _pre_place(place: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The symbol whose length stands at this place: 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1 15."""
    if place < 3:
        return 16 + place
    if place == 3:
        return 0
    return 8 + ((place - 4) >> 1) if place % 2 == 0 else 7 - ((place - 5) >> 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _fix_codes(work: cython.uint[::1]) -> cython.void:
    """Fill the tables with the codes that blocks without a head of their own have."""
    symbol: cython.Py_ssize_t
    for symbol in range(_SYMBOLS):
        work[_LENGTHS + symbol] = 8 if symbol < 144 else 9 if symbol < 256 else 7 if symbol < 280 else 8
    _make_table(work, _LENGTHS, _SYMBOLS, 0, _TABLE_BITS, _CODES, _OF_TEXT)
    for symbol in range(32):
        work[_LENGTHS + symbol] = 5
    _make_table(work, _LENGTHS, 32, _DISTANCES, _DISTANCE_BITS, _DISTANCE_CODES, _OF_DISTANCE)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _make_table(
    work: cython.uint[::1],
    lengths: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    table: cython.Py_ssize_t,
    table_bits: cython.Py_ssize_t,
    codes: cython.Py_ssize_t,
    kind: cython.Py_ssize_t,
) -> cython.bint:
    """Fill a table from the lengths of its codes; whether these are a code: all of it used, and nothing twice."""
    symbol: cython.Py_ssize_t
    length: cython.Py_ssize_t
    code: cython.Py_ssize_t
    place: cython.Py_ssize_t
    used: cython.Py_ssize_t = 0
    longest: cython.Py_ssize_t = 0
    entry: cython.uint
    for length in range(_MAX_BITS + 1):
        work[codes + length] = 0
    for symbol in range(count):
        work[codes + (work[lengths + symbol] & 15)] += 1
    work[codes] = 0
    code = 0
    place = codes + 16
    for length in range(1, _MAX_BITS + 1):
        work[_NEXT_CODES + length] = code  # the first code of this length
        work[_NEXT_CODES + 16 + length] = place  # and where its symbol is noted
        code += work[codes + length]
        place += work[codes + length]
        code <<= 1
        used += work[codes + length] << (_MAX_BITS - length)
        if work[codes + length]:
            longest = length
    if used > 1 << _MAX_BITS or (used < 1 << _MAX_BITS and (kind != _OF_DISTANCE or longest > 1)):
        return False
    if used < 1 << _MAX_BITS:
        for place in range(1 << table_bits):
            work[table + place] = 0
    for symbol in range(count):
        length = work[lengths + symbol] & 15
        if not length:
            continue
        work[work[_NEXT_CODES + 16 + length]] = symbol
        work[_NEXT_CODES + 16 + length] += 1
        code = _reversed(work[_NEXT_CODES + length], length)
        work[_NEXT_CODES + length] += 1
        if length > table_bits:
            work[table + (code & ((1 << table_bits) - 1))] = _LONGER
            continue
        entry = _entry(symbol, length, kind)
        while code < 1 << table_bits:
            work[table + code] = entry
            code += 1 << length
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _reversed(code: cython.uint, length: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The bits of a code in the order in which they come."""
    code = ((code & 0x5555) << 1) | ((code >> 1) & 0x5555)
    code = ((code & 0x3333) << 2) | ((code >> 2) & 0x3333)
    code = ((code & 0x0F0F) << 4) | ((code >> 4) & 0x0F0F)
    code = ((code & 0x00FF) << 8) | ((code >> 8) & 0x00FF)
    return code >> (16 - length)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _entry(symbol: cython.Py_ssize_t, length: cython.Py_ssize_t, kind: cython.Py_ssize_t) -> cython.uint:
    """What a table has for a symbol; 0 for those that are none."""
    extra: cython.Py_ssize_t = 0
    base: cython.Py_ssize_t
    if kind == _OF_DISTANCE:
        if symbol >= _MAX_DISTANCES:
            return 0
        base = 1 + symbol
        if symbol >= 4:
            extra = (symbol >> 1) - 1
            base = 1 + ((2 + (symbol & 1)) << extra)
        return _COPY | (base << _VALUE_AT) | (extra << _EXTRA_AT) | length
    if kind == _OF_PRE or symbol < 256:
        return _LITERAL | (symbol << _VALUE_AT) | length
    if symbol == 256:
        return _END | length
    if symbol >= _MAX_SYMBOLS:
        return 0
    symbol -= 257
    base = 3 + symbol
    if symbol == 28:
        base = 258
    elif symbol >= 8:
        extra = (symbol >> 2) - 1
        base = 3 + ((4 + (symbol & 3)) << extra)
    return _COPY | (base << _VALUE_AT) | (extra << _EXTRA_AT) | length


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _long(
    hold: cython.ulonglong, work: cython.const[cython.uint][::1], codes: cython.Py_ssize_t, kind: cython.Py_ssize_t
) -> cython.uint:
    """The entry of a code that is longer than the table knows; 0 for none.  Codes of one length are consecutive."""
    code: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t = codes + 16
    length: cython.Py_ssize_t
    number: cython.Py_ssize_t
    for length in range(1, _MAX_BITS + 1):
        code |= hold & 1
        hold >>= 1
        number = work[codes + length]
        if code - first < number:
            return _entry(work[place + code - first], length, kind)
        place += number
        first = (first + number) << 1
        code <<= 1
    return 0

"""The tokeniser of style sheets: one pass over their bytes.

Strings, comments and addresses without quotes, `url(…)`, are passed over, and so is what a backslash escapes.  Of the
rest only `{ } ; :` matter: they bound statements.  A statement is a declaration if a colon stands in it and it ends
with `;` or `}`, a block if it ends with `{`, and an at-rule if it begins with `@`.

Of the declarations those of known properties are kept, with what their first bytes tell (`may_hide`), and those of
variables.  A page's own sheets can be a megabyte of rules of which a handful matters: nothing else is read here.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return, misc"

from __future__ import annotations

import numpy as np

from thresher.page.types import Ints

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = [
    "CONDITIONAL",
    "FADES",
    "FAR",
    "FRACTIONS",
    "IMPORTANT",
    "IMPORTING",
    "MAY_HIDE",
    "MINUS",
    "SCOPED",
    "VARIABLE",
    "Properties",
    "Tokeniser",
    "may_hide",
    "name_hash",
]

# What kind of value hides, by property: with a minus sign anywhere, with a fraction, by fading, in the hundreds.
MINUS, FRACTIONS, FADES, FAR = 1, 2, 4, 8
_MINUS = cython.declare(cython.int, 1)
_FRACTIONS = cython.declare(cython.int, 2)
_FADES = cython.declare(cython.int, 4)
_FAR = cython.declare(cython.int, 8)
# What a sheet has beside rules: `@scope`, `@import`, `if(`.
SCOPED, IMPORTING, CONDITIONAL = 1, 2, 4
_SCOPED = cython.declare(cython.int, 1)
_IMPORTING = cython.declare(cython.int, 2)
_CONDITIONAL = cython.declare(cython.int, 4)
# What the bytes of a declaration tell: it may hide, may be important, uses a variable.
MAY_HIDE, IMPORTANT, VARIABLE = 1, 2, 4
_MAY_HIDE = cython.declare(cython.int, 1)
_IMPORTANT = cython.declare(cython.int, 2)
_VARIABLE = cython.declare(cython.int, 4)

_MAX_TRAILING_BLANKS = cython.declare(cython.int, 3)  # cut off after a declaration
_MINUS_SEARCH_BYTES = cython.declare(cython.int, 16)  # of a value in which a minus sign is looked for
_SLOTS = 1024
_SLOT_MASK = cython.declare(cython.uint, 1023)
_HASH_START = cython.declare(cython.uint, 2166136261)
_HASH_FACTOR = cython.declare(cython.uint, 16777619)
_HASH_MASK = cython.declare(cython.uint, 0xFFFFFFFF)  # uncompiled, integers have no end

_IS_MARK = bytes(byte in b"{};:\"'/\\(" for byte in range(256))
_IS_MARK_OF_ATTRIBUTE = bytes(byte in b";:\"'/(" for byte in range(256))
_IN_NAME = bytes(byte >= 128 or chr(byte).isalnum() or chr(byte) in "-_\\" for byte in range(256))


@cython.cclass
class Properties:
    """The names of the properties that are read, and which of their values may hide."""

    shortest: cython.Py_ssize_t  # bytes of a name
    slots: cython.const[cython.int][::1]
    hashes: cython.const[cython.uint][::1]
    lengths: cython.const[cython.uint][::1]
    first: cython.const[cython.uchar][::1]
    kinds: cython.const[cython.uchar][::1]

    def __init__(
        self,
        names: tuple[bytes, ...],
        first: dict[bytes, bytes] | None = None,
        kind: dict[bytes, int] | None = None,
    ) -> None:
        """`first` are the bytes with which a value may begin that hides, `kind` what else such a value may be."""
        self.shortest = min(map(len, names))
        hashes, slots = list(map(name_hash, names)), [-1] * _SLOTS
        lengths = np.zeros(256, np.uint32)  # by the first byte, a bit for each length that a name may have
        table = np.zeros((len(names), 256), np.uint8)
        for number, name in enumerate(names):
            slot = hashes[number] % _SLOTS
            while slots[slot] >= 0:
                slot = (slot + 1) % _SLOTS
            slots[slot] = number
            lengths[name[0] | 0x20] |= np.uint32(1 << min(len(name), 31))
            starts = (first or {}).get(name, b"")
            starts += b"ve" if starts else b""  # of var() and env() anything may come
            table[number, np.frombuffer(starts + starts.upper(), np.uint8)] = 1
        self.slots, self.hashes = np.array(slots, np.int32).data, np.array(hashes, np.uint32).data
        self.lengths, self.first = lengths.data, table.tobytes()
        self.kinds = bytes((kind or {}).get(name, 0) for name in names)


def name_hash(name: bytes) -> int:
    """The number by which a name is looked up, ASCII letters in any case."""
    code: cython.uint = _HASH_START
    byte: cython.uint
    for byte in name:
        code = _mixed(code, byte)
    return code


def may_hide(value: bytes, name: int, properties: Properties) -> bool:
    """Whether the value of a property can hide, told from its first bytes.

    Of numbers pass only 0, 0.0…, .0…, 1px, 1%, 100% and 1000…, of opacities those below a half, of margins those with a
    minus sign, of sides those of three digits.  A variable (`var(--x)`) may.
    """
    kind: cython.int = properties.kinds[name]
    start: bytes = value[:4].ljust(4, b"\0")
    if not properties.first[256 * name + start[0]] or not _may_hide(kind, start[0], start[1], start[2], start[3]):
        return False
    return not kind & MINUS or len(value) > _MINUS_SEARCH_BYTES or b"-" in value


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _mixed(code: cython.uint, byte: cython.uint) -> cython.uint:
    if 65 <= byte <= 90:
        byte = byte | 0x20
    return ((code ^ byte) * _HASH_FACTOR) & _HASH_MASK


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _may_hide(kind: cython.int, one: cython.int, two: cython.int, three: cython.int, four: cython.int) -> cython.bint:
    """Whether a number may be small or large enough to hide; all that is no number may."""
    if kind & _MINUS:
        return True
    if kind & _FAR and 0x30 <= one <= 0x39:
        return 0x30 <= two <= 0x39 and 0x30 <= three <= 0x39
    if one == 0x2E:
        return two == 0x30 or kind & _FRACTIONS != 0 or (kind & _FADES != 0 and two < 0x35)
    if one == 0x30 and two == 0x2E:
        return three == 0x30 or kind & _FRACTIONS != 0 or (kind & _FADES != 0 and three < 0x35)
    if one == 0x31 and two | 0x20 != 0x70 and two != 0x25:
        if two == 0x20 or (two == 0x30 and three == 0x30 and (four == 0x30 or four == 0x25)):
            return True
        if four | 0x20 == 0x76 or four == 0x25:  # 100vw, 150%
            return True
        return kind & _FADES != 0 and three == 0x25
    return True


@cython.cclass
class Tokeniser:
    """Sheets, read one after the other into columns."""

    text: cython.const[cython.uchar][::1]
    is_mark: cython.const[cython.uchar][::1]
    in_name: cython.const[cython.uchar][::1]
    properties: Properties
    is_attribute: cython.bint  # whether style attributes are read, not sheets
    features: cython.int  # what the sheets have beside rules
    blocks: cython.int[:, ::1]
    declared: cython.int[:, ::1]
    defined: cython.int[:, ::1]
    statements: cython.int[:, ::1]
    columns: list[Ints]
    block_count: cython.Py_ssize_t
    declared_count: cython.Py_ssize_t
    defined_count: cython.Py_ssize_t
    statement_count: cython.Py_ssize_t

    def __init__(self, text: bytes, properties: Properties) -> None:
        """The text is that of all sheets, or of style attributes, each with a semicolon at its end, and a NUL."""
        self.text, self.in_name, self.properties = text, _IN_NAME, properties
        self.block_count = self.declared_count = self.defined_count = self.statement_count = 0
        self.features = 0

    def read(self, sizes: list[int]) -> tuple[list[Ints], int]:
        """The columns of blocks, declarations, definitions and statements of sheets of these sizes, and what these have
        beside rules."""
        # The shortest of each are `{`, `top:;`, `--:;` and `@;`; memory that is not written to costs nothing.
        size: cython.Py_ssize_t = len(self.text)
        shortest: cython.Py_ssize_t = self.properties.shortest + 2
        lengths = (4, size + 1), (6, size // shortest + 1), (6, size // 4 + 1), (4, size // 2 + 1)
        columns = [np.empty(length, np.int32) for length in lengths]
        self.blocks, self.declared = columns[0].data, columns[1].data
        self.defined, self.statements = columns[2].data, columns[3].data
        self.is_mark, self.is_attribute = _IS_MARK, False
        self._read(sizes)
        counts = (self.block_count, self.declared_count, self.defined_count, self.statement_count)
        return [table[:, :count].copy() for table, count in zip(columns, counts, strict=True)], self.features

    def read_attributes(self, sizes: list[int]) -> Ints:
        """The columns of the declarations of style attributes of these sizes; the block of each is the attribute."""
        size: cython.Py_ssize_t = len(self.text)
        shortest: cython.Py_ssize_t = self.properties.shortest + 2
        columns = np.empty((6, size // shortest + 1), np.int32)
        self.declared = columns.data
        self.is_mark, self.is_attribute = _IS_MARK_OF_ATTRIBUTE, True
        self._read(sizes)
        return columns[:, : self.declared_count]

    @cython.cfunc
    def _read(self, sizes: list[int]) -> cython.void:
        start: cython.Py_ssize_t = 0
        stop: cython.Py_ssize_t
        number: cython.int
        for number, size in enumerate(sizes):
            stop = start + size
            assert self.text[stop - 1] == 0x3B
            assert stop < len(self.text)
            with cython.nogil:
                self._read_sheet(start, stop, number if self.is_attribute else -1)
            start = stop

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _read_sheet(self, start: cython.Py_ssize_t, stop: cython.Py_ssize_t, block: cython.int) -> cython.void:
        """Read a sheet, or the style attribute that `block` is."""
        at: cython.Py_ssize_t = start
        end: cython.Py_ssize_t = stop - 1  # what is left open ends before the last semicolon
        colon: cython.Py_ssize_t = -1
        after: cython.Py_ssize_t = start  # behind the last mark
        prelude: cython.Py_ssize_t = start  # behind the last mark that is no stray brace
        depth: cython.int = 0
        byte: cython.int
        text: cython.const[cython.uchar][::1] = self.text
        is_mark: cython.const[cython.uchar][::1] = self.is_mark
        while at < stop:
            while not is_mark[text[at]]:  # up to the semicolon at the end
                at += 1
            byte = text[at]
            if byte == 0x3A:
                if colon < 0:
                    colon = at
                at += 1
            elif byte == 0x28:
                if at >= start + 2 and text[at - 1] == 0x66 and text[at - 2] == 0x69:
                    self.features |= _CONDITIONAL
                at = self._after_bracket(at, start, end)
            elif byte == 0x2F:
                at = self._after_comment(at, end) if at + 1 < end and text[at + 1] == 0x2A else at + 1
            elif byte == 0x22 or byte == 0x27:
                at = self._after_string(at, end)
            elif byte == 0x5C:
                at += 2 if at + 1 < end else 1
            else:
                self._end_statement(after, colon, at, block)
                at += 1
                after = at
                colon = -1
                if byte == 0x7B:
                    depth += 1
                    block = self._open_block(at - 1, prelude, block, depth)
                elif byte == 0x7D:
                    if block < 0:
                        continue  # a stray brace stays in the prelude, and spoils it
                    depth -= 1
                    block = self.blocks[2, block]
                prelude = at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _open_block(
        self, brace: cython.Py_ssize_t, prelude: cython.Py_ssize_t, parent: cython.int, depth: cython.int
    ) -> cython.int:
        number: cython.Py_ssize_t = self.block_count
        self.block_count += 1
        self.blocks[0, number] = brace
        self.blocks[1, number] = prelude
        self.blocks[2, number] = parent
        self.blocks[3, number] = depth
        return number

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _end_statement(
        self, start: cython.Py_ssize_t, colon: cython.Py_ssize_t, stop: cython.Py_ssize_t, block: cython.int
    ) -> cython.void:
        """Enter an at-rule, or a declaration in a block, that ends at a brace or semicolon."""
        begin: cython.Py_ssize_t = self._solid(start, stop)
        opens: cython.bint = self.text[stop] == 0x7B
        number: cython.Py_ssize_t = self.statement_count
        if self.is_attribute:
            if colon >= 0:
                self._declare(start, begin, colon, stop, block)
        elif self.text[begin] == 0x40:
            self.statement_count += 1
            if self.text[begin + 1] == 0x69 and self.text[begin + 2] == 0x6D:
                self.features |= _IMPORTING
            elif self.text[begin + 1] == 0x73 and self.text[begin + 2] == 0x63:
                self.features |= _SCOPED
            self.statements[0, number] = begin
            self.statements[1, number] = stop
            self.statements[2, number] = block
            self.statements[3, number] = self.block_count if opens else -1
        elif colon >= 0 and block >= 0 and not opens:
            if self.text[begin] == 0x2D and self.text[begin + 1] == 0x2D:
                self._define(begin, colon, stop, block)
            else:
                self._declare(start, begin, colon, stop, block)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _define(
        self, begin: cython.Py_ssize_t, colon: cython.Py_ssize_t, stop: cython.Py_ssize_t, block: cython.int
    ) -> cython.void:
        """Enter the definition of a variable."""
        number: cython.Py_ssize_t = self.defined_count
        last: cython.Py_ssize_t = self._trimmed(colon)
        self.defined_count += 1
        self.defined[0, number] = block
        self.defined[1, number] = self._hash(begin, last) & 0x7FFFFFFF
        self.defined[2, number] = begin
        self.defined[3, number] = self._solid(colon + 1, stop)
        self.defined[4, number] = self._trimmed(stop)
        self.defined[5, number] = last

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _declare(
        self,
        start: cython.Py_ssize_t,
        begin: cython.Py_ssize_t,
        colon: cython.Py_ssize_t,
        stop: cython.Py_ssize_t,
        block: cython.int,
    ) -> cython.void:
        """Enter a declaration whose name begins at `begin`, if it is one of a known property."""
        name: cython.int = self._property(begin, colon)
        number: cython.Py_ssize_t = self.declared_count
        value: cython.Py_ssize_t
        if name < 0:
            return
        value = self._solid(colon + 1, stop)
        stop = self._trimmed(stop)
        self.declared_count += 1
        self.declared[0, number] = block
        self.declared[1, number] = name
        self.declared[2, number] = start
        self.declared[3, number] = value
        self.declared[4, number] = stop
        self.declared[5, number] = self._flags(name, value, stop)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _property(self, at: cython.Py_ssize_t, colon: cython.Py_ssize_t) -> cython.int:
        """The number of the property whose name begins at `at` and stands before a colon; -1 for another."""
        last: cython.Py_ssize_t = at
        code: cython.uint
        slot: cython.uint
        while last < colon and self.in_name[self.text[last]]:
            last += 1
        if not self.properties.lengths[self.text[at] | 0x20] >> (last - at if last - at < 31 else 31) & 1:
            return -1
        if last < colon and self._solid(last, colon) != colon:
            return -1
        code = self._hash(at, last)
        slot = code & _SLOT_MASK
        while self.properties.slots[slot] >= 0:
            if self.properties.hashes[self.properties.slots[slot]] == code:
                return self.properties.slots[slot]
            slot = (slot + 1) & _SLOT_MASK
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hash(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.uint:
        code: cython.uint = _HASH_START
        byte: cython.uint
        while at < stop:
            byte = self.text[at]
            if 65 <= byte <= 90:
                byte = byte | 0x20
            code = ((code ^ byte) * 16777619) & _HASH_MASK
            at += 1
        return code

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _flags(self, name: cython.int, value: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.int:
        """What the bytes of a declaration tell: MAY_HIDE, IMPORTANT, VARIABLE."""
        flags: cython.int = _MAY_HIDE if self._may_hide(name, value, stop) else 0
        if self.is_attribute:
            return flags
        if self._may_be_important(value, stop):
            flags |= _IMPORTANT
        while value + 3 < stop:
            if (
                self.text[value] == 0x76
                and self.text[value + 1] == 0x61
                and self.text[value + 2] == 0x72
                and self.text[value + 3] == 0x28
            ):
                return flags | _VARIABLE
            value += 1
        return flags

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _may_hide(self, name: cython.int, value: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
        kind: cython.int = self.properties.kinds[name]
        one: cython.int = self.text[value] if value < stop else 0
        two: cython.int = self.text[value + 1] if value + 1 < stop else 0
        three: cython.int = self.text[value + 2] if value + 2 < stop else 0
        four: cython.int = self.text[value + 3] if value + 3 < stop else 0
        if not self.properties.first[256 * name + one]:
            return False
        if self.is_attribute:  # of which there are few, and in company
            return True
        if not _may_hide(kind, one, two, three, four):
            return False
        if kind & _MINUS and stop - value <= _MINUS_SEARCH_BYTES:
            while value < stop and self.text[value] != 0x2D:
                value += 1
            return value < stop
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _may_be_important(self, value: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
        """Whether a value ends with `mportant`, or with more white space than was cut off."""
        return self.text[stop - 1] <= 32 or (
            stop - value >= 8
            and self.text[stop - 1] | 0x20 == 0x74
            and self.text[stop - 2] | 0x20 == 0x6E
            and self.text[stop - 3] | 0x20 == 0x61
            and self.text[stop - 4] | 0x20 == 0x74
            and self.text[stop - 5] | 0x20 == 0x72
            and self.text[stop - 6] | 0x20 == 0x6F
            and self.text[stop - 7] | 0x20 == 0x70
            and self.text[stop - 8] | 0x20 == 0x6D
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _solid(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The first byte from `at` on that is neither white space nor in a comment, or `stop`."""
        while at < stop:
            if self.text[at] <= 32:
                at += 1
            elif self.text[at] == 0x2F and at + 1 < stop and self.text[at + 1] == 0x2A:
                at = self._after_comment(at, stop)
            else:
                break
        return at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _trimmed(self, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where a piece of text ends without the white space behind it, or some of it."""
        left: cython.int = _MAX_TRAILING_BLANKS
        while left and self.text[stop - 1] <= 32:
            stop -= 1
            left -= 1
        return stop

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _after_comment(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the comment that begins at `at` ends; one left open at `stop`."""
        at += 2
        while at + 1 < stop:
            if self.text[at] == 0x2A and self.text[at + 1] == 0x2F:
                return at + 2
            at += 1
        return stop

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _after_string(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the string that begins at `at` ends: behind its quote or, as in CSS, with its line."""
        quote: cython.int = self.text[at]
        at += 1
        while at < stop:
            if self.text[at] == 0x5C:
                at += 1
            elif self.text[at] == quote:
                return at + 1
            elif self.text[at] == 10:
                return at
            at += 1
        return stop

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _after_bracket(
        self, at: cython.Py_ssize_t, start: cython.Py_ssize_t, stop: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Where an address without quotes ends whose bracket is at `at`; right behind the bracket if it is none."""
        first: cython.Py_ssize_t = at + 1
        if (
            at < start + 3
            or self.text[at - 1] | 0x20 != 0x6C
            or self.text[at - 2] | 0x20 != 0x72
            or self.text[at - 3] | 0x20 != 0x75
            or (at > start + 3 and self.in_name[self.text[at - 4]])
        ):
            return at + 1
        while first < stop and self.text[first] <= 32:
            first += 1
        if first < stop and (self.text[first] == 0x22 or self.text[first] == 0x27):
            return at + 1
        at += 1
        while at < stop and self.text[at] != 0x29:
            at += 2 if self.text[at] == 0x5C else 1
        return at if at < stop else stop

"""Selectors, read from their bytes into a table, with nothing known of a page.

A selector is made of compounds with combinators between them, a compound of parts: a tag, a class, an id, or a
condition that is more than a name (`[href]`, `:not(.x)`, `:root`).  The table has three kinds of columns, each with as
many entries as there are of its kind and one more behind them:

    parts      START and STOP in the text, with its sign; SIGN
    selectors  FIRST, its first part; LAST, the first part of its last compound; COMPOUNDS, its first compound;
               BLOCK, the rule that it stands before; BEGIN and END in the text
    compounds  PARTS, its first part; COMBINATOR, the byte before it, 0 before the first
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = [
    "BEGIN", "BLOCK", "COLUMNS", "COMBINATOR", "COMPOUNDS", "CONDITION", "END", "FIRST", "LAST", "MAX_PRELUDE_BYTES",
    "NONE", "OTHER", "OUTER", "PARTS", "PLAIN", "SIGN", "START", "STOP", "UNSURE", "read_preludes", "read_selectors",
]  # fmt: skip

START, STOP, SIGN, FIRST, LAST, COMPOUNDS, BLOCK, BEGIN, END, PARTS, COMBINATOR = range(11)
COLUMNS = 11
# Kinds of lists: read nothing; tags, classes and ids alone; others; where the end of a selector is not certain
NONE, PLAIN, OTHER, UNSURE = range(4)
# Signs of parts beside those of classes and ids, and 0 of tags
CONDITION, OUTER = 0x3A, 0x26  # more than a name; `&`, the rule around, whose number is START
MAX_COMPOUNDS = 31  # of a selector; one with more is a condition as a whole
MAX_PRELUDE_BYTES = 20_000  # of the selectors before a block; longer ones choose nothing

_START = cython.declare(cython.int, START)
_STOP = cython.declare(cython.int, STOP)
_SIGN = cython.declare(cython.int, SIGN)
_FIRST = cython.declare(cython.int, FIRST)
_LAST = cython.declare(cython.int, LAST)
_COMPOUNDS = cython.declare(cython.int, COMPOUNDS)
_BLOCK = cython.declare(cython.int, BLOCK)
_BEGIN = cython.declare(cython.int, BEGIN)
_END = cython.declare(cython.int, END)
_PARTS = cython.declare(cython.int, PARTS)
_COMBINATOR_BYTE = cython.declare(cython.int, COMBINATOR)
_PLAIN = cython.declare(cython.int, PLAIN)
_OTHER = cython.declare(cython.int, OTHER)
_UNSURE = cython.declare(cython.int, UNSURE)
_CONDITION = cython.declare(cython.int, CONDITION)
_OUTER = cython.declare(cython.int, OUTER)
_TAG = cython.declare(cython.int, 0)
_MAX_COMPOUNDS = cython.declare(cython.int, MAX_COMPOUNDS)
_MAX_PRELUDE_BYTES = cython.declare(cython.int, MAX_PRELUDE_BYTES)

# Kinds of bytes in a selector
_NAME = cython.declare(cython.int, 1)
_BLANK = cython.declare(cython.int, 2)
_COMBINATOR = cython.declare(cython.int, 3)
_KINDS: dict[str, int] = {**dict.fromkeys(" \t\n\r\x0b\x0c", 2), **dict.fromkeys(">+~", 3)}
_KIND_OF = bytes(
    _KINDS.get(chr(byte), int(byte >= 128 or chr(byte).isalnum() or chr(byte) in "-_")) for byte in range(256)
)


@cython.cclass
class _Reader:
    """A text and the table that its selectors go into."""

    text: cython.const[cython.uchar][::1]
    kind_of: cython.const[cython.uchar][::1]
    table: cython.int[:, ::1]
    parts: cython.Py_ssize_t
    selectors: cython.Py_ssize_t
    compounds: cython.Py_ssize_t
    is_plain: cython.bint  # whether all parts since this was set are names

    def __init__(self, text: bytes, table: memoryview) -> None:
        self.text = text
        self.kind_of = _KIND_OF
        self.table = table
        self.parts = self.selectors = self.compounds = 0
        self.is_plain = True

    def counts(self) -> tuple[int, int, int]:
        """How many selectors, compounds and parts there are; what they end with is written."""
        self.table[_FIRST, self.selectors] = self.parts
        self.table[_COMPOUNDS, self.selectors] = self.compounds
        self.table[_PARTS, self.compounds] = self.parts
        return self.selectors, self.compounds, self.parts

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_part(self, start: cython.Py_ssize_t, stop: cython.Py_ssize_t, sign: cython.int) -> cython.void:
        self.table[_START, self.parts] = start
        self.table[_STOP, self.parts] = stop
        self.table[_SIGN, self.parts] = sign
        self.parts += 1
        if sign in (_CONDITION, _OUTER):
            self.is_plain = False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_compound(self, combinator: cython.int) -> cython.void:
        self.table[_PARTS, self.compounds] = self.parts
        self.table[_COMBINATOR_BYTE, self.compounds] = combinator
        self.compounds += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def after_blanks(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        while at < stop and self.kind_of[self.text[at]] == _BLANK:
            at += 1
        return at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def after_comments(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Behind the white space and the comments at the beginning of a prelude."""
        while at < stop and (self.text[at] <= 32 or (self.text[at] == 0x2F and self.text[at + 1] == 0x2A)):
            if self.text[at] == 0x2F:
                at += 2
                while at < stop and (self.text[at] != 0x2A or self.text[at + 1] != 0x2F):
                    at += 1
                at += 1
            at += 1
        return at if at < stop else stop

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_scope(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
        """Whether an at-rule is `@scope`."""
        return stop - at > 2 and self.text[at + 1] | 0x20 == 0x73 and self.text[at + 2] | 0x20 == 0x63

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def selector_end(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the comma stands behind a selector, or the list ends; -1 where that is not certain."""
        byte: cython.int
        while at < stop:
            byte = self.text[at]
            if byte == 0x2C:
                return at
            if byte == 0x28 or byte == 0x5B:
                at = self.after_brackets(at, stop)
                if at < 0:
                    return -1
            elif byte == 0x5C:
                at += 2
            elif byte == 0x22 or byte == 0x27 or byte == 0x2F:
                return -1
            else:
                at += 1
        return stop

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def after_brackets(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the brackets end that open at `at`; -1 where escapes, or one that does not close, leave it open."""
        depth: cython.int = 0
        byte: cython.int
        while at < stop:
            byte = self.text[at]
            at += 1
            if byte == 0x28 or byte == 0x5B:
                depth += 1
            elif byte == 0x29 or byte == 0x5D:
                depth -= 1
                if depth == 0:
                    return at
            elif byte == 0x5C:
                return -1
            elif byte == 0x22 or byte == 0x27:
                while at < stop and self.text[at] != byte:
                    if self.text[at] == 0x5C:
                        return -1
                    at += 1
                at += 1
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_(
        self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t, block: cython.Py_ssize_t, around: cython.int
    ) -> cython.int:
        """The selectors before a block, which may stand in a rule; the kind of the list.  One that is not certain is
        not read."""
        selectors: cython.Py_ssize_t = self.selectors
        compounds: cython.Py_ssize_t = self.compounds
        parts: cython.Py_ssize_t = self.parts
        comma: cython.Py_ssize_t
        last: cython.Py_ssize_t
        self.is_plain = True
        while at <= stop:
            comma = self.selector_end(at, stop)
            last = comma
            while last > at and self.text[last - 1] <= 32:
                last -= 1
            while at < last and self.text[at] <= 32:
                at += 1
            if comma < 0 or at >= last or self.text[at] == 0x40 or not self.selector(at, last, block, around):
                self.selectors, self.compounds, self.parts = selectors, compounds, parts
                return _UNSURE
            at = comma + 1
        return _PLAIN if self.is_plain else _OTHER

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def selector(
        self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t, block: cython.Py_ssize_t, around: cython.int
    ) -> cython.bint:
        """A selector, without white space around it; whether it could be read.

        One outside of rules that is not made of parts becomes a condition as a whole."""
        parts: cython.Py_ssize_t = self.parts
        compounds: cython.Py_ssize_t = self.compounds
        begin: cython.Py_ssize_t = at
        combinator: cython.int = 0
        last: cython.Py_ssize_t
        if around >= 0 and not self.has_ampersand(at, stop):  # `.a { .b {} }` is `& .b`
            self.add_compound(0)
            self.add_part(around, around, _OUTER)
            combinator = 0x20
            if self.kind_of[self.text[at]] == _COMBINATOR:
                combinator = self.text[at]
                at = self.after_blanks(at + 1, stop)
        while True:
            last = self.parts
            self.add_compound(combinator)
            at = self.compound(at, stop, around)
            if self.compounds - compounds > _MAX_COMPOUNDS:
                at = -1
            if at < 0 or at == stop:
                break
            combinator = 0x20
            at = self.after_blanks(at, stop)
            if at < stop and self.kind_of[self.text[at]] == _COMBINATOR:
                combinator = self.text[at]
                at = self.after_blanks(at + 1, stop)
        if at < 0:
            self.parts, self.compounds = parts, compounds
            if around >= 0:
                return False
            last = parts
            self.add_compound(0)
            self.add_part(begin, stop, _CONDITION)
        self.table[_FIRST, self.selectors] = parts
        self.table[_LAST, self.selectors] = last
        self.table[_COMPOUNDS, self.selectors] = compounds
        self.table[_BLOCK, self.selectors] = block
        self.table[_BEGIN, self.selectors] = begin
        self.table[_END, self.selectors] = stop
        self.selectors += 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def has_ampersand(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
        while at < stop:
            if self.text[at] == 0x26:
                return True
            at += 1
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def compound(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t, around: cython.int) -> cython.Py_ssize_t:
        """Where the compound ends that begins at `at`; -1 if it is none."""
        begin: cython.Py_ssize_t = at
        start: cython.Py_ssize_t
        byte: cython.int
        if at < stop and self.text[at] == 0x2A:
            at += 1
        elif at < stop and self.kind_of[self.text[at]] == _NAME:
            byte = self.text[at] | 0x20
            if not 97 <= byte <= 122:
                return -1
            while at < stop and self.kind_of[self.text[at]] == _NAME:
                if self.text[at] >= 128:
                    return -1
                at += 1
            self.add_part(begin, at, _TAG)
        while at < stop:
            start = at
            byte = self.text[at]
            if byte == 0x2E or byte == 0x23:
                at = self.name_end(at + 1, stop)
            elif byte == 0x26 and around >= 0:
                self.add_part(around, around, _OUTER)
                at += 1
                continue
            elif byte == 0x5B:
                at = self.after_brackets(at, stop)
                byte = _CONDITION
            elif byte == 0x3A:
                at += 1
                while at < stop and self.kind_of[self.text[at]] == _NAME:
                    at += 1
                if at < stop and self.text[at] == 0x28:
                    at = self.after_brackets(at, stop)
            else:
                break
            if at < 0 or (byte == _CONDITION and around >= 0 and self.has_ampersand(start, at)):
                return -1
            self.add_part(start, at, byte)
        if at == begin:
            return -1
        if at < stop and self.kind_of[self.text[at]] != _BLANK and self.kind_of[self.text[at]] != _COMBINATOR:
            return -1
        return at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def name_end(self, start: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the name of a class or id ends; -1 if it is none."""
        at: cython.Py_ssize_t = start
        while at < stop:
            if self.text[at] == 0x5C:
                at = self.after_escape(at + 1, stop)
                if at < 0:
                    return -1
            elif self.kind_of[self.text[at]] == _NAME:
                at += 1
            else:
                break
        if start < at and self.text[start] == 0x2D:
            start += 1
        return at if start < at and not 48 <= self.text[start] <= 57 else -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def after_escape(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the escape ends whose backslash stands before `at`; -1 if it is none."""
        digits: cython.int = 0
        byte: cython.int
        while at < stop and digits < 6:
            byte = self.text[at]
            if not (48 <= byte <= 57 or 97 <= byte | 0x20 <= 102):
                break
            at += 1
            digits += 1
        if digits:
            byte = self.text[at] if at < stop else 0
            return at + 1 if byte == 32 or byte == 9 or byte == 10 or byte == 12 or byte == 13 else at
        if at >= stop or self.text[at] == 10 or self.text[at] == 12 or self.text[at] == 13:
            return -1
        return at + 1


def read_preludes(
    text: bytes,
    prelude: cython.const[cython.int][::1],
    opens: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    around: cython.int[::1],
    kinds: cython.uchar[::1],
    bounds: cython.int[:, ::1],
    is_free: cython.uchar[::1],
    table: memoryview,
) -> tuple[int, int, int]:
    """Read the selectors before those blocks whose kinds are not NONE, which become the kinds of their lists; how many
    selectors, compounds and parts there are.  The table must have room for all of these bytes, one more for each
    block, and one.

    `around` becomes the rule that each block stands in, or -1; at-rules between them do not count, but for `@scope`.
    The selectors before block b are those from bounds[0, b] up to bounds[1, b]; `is_free` where nothing in them can
    make a browser drop them: lists of names are valid, and a selector by itself spoils no other."""
    reader = _Reader(text, table)
    block: cython.Py_ssize_t
    up: cython.Py_ssize_t
    start: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(text)
    count: cython.Py_ssize_t = prelude.shape[0]
    if not count == opens.shape[0] == parent.shape[0] == around.shape[0] == kinds.shape[0] == is_free.shape[0]:
        raise ValueError("columns have not the lengths they need")
    if bounds.shape[0] != 2 or bounds.shape[1] != count:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for block in range(prelude.shape[0]):
            up = parent[block]
            around[block] = -1
            is_free[block] = 0
            bounds[0, block] = bounds[1, block] = reader.selectors
            if up >= block or prelude[block] < 0 or opens[block] < prelude[block] or opens[block] >= size:
                kinds[block] = _UNSURE
                continue
            if up >= 0:
                start = reader.after_comments(prelude[up], opens[up])
                around[block] = up
                if reader.text[start] == 0x40 and not reader.is_scope(start, opens[up]):
                    around[block] = around[up]
            if kinds[block]:
                kinds[block] = _UNSURE
                if opens[block] - prelude[block] <= _MAX_PRELUDE_BYTES:
                    start = reader.after_comments(prelude[block], opens[block])
                    kinds[block] = reader.list_(start, opens[block], block, around[block])
                    bounds[1, block] = reader.selectors
                is_free[block] = kinds[block] == _PLAIN or (
                    kinds[block] == _OTHER and around[block] < 0 and bounds[1, block] - bounds[0, block] < 2
                )
    return reader.counts()


def read_selectors(
    text: bytes,
    begin: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    block: cython.const[cython.int][::1],
    table: memoryview,
    counts: tuple[int, int, int] = (0, 0, 0),
) -> tuple[int, int, int]:
    """Read selectors that stand for themselves, behind those that the table has."""
    reader = _Reader(text, table)
    reader.selectors, reader.compounds, reader.parts = counts
    at: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(text)
    if not begin.shape[0] == end.shape[0] == block.shape[0]:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for at in range(begin.shape[0]):
            if 0 <= begin[at] <= end[at] <= size:
                reader.selector(begin[at], end[at], block[at], -1)
    return reader.counts()

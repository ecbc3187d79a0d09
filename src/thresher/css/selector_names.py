"""The names that selectors ask for: their bytes read into a table of spans, with nothing known of the page.

The table has three kinds of columns, each with as many entries as there are of its kind:

    names      START and STOP in the text, SIGN; NUMBER is for the page to fill in
    selectors  FIRST, its first name; LAST_COMPOUND, the first name of its last compound; HAS_ALL is for the page;
               BLOCK, the rule that it stands before; BEGIN and END in the text; KIND, whether it is plain;
               FIRST_COMPOUND, its first compound
    compounds  COMPOUND, its first name; COMBINATOR, the byte before it, 0 before the first; one more behind the last of
               a selector
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = [
    "BEGIN", "BLOCK", "COLUMNS", "COMBINATOR", "COMPOUND", "END", "FIRST", "FIRST_COMPOUND", "HAS_ALL", "KIND",
    "LAST_COMPOUND", "MAX_PRELUDE_BYTES", "NUMBER", "OTHER", "PLAIN", "SIGN", "SPECIAL", "START", "STOP", "UNSURE",
    "read_lists", "read_plain", "read_preludes", "read_selector",
]  # fmt: skip

START, STOP, SIGN, NUMBER, FIRST, LAST_COMPOUND, HAS_ALL, BLOCK, BEGIN, END, COMPOUND, COMBINATOR = range(12)
KIND, FIRST_COMPOUND = 12, 13
COLUMNS = 14
PLAIN, OTHER, UNSURE = range(3)  # kinds of selectors, and of lists: plain, some other, or the end of one is not certain
SPECIAL = b"([\\&/\"'"  # brackets, escapes, strings, comments, what stands for an outer selector
MAX_PRELUDE_BYTES = 20_000  # of the selectors before a block; longer ones choose nothing

_START = cython.declare(cython.int, START)
_STOP = cython.declare(cython.int, STOP)
_SIGN = cython.declare(cython.int, SIGN)
_FIRST = cython.declare(cython.int, FIRST)
_LAST_COMPOUND = cython.declare(cython.int, LAST_COMPOUND)
_BLOCK = cython.declare(cython.int, BLOCK)
_BEGIN = cython.declare(cython.int, BEGIN)
_END = cython.declare(cython.int, END)
_COMPOUND = cython.declare(cython.int, COMPOUND)
_COMBINATOR_BYTE = cython.declare(cython.int, COMBINATOR)
_KIND = cython.declare(cython.int, KIND)
_FIRST_COMPOUND = cython.declare(cython.int, FIRST_COMPOUND)
_PLAIN_KIND = cython.declare(cython.int, PLAIN)
_OTHER_KIND = cython.declare(cython.int, OTHER)
_UNSURE_KIND = cython.declare(cython.int, UNSURE)
_MAX_PRELUDE_BYTES = cython.declare(cython.int, MAX_PRELUDE_BYTES)

# Kinds of bytes in a selector
_NAME = cython.declare(cython.int, 0)
_BLANK = cython.declare(cython.int, 1)
_MARK = cython.declare(cython.int, 2)  # . # :
_COMBINATOR = cython.declare(cython.int, 3)  # > + ~
_ANY = cython.declare(cython.int, 4)  # *
_COMMA = cython.declare(cython.int, 5)
_SPECIAL = cython.declare(cython.int, 6)
_OTHER = cython.declare(cython.int, 7)  # in no name
_KINDS: dict[str, int] = {
    **dict.fromkeys(" \t\n\r\x0b\x0c", 1),
    **dict.fromkeys(".#:", 2),
    **dict.fromkeys(">+~", 3),
    "*": 4,
    ",": 5,
    **dict.fromkeys(SPECIAL.decode(), 6),
}
_KIND_OF = bytes(
    _KINDS.get(chr(byte), 0 if byte >= 128 or chr(byte).isalnum() or chr(byte) in "-_" else 7) for byte in range(256)
)
_DOT = cython.declare(cython.int, 0x2E)
_HASH_SIGN = cython.declare(cython.int, 0x23)
_COLON = cython.declare(cython.int, 0x3A)
_TAG = cython.declare(cython.int, 0)  # the sign of a tag, which has none


@cython.cclass
class _Reader:
    """A text and the table that its names go into."""

    text: cython.const[cython.uchar][::1]
    kind_of: cython.const[cython.uchar][::1]
    table: cython.int[:, ::1]
    names: cython.Py_ssize_t
    selectors: cython.Py_ssize_t
    compounds: cython.Py_ssize_t

    def __init__(self, text: bytes, table: memoryview) -> None:
        self.text = text
        self.kind_of = _KIND_OF
        self.table = table
        self.names = self.selectors = self.compounds = 0
        self.table[_FIRST_COMPOUND, 0] = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_name(self, start: cython.Py_ssize_t, stop: cython.Py_ssize_t, sign: cython.int) -> cython.void:
        self.table[_START, self.names] = start
        self.table[_STOP, self.names] = stop
        self.table[_SIGN, self.names] = sign
        self.names += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_selector(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, block: cython.Py_ssize_t) -> cython.void:
        self.table[_FIRST, self.selectors] = first
        self.table[_LAST_COMPOUND, self.selectors] = last
        self.table[_BLOCK, self.selectors] = block
        self.selectors += 1
        self.table[_FIRST, self.selectors] = self.names
        self.table[_FIRST_COMPOUND, self.selectors] = self.compounds

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prelude(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t, block: cython.Py_ssize_t) -> cython.void:
        """The selectors before a block; one without names, which may match, where that is not certain."""
        end: cython.Py_ssize_t
        if stop - at > _MAX_PRELUDE_BYTES:
            return
        while at < stop and (self.text[at] <= 32 or (self.text[at] == 0x2F and self.text[at + 1] == 0x2A)):
            if self.text[at] == 0x2F:  # a comment
                at += 2
                while at < stop and (self.text[at] != 0x2A or self.text[at + 1] != 0x2F):
                    at += 1
                at += 1
            at += 1
        if at < stop and self.text[at] == 0x40:
            self.add_selector(self.names, self.names, block)
            return
        while at < stop:
            end = self.selector_end(at, stop)
            if end < 0:
                self.add_selector(self.names, self.names, block)
                return
            self.selector(at, end, block)
            at = end + 1

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
    def selector(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t, block: cython.Py_ssize_t) -> cython.void:
        """Any selector, if it has a compound; of one with escapes, or what else is not certain, what stands before.

        What stands in brackets is passed over.
        """
        first: cython.Py_ssize_t = self.names
        last: cython.Py_ssize_t = first
        begin: cython.Py_ssize_t
        sign: cython.int
        kind: cython.int
        apart: cython.bint = True  # whether a new compound begins
        empty: cython.bint = True
        while at < stop:
            kind = self.kind_of[self.text[at]]
            if kind in (_BLANK, _COMBINATOR):
                apart = True
                at += 1
                continue
            if apart:
                last = self.names
                apart = empty = False
            if kind == _ANY:
                at += 1
                continue
            if kind == _SPECIAL:
                at = self.after_brackets(at, stop) if self.text[at] == 0x28 or self.text[at] == 0x5B else -1
                if at < 0:
                    last = self.names
                    break
                continue
            sign = _TAG
            if kind == _MARK:
                sign = self.text[at]
                at += 1
            begin = at
            while at < stop and (self.kind_of[self.text[at]] == _NAME or self.kind_of[self.text[at]] == _OTHER):
                at += 1
            if at < stop and self.text[at] == 0x28 and sign == _COLON:
                continue  # a function
            if at < stop and self.kind_of[self.text[at]] == _SPECIAL and self.text[at] != 0x5B:
                last = self.names  # the name may go on
                break
            self.add_name(begin, at, sign)
            if kind == _COMMA:  # no selector: a tag without a name, which no page has
                break
        if not empty:
            self.add_selector(first, last, block)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def plain(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t, block: cython.Py_ssize_t) -> cython.bint:
        """A plain selector with its compounds; False if it is none."""
        first: cython.Py_ssize_t = self.names
        compounds: cython.Py_ssize_t = self.compounds
        combinator: cython.int = 0
        self.table[_BEGIN, self.selectors] = at
        self.table[_END, self.selectors] = stop
        self.table[_KIND, self.selectors] = _PLAIN_KIND
        while True:
            self.table[_COMPOUND, self.compounds] = self.names
            self.table[_COMBINATOR_BYTE, self.compounds] = combinator
            self.compounds += 1
            at = self.compound(at, stop)
            if at < 0:
                self.names = first
                self.compounds = compounds
                return False
            if at == stop:
                self.table[_COMPOUND, self.compounds] = self.names
                self.compounds += 1
                self.add_selector(first, first, block)
                return True
            combinator = 0x20
            while at < stop and self.kind_of[self.text[at]] == _BLANK:
                at += 1
            if at < stop and self.kind_of[self.text[at]] == _COMBINATOR:
                combinator = self.text[at]
                at += 1
            while at < stop and self.kind_of[self.text[at]] == _BLANK:
                at += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t, block: cython.Py_ssize_t) -> cython.int:
        """The selectors before a block, of which kind soever; PLAIN where all are, UNSURE where that is not certain."""
        kind: cython.int = _PLAIN_KIND
        comma: cython.Py_ssize_t
        last: cython.Py_ssize_t
        if stop - at > _MAX_PRELUDE_BYTES:
            return _UNSURE_KIND
        while at <= stop:
            comma = self.selector_end(at, stop)
            if comma < 0:
                return _UNSURE_KIND
            last = comma
            while last > at and self.text[last - 1] <= 32:
                last -= 1
            while at < last and self.text[at] <= 32:
                at += 1
            if at == last or self.text[at] == 0x40:
                return _UNSURE_KIND
            if not self.plain(at, last, block):
                kind = _OTHER_KIND
                self.table[_KIND, self.selectors] = _OTHER_KIND
                self.selector(at, last, block)
            at = comma + 1
        return kind

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def compound(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the compound of tag, classes and ids ends that begins at `at`; -1 if it is none."""
        begin: cython.Py_ssize_t = at
        name: cython.Py_ssize_t
        byte: cython.int
        kind: cython.int
        if at < stop and self.kind_of[self.text[at]] == _ANY:
            at += 1
        elif at < stop and self.kind_of[self.text[at]] == _NAME:
            byte = self.text[at] | 0x20
            if not 97 <= byte <= 122:
                return -1
            while at < stop and self.kind_of[self.text[at]] == _NAME:
                if self.text[at] >= 128:
                    return -1
                at += 1
            self.add_name(begin, at, _TAG)
        while at < stop and (self.text[at] == _DOT or self.text[at] == _HASH_SIGN):
            at += 1
            name = at
            while at < stop and self.kind_of[self.text[at]] == _NAME:
                at += 1
            if at == name or (at == name + 1 and self.text[name] == 0x2D):
                return -1
            self.add_name(name, at, self.text[name - 1])
            if self.text[name] == 0x2D:
                name += 1
            if 48 <= self.text[name] <= 57:
                return -1
        if at == begin:
            return -1
        if at < stop:
            kind = self.kind_of[self.text[at]]
            if kind != _BLANK and kind != _COMBINATOR:
                return -1
        return at


def read_preludes(
    text: bytes,
    prelude: cython.const[cython.int][::1],
    opens: cython.const[cython.int][::1],
    blocks: cython.const[cython.int][::1],
    done: cython.Py_ssize_t,
    table: memoryview,
) -> tuple[int, int]:
    """Read what stands before some blocks, from one of them on until the table may be full: how many of the blocks
    are done then, and how many selectors the table has.  It must have room for MAX_PRELUDE_BYTES and three."""
    reader = _Reader(text, table)
    block: cython.Py_ssize_t
    size: cython.Py_ssize_t
    room: cython.Py_ssize_t = reader.table.shape[1]
    with cython.nogil:
        while done < blocks.shape[0]:
            block = blocks[done]
            size = opens[block] - prelude[block] + 3
            if size <= _MAX_PRELUDE_BYTES + 3 and max(reader.names, reader.selectors) + size > room:
                break
            reader.prelude(prelude[block], opens[block], block)
            done += 1
    return done, reader.selectors


def read_selector(text: bytes, table: memoryview) -> int:
    """Read any selector, as far as that is certain; how many the table has: none where it is empty."""
    reader = _Reader(text, table)
    reader.selector(0, len(text), 0)
    return reader.selectors


def read_plain(text: bytes, table: memoryview) -> int:
    """Read a plain selector; how many compounds it has, -1 where it is not plain."""
    reader = _Reader(text, table)
    return reader.compounds - 1 if reader.plain(0, len(text), 0) else -1


def read_lists(
    text: bytes,
    prelude: cython.const[cython.int][::1],
    opens: cython.const[cython.int][::1],
    blocks: cython.const[cython.int][::1],
    done: cython.Py_ssize_t,
    kinds: cython.uchar[::1],
    table: memoryview,
) -> tuple[int, int]:
    """Read the selectors before some blocks, as `read_preludes` does, but plain ones with their compounds; write the
    kinds of their lists.  The table must have room for MAX_PRELUDE_BYTES and four."""
    reader = _Reader(text, table)
    block: cython.Py_ssize_t
    size: cython.Py_ssize_t
    most: cython.Py_ssize_t
    room: cython.Py_ssize_t = reader.table.shape[1]
    with cython.nogil:
        while done < blocks.shape[0]:
            block = blocks[done]
            size = opens[block] - prelude[block] + 4
            most = max(reader.names, reader.compounds, reader.selectors)
            if size <= _MAX_PRELUDE_BYTES + 4 and most + size > room:
                break
            kinds[done] = reader.list_(prelude[block], opens[block], block)
            done += 1
    return done, reader.selectors

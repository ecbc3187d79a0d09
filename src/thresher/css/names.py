"""The tags, classes and ids of a page, numbered, the rows that have each, and the rows that plain selectors match.

A bundled style sheet has thousands of rules for elements the page does not have.  A selector matches nothing if the
page lacks one of its names, and the element that it chooses carries the names of its last compound: so of most rules a
few look-ups in a hash table tell that they do not matter.

A plain selector is made of tags, `*`, classes and ids, set apart by spaces, `>`, `+` and `~`.  Rows are in document
order, so one pass matches it: with bit k of own(i) set where row i satisfies compound k alone, and bit k of m(i) where
compounds 0 to k match and end at i,

    m(i) = own(i) & (1 | m(ancestors) << 1 where compound k follows a space | m(parent) << 1 where it follows `>` | …)
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return, misc"

from __future__ import annotations

import os
from threading import Lock
from typing import Any

import numpy as np

from thresher.css.selector import PLAIN_PSEUDOS
from thresher.css.structure import Structure
from thresher.css.values import distinct, tag_names
from thresher.page.page import Page
from thresher.page.types import Bits, Ints, Rows

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["HAS_ALL", "LACKS_ONE", "NOT_PLAIN", "PageNames"]

# Whether a page has all names of a selector; one that is not plain may ask for what cannot be told here.
LACKS_ONE, HAS_ALL, NOT_PLAIN = range(3)
_LACKS_ONE = cython.declare(cython.int, 0)
_HAS_ALL = cython.declare(cython.int, 1)
_NOT_PLAIN = cython.declare(cython.int, 2)

_MAX_PRELUDE_BYTES = cython.declare(cython.int, 20_000)
_MAX_COMPOUNDS = cython.declare(cython.int, 31)
_ALL_BITS = cython.declare(cython.uint, 0xFFFFFFFF)
_ID = cython.declare(cython.longlong, 1 << 20)  # the weights of a selector's parts
_CLASS = cython.declare(cython.longlong, 1 << 10)
_HASH_FACTOR = cython.declare(cython.uint, 16777619)
_HASH_MASK = cython.declare(cython.uint, 0xFFFFFFFF)  # uncompiled, integers have no end
# A page cannot choose names that share a number, which would make look-ups slow: another start in each process.
_HASH_START = cython.declare(cython.uint, int.from_bytes(os.urandom(4), "little"))

# Kinds of bytes in a selector
_NAME = cython.declare(cython.int, 0)
_BLANK = cython.declare(cython.int, 1)
_SIGN = cython.declare(cython.int, 2)  # . # :
_COMBINATOR = cython.declare(cython.int, 3)  # > + ~
_ANY = cython.declare(cython.int, 4)  # *
_COMMA = cython.declare(cython.int, 5)
_SPECIAL = cython.declare(cython.int, 6)  # brackets, escapes, strings, comments, what stands for an outer selector
_OTHER = cython.declare(cython.int, 7)  # in no name
_KINDS: dict[str, int] = {
    **dict.fromkeys(" \t\n\r\x0b\x0c", 1),
    **dict.fromkeys(".#:", 2),
    **dict.fromkeys(">+~", 3),
    "*": 4,
    ",": 5,
    **dict.fromkeys("([\\&/\"'", 6),
}
_KIND_OF = bytes(
    _KINDS.get(chr(byte), 0 if byte >= 128 or chr(byte).isalnum() or chr(byte) in "-_" else 7) for byte in range(256)
)
_DOT = cython.declare(cython.int, 0x2E)
_HASH_SIGN = cython.declare(cython.int, 0x23)
_COLON = cython.declare(cython.int, 0x3A)
_TAG = cython.declare(cython.int, 0)  # the sign of a tag, which has none
_PSEUDOS = sorted(PLAIN_PSEUDOS)


@cython.cclass
class PageNames:
    """The names of a page: each a tag, `.class`, `#id`, or a `:pseudo`-class that may hold before the user acts."""

    size: cython.Py_ssize_t  # rows of the page
    fold: cython.bint  # whether case does not matter in classes and ids
    count: cython.Py_ssize_t  # of names
    text: cython.const[cython.uchar][::1]  # name k is text[start[k]:stop[k]]
    given: cython.const[cython.uchar][::1]  # the text in which names are looked for
    weight: cython.longlong  # of the selector that is matched
    asking: cython.bint  # whether only some bits are asked, by names
    asked: cython.const[cython.uint][::1]
    kind_of: cython.const[cython.uchar][::1]
    start: cython.int[::1]
    stop: cython.int[::1]
    sign: cython.int[::1]
    code: cython.int[::1]
    slots: cython.int[::1]
    slot_mask: cython.uint
    word_first: cython.int[::1]  # value v has the names word[word_first[v]:word_first[v + 1]]
    word: cython.int[::1]
    classes: cython.Py_ssize_t  # how many values are classes; ids follow, then tags
    ids: cython.Py_ssize_t
    class_row: cython.const[cython.Py_ssize_t][::1]
    class_value: cython.const[cython.Py_ssize_t][::1]
    id_row: cython.const[cython.Py_ssize_t][::1]
    id_value: cython.const[cython.Py_ssize_t][::1]
    tag_value: cython.const[cython.Py_ssize_t][::1]
    parent: cython.const[cython.int][::1]
    row_first: cython.Py_ssize_t[::1]  # name k is on the rows rows[row_first[k]:row_last[k]]
    row_last: cython.Py_ssize_t[::1]
    rows: cython.Py_ssize_t[::1]
    row_array: Any
    lock: Any  # held while `given` is looked at

    def __init__(self, page: Page, fold: bool) -> None:
        classes, ids, (tags, tag) = distinct(page, "class"), distinct(page, "id"), tag_names(page)
        values = [*classes.values, *ids.values, *tags, *_PSEUDOS]
        text = b"\n".join(values)
        first: cython.int[::1] = np.empty(len(values) + 1, np.int32).data
        end: cython.int = 0
        value: cython.Py_ssize_t
        for value in range(len(values)):
            first[value] = end
            end += len(values[value]) + 1
        first[len(values)] = end
        most = len(text) // 2 + len(values) + 1
        slots = 1 << (2 * most).bit_length()
        self.lock = Lock()
        self.asking = False
        self.size = len(page)
        self.fold = fold
        self.text = self.given = text
        self.kind_of = _KIND_OF
        # One array, cut into columns: to hand over each by itself would cost more than to fill them.
        numbers: cython.int[::1] = np.empty(5 * most + slots + len(values) + 1, np.int32).data
        self.start, self.stop, self.word = numbers[:most], numbers[most : 2 * most], numbers[2 * most : 3 * most]
        self.sign, self.code = numbers[3 * most : 4 * most], numbers[4 * most : 5 * most]
        self.slots, self.slot_mask = numbers[5 * most : 5 * most + slots], slots - 1
        self.word_first = numbers[5 * most + slots :]
        self.classes, self.ids = len(classes.values), len(ids.values)
        self.class_row, self.class_value = _places(classes.rows).data, _places(classes.number).data
        self.id_row, self.id_value = _places(ids.rows).data, _places(ids.number).data
        self.tag_value = _places(tag).data
        self.parent = page.parent.data
        self.count = 0
        self._number(first, len(values), len(tags))
        count = np.zeros(self.count + 1, np.intp)
        self.row_first = count.data
        self._count_rows()
        np.cumsum(count, out=count)
        self.row_array = np.empty(int(count[self.count]), np.intp)
        self.rows = self.row_array.data
        self.row_last = count.copy().data
        self._place_rows()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _number(
        self, first: cython.const[cython.int][::1], values: cython.Py_ssize_t, tags: cython.Py_ssize_t
    ) -> cython.void:
        """Number the names of all values: the words of class values, and the others as a whole."""
        value: cython.Py_ssize_t
        at: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        stop: cython.Py_ssize_t
        words: cython.int = 0
        sign: cython.int
        byte: cython.uint
        code: cython.uint
        seed: cython.uint = (_HASH_START ^ _DOT) * _HASH_FACTOR & _HASH_MASK
        fold: cython.bint = self.fold
        text: cython.const[cython.uchar][::1] = self.text
        kind_of: cython.const[cython.uchar][::1] = self.kind_of
        with cython.nogil:
            for at in range(self.slots.shape[0]):
                self.slots[at] = -1
            for value in range(values):
                self.word_first[value] = words
                at = first[value]
                stop = first[value + 1] - 1
                if value >= self.classes:
                    sign = _COLON
                    if value < self.classes + self.ids:
                        sign = _HASH_SIGN
                    elif value < self.classes + self.ids + tags:
                        sign = _TAG
                    self.word[words] = self._enter(at, stop, sign, self._hash(at, stop, sign))
                    words += 1
                    continue
                while at < stop:
                    while at < stop and kind_of[text[at]] == _BLANK:
                        at += 1
                    begin = at
                    code = seed
                    while at < stop and kind_of[text[at]] != _BLANK:
                        byte = text[at]
                        if fold and 65 <= byte <= 90:
                            byte = byte | 0x20
                        code = (code ^ byte) * _HASH_FACTOR & _HASH_MASK
                        at += 1
                    if at > begin:
                        self.word[words] = self._enter(begin, at, _DOT, (code ^ code >> 15) & 0x7FFFFFFF)
                        words += 1
            self.word_first[values] = words

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _enter(
        self, start: cython.Py_ssize_t, stop: cython.Py_ssize_t, sign: cython.int, code: cython.int
    ) -> cython.int:
        """The number of the name self.given[start:stop], a new one if it has none yet."""
        slot: cython.uint = self._slot(start, stop, sign, code)
        name: cython.int = self.slots[slot]
        if name < 0:
            name = self.count
            self.slots[slot] = name
            self.start[name] = start
            self.stop[name] = stop
            self.sign[name] = sign
            self.code[name] = code
            self.count += 1
        return name

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hash(
        self,
        start: cython.Py_ssize_t,
        stop: cython.Py_ssize_t,
        sign: cython.int,
    ) -> cython.int:
        fold: cython.bint = self.fold or sign in (_TAG, _COLON)
        code: cython.uint = (_HASH_START ^ sign) * _HASH_FACTOR & _HASH_MASK
        at: cython.Py_ssize_t
        byte: cython.uint
        for at in range(start, stop):
            byte = self.given[at]
            if fold and 65 <= byte <= 90:
                byte = byte | 0x20
            code = (code ^ byte) * _HASH_FACTOR & _HASH_MASK
        return (code ^ code >> 15) & 0x7FFFFFFF

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _slot(
        self,
        start: cython.Py_ssize_t,
        stop: cython.Py_ssize_t,
        sign: cython.int,
        code: cython.int,
    ) -> cython.uint:
        """The slot that has the name self.given[start:stop], or an empty one."""
        fold: cython.bint = self.fold or sign in (_TAG, _COLON)
        slot: cython.uint = cython.cast(cython.uint, code) & self.slot_mask
        name: cython.int = self.slots[slot]
        size: cython.Py_ssize_t = stop - start
        at: cython.Py_ssize_t
        one: cython.uint
        other: cython.uint
        while name >= 0:
            if self.code[name] == code and self.sign[name] == sign and self.stop[name] - self.start[name] == size:
                at = 0
                while at < size:
                    one, other = self.given[start + at], self.text[self.start[name] + at]
                    if one != other and not (fold and one | 0x20 == other | 0x20 and 97 <= one | 0x20 <= 122):
                        break
                    at += 1
                if at == size:
                    break
            slot = (slot + 1) & self.slot_mask
            name = self.slots[slot]
        return slot

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _find(
        self,
        start: cython.Py_ssize_t,
        stop: cython.Py_ssize_t,
        sign: cython.int,
    ) -> cython.int:
        """The number of a name in some text; -1 where the page lacks it."""
        return self.slots[self._slot(start, stop, sign, self._hash(start, stop, sign))]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _count_rows(self) -> cython.void:
        """Count, one place further on, the rows that have each name; one that has it twice is counted twice."""
        at: cython.Py_ssize_t
        word: cython.Py_ssize_t
        with cython.nogil:
            for at in range(self.class_row.shape[0]):
                for word in range(self.word_first[self.class_value[at]], self.word_first[self.class_value[at] + 1]):
                    self.row_first[self.word[word] + 1] += 1
            for at in range(self.id_row.shape[0]):
                self.row_first[self.word[self.word_first[self.classes + self.id_value[at]]] + 1] += 1
            for at in range(self.size):
                self.row_first[self.word[self.word_first[self.classes + self.ids + self.tag_value[at]]] + 1] += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _place_rows(self) -> cython.void:
        at: cython.Py_ssize_t
        word: cython.Py_ssize_t
        with cython.nogil:
            for at in range(self.class_row.shape[0]):
                for word in range(self.word_first[self.class_value[at]], self.word_first[self.class_value[at] + 1]):
                    self._place(self.word[word], self.class_row[at])
            for at in range(self.id_row.shape[0]):
                self._place(self.word[self.word_first[self.classes + self.id_value[at]]], self.id_row[at])
            for at in range(self.size):
                self._place(self.word[self.word_first[self.classes + self.ids + self.tag_value[at]]], at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _place(self, name: cython.int, row: cython.Py_ssize_t) -> cython.void:
        last: cython.Py_ssize_t = self.row_last[name]
        if last == self.row_first[name] or self.rows[last - 1] != row:
            self.rows[last] = row
            self.row_last[name] = last + 1

    def rows_with(self, sign: bytes, name: bytes) -> Rows:
        """The rows that have a class, an id or a tag, ascending."""
        number: cython.int = -1
        with self.lock:
            self.given = name
            number = self._find(0, len(name), sign[0] if sign else 0)
        if number < 0:
            return _NO_ROWS
        rows: Rows = self.row_array[self.row_first[number] : self.row_last[number]]
        return rows

    def _bits_of_names(self, bits: Bits) -> Bits:
        """For each name the union of the bits of its rows."""
        union = np.zeros(self.count, np.uint32)
        self._unite(bits.data, union.data)
        return union

    @cython.cfunc
    @cython.exceptval(check=False)
    def _unite(self, bits: cython.const[cython.uint][::1], union: cython.uint[::1]) -> cython.void:
        at: cython.Py_ssize_t
        word: cython.Py_ssize_t
        with cython.nogil:
            for at in range(self.class_row.shape[0]):
                if bits[self.class_row[at]]:
                    for word in range(self.word_first[self.class_value[at]], self.word_first[self.class_value[at] + 1]):
                        union[self.word[word]] |= bits[self.class_row[at]]
            for at in range(self.id_row.shape[0]):
                union[self.word[self.word_first[self.classes + self.id_value[at]]]] |= bits[self.id_row[at]]
            for at in range(self.size):
                union[self.word[self.word_first[self.classes + self.ids + self.tag_value[at]]]] |= bits[at]

    def choose(self, structure: Structure, numbers: Ints, wanted: Bits | None, bits: Bits | None) -> Ints:
        """Those of some declarations whose rules may choose a row of the page; where rows have bits, one that shares a
        bit with those wanted for the declaration."""
        blocks = structure.blocks
        chosen = np.empty(len(numbers), np.int32)
        known = np.full(len(blocks.open), -1, np.int64)
        if wanted is None:
            wanted = np.full(len(numbers), 0xFFFFFFFF, np.uint32)
        count: cython.Py_ssize_t = 0
        with self.lock:
            self.given = structure.text
            if bits is not None:
                self.asking, self.asked = True, self._bits_of_names(bits).data
            count = self._choose(
                blocks.prelude.data, blocks.open.data, structure.declared.block.data, numbers.data, wanted.data,
                known.data, chosen.data,
            )  # fmt: skip
            self.asking = False
        return chosen[:count]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _choose(
        self,
        prelude: cython.const[cython.int][::1],
        opens: cython.const[cython.int][::1],
        block: cython.const[cython.int][::1],
        numbers: cython.const[cython.int][::1],
        wanted: cython.const[cython.uint][::1],
        known: cython.longlong[::1],
        chosen: cython.int[::1],
    ) -> cython.Py_ssize_t:
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        one: cython.int
        with cython.nogil:
            for at in range(numbers.shape[0]):
                one = block[numbers[at]]
                if known[one] < 0:
                    known[one] = self._prelude_bits(prelude[one], opens[one])
                if cython.cast(cython.uint, known[one]) & wanted[at]:
                    chosen[count] = numbers[at]
                    count += 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _prelude_bits(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.uint:
        """The bits of the rows that the selectors before a block may choose; all where that is not certain."""
        bits: cython.uint = 0
        end: cython.Py_ssize_t
        if stop - at > _MAX_PRELUDE_BYTES:
            return 0
        while at < stop and (self.given[at] <= 32 or (self.given[at] == 0x2F and self.given[at + 1] == 0x2A)):
            if self.given[at] == 0x2F:  # a comment
                at += 2
                while at < stop and (self.given[at] != 0x2A or self.given[at + 1] != 0x2F):
                    at += 1
                at += 1
            at += 1
        if at < stop and self.given[at] == 0x40:
            return _ALL_BITS
        while at < stop:
            end = self._selector_end(at, stop)
            if end < 0:
                return _ALL_BITS
            bits |= self._selector_bits(at, end)
            at = end + 1
        return bits

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _selector_end(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the comma stands behind a selector, or the list ends; -1 where that is not certain."""
        byte: cython.int
        while at < stop:
            byte = self.given[at]
            if byte == 0x2C:
                return at
            if byte == 0x28 or byte == 0x5B:
                at = self._after_brackets(at, stop)
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
    def _after_brackets(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the brackets end that open at `at`; -1 where escapes, or one that does not close, leave it open."""
        depth: cython.int = 0
        byte: cython.int
        while at < stop:
            byte = self.given[at]
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
                while at < stop and self.given[at] != byte:
                    if self.given[at] == 0x5C:
                        return -1
                    at += 1
                at += 1
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _selector_bits(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.uint:
        """The bits that are asked of all names of the last compound; none where the page lacks a name.

        What stands in brackets is passed over.  Names with escapes, and what else is not certain, may match.
        """
        bits: cython.uint = 0
        begin: cython.Py_ssize_t
        sign: cython.int
        name: cython.int
        kind: cython.int
        apart: cython.bint = True  # whether a new compound begins
        while at < stop:
            kind = self.kind_of[self.given[at]]
            if kind in (_BLANK, _COMBINATOR):
                apart = True
                at += 1
                continue
            if apart:
                bits = _ALL_BITS
                apart = False
            if kind == _ANY:
                at += 1
                continue
            if kind == _SPECIAL:
                at = self._after_special(at, stop)
                if at < 0:
                    return _ALL_BITS
                continue
            sign = _TAG
            if kind == _SIGN:
                sign = self.given[at]
                at += 1
            begin = at
            while at < stop and (self.kind_of[self.given[at]] == _NAME or self.kind_of[self.given[at]] == _OTHER):
                at += 1
            if at < stop and self.given[at] == 0x28 and sign == _COLON:
                continue  # a function
            if at < stop and self.kind_of[self.given[at]] == _SPECIAL and self.given[at] != 0x5B:
                return _ALL_BITS  # the name may go on
            name = self._find(begin, at, sign)
            if name < 0:
                return 0
            if self.asking and sign != _COLON:
                bits &= self.asked[name]
        return bits

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _after_special(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where brackets that open at `at` end; -1 for what is no brackets."""
        if self.given[at] == 0x28 or self.given[at] == 0x5B:
            return self._after_brackets(at, stop)
        return -1

    def may_match(self, selector: bytes) -> int:
        """HAS_ALL, LACKS_ONE or NOT_PLAIN."""
        with self.lock:
            self.given = selector
            if self._selector_bits(0, len(selector)) == 0:
                return LACKS_ONE
            return self._may_match()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _may_match(self) -> cython.int:
        at: cython.Py_ssize_t = 0
        begin: cython.Py_ssize_t
        stop: cython.Py_ssize_t = len(self.given)
        sign: cython.int
        kind: cython.int
        while at < stop:
            kind = self.kind_of[self.given[at]]
            if kind in (_SPECIAL, _COMMA):
                return _NOT_PLAIN
            if kind in (_BLANK, _COMBINATOR, _ANY):
                at += 1
                continue
            sign = _TAG
            if kind == _SIGN:
                sign = self.given[at]
                at += 1
            begin = at
            while at < stop and (self.kind_of[self.given[at]] == _NAME or self.kind_of[self.given[at]] == _OTHER):
                at += 1
            if at < stop and self.kind_of[self.given[at]] == _SPECIAL:
                return _NOT_PLAIN
            if self._find(begin, at, sign) < 0:
                return _LACKS_ONE
        return _HAS_ALL

    def match(self, selector: bytes) -> tuple[Rows, int] | None:
        """The rows that a plain selector matches and how specific it is; None where it is not plain."""
        count: cython.Py_ssize_t = -1
        ended: cython.Py_ssize_t
        stop: cython.Py_ssize_t = len(selector)
        name: cython.int = -1
        if stop == 0:
            return None
        with self.lock:
            self.given = selector
            self.weight = 0
            ended = self._compound_end(0, stop)
            if ended < 0:
                return None
            if ended == stop and self._is_one_name(stop):
                name = self._find_one(stop)
                if name < 0:
                    return _NO_ROWS, self.weight
                return self.row_array[self.row_first[name] : self.row_last[name]], self.weight
            rows = np.empty(self.size, np.intp)
            work = np.zeros((1 if ended == stop else 5, self.size), np.uint32)
            count = self._match(work.data, rows.data)
            return None if count < 0 else (rows[:count].copy(), self.weight)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_one_name(self, stop: cython.Py_ssize_t) -> cython.bint:
        """Whether a compound is a single name."""
        at: cython.Py_ssize_t = 1
        while at < stop and self.kind_of[self.given[at]] == _NAME:
            at += 1
        return at == stop and self.kind_of[self.given[0]] != _ANY

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _find_one(self, stop: cython.Py_ssize_t) -> cython.int:
        """The number of that name, weighed."""
        if self.kind_of[self.given[0]] != _SIGN:
            self.weight = 1
            return self._find(0, stop, _TAG)
        self.weight = _CLASS if self.given[0] == _DOT else _ID
        return self._find(1, stop, self.given[0])

    def plain_selectors(self, text: bytes, start: int, stop: int) -> list[bytes] | None:
        """The selectors of the list text[start:stop] that ask for no name the page lacks; None if one is not plain."""
        selectors = []
        at: cython.Py_ssize_t = start
        end: cython.Py_ssize_t = stop
        comma: cython.Py_ssize_t
        last: cython.Py_ssize_t
        answer: cython.int
        with self.lock:
            self.given = text
            while at <= end:
                comma = at
                while comma < end and self.given[comma] != 0x2C:
                    comma += 1
                last = comma
                while last > at and self.given[last - 1] <= 32:
                    last -= 1
                while at < last and self.given[at] <= 32:
                    at += 1
                answer = self._is_plain(at, last)
                if answer == _NOT_PLAIN:
                    return None
                if answer == _HAS_ALL:
                    selectors.append(text[at:last])
                at = comma + 1
        return selectors

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_plain(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.int:
        """Whether a selector is plain, and the page has all its names."""
        ended: cython.Py_ssize_t
        answer: cython.int = _HAS_ALL
        sign: cython.int
        name: cython.Py_ssize_t
        while True:
            ended = self._compound_end(at, stop)
            if ended < 0:
                return _NOT_PLAIN
            while at < ended and answer == _HAS_ALL:
                if self.kind_of[self.given[at]] == _ANY:
                    at += 1
                    continue
                sign = _TAG
                if self.kind_of[self.given[at]] == _SIGN:
                    sign = self.given[at]
                    at += 1
                name = at
                while at < ended and self.kind_of[self.given[at]] == _NAME:
                    at += 1
                if self._find(name, at, sign) < 0:
                    answer = _LACKS_ONE
            at = ended
            if at == stop:
                return answer
            while at < stop and self.kind_of[self.given[at]] in (_BLANK, _COMBINATOR):
                if self.kind_of[self.given[at]] == _COMBINATOR:
                    at += 1
                    while at < stop and self.kind_of[self.given[at]] == _BLANK:
                        at += 1
                    break
                at += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _match(
        self,
        work: cython.uint[:, ::1],
        rows: cython.Py_ssize_t[::1],
    ) -> cython.Py_ssize_t:
        """How many rows match; -1 where the selector is not plain."""
        at: cython.Py_ssize_t = 0
        stop: cython.Py_ssize_t = len(self.given)
        count: cython.Py_ssize_t = 0
        row: cython.Py_ssize_t
        compounds: cython.int = 0
        combinator: cython.int = 0
        below: cython.uint = 0  # bits of the compounds that follow a space, `>`, `+`, `~`
        children: cython.uint = 0
        following: cython.uint = 0
        later: cython.uint = 0
        ended: cython.Py_ssize_t
        with cython.nogil:
            while True:
                ended = self._compound_end(at, stop)
                if ended < 0 or compounds >= _MAX_COMPOUNDS:
                    return -1
                count = self._compound(at, ended, rows)
                if combinator == 0x20:
                    below |= 1 << compounds
                elif combinator == 0x3E:
                    children |= 1 << compounds
                elif combinator == 0x2B:
                    following |= 1 << compounds
                elif combinator == 0x7E:
                    later |= 1 << compounds
                at = ended
                if at == stop and compounds == 0:
                    return count
                for row in range(count):
                    work[0, rows[row]] |= 1 << compounds
                compounds += 1
                if at == stop:
                    break
                combinator = 0x20
                while at < stop and self.kind_of[self.given[at]] == _BLANK:
                    at += 1
                if at < stop and self.kind_of[self.given[at]] == _COMBINATOR:
                    combinator = self.given[at]
                    at += 1
                while at < stop and self.kind_of[self.given[at]] == _BLANK:
                    at += 1
            if count:
                count = self._walk(work, rows, compounds, below, children, following, later)
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _compound_end(self, at: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where the compound of tag, classes and ids ends that begins at `at`; -1 if it is none."""
        begin: cython.Py_ssize_t = at
        name: cython.Py_ssize_t
        byte: cython.int
        kind: cython.int
        if at < stop and self.kind_of[self.given[at]] == _ANY:
            at += 1
        elif at < stop and self.kind_of[self.given[at]] == _NAME:
            byte = self.given[at] | 0x20
            if not 97 <= byte <= 122:
                return -1
            while at < stop and self.kind_of[self.given[at]] == _NAME:
                if self.given[at] >= 128:
                    return -1
                at += 1
        while at < stop and (self.given[at] == _DOT or self.given[at] == _HASH_SIGN):
            at += 1
            name = at
            while at < stop and self.kind_of[self.given[at]] == _NAME:
                at += 1
            if at == name or (at == name + 1 and self.given[name] == 0x2D):
                return -1
            if self.given[name] == 0x2D:
                name += 1
            if 48 <= self.given[name] <= 57:
                return -1
        if at == begin:
            return -1
        if at < stop:
            kind = self.kind_of[self.given[at]]
            if kind != _BLANK and kind != _COMBINATOR:
                return -1
        return at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _compound(
        self,
        at: cython.Py_ssize_t,
        stop: cython.Py_ssize_t,
        rows: cython.Py_ssize_t[::1],
    ) -> cython.Py_ssize_t:
        """Write the rows that have all names of a compound, and add its weight."""
        count: cython.Py_ssize_t = -1  # all rows
        begin: cython.Py_ssize_t
        row: cython.Py_ssize_t
        sign: cython.int
        while at < stop:
            if self.kind_of[self.given[at]] == _ANY:
                at += 1
                continue
            sign = _TAG
            if self.kind_of[self.given[at]] == _SIGN:
                sign = self.given[at]
                at += 1
            self.weight += _CLASS if sign == _DOT else _ID if sign == _HASH_SIGN else 1
            begin = at
            while at < stop and self.kind_of[self.given[at]] == _NAME:
                at += 1
            count = self._intersect(rows, count, self._find(begin, at, sign))
        if count < 0:
            count = self.size
            for row in range(self.size):
                rows[row] = row
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _intersect(self, rows: cython.Py_ssize_t[::1], count: cython.Py_ssize_t, name: cython.int) -> cython.Py_ssize_t:
        """Keep those of the first rows, of all if `count` is -1, that have a name."""
        at: cython.Py_ssize_t
        last: cython.Py_ssize_t
        kept: cython.Py_ssize_t = 0
        row: cython.Py_ssize_t
        if name < 0:
            return 0
        at = self.row_first[name]
        last = self.row_last[name]
        if count < 0:
            for row in range(last - at):
                rows[row] = self.rows[at + row]
            return last - at
        for row in range(count):
            while at < last and self.rows[at] < rows[row]:
                at += 1
            if at < last and self.rows[at] == rows[row]:
                rows[kept] = rows[row]
                kept += 1
        return kept

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _walk(
        self,
        work: cython.uint[:, ::1],
        rows: cython.Py_ssize_t[::1],
        compounds: cython.int,
        below: cython.uint,
        children: cython.uint,
        following: cython.uint,
        later: cython.uint,
    ) -> cython.Py_ssize_t:
        """Write the rows at which all compounds match.  The work: own, m, and those of ancestors, of the children so
        far and of the last child."""
        row: cython.Py_ssize_t
        up: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        reach: cython.uint
        beside: cython.uint
        for row in range(self.size):
            up = self.parent[row]
            reach = 1
            if up >= 0:
                work[2, row] = work[2, up] | work[1, up]
                reach |= (work[2, row] << 1 & below) | (work[1, up] << 1 & children)
                if following | later:
                    beside = work[4, up]
                    reach |= (beside << 1 & following) | (work[3, up] << 1 & later)
            work[1, row] = work[0, row] & reach
            if up >= 0 and following | later:
                work[4, up] = work[1, row]
                work[3, up] |= work[1, row]
            if work[1, row] >> (compounds - 1) & 1:
                rows[count] = row
                count += 1
        return count


def _places(numbers: Any) -> Rows:
    return np.ascontiguousarray(numbers, np.intp)


_NO_ROWS: Rows = np.zeros(0, np.intp)

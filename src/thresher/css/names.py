"""The tags, classes and ids of a page, numbered, and the rows that have each.

A bundled style sheet has thousands of rules for elements the page does not have.  A selector matches nothing if the
page lacks one of its names: of most rules a few look-ups in a hash table tell that they do not matter.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return, misc"

from __future__ import annotations

import os
from itertools import accumulate
from threading import Lock
from typing import Any

import numpy as np

from thresher.data.tags import TAGS
from thresher.page import attributes
from thresher.page.page import Page
from thresher.page.types import LongBits, Rows

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["PageNames"]

_HASH_FACTOR = cython.declare(cython.uint, 16777619)
_HASH_MASK = cython.declare(cython.uint, 0xFFFFFFFF)  # uncompiled, integers have no end
# A page cannot choose names that share a number, which would make look-ups slow: another start in each process.
_HASH_START = cython.declare(cython.uint, int.from_bytes(os.urandom(4), "little"))

_DOT = cython.declare(cython.int, 0x2E)
_HASH_SIGN = cython.declare(cython.int, 0x23)
_TAG = cython.declare(cython.int, 0)  # the sign of a tag, which has none
_IS_BLANK = bytes(byte in b" \t\n\r\x0b\x0c" for byte in range(256))


@cython.cclass
class PageNames:
    """The names of a page: each a tag, `.class` or `#id`."""

    fold: cython.bint  # whether case does not matter in classes and ids
    has_escapes: cython.bint  # whether a class or an id may have some of the markup
    count: cython.Py_ssize_t  # of names
    text: cython.const[cython.uchar][::1]  # name k is text[start[k]:stop[k]]
    given: cython.const[cython.uchar][::1]  # the text in which names are looked for
    is_blank: cython.const[cython.uchar][::1]
    start: cython.int[::1]
    stop: cython.int[::1]
    sign: cython.int[::1]
    code: cython.int[::1]
    slots: cython.int[::1]
    slot_mask: cython.uint
    word_first: cython.int[::1]  # class value v has the names word[word_first[v]:word_first[v + 1]]
    word: cython.int[::1]
    id_name: cython.int[::1]  # of each value
    tag_name: cython.int[::1]  # of each row
    class_row: cython.const[cython.int][::1]
    class_value: cython.const[cython.int][::1]
    id_row: cython.const[cython.int][::1]
    id_value: cython.const[cython.int][::1]
    row_first: cython.Py_ssize_t[::1]  # name k is on the rows rows[row_first[k]:row_last[k]]
    row_last: cython.Py_ssize_t[::1]
    rows: cython.Py_ssize_t[::1]
    row_arrays: Any  # the same three
    lock: Any  # held while `given` is looked at

    def __init__(self, page: Page, fold: bool) -> None:
        classes, ids = attributes.numbered(page, "class"), attributes.numbered(page, "id")
        self.lock = Lock()
        self.fold = fold
        self.is_blank = _IS_BLANK
        self.has_escapes = False
        self.class_row, self.class_value = classes.row.data, classes.code.data
        self.id_row, self.id_value = ids.row.data, ids.code.data
        first = self._number(page, page.markup, classes.start, classes.stop, ids.start, ids.stop)
        if self.has_escapes:
            text, class_start, class_stop = attributes.unescaped(page, classes)
            more, id_start, id_stop = attributes.unescaped(page, ids)
            if more is not page.markup:  # that, and what stands behind it
                shift = np.where(id_start >= len(page.markup), np.int32(len(text) - len(page.markup)), np.int32(0))
                text, id_start, id_stop = text + more[len(page.markup) :], id_start + shift, id_stop + shift
            first = self._number(page, text, class_start, class_stop, id_start, id_stop)
        last, rows = first.copy(), np.empty(int(first[self.count]), np.intp)
        self.row_arrays = first, last, rows
        self.rows, self.row_last = rows.data, last.data
        self._place_rows()

    @cython.cfunc
    def _number(self, page: Any, text: bytes, class_start: Any, class_stop: Any, id_start: Any, id_stop: Any) -> Any:
        """Number all names, whose values stand at these places in a text; where the rows of each begin."""
        values, size = len(class_start), len(page)
        words = (int(class_stop.sum()) - int(class_start.sum())) // 2 + values
        most = words + len(id_start) + min(size, len(TAGS) + int(np.count_nonzero(page.tag == 0)))
        slots = 1 << (2 * most).bit_length()
        self.text = self.given = text
        # One array, cut into columns: to hand over each by itself would cost more than to fill them.
        lengths = [most, most, most, most, slots, values + 1, words, len(id_start), size, len(TAGS)]
        ends = list(accumulate(lengths))
        numbers: cython.int[::1] = np.empty(sum(lengths), np.int32).data
        self.start, self.stop = numbers[: ends[0]], numbers[ends[0] : ends[1]]
        self.sign, self.code = numbers[ends[1] : ends[2]], numbers[ends[2] : ends[3]]
        self.slots, self.slot_mask = numbers[ends[3] : ends[4]], slots - 1
        self.word_first, self.word = numbers[ends[4] : ends[5]], numbers[ends[5] : ends[6]]
        self.id_name, self.tag_name = numbers[ends[6] : ends[7]], numbers[ends[7] : ends[8]]
        self.count = 0
        self._number_classes(class_start.data, class_stop.data)
        self._number_others(
            id_start.data, id_stop.data, page.tag.data, page.tag_start.data, page.tag_stop.data, numbers[ends[8] :]
        )
        first = np.zeros(self.count + 1, np.intp)
        self.row_first = first.data
        self._count_rows()
        return first

    @cython.cfunc
    @cython.exceptval(check=False)
    def _number_classes(self, start: cython.const[cython.int][::1], stop: cython.const[cython.int][::1]) -> cython.void:
        """Number the words of all values."""
        value: cython.Py_ssize_t
        at: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        words: cython.int = 0
        byte: cython.uint
        code: cython.uint
        seed: cython.uint = (_HASH_START ^ _DOT) * _HASH_FACTOR & _HASH_MASK
        fold: cython.bint = self.fold
        text: cython.const[cython.uchar][::1] = self.text
        is_blank: cython.const[cython.uchar][::1] = self.is_blank
        with cython.nogil:
            for at in range(self.slots.shape[0]):
                self.slots[at] = -1
            for value in range(start.shape[0]):
                self.word_first[value] = words
                at = start[value]
                while at < stop[value]:
                    while at < stop[value] and is_blank[text[at]]:
                        at += 1
                    begin = at
                    code = seed
                    while at < stop[value] and not is_blank[text[at]]:
                        byte = text[at]
                        if fold and 65 <= byte <= 90:
                            byte = byte | 0x20
                        if byte == 0x26:
                            self.has_escapes = True
                        code = (code ^ byte) * _HASH_FACTOR & _HASH_MASK
                        at += 1
                    if at > begin:
                        self.word[words] = self._enter(begin, at, _DOT, (code ^ code >> 15) & 0x7FFFFFFF)
                        words += 1
            self.word_first[start.shape[0]] = words

    @cython.cfunc
    @cython.exceptval(check=False)
    def _number_others(
        self,
        start: cython.const[cython.int][::1],
        stop: cython.const[cython.int][::1],
        tag: cython.const[cython.short][::1],
        tag_start: cython.const[cython.int][::1],
        tag_stop: cython.const[cython.int][::1],
        of_tag: cython.int[::1],
    ) -> cython.void:
        """Number the values of ids, as a whole, and the names of the elements; those beyond the table one by one."""
        at: cython.Py_ssize_t
        row: cython.Py_ssize_t
        begin: cython.Py_ssize_t
        place: cython.Py_ssize_t
        with cython.nogil:
            for at in range(start.shape[0]):
                for place in range(start[at], stop[at]):
                    if self.text[place] == 0x26:
                        self.has_escapes = True
                self.id_name[at] = self._enter(
                    start[at], stop[at], _HASH_SIGN, self._hash(start[at], stop[at], _HASH_SIGN)
                )
            for at in range(of_tag.shape[0]):
                of_tag[at] = -1
            for row in range(tag.shape[0]):
                if tag[row] == 0 or of_tag[tag[row]] < 0:
                    begin = tag_start[row] + 1
                    at = begin
                    while at < tag_stop[row] and self.text[at] != 0x20 and self.text[at] != 0x3E:
                        at += 1
                    of_tag[tag[row]] = self._enter(begin, at, _TAG, self._hash(begin, at, _TAG))
                self.tag_name[row] = of_tag[tag[row]]

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
        fold: cython.bint = self.fold or sign == _TAG
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
        fold: cython.bint = self.fold or sign == _TAG
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
        """Where the rows begin that have each name; one that has it twice is counted twice."""
        at: cython.Py_ssize_t
        word: cython.Py_ssize_t
        with cython.nogil:
            for at in range(self.class_row.shape[0]):
                for word in range(self.word_first[self.class_value[at]], self.word_first[self.class_value[at] + 1]):
                    self.row_first[self.word[word] + 1] += 1
            for at in range(self.id_row.shape[0]):
                self.row_first[self.id_name[self.id_value[at]] + 1] += 1
            for at in range(self.tag_name.shape[0]):
                self.row_first[self.tag_name[at] + 1] += 1
            for at in range(self.count):
                self.row_first[at + 1] += self.row_first[at]

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
                self._place(self.id_name[self.id_value[at]], self.id_row[at])
            for at in range(self.tag_name.shape[0]):
                self._place(self.tag_name[at], at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _place(self, name: cython.int, row: cython.Py_ssize_t) -> cython.void:
        last: cython.Py_ssize_t = self.row_last[name]
        if last == self.row_first[name] or self.rows[last - 1] != row:
            self.rows[last] = row
            self.row_last[name] = last + 1

    def look_up(
        self,
        text: bytes,
        start: cython.const[cython.int][::1],
        stop: cython.const[cython.int][::1],
        sign: cython.const[cython.int][::1],
        number: cython.int[::1],
    ) -> None:
        """Write the number of each name text[start:stop], its sign in front; -1 where the page lacks it, and for all
        that is no tag, class or id."""
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t = len(text)
        if not start.shape[0] == stop.shape[0] == sign.shape[0] == number.shape[0]:
            raise ValueError("columns have not the lengths they need")
        with self.lock:
            self.given = text
            with cython.nogil:
                for at in range(start.shape[0]):
                    number[at] = -1
                    if sign[at] == _TAG and 0 <= start[at] <= stop[at] <= size:
                        number[at] = self._find(start[at], stop[at], _TAG)
                    elif sign[at] in (_DOT, _HASH_SIGN) and 0 <= start[at] < stop[at] <= size:
                        number[at] = self._find(start[at] + 1, stop[at], sign[at])

    def places(self) -> tuple[Rows, Rows, Rows]:
        """Where name k is: on the rows[first[k]:last[k]], ascending; first, last and rows."""
        places: tuple[Rows, Rows, Rows] = self.row_arrays
        return places

    def rows_with(self, sign: bytes, name: bytes) -> Rows:
        """The rows that have a class, an id or a tag, ascending."""
        number: cython.int = -1
        with self.lock:
            self.given = name
            number = self._find(0, len(name), sign[0] if sign else 0)
        rows: Rows = self.row_arrays[2]
        return rows[:0] if number < 0 else rows[self.row_first[number] : self.row_last[number]]

    def bits_of_names(self, bits: LongBits) -> LongBits:
        """For each name the union of the bits of its rows."""
        union = np.zeros(self.count, np.uint64)
        self._unite(bits.data, union.data)
        return union

    @cython.cfunc
    @cython.exceptval(check=False)
    def _unite(self, bits: cython.const[cython.ulonglong][::1], union: cython.ulonglong[::1]) -> cython.void:
        at: cython.Py_ssize_t
        word: cython.Py_ssize_t
        with cython.nogil:
            for at in range(self.class_row.shape[0]):
                if bits[self.class_row[at]]:
                    for word in range(self.word_first[self.class_value[at]], self.word_first[self.class_value[at] + 1]):
                        union[self.word[word]] |= bits[self.class_row[at]]
            for at in range(self.id_row.shape[0]):
                union[self.id_name[self.id_value[at]]] |= bits[self.id_row[at]]
            for at in range(self.tag_name.shape[0]):
                union[self.tag_name[at]] |= bits[at]

"""The loops of `units`: siblings of one kind, what they hold, and the units around each element.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["chars_in_links", "count_units", "hash_first_classes", "nearest_units", "number_kinds"]

_ALL_BITS = cython.declare(cython.ulonglong, (1 << 64) - 1)
_BASE = cython.declare(cython.ulonglong, 0x100000001B3)
_BETWEEN = cython.declare(cython.int, 0xFF)  # values


def hash_first_classes(text: cython.const[cython.uchar][::1], number: cython.ulonglong[::1]) -> None:
    """Write a number for the first class of each value, which the byte FF ends, without its digits: `post-12` and
    `post-7` have the same."""
    at: cython.Py_ssize_t
    value: cython.Py_ssize_t = 0
    byte: cython.int
    code: cython.ulonglong = 1
    begun: cython.bint = False
    ended: cython.bint = False
    with cython.nogil:
        for at in range(len(text)):
            byte = text[at]
            if byte == _BETWEEN:
                if value < len(number):
                    number[value] = code
                value += 1
                code = 1
                begun = ended = False
            elif byte == 32 or 9 <= byte <= 13:
                ended = begun
            elif not ended:
                begun = True
                if byte < ord("0") or byte > ord("9"):
                    code = ((code ^ byte) * _BASE) & _ALL_BITS


def number_kinds(
    parent: cython.const[cython.int][::1],
    first: cython.const[cython.int][::1],
    last: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    is_inline: cython.const[cython.uchar][::1],
    class_number: cython.const[cython.ulonglong][::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    kind: cython.int[::1],
    size: cython.int[::1],
) -> int:
    """Write for each element the number of its kind, siblings with one tag and one class number, and how many are of
    each kind; how many kinds there are.  Elements without text, inline ones and the root have -1.

    `slots` is a hash table, all -1, its length a power of two above that of the elements.  `secret` is an odd number
    that pages do not know, so that none is made to fill one slot.
    """
    row: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    other: cython.Py_ssize_t
    rows: cython.Py_ssize_t = len(parent)
    mask: cython.Py_ssize_t = len(slots) - 1
    count: cython.int = 0
    code: cython.ulonglong
    if not rows == len(first) == len(last) == len(tag) == len(class_number) == len(kind) == len(size) <= mask:
        raise ValueError("columns have not the lengths they need")
    if mask & len(slots):
        raise ValueError("the length of the hash table is no power of two")
    with cython.nogil:
        for row in range(rows):
            kind[row] = -1
            if first[row] >= last[row] or parent[row] < 0 or not 0 <= tag[row] < len(is_inline) or is_inline[tag[row]]:
                continue
            code = (class_number[row] ^ (parent[row] * 512 + tag[row])) & _ALL_BITS
            slot = cython.cast(cython.Py_ssize_t, ((code * secret) & _ALL_BITS) >> 33) & mask
            while slots[slot] >= 0:
                other = slots[slot]
                if parent[other] == parent[row] and tag[other] == tag[row] and class_number[other] == class_number[row]:
                    break
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot] = row
                kind[row] = count
                size[count] = 1
                count += 1
            else:
                kind[row] = kind[slots[slot]]
                size[kind[row]] += 1
    return count


def count_units(
    kind: cython.const[cython.int][::1],
    size: cython.const[cython.int][::1],
    least: cython.int,
    end: cython.const[cython.int][::1],
    link: cython.const[cython.Py_ssize_t][::1],
    address: cython.const[cython.Py_ssize_t][::1],
    secret: cython.ulonglong,
    slots: cython.int[::1],
    leads_to: cython.Py_ssize_t[::1],
    held: cython.const[cython.int][:, ::1],
    table: cython.double[:, ::1],
) -> None:
    """Add to the row of each kind of at least so many elements: how many hold one of the links, to how many addresses
    the first of each leads, and what all hold of each row of `held`; of the last three rows, how many hold any.

    `held` has a row for each thing to count, and what each element holds of it.  `slots` is a hash table as above;
    `leads_to` is room for an address per element.
    """
    row: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    column: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    rows: cython.Py_ssize_t = len(kind)
    mask: cython.Py_ssize_t = len(slots) - 1
    things: cython.Py_ssize_t = held.shape[0]
    k: cython.int
    code: cython.ulonglong
    if not rows == len(end) == len(leads_to) == held.shape[1] <= mask or len(link) != len(address):
        raise ValueError("columns have not the lengths they need")
    if mask & len(slots) or things < 3 or table.shape[1] < 2 + things:
        raise ValueError("tables have not the lengths they need")
    with cython.nogil:
        for row in range(rows):
            k = kind[row]
            if k < 0 or k >= len(size) or k >= table.shape[0] or size[k] < least:
                continue
            for column in range(things):
                table[k, 2 + column] += held[column, row] if column < things - 3 else held[column, row] > 0
            while at < len(link) and link[at] < row:
                at += 1
            if at == len(link) or link[at] >= end[row]:
                continue
            leads_to[row] = address[at]
            table[k, 0] += 1
            code = cython.cast(cython.ulonglong, address[at] * 1000003 + k) & _ALL_BITS
            slot = cython.cast(cython.Py_ssize_t, ((code * secret) & _ALL_BITS) >> 33) & mask
            while slots[slot] >= 0 and not (kind[slots[slot]] == k and leads_to[slots[slot]] == address[at]):
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot] = row
                table[k, 1] += 1


def nearest_units(
    kind: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    is_unit: cython.const[cython.uchar][::1],
    inner: cython.Py_ssize_t[::1],
    outer: cython.Py_ssize_t[::1],
) -> None:
    """Write for each element the kind of the innermost and of the outermost unit around it and one, 0 for none."""
    row: cython.Py_ssize_t
    own: cython.Py_ssize_t
    if not len(kind) == len(parent) == len(inner) == len(outer):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for row in range(len(kind)):
            own = kind[row] + 1 if 0 <= kind[row] < len(is_unit) and is_unit[kind[row]] else 0
            inner[row] = outer[row] = own
            if 0 <= parent[row] < row:
                if own == 0:
                    inner[row] = inner[parent[row]]
                if outer[parent[row]] > 0:
                    outer[row] = outer[parent[row]]


def chars_in_links(
    begin: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    to_page: cython.const[cython.uchar][::1],
    chars: cython.const[cython.int][::1],
    first: cython.const[cython.Py_ssize_t][::1],
    last: cython.const[cython.Py_ssize_t][::1],
    out: cython.double[:, ::1],
) -> None:
    """Write how many characters of each block, the texts from first to last, stand in links to pages and in others.

    Links hold the texts begin:stop and are in document order; `chars` are sums over the texts before each.
    """
    k: cython.Py_ssize_t
    text: cython.Py_ssize_t
    block: cython.Py_ssize_t = 0
    other_block: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = len(first)
    seen: cython.Py_ssize_t
    seen_page: cython.Py_ssize_t = 0
    seen_other: cython.Py_ssize_t = 0
    column: cython.Py_ssize_t
    if len(begin) != len(stop) or len(begin) != len(to_page) or blocks != len(last):
        raise ValueError("columns have not the lengths they need")
    if out.shape[0] != 2 or out.shape[1] != blocks:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(len(begin)):
            column = 0 if to_page[k] else 1
            seen = seen_page if to_page[k] else seen_other
            text = max(begin[k], seen)
            while block < blocks and last[block] < begin[k]:
                block += 1
            other_block = block
            while 0 <= text < stop[k] and text < len(chars) - 1:
                while other_block < blocks and last[other_block] < text:
                    other_block += 1
                if other_block == blocks:
                    break
                if first[other_block] <= text:
                    out[column, other_block] += chars[text + 1] - chars[text]
                text += 1
            if to_page[k]:
                seen_page = max(seen_page, stop[k])
            else:
                seen_other = max(seen_other, stop[k])

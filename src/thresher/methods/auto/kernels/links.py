"""The loops of `units` about links: which lead to pages, and the shares of a block's text in them.

Compiled (see thresher.kernels), bounds are not checked: each loop makes sure that its arrays are as long as it needs,
and passes over what points outside of them.
"""
# mypy: disable-error-code="valid-type, untyped-decorator, no-any-return"

from __future__ import annotations

try:
    import cython
except ImportError:
    from thresher.kernels.no_cython import cython

__all__ = ["find_links", "write_link_shares"]

_BETWEEN = cython.declare(cython.int, 0xFF)  # beginnings


def find_links(
    markup: cython.const[cython.uchar][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    row: cython.const[cython.int][::1],
    code: cython.const[cython.int][::1],
    tag: cython.const[cython.short][::1],
    link: cython.int,
    no_page: cython.const[cython.uchar][::1],
    is_page: cython.uchar[::1],
    links: cython.int[:, ::1],
) -> int:
    """Write row, number of the address and whether it is one of a page for each element with this tag among those that
    have an address; how many there are.

    The address with number c is markup[start[c]:stop[c]], that of element row[k] has the number code[k].  None is one
    of a page that is empty or begins, in capitals or not, as `no_page` lists, the byte FF behind each.
    """
    k: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = len(markup)
    if not len(start) == len(stop) == len(is_page) or len(row) != len(code):
        raise ValueError("columns have not the lengths they need")
    if links.shape[0] < 3 or links.shape[1] < len(row):
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(len(start)):
            is_page[k] = 0
            if 0 <= start[k] < stop[k] <= size:
                is_page[k] = not _begins_with_one(markup, start[k], stop[k], no_page)
        for k in range(len(row)):
            if 0 <= row[k] < len(tag) and tag[row[k]] == link and 0 <= code[k] < len(is_page):
                links[0, count], links[1, count], links[2, count] = row[k], code[k], is_page[code[k]]
                count += 1
    return count


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _begins_with_one(
    markup: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    beginnings: cython.const[cython.uchar][::1],
) -> cython.bint:
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t = start
    byte: cython.int
    agrees: cython.bint = True
    for k in range(len(beginnings)):
        if beginnings[k] == _BETWEEN:
            if agrees:
                return True
            at = start
            agrees = True
        elif agrees:
            byte = markup[at] if at < stop else 0
            if ord("A") <= byte <= ord("Z"):
                byte += 32
            agrees = byte == beginnings[k]
            at += 1
    return False


def write_link_shares(
    links: cython.const[cython.int][:, ::1],
    count: cython.Py_ssize_t,
    first_text: cython.const[cython.int][::1],
    last_text: cython.const[cython.int][::1],
    chars: cython.const[cython.int][::1],
    first: cython.const[cython.Py_ssize_t][::1],
    last: cython.const[cython.Py_ssize_t][::1],
    out: cython.float[:, :],
) -> None:
    """Write the shares of the characters of each block, the texts from first to last, in links to pages and in others.

    `links` are those of `find_links`, so many of them, in document order; `chars` are sums over the texts before each.
    """
    b: cython.Py_ssize_t
    column: cython.Py_ssize_t
    texts: cython.Py_ssize_t = len(chars) - 1
    own: cython.double
    if len(first) != len(last) or out.shape[0] != len(first) or out.shape[1] < 2 or links.shape[0] < 3:
        raise ValueError("columns have not the lengths they need")
    if len(first_text) != len(last_text) or not 0 <= count <= links.shape[1]:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for b in range(len(first)):
            out[b, 0] = out[b, 1] = 0
        _add_linked(links, count, first_text, last_text, chars, first, last, out)
        for b in range(len(first)):
            if 0 <= first[b] <= last[b] < texts:
                own = max(chars[last[b] + 1] - chars[first[b]], 1)
                for column in range(2):
                    out[b, column] /= own


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_linked(
    links: cython.const[cython.int][:, ::1],
    count: cython.Py_ssize_t,
    first_text: cython.const[cython.int][::1],
    last_text: cython.const[cython.int][::1],
    chars: cython.const[cython.int][::1],
    first: cython.const[cython.Py_ssize_t][::1],
    last: cython.const[cython.Py_ssize_t][::1],
    out: cython.float[:, :],
) -> cython.void:
    """Add the characters in links.  A text in two links of a kind counts once."""
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    text: cython.Py_ssize_t
    block: cython.Py_ssize_t = 0
    other_block: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = len(first)
    texts: cython.Py_ssize_t = len(chars) - 1
    seen_page: cython.Py_ssize_t = 0
    seen_other: cython.Py_ssize_t = 0
    column: cython.Py_ssize_t
    for k in range(count):
        row = links[0, k]
        if not 0 <= row < len(first_text):
            continue
        column = 0 if links[2, k] else 1
        text = max(first_text[row], seen_page if links[2, k] else seen_other)
        while block < blocks and last[block] < first_text[row]:
            block += 1
        other_block = block
        while 0 <= text < last_text[row] and text < texts:
            while other_block < blocks and last[other_block] < text:
                other_block += 1
            if other_block == blocks:
                break
            if first[other_block] <= text:
                out[other_block, column] += chars[text + 1] - chars[text]
            text += 1
        if links[2, k]:
            seen_page = max(seen_page, last_text[row])
        else:
            seen_other = max(seen_other, last_text[row])

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

if cython.compiled:
    from cython.cimports.thresher.methods.auto.kernels import columns as col
else:
    from thresher.methods.auto.kernels import columns as col

__all__ = ["write_links"]


def write_links(
    markup: cython.const[cython.uchar][::1],
    row: cython.const[cython.int][::1],
    code: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    stop: cython.const[cython.int][::1],
    link: cython.int,
    no_page: cython.const[cython.uchar][::1],
    blocks: cython.const[cython.int][:, ::1],
    sums: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    links: cython.int[:, ::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> int:
    """Write the shares of the characters of each block in links to pages and in others; into `links` row and number of
    the address of each link to a page, in document order.  How many of these there are.

    The address with number c is markup[start[c]:stop[c]], that of element row[k] has the number code[k]; `link` is the
    tag of links.  None is one of a page that is empty or begins, in capitals or not, as `no_page` lists, each behind
    its length.
    """
    k: cython.Py_ssize_t
    b: cython.Py_ssize_t
    count: cython.Py_ssize_t
    texts: cython.Py_ssize_t = sums.shape[0] - 1
    own: cython.double
    if len(start) != len(stop) or len(row) != len(code) or links.shape[0] < 3 or links.shape[1] < len(row):
        raise ValueError("columns have not the lengths they need")
    if (
        links.shape[1] < len(start)
        or elements.shape[1] != col.ELEMENT_COLUMNS
        or sums.shape[1] != col.SUMS
        or texts < 0
    ):
        raise ValueError("columns have not the lengths they need")
    if blocks.shape[0] < col.BLOCK_ROWS or blocks.shape[1] != x.shape[0] or at < 0 or x.shape[1] < at + 2:
        raise ValueError("columns have not the lengths they need")
    with cython.nogil:
        for k in range(len(start)):
            links[2, k] = 0 <= start[k] < stop[k] <= len(markup) and not _begins_with_one(
                markup, start[k], stop[k], no_page
            )
        for b in range(x.shape[0]):
            x[b, at] = x[b, at + 1] = 0
        count = _add_linked(row, code, len(start), link, blocks, sums, elements, links, x, at)
        for b in range(x.shape[0]):
            if 0 <= blocks[col.FIRST, b] <= blocks[col.LAST, b] < texts:
                own = max(sums[blocks[col.LAST, b] + 1, col.CHARS] - sums[blocks[col.FIRST, b], col.CHARS], 1)
                x[b, at] /= own
                x[b, at + 1] /= own
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
    k: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    size: cython.Py_ssize_t
    while k < len(beginnings):
        size = beginnings[k]
        at = 0
        if k + size < len(beginnings) and size <= stop - start:
            while at < size and _lower(markup[start + at]) == beginnings[k + 1 + at]:
                at += 1
            if at == size:
                return True
        k += size + 1
    return False


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _lower(byte: cython.int) -> cython.int:
    return byte + 32 if ord("A") <= byte <= ord("Z") else byte


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _add_linked(
    rows: cython.const[cython.int][::1],
    codes: cython.const[cython.int][::1],
    addresses: cython.Py_ssize_t,
    link: cython.int,
    blocks: cython.const[cython.int][:, ::1],
    sums: cython.const[cython.int][:, ::1],
    elements: cython.const[cython.int][:, ::1],
    links: cython.int[:, ::1],
    x: cython.float[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Add the characters in links, and list those to pages.  A text in two links of a kind counts once."""
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    text: cython.Py_ssize_t
    last: cython.Py_ssize_t
    block: cython.Py_ssize_t = 0
    other_block: cython.Py_ssize_t
    texts: cython.Py_ssize_t = sums.shape[0] - 1
    seen_page: cython.Py_ssize_t = 0
    seen_other: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    is_page: cython.bint
    for k in range(len(rows)):
        row = rows[k]
        if not (0 <= row < elements.shape[0] - 1 and elements[row, col.TAG] == link and 0 <= codes[k] < addresses):
            continue
        is_page = links[2, codes[k]] != 0
        if is_page:
            links[0, count], links[1, count] = row, codes[k]
            count += 1
        last = min(elements[row, col.LAST_TEXT], texts)
        text = max(elements[row, col.FIRST_TEXT], seen_page if is_page else seen_other)
        while block < blocks.shape[1] and blocks[col.LAST, block] < elements[row, col.FIRST_TEXT]:
            block += 1
        other_block = block
        while 0 <= text < last:
            while other_block < blocks.shape[1] and blocks[col.LAST, other_block] < text:
                other_block += 1
            if other_block == blocks.shape[1]:
                break
            if blocks[col.FIRST, other_block] <= text:
                x[other_block, at if is_page else at + 1] += sums[text + 1, col.CHARS] - sums[text, col.CHARS]
            text += 1
        if is_page:
            seen_page = max(seen_page, elements[row, col.LAST_TEXT])
        else:
            seen_other = max(seen_other, elements[row, col.LAST_TEXT])
    return count

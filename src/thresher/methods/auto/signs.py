"""Signs as evidence: dates, prices, comments, dialogs and sign-up boxes, told by their shape or their names.

date       a short block with many digits: how many stand in the containers around a block
price      a short block with a digit and a sign of a currency: the same
comments   what is called so, by a name or by a heading in many languages (comments.py)
dialog     what has this role
sign_up    a small container around a field for an address
"""

from __future__ import annotations

import numpy as np

from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.comments import headed, named
from thresher.methods.auto.counts import CHARS, DIGITS, WORDS, Counts
from thresher.methods.auto.prose import running
from thresher.page import Page, attributes
from thresher.page.spans import is_among
from thresher.page.tree import within
from thresher.page.types import Bools, Singles

__all__ = ["SIGNS", "dates", "sign_columns"]


SIGNS = (
    "date dates_1 dates_2 dates_3 price prices_1 prices_2 prices_of_page comments_by_name comments_by_heading dialog "
    "sign_up"
).split()
_DATE_WORDS, _DATE_DIGITS, _DATE_SHARE = 8, 2, 0.2
_PRICE_WORDS = 12
_DIALOGS = (b"dialog", b"alertdialog")  # roles
_SIGN_UP = 400  # characters
_DOLLAR = ord("$")
# First, second and least third byte of other signs: £ ¥, the block from ₠ on, the wide ones
_TWO_BYTES, _THREE_BYTES = ((0xC2, 0xA3), (0xC2, 0xA5)), ((0xE2, 0x82, 0xA0), (0xEF, 0xBF, 0xA5))


def dates(counts: Counts) -> Bools:
    """Blocks that are dates or times, as far as their shape tells."""
    digits = counts.own[DIGITS]
    enough = (digits >= _DATE_DIGITS) & (digits >= _DATE_SHARE * counts.own[CHARS])
    is_date: Bools = enough & (counts.own[WORDS] <= _DATE_WORDS)
    return is_date


def sign_columns(page: Page, page_blocks: Blocks, counts: Counts, dated: Bools, out: Singles) -> None:
    """The columns named in SIGNS."""
    column = dict(zip(SIGNS, out.T, strict=True))
    priced = _prices(page, page_blocks, counts)
    for one, many, marked, levels in (("date", "dates", dated, (1, 2, 3)), ("price", "prices", priced, (1, 2))):
        column[one][:] = marked
        sums = running(marked)
        for level in levels:
            column[f"{many}_{level}"][:] = np.log1p(sums[page_blocks.stop[level]] - sums[page_blocks.begin[level]])
    column["prices_of_page"][:] = np.log1p(np.count_nonzero(priced))
    for name, elements in (
        ("comments_by_name", named(page)),
        ("comments_by_heading", headed(page)),
        ("dialog", _dialogs(page)),
    ):
        column[name][:] = within(page, elements)[page_blocks.at] if elements.any() else 0
    column["sign_up"][:] = _sign_ups(page, page_blocks, counts)


def _prices(page: Page, page_blocks: Blocks, counts: Counts) -> Bools:
    byte = np.frombuffer(page.utf8, np.uint8)
    sign = byte == _DOLLAR
    if not page.utf8.isascii():
        for first, second in _TWO_BYTES:
            sign[:-1] |= (byte[:-1] == first) & (byte[1:] == second)
        for first, second, third in _THREE_BYTES:
            sign[:-2] |= (byte[:-2] == first) & (byte[1:-1] == second) & (byte[2:] >= third)
    at = sign.nonzero()[0]
    begin, stop = at.searchsorted(page.start[page_blocks.first]), at.searchsorted(page.stop[page_blocks.last])
    is_price: Bools = (stop > begin) & (counts.own[DIGITS] > 0) & (counts.own[WORDS] <= _PRICE_WORDS)
    return is_price


def _dialogs(page: Page) -> Bools:
    rows, code, roles = attributes.distinct_bytes(page, "role")
    numbers = [number for number, role in enumerate(roles) if role.strip().lower() in _DIALOGS]
    dialogs = np.zeros(len(page), bool)
    if numbers:
        dialogs[rows[is_among(code, np.array(numbers))]] = True
    return dialogs


def _sign_ups(page: Page, page_blocks: Blocks, counts: Counts) -> Bools:
    rows, code, values = attributes.distinct_bytes(page, "type")
    if b"email" not in values:
        return np.zeros(len(page_blocks), bool)
    fields = np.sort(rows[code == values.index(b"email")])
    box = page_blocks.level[2]
    chars = counts.sums[CHARS]
    held = fields.searchsorted(page.end[box]) > fields.searchsorted(box)
    small: Bools = held & (chars[page.last[box]] - chars[page.first[box]] < _SIGN_UP)
    return small

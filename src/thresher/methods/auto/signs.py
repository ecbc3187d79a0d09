"""Signs as evidence: dates, prices, comments, dialogs and sign-up boxes, told by their shape or their names.

date       a short block with many digits: how many stand in the containers around a block
price      a short block with a digit and a sign of a currency: the same
comments   what is called so, by a name or by a heading in many languages (comments.py)
dialog     what has this role
sign_up    a small container around a field for an address
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.comments import are_called, headed, named
from thresher.methods.auto.counts import CHARS, Counts
from thresher.methods.auto.kernels.signs import find_signs, write_signs
from thresher.page import Page, attributes
from thresher.page.parts import Parts, with_part
from thresher.page.types import Bytes, Ints, Singles

__all__ = ["SIGNS", "BlockSigns", "sign_columns", "signs"]


SIGNS = (
    "date dates_1 dates_2 dates_3 price prices_1 prices_2 prices_of_page comments_by_name comments_by_heading dialog "
    "sign_up"
).split()
_DIALOGS = (b"dialog", b"alertdialog")  # roles
_DIALOG, _EMAIL = Parts(b"dialog"), Parts(b"email")
_BOX = 2  # the level of the container that is around a field and little else


class BlockSigns(NamedTuple):
    """Blocks that are dates or times, and blocks that are prices: 1, others 0."""

    dated: Bytes
    priced: Bytes


def signs(page: Page, page_blocks: Blocks, counts: Counts) -> BlockSigns:
    """As far as the shape of the blocks tells."""
    dated, priced = np.empty((2, len(page_blocks)), np.uint8)
    find_signs(
        page.utf8, page.start, page.stop, page_blocks.first, page_blocks.last, counts.own,
        dated, priced,
    )  # fmt: skip
    return BlockSigns(dated, priced)


def sign_columns(page: Page, page_blocks: Blocks, counts: Counts, marked: BlockSigns, out: Singles) -> None:
    """The columns named in SIGNS."""
    begin, stop, at, box = page_blocks.begin, page_blocks.stop, page_blocks.at, page_blocks.level[_BOX]
    running = np.empty((2, len(page_blocks) + 1), np.intp)
    write_signs(
        marked.dated, marked.priced, begin, stop, at, box, page.parent,
        page.end, page.first, page.last, counts.sums[CHARS], _address_fields(page),
        _marks(page), running, out,
    )  # fmt: skip


def _marks(page: Page) -> Bytes:
    """Elements called comments, headed so, and dialogs, a bit each; no rows if there are none."""
    by_name, by_heading, dialogs = named(page), headed(page), _dialogs(page)
    marks = np.zeros(len(page) if dialogs or are_called(page) else 0, np.uint8)
    if len(marks):
        marks[by_name] = 1
        marks[by_heading] |= 2
        marks[dialogs] |= 4
    return marks


def _dialogs(page: Page) -> list[int]:
    roles = attributes.numbered(page, "role")
    row, code, start, stop = roles
    numbers = with_part(page, "role", _DIALOG)
    numbers = [number for number in numbers if page.markup[start[number] : stop[number]].strip().lower() in _DIALOGS]
    return [one for number in numbers for one in row[code == number].tolist()]


def _address_fields(page: Page) -> Ints:
    types = attributes.numbered(page, "type")
    row, code, start, stop = types
    numbers = with_part(page, "type", _EMAIL)
    numbers = [number for number in numbers if page.markup[start[number] : stop[number]] == b"email"]
    return row[code == numbers[0]] if numbers else row[:0]

"""Signs as evidence: dates, prices, comments, dialogs and sign-up boxes, told by their shape or their names.

date       a short block with many digits: how many stand in the containers around a block
price      a short block with a digit and a sign of a currency: the same
comments   what is called so, by a name or by a heading in many languages (comments.py)
dialog     what has this role
sign_up    a small container around a field for an address

The loop is `kernels.signs.write_signs`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.methods.auto.comments import are_called, headed, named
from thresher.page import Page, attributes, memoised
from thresher.page.parts import Parts, with_part
from thresher.page.types import Bytes, Ints

__all__ = ["SIGNS", "Marked", "marked", "sign_marks"]
SIGNS = (
    "date dates_1 dates_2 dates_3 price prices_1 prices_2 prices_of_page comments_by_name comments_by_heading dialog "
    "sign_up"
).split()
_DIALOGS = (b"dialog", b"alertdialog")  # roles
_DIALOG, _EMAIL = Parts(b"dialog"), Parts(b"email")
_NO_MARKS: Bytes = np.zeros(0, np.uint8)
_NO_FIELDS: Ints = np.zeros(0, np.int32)


class Marked(NamedTuple):
    """What elements are called or say they are."""

    comments: bool  # whether there are any
    dialogs: list[int]
    fields: Ints  # for addresses


@memoised
def marked(page: Page) -> Marked:
    """What is known so of the elements of a page."""
    return Marked(are_called(page), _dialogs(page), _address_fields(page))


def sign_marks(page: Page) -> Bytes:
    """Elements called comments, headed so, and dialogs, a bit each; no rows if there are none."""
    known = marked(page)
    if not known.dialogs and not known.comments:
        return _NO_MARKS
    marks = np.zeros(len(page), np.uint8)
    if known.comments:
        marks[named(page)] = 1
        marks[headed(page)] |= 2
    marks[known.dialogs] |= 4
    return marks


def _dialogs(page: Page) -> list[int]:
    numbers = with_part(page, "role", _DIALOG)
    if not numbers:
        return []
    roles = attributes.numbered(page, "role")
    row, code, start, stop = roles
    numbers = [number for number in numbers if page.markup[start[number] : stop[number]].strip().lower() in _DIALOGS]
    return [one for number in numbers for one in row[code == number].tolist()]


def _address_fields(page: Page) -> Ints:
    numbers = with_part(page, "type", _EMAIL)
    if not numbers:
        return _NO_FIELDS
    row, code, start, stop = attributes.numbered(page, "type")
    numbers = [number for number in numbers if page.markup[start[number] : stop[number]] == b"email"]
    return row[code == numbers[0]] if numbers else _NO_FIELDS

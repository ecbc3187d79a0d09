"""What a page's own data says of its text, as evidence: JSON-LD and the description in its head.

    body           1 for blocks that begin with words of `articleBody`, -1 for the others; 0 where there is none
    body_length    of `articleBody`
    comment_count  `commentCount`
    headline       whether there is a `headline`
    description    blocks that begin as the page's description does

White space and marks are left out of what is compared.
"""

from __future__ import annotations

from math import log1p

import numpy as np

from thresher.methods.auto.blocks import Blocks, slots
from thresher.methods.auto.kernels.described import begin_as, begin_in
from thresher.page import Page, attributes
from thresher.page.parts import Parts, rows_saying_only
from thresher.page.types import Numbers, Singles
from thresher.text.patterns import compile_later

__all__ = ["DESCRIBED", "described_columns"]

DESCRIBED = "body body_length comment_count headline description".split()

_BODY = compile_later(r'"articleBody"\s*:\s*"([^"\\]*(?:\\.[^"\\]*)*)"')
_HEADLINE = compile_later(r'"headline"\s*:\s*"[^"]')
_COMMENTS = compile_later(r'"commentCount"\s*:\s*"?(\d{1,6})')
_TAG = compile_later(r"<[^>]*>")
_LOWER = bytes(range(256)).lower()
_MARKS = bytes(byte for byte in range(128) if not (chr(byte).isalnum() or chr(byte) == "_"))
_LETTERS = bytes(0 if byte in _MARKS else small for byte, small in enumerate(_LOWER))
_SHORTEST_BODY = 200  # bytes without marks
_DESCRIPTION = 24  # bytes without marks
_BEGIN = 65  # of a block: bytes to compare, and how many there are
_MIN_WORDS = 5  # of a block that may be the description
_DESCRIPTIONS = (("property", Parts(b"og:description")), ("name", Parts(b"description")))


def described_columns(page: Page, page_blocks: Blocks, own: Singles, x: Singles, at: int) -> None:
    """The columns named in DESCRIBED, from `at` on; `own` is what is counted of each block."""
    x[:, at : at + len(DESCRIBED)] = 0
    data = [island.text for island in page.islands if "ld+json" in island.type]
    if data:
        _read_data(page, page_blocks, data, x, at)
    description = _description(page)
    if len(description) >= _DESCRIPTION:
        begin_as(
            page.utf8, page.start, page.stop, page_blocks.table, own, _MIN_WORDS, _LETTERS,
            description[:_DESCRIPTION], x, at + 4,
        )  # fmt: skip


def _read_data(page: Page, page_blocks: Blocks, data: list[str], x: Singles, at: int) -> None:
    """All columns but the last."""
    bodies = [body for text in data if '"articleBody"' in text for body in _BODY.findall(text)]
    body = max(bodies, key=len, default="")
    if body:
        body_bytes = _squeezed(_TAG.sub("", _unescaped(body)).encode(errors="replace"))
        x[:, at + 1] = log1p(len(body_bytes)) / 8
        if len(body_bytes) >= _SHORTEST_BODY:
            x[:, at] = _in_body(page, page_blocks, body_bytes)
    comment_counts = [int(n) for text in data if '"commentCount"' in text for n in _COMMENTS.findall(text)]
    if comment_counts:
        x[:, at + 2] = log1p(max(comment_counts)) / 3
    if any('"headline"' in text and _HEADLINE.search(text) for text in data):
        x[:, at + 3] = 1


def _in_body(page: Page, page_blocks: Blocks, body: bytes) -> Numbers:
    """The column `body`."""
    count = len(page_blocks)
    following, key, inside = np.empty(count, np.int32), np.empty(count, np.uint64), np.empty(count, np.uint8)
    begins = np.empty((count, _BEGIN), np.uint8)
    hits = begin_in(
        page.utf8, page.start, page.stop, page_blocks.first, page_blocks.last, _LETTERS, body,
        slots(count), following, key, begins, inside,
    )  # fmt: skip
    return np.where(inside, 1, -1) if hits else np.zeros(count)


def _squeezed(text: bytes) -> bytes:
    return text.translate(_LOWER, _MARKS)


def _unescaped(text: str) -> str:
    try:
        from json import loads  # few pages need it

        return str(loads(f'"{text}"', strict=False))
    except ValueError:
        return text


def _description(page: Page) -> bytes:
    for attribute, name in _DESCRIPTIONS:
        for row in rows_saying_only(page, attribute, name)[:1]:
            if content := attributes.value_at(page, row, "content"):
                return _squeezed(content.encode(errors="replace"))
    return b""

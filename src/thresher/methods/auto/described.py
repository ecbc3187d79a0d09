"""What a page's own data says of its text, as evidence: JSON-LD and the description in its head.

    body           1 for blocks that begin with words of `articleBody`, -1 for the others; 0 where there is none
    body_length    of `articleBody`
    comment_count  `commentCount`
    headline       whether there is a `headline`
    description    blocks that begin as the page's description does

White space and marks are left out of what is compared.
"""

from __future__ import annotations

import numpy as np

from thresher.methods.auto.blocks import Blocks
from thresher.methods.auto.counts import WORDS, Counts
from thresher.page import Page, attributes
from thresher.page.types import Rows, Singles
from thresher.text.patterns import compile_later

__all__ = ["DESCRIBED", "described_columns"]

DESCRIBED = "body body_length comment_count headline description".split()

_BODY = compile_later(r'"articleBody"\s*:\s*"((?:[^"\\]|\\.)*)"')
_HEADLINE = compile_later(r'"headline"\s*:\s*"[^"]')
_COMMENTS = compile_later(r'"commentCount"\s*:\s*"?(\d{1,6})')
_TAG = compile_later(r"<[^>]*>")
_LOWER = bytes(range(256)).lower()
_MARKS = bytes(byte for byte in range(128) if not (chr(byte).isalnum() or chr(byte) == "_"))
_SHORTEST_BODY, _SHORTEST = 200, 12  # bytes without marks: of an articleBody, and of what is looked for in it
_SOURCE = 64  # bytes of a block that are compared
_DESCRIPTION = 24  # bytes without marks
_MIN_WORDS = 5  # of a block that may be the description
_DESCRIPTIONS = (("property", b"og:description"), ("name", b"description"))


def described_columns(page: Page, page_blocks: Blocks, counts: Counts, out: Singles) -> None:
    """The columns named in DESCRIBED."""
    out[:] = 0
    data = [island.text for island in page.islands if "ld+json" in island.type]
    body = max((body for text in data for body in _BODY.findall(text)), key=len, default="")
    if body:
        body_bytes = _squeezed(_TAG.sub("", _unescaped(body)).encode(errors="replace"))
        out[:, 1] = np.log1p(len(body_bytes)) / 8
        if len(body_bytes) >= _SHORTEST_BODY:
            begins = _beginnings(page, page_blocks, np.arange(len(page_blocks)))
            inside = np.array([len(begin) >= _SHORTEST and begin in body_bytes for begin in begins])
            out[:, 0] = np.where(inside, 1, -1) if inside.any() else 0
    out[:, 2] = np.log1p(max((int(n) for text in data for n in _COMMENTS.findall(text)), default=0)) / 3
    out[:, 3] = any(_HEADLINE.search(text) for text in data)
    description = _description(page)
    if len(description) >= _DESCRIPTION:
        some = (counts.own[WORDS] >= _MIN_WORDS).nonzero()[0]
        out[some, 4] = [begin.startswith(description[:_DESCRIPTION]) for begin in _beginnings(page, page_blocks, some)]


def _beginnings(page: Page, page_blocks: Blocks, some: Rows) -> list[bytes]:
    """How some blocks begin."""
    start = page.start[page_blocks.first[some]]
    stop = np.minimum(page.stop[page_blocks.last[some]], start + _SOURCE)
    return [_squeezed(page.utf8[a:b]) for a, b in zip(start.tolist(), stop.tolist(), strict=True)]


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
        rows, code, values = attributes.distinct_bytes(page, attribute)
        for number in [number for number, value in enumerate(values) if value.lower() == name]:
            for row in rows[code == number][:1].tolist():
                if said := page.attribute(row, "content"):
                    return _squeezed(said.encode(errors="replace"))
    return b""

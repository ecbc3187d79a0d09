"""What a rule is, what it reads, and on which pages it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

import numpy as np

from thresher.methods.auto.kernels.candidates import mark_chosen
from thresher.methods.auto.kernels.lines import mark_lines
from thresher.methods.auto.model import Opinion
from thresher.methods.auto.openings import openings
from thresher.methods.auto.signs import marked
from thresher.output.captions import picture_captions
from thresher.output.fragments import fragment_links
from thresher.page import Page
from thresher.page.types import Bools, Floats, Ints
from thresher.visible.readable import block_chars

__all__ = [
    "Evidence",
    "Rule",
    "among",
    "article_or_service",
    "block_line",
    "candidates",
    "maybe_article",
    "maybe_article_not_docs",
    "on_page",
]

Types = Mapping[str, float]  # the probability of each page type

# What may stand on a page, a bit each behind those of what a block may be (kernels/columns.py)
COMMENTS, DIALOGS, FIELDS, FRAGMENTS, PICTURES = (1 << bit for bit in range(16, 21))

PROBABLE = 0.5  # more likely than not
MIN_ENTRIES = 3  # links to places in the page: fewer make no table of contents
_BYTE = np.dtype(np.uint8)
_MAX_FORUM_OR_PRODUCT = 0.75  # real threads and products are told with more certainty


class Evidence(NamedTuple):
    """What a rule reads."""

    page: Page
    opinion: Opinion
    p: Floats  # (B,)  the network's probabilities, moved by the browser and the pages of the site
    likely: Bools  # (B,)  the blocks that are likely enough
    marks: Ints  # (B,)  what each may be, as far as it can be told from them: the bits of kernels/columns.py

    def candidates(self, bits: int, chosen: Bools) -> list[int]:
        """The chosen blocks that have one of some bits."""
        found: list[int] = (chosen & (self.marks & bits != 0)).nonzero()[0].tolist()
        return found


def candidates(page: Page, opinion: Opinion, p: Floats, chosen: Bools) -> tuple[Ints, int]:
    """What each block may be, and the bits of all that are chosen and of what rules keep."""
    blocks, kinds = opinion.blocks.table, opinion.kinds
    marks: Ints = np.empty(len(chosen), np.int32)
    mark_lines(
        page.utf8, page.start, page.stop, blocks, block_chars(page), opinion.words, opinion.linked, kinds, openings(),
        marks,
    )  # fmt: skip
    room = np.empty((3, len(chosen) + 1))
    found = mark_chosen(blocks, p, opinion.words, chosen.view(_BYTE), kinds, room, marks)
    return marks, found


def on_page(page: Page) -> int:
    """What stands somewhere on the page, in bits."""
    known = marked(page)
    found = COMMENTS if known.comments else 0
    if known.dialogs:
        found |= DIALOGS
    if len(known.fields):
        found |= FIELDS
    if fragment_links(page)[0] >= MIN_ENTRIES:
        found |= FRAGMENTS
    return found | PICTURES if picture_captions(page) else found


def article_or_service(types: Types) -> bool:
    return types["article"] + types["service"] > PROBABLE


def maybe_article(types: Types) -> bool:
    """More likely an article than any other type, or not clearly a thread or a product: a page in another language, or
    without names, is often taken for another type."""
    return types["article"] >= max(types.values()) or types["forum"] + types["product"] <= _MAX_FORUM_OR_PRODUCT


def maybe_article_not_docs(types: Types) -> bool:
    return maybe_article(types) and types["documentation"] <= PROBABLE


class Rule(NamedTuple):
    """Blocks that are kept though unlikely, or dropped though likely."""

    name: str
    action: Literal["keep", "drop"]
    blocks: Callable[[Evidence, Bools], Bools | None]  # evidence, the chosen blocks -> those that the rule is about
    reason: str  # what `explain` says about them
    bits: int  # of what it looks for; it is about none if a page has none of these
    pages: Callable[[Types], bool] | None = None  # on which it holds; None: on all
    recall: bool = True  # whether it holds with focus="recall"


def block_line(evidence: Evidence, block: int) -> str:
    """A block as a line of text."""
    page, opinion, *_ = evidence
    start, stop = page.start[opinion.blocks.first[block]], page.stop[opinion.blocks.last[block]]
    return " ".join(page.utf8[start:stop].replace(b"\0", b" ").decode().split())


def among(blocks: list[int], count: int) -> Bools:
    """The mask of some of so many blocks."""
    mask = np.zeros(count, bool)
    mask[blocks] = True
    return mask

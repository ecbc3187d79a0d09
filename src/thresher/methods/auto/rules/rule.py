"""What a rule is, what it reads, and on which pages it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.methods.auto.model import Opinion
from thresher.page import Page
from thresher.page.types import Bools, Bytes, Floats

__all__ = [
    "Evidence",
    "Rule",
    "among",
    "any_page",
    "article_or_service",
    "block_line",
    "flags",
    "maybe_article",
    "maybe_article_no_documentation",
    "words_before",
]

Types = Mapping[str, float]  # the probability of each page type

PROBABLE = 0.5  # more likely than not
_MAX_FORUM_OR_PRODUCT = 0.75  # real threads and products are told with more certainty


class Evidence(NamedTuple):
    """What a rule reads."""

    page: Page
    opinion: Opinion
    p: Floats  # (B,)  the network's probabilities, moved by the browser and the pages of the site


def any_page(types: Types) -> bool:
    return True


def article_or_service(types: Types) -> bool:
    return types["article"] + types["service"] > PROBABLE


def maybe_article(types: Types) -> bool:
    """More likely an article than any other type, or not clearly a thread or a product: a page in another language, or
    without names, is often taken for another type."""
    return types["article"] >= max(types.values()) or types["forum"] + types["product"] <= _MAX_FORUM_OR_PRODUCT


def maybe_article_no_documentation(types: Types) -> bool:
    return maybe_article(types) and types["documentation"] <= PROBABLE


@dataclass(frozen=True, slots=True)
class Rule:
    """Blocks that are kept though unlikely, or dropped though likely."""

    name: str
    action: Literal["keep", "drop"]
    blocks: Callable[[Evidence, Bools], Bools | None]  # evidence, the chosen blocks -> those that the rule is about
    reason: str  # what `explain` says about them
    pages: Callable[[Types], bool] = any_page  # on which it holds
    recall: bool = True  # whether it holds with focus="recall"


def block_line(evidence: Evidence, block: int) -> str:
    """A block as a line of text."""
    page, opinion, _ = evidence
    start, stop = page.start[opinion.blocks.first[block]], page.stop[opinion.blocks.last[block]]
    return " ".join(page.utf8[start:stop].replace(b"\0", b" ").decode().split())


def among(blocks: list[int], count: int) -> Bools:
    """The mask of some of so many blocks."""
    mask = np.zeros(count, bool)
    mask[blocks] = True
    return mask


def flags(mask: Bools) -> Bytes:
    """A mask as loops want it."""
    return mask.view(np.uint8)


def words_before(words: NDArray[np.floating]) -> Floats:
    """The sums of all before each block, and of all."""
    sums = np.zeros(len(words) + 1)
    np.cumsum(words, out=sums[1:])
    return sums

"""Every block of a page with what was decided about it, for people who ask why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.output.containers import JOINED, gaps
from thresher.page import Page
from thresher.page.columns import chars
from thresher.page.tree import block_first, block_sum
from thresher.page.types import Bools
from thresher.page.xpath import xpath, xpaths
from thresher.result.set_aside import doubts
from thresher.text.invisible import without_invisible
from thresher.text.printing import plain
from thresher.visible.hidden import causes
from thresher.visible.readable import in_doubt, readable

if TYPE_CHECKING:
    from thresher.result.extraction import Extraction

__all__ = ["Block", "block_table", "blocks", "unseen"]

_TEXT_WIDTH = 60  # characters of a block in a table


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text with no block boundary inside, and what was decided about it."""

    text: str
    kept: bool
    score: float  # 0 … 1, how much it looks like main content
    reasons: tuple[str, ...]  # why, in words, the weightiest first
    xpath: str  # the innermost element around the whole block
    number: int = -1  # of the block in `page.block`


def blocks(result: Extraction) -> Iterator[Block]:
    """The blocks that a reader sees, those that were recovered from hidden panels, and those that a strict judge left
    out in doubt."""
    page, keep = result.page, result.keep
    seen = readable(page) | keep | in_doubt(page)
    why = doubts(page) if page.strict else {}
    numbers = np.flatnonzero(block_sum(page, chars(page) * seen))
    first = block_first(page)
    last = np.append(first[1:], len(page.start))
    texts = [
        np.flatnonzero(seen[a:b]) + a for a, b in zip(first[numbers].tolist(), last[numbers].tolist(), strict=True)
    ]
    paths = xpaths(page, [_common_ancestor(page, some) for some in texts])
    apart = _apart(page, seen)
    for number, some, path in zip(numbers.tolist(), texts, paths, strict=True):
        reasons = list(result.verdict.reasons(number)) if result.verdict.reasons is not None else []
        if why:
            here = dict.fromkeys(why[text] for text in some.tolist() if text in why)
            reasons = [f"hidden: {cause}" for cause in here] + reasons
        yield Block(
            text=_joined(page, some, apart),
            kept=bool(keep[some].any()),
            score=float(result.score[number]),
            reasons=tuple(map(without_invisible, reasons)),  # they quote names of the page
            xpath=path,
            number=number,
        )


def unseen(result: Extraction) -> Iterator[Block]:
    """What the page hides from its readers and the result leaves out, by the outermost element that hides it."""
    page = result.page
    out = ~(readable(page) | result.keep)
    apart = _apart(page, out)
    done = 0  # rows
    for row, cause in causes(page).items():
        texts = np.flatnonzero(out[page.first[row] : page.last[row]]) + page.first[row]
        if row >= done and len(texts):
            done = int(page.end[row])
            reason = without_invisible(f"hidden: {cause}")  # it quotes the page's style sheet
            yield Block(_joined(page, texts, apart), False, 0.0, (reason,), xpath(page, row))


def _apart(page: Page, some: Bools) -> Bools:
    """Which texts stand apart from the one before them, as they do in the forms of the result."""
    apart = np.ones(len(some), bool)
    apart[some] = gaps(page, some.nonzero()[0]) != JOINED
    return apart


def _joined(page: Page, texts: NDArray[np.integer[Any]], apart: Bools) -> str:
    """The texts of a block on one line."""
    pieces = zip(apart[texts].tolist(), page.cut(texts), strict=True)
    return " ".join(without_invisible("".join(" " * gap + piece for gap, piece in pieces)).split())


def _common_ancestor(page: Page, texts: NDArray[np.integer[Any]]) -> int:
    """The innermost element that holds all these texts."""
    row = int(page.owner[texts[0]])
    while page.last[row] <= texts[-1]:
        row = int(page.parent[row])
    return row


def block_table(blocks: Iterable[Block]) -> str:
    """Blocks as lines of a table for people: kept or not, score, text, reasons."""
    lines = []
    for block in blocks:
        text = " ".join(plain(block.text).split())
        short = text if len(text) <= _TEXT_WIDTH else text[: _TEXT_WIDTH - 1] + "…"
        reasons = plain("; ".join(block.reasons))
        lines.append(f"{'✓' if block.kept else '✗'} {block.score:.2f}  {short:<{_TEXT_WIDTH}}  {reasons}".rstrip())
    return "\n".join(lines)

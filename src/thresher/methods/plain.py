"""Plain: everything that is text.  The floor each method must beat (Gottron's "plain" baseline, paper 004, Table II).

Text that no reader sees (hidden elements, templates, the head) is no text of the page.
"""

from __future__ import annotations

from dataclasses import dataclass

from thresher.page import Page
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "judge"]


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    """There is nothing to choose."""


def judge(page: Page, options: Options = Options()) -> Verdict:
    """Keep every readable text."""
    return Verdict(page, readable(page))

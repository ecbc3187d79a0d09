"""The elements of a page whose class, rel or tag name says that they hold an author or a date."""

from __future__ import annotations

from functools import cached_property

from thresher.metadata.byline_area import BylineArea, elements_named
from thresher.page.parts import Parts

__all__ = ["AUTHOR_WORDS", "DATE_WORDS", "MAX_BYLINE_LENGTH", "BylineElements", "Named"]

MAX_BYLINE_LENGTH = 160  # characters of a byline
AUTHOR_WORDS = frozenset(
    "author authors byline bylines writer writers username contributor contributors poster creator".split()
)
DATE_WORDS = frozenset(
    """date dates datetime dateline published publish pubdate postdate publishdate publication time timestamp timeago
    posted created updated modified""".split()
)
# What all these words contain.
_WORD_PARTS = Parts(*b"uthor yline riter sername ontributor poster creator ate ublish ime osted odified".split())

Named = dict[int, set[str]]  # row -> the words of its class


class BylineElements:
    """Elements whose class says that they hold an author or a date, with the words of the class; computed on demand."""

    def __init__(self, area: BylineArea) -> None:
        self.area = area

    @cached_property
    def near(self) -> Named:
        """Those close to the heading."""
        return elements_named(self.area.page, _WORD_PARTS, AUTHOR_WORDS | DATE_WORDS, self.area.first, self.area.last)

    @cached_property
    def anywhere(self) -> Named:
        """Those of the whole page."""
        return elements_named(self.area.page, _WORD_PARTS, AUTHOR_WORDS | DATE_WORDS)

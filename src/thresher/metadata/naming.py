"""The elements of a page that name an author or a date in their class, their rel or their own name."""

from __future__ import annotations

from functools import cached_property

from thresher.metadata.surroundings import Place, named

__all__ = ["AUTHOR_WORDS", "DATE_WORDS", "LONGEST", "Named", "Names"]

LONGEST = 160  # characters of a byline
AUTHOR_WORDS = frozenset(
    "author authors byline bylines writer writers username contributor contributors poster creator".split()
)
DATE_WORDS = frozenset(
    """date dates datetime dateline published publish pubdate postdate publishdate publication time timestamp timeago
    posted created updated modified""".split()
)
# What all these words contain.
_PARTS = tuple(b"uthor yline riter sername ontributor poster creator ate ublish ime osted odified".split())

Named = dict[int, set[str]]  # row -> the words of its class


class Names:
    """The elements that name an author or a date in their class, with the words of it; found when asked for."""

    def __init__(self, where: Place) -> None:
        self.where = where

    @cached_property
    def near(self) -> Named:
        """Those close to the heading."""
        return named(self.where.page, _PARTS, AUTHOR_WORDS | DATE_WORDS, self.where.first, self.where.last)

    @cached_property
    def anywhere(self) -> Named:
        """Those of the whole page."""
        return named(self.where.page, _PARTS, AUTHOR_WORDS | DATE_WORDS)

"""What is seen of a page, told text by text and row by row, with a walk to the root for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["Colours", "read", "up"]


def up(parent: Sequence[int], row: int) -> list[int]:
    """A row and those around it, from the inside out."""
    rows = []
    while row >= 0:
        rows.append(row)
        row = parent[row]
    return rows


def read(
    parent: Sequence[int], owner: Sequence[int], hidden: Sequence[Any], closed: Sequence[Any], kinds: Sequence[int]
) -> list[tuple[bool, bool, bool]]:
    """Of each text whether it is unread or hidden, in a fallback, in a link; `kinds` are those of the rows."""
    told = []
    for text, row in enumerate(owner):
        around = up(parent, row)
        unread = any(kinds[one] & 1 or (len(hidden) and hidden[one]) for one in around)
        unread = unread or bool(len(closed) and closed[text])
        told.append((unread, any(kinds[one] & 2 for one in around), any(kinds[one] & 4 for one in around)))
    return told


class Colours:
    """Colours by their numbers: 0 none, 1 any, 2 clear, 3 that of the text, 4 white."""

    def __init__(self, parent: Sequence[int], winners: Sequence[Sequence[int]], number: Sequence[int],
                 traits: Sequence[int], levels: Sequence[int], external: bool) -> None:  # fmt: skip
        self.parent, self.number, self.traits, self.levels, self.external = parent, number, traits, levels, external
        self.color, self.fill, self.background, self.clip, self.shadow, self.stroke = winners
        self.ground = 0 if external else 4

    def own(self, winner: Sequence[int], row: int) -> int:
        return self.number[winner[row]] if len(winner) else 0

    def has(self, winner: Sequence[int], row: int, trait: int) -> bool:
        return bool(len(winner) and self.traits[winner[row]] & trait)

    def nearest(self, row: int, stands: Callable[[int], Any]) -> int | None:
        return next((one for one in up(self.parent, row) if stands(one)), None)

    def alike(self, one: int, other: int) -> bool:
        if one == 1 or one == other:
            return one != 1
        if self.levels[one] < 0 or self.levels[other] < 0:
            return False
        pairs = zip(*(level.to_bytes(3, "big") for level in (self.levels[one], self.levels[other])), strict=True)
        return all(abs(left - right) <= 4 for left, right in pairs)

    def text(self, row: int) -> int:
        told = self.nearest(row, lambda one: self.own(self.color, one) > 0)
        filled = self.nearest(row, lambda one: self.own(self.fill, one) > 0)
        fill = 0 if filled is None else self.own(self.fill, filled)
        return fill if fill not in (0, 3) else 0 if told is None else self.own(self.color, told)

    def is_far(self, row: int) -> bool:
        for winner in (self.color, self.fill):
            told = self.nearest(row, lambda one, winner=winner: self.own(winner, one) > 0)
            if told is not None and self.has(winner, told, 2):
                return True
        return False

    def declared(self, row: int) -> int:
        colour = self.own(self.background, row)
        colour = (self.text(row) or 1) if colour == 3 else colour
        return 0 if colour == 2 else colour

    def cuts(self, row: int) -> bool:
        """Whether a background is cut out to the shape of the text."""
        return self.has(self.clip, row, 1)

    def is_seen_cut_out(self, row: int) -> bool:
        if not self.cuts(row) or (self.declared(row) == 0 and not self.external):
            return False
        painted = self.nearest(row, lambda one: self.declared(one) > 0 and not self.cuts(one))
        return not self.alike(self.declared(row), self.ground if painted is None else self.declared(painted))

    def painted(self, row: int) -> int:
        return 0 if self.cuts(row) and not self.is_seen_cut_out(row) else self.declared(row)

    def vanishes(self, row: int, own_texts_only: bool) -> bool:
        nearest = self.nearest(row, lambda one: self.painted(one) > 0)
        around = self.ground if nearest is None else self.painted(nearest)
        behind = self.painted(row) if self.external and self.is_far(row) else around
        text, path = self.text(row), up(self.parent, row)
        unseen = text == 2 or (text > 0 and self.alike(text, behind))
        unseen |= any(self.own(self.background, one) == 3 for one in path)
        for winner in (self.shadow, self.stroke):
            told = self.nearest(row, lambda one, winner=winner: len(winner) and winner[one] > 0)
            colour = 0 if told is None else self.own(winner, told)
            unseen &= colour in (0, 2) or self.alike(colour, around)
        return unseen and not any(map(self.is_seen_cut_out, path)) and (own_texts_only or not self.external)

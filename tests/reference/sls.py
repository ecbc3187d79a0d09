"""SLS: walk, write down lengths, average over the neighbours, compare."""

from __future__ import annotations

from statistics import pstdev

from tests.reference.segments import is_shown, seen_chars, walk
from thresher.methods.sls import STRUCTURAL
from thresher.page import Page
from thresher.visible.readable import readable


def string_array(page: Page, segment: int) -> list[tuple[int, int | None]]:
    """(length, text) for every string and (0, None) at every structural tag."""
    chars, array = seen_chars(page), list[tuple[int, int | None]]()
    for event, number in walk(page, segment):
        if event == "text" and readable(page)[number]:
            array.append((chars[number], number))
        elif event == "open" and page.name(number) in STRUCTURAL and is_shown(page, number):
            array.append((0, None))
    return array


def smoothed(lengths: list[float], radius: int) -> list[float]:
    """Equation 1."""
    padded = [0.0] * radius + lengths + [0.0] * radius
    return [sum(padded[k : k + 2 * radius + 1]) / (2 * radius + 1) for k in range(len(lengths))]


def kept(page: Page, segment: int, radius: int) -> set[int]:
    array = string_array(page, segment)
    if not any(length for length, _ in array):
        return set()
    e = smoothed([length for length, _ in array], radius)
    deviation = pstdev(e)
    return {k for value, (_, k) in zip(e, array, strict=True) if k is not None and value >= deviation}

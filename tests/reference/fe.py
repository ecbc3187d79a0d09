"""FE and K-FE: cut at block tags while walking, count, compare; k-means one block at a time."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference.segments import is_shown, linked, seen_words, walk
from thresher.methods.fe import BLOCK_TAGS, FEATURES
from thresher.page import Page


def blocks(page: Page) -> list[tuple[list[int], list[int]]]:
    """(texts, counts of the features) of each block that has a text.  What stands before the next text, without a
    text of its own, belongs to the block before."""
    found: list[tuple[list[int], list[int]]] = []
    words = seen_words(page)
    waiting = [0] * (len(FEATURES) + 2)  # what comes before the first text of the page
    cut = True
    since_cut = list(waiting)
    for event, number in walk(page):
        if event != "text" and page.name(number) in BLOCK_TAGS:
            _add(found[-1][1] if found else waiting, since_cut)
            since_cut, cut = [0] * len(since_cut), True
        if event == "open":
            parent = int(page.parent[number])
            if is_shown(page, max(parent, 0)):
                for place, names in enumerate(FEATURES.values(), 2):
                    since_cut[place] += page.name(number) in names
        elif event == "text":
            if cut:
                found.append(([], [0] * len(since_cut)))
                cut = False
            found[-1][0].append(number)
            _add(found[-1][1], since_cut)
            since_cut = [0] * len(since_cut)
            found[-1][1][linked(page, number)] += words[number]
    _add(found[-1][1] if found else waiting, since_cut)
    if not found:
        return [([], waiting)]
    _add(found[0][1], waiting)
    return found


def _add(counts: list[int], more: list[int]) -> None:
    for place, number in enumerate(more):
        counts[place] += number


def winner(counts: list[list[int]]) -> int | None:
    eligible = [b for b, n in enumerate(counts) if n[0] > sum(n[1:])]
    return max(eligible, key=lambda b: (counts[b][0], -b), default=None)


def clusters(x: Sequence[Sequence[float]], k: int, start: int) -> list[int]:
    """Lloyd's algorithm from the start and the points farthest from the starts so far."""
    centres = [list(x[start])]
    while len(centres) < k:
        far = [min(_squared(point, centre) for centre in centres) for point in x]
        if max(far) == 0:
            break
        centres.append(list(x[far.index(max(far))]))
    labels: list[int] = []
    while True:
        new = [min(range(len(centres)), key=lambda c: (_squared(point, centres[c]), c)) for point in x]
        if new == labels:
            return labels
        labels = new
        for c in range(len(centres)):
            mine = [point for point, label in zip(x, labels, strict=True) if label == c]
            if mine:
                centres[c] = [sum(values) / len(mine) for values in zip(*mine, strict=True)]


def _squared(a: Sequence[float], b: Sequence[float]) -> float:
    return sum((p - q) ** 2 for p, q in zip(a, b, strict=True))

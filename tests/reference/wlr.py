"""WLR: count words and leaves below each element."""

from __future__ import annotations

from tests.reference.segments import body, branch, is_shown, own_texts, seen_words, texts, walk
from thresher.page import Page
from thresher.visible.readable import readable


def leaves(page: Page, row: int) -> list[tuple[str, int]]:
    """The readable texts and the empty elements below an element, or the element itself, in order."""
    found = []
    for event, number in walk(page, row):
        is_text = event == "text" and readable(page)[number]
        is_empty = event == "open" and len(branch(page, number)) == 1 and not own_texts(page, number)
        if is_text or (is_empty and is_shown(page, number)):
            found.append((event, number))
    return found


def ratio(page: Page, row: int) -> float:
    words = seen_words(page)
    return sum(words[k] for k in texts(page, row)) / max(len(leaves(page, row)), 1)


def relevance(page: Page, row: int, position: bool) -> float:
    top, words = body(page), seen_words(page)
    if row not in branch(page, top):
        return 0
    size = sum(words[k] for k in texts(page, row)) / max(sum(words[k] for k in texts(page, top)), 1)
    return ratio(page, row) * size * (1 - abs(middle(page, row, top) - 0.5) if position else 1)


def middle(page: Page, row: int, top: int) -> float:
    everything, own = leaves(page, top), leaves(page, row)
    if not own:
        return 0.5
    return (everything.index(own[0]) + len(own) / 2) / len(everything)

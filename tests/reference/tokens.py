"""A page as a list of tokens, read from the tree node by node; and as a list of characters, read from the markup."""

from __future__ import annotations

import re

from thresher.data.tags import VOID
from thresher.page import Page
from thresher.page.columns import words
from thresher.visible.readable import readable

TAG = None  # a tag, or a byte of one; a word, or a character, is the number of its text


def tokens(page: Page) -> list[int | None]:
    """Words and tags in document order."""
    count = words(page) * readable(page)
    sequence: list[int | None] = []
    for unit in nodes(page):
        sequence += [TAG] if unit is TAG else [unit] * int(count[unit])
    return sequence


def nodes(page: Page) -> list[int | None]:
    """Texts and tags in document order."""
    found = [(int(at), "element", row) for row, at in enumerate(page.tag_start)]
    found += [(int(at), "text", k) for k, at in enumerate(page.position)]
    sequence: list[int | None] = []
    open_: list[int] = []
    for _, kind, number in sorted(found):
        holder = int(page.parent[number] if kind == "element" else page.owner[number])
        while open_ and open_[-1] != holder:
            sequence += _closing(page, open_.pop())
        if kind == "element":
            sequence.append(TAG)
            open_.append(number)
        else:
            sequence.append(number)
    while open_:
        sequence += _closing(page, open_.pop())
    return sequence


def _closing(page: Page, row: int) -> list[None]:
    holds_something = page.end[row] > row + 1 or page.last[row] > page.first[row]
    return [] if page.name(row) in VOID and not holds_something else [TAG]


def characters(page: Page, anchors: bool = True) -> list[int | None]:
    """Content characters, each as the number of its text, and a None for each byte of code."""
    sequence: list[int | None] = []
    done = 0
    seen = readable(page)
    for k, text in enumerate(page.text):
        if not seen[k]:
            continue
        start = int(page.position[k])
        sequence += [TAG] * len(_code(page.markup[done:start], anchors))
        sequence += [k] * len(re.sub("[\x00-\x20]+", " ", text).strip(" "))
        done = page.markup.index(b"<", start)
    return sequence + [TAG] * len(_code(page.markup[done:], anchors))


def _code(markup: bytes, anchors: bool) -> bytes:
    """Code as it counts: without the tags of links, if they are to be ignored; those inside comments are no tags."""
    if anchors:
        return markup
    return re.sub(rb"(<!--.*?(?:-->|$))|<a(?: [^>]*)?>|</a>", lambda match: match[1] or b"", markup, flags=re.DOTALL)


def half(sequence: list[int | None], chosen: list[bool], texts: int) -> list[bool]:
    """Which texts have half of their units chosen, or more."""
    every = [0] * texts
    ours = [0] * texts
    for unit, is_chosen in zip(sequence, chosen, strict=True):
        if unit is not None:
            every[unit] += 1
            ours[unit] += is_chosen
    return [2 * mine >= all_ > 0 for mine, all_ in zip(ours, every, strict=True)]

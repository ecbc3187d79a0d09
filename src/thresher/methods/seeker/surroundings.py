"""Where an element stands: its place in the page, the elements around it, those built like it, the core of the page.

place      share of the page's text and prose, what stands before and after, depth, distance to the main heading
around     the next larger element, and how much of it this one is
alike      how many elements have the same tag and class beside it and in the page, and how much text they hold
repeated   the ancestor that repeats with most text, as posts do: how much text, which part of it this is
core       the deepest element with most of the page's prose: inside, before, after it, and how many levels away
in, named  semantic elements around, and what class names say (see cues)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.data.tags import HEADINGS, NUMBER, TAGS, group
from thresher.methods.seeker.cues import CUES, cues
from thresher.methods.seeker.segments import holders
from thresher.methods.seeker.sums import BLOCKS, LINKED, PROSE, TEXT
from thresher.page import Page, attributes
from thresher.page.tree import levels
from thresher.page.types import Bools, Floats, Longs, Rows

__all__ = ["SURROUNDINGS", "Held", "surroundings"]


_INSIDE = {
    "navigation": ("nav", "menu"),
    "footer": ("footer",),
    "aside": ("aside",),
    "header": ("header",),
    "form": ("form", "fieldset"),
    "article": ("article",),
    "main": ("main",),
    "list": ("ul", "ol", "dl"),
    "table": ("table",),
}
_KINDS = (  # an order along which a tree can cut: small text, text, boxes of text
    HEADINGS, ("p", "pre", "blockquote", "figcaption"), ("li", "dt", "dd", "td", "th", "tr"), ("ul", "ol", "dl"),
    ("table", "tbody"), ("div", "section"), ("article", "main"), ("body",),
)  # fmt: skip
_KIND = np.zeros(len(TAGS))
for _order, _group in enumerate(_KINDS, 1):
    _KIND[[NUMBER[_tag] for _tag in _group]] = _order

_PLACE = ("text_share", "page_prose", "before", "after", "prose_before", "prose_after", "depth", "from_heading", "kind")
_AROUND = ("share", "prose", "anchor_ratio", "text_share", "page_prose", "blocks", "place", "kind", "children")
_ALIKE = ("beside", "page", "text", "longest")
_REPEATED = ("text", "share", "place", "members")
_CORE = ("side", "below", "above")
_CORES = (0.55, 0.8)  # shares of the page's prose that the deepest element around them holds

SURROUNDINGS: tuple[str, ...] = (
    *_PLACE,
    *(f"around {name}" for name in _AROUND),
    *(f"alike {name}" for name in _ALIKE),
    *(f"repeated {name}" for name in _REPEATED),
    *(f"core {share} {name}" for share in _CORES for name in _CORE),
    *(f"in {name}" for name in _INSIDE),
    *(f"named {name}" for name in CUES),
    *(f"in named {name}" for name in CUES),
)


class Held(NamedTuple):
    """What the candidates of a page hold."""

    rows: Rows  # (C,)  the candidates
    running: Floats  # sums over the texts before each (see sums)
    held: Floats  # (C, …)  the same sums over each candidate
    total: Floats  # over the page, at least 1
    child: Rows  # (C,)  candidates directly below each


def surroundings(page: Page, given: Held) -> Floats:
    """One row per candidate, one column per name in SURROUNDINGS."""
    rows, running, held, total, child = given
    parts = (
        _place(page, rows, running, held, total),
        _around(page, rows, held, total, child),
        *_alike(page, rows, held, total),
        *(_core(page, rows, held, total, share) for share in _CORES),
        _inside(page, rows),
        *_named(page, rows),
    )
    return np.concatenate(parts, axis=1)


def _place(page: Page, rows: Rows, running: Floats, held: Floats, total: Floats) -> Floats:
    before, after = running[page.first[rows]] / total, 1 - running[page.last[rows]] / total
    heading = np.flatnonzero((page.tag == NUMBER["h1"]) & (page.last > page.first))
    away = page.first[rows] - (page.first[heading[0]] if len(heading) else 0)
    signed = np.sign(away) * np.log1p(np.abs(away)) if len(heading) else np.full(len(rows), np.nan)
    return np.stack(
        (
            held[:, TEXT] / total[TEXT],
            held[:, PROSE] / total[PROSE],
            before[:, TEXT],
            after[:, TEXT],
            before[:, PROSE],
            after[:, PROSE],
            page.depth[rows],
            signed,
            _KIND[page.tag[rows]],
        ),
        axis=1,
    )


def _around(page: Page, rows: Rows, held: Floats, total: Floats, child: Rows) -> Floats:
    """The next larger candidate: the nearest one around that holds more text; the element itself where none does."""
    above = holders(page, rows)
    own = np.arange(len(rows))
    up = np.where(above < 0, own, above)
    while True:
        same = (held[up, TEXT] <= held[own, TEXT]) & (above[up] >= 0)
        if not same.any():
            break
        up = np.where(same, above[up], up)
    size, larger = np.maximum(held[:, TEXT], 1), np.maximum(held[up, TEXT], 1)
    texts = np.maximum(page.last[rows[up]] - page.first[rows[up]], 1)
    return np.stack(
        (
            size / larger,
            held[:, PROSE] / np.maximum(held[up, PROSE], 1),
            held[up, LINKED] / larger,
            larger / total[TEXT],
            held[up, PROSE] / total[PROSE],
            np.log1p(held[up, BLOCKS]),
            (page.first[rows] - page.first[rows[up]]) / texts,
            _KIND[page.tag[rows[up]]],
            np.log1p(child[up]),
        ),
        axis=1,
    )


def _alike(page: Page, rows: Rows, held: Floats, total: Floats) -> tuple[Floats, Floats]:
    """Elements of the same tag and class: beside each (same parent), in the page, and the text that these hold; and
    the ancestor, or the element itself, that repeats with most text."""
    sign = _signs(page)[rows]
    beside = np.unique(sign * len(page) + page.parent[rows], return_inverse=True)[1]
    everywhere = np.unique(sign, return_inverse=True)[1]
    text = np.bincount(everywhere, held[:, TEXT])
    longest = np.zeros(len(text))
    np.maximum.at(longest, everywhere, held[:, TEXT])
    members = np.bincount(everywhere)
    alike = np.stack(
        (
            np.log1p(np.bincount(beside))[beside],
            np.log1p(members)[everywhere],
            np.minimum((text / total[TEXT])[everywhere], 2),
            held[:, TEXT] / np.maximum(longest[everywhere], 1),
        ),
        axis=1,
    )
    # Repeated prose: that of all members but the longest, so that one long article is no repetition.
    prose = np.bincount(everywhere, held[:, PROSE])
    most = np.zeros(len(prose))
    np.maximum.at(most, everywhere, held[:, PROSE])
    score = (prose - most)[everywhere] / total[PROSE]
    best = _best_around(page, rows, score)
    texts = np.maximum(page.last[rows[best]] - page.first[rows[best]], 1)
    repeated = np.stack(
        (
            np.minimum(score[best], 2),
            held[:, TEXT] / np.maximum(held[best, TEXT], 1),
            (page.first[rows] - page.first[rows[best]]) / texts,
            np.log1p(members)[everywhere[best]],
        ),
        axis=1,
    )
    return alike, repeated


def _signs(page: Page) -> Longs:
    """A number for the tag and the class of each element, digits in class names left out (post-4711)."""
    sign = page.tag.astype(np.int64)
    row, code, values = attributes.distinct_bytes(page, "class")
    known: dict[bytes, int] = {}
    number = [known.setdefault(value.translate(None, b"0123456789"), len(known) + 1) for value in values]
    sign[row] += np.array(number, np.int64)[code] << 16
    return sign


def _best_around(page: Page, rows: Rows, score: Floats) -> Rows:
    """For each candidate the one among itself and those around it with the highest score, level by level."""
    position = np.full(len(page), -1)
    position[rows] = np.arange(len(rows))
    padded = np.append(score, -1.0)  # position -1: no candidate
    best = position.copy()
    for level in levels(page)[1:]:
        above = best[page.parent[level]]
        best[level] = np.where(padded[above] >= padded[position[level]], above, position[level])
    found: Rows = best[rows]
    return found


def _core(page: Page, rows: Rows, held: Floats, total: Floats, share: float) -> Floats:
    """The deepest candidate with that share of the page's prose: on which side of it each candidate lies, how many
    levels below it, and how many levels above it the two meet.

    Elements with more than half of the prose contain each other, so the deepest is the last.
    """
    chain = rows[held[:, PROSE] >= share * total[PROSE]]
    if not len(chain):
        return np.full((len(rows), len(_CORE)), np.nan)
    core = int(chain[-1])
    inside = (rows >= core) & (rows < page.end[core])
    contains = (rows < core) & (page.end[rows] > core)
    side = np.where(inside, 0.0, np.where(contains, 1.0, np.where(rows < core, -1.0, 2.0)))
    meets = np.minimum(  # of the chain that contain each: they open one after the other and close in reverse
        np.searchsorted(chain, rows, side="right"),
        len(chain) - np.searchsorted(page.end[chain[::-1]], rows, side="right"),
    )
    below = np.where(inside, page.depth[rows] - page.depth[core], -1)
    return np.stack((side, below, len(chain) - meets), axis=1).astype(np.float64)


def _inside(page: Page, rows: Rows) -> Floats:
    return _on_path(page, np.stack([group(names)[page.tag] for names in _INSIDE.values()], axis=1))[rows].astype(float)


def _named(page: Page, rows: Rows) -> tuple[Floats, Floats]:
    """What the names of each candidate say, and those of the elements around it."""
    own = cues(page)
    own[page.depth < 2] = False  # html and body carry the names of the whole site
    around = _on_path(page, own)
    above = np.maximum(page.parent[rows], 0)
    return own[rows].astype(float), around[above].astype(float)


def _on_path(page: Page, marks: Bools) -> Bools:
    """Which marks stand on each element or one around it, level by level."""
    bits = marks @ (1 << np.arange(marks.shape[1]))
    for level in levels(page)[1:]:
        bits[level] |= bits[page.parent[level]]
    found: Bools = (bits[:, None] >> np.arange(marks.shape[1]) & 1).astype(bool)
    return found

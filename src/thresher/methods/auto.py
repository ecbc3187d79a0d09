"""Auto: the default.  Blocks are judged by their text, their containers and their neighbours, all at once.

    score_b = σ(w₀ + Σ_f w_f · x_bf)          kept where score ≥ threshold(focus)

The features x (see `features`) come from the page's columns; the weights w are fitted to labelled pages and stand,
with their card, in data/auto.json.  Two of the features carry most of the evidence:

chaff   the block stands in a container whose tag, class or id says menu, footer, sharing, advertisement, … .  Such a
        container only counts when it holds less than 40 % of the page's prose: a name never throws the article away.
column  the block stands in the innermost element that holds 70 % of the prose outside chaff.

Prose is text of blocks with a sentence end and few links.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.columns import (
    block_chars,
    block_link_density,
    chars,
    column,
    in_link,
    link_density,
    readable,
    sentence_ends,
    words,
)
from thresher.data.tags import HEADINGS, group
from thresher.page import Page
from thresher.tree import block_first, block_sum, text_sum, within

__all__ = ["Options", "extract", "features", "reasons", "scores"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Options:
    """`focus` moves the threshold on the same scores."""

    focus: Literal["precision", "balanced", "recall"] = "balanced"


_THRESHOLD = {"precision": 0.6, "balanced": 0.4, "recall": 0.2}
_REASON = 0.4  # a feature that moves the score's argument by less is no reason


def extract(page: Page, options: Options = Options()) -> Bools:
    """Keep the readable texts of blocks whose score reaches the threshold."""
    if not len(page.block):
        return np.zeros(0, bool)
    return (scores(page) >= _THRESHOLD[options.focus])[page.block] & readable(page)


def scores(page: Page, options: Options = Options()) -> Floats:
    """σ(w₀ + x w) for every block."""
    return _scores(page)


@column
def _scores(page: Page) -> Floats:
    bias, weight, _ = _weights()
    return 1 / (1 + np.exp(-(features(page) @ weight + bias)))


def reasons(page: Page, block: int) -> Iterator[str]:
    """The features that moved this block's score most, in words; the weightiest first."""
    _, weight, typical = _weights()
    value = features(page)[block]
    moved = (value - typical) * weight
    said = [_FEATURES[index][int(value[index] > typical[index])] for index in range(len(value))]
    spoken = [index for index in np.argsort(-np.abs(moved)).tolist() if said[index]]
    for index in spoken[:3]:
        if abs(moved[index]) >= _REASON:
            yield f"{'for' if moved[index] > 0 else 'against'}: {said[index]}"


# Each feature, in words when it is low and when it is high; "" where its absence says nothing to a reader.
_FEATURES: tuple[tuple[str, str], ...] = (
    ("little text", "much text"),
    ("few links", "many links"),
    ("no sentences", "whole sentences"),
    ("", "three words or fewer"),
    ("", "a heading"),
    ("", "the main heading"),
    ("", "a list item"),
    ("", "a table cell"),
    ("", "a paragraph"),
    ("", "code or a quotation"),
    ("", "inside navigation"),
    ("", "inside a footer"),
    ("", "inside an aside"),
    ("", "inside the page header"),
    ("", "inside an article element"),
    ("", "inside the main element"),
    ("", "inside a form or button"),
    ("", "a container named as chaff (menu, share, related, …)"),
    ("", "a container named as content (article, post, entry, …)"),
    ("outside the main column", "inside the main column"),
    ("few links around", "many links around"),
    ("little of the page's prose around", "much of the page's prose around"),
    ("little text just before", "text just before"),
    ("little text just after", "text just after"),
    ("", "text two blocks before"),
    ("", "text two blocks after"),
    ("", "links just before"),
    ("", "links just after"),
    ("early in the page", "late in the page"),
    ("a small container", "a large container"),
    ("", "links in the main column"),
    ("", "a heading in the main column"),
    ("", "a linked list item"),
    ("near the root", "deep in the tree"),
)

_CHAFF_SHARE = 0.4  # of the page's prose: what holds more is not chaff, whatever it is called
_COLUMN_SHARE = 0.7  # of the prose outside chaff
_MAX_LINKS = 0.35  # link density above which a block is no prose
_CLIMB = 12  # steps up to a block's container

_QUOTED = ("pre", "code", "blockquote")
_INSIDE = (HEADINGS, ("h1",), ("li", "dd", "dt"), ("td", "th"), ("p",), _QUOTED, ("article",), ("main",))
_GROUPS = np.stack([group(names) for names in _INSIDE])
_OUTSIDE = (("nav", "menu"), ("footer",), ("aside",), ("header",), ("form", "button", "label", "fieldset"))
_CHAFF_GROUPS = np.stack([group(names) for names in _OUTSIDE])


@column
def features(page: Page) -> Floats:
    """x: one row per block, one column per entry of the table above."""
    first = block_first(page)
    at = page.owner[first]  # the element each block starts in
    total = block_chars(page).astype(float)
    linked = block_link_density(page)
    seen = chars(page) * readable(page)
    ends = block_sum(page, sentence_ends(page) * readable(page))

    prose = seen * ~in_link(page) * ((ends > 0) & (linked < _MAX_LINKS))[page.block]
    held = text_sum(page, prose)
    small = held < _CHAFF_SHARE * max(held[0], 1)
    named_chaff, named_content = _named(page)
    chaff = within(page, np.column_stack((_CHAFF_GROUPS[:, page.tag].T, named_chaff)) & small[:, None])
    inside = within(page, np.column_stack((_GROUPS[:, page.tag].T, named_content)))
    nav, footer, aside, header, form, chaff_name = chaff[at].T
    heading, h1, item, cell, paragraph, quoted, article, main, content_name = inside[at].T

    # Elements that hold 70 % of one sum are nested in each other, so the last of them is the innermost.
    in_chaff = np.any(chaff[:, [0, 1, 2, 4, 5]], axis=1)  # not headers: titles stand there
    clean = text_sum(page, prose * ~in_chaff[page.owner])
    column_row = int(np.flatnonzero(clean >= _COLUMN_SHARE * clean[0])[-1])
    in_column = (at >= column_row) & (at < page.end[column_row])

    text_in = text_sum(page, seen)
    around = _container(page, at, text_in, total)
    size = np.log1p(total)
    unlinked = size * (1 - linked)
    place = np.arange(len(first)) / max(len(first), 1)
    return np.column_stack(
        [
            size, linked, np.minimum(ends, 3), block_sum(page, words(page) * readable(page)) <= 3,
            heading, h1, item, cell, paragraph, quoted, nav, footer, aside, header & ~article, article, main, form,
            chaff_name, content_name, in_column, link_density(page)[around], held[around] / max(held[0], 1),
            _shifted(unlinked, 1), _shifted(unlinked, -1), _shifted(unlinked, 2), _shifted(unlinked, -2),
            _shifted(linked, 1), _shifted(linked, -1), place, np.minimum(np.log1p(text_in[around]), 12),
            in_column * linked, in_column & heading, item * linked, page.depth[at] / 20,
        ]
    ).astype(float)  # fmt: skip


def _named(page: Page) -> tuple[Bools, Bools]:
    """Which elements have a class or id with a word that names chaff, and which one with a word that names content.

    All distinct names are taken apart at once: whatever is no letter separates words, a line break separates names.
    """
    chaff, content = _container_words()
    flags = np.zeros((len(page), 2), bool)
    for attribute in ("class", "id"):
        rows, code, values = attributes.distinct(page, attribute)
        names = (
            "\n".join([value.replace("\n", " ") for value in values]).encode().translate(_APART).split(b"\n")
            if values
            else []
        )
        said = [(not chaff.isdisjoint(words), not content.isdisjoint(words)) for words in map(bytes.split, names)]
        flags[rows] |= np.array(said, bool).reshape(-1, 2)[code]
    return flags[:, 0], flags[:, 1]


_LETTERS = bytes(range(ord("a"), ord("z") + 1))
_APART = bytes(
    code if code in _LETTERS + b"\n" else code | 0x20 if code | 0x20 in _LETTERS else 0x20 for code in range(256)
)


def _container(page: Page, at: NDArray[np.int32], text_in: NDArray[Any], total: Floats) -> NDArray[np.int32]:
    """For each block the nearest element that holds half as much text again: what stands around it."""
    around: NDArray[np.int32] = at.copy()
    for _ in range(_CLIMB):
        climbs = (text_in[around] < 1.5 * total + 20) & (page.parent[around] >= 0)
        if not climbs.any():
            break
        around = np.where(climbs, page.parent[around], around)
    return around


def _shifted(x: Floats, by: int) -> Floats:
    """The value `by` blocks before, or after where `by` is negative; 0 beyond the ends."""
    moved = np.zeros_like(x)
    if by > 0:
        moved[by:] = x[:-by]
    else:
        moved[:by] = x[-by:]
    return moved


@cache
def _container_words() -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Words in names of containers of chaff, and of content."""
    lines = files("thresher").joinpath("data/container_words.txt").read_bytes().splitlines()
    groups = dict(line.split(b": ", 1) for line in lines if not line.startswith(b"#"))
    return frozenset(groups[b"chaff"].split()), frozenset(groups[b"content"].split())


@cache
def _weights() -> tuple[float, Floats, Floats]:
    """Bias, weights and each feature's typical value."""
    card = json.loads(files("thresher").joinpath("data/auto.json").read_text("utf-8"))
    return card["bias"], np.array(card["weights"]), np.array(card["typical"])

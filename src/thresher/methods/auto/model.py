"""The trained weights, and the page as the network wants it.

The weights are plain arrays in data/auto.npz, with a card in data/auto.json; they are read once, on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from thresher.methods._models import loader
from thresher.methods.auto.blocks import Blocks, blocks
from thresher.methods.auto.claims import claim_sums
from thresher.methods.auto.features import FEATURES, PAGE_AT, features
from thresher.methods.auto.names import BAGS, ROWS, name_sums
from thresher.methods.auto.network import Inputs, agreed, forward, logistic, page_types, summary
from thresher.methods.auto.wording import word_sums
from thresher.page import Page

__all__ = ["TYPES", "Opinion", "Weights", "inputs", "opinion", "weights", "whole_page", "within_range", "write"]

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Weights = Mapping[str, Floats]

TYPES = ("article", "collection", "documentation", "forum", "listing", "product", "service")
_WORDS, _LINKED = map(FEATURES.index, ("own words", "own linked"))
_MAIN_HEADING, _TITLE_WORDS = map(FEATURES.index, ("in main heading", "at title_words"))
_HEADING, _CODE, _CAPTION = map(FEATURES.index, ("in heading", "in code", "in caption"))
_TITLE, _VERBATIM = 0.5, 0.9  # share of a heading's words that the page's title has
_PHRASE = 3  # words


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """What the judge thinks of a page."""

    blocks: Blocks
    probability: Floats  # (B,)  that each block is content
    alone: Floats  # (B,)  the same before the items of lists and the cells of tables agreed
    words: Floats  # (B,)  words of each block, in any script
    linked: Floats  # (B,)  share of its characters in links
    title: Bools  # (B,)  main headings that say what the page's title says; if none does, the only one there is
    verbatim: Bools  # (B,)  headings of any level that are a phrase of the page's title
    heading: Bools  # (B,)
    listing: Bools  # (B,)  of code
    caption: Bools  # (B,)
    types: dict[str, float]  # probability of each page type


def opinion(page: Page, model: str = "") -> Opinion:
    """A model's opinion of a page: the shipped one's unless a file is named.  Computed once per page and model."""
    memo = page._memo
    key = f"judge.opinion {model}"
    if key not in memo:
        memo[key] = _opinion(page, weights(model))
    found: Opinion = memo[key]
    return found


def _opinion(page: Page, model: Weights) -> Opinion:
    given = inputs(page, model)
    trace = forward(model, given, traced=False)
    p = logistic(agreed(trace.logit, given))
    likely = page_types(model, summary(given, trace.last, p))
    words = np.expm1(given.x[:, _WORDS])
    return Opinion(
        blocks(page),
        p,
        logistic(trace.logit),
        words,
        given.x[:, _LINKED],
        *_titles(given.x[:, _MAIN_HEADING] > 0, given.x[:, _TITLE_WORDS], words),
        given.x[:, _HEADING] > 0,
        given.x[:, _CODE] > 0,
        given.x[:, _CAPTION] > 0,
        dict(zip(TYPES, likely.tolist(), strict=True)),
    )


def _titles(main: Bools, share: Floats, words: Floats) -> tuple[Bools, Bools]:
    """`title` and `verbatim` of an Opinion.  Many pages have no title in their head, that of their site, or one in
    other words, for search engines."""
    said: Bools = main & (share >= _TITLE)
    verbatim: Bools = (share >= _VERBATIM) & (words > _PHRASE - 0.5)
    return main if not said.any() and np.count_nonzero(main) == 1 else said, verbatim


def inputs(page: Page, model: Weights) -> Inputs:
    """Numbers, names, wording and claims of each block side by side."""
    found = blocks(page)
    x = np.empty((len(found), len(model["in.w"])), np.float32)
    numbers = x[:, : len(FEATURES)]
    features(page, out=numbers)
    within_range(numbers, model, out=numbers)
    named, worded = len(FEATURES) + len(BAGS) * model["names"].shape[1], -model["claims"].shape[1]
    x[:, len(FEATURES) : named] = name_sums(page, found, model["names"])
    x[:, named:worded] = word_sums(page, found, model["words"])
    x[:, worded:] = claim_sums(page, model["claims"])
    weight = x[:, _WORDS] + np.float32(1e-3)
    weight /= max(float(weight.sum()), 1e-6)
    return Inputs(x, weight, found.begin, found.stop, found.alike, found.together, whole_page(x, -worded))


def whole_page(x: Floats, claims: int) -> Floats:
    """The columns that are the same for all blocks: the features of the page, and the last ones, its claims."""
    row = x[:1].sum(axis=0)  # a page may have no block
    return np.concatenate((row[PAGE_AT], row[-claims:]))


def within_range(x: Floats, model: Weights, out: Floats | None = None) -> Floats:
    """The features, none beyond what training pages usually have: a page of ten thousand paragraphs is judged as one of
    some hundred, for nothing was learned about such numbers."""
    return np.minimum(np.maximum(x, model["low"], out=out), model["high"], out=out)


def _read(arrays: NpzFile) -> Weights:
    found = {name: np.ascontiguousarray(arrays[name], np.float32) for name in arrays.files}
    if len(found["in.w"]) != len(found["typical"]) or len(found["names"]) != ROWS or len(found["low"]) != len(FEATURES):
        raise ValueError("it was made for other features")
    if len(found["type.w"]) != 3 * len(found["out.w"]) + len(FEATURES[PAGE_AT]) + found["claims"].shape[1]:
        raise ValueError("it was made by an earlier version")
    for array in found.values():
        array.setflags(write=False)
    return found


# The weights in a file, or those that come with the package.
weights: Callable[..., Weights] = loader(_read, "thresher train auto", shipped="data/auto.npz")


def write(target: Path, model: Weights) -> None:
    """Weights as a file that `weights` reads; the vectors of names, words and claims as 16-bit numbers."""
    arrays: dict[str, Any] = {
        name: value.astype(np.float16 if name in _VECTORS else np.float32) for name, value in model.items()
    }
    with open(target, "wb") as file:
        np.savez_compressed(file, **arrays)


_VECTORS = ("names", "words", "claims")

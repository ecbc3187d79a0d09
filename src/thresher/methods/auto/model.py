"""The trained weights, and the page as the network wants it.

The weights are plain arrays in data/auto.npz, with a card in data/auto.json; they are read once, on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from thresher.methods._models import Arrays, loader, write_arrays
from thresher.methods.auto.blocks import Blocks, blocks
from thresher.methods.auto.claims import claim_sums
from thresher.methods.auto.features import FEATURES, features
from thresher.methods.auto.kernels.page_type import limit
from thresher.methods.auto.names import BAGS, name_sums
from thresher.methods.auto.network import Inputs, agreed, deeper_layers, logistic, product
from thresher.methods.auto.page_type import BAGS_OF_PAGE, TYPES, bags_of_page, page_numbers, page_types
from thresher.methods.auto.shapes import check
from thresher.methods.auto.wording import word_sums
from thresher.page import Page
from thresher.page.types import Bools, Singles

__all__ = [
    "TYPES",
    "Opinion",
    "Weights",
    "inputs",
    "is_judged",
    "mean_weights",
    "opinion",
    "title_headings",
    "weights",
    "within_range",
    "write",
]

Weights = Mapping[str, Singles]

_WORDS, _LINKED = map(FEATURES.index, ("own words", "own linked"))
_MAIN_HEADING, _TITLE_WORDS = map(FEATURES.index, ("in main heading", "at title_words"))
_HEADING, _CODE, _CAPTION = map(FEATURES.index, ("in heading", "in code", "in caption"))
_TITLE, _VERBATIM = 0.5, 0.9  # share of a heading's words that the page's title has
_PHRASE = 3  # words
_NO_NUMBERS: Singles = np.zeros((0, 0), np.float32)
_FURTHER_INPUTS = [column.name for column in fields(Inputs)][1:]


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """What the judge thinks of a page."""

    blocks: Blocks
    probability: Singles  # (B,)  that each block is content
    alone: Singles  # (B,)  the same before the items of lists and the cells of tables agreed
    words: Singles  # (B,)  words of each block, in any script
    linked: Singles  # (B,)  share of its characters in links
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


def is_judged(page: Page, model: str = "") -> bool:
    """Whether the model's opinion of the page is known already."""
    return f"judge.opinion {model}" in page._memo


def _opinion(page: Page, model: Weights) -> Opinion:
    given = inputs(page, model)
    words = np.expm1(given.x[:, _WORDS])
    seen = (
        words,
        given.x[:, _LINKED].copy(),
        title_headings(given.x),
        _verbatim(given.x, words),
        given.x[:, _HEADING] > 0,
        given.x[:, _CODE] > 0,
        given.x[:, _CAPTION] > 0,
    )
    entry = product(given.x, model["in.w"])
    # x is most of what a page takes in memory; the layers do without
    given = Inputs(_NO_NUMBERS, *(getattr(given, name) for name in _FURTHER_INPUTS))
    logit = deeper_layers(model, given, entry)
    p = logistic(agreed(logit, given))
    return Opinion(blocks(page), p, logistic(logit), *seen, dict(zip(TYPES, given.types.tolist(), strict=True)))


def title_headings(x: Singles) -> Bools:
    """`title` of an Opinion.  Many pages have no title in their head, that of their site, or one in other words, for
    search engines."""
    main: Bools = x[:, _MAIN_HEADING] > 0
    said: Bools = main & (x[:, _TITLE_WORDS] >= _TITLE)
    return main if not np.count_nonzero(said) and np.count_nonzero(main) == 1 else said


def _verbatim(x: Singles, words: Singles) -> Bools:
    verbatim: Bools = (x[:, _TITLE_WORDS] >= _VERBATIM) & (words > _PHRASE - 0.5)
    return verbatim


def inputs(page: Page, model: Weights) -> Inputs:
    """Numbers, names and wording of each block side by side; claims and types of the page."""
    found = blocks(page)
    x = np.empty((len(found), len(model["in.w"])), np.float32)
    numbers = x[:, : len(FEATURES)]
    features(page, out=x)
    within_range(x, model, out=x)
    weight = mean_weights(numbers)
    types = page_types(model, page_numbers(x, weight), bags_of_page(page))
    named = len(FEATURES) + len(BAGS) * model["names"].shape[1]
    worded = named + model["words"].shape[1]
    name_sums(page, found, model["names"], x[:, len(FEATURES) : named])
    word_sums(page, model["words"], x[:, named:worded])
    word_sums(page, model["headings"], x[:, worded:], numbers[:, _HEADING] > 0)
    claimed = claim_sums(page, model["claims"])
    return Inputs(x, claimed, types, weight, found.begin, found.stop, found.alike, found.together)


def mean_weights(numbers: Singles) -> Singles:
    """The weight of each block in a mean over the page: the logarithm of its words; the sum is 1."""
    weight: Singles = numbers[:, _WORDS] + np.float32(1e-3)
    weight /= max(float(np.add.reduce(weight)), 1e-6)
    return weight


def within_range(x: Singles, model: Weights, out: Singles | None = None) -> Singles:
    """The features, none beyond what training pages usually have: a page of ten thousand paragraphs is judged as one of
    some hundred, for nothing was learned about such numbers."""
    limited = x.copy() if out is None else out
    limit(limited, model["low"], model["high"])
    return limited


def _read(arrays: Arrays) -> Weights:
    found = {name: np.ascontiguousarray(arrays[name], np.float32) for name in arrays}
    check(found)
    for array in found.values():
        array.setflags(write=False)
    return found


# The weights in a file, or those that come with the package.
weights: Callable[..., Weights] = loader(_read, "thresher train auto", shipped="data/auto.npz")


def write(target: Path, model: Weights) -> None:
    """Weights as a file that `weights` reads; the vectors of names, words and claims as 16-bit numbers."""
    write_arrays(
        target, {name: value.astype(np.float16 if name in _VECTORS else np.float32) for name, value in model.items()}
    )


_VECTORS = ("names", "words", "headings", "claims", *(f"type.{name}" for name in BAGS_OF_PAGE))

"""The trained weights, and the page as the network wants it.

The weights are plain arrays in data/auto.npz, with a card in data/auto.json; they are read once, on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from thresher.methods._models import Arrays, loader, write_arrays
from thresher.methods.auto.blocks import Blocks, blocks
from thresher.methods.auto.claims import claim_sums
from thresher.methods.auto.elements import forget_elements
from thresher.methods.auto.features import FEATURES, features
from thresher.methods.auto.kernels import columns
from thresher.methods.auto.kernels.page_type import limit, look
from thresher.methods.auto.names import BAGS, name_sums
from thresher.methods.auto.network import MANY_BLOCKS, Inputs, Network, probabilities, product
from thresher.methods.auto.page_type import BAGS_OF_PAGE, TYPES, bags_of_page, page_numbers, page_types
from thresher.methods.auto.shapes import check
from thresher.methods.auto.wording import word_sums
from thresher.page import Page
from thresher.page.types import Bools, Bytes, Singles

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


class _Read(dict[str, Singles]):
    """The weights of a file, and what is made of them once."""

    @cached_property
    def network(self) -> Network:
        return Network(self)

    @cached_property
    def wording(self) -> Singles:
        """The two vectors of each word side by side."""
        return np.concatenate((self["words"], self["headings"]), axis=1)


_NUMBERS = len(FEATURES)  # columns of x; behind them names and wording
_WORDS, _HEADING = map(FEATURES.index, ("own words", "in heading"))
_SEEN = ("own words", "own linked", "in heading", "in main heading", "in code", "in caption", "at title_words")
_SEEN_AT = np.array([FEATURES.index(name) for name in _SEEN], np.int32)
_NO_NUMBERS: Singles = np.zeros((0, 0), np.float32)
_NO_BOUNDS: Singles = np.zeros(0, np.float32)


class Opinion(NamedTuple):
    """What the judge thinks of a page."""

    blocks: Blocks
    probability: Singles  # (B,)  that each block is content
    alone: Singles  # (B,)  the same before the items of lists and the cells of tables agreed
    words: Singles  # (B,)  words of each block, in any script
    linked: Singles  # (B,)  share of its characters in links
    kinds: Bytes  # (5, B)  which are titles, headings that are a phrase of the page's title, headings, code, captions
    types: dict[str, float]  # probability of each page type

    @property
    def title(self) -> Bools:
        """Main headings that say what the page's title says; if none does, the only one there is."""
        titles: Bools = self.kinds[columns.KIND_TITLE].view(bool)
        return titles

    @property
    def heading(self) -> Bools:
        headings: Bools = self.kinds[columns.KIND_HEADING].view(bool)
        return headings


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


def _opinion(page: Page, model: _Read) -> Opinion:
    found = blocks(page)
    if len(found) <= MANY_BLOCKS:
        given = inputs(page, model)
        seen, entry = _seen(given.x), product(given.x, model.network.entry)
    else:
        given, seen, entry = _in_two_parts(page, model, found)
    given.x = _NO_NUMBERS  # most of what a page takes in memory; the layers do without
    p, alone = probabilities(model.network.logits(given, entry), given)
    return Opinion(found, p, alone, *seen, dict(zip(TYPES, given.types.tolist(), strict=True)))


def _seen(x: Singles) -> tuple[Singles, Singles, Bytes]:
    """What an Opinion says of blocks with these features."""
    seen, kinds = np.empty((2, len(x)), np.float32), np.empty((columns.KINDS, len(x)), np.uint8)
    look(x, _SEEN_AT, seen, kinds)
    return seen[0], seen[1], kinds


def title_headings(x: Singles) -> Bools:
    """`title` of an Opinion.  Many pages have no title in their head, that of their site, or one in other words, for
    search engines."""
    titles: Bools = _seen(x)[2][columns.KIND_TITLE].view(bool)
    return titles


def inputs(page: Page, model: _Read) -> Inputs:
    """Numbers, names and wording of each block side by side; claims and types of the page."""
    found = blocks(page)
    x = np.empty((len(found), len(model.network.entry)), np.float32)
    name_sums(page, found, model["names"], x, _NUMBERS)
    features(page, out=x)
    given = _inputs(page, model, found, x)
    _add_wording(page, model, x, _HEADING, _NUMBERS)
    return given


def _inputs(page: Page, model: _Read, found: Blocks, x: Singles) -> Inputs:
    """The inputs with these numbers of the blocks, which are put within bounds."""
    weight = _limited(x, model["low"], model["high"])
    types = page_types(model, page_numbers(x, weight), bags_of_page(page))
    claimed = claim_sums(page, model["claims"])
    return Inputs(x, claimed, types, weight, found.begin, found.stop, found.alike, found.together)


def _add_wording(page: Page, model: _Read, x: Singles, heading: int, names_at: int) -> None:
    """Write the wording behind the names."""
    worded = names_at + len(BAGS) * model["names"].shape[1]
    word_sums(page, model.wording, x, heading, worded + model["words"].shape[1], worded)


def _in_two_parts(page: Page, model: _Read, found: Blocks) -> tuple[Inputs, tuple[Singles, Singles, Bytes], Singles]:
    """The inputs of a large page, what its Opinion says of blocks, and x W: first with the numbers in x, then with
    names and wording, for which there is room when the numbers are gone."""
    w = model.network.entry
    given = _inputs(page, model, found, features(page))
    seen, entry = _seen(given.x), product(given.x, w[:_NUMBERS])
    is_heading, given.x = given.x[:, _HEADING].copy(), _NO_NUMBERS
    x = np.empty((len(found), 1 + len(w) - _NUMBERS), np.float32)
    x[:, 0] = is_heading
    name_sums(page, found, model["names"], x, 1)
    forget_elements(page)
    _add_wording(page, model, x, 0, 1)
    x[:, 0] = 0
    entry += product(x, w[_NUMBERS - 1 :])
    return given, seen, entry


def mean_weights(numbers: Singles) -> Singles:
    """The weight of each block in a mean over the page: the logarithm of its words; the sum is 1."""
    return _limited(numbers, _NO_BOUNDS, _NO_BOUNDS)


def within_range(x: Singles, model: Weights) -> Singles:
    """The features, none beyond what training pages usually have: a page of ten thousand paragraphs is judged as one of
    some hundred, for nothing was learned about such numbers."""
    limited = x.copy()
    _limited(limited, model["low"], model["high"])
    return limited


def _limited(x: Singles, low: Singles, high: Singles) -> Singles:
    """Put the features within bounds, and give the weights of the blocks."""
    weight: Singles = np.empty(len(x), np.float32)
    limit(x, low, high, _WORDS, weight)
    weight /= max(float(np.add.reduce(weight)), 1e-6)
    return weight


def _read(arrays: Arrays) -> _Read:
    found = _Read({name: np.ascontiguousarray(arrays[name], np.float32) for name in arrays})
    check(found)
    for array in found.values():
        array.setflags(write=False)
    return found


# The weights in a file, or those that come with the package.
weights: Callable[..., _Read] = loader(_read, "thresher train auto", shipped="data/auto.npz")


def write(target: Path, model: Weights) -> None:
    """Weights as a file that `weights` reads; the vectors of names, words and claims as 16-bit numbers."""
    write_arrays(
        target, {name: value.astype(np.float16 if name in _VECTORS else np.float32) for name, value in model.items()}
    )


_VECTORS = ("names", "words", "headings", "claims", *(f"type.{name}" for name in BAGS_OF_PAGE))

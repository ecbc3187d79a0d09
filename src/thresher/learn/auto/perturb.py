"""Pages made harder on purpose, so that no single cue carries the verdict.

In training an example loses, at random:

    names      all of them, or each word of a name is taken for another one throughout the page (scrambled class names)
    words      all of them (as in a language never seen), or some
    semantics  `main` and `article` become `div`
    claims     what the page says of itself; its address
    features   a few columns
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.data.tags import NUMBER
from thresher.learn.auto.examples import Bags, Example
from thresher.methods.auto.features import FEATURES
from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.names import ROWS
from thresher.page.types import Rows, Singles

__all__ = ["NOTHING", "Chances", "Seen", "as_it_is", "perturbed"]

_SEMANTIC = ("main", "article")
_SEMANTIC_ROWS = np.array([BUCKETS + NUMBER[name] for name in _SEMANTIC])
_SEMANTIC_COLUMNS = np.array(
    [
        *(FEATURES.index(f"in {name}") for name in _SEMANTIC),
        *(FEATURES.index(f"prose {name}") for name in ("articles_after", "same_article", "articles_above")),
        FEATURES.index("page articles"),
    ]
)


@dataclass(frozen=True, slots=True)
class Chances:
    """How often each loss happens to an example, or to a word or feature of it."""

    scramble: float = 0.1
    no_names: float = 0.1
    name: float = 0.4
    no_words: float = 0.3
    word: float = 0.4
    no_semantics: float = 0.1
    no_claims: float = 0.2
    no_url: float = 0.4
    claim: float = 0.2
    feature: float = 0.25


NOTHING = Chances(**dict.fromkeys(Chances.__dataclass_fields__, 0.0))  # is lost


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What the network is shown of an example."""

    x: Singles
    names: Bags
    words: Bags
    claims: tuple[Rows, Rows]
    of_page: tuple[Rows, ...]


def as_it_is(example: Example) -> Seen:
    return Seen(example.x, example.names, example.words, example.claims, example.of_page)


def perturbed(example: Example, chance: Chances, typical: Singles, random: np.random.Generator) -> Seen:
    """The example with losses; a feature that is left out takes its typical value."""
    x, names, words = example.x, example.names, example.words
    lost = random.random(x.shape[1]) < chance.feature
    x = np.where(lost, typical, x)
    renamed = np.arange(ROWS)
    if random.random() < chance.no_semantics:
        x[:, _SEMANTIC_COLUMNS] = 0
        renamed[_SEMANTIC_ROWS] = BUCKETS + NUMBER["div"]
    kept = random.random(ROWS) >= chance.name
    fate = random.random()
    if fate < chance.scramble:
        renamed[:BUCKETS] = random.permutation(BUCKETS)
    elif fate < chance.scramble + chance.no_names:
        kept[:BUCKETS] = False
    names = Bags(names.bag, renamed[names.bucket])
    names = names.only(kept[names.bucket])
    words = words.only(random.random(len(words.bucket)) >= (1 if random.random() < chance.no_words else chance.word))
    meta, url = (
        claim[random.random(len(claim)) >= (1 if random.random() < none else chance.claim)]
        for claim, none in zip(example.claims, (chance.no_claims, chance.no_url), strict=True)
    )
    named = np.unique(renamed[example.of_page[2]])
    return Seen(x, names, words, (meta, url), (meta, url, named[kept[named]], np.unique(words.bucket)))

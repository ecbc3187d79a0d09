"""Pages made harder on purpose, so that no single cue carries the verdict.

In training an example loses, at random:

    names      all of them, or each word of a name is taken for another one throughout the page (scrambled class names)
    words      all of them (as in a language never seen), or some
    script     the page is written in another one (respelling.py)
    semantics  `main` and `article` become `div`
    claims     what the page says of itself; its address
    features   a few columns
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import NUMBER
from thresher.learn.auto.examples import Bags, Example
from thresher.methods.auto.features import FEATURES
from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.names import ROWS

__all__ = ["BARE", "NOTHING", "Chances", "Seen", "as_it_is", "perturbed"]

_SEMANTIC = ("main", "article")
_SEMANTIC_ROWS = np.array([BUCKETS + NUMBER[name] for name in _SEMANTIC])
_SEMANTIC_COLUMNS = np.array([FEATURES.index(f"in {name}") for name in _SEMANTIC] + [FEATURES.index("page articles")])


@dataclass(frozen=True, slots=True)
class Chances:
    """How often each loss happens to an example, or to a word or feature of it."""

    scramble: float = 0.1
    no_names: float = 0.1
    name: float = 0.2
    no_words: float = 0.2
    word: float = 0.2
    no_semantics: float = 0.1
    no_claims: float = 0.2
    no_url: float = 0.4
    claim: float = 0.2
    feature: float = 0.1
    foreign: float = 0.0  # it made the network worse in its own script, and hardly better in others


NOTHING = Chances(**dict.fromkeys(Chances.__dataclass_fields__, 0.0))  # is lost
# All that a page has beside its structure: names, known words, claims.
BARE = replace(NOTHING, no_names=1.0, no_words=1.0, no_claims=1.0, no_url=1.0, foreign=0.5)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What the network is shown of an example."""

    x: NDArray[np.float32]
    names: Bags
    words: Bags
    claims: tuple[NDArray[np.intp], NDArray[np.intp]]


def as_it_is(example: Example) -> Seen:
    return Seen(example.x, example.names, example.words, example.claims)


def perturbed(example: Example, chance: Chances, typical: NDArray[np.float32], random: np.random.Generator) -> Seen:
    """The example with losses; a feature that is left out takes its typical value."""
    x, names, words = example.x, example.names, example.words
    if chance.foreign and example.foreign is not None and random.random() < chance.foreign:
        x, words = example.foreign
    lost = random.random(x.shape[1]) < chance.feature
    x = np.where(lost, typical, x)
    if random.random() < chance.no_semantics:
        x[:, _SEMANTIC_COLUMNS] = 0
        plain = np.isin(names.bucket, _SEMANTIC_ROWS)
        names = Bags(names.bag, np.where(plain, BUCKETS + NUMBER["div"], names.bucket))
    fate = random.random()
    if fate < chance.scramble:
        other = np.concatenate((random.permutation(BUCKETS), np.arange(BUCKETS, ROWS)))
        names = Bags(names.bag, other[names.bucket])
    elif fate < chance.scramble + chance.no_names:
        names = names.only(names.bucket >= BUCKETS)
    names = names.only((random.random(ROWS) >= chance.name)[names.bucket])
    words = words.only(random.random(len(words.bucket)) >= (1 if random.random() < chance.no_words else chance.word))
    meta, url = (
        claim[random.random(len(claim)) >= (1 if random.random() < none else chance.claim)]
        for claim, none in zip(example.claims, (chance.no_claims, chance.no_url), strict=True)
    )
    return Seen(x, names, words, (meta, url))

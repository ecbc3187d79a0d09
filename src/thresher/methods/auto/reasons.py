"""Why a block was kept or dropped: which evidence moved the network most (phrases has the words for it).

The evidence is taken away one kind at a time: its columns are set to what is typical of all pages, the network
judges again, and what that changes is the effect of this kind of evidence,

    effect_k(b) = logit(b) - logit without kind k (b)

One more pass per kind, for all blocks of the page at once, and only when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.features import FEATURES
from thresher.methods.auto.model import Weights, inputs, weights
from thresher.methods.auto.names import BAGS
from thresher.methods.auto.network import Inputs
from thresher.methods.auto.phrases import PHRASES
from thresher.page import Page
from thresher.page.types import Rows, Singles

__all__ = ["reasons"]

_MIN_EFFECT = 0.4  # logits: less is no reason
_MAX_REASONS = 3


def reasons(page: Page, block: int, model: str = "") -> Iterator[str]:
    """What moved a model's verdict on a block most, the weightiest first: "for: …" or "against: …"."""
    judged = blocks(page)
    row = int(np.searchsorted(judged.number, block))
    if row == len(judged) or judged.number[row] != block:
        return
    effects, x = _effects(page, model)
    effect = effects[:, row]
    phrases = list(PHRASES.values())
    for kind in np.argsort(-np.abs(effect)).tolist()[:_MAX_REASONS]:
        if abs(effect[kind]) >= _MIN_EFFECT:
            sign = "for" if effect[kind] > 0 else "against"
            yield f"{sign}: {phrases[kind](page, row, x[row])}"


def _effects(page: Page, file: str) -> tuple[Singles, Singles]:
    """effect_k(b), kinds × blocks, and the features."""
    memo = page._memo
    key = f"judge.effects {file}"
    if key not in memo:
        model = weights(file)
        given = inputs(page, model)
        forward = model.network.forward
        whole = forward(given)
        changed = [whole - forward(_without(given, model, kind, at)) for kind, at in _columns(model).items()]
        memo[key] = np.array(changed), given.x
    result: tuple[Singles, Singles] = memo[key]
    return result


def _without(given: Inputs, model: Weights, kind: str, columns: Rows) -> Inputs:
    """The inputs with one kind of evidence made typical."""
    x = given.x.copy()
    x[:, columns] = model["typical"][columns]
    if kind != "page":
        return replace(given, x=x)
    return replace(given, x=x, page=model["typical.page"], types=model["typical.types"])


def _columns(model: Weights) -> dict[str, Rows]:
    """The input columns of each kind of evidence."""
    vector = model["names"].shape[1]
    kind = np.empty(len(model["typical"]), object)
    for k, name in enumerate(FEATURES):
        kind[k] = _kind_of(name)
    named = len(FEATURES) + len(BAGS) * vector
    kind[len(FEATURES) : named] = "names"
    kind[named:] = "wording"
    return {name: np.flatnonzero(kind == name) for name in PHRASES}


def _kind_of(feature: str) -> str:
    first, _, rest = feature.partition(" ")
    if "linked" in feature and first != "page":
        return "links"
    if first == "own":
        return "sentences" if rest in _SENTENCES else "length"
    if first == "level":
        return "containers"
    return _KIND_OF.get(first, "repeats")


_KIND_OF = {"in": "tags", "at": "place", "page": "page", "prose": "prose", "vocabulary": "vocabulary"}
_KIND_OF |= {"sign": "signs", "described": "described"}
_SENTENCES = {"sentences", "punctuation", "ends_sentence", "ends_question", "begins_capital", "capitals"}

"""Why a block was kept or dropped, in words.

The evidence is taken away one kind at a time: its columns are set to what is typical of all pages, the network
judges again, and what that changes is the effect of this kind of evidence,

    effect_k(b) = logit(b) - logit without kind k (b)

One more pass per kind, for all blocks of the page at once, and only when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice

import numpy as np

from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.features import FEATURES, INSIDE
from thresher.methods.auto.model import Weights, inputs, opinion, weights
from thresher.methods.auto.names import BAGS
from thresher.methods.auto.network import Inputs, forward
from thresher.page import Page, attributes, memoised
from thresher.page.types import Rows, Singles

__all__ = ["reasons"]

_MIN_EFFECT = 0.4  # logits: less is no reason
_MAX_REASONS, _MAX_NAMES = 3, 3
_MAX_STEPS_UP = 50  # elements above a block that are asked for their names
_MIN_COMMON = 0.2  # share of words that makes some of "few"
_COLUMN = {name: k for k, name in enumerate(FEATURES)}


def reasons(page: Page, block: int, model: str = "") -> Iterator[str]:
    """What moved a model's verdict on a block most, the weightiest first: "for: …" or "against: …"."""
    judged = blocks(page)
    row = int(np.searchsorted(judged.number, block))
    if row == len(judged) or judged.number[row] != block:
        return
    effects, x = _effects(page, model)
    in_words = {**_KINDS, "page": partial(_page, model)}
    effect = effects[:, row]
    for kind in np.argsort(-np.abs(effect)).tolist()[:_MAX_REASONS]:
        if abs(effect[kind]) >= _MIN_EFFECT:
            words = list(in_words.values())[kind](page, row, x[row])
            yield f"{'for' if effect[kind] > 0 else 'against'}: {words}"


def _effects(page: Page, file: str) -> tuple[Singles, Singles]:
    """effect_k(b), kinds × blocks, and the features."""
    memo = page._memo
    key = f"judge.effects {file}"
    if key not in memo:
        model = weights(file)
        given = inputs(page, model)
        whole = forward(model, given)
        changed = [whole - forward(model, _without(given, model, kind, at)) for kind, at in _columns(model).items()]
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
    return {name: np.flatnonzero(kind == name) for name in _KINDS}


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


def _length(page: Page, row: int, x: Singles) -> str:
    words = round(float(np.expm1(x[_COLUMN["own words"]])))
    return "a single word" if words == 1 else f"a text of {words} words"


def _sentences(page: Page, row: int, x: Singles) -> str:
    return "whole sentences" if x[_COLUMN["own sentences"]] > 0 else "no whole sentence"


def _links(page: Page, row: int, x: Singles) -> str:
    own, around = x[_COLUMN["own linked"]], x[_COLUMN["level 1 linked"]]
    return f"{own:.0%} of it is links, {around:.0%} of what stands around it"


def _tags(page: Page, row: int, x: Singles) -> str:
    inside = [name for name in INSIDE if x[_COLUMN[f"in {name}"]]]
    return f"its tags: {', '.join(inside)}" if inside else "no telling tag around it"


def _names(page: Page, row: int, x: Singles) -> str:
    known = _named(page)
    at = int(blocks(page).at[row])
    above = islice(chain((at,), page.ancestors(at)), _MAX_STEPS_UP)
    path = list(islice((known[up] for up in above if up in known), _MAX_NAMES))
    return f"names around it: {', '.join(path)}" if path else "no names"


@memoised
def _named(page: Page) -> dict[int, str]:
    """The class, or else the id, of each element that has one."""
    known: dict[int, str] = {}
    for attribute in ("id", "class"):
        rows, code, values = attributes.distinct(page, attribute)
        short = [" ".join(value.split())[:40] for value in values]
        known.update({at: short[k] for at, k in zip(rows.tolist(), code.tolist(), strict=True) if short[k]})
    return known


def _wording(page: Page, row: int, x: Singles) -> str:
    return "the words it begins with"


def _containers(page: Page, row: int, x: Singles) -> str:
    share = x[_COLUMN["level 2 share"]]
    return f"the container around it holds {share:.0%} of the page's text"


def _repeats(page: Page, row: int, x: Singles) -> str:
    alike = round(float(np.expm1(x[_COLUMN["same_path"]])))
    return f"one of {alike} blocks built alike" if alike > 1 else "no other block is built like it"


def _place(page: Page, row: int, x: Singles) -> str:
    return f"its place: {x[_COLUMN['at place']]:.0%} down the page"


def _prose(page: Page, row: int, x: Singles) -> str:
    if x[_COLUMN["prose in_run"]]:
        return "stands in the longest run of prose"
    where = "behind" if x[_COLUMN["prose blocks_after_run"]] else "before"
    return f"stands {where} the longest run of prose"


def _vocabulary(page: Page, row: int, x: Singles) -> str:
    share = x[_COLUMN["vocabulary run_1"]]
    return "words in common with the prose of the page" if share > _MIN_COMMON else "few words in common with the prose"


def _signs(page: Page, row: int, x: Singles) -> str:
    names = {
        "comments_by_name": "comments",
        "comments_by_heading": "comments",
        "dialog": "a dialog",
        "sign_up": "a form",
    }
    inside = [said for name, said in names.items() if x[_COLUMN[f"sign {name}"]]]
    return f"stands in {inside[0]}" if inside else "dates and prices around it"


def _described(page: Page, row: int, x: Singles) -> str:
    return "what the data of the page says of its text"


def _page(model: str, page: Page, row: int, x: Singles) -> str:
    types = opinion(page, model).types
    return f"the kind of page ({max(types, key=types.__getitem__)})"


_KINDS: dict[str, Callable[[Page, int, Singles], str]] = {
    "length": _length,
    "sentences": _sentences,
    "links": _links,
    "tags": _tags,
    "names": _names,
    "wording": _wording,
    "containers": _containers,
    "repeats": _repeats,
    "place": _place,
    "prose": _prose,
    "vocabulary": _vocabulary,
    "signs": _signs,
    "described": _described,
    "page": partial(_page, ""),
}

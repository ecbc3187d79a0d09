"""A classifier of blocks as a file: one .npz with two arrays and a card in JSON.  Nothing in it can run.

weight    float64, one per column and one for the intercept
card      UTF-8 bytes of JSON: kind, columns, site, pages, sources, eps, clusters, held-out scores, version
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from thresher import __version__
from thresher.errors import NeedsModel
from thresher.methods._models import Arrays, loader
from thresher.methods.cluster.blocks import SiteBlocks
from thresher.methods.cluster.features import encode
from thresher.methods.cluster.learning import Learned
from thresher.page.types import Floats

__all__ = ["COMMAND", "KIND", "Model", "is_model", "load", "made_of", "save"]

COMMAND = "thresher site learn URL --method cluster -o model.npz"
KIND = "thresher cluster 1"


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Weights of tokens, and a card that says where they come from."""

    columns: tuple[str, ...]
    weight: Floats  # (columns + 1,)
    card: dict[str, Any]

    def margins(self, blocks: SiteBlocks) -> Floats:
        """How far each block is on the content's side; above 0 is content."""
        return encode(blocks, self.columns).times(self.weight)


def made_of(learned: Learned, blocks: SiteBlocks, site: str = "") -> Model:
    """A model of what was learned."""
    labels, clustered = learned.labels, learned.clustered
    card = {
        "kind": KIND,
        "version": __version__,
        "site": site,
        "pages": len(blocks.pages),
        "blocks": len(blocks),
        "content_blocks": int(labels.content.sum()),
        "clusters": clustered.clusters.count,
        "noise": int(np.count_nonzero(clustered.number < 0)),
        "eps": round(clustered.clusters.eps, 4),
        "min_points": clustered.clusters.min_points,
        "sources": dict(labels.sources),
        "held_out": learned.held_out and {name: round(value, 4) for name, value in learned.held_out._asdict().items()},
    }
    return Model(learned.columns, learned.weight, card)


def save(model: Model, path: str | Path) -> None:
    """Write a model; columns without weight are left out."""
    used = np.flatnonzero(model.weight[:-1])
    card = {**model.card, "columns": [model.columns[k] for k in used]}
    data = np.frombuffer(json.dumps(card, ensure_ascii=False).encode("utf-8", "replace"), np.uint8)
    with Path(path).open("wb") as file:  # the name as it is: numpy would add an ending
        np.savez_compressed(file, weight=model.weight[np.append(used, -1)], card=data)


def is_model(path: str | Path) -> bool:
    """Whether a file is such a model, by what is in it."""
    try:
        load(str(path))
    except NeedsModel:
        return False
    return True


def _read(arrays: Arrays) -> Model:
    card = json.loads(arrays["card"].tobytes())
    weight = np.asarray(arrays["weight"], np.float64)
    if not isinstance(card, dict) or card.get("kind") != KIND:
        raise ValueError("it is of another kind")
    columns = tuple(map(str, card.pop("columns")))
    if weight.shape != (len(columns) + 1,) or not np.isfinite(weight).all():
        raise ValueError("its weights do not fit its columns")
    weight.setflags(write=False)
    return Model(columns, weight, card)


load: Callable[[str], Model] = loader(_read, COMMAND)

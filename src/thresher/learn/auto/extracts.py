"""The extracts of a data set as users get them, each made with weights that never saw a page of its site.

The scores of `validate` are those of the network's blocks.  What a user gets has been through more: the title that is
kept, text recovered from closed panels and from the page's data, pages without any text.  So here every page, those
left out of training too, is extracted from start to end and measured as `thresher evaluate` does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from thresher.evaluate.datasets import BrokenRecord, open_dataset
from thresher.evaluate.measures import bow
from thresher.learn.auto.examples import site_of
from thresher.learn.auto.fit import Weights
from thresher.methods.auto.model import write
from thresher.parse import parse
from thresher.result.extraction import extract

__all__ = ["Extracted", "extracts", "means"]


class Extracted(NamedTuple):
    """A page's data set and type, and the F1 of its extract."""

    dataset: str
    page_type: str
    f1: float


def extracts(
    folders: Sequence[str],
    models: Sequence[Weights],
    fold_of: Mapping[str, int],
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> list[Extracted]:
    """The score of every page that has a gold text, by the model of its site's fold."""
    found = []
    datasets = [open_dataset(folder) for folder in folders]
    count = sum(map(len, datasets))
    with TemporaryDirectory() as place:
        files = [Path(place, f"{fold}.npz") for fold in range(len(models))]
        for file, weights in zip(files, models, strict=True):
            write(file, weights)
        records = ((dataset.root.name, record) for dataset in datasets for record in dataset)
        for number, (name, record) in enumerate(records, 1):
            progress(number, count)
            if isinstance(record, BrokenRecord) or record.html is None or record.gold is None:
                continue
            page = parse(record.html, url=record.url, encoding=record.encoding)
            fold = fold_of.get(record.site or site_of(page, record.id), 0)
            result = extract(page, options={"model": str(files[fold])})
            found.append(Extracted(name, record.page_type, bow(record.gold, result.text).f1))
    return found


def means(scores: Sequence[Extracted]) -> dict[str, tuple[int, float]]:
    """How many pages there are and their mean F1: of all, of each data set, of each type, of each type in each set."""
    groups: dict[str, list[float]] = {"all": [score.f1 for score in scores]}
    several = len({score.dataset for score in scores}) > 1
    for score in sorted(scores):
        if several:
            groups.setdefault(score.dataset, []).append(score.f1)
    for score in sorted(scores, key=lambda score: score.page_type):
        if score.page_type:
            groups.setdefault(score.page_type, []).append(score.f1)
    for score in sorted(scores) if several else ():
        groups.setdefault(f"{score.dataset}: {score.page_type}", []).append(score.f1)
    return {name: (len(group), round(float(np.mean(group)), 4)) for name, group in groups.items()}

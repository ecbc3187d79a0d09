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

__all__ = ["Extracted", "extracts", "mean_by_type"]


class Extracted(NamedTuple):
    """A page's type, and the F1 of its extract."""

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
        for number, record in enumerate((record for dataset in datasets for record in dataset), 1):
            progress(number, count)
            if isinstance(record, BrokenRecord) or record.html is None or record.gold is None:
                continue
            page = parse(record.html, url=record.url, encoding=record.encoding)
            fold = fold_of.get(site_of(page, record.id), 0)
            result = extract(page, options={"model": str(files[fold])})
            found.append(Extracted(record.page_type, bow(record.gold, result.text).f1))
    return found


def mean_by_type(scores: Sequence[Extracted]) -> dict[str, tuple[int, float]]:
    """How many pages there are of all types and of each, and their mean F1."""
    groups: dict[str, list[float]] = {"all": [score.f1 for score in scores]}
    for score in sorted(scores):
        if score.page_type:
            groups.setdefault(score.page_type, []).append(score.f1)
    return {name: (len(group), round(float(np.mean(group)), 4)) for name, group in groups.items()}

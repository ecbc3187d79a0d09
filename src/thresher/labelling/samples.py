"""The pages that a retraining reads: those that people labelled, and some of other data sets beside them.

Pages of a base data set keep a new model honest: half of their sites teach, the other half are only judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import numpy as np

from thresher.evaluate.datasets import BrokenRecord, open_dataset
from thresher.evaluate.rendered import page_of
from thresher.labelling.gold import keep
from thresher.learn.auto.examples import site_of
from thresher.learn.labelfile import Label, read
from thresher.page import Page
from thresher.page.types import Bools

__all__ = ["GoldPage", "base_pages", "own_pages"]


@dataclass(frozen=True, slots=True, eq=False)
class GoldPage:
    """A page with what is content on it."""

    name: str
    page: Page = field(repr=False)
    gold: str = field(repr=False)
    page_type: str = ""
    labels: tuple[Label, ...] = field(default=(), repr=False)
    keep: Bools | None = field(default=None, repr=False)  # the texts that are, where that is known
    teaches: bool = True


def own_pages(folder: Path) -> Iterator[GoldPage]:
    """The pages of an exported data set."""
    labels: dict[str, list[Label]] = {}
    for one in read(folder / "labels.jsonl") if (folder / "labels.jsonl").exists() else ():
        labels.setdefault(one.page, []).append(one)
    for record in open_dataset(folder):
        if not isinstance(record, BrokenRecord) and record.html is not None:
            page = page_of(record)
            page_labels = tuple(labels.get(record.id, ()))
            kept = keep(page, page_labels) if page_labels else None
            yield GoldPage(record.id, page, record.gold or "", labels=page_labels, keep=kept)


def base_pages(
    folders: Sequence[str], limit: int, seed: int, progress: Callable[[int, int], None] = lambda done, of: None
) -> Iterator[GoldPage]:
    """At most so many pages of each data set, drawn at random; half of the sites teach."""
    for folder in folders:
        dataset = open_dataset(folder)
        ids = list(dataset.ids())
        chosen = np.random.default_rng(seed).permutation(len(ids))[:limit]
        for done, number in enumerate(chosen.tolist(), 1):
            record = dataset.load(ids[number])
            if not isinstance(record, BrokenRecord) and record.html is not None and record.gold:
                page = page_of(record)
                site = sha256(site_of(page, record.id).encode()).digest()
                name = f"{Path(folder).name}/{record.id}"
                yield GoldPage(name, page, record.gold, record.page_type, teaches=site[0] % 2 == 0)
            progress(done, len(chosen))

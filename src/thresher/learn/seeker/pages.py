"""The labelled pages of some data sets as examples, by page type; rendered before, if asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from thresher.errors import DatasetError
from thresher.evaluate.datasets import BrokenRecord, Dataset
from thresher.evaluate.rendered import RenderedDataset, render_missing
from thresher.learn.labelfile import Label, read
from thresher.learn.reading import LeftOut, Progress, usable
from thresher.learn.seeker.examples import SeekerExample, examples
from thresher.methods.seeker.types import TYPES

__all__ = ["ExamplesByType", "read_pages", "rendered"]

ExamplesByType = Mapping[str, Sequence[tuple[SeekerExample, Dataset]]]
"""The examples of each page type, each with the data set that it came from."""

_MIN_PAGES = 10  # pages of a type: with fewer there is nothing to learn


def read_pages(
    datasets: Sequence[Dataset], labels: str | None, limit: int | None, progress: Progress
) -> tuple[ExamplesByType, LeftOut]:
    """The examples of all data sets by page type, and the records that gave none; DatasetError for too few pages.

    `labels`: a file of labels that people gave.  `limit`: at most so many pages of each type, the first ones.
    """
    labels_of: dict[str, list[Label]] = {}
    for one in read(labels) if labels else ():
        labels_of.setdefault(one.page, []).append(one)
    pages: dict[str, list[tuple[SeekerExample, Dataset]]] = {name: [] for name in TYPES}
    left_out: LeftOut = []
    ids: set[str] = set()

    def wanted(name: str) -> bool:
        return not limit or len(pages[name]) < limit

    for dataset in datasets:
        for page_example in usable(dataset, examples(dataset, labels_of, wanted), left_out, progress):
            pages[TYPES[page_example.page_type]].append((page_example, dataset))
        ids.update(dataset.ids())
    left_out += [
        BrokenRecord(page, "has labels, but no data set has this page") for page in labels_of if page not in ids
    ]
    enough = {name: some for name, some in pages.items() if len(some) >= _MIN_PAGES}
    if not enough:
        counts = ", ".join(f"{len(some)} {name}" for name, some in pages.items())
        raise DatasetError(f"a page type needs {_MIN_PAGES} labelled pages to learn from; found {counts}")
    return enough, left_out


def rendered(
    datasets: Sequence[Dataset],
    labels: str | None,
    limit: int | None,
    folder: Path,
    announce: Callable[[str], None],
    progress: Progress,
) -> list[Dataset]:
    """The same data sets, with renderings of the pages that training will read; those that are missing are made."""
    chosen: dict[Path, list[str]] = {dataset.root: list(dataset.ids()) for dataset in datasets}
    if limit:  # reading all pages is cheap beside rendering them
        pages_of, _ = read_pages(datasets, labels, limit, progress)
        chosen = {dataset.root: [] for dataset in datasets}
        for pages in pages_of.values():
            for page, dataset in pages:
                chosen[dataset.root].append(page.id)
    for dataset in datasets:
        render_missing(dataset, chosen[dataset.root], folder, announce)
    return [RenderedDataset(dataset, folder) for dataset in datasets]

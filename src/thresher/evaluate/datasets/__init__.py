"""Data sets of labelled pages.  The kind is recognised from what lies in the folder.

dataset = open_dataset("data/wcxb")
for record in dataset:            # DatasetRecord or BrokenRecord, read one at a time
    ...

record            what a labelled page is
wcxb, sites, rendered_blocks, folder     the kinds
"""

from __future__ import annotations

from pathlib import Path

from thresher.errors import DatasetError
from thresher.evaluate.datasets.folder import Folder
from thresher.evaluate.datasets.record import BrokenRecord, Dataset, DatasetRecord
from thresher.evaluate.datasets.rendered_blocks import RenderedBlocks
from thresher.evaluate.datasets.sites import Sites
from thresher.evaluate.datasets.wcxb import Wcxb

__all__ = ["KINDS", "BrokenRecord", "Dataset", "DatasetRecord", "open_dataset"]

KINDS: tuple[type[Dataset], ...] = (Wcxb, Sites, RenderedBlocks, Folder)
"""Tried in this order; the plain folder is the least particular."""


def open_dataset(path: str | Path) -> Dataset:
    """The data set in this folder, or a DatasetError that says what kinds there are."""
    root = Path(path)
    if not root.is_dir():
        raise DatasetError(f"{root}: no such folder")
    for kind in KINDS:
        if kind.recognises(root):
            return kind(root)
    kinds = "\n".join(f"  {kind.kind:<16} {kind.layout}" for kind in KINDS)
    raise DatasetError(f"{root}: no data set of a kind we know.  A folder is one of:\n{kinds}")

"""Rendered text blocks: `GROUP/NNN.json.gz`, what a browser made of a page; `NNN.gold.txt` beside some.

In a group with gold texts (`chaos`) a page without one is broken.  The other groups are the pages of one site
each and have no gold: unlabelled records, with the rest of their group as siblings.
"""

from __future__ import annotations

import glob
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from thresher.errors import DatasetError
from thresher.evaluate.datasets.record import (
    PAGE_SUFFIXES,
    SAVED_SUFFIX,
    Dataset,
    DatasetRecord,
    read_bytes,
    read_text,
)

SUFFIX = SAVED_SUFFIX


class RenderedBlocks(Dataset):
    """Pages as lists of text blocks with boxes and computed styles."""

    kind: ClassVar[str] = "rendered-blocks"
    layout: ClassVar[str] = "GROUP/NNN.json.gz, with NNN.gold.txt beside it"

    @classmethod
    def recognises(cls, root: Path) -> bool:
        return any(not _has_html(file) for file in root.glob(f"*/*{SUFFIX}"))

    @cached_property
    def _labelled(self) -> frozenset[str]:
        """The groups that have gold texts."""
        return frozenset(path.parent.name for path in self.root.glob("*/*.gold.txt"))

    @cached_property
    def _ids(self) -> list[str]:
        paths = sorted(self.root.glob(f"*/*{SUFFIX}"))
        return [path.relative_to(self.root).as_posix().removesuffix(SUFFIX) for path in paths]

    def ids(self) -> Sequence[str]:
        return self._ids

    def read(self, id: str) -> DatasetRecord:
        page = self.root / f"{id}{SUFFIX}"
        group = id.partition("/")[0]
        gold = self.root / f"{id}.gold.txt"
        if group in self._labelled and not gold.exists():
            raise DatasetError(f"no gold text {gold.name}")
        rendering = json.loads(read_bytes(page))
        if not isinstance(rendering.get("texts"), list):
            raise DatasetError("no text blocks in the rendering")
        others = [] if group in self._labelled else sorted(page.parent.glob(f"*{SUFFIX}"))
        return DatasetRecord(
            id=id,
            html=None,
            url=rendering.get("url"),
            gold=read_text(gold) if gold.exists() else None,
            page_type=group,
            # Numbered, for want of an address without opening the file.
            siblings={path.as_uri(): path for path in others if path != page},
            rendering_file=page,
        )


def _has_html(rendering: Path) -> bool:
    """Whether the page itself lies beside its rendering: then it is a record of another kind of data set."""
    stem = rendering.name.removesuffix(SUFFIX)
    stem = "*" if stem == "page" else glob.escape(stem)
    return any(any(rendering.parent.glob(stem + suffix)) for suffix in PAGE_SUFFIXES)

"""A plain folder: `NAME.html[.gz]` with its gold `NAME.txt` or `NAME.md`, at any depth; `NAME.json.gz` beside it is the
page as a browser showed it (`thresher render`).

The folders are page types: `article/17.html`, `forum/2024/17.html`.  A page without gold is broken, since most likely
its name was mistyped.  `addresses.json`, where there is one, tells the addresses of pages: {"article/17": "https://…"}.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from thresher.errors import DatasetError
from thresher.evaluate.datasets.record import (
    PAGE_SUFFIXES,
    Dataset,
    DatasetRecord,
    read_bytes,
    read_text,
    rendering_beside,
)

GOLD_SUFFIXES = (".txt", ".md")
ADDRESSES = "addresses.json"

# [words](target "title") and ![words](source): the target is no word of the page.
LINK_TARGET = re.compile(r"!?\[([^\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")


class Folder(Dataset):
    """Your own pages."""

    kind: ClassVar[str] = "folder"
    layout: ClassVar[str] = "NAME.html[.gz] with NAME.txt or NAME.md, in the folder or below"

    @classmethod
    def recognises(cls, root: Path) -> bool:
        return any(gold_file(root, id) for id in cls(root).ids())

    @cached_property
    def _pages(self) -> dict[str, Path]:
        return {id: path for path in files_below(self.root) if (id := page_id(self.root, path)) is not None}

    @cached_property
    def _addresses(self) -> Mapping[str, str]:
        path = self.root / ADDRESSES
        addresses = json.loads(read_text(path)) if path.is_file() else {}
        if not isinstance(addresses, dict):
            raise DatasetError(f"{ADDRESSES} is no object with the address of each page")
        return addresses

    def ids(self) -> Sequence[str]:
        return list(self._pages)

    def read(self, id: str) -> DatasetRecord:
        gold = gold_file(self.root, id)
        if gold is None:
            raise DatasetError(f"no gold text: {id}.txt or {id}.md is missing")
        text = read_text(gold)
        group, _, _ = id.rpartition("/")[0].partition("/")
        return DatasetRecord(
            id=id,
            html=read_bytes(self._pages[id]),
            url=self._addresses.get(id),
            gold=LINK_TARGET.sub(r"\1", text) if gold.suffix == ".md" else text,
            page_type=group or "page",
            page_file=rendering_beside(self._pages[id]),
        )


def gold_file(root: Path, id: str) -> Path | None:
    """The first of NAME.txt and NAME.md that exists."""
    return next((path for s in GOLD_SUFFIXES if (path := root / f"{id}{s}").is_file()), None)


def page_id(root: Path, path: Path, suffixes: Sequence[str] = PAGE_SUFFIXES) -> str | None:
    """The path below the folder without its suffix; None for a file that is no page."""
    suffix = next((s for s in suffixes if path.name.lower().endswith(s)), None)
    return path.relative_to(root).as_posix()[: -len(suffix)] if suffix else None


def files_below(root: Path) -> Iterator[Path]:
    """The files of a folder and of those below it, in the order of their names, without hidden ones.

    Links to folders are followed, each folder is entered once.  `NAME_files` beside a page is what a browser saved
    with it.
    """
    entered: set[str] = set()
    for place, folders, files in os.walk(root, followlinks=True):
        here = os.path.realpath(place)
        folders[:] = sorted(name for name in folders if here not in entered and not _left_out(name, files))
        if here not in entered:
            yield from (Path(place, name) for name in sorted(files) if not name.startswith("."))
        entered.add(here)


def _left_out(folder: str, files: Sequence[str]) -> bool:
    page = folder.removesuffix("_files")
    return folder.startswith(".") or (page != folder and not {f"{page}.html", f"{page}.htm"}.isdisjoint(files))

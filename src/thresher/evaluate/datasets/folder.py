"""A plain folder: `NAME.html[.gz]` with its gold `NAME.txt` or `NAME.md`.

One level of subfolders is read as page types: `article/17.html`, `forum/17.html`.
A page without gold is broken, since most likely its name was mistyped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from thresher.errors import DatasetError
from thresher.evaluate.datasets.record import Dataset, Record, read_bytes, read_text

PAGE_SUFFIXES = (".html", ".htm", ".html.gz", ".htm.gz")
GOLD_SUFFIXES = (".txt", ".md")

# [words](target "title") and ![words](source): the target is no word of the page.
LINK_TARGET = re.compile(r"!?\[([^\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")


class Folder(Dataset):
    """Your own pages."""

    kind: ClassVar[str] = "folder"
    layout: ClassVar[str] = "NAME.html[.gz] with NAME.txt or NAME.md, in the folder or one below"

    @classmethod
    def recognises(cls, root: Path) -> bool:
        return any(gold_file(root, id) for id in cls(root).ids())

    @cached_property
    def _pages(self) -> dict[str, Path]:
        found = {}
        for pattern in ("*", "*/*"):
            for path in sorted(self.root.glob(pattern)):
                suffix = next((s for s in reversed(PAGE_SUFFIXES) if path.name.lower().endswith(s)), None)
                if suffix and path.is_file():
                    found[path.relative_to(self.root).as_posix()[: -len(suffix)]] = path
        return found

    def ids(self) -> Sequence[str]:
        return list(self._pages)

    def read(self, id: str) -> Record:
        gold = gold_file(self.root, id)
        if gold is None:
            raise DatasetError(f"no gold text: {id}.txt or {id}.md is missing")
        text = read_text(gold)
        group, _, _ = id.rpartition("/")
        return Record(
            id=id,
            html=read_bytes(self._pages[id]),
            gold=LINK_TARGET.sub(r"\1", text) if gold.suffix == ".md" else text,
            page_type=group or "page",
        )


def gold_file(root: Path, id: str) -> Path | None:
    """The first of NAME.txt and NAME.md that exists."""
    return next((path for s in GOLD_SUFFIXES if (path := root / f"{id}{s}").is_file()), None)

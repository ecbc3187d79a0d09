"""Small websites: `SITE/site.json`, `SITE/files/…` as served, `SITE/gold/N.txt`.

The key pages are the records; every other saved page of the site is a sibling, by its address.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from thresher.errors import DatasetError
from thresher.evaluate.datasets.record import (
    Dataset,
    DatasetRecord,
    read_bytes,
    read_text,
    rendering_beside,
    text_list,
)
from thresher.http.media_types import PAGE_SUFFIXES


class Sites(Dataset):
    """Key pages of small websites, with their siblings, gold selectors and gold text."""

    kind: ClassVar[str] = "sites"
    layout: ClassVar[str] = "SITE/site.json, SITE/files/… and SITE/gold/N.txt"

    @classmethod
    def recognises(cls, root: Path) -> bool:
        return any(root.glob("*/site.json"))

    @cached_property
    def _key_pages(self) -> dict[str, tuple[Path, dict[str, Any]] | str]:
        """(site folder, key page's label) by id, or what is wrong with a site's description."""
        return {id: entry for path in sorted(self.root.glob("*/site.json")) for id, entry in key_pages(path)}

    def ids(self) -> Sequence[str]:
        return list(self._key_pages)

    def read(self, id: str) -> DatasetRecord:
        entry = self._key_pages[id]
        if isinstance(entry, str):
            raise DatasetError(entry)
        site, label = entry
        page = site / "files" / label["path"]
        return DatasetRecord(
            id=id,
            html=read_bytes(page),
            url=label["url"],
            gold=read_text(site / label["gold_file"]),
            page_type=label.get("page_type") or "page",
            gold_selectors=text_list(label.get("gold_selectors")),
            exclude_selectors=text_list(label.get("exclude_selectors")),
            siblings=siblings(site, page, label["url"].removesuffix(label["path"])),
            files=site / "files",
            page_file=rendering_beside(page),
        )


def key_pages(description: Path) -> list[tuple[str, tuple[Path, dict[str, Any]] | str]]:
    """`SITE/PATH` and label of each key page; one entry with the reason when site.json cannot be read."""
    site = description.parent
    try:
        labels = json.loads(read_text(description))["key_pages"]
        return [(f"{site.name}/{label['path']}", (site, label)) for label in labels]
    except (OSError, ValueError, KeyError, TypeError) as reason:
        return [(f"{site.name}/{description.name}", f"{type(reason).__name__}: {reason}")]


def siblings(site: Path, page: Path, root_url: str) -> dict[str, Path]:
    """Address -> file of the site's other saved pages: root_url + the path below `files/`.

    `files/_ext` holds what outside hosts served, which is no page of the site.
    """
    files = site / "files"
    return {
        root_url + file.relative_to(files).as_posix(): file
        for file in sorted(files.rglob("*"))
        if file != page
        and file.suffix.lower() in PAGE_SUFFIXES
        and file.relative_to(files).parts[0] != "_ext"
        and file.is_file()  # `app.php/` may be a folder: what a script served below its name
    }

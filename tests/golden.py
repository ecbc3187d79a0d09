"""Golden pages: folders in tests/pages with a page and its main content as its author meant it, a block a line."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from thresher.page import Page
from thresher.parse import parse

PAGES = Path(__file__).parent / "pages"


def golden(name: str) -> tuple[Page, list[str]]:
    """A golden page and the lines of its main content."""
    folder = PAGES / name
    return parse((folder / "source.html").read_bytes()), (folder / "expected.txt").read_text().strip().splitlines()


def lines(page: Page, keep: np.ndarray) -> list[str]:
    """The kept texts, a block a line."""
    found: dict[int, str] = {}
    for k in np.flatnonzero(keep):
        block = int(page.block[k])
        found[block] = found.get(block, "") + " " * bool(page.spaced[k]) + page.text[k]
    return [" ".join(line.split()) for line in found.values()]

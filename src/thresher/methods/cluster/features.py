"""Blocks as rows of numbers: tokens that are there or not, and a few lengths.

    tag path         the whole path, and its last one, two and three names
    css selectors    the whole path with ids and classes, and every element name, id and class on it
    css properties   every declaration, of all properties that browsers know, that is not the default
    text length      log(1 + characters)
    box              left edge and width as shares of the page's, log of the height, distance from the top

The paper's discrete features are whole strings; the parts beside them are ours (`parts=False` leaves them out).  A
whole path that another site does not have tells nothing there, its end may.  Numbers in ids and classes are blurred:
"post-1234" is "post-0", or every page would have a name of its own.

Numbers are scaled by constants, so that a model needs no statistics of the pages it was learned from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from thresher.methods.cluster.blocks import SiteBlocks
from thresher.page.types import Floats, Rows

__all__ = ["FEATURE_SETS", "GROUPS", "Matrix", "encode", "numbers", "shared_tokens", "tokens", "vocabulary"]


GROUPS = ("path", "selector", "style")  # the discrete ones
FEATURE_SETS = {
    "text length": ("length",),
    "tag path": ("path",),
    "css selectors": ("selector",),
    "css properties": ("style",),
    "all": ("length", "path", "selector", "style", "box"),
}
_NUMBERS = {"length": ("length",), "box": ("left", "width", "height", "top")}
_DIGITS = re.compile(r"\d+")
_PART = re.compile(r"[#.]?[^#.]+")
_MIN_PAGES = 3  # pages
_LOG_CHARS, _LOG_PIXELS, _MAX_TOP = np.log1p(1_000), np.log1p(1_000), 10_000.0


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """A sparse matrix by rows: the entries of row i are those from start[i] to start[i + 1]."""

    start: Rows  # (n + 1,)
    column: Rows  # (entries,)
    value: Floats  # (entries,)
    width: int

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def row(self) -> Rows:
        """The row of each entry."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    def times(self, w: Floats) -> Floats:
        """X w."""
        product: Floats = np.bincount(self.row, self.value * w[self.column], minlength=len(self)).astype(np.float64)
        return product

    def take(self, rows: Rows) -> Matrix:
        """Some of the rows."""
        count = np.diff(self.start)[rows]
        start = np.concatenate(([0], np.cumsum(count)))
        entry = np.repeat(self.start[rows] - start[:-1], count) + np.arange(start[-1])
        return Matrix(start, self.column[entry], self.value[entry], self.width)


def tokens(blocks: SiteBlocks, group: str, parts: bool = True) -> list[tuple[str, ...]]:
    """The tokens of each block in one of the discrete groups."""
    if group == "style":
        return list(blocks.style)
    if group == "path":
        return [_path_tokens(one, parts) for one in blocks.path]
    return [_selector_tokens(one, parts) for one in blocks.selector]


def shared_tokens(blocks: SiteBlocks, group: str, parts: bool = True) -> list[tuple[str, ...]]:
    """The same without what one page alone has, where there are three or more: the class "tag-malaria" of an article
    tells that page from others, not its blocks."""
    all_tokens = tokens(blocks, group, parts)
    if len(blocks.pages) < _MIN_PAGES:
        return all_tokens
    pages: dict[str, int] = {}
    for own, page in zip(all_tokens, blocks.page.tolist(), strict=True):
        for token in own:
            if pages.setdefault(token, page) != page:
                pages[token] = -1  # at least two
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    for own in all_tokens:
        if own not in known:
            known[own] = tuple(token for token in own if pages[token] < 0)
    return [known[own] for own in all_tokens]


def numbers(blocks: SiteBlocks) -> dict[str, Floats]:
    """The continuous features by name, about 0 … 1."""
    width = np.array([max(facts.width, 1.0) for facts in blocks.pages])[blocks.page]
    x, y, w, h = np.clip(np.nan_to_num(blocks.box.astype(np.float64)), -1e6, 1e6).T
    return {
        "length": np.log1p([len(text) for text in blocks.text]) / _LOG_CHARS,
        "left": np.clip(x / width, -1, 1.5),
        "width": np.clip(w / width, 0, 1.5),
        "height": np.log1p(np.maximum(h, 0)) / _LOG_PIXELS,
        "top": np.clip(y / _MAX_TOP, 0, 1),
    }


def vocabulary(blocks: SiteBlocks, groups: Sequence[str], parts: bool = True, fewest: int = 2) -> tuple[str, ...]:
    """The columns of a matrix: numbers of the groups, and the tokens that at least so many blocks have, on two pages
    where there are three."""
    names = [f"number {name}" for group in groups for name in _NUMBERS.get(group, ())]
    for group in groups:
        if group in GROUPS:
            count = Counter(token for own in shared_tokens(blocks, group, parts) for token in own)
            names += [f"{group} {token}" for token in sorted(count) if count[token] >= fewest]
    return tuple(names)


def encode(blocks: SiteBlocks, columns: Sequence[str], parts: bool = True) -> Matrix:
    """The blocks as rows; what has no column is left out.  The last column is 1 everywhere, for the intercept."""
    number = {name: place for place, name in enumerate(columns)}
    groups = {name.partition(" ")[0] for name in columns}
    rows, cols, values = [np.arange(len(blocks))], [np.full(len(blocks), len(columns))], [np.ones(len(blocks))]
    for name, value in numbers(blocks).items():
        if f"number {name}" in number:
            rows.append(np.arange(len(blocks)))
            cols.append(np.full(len(blocks), number[f"number {name}"]))
            values.append(value)
    for group in GROUPS:
        if group in groups:
            row, col = _coded(tokens(blocks, group, parts), group, number)
            rows.append(row)
            cols.append(col)
            values.append(np.ones(len(row)))
    return _matrix(np.concatenate(rows), np.concatenate(cols), np.concatenate(values), len(blocks), len(columns) + 1)


def _coded(own: Sequence[tuple[str, ...]], group: str, number: dict[str, int]) -> tuple[Rows, Rows]:
    """The entries of a group; equal blocks are looked up once."""
    known: dict[tuple[str, ...], list[int]] = {}
    rows: list[int] = []
    cols: list[int] = []
    for row, some in enumerate(own):
        if some not in known:
            known[some] = sorted({number[name] for token in some if (name := f"{group} {token}") in number})
        cols += known[some]
        rows += [row] * len(known[some])
    return np.array(rows, np.intp), np.array(cols, np.intp)


def _matrix(row: Rows, column: Rows, value: Any, height: int, width: int) -> Matrix:
    order = np.lexsort((column, row))
    start = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=height))))
    return Matrix(start.astype(np.intp), column[order], np.asarray(value, np.float64)[order], width)


@lru_cache(maxsize=1 << 14)
def _path_tokens(path: tuple[str, ...], parts: bool) -> tuple[str, ...]:
    whole = ">".join(path)
    ends = [">".join(path[-k:]) for k in (1, 2, 3) if len(path) >= k] if parts else []
    return (f"/{whole}", *ends)


@lru_cache(maxsize=1 << 14)
def _selector_tokens(selector: tuple[str, ...], parts: bool) -> tuple[str, ...]:
    blurred = [_DIGITS.sub("0", one) for one in selector]
    return ("/" + ">".join(blurred), *(dict.fromkeys(_parts(blurred)) if parts else ()))


def _parts(selector: Iterable[str]) -> Iterator[str]:
    """Every name, id and class on the way, and the last element's own once more, marked."""
    last = ""
    for last in selector:
        yield from _PART.findall(last)
    yield from (f"={part}" for part in _PART.findall(last))

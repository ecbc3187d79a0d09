"""Module 1: the text blocks of rendered pages, and what a browser knows of them.

A block is a run of text without a block boundary inside; its element is the innermost one that holds all of it.

    path       element names from the body down:              ("div", "article", "p")
    selector   the same with ids and classes:                 ("div#page", "article.story.first", "p")
    style      computed CSS that is not the default:          ("color: rgb(0, 0, 238)", "cursor: pointer")
    box        x, y, width, height in CSS pixels

Both kinds of data give the same value: pages that we rendered (`of_pages`) and the JSON that other browsers left behind
(`of_renderings`, the data set `rendered-blocks`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np

from thresher.data.tags import NUMBER
from thresher.errors import NeedsLayout
from thresher.methods.cluster.claims import Claim, of_page, of_rendering
from thresher.page import Page, attributes
from thresher.page.types import Ints, Rows, Singles
from thresher.text.invisible import without_invisible
from thresher.visible.readable import readable

__all__ = ["Facts", "SiteBlocks", "joined", "of_pages", "of_renderings"]


_MAX_PATH = 32  # elements of a path, the innermost; deeper pages are made by hostile hands
_MAX_BLOCKS = 4_000  # of a page
_MAX_VALUE_LENGTH = 80  # characters of a CSS declaration
_URL = re.compile(r"url\([^)]*\)?")
# How large a thing is and where it stands says `box`; these would tell blocks apart that only have more text.
_SIZE_PROPERTIES = frozenset(
    (
        "width height min-width max-width min-height max-height block-size inline-size min-block-size max-block-size "
        "min-inline-size max-inline-size top right bottom left inset-block-start inset-block-end inset-inline-start "
        "inset-inline-end grid-template-columns grid-template-rows clip transform transform-origin perspective-origin"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a page beside its blocks."""

    url: str | None
    width: float  # of the body, CSS pixels
    height: float
    claims: tuple[Claim, ...]  # what it says of itself


@dataclass(frozen=True, slots=True, eq=False)
class SiteBlocks:
    """The blocks of some pages, page after page in reading order; N of them."""

    text: tuple[str, ...]
    path: tuple[tuple[str, ...], ...]
    selector: tuple[tuple[str, ...], ...]
    style: tuple[tuple[str, ...], ...]
    box: Singles  # (N, 4)
    page: Ints  # (N,)  which page, an index into `pages`
    number: Ints  # (N,)  which block of its page
    pages: tuple[Facts, ...]

    def __len__(self) -> int:
        return len(self.text)

    def of(self, page: int) -> Rows:
        """The blocks of one page."""
        return np.flatnonzero(self.page == page)

    def take(self, pages: Rows) -> SiteBlocks:
        """The blocks of some pages, in the order of all."""
        rows = np.flatnonzero(np.isin(self.page, pages))
        some = rows.tolist()
        return SiteBlocks(
            tuple(self.text[row] for row in some),
            tuple(self.path[row] for row in some),
            tuple(self.selector[row] for row in some),
            tuple(self.style[row] for row in some),
            self.box[rows],
            np.searchsorted(np.sort(pages), self.page[rows]).astype(np.int32),
            self.number[rows],
            tuple(self.pages[page] for page in np.sort(pages).tolist()),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The columns of one page."""

    text: list[str]
    path: list[tuple[str, ...]]
    selector: list[tuple[str, ...]]
    style: list[tuple[str, ...]]
    box: Singles
    number: Ints
    facts: Facts


def of_pages(pages: Sequence[Page]) -> SiteBlocks:
    """The blocks of pages that were rendered; NeedsLayout for one that was not."""
    return _of_parts([_of_page(page) for page in pages])


def of_renderings(renderings: Iterable[Mapping[str, Any]]) -> SiteBlocks:
    """The blocks of pages as the data set `rendered-blocks` has them."""
    return _of_parts([_of_rendering(rendering) for rendering in renderings])


def joined(sites: Sequence[SiteBlocks]) -> SiteBlocks:
    """The pages of several sites, one after another."""
    parts = []
    for blocks in sites:
        for page, facts in enumerate(blocks.pages):
            rows = blocks.of(page)
            own = slice(int(rows[0]), int(rows[-1]) + 1) if len(rows) else slice(0)
            parts.append(
                _Part(
                    list(blocks.text[own]),
                    list(blocks.path[own]),
                    list(blocks.selector[own]),
                    list(blocks.style[own]),
                    blocks.box[own],
                    blocks.number[own],
                    facts,
                )
            )
    return _of_parts(parts)


def _of_parts(parts: Sequence[_Part]) -> SiteBlocks:
    def column(name: str) -> tuple[Any, ...]:
        return tuple(chain.from_iterable(getattr(part, name) for part in parts))

    return SiteBlocks(
        column("text"),
        column("path"),
        column("selector"),
        column("style"),
        np.concatenate([np.zeros((0, 4), np.float32), *(part.box for part in parts)]),
        np.repeat(np.arange(len(parts), dtype=np.int32), [len(part.text) for part in parts]),
        np.concatenate([np.zeros(0, np.int32), *(part.number for part in parts)]),
        tuple(part.facts for part in parts),
    )


# ---- pages that we rendered ----------------------------------------------------------------------------------


def _of_page(page: Page) -> _Part:
    if page.box is None or page.style is None:
        raise NeedsLayout(
            f"cluster reads element boxes and styles, and {page.url or 'this page'} has none; "
            "run: thresher render PAGE -o page.json.gz"
        )
    number, first, last = _spans(page)
    row = _holders(page, first, last)
    some, which = np.unique(row, return_inverse=True)
    names = _names(page)
    paths = [_path(page, int(one), names) for one in some]
    styles = _styles(page, some)
    body = np.flatnonzero(page.tag == NUMBER["body"])
    width, height = np.nan_to_num(page.box[body[0], 2:]).tolist() if len(body) else (0.0, 0.0)
    return _Part(
        [_text(page, a, b) for a, b in zip(first.tolist(), last.tolist(), strict=True)],
        [paths[k][0] for k in which],
        [paths[k][1] for k in which],
        [styles[k] for k in which],
        np.nan_to_num(page.box[row]),
        number.astype(np.int32),
        Facts(page.url, width or float(page.style.viewport[0]), height, of_page(page)),
    )


def _spans(page: Page) -> tuple[Rows, Rows, Rows]:
    """The numbers of the blocks with readable text, and the first and last readable text of each."""
    seen = np.flatnonzero(readable(page))
    if not len(seen):
        return seen, seen, seen
    starts = np.concatenate(([0], np.flatnonzero(np.diff(page.block[seen])) + 1))[:_MAX_BLOCKS]
    stops = np.append(np.flatnonzero(np.diff(page.block[seen])) + 1, len(seen))[: len(starts)]
    return page.block[seen[starts]].astype(np.intp), seen[starts], seen[stops - 1]


def _holders(page: Page, first: Rows, last: Rows) -> Rows:
    """The innermost element around each block: up from the first text's until it holds the last one."""
    row = page.owner[first].astype(np.intp)
    while (climbs := (page.last[row] <= last) & (row > 0)).any():
        row = np.where(climbs, page.parent[row], row)
    return row


def _names(page: Page) -> tuple[dict[int, str], dict[int, str]]:
    return attributes.values(page, "id"), attributes.values(page, "class")


def _path(page: Page, row: int, names: tuple[dict[int, str], dict[int, str]]) -> tuple[tuple[str, ...], ...]:
    """The tag path and the selector path of an element."""
    rows = [row, *islice(page.ancestors(row), _MAX_PATH)]
    inner = [one for one in rows if page.tag[one] not in _OUTER_TAGS][::-1]
    ids, classes = names
    path = [page.name(one) for one in inner]
    return tuple(path), tuple(
        _selector(name, ids.get(one, ""), classes.get(one, "").split()) for name, one in zip(path, inner, strict=True)
    )


_OUTER_TAGS = frozenset((NUMBER["html"], NUMBER["body"]))


def _styles(page: Page, rows: Rows) -> list[tuple[str, ...]]:
    """The declarations of each element, out of all properties that there are, which have not their initial value."""
    declarations = page.style.declarations
    if declarations is None:  # rendered before all properties were read
        return _styles_by_name(page, rows)
    return [
        tuple(_declaration(name, value) for name, value in declarations.entries(row) if name not in _SIZE_PROPERTIES)
        for row in rows.tolist()
    ]


def _styles_by_name(page: Page, rows: Rows) -> list[tuple[str, ...]]:
    """Of the properties that methods ask for by name, those that the body has not; none without layout."""
    body = np.flatnonzero(page.tag == NUMBER["body"])
    declarations: list[list[str]] = [[] for _ in range(len(rows))]
    for name in page.style.names:
        if name in _SIZE_PROPERTIES:
            continue
        codes = page.style.codes[name]
        own = codes[rows]
        usual = codes[body[0]] if len(body) else -1
        value_declarations = [_declaration(name, value) for value in page.style.values[name]]
        for place in np.flatnonzero((own != usual) & (own >= 0)).tolist():
            declarations[place].append(value_declarations[own[place]])
    return [tuple(some) for some in declarations]


def _text(page: Page, first: int, last: int) -> str:
    texts = np.arange(first, last + 1)
    texts = texts[readable(page)[texts]]
    pieces = [" " * gap + piece for gap, piece in zip(page.spaced[texts].tolist(), page.cut(texts), strict=True)]
    return _clean("".join(pieces))


# ---- pages that others rendered ------------------------------------------------------------------------------


def _of_rendering(rendering: Mapping[str, Any]) -> _Part:
    blocks = rendering["texts"][:_MAX_BLOCKS]
    bound = rendering.get("body", {}).get("bound", {})
    sides = ("left", "top", "width", "height")
    return _Part(
        [_clean("".join(block["text"])) for block in blocks],
        [tuple(block["path"][-_MAX_PATH:]) for block in blocks],
        [
            tuple(_selector(one["name"], one["id"], one["classes"]) for one in block["selector"][-_MAX_PATH:])
            for block in blocks
        ],
        [
            tuple(
                _declaration(name, value) for name, value in block["computed"].items() if name not in _SIZE_PROPERTIES
            )
            for block in blocks
        ],
        np.array([[block["bound"][side] for side in sides] for block in blocks], np.float32).reshape(-1, 4),
        np.arange(len(blocks), dtype=np.int32),
        Facts(
            rendering.get("url"), float(bound.get("width", 0)), float(bound.get("height", 0)), of_rendering(rendering)
        ),
    )


def _selector(name: str, id: str, classes: Iterable[str]) -> str:
    return name + (f"#{id}" if id else "") + "".join(f".{one}" for one in classes)


def _declaration(name: str, value: str) -> str:
    return f"{name}: {_URL.sub('url()', value[:10_000])[:_MAX_VALUE_LENGTH]}"


def _clean(text: str) -> str:
    return " ".join(without_invisible(text).split())

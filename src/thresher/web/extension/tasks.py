"""What is done to pages of the add-on, in the processes that read pages: (request, pages) -> JSON.

extracted   a page with its result, and for each block what was decided and where it stands in the page
neighbours  addresses of other pages of its site, those to compare it with first
markdown    a piece of a page as Markdown
corrected   what people say about elements -> labels for the labelling store, and rules of the site
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import numpy as np

from thresher.labelling.corrections import Correction, learned_rules
from thresher.output import to_markdown
from thresher.output.media import media_mask
from thresher.page import Page
from thresher.page.types import Rows
from thresher.page.xpath import xpaths
from thresher.parse import parse
from thresher.result.extraction import Extraction
from thresher.template.distance import by_distance
from thresher.template.links import address, links
from thresher.visible.readable import readable
from thresher.web.extension.live_page import is_live, read_live
from thresher.web.tasks import page_of, result_of

__all__ = ["corrected", "extracted", "markdown", "neighbours"]

Json = dict[str, Any]

_MAX_BLOCKS = 20_000
_MAX_REASONS = 6  # of a block


def extracted(request: Json, pages: list[bytes]) -> Json:
    """The result of a page, and marks for the add-on to draw."""
    page, number = _numbered(request, pages)
    result = result_of(request, pages, page)
    return {
        "result": result.to_dict(blocks=True),
        "html": result.html,
        "words": len(result.text.split()),
        "marks": _marks(result, number),
        "media": _media(result, number),
    }


def neighbours(request: Json, pages: list[bytes]) -> Json:
    """Pages of the site that this one links to, the nearest first (paper 002, 2.1)."""
    page, _ = _numbered(request, pages)
    own = address(page.url or "")
    nearest = islice(by_distance(page, own, links(page)), request["count"]) if own else ()
    return {"urls": [link.url for link in nearest]}


def markdown(request: Json, pages: list[bytes]) -> Json:
    """All text of a piece of a page."""
    page = parse(pages[0], url=request.get("url"), encoding="utf-8")
    return {"markdown": to_markdown(page, readable(page))}


def corrected(request: Json, pages: list[bytes]) -> Json:
    """Labels and rules from `changes`: pairs of an element's number and whether it is content."""
    page, number = _numbered(request, pages)
    row_of = {int(one): row for row, one in enumerate(number.tolist()) if one >= 0}
    given = [Correction(row_of[one], bool(keep)) for one, keep in request["changes"] if one in row_of]
    if not given:
        raise ValueError("none of these elements is in the page")
    keep = result_of(request, pages, page).keep[: len(page.start)]
    paths = xpaths(page, [one.row for one in given])
    labels = [[path, "content" if one.keep else "noise"] for path, one in zip(paths, given, strict=True)]
    return {"labels": labels, "rules": [rule.to_dict() for rule in learned_rules(page, keep, given)]}


def _numbered(request: Json, pages: list[bytes]) -> tuple[Page, Rows]:
    """The page, and the add-on's numbers of its elements."""
    if is_live(pages[0]):
        live = read_live(pages[0])
        return live.page, live.number
    page = page_of(request, pages)
    return page, np.full(len(page), -1, np.intp)


def _media(result: Extraction, number: Rows) -> list[int]:
    """The elements without text (pictures, videos) that are content."""
    rows = np.flatnonzero(media_mask(result.page, result.keep, result.elements))
    return [int(number[row]) for row in rows.tolist() if row < len(number) and number[row] >= 0]


def _marks(result: Extraction, number: Rows) -> list[Json]:
    """For each block: kept, score, reasons, the element around it, and its texts.

    A text is told by the number of the element that holds it, its place among the texts of that element, and how many
    there are: an add-on that counts otherwise marks the whole element.
    """
    page = result.page
    own = np.full(len(page), -1, np.intp)
    own[: len(number)] = number[: len(page)]  # text from the page's JSON-LD stands behind, in rows of its own
    owners = page.owner.tolist()
    count = Counter(owners)
    seen: Counter[int] = Counter()
    of_block: dict[int, list[list[int]]] = {}
    for owner, block in zip(owners, page.block.tolist(), strict=True):
        if own[owner] >= 0:
            of_block.setdefault(block, []).append([int(own[owner]), seen[owner], count[owner]])
        seen[owner] += 1
    return [
        {
            "kept": block.kept,
            "score": round(block.score, 3),
            "reasons": list(block.reasons[:_MAX_REASONS]),
            "texts": of_block[block.number],
        }
        for block in result.blocks[:_MAX_BLOCKS]
        if block.number in of_block
    ]

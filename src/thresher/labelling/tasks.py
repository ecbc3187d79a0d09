"""What is asked of pages to label, for processes that read pages: (request, pages) -> JSON.

Of the request: `url`, `encoding`, `rendered` of the page; `labelled`, XPaths of elements with labels.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from thresher.labelling.export import page_of
from thresher.labelling.outline import outline
from thresher.labelling.queue import Loaded
from thresher.page import Page
from thresher.result.extraction import extract
from thresher.visible.readable import readable

__all__ = ["confidence", "page_in", "page_outline", "suggested_labels"]

Json = dict[str, Any]


def page_in(request: Json, pages: list[bytes]) -> Page:
    """The page itself."""
    return page_of(Loaded(pages[0], request.get("url"), request.get("encoding"), bool(request.get("rendered"))))


def confidence(request: Json, pages: list[bytes]) -> Json:
    """How sure `auto` is of what it would keep."""
    result = extract(page_in(request, pages))
    return {"confidence": result.confidence, "status": result.status}


def page_outline(request: Json, pages: list[bytes]) -> Json:
    """The outline of the page with what `auto` would keep of each item: 1 all, 0 nothing, between some."""
    page = page_in(request, pages)
    result = extract(page)
    size = np.array([len(text) for text in page.text], np.float64)
    keep = result.keep[: len(size)]  # text added from the page's JSON-LD stands behind
    kept_before, chars_before = (np.concatenate(([0.0], np.cumsum(size * mask))) for mask in (keep, np.ones(len(size))))
    items = []
    for item in outline(page, request.get("labelled", ())):
        fields = asdict(item)
        first, last = int(page.first[item.row]), int(page.last[item.row])
        fields["kept"] = float(
            (kept_before[last] - kept_before[first]) / max(chars_before[last] - chars_before[first], 1)
        )
        items.append(fields)
    return {
        "title": result.metadata.title or "",
        "items": items,
        "confidence": result.confidence,
        "status": result.status,
    }


def suggested_labels(request: Json, pages: list[bytes]) -> Json:
    """Labels as `auto` would give them to what has none: [xpath, label] of the fewest elements that say so.

    An element gets a label when all of it is judged alike and no element in it was labelled by hand.
    """
    page = page_in(request, pages)
    labelled = set(request.get("labelled", ()))
    items = outline(page, labelled)
    keep = extract(page).keep
    visible = readable(page)
    labels: list[tuple[str, str]] = []
    skip = 0
    for number, item in enumerate(items):
        if number < skip or not item.element:
            continue
        below = {one.xpath for one in items[number : item.end] if one.element}
        if item.xpath in labelled:
            skip = item.end if not (below - {item.xpath}) & labelled else skip
            continue
        first, last = int(page.first[item.row]), int(page.last[item.row])
        verdicts = np.unique(keep[first:last][visible[first:last]])
        leaf = item.end == number + 1 or not any(one.element for one in items[number + 1 : item.end])
        if (len(verdicts) == 1 or leaf) and not below & labelled:
            labels.append((item.xpath, "content" if keep[first:last].any() else "noise"))
            skip = item.end
    return {"labels": labels}

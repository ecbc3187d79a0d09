"""What Label shows of a page itself, made in the processes that read pages: (request, pages) -> JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher.labelling.gold import shares
from thresher.labelling.tasks import page_in
from thresher.learn.labelfile import Label
from thresher.output.painting import BlockMark, paint
from thresher.page.tree import block_first

__all__ = ["painted_labels"]


def painted_labels(request: dict[str, Any], pages: list[bytes]) -> dict[str, Any]:
    """The page with one labeller's labels painted over its blocks: content, noise, and what has none."""
    page = page_in(request, pages)
    labels = [Label("page", xpath, name, "labeller", time) for xpath, name, time in request["labels"]]
    share = shares(page, labels)[block_first(page)] if len(page.start) else np.zeros(0)
    kinds = np.where(np.isnan(share), "open", np.where(share > 0.5, "kept", "dropped")).tolist()
    notes = {"open": "no label yet", "kept": "content", "dropped": "noise"}
    shown = paint(page, {number: BlockMark(kind, notes[kind]) for number, kind in enumerate(kinds)})
    return {"html": shown.html}

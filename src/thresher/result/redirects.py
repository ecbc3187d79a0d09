"""Where a page leads that has next to no text of its own.

    on       <meta http-equiv=refresh content="0; url=…">   browsers go there: what a page left at its old address
    frames   <frame src>, <iframe src> that are shown        browsers show those pages in this one

Neither is followed: what is fetched is up to the reader.
"""

from __future__ import annotations

import numpy as np

from thresher.output.urls import Resolver
from thresher.page import Page
from thresher.page.columns import tag_mask
from thresher.visible.hidden import hidden

__all__ = ["elsewhere"]

_MAX_FRAMES = 3  # frames that are named
_MAX_ADDRESS_LENGTH = 200  # characters of an address
_COUNTER_SIZES = frozenset({"0", "1", "0px", "1px"})  # width and height of frames that only count readers


def elsewhere(page: Page) -> str | None:
    """What to read instead, as a sentence; None where the page leads nowhere."""
    from thresher.metadata import head  # few pages come here

    resolve = Resolver(page)
    for address in head.refresh_urls(head.read(page)):
        url = resolve(address)
        if url and url != page.url:
            return f"the page only sends its readers on to {url[:_MAX_ADDRESS_LENGTH]}"
    frames = dict.fromkeys(resolve(address)[:_MAX_ADDRESS_LENGTH] for address in _frames(page))
    frames.pop("", None)
    if not frames:
        return None
    return f"the page has little text of its own and shows others in frames: {', '.join(list(frames)[:_MAX_FRAMES])}"


def _frames(page: Page) -> list[str]:
    """What the frames that are shown load, in document order."""
    sources = []
    for row in np.flatnonzero(tag_mask(page, "frame", "iframe") & ~hidden(page)).tolist():
        frame = page.attributes(row)
        if not _COUNTER_SIZES & {frame.get("width"), frame.get("height")}:
            sources.append(frame.get("src", ""))
    return sources

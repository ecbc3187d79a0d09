"""In which boxes of a page letters are painted: two screenshots, with some texts and without them.

Letters are taken away by a script of ours, in a world of its own where the page has changed nothing: the elements that
hold them get a clear colour, and no shadow; one whose background is clipped to its letters, no background.  Pillow
reads the pictures.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.fetch.limits import Deadline
from thresher.page.types import Bools, Floats
from thresher.render.tab import Tab

__all__ = ["painted_boxes"]

_MAX_SIDE = 16_000  # pixels of a screenshot
_MIN_LEVELS = 24  # of 255: a smaller difference is none
_MIN_INK_SHARE = 0.012  # of a box: plain letters cover a tenth of it
_MIN_INK = 6  # pixels

_MAX_TEXTS = 3_000  # that are looked at; further ones count as painted

_CLEAR = """function (...holders) {
  for (const holder of holders) {
    if (!holder.style) continue;
    const set = (name, value) => holder.style.setProperty(name, value, "important");
    set("transition", "none");
    set("-webkit-text-fill-color", "transparent");
    set("-webkit-text-stroke-color", "transparent");
    set("text-shadow", "none");
    set("text-decoration-color", "transparent");
    for (let box = holder; box && box.style; box = box.parentElement)
      if (getComputedStyle(box).backgroundClip.includes("text"))
        box.style.setProperty("background", "none", "important");
  }
}"""


def painted_boxes(tab: Tab, holders: Sequence[int], boxes: Floats, deadline: Deadline) -> Bools:
    """In which of some boxes (left, top, right, bottom) the letters of their elements, which the browser knows by these
    numbers, are painted.  The page is of no use afterwards.

    ImportError where Pillow is not installed."""
    size = tab.ask("Page.getLayoutMetrics", deadline)["cssContentSize"]
    limit = np.array([min(size["width"], _MAX_SIDE), min(size["height"], _MAX_SIDE)])
    left, top = np.clip(np.floor(boxes[:, :2].min(axis=0)), 0, limit)
    right, bottom = np.clip(np.ceil(boxes[:, 2:].max(axis=0)), 0, limit)
    if right <= left or bottom <= top:
        return np.zeros(len(boxes), bool)
    clip = {"x": left, "y": top, "width": right - left, "height": bottom - top, "scale": 1}
    written = _screenshot(tab, clip, deadline)
    _clear(tab, list(dict.fromkeys(holders[:_MAX_TEXTS])), deadline)
    blank = _screenshot(tab, clip, deadline)
    ink = np.abs(written.astype(np.int16) - blank).max(axis=2) > _MIN_LEVELS
    # The sum of a rectangle is that of four corners of the running sums.
    total = np.zeros((ink.shape[0] + 1, ink.shape[1] + 1), np.int64)
    total[1:, 1:] = ink.cumsum(axis=0).cumsum(axis=1)
    corner = boxes - np.array([left, top, left, top])
    high, wide = ink.shape
    x0, x1 = (np.clip(np.rint(corner[:, side]), 0, wide).astype(int) for side in (0, 2))
    y0, y1 = (np.clip(np.rint(corner[:, side]), 0, high).astype(int) for side in (1, 3))
    letters = total[y1, x1] - total[y0, x1] - total[y1, x0] + total[y0, x0]
    space = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    painted: Bools = letters >= np.maximum(_MIN_INK, _MIN_INK_SHARE * space)
    painted[_MAX_TEXTS:] = True
    return painted


def _clear(tab: Tab, holders: list[int], deadline: Deadline) -> None:
    """Take the letters of some elements away."""
    world = tab.ask("Page.createIsolatedWorld", deadline, frameId=tab.frame, worldName="thresher")
    context = world["executionContextId"]
    calls = [("DOM.resolveNode", {"backendNodeId": number, "executionContextId": context}) for number in holders]
    answers = tab.connection.call_all(calls, tab.session, deadline=deadline)
    objects = [{"objectId": answer["object"]["objectId"]} for answer in answers]
    tab.ask(
        "Runtime.callFunctionOn", deadline, functionDeclaration=_CLEAR, executionContextId=context, arguments=objects
    )


def _screenshot(tab: Tab, clip: dict[str, Any], deadline: Deadline) -> NDArray[np.uint8]:
    answer = tab.ask(
        "Page.captureScreenshot", deadline, format="png", optimizeForSpeed=True, captureBeyondViewport=True, clip=clip
    )
    from PIL import Image

    with Image.open(io.BytesIO(base64.b64decode(answer["data"]))) as image:
        return np.asarray(image.convert("RGB"))

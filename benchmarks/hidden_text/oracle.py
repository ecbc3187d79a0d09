"""Whether a sentence is seen: Chromium draws the page with the sentence and with it written backwards.

Both take the same place, so where no pixel differs nobody can read the sentence.  Each page has a frame of its own, of
the size of a window; some dozens of frames make one screenshot.  What is not seen at first is scrolled to, as a reader
can scroll: the page, and boxes with scroll bars; a second pair of screenshots decides.

A difference counts by its pixels beside those of the plain sentence: SEEN, UNSEEN, or UNCLEAR in between (pale, tiny or
half cut), which is no case for either side.
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hidden_text.cases import SENTENCE
from thresher.fetch.limits import Deadline
from thresher.render.chromium import Chromium, find_chromium

__all__ = ["SEEN", "UNCLEAR", "UNSEEN", "Oracle"]

SEEN, UNSEEN, UNCLEAR = "seen", "unseen", "unclear"
VIEWPORT = (1280, 800)
_COLUMNS, _ROWS = 5, 8  # frames of a screenshot
_SCALE = 0.5
_CLEAR_LEVELS, _FAINT_LEVELS = 64, 20  # of 255: a difference that is plain to see, and one that is not
_SEEN_SHARE, _UNSEEN_SHARE = 0.12, 0.03  # of the pixels that the plain sentence has
_SECONDS = 120
_PLAIN = f"<!DOCTYPE html><p>{SENTENCE}</p>"

_SHOW = """(async (documents, columns, width, height) => {
  document.body.replaceChildren();
  document.body.style.margin = 0;
  await Promise.all(documents.map((text, number) => new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.style.cssText = `position:absolute;border:0;width:${width}px;height:${height}px;` +
      `left:${(number % columns) * width}px;top:${Math.floor(number / columns) * height}px`;
    frame.onload = done;
    frame.srcdoc = text;
    document.body.append(frame);
  })));
  await new Promise((done) => setTimeout(done, 120));
})"""
# Scrolls every frame to the text, by what a reader can move: windows, and boxes with scroll bars.
_SCROLL = """(async (pieces) => {
  const find = (root) => {
    const walker = root.ownerDocument ? root.ownerDocument.createTreeWalker(root, 5) : root.createTreeWalker(root, 5);
    for (let node; (node = walker.nextNode());) {
      if (node.nodeType === 3 && pieces.some((piece) => node.data.includes(piece))) return node;
      const inner = node.shadowRoot && find(node.shadowRoot);
      if (inner) return inner;
    }
  };
  for (const frame of document.querySelectorAll("iframe")) {
    const inside = frame.contentDocument, text = find(inside);
    if (!text) continue;
    const range = inside.createRange();
    range.selectNodeContents(text);
    for (let box = text.parentElement; box && box !== inside.body; ) {
      const style = frame.contentWindow.getComputedStyle(box), mine = box.getBoundingClientRect();
      const at = range.getBoundingClientRect();
      if (/auto|scroll/.test(style.overflowY)) box.scrollTop += at.top - mine.top;
      if (/auto|scroll/.test(style.overflowX)) box.scrollLeft += at.left - mine.left;
      box = box.assignedSlot || box.parentElement || (box.getRootNode().host);
    }
    const at = range.getBoundingClientRect();
    frame.contentWindow.scrollBy(at.left - 100, at.top - 200);
  }
  await new Promise((done) => setTimeout(done, 60));
})"""


class Oracle:
    """A browser that is asked whether sentences are seen."""

    def __init__(self) -> None:
        self._chromium = Chromium(find_chromium(), 4_000)
        self._call = self._chromium.connection.call
        target = self._call("Target.createTarget", {"url": "about:blank"}, deadline=Deadline.after(_SECONDS))[
            "targetId"
        ]
        attached = self._call(
            "Target.attachToTarget", {"targetId": target, "flatten": True}, deadline=Deadline.after(9)
        )
        self._session = attached["sessionId"]
        width, height = VIEWPORT[0] * _COLUMNS, VIEWPORT[1] * _ROWS
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._ask("Emulation.setDeviceMetricsOverride", **metrics)
        self._whole = np.array([1, 1])
        self._whole = self._ink([_PLAIN], scroll=False)[0]

    def close(self) -> None:
        self._chromium.kill()

    def verdicts(self, pages: Sequence[str]) -> Iterator[str]:
        """SEEN, UNSEEN or UNCLEAR for each page."""
        step = _COLUMNS * _ROWS
        for start in range(0, len(pages), step):
            batch = pages[start : start + step]
            ink = self._ink(batch, scroll=False)
            again = np.flatnonzero(ink[:, 0] < _SEEN_SHARE)
            if len(again):
                ink[again] = np.maximum(ink[again], self._ink([batch[place] for place in again], scroll=True))
            for plain, faint in ink:
                yield SEEN if plain >= _SEEN_SHARE else UNSEEN if faint <= _UNSEEN_SHARE else UNCLEAR

    def _ink(self, pages: Sequence[str], scroll: bool) -> NDArray[np.float64]:
        """Pixels that differ plainly, and at all, as shares of those of a plain sentence."""
        written = self._picture(pages, scroll)
        backwards = self._picture([page.replace(SENTENCE, SENTENCE[::-1]) for page in pages], scroll)
        difference = np.abs(written.astype(np.int16) - backwards).max(axis=2)
        width, height = (int(side * _SCALE) for side in VIEWPORT)
        ink = np.empty((len(pages), 2))
        for number in range(len(pages)):
            row, column = divmod(number, _COLUMNS)
            frame = difference[row * height : (row + 1) * height, column * width : (column + 1) * width]
            ink[number] = np.count_nonzero(frame > _CLEAR_LEVELS), np.count_nonzero(frame > _FAINT_LEVELS)
        return ink / self._whole

    def _picture(self, pages: Sequence[str], scroll: bool) -> NDArray[np.uint8]:
        self._evaluate(f"{_SHOW}({json.dumps(list(pages))}, {_COLUMNS}, {VIEWPORT[0]}, {VIEWPORT[1]})")
        if scroll:
            self._evaluate(f"{_SCROLL}({json.dumps([SENTENCE[:30], SENTENCE[::-1][:30]])})")
        rows = -(-len(pages) // _COLUMNS)
        clip = {"x": 0, "y": 0, "width": VIEWPORT[0] * _COLUMNS, "height": VIEWPORT[1] * rows, "scale": _SCALE}
        answer = self._ask("Page.captureScreenshot", format="png", optimizeForSpeed=True, clip=clip)
        return np.asarray(Image.open(io.BytesIO(base64.b64decode(answer["data"]))).convert("RGB"))

    def _evaluate(self, expression: str) -> None:
        answer = self._ask("Runtime.evaluate", expression=expression, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        return self._call(method, params, self._session, deadline=Deadline.after(_SECONDS))

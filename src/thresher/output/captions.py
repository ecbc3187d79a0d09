"""The captions of pictures: `figcaption`, and what a class calls so (`wp-caption-text`)."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice

import numpy as np

from thresher.data.tags import NUMBER, group
from thresher.page import Page, attributes, memoised
from thresher.page.columns import has
from thresher.page.parts import Parts, with_part
from thresher.page.types import Bools, Rows
from thresher.text.patterns import compile_later

__all__ = ["captions", "in_picture_caption", "picture_captions"]


_NAME = compile_later(rb"(?:wp|image|img|figure|photo|picture|media)[-_]*caption", re.IGNORECASE)
_WORD = Parts(b"caption")  # is in all of these
_PICTURES = group(("img", "picture", "video", "svg", "canvas", "iframe"))
_FIGCAPTION, _IMG = NUMBER["figcaption"], NUMBER["img"]
_MAX_STEPS_TO_FIGURE = 3  # elements from a caption up to one that holds the picture, too


@memoised
def captions(page: Page) -> Rows:
    """The elements that are captions by name or class, ascending; what holds the image, too, is more."""
    values = attributes.numbered(page, "class")
    likely = with_part(page, "class", _WORD)
    named = [number for number in likely if _NAME.search(attributes.value_of(page, values, number))]
    if not named and not has(page, "figcaption"):
        return np.zeros(0, np.intp)
    mask = page.tag == _FIGCAPTION
    mask[attributes.rows_of(values, named)] = True
    chosen: Rows = mask.nonzero()[0]
    images = (page.tag == _IMG).nonzero()[0]
    bare: Rows = chosen[images.searchsorted(chosen) == images.searchsorted(page.end[chosen])]
    return bare


@memoised
def picture_captions(page: Page) -> dict[int, int]:
    """The captions of pictures, and the picture of each: the last one before it in the nearest element that holds any,
    else the first."""
    rows: list[int] = captions(page).tolist()
    pictures: list[int] = _PICTURES[page.tag].nonzero()[0].tolist() if rows else []
    picture: dict[int, int] = {}
    for row in rows if pictures else ():
        before = bisect_left(pictures, row)
        for figure in islice(page.ancestors(row), _MAX_STEPS_TO_FIGURE):
            first, last = bisect_left(pictures, figure), bisect_left(pictures, int(page.end[figure]))
            if first < last:
                picture[row] = pictures[before - 1] if before > first else pictures[first]
                break
    return picture


def in_picture_caption(page: Page) -> Bools:
    """Which texts stand in the caption of a picture."""
    texts = np.zeros(len(page.start), bool)
    for row in picture_captions(page):
        texts[page.first[row] : page.last[row]] = True
    return texts

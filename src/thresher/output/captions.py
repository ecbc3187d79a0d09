"""The captions of pictures: `figcaption`, and what a class calls so (`wp-caption-text`)."""

from __future__ import annotations

import re
from itertools import islice

import numpy as np

from thresher.data.tags import NUMBER, group
from thresher.page import Page, attributes
from thresher.page.columns import column, tag_mask
from thresher.page.tree import subtree_sum, texts_within
from thresher.page.types import Bools, Rows

__all__ = ["captions", "in_picture_caption", "picture_captions"]


_NAME = re.compile(rb"(?:wp|image|img|figure|photo|picture|media)[-_]*caption", re.IGNORECASE)
_PICTURES = group(("img", "picture", "video", "svg", "canvas", "iframe"))
_IMG = NUMBER["img"]
_MAX_STEPS_TO_FIGURE = 3  # elements from a caption up to one that holds the picture, too


@column
def captions(page: Page) -> Bools:
    """Elements that are captions by name or class; what holds the image, too, is more."""
    mask = tag_mask(page, "figcaption")
    rows, code, values = attributes.distinct_bytes(page, "class")
    mask[rows[np.array([_NAME.search(value) is not None for value in values], bool)[code]]] = True
    return mask & (subtree_sum(page, page.tag == _IMG) == 0) if mask.any() else mask


@column
def picture_captions(page: Page) -> Rows:
    """For each element the picture of which it is the caption, -1 for all that are none: the last picture before it in
    the nearest element that holds one, else the first."""
    picture = np.full(len(page), -1, np.intp)
    rows = captions(page).nonzero()[0]
    pictures = _PICTURES[page.tag].nonzero()[0]
    if not len(rows) or not len(pictures):
        return picture
    for row in rows.tolist():
        for figure in islice(page.ancestors(row), _MAX_STEPS_TO_FIGURE):
            first, before, last = pictures.searchsorted((figure, row, page.end[figure])).tolist()
            if first < last:
                picture[row] = pictures[before - 1] if before > first else pictures[first]
                break
    return picture


def in_picture_caption(page: Page) -> Bools:
    """Which texts stand in the caption of a picture."""
    return texts_within(page, picture_captions(page) >= 0)

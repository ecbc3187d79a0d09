"""The features of section 2.2 of paper 000, for all candidates of a page at once.

    size       inner text, inner html, words, blocks, DOM height
    counts     images, forms, controls, tables, cells, list items, links, paragraphs, headings
    language   stop words by the page's language, the page's own most frequent words, sentences, punctuation
    links      ratio of anchored text to inner text
    heuristics the share of the text that LBS, SLS and TP (section 2.3) keep, each run on the whole page
    layout     x, y, width, height as shares of the document, once the page is rendered; NaN before

The paper lists these "etc."; ours go on with what tells an element from those around it (see surroundings).
Counts go through log1p.  Everything is a difference of running sums over document order, so a page costs a few passes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from thresher.data.tags import HEADINGS, group
from thresher.methods import lbs, sls, tp
from thresher.methods._segments import subtree_max
from thresher.methods.seeker.segments import candidates, holders
from thresher.methods.seeker.sums import (
    BLOCKS,
    CAPITALS,
    COMMON,
    DIGITS,
    ENDS,
    LINKED,
    MARKS,
    PROSE,
    STOPS,
    TEXT,
    WORDS,
    running_sums,
)
from thresher.methods.seeker.surroundings import SURROUNDINGS, Held, surroundings
from thresher.page import Page
from thresher.page.columns import chars, column
from thresher.page.types import Floats, Rows, Singles
from thresher.page.verdict import Verdict

__all__ = ["FEATURES", "LAYOUT", "features", "features_of"]


_COUNTED = {
    "images": ("img", "picture", "video", "svg"),
    "forms": ("form",),
    "controls": ("input", "button", "select", "textarea"),
    "tables": ("table",),
    "cells": ("td", "th"),
    "items": ("li", "dt", "dd"),
    "links": ("a",),
    "paragraphs": ("p",),
    "headings": HEADINGS,
    "breaks": ("br", "hr"),
    "times": ("time",),
}
_SIZE = ("text", "html", "text_per_html", "words", "word_length", "blocks", "text_per_block", "height", "children")
_LANGUAGE = ("stop_words", "stop_share", "common_words", "common_share", "sentences", "sentence_share", "punctuation",
             "digits", "capitals", "anchor_ratio", "prose_share")  # fmt: skip
_PAGE = ("text", "prose", "anchor_ratio", "blocks")
_HEURISTICS: Mapping[str, Callable[[Page], Verdict]] = {
    "lbs": lbs.judge,
    "sls": sls.judge,
    "tp": tp.judge,
}
_LAYOUT = ("x", "y", "width", "height")

FEATURES: tuple[str, ...] = (
    *_SIZE,
    *_COUNTED,
    *_LANGUAGE,
    *SURROUNDINGS,
    *_HEURISTICS,
    *(f"page {name}" for name in (*_PAGE, *_HEURISTICS)),
    *(f"layout {name}" for name in _LAYOUT),
)

LAYOUT = slice(len(FEATURES) - len(_LAYOUT), len(FEATURES))  # the columns that only a rendered page has


@column
def features(page: Page) -> Singles:
    """x: one row per candidate, one column per name in FEATURES."""
    return features_of(page, candidates(page))


def features_of(page: Page, rows: Rows) -> Singles:
    """The same for other candidates."""
    if not len(rows):
        return np.zeros((0, len(FEATURES)), np.float32)
    running = running_sums(page)
    held = running[page.last[rows]] - running[page.first[rows]]
    child = np.bincount(holders(page, rows) + 1, minlength=len(rows) + 1)[1:]
    parts = (
        _size(page, rows, held, child),
        _counts(page, rows),
        _language(held),
        surroundings(page, Held(rows, running, held, np.maximum(running[-1], 1), child)),
        *_heuristics(page, rows, held),
        _layout(page, rows),
    )
    return np.concatenate(parts, axis=1, dtype=np.float32)


def _size(page: Page, rows: Rows, held: Floats, child: Rows) -> Floats:
    html = _html_length(page, rows)
    height = subtree_max(page, page.depth, rows) - page.depth[rows]
    return np.stack(
        (
            np.log1p(held[:, TEXT]),
            np.log1p(html),
            held[:, TEXT] / np.maximum(html, 1),
            np.log1p(held[:, WORDS]),
            held[:, TEXT] / np.maximum(held[:, WORDS], 1),
            np.log1p(held[:, BLOCKS]),
            np.log1p(held[:, TEXT] / np.maximum(held[:, BLOCKS], 1)),
            height,
            np.log1p(child),
        ),
        axis=1,
    )


def _html_length(page: Page, rows: Rows) -> Floats:
    """Bytes from the opening tag to the last tag or text of each element: inner html without its closing tags."""
    stop = page.tag_stop[page.end[rows] - 1].astype(np.int64)
    text = page.last[rows] - 1
    text_stop = page.position[text] + page.stop[text] - page.start[text]
    length: Floats = (np.maximum(stop, text_stop) - page.tag_stop[rows]).clip(0).astype(np.float64)
    return length


def _counts(page: Page, rows: Rows) -> Floats:
    marks = np.stack([group(names)[page.tag] for names in _COUNTED.values()], axis=1)
    running = np.zeros((len(marks) + 1, marks.shape[1]))
    np.cumsum(marks, axis=0, out=running[1:])
    counts: Floats = np.log1p(running[page.end[rows]] - running[rows])
    return counts


def _language(held: Floats) -> Floats:
    size, count = np.maximum(held[:, TEXT], 1), np.maximum(held[:, WORDS], 1)
    return np.stack(
        (
            np.log1p(held[:, STOPS]),
            held[:, STOPS] / count,
            np.log1p(held[:, COMMON]),
            held[:, COMMON] / count,
            np.log1p(held[:, ENDS]),
            held[:, ENDS] / size * 100,
            held[:, MARKS] / size,
            held[:, DIGITS] / size,
            held[:, CAPITALS] / size,
            held[:, LINKED] / size,
            held[:, PROSE] / size,
        ),
        axis=1,
    )


def _whole(running: Floats) -> Floats:
    text, blocks = max(running[-1, TEXT], 1), max(running[-1, BLOCKS], 1)
    return np.array([np.log1p(text), running[-1, PROSE] / text, running[-1, LINKED] / text, np.log1p(blocks)])


def _heuristics(page: Page, rows: Rows, held: Floats) -> tuple[Floats, Floats, Floats]:
    """The share of each candidate's text that each heuristic of section 2.3, run on the whole page, would keep; the
    page as a whole, and these shares of it."""
    running = running_sums(page)
    size = chars(page)
    text = max(running[-1, TEXT], 1)
    shares, wholes = [], []
    for judge in _HEURISTICS.values():
        kept = np.concatenate((np.zeros(1), np.cumsum(size * judge(page).keep)))
        shares.append((kept[page.last[rows]] - kept[page.first[rows]]) / np.maximum(held[:, TEXT], 1))
        wholes.append(kept[-1] / text)
    return (
        np.stack(shares, axis=1),
        np.broadcast_to(_whole(running), (len(rows), len(_PAGE))),
        np.broadcast_to(np.array(wholes), (len(rows), len(wholes))),
    )


def _layout(page: Page, rows: Rows) -> Floats:
    """The box of each candidate as shares of the document's width and height; NaN where nothing was laid out."""
    if page.box is None:
        return np.full((len(rows), 4), np.nan)
    box = page.box.astype(np.float64)
    laid_out = np.isfinite(box).all(axis=1)
    if not laid_out.any():
        return np.full((len(rows), 4), np.nan)
    width, height = (box[laid_out, :2] + box[laid_out, 2:]).max(axis=0).clip(1)
    share: Floats = box[rows] / (width, height, width, height)
    return share

"""Quotations in a line (`q`): browsers put marks around them, unless a style sheet says otherwise."""

from __future__ import annotations

import numpy as np

from thresher.page import Page

__all__ = ["is_quoted"]

_QUOTES = tuple("\"'“”„«»‘’‚‹›「『《")


def is_quoted(page: Page, row: int) -> bool:
    """Whether the text of an element brings its own quotation mark."""
    first = page.first[row]
    return bool(first < page.last[row]) and page.cut(np.array([first]))[0].lstrip()[:1] in _QUOTES

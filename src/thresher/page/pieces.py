"""A page whose texts are cut into pieces, for methods that keep some words of a text and not others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from thresher.page.page import Page
from thresher.page.types import Rows

__all__ = ["cut_texts"]


def cut_texts(page: Page, at: Rows) -> tuple[Page, Rows]:
    """The page with its texts cut at these places of `utf8`, ascending, each inside a text; and the text that each
    piece was part of.

    The pieces of a text have its owner and its block.  A piece starts in the markup where its text does, moved by as
    many bytes as in `utf8`: unescaping shortens, so that lies inside the text, and pieces keep their order.
    """
    start = np.sort(np.concatenate((page.start, at))).astype(np.int32)
    text = np.searchsorted(page.start, start, side="right") - 1
    last_piece = np.append(text[1:] != text[:-1], True)
    stop = np.where(last_piece, page.stop[text], np.append(start[1:], 0)).astype(np.int32)
    pieces = [page.utf8[a:b] for a, b in zip(start.tolist(), stop.tolist(), strict=True)]
    length = stop - start + 1  # each with a NUL after it
    begin = (np.cumsum(length) - length).astype(np.int32)
    before = np.searchsorted(text, np.arange(len(page.start) + 1))
    columns = {
        "first": before[page.first],
        "last": before[page.last],
        "start": begin,
        "stop": begin + length - 1,
        "owner": page.owner[text],
        "position": page.position[text] + start - page.start[text],
        "block": page.block[text],
    }
    frozen = {name: column.astype(np.int32) for name, column in columns.items()}
    frozen["spaced"] = np.where(start == page.start[text], page.spaced[text], True)
    for column in frozen.values():
        column.setflags(write=False)
    utf8 = b"".join(piece + b"\0" for piece in pieces)
    return replace(page, utf8=utf8, **frozen), text

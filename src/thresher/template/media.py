"""Pictures, videos and sound of a page, told apart by what they load: the content of a page without text of its own.

media        elements that show something loaded, and can be seen
media_keys   a number for each, equal where the addresses are: those that scripts load later, too
own_media    those that no other page shows
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from thresher.data.tags import LAZY_ADDRESSES, group
from thresher.page import Page, attributes
from thresher.page.columns import column
from thresher.page.types import Bools, Rows
from thresher.template.fingerprint import Keys, mixed, piece_keys
from thresher.visible.hidden import hidden

__all__ = ["media", "media_keys", "own_media", "shared_media"]

_MEDIA = group(("img", "video", "audio", "source", "iframe", "embed", "object"))
_ADDRESSES = ("src", "srcset", "data", *LAZY_ADDRESSES)


@column
def media(page: Page) -> Rows:
    """The elements that show a picture, a video or sound, in document order."""
    addressed = np.zeros(len(page), bool)
    for name in _ADDRESSES:
        addressed |= attributes.rows_with(page, name)
    return np.flatnonzero(_MEDIA[page.tag] & addressed & ~hidden(page))


@column
def media_keys(page: Page) -> Keys:
    """A number for what each of the media loads."""
    keys = np.zeros(len(page), np.uint64)
    buffer = np.frombuffer(page.markup, np.uint8)
    for number, name in enumerate(_ADDRESSES):
        held = attributes.find(page, name)
        if len(held.row):
            address = piece_keys(buffer, np.column_stack((held.start, held.stop)))[:, 0]
            keys[held.row] += mixed(np.full(len(address), number, np.uint64), address)
    return keys[media(page)]


def shared_media(page: Page, other: Page) -> Bools:
    """Which of the media of a page another page shows, too, anywhere."""
    return np.isin(media_keys(page), media_keys(other))


def own_media(page: Page, others: Iterable[Page]) -> Bools:
    """The elements that show what no other page shows."""
    shared = np.zeros(len(media(page)), bool)
    for other in others:
        shared |= shared_media(page, other)
    own = np.zeros(len(page), bool)
    own[media(page)[~shared]] = True
    return own

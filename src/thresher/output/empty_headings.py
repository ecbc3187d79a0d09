"""Headings with nothing under them: a heading right before one of the same or a higher rank, or before the end, where
what stood under it was dropped ("Share", "Related", a form).  No form prints them, but for

    the title                every h1, the first heading, all before the first h1, and a subtitle right after the title
    entries of listings      with a link in or around them, or in items, cells and the like; three and more in a row;
                             and all where more than half of a page's headings are such
    headings of headings     right before another on the page itself, with no dropped text and no form, frame or
                             drawing between: authors mistake ranks
    lines of text            longer than a heading, or sentences
    headings of pictures     with an image, a video or a formula in or under them
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import NUMBER, group
from thresher.output.media import MEDIA, media_mask, shown_media
from thresher.page import Page
from thresher.page.types import Bools

__all__ = ["empty_headings"]

_H1, _LINK, _HR = NUMBER["h1"], NUMBER["a"], NUMBER["hr"]
_ENTRY = group(("a", "li", "td", "th", "dt", "dd", "figure", "summary", "details", "button", "label"))
_MEDIA = group({*MEDIA} - {"hr"})
_WIDGET = group(("form", "input", "select", "button", "iframe", "embed", "object", "canvas", "svg", "img", "video"))
_MAX_CHARACTERS = 80
_SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", "؟", "।")
_MIN_ENTRIES = 3  # empty headings in a row that are a list
_MAX_ANCESTORS = 100
_END = 0  # a rank above all


def empty_headings(page: Page, keep: Bools, shown: NDArray[np.integer[Any]], pairs: list[tuple[int, int]]) -> list[int]:
    """The rows of such headings.  `shown` are the headings with kept texts, and `pairs` those of them between which no
    kept text stands."""
    if not len(shown):
        return []
    follower = dict(pairs)
    end = int(shown[-1])
    if not np.count_nonzero(keep[page.last[end] :]):
        follower[end] = -1
    if not follower:
        return []
    titles = _titles(page, shown, follower)
    empty: dict[int, int] = {}  # a heading, and the one that it stands before when those between are gone
    for row in sorted(follower, reverse=True):
        behind = follower[row]
        while behind in empty:
            behind = empty[behind]
        rank = int(page.tag[behind]) if behind >= 0 else _END
        if (
            row not in titles
            and rank <= page.tag[row]
            and _lost(page, row, follower[row])
            and _is_plain(page, keep, row)
        ):
            empty[row] = behind
    if not empty or 2 * len(empty) > len(shown):
        return []
    under = {row: slice(row, follower[row] if follower[row] >= 0 else len(page)) for row in sorted(empty)}
    if not any(_MEDIA[page.tag[rows]].any() for rows in under.values()):
        return _without_runs(list(under), follower)
    media = shown_media(page) & (page.tag != _HR)
    if any(np.count_nonzero(media[rows]) for rows in under.values()):
        media = media_mask(page, keep) & (page.tag != _HR)
    return _without_runs([row for row, rows in under.items() if not np.count_nonzero(media[rows])], follower)


def _titles(page: Page, shown: NDArray[np.integer[Any]], follower: dict[int, int]) -> set[int]:
    main = shown[page.tag[shown] == _H1]
    title = int(main[0] if len(main) else shown[0])
    return {*shown[shown <= title].tolist(), *main.tolist(), follower.get(title, -1)}


def _lost(page: Page, row: int, behind: int) -> bool:
    """Whether the page has something between a heading and the one behind it."""
    if behind < 0 or page.last[row] < page.first[behind]:
        return True
    return bool(np.count_nonzero(_WIDGET[page.tag[page.end[row] : behind]]))


def _is_plain(page: Page, keep: Bools, row: int) -> bool:
    """Whether a heading is neither an entry of a listing nor a line of text."""
    if np.count_nonzero(page.tag[row : page.end[row]] == _LINK):
        return False
    above = int(page.parent[row])
    for _ in range(_MAX_ANCESTORS):
        if above < 0:
            break
        if _ENTRY[page.tag[above]]:
            return False
        above = int(page.parent[above])
    first, last = int(page.first[row]), int(page.last[row])
    text = " ".join("".join(page.cut(first + keep[first:last].nonzero()[0])).split())
    return len(text) <= _MAX_CHARACTERS and not text.endswith(_SENTENCE_ENDS)


def _without_runs(rows: list[int], follower: dict[int, int]) -> list[int]:
    """The headings without those that stand right one after the other, three and more."""
    runs: list[list[int]] = []
    for row in rows:
        if runs and follower[runs[-1][-1]] == row:
            runs[-1].append(row)
        else:
            runs.append([row])
    return [row for run in runs if len(run) < _MIN_ENTRIES for row in run]

"""Where the posts of a page stand, who wrote each and when.

The elements that hold one post each are known (units); what stands before the first of them is the opening post, which
often has a box of its own.  Author and date are looked for in the post outside of what was written, and between it and
the post before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from thresher.data.tags import HEADINGS
from thresher.page import Page
from thresher.page.columns import chars, tag_mask
from thresher.page.tree import texts_within
from thresher.page.types import Bools, Rows
from thresher.result.threads.claims import letters
from thresher.result.threads.labels import MAX_LABEL_CHARS
from thresher.result.threads.signs import Signs, author_in, date_in, is_name, is_of_edit
from thresher.text.dates import Moment, Reading
from thresher.visible.readable import readable

__all__ = ["Place", "places", "signed", "with_leading_names", "without_notices"]

_MIN_OPENING_CHARS = 60
_MIN_TOLD, _MAX_LEADING_WORDS = 0.7, 4  # share of the posts; words of a name
_MAX_LINES = 40  # of a post that are looked at for a date
_MAX_STEPS_UP = 6  # elements around a text that may be called an author or a date
_MAX_GAP_TEXTS = 30  # texts between two posts that may belong to the second


class Place(NamedTuple):
    """A post: its element, -1 if it has none; its texts; all readable texts that may say who wrote it and when; and
    what they say."""

    row: int
    own: Rows
    around: Rows
    author: str = ""
    moment: Moment | None = None

    @property
    def is_told(self) -> bool:
        return bool(self.author or self.moment)


def places(page: Page, texts: Bools, labels: Bools, rows: list[int], holder: Rows, opening_post: bool) -> list[Place]:
    """The texts of each post, those of posts inside it left out."""
    seen = readable(page)
    heading = texts_within(page, tag_mask(page, *HEADINGS))
    post_places = []
    first = int(page.first[rows[0]]) if rows else len(page.start)
    before = ((texts & ~labels & ~heading)[:first]).nonzero()[0]
    if len(before) and (not rows or opening_post) and int(chars(page)[before].sum()) >= _MIN_OPENING_CHARS:
        around = seen[: first if rows else len(seen)].nonzero()[0]
        post_places.append(Place(-1, before, around[around >= before[0] - _MAX_GAP_TEXTS]))
    behind = int(before[-1]) + 1 if len(before) else 0
    written = texts & ~labels & ~heading
    for row in rows:
        inside = np.arange(page.first[row], page.last[row])
        inside = inside[holder[inside] == row]
        gap = np.arange(max(behind, int(page.first[row]) - _MAX_GAP_TEXTS), page.first[row])
        gap = gap[holder[gap] < 0] if not (len(gap) and written[gap].any()) else gap[:0]
        around = np.concatenate((inside, gap))
        post_places.append(Place(row, inside[texts[inside] & ~labels[inside]], around[seen[around]]))
        behind = max(behind, int(page.last[row]))
    titles = [letters(page.inner_text(title)) for title in tag_mask(page, "title").nonzero()[0][:1].tolist()]
    return [place for place in post_places if len(place.own) and not _says_title(page, place, titles)]


def _says_title(page: Page, place: Place, titles: list[str]) -> bool:
    """Whether all that a post has is the title of the page: that of a link that others talk about."""
    if int(chars(page)[place.own].sum()) > MAX_LABEL_CHARS:
        return False
    own_letters = letters(" ".join(page.cut(place.own)))
    return any(own_letters in title for title in titles)


def signed(page: Page, place: Place, known: Signs, reading: Reading) -> Place:
    """Who wrote a post, and when: from what stands in and before it but is no part of it."""
    written = set(page.owner[place.own].tolist())
    owners = set(page.owner[place.around].tolist())
    rows = _with_elements_around(page, owners, place.row)
    authors, profiles, dates = (_in_order(page, (rows & some) - written, place.row) for some in known.sets)
    author = author_in(page, authors) or author_in(page, profiles)
    unwritten = sorted(set(place.around.tolist()) - set(place.own.tolist()))[:_MAX_LINES]
    lines = _lines(page, np.array(unwritten, np.intp))
    return place._replace(author=author, moment=date_in(page, dates, lines, reading))


def _in_order(page: Page, rows: set[int], post: int) -> Iterator[int]:
    """Elements that say who wrote or when: those in the post before those above it; of edits after the others.  Most
    often the first of them is all that is looked at."""
    in_order = sorted(rows)
    above = bisect_left(in_order, post)
    for some in (in_order[above:], in_order[:above]):
        of_edits = []
        for row in some:
            if len(some) > 1 and is_of_edit(page, row):
                of_edits.append(row)
            else:
                yield row
        yield from of_edits


def _with_elements_around(page: Page, owners: set[int], post: int) -> set[int]:
    """Elements, those from each up to the post it stands in, a few at most, and the post."""
    parent = page.parent.data
    rows = {post}
    for row in owners:
        rows.add(row)
        for _ in range(_MAX_STEPS_UP):
            row = parent[row]
            if row < 0 or row == post:
                break
            rows.add(row)
    return rows


def _lines(page: Page, texts: Rows) -> list[str]:
    """Some texts, those of one block as one line."""
    lines: dict[int, str] = {}
    for block, piece in zip(page.block[texts].tolist(), page.cut(texts), strict=True):
        lines[block] = f"{lines.get(block, '')} {' '.join(piece.split())}".strip()
    return list(lines.values())


def with_leading_names(page: Page, post_places: list[Place], labels: Bools) -> list[Place]:
    """Where no author is told, but most posts begin with a short text in an element of its own, that is the name; it
    becomes a label."""
    leading = ["" if place.author else _leading_name(page, place) for place in post_places]
    if sum(map(bool, leading)) < _MIN_TOLD * len(post_places):
        return post_places
    labels[[int(place.own[0]) for place, name in zip(post_places, leading, strict=True) if name]] = True
    pairs = zip(post_places, leading, strict=True)
    return [place._replace(own=place.own[1:], author=name) if name else place for place, name in pairs]


def _leading_name(page: Page, place: Place) -> str:
    if len(place.own) < 2 or page.owner[place.own[0]] == page.owner[place.own[1]]:
        return ""
    name = page.cut(place.own[:1])[0].strip(" :,\n\t\xa0")
    return name if is_name(name) and len(name.split()) <= _MAX_LEADING_WORDS and name[-1] not in ".!?…" else ""


def without_notices(page: Page, post_places: list[Place]) -> list[Place]:
    """Where most posts have an author or a date, what has neither and is short is none, and what stands above the
    first is one only if it has both."""
    if len(post_places) < 2 or sum(place.is_told for place in post_places) < _MIN_TOLD * len(post_places):
        return post_places
    return [place for place in post_places if _is_post(page, place)]


def _is_post(page: Page, place: Place) -> bool:
    if place.row < 0:
        return bool(place.author and place.moment)
    return place.is_told or int(chars(page)[place.own].sum()) >= _MIN_OPENING_CHARS

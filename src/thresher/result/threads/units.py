"""The elements that hold one post each: those that repeat, have an author or a date, and together hold the text.

Groups of elements are tried that have something in common:

    item       the type of an item: Comment, Answer, Question, DiscussionForumPosting
    class, id  a name in the class, an id with a number in it (post-17), digits taken out
    tag        `article`
    siblings   the same tag under one parent

A group holds the posts if nearly all of the text stands in its members and most of them have a sign of an author or a
date.  Of several the one with most members wins, for each post has its own; of equals the outermost, for the author may
stand beside the text.  What a post's own comments are is found in the same way inside it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from thresher.data.tags import NUMBER, group
from thresher.page import Page, attributes
from thresher.page.tree import text_sum
from thresher.page.types import Bools, Longs, Rows

__all__ = ["DISCUSSION_TYPES", "Groups", "bodies", "groups", "units"]

DISCUSSION_TYPES = frozenset("comment usercomments answer question discussionforumposting socialmediaposting".split())
_ALTERNATING = frozenset({"odd", "even", "alt", "first", "last"})
_NAMES = frozenset("post comment message reply answer review topic entry remark kommentar commentaire".split())
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DIGITS = re.compile(r"\d+")
_CONTAINER = group(
    ("div", "li", "article", "section", "tr", "table", "tbody", "td", "dl", "dd", "details", "blockquote")
)
_ARTICLE = NUMBER["article"]
_MIN_SHARE_OF_BEST = 0.85  # of the text in the group that holds most of it
_MIN_TEXT_SHARE = 0.5
_MIN_SIGNED, _MIN_SIGNED_NAMED = 0.7, 0.4  # share of the members with an author or a date
_MAX_INNER_SHARE = 0.6  # of the text in comments on posts
_MIN_WITH_BODY, _MIN_BODY_SHARE = 0.7, 0.9  # share of the posts, of their weight
_MAX_MEMBERS = 5_000


class _Group(NamedTuple):
    rows: Rows
    share: float  # of the text
    signed: float  # share of the members with a sign
    named: bool

    @property
    def is_signed(self) -> bool:
        return self.signed >= (_MIN_SIGNED_NAMED if self.named else _MIN_SIGNED)


class Groups(NamedTuple):
    """How much text counts in each element, and the elements with text that have something in common, each group with
    whether its name is one of posts."""

    mass: Longs
    members: list[tuple[Rows, bool]]


def units(page: Page, known: Groups, signs: Bools, unsigned: bool = False) -> list[int]:
    """The elements that hold one post each, in document order; empty if none can be told.  `signs` are elements that
    name an author or a date; with `unsigned` what repeats will do without."""
    total = int(known.mass[0]) if len(known.mass) else 0
    if not total:
        return []
    before = np.concatenate(([0], np.cumsum(signs)))
    groups = [
        _measured(page, rows if named else _without_container(page, rows), named, known.mass, total, before)
        for rows, named in known.members
    ]
    signed = [one for one in groups if one.is_signed and one.share >= _MIN_TEXT_SHARE]
    if not signed:
        signed = [one for one in groups if one.named and one.share >= _MIN_TEXT_SHARE]
    if not signed and unsigned:
        whole = [one for one in groups if one.share >= _MIN_SHARE_OF_BEST]
        signed = sorted(whole, key=lambda one: int(one.rows[0]))[:1]
    if not signed:
        return []
    enough = _MIN_SHARE_OF_BEST * max(one.share for one in signed)
    best = max((one for one in signed if one.share >= enough), key=lambda one: (len(one.rows), -int(one.rows[0])))
    chosen = set(best.rows.tolist())
    inner = [one for one in groups if one.named and one.is_signed and _is_inside(page, one, best)]
    if inner:
        chosen.update(max(inner, key=lambda one: (len(one.rows), -int(one.rows[0]))).rows.tolist())
    return sorted(chosen)


def bodies(page: Page, known: Groups, size: Longs, rows: list[int]) -> dict[int, int]:
    """The part of each post that holds what was written, by the post: of the groups with one member in most posts that
    hold nearly all of their weight, the one with the least text."""
    mass, length = known.mass, text_sum(page, size)
    total = int(mass[_outermost(page, rows)].sum())
    posts = np.array(rows, np.intp)
    is_post = np.zeros(len(page), bool)
    is_post[posts] = True
    best: tuple[int, dict[int, int]] | None = None
    for members, _ in known.members if total else ():
        at = posts.searchsorted(members, side="left") - 1
        inside = (at >= 0) & (members < page.end[posts[at]]) & ~is_post[members]
        holder, chosen = posts[at[inside]], members[inside]
        if len(holder) < _MIN_WITH_BODY * len(rows) or (holder[1:] == holder[:-1]).any():
            continue
        if int(mass[_outermost(page, chosen.tolist())].sum()) < _MIN_BODY_SHARE * total:
            continue
        held = int(length[chosen].sum())
        if best is None or held < best[0]:
            best = held, dict(zip(holder.tolist(), chosen.tolist(), strict=True))
    return best[1] if best else {}


def _outermost(page: Page, rows: list[int]) -> list[int]:
    outermost: list[int] = []
    for row in rows:
        if not outermost or page.end[outermost[-1]] <= row:
            outermost.append(row)
    return outermost


def groups(page: Page, weight: Longs) -> Groups:
    """Elements with text that have something in common; `weight` is how much each text counts."""
    mass = text_sum(page, weight)
    has_text = (mass > 0).tolist()
    members: defaultdict[tuple[str, object], list[int]] = defaultdict(list)
    for row, kind in attributes.values(page, "itemtype").items():
        if has_text[row] and kind.rstrip("/").rpartition("/")[2].lower() in DISCUSSION_TYPES:
            members["item", ""].append(row)
    for row, tokens in _classes(page, mass > 0):
        for token in tokens:
            members["class", token].append(row)
    for row, name in attributes.values(page, "id").items():
        if has_text[row] and _DIGITS.search(name):
            members["id", _DIGITS.sub("", name)].append(row)
    rows = ((mass > 0) & _CONTAINER[page.tag]).nonzero()[0]
    members["tag", "article"] = rows[page.tag[rows] == _ARTICLE].tolist()
    for row, parent, tag in zip(rows.tolist(), page.parent[rows].tolist(), page.tag[rows].tolist(), strict=True):
        members["siblings", (parent, tag)].append(row)
    is_named: dict[tuple[int, ...], bool] = {}
    for (kind, common), some in members.items():
        if 2 <= len(some) <= _MAX_MEMBERS and common not in _ALTERNATING:
            key = tuple(sorted(set(some)))
            is_named[key] = is_named.get(key, False) or kind == "item" or (isinstance(common, str) and _is_name(common))
    return Groups(mass, [(np.array(key, np.intp), named) for key, named in is_named.items()])


def _classes(page: Page, chosen: Bools) -> Iterator[tuple[int, list[str]]]:
    """The chosen elements that have a class, and the names in it without digits; equal values are split once."""
    row, code, values = attributes.distinct(page, "class")
    here = chosen[row]
    split: dict[int, list[str]] = {}
    for element, number in zip(row[here].tolist(), code[here].tolist(), strict=True):
        if number not in split:
            split[number] = [_DIGITS.sub("", token) for token in values[number].lower().split()]
        yield element, split[number]


def _is_name(name: str) -> bool:
    return not {word.lower() for word in _WORD.findall(name)}.isdisjoint(_NAMES)


def _measured(page: Page, rows: Rows, named: bool, mass: Longs, total: int, signs_before: Longs) -> _Group:
    """The members that have text of their own, the share of the text in all, and how many have a sign."""
    ends = page.end[rows]
    inside = np.zeros(len(rows), bool)
    inside[1:] = rows[1:] < np.maximum.accumulate(ends)[:-1]
    own = mass[rows].astype(np.int64)
    open_: list[int] = []
    for place, row in enumerate(rows.tolist()):
        while open_ and ends[open_[-1]] <= row:
            open_.pop()
        if open_:
            own[open_[-1]] -= mass[row]
        open_.append(place)
    share = float(mass[rows[~inside]].sum()) / total
    kept = rows[own > 0]
    if len(kept) < 2:
        return _Group(kept, 0.0, 0.0, named)
    signed = (signs_before[page.end[kept]] - signs_before[kept]) > 0
    return _Group(kept, share, np.count_nonzero(signed) / len(kept), named)


def _without_container(page: Page, rows: Rows) -> Rows:
    """What is left without a first member that holds all others: it has a class in common with them by chance."""
    while len(rows) > 2 and page.end[rows[0]] > rows[-1]:
        rows = rows[1:]
    return rows


def _is_inside(page: Page, inner: _Group, outer: _Group) -> bool:
    """Whether all members stand in members of another group and are not what these are made of."""
    if not 0 < inner.share <= _MAX_INNER_SHARE or not len(inner.rows):
        return False
    at = outer.rows.searchsorted(inner.rows, side="right") - 1
    holder = outer.rows[np.maximum(at, 0)]
    return bool(((at >= 0) & (inner.rows > holder) & (inner.rows < page.end[holder])).all())

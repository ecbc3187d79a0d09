"""TP: table pattern.  Louvan, "Extracting the Main Content from HTML Documents" (paper 000), 2.3.3.

The posts of a forum thread are repeated elements with almost the same properties (tag, class, border, width, align,
cell spacing, cell padding) and comparable inner structure.  In 2008 they were tables; today any container takes the
table's part.  The paper gives the observation and no algorithm.  This one is ours; it knows no words about forums, in
any language:

    key     tag, lasting class names, and in tables the properties above and the column  _keys
    group   the containers of a segment with one key; T, L: the running text of the
            outermost of them together, and of the largest                               _groups
    score   T · (T - L): much text, and not all of it in one member                      _scores
    posts   the group with the best score among those comparable inside                  _best
    bodies  inside the posts, the group with one member in most of them that holds
            body_share of their running text and the least text in all                   _bodies

    w_k = characters of text k outside links · min(20, n_k), n_k words in its block      running_text

Running text is weighed so that labels count little.  An author's box ("Joined 2009, 312 posts") then does not look
like a post, and going on from the posts to their bodies leaves it out.

Almost the same.  Digits in class names are dropped (row1, row2; post-4711), and so are odd, even, alt, first, last,
and names that only one container has while it has others (the opening post's, the accepted answer's).  A container
without class or properties is known by its nearest ancestor with some, the levels between, and its tag.  Elements
with the bodies' key outside the posts are bodies, too: an opening post often has a wrapper of its own.
Comparable inside.  Most members of a group have a kind of child in common, or most have no children (plain text).
No repetition, or hardly any text in what repeats: a thread with one post.  LBS, the paper's heuristic for single
texts, takes its place.

Used alone, the segment is the body.  `posts` takes the row of a segment, for a classifier of segments to call.

It fails where something longer than the posts repeats (cookie settings, product cards), and drops an article when the
comments below it outweigh it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from thresher.data.tags import group
from thresher.methods import lbs
from thresher.methods._options import Count, Share, option
from thresher.methods._segments import body, nearest, seen_chars, shown
from thresher.page import Page
from thresher.page.attributes import find
from thresher.page.columns import in_link, words
from thresher.page.tree import block_sum, text_sum, within
from thresher.page.types import Bools, Longs, Rows
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "elements", "judge", "posts", "running_text"]


_CELL = group(frozenset({"td", "th"}))
_TABLE = group(frozenset({"table", "tbody", "tr", "td", "th"}))
_CONTAINER = _TABLE | group(
    frozenset("div li ul ol dl dd dt article section aside main details blockquote fieldset form figure center".split())
)
_PROPERTIES = ("border", "width", "align", "cellspacing", "cellpadding")
_ALTERNATING = frozenset({b"odd", b"even", b"alt", b"first", b"last"})
_RUNNING = 20  # words of a block from which on its text counts in full
_TRIALS = 8  # groups looked at inside, from the best score down; real pages need one or two
_IN_MOST = 0.7  # of the posts have the body
_A_POST = 1.5  # bodies at most


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    members: Count = option(2, "a group has at least so many")
    share: Share = option(0.2, "of the segment's running text that the posts hold at least")
    body_share: Share = option(0.6, "of the posts' running text that their bodies hold at least")


class _Groups(NamedTuple):
    """Containers with text, sorted by group and then by row; `outer`: not inside a member of the same group."""

    row: Rows
    group: Rows
    outer: Bools
    number: int


def running_text(page: Page) -> Longs:
    """w_k = characters outside links · min(20, words of the block outside links), for the texts a reader sees."""
    unlinked = ~in_link(page)
    block_words = block_sum(page, words(page) * (readable(page) & unlinked))[page.block]
    return seen_chars(page) * unlinked * np.minimum(_RUNNING, block_words)


def posts(page: Page, segment: int, options: Options = Options()) -> Bools:
    """The elements of the posts' bodies in the subtree of one element."""
    text = text_sum(page, running_text(page))
    key = _keys(page, _containers(page, text))
    groups = _groups(page, segment, key, text)
    best = _best(page, segment, groups, key, text, options)
    if best is None:
        return lbs.largest_block(page, segment)
    return within(page, _bodies(page, groups, best, text, options))


def elements(page: Page, options: Options = Options()) -> Bools:
    """The posts of the body."""
    return posts(page, body(page), options)


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable text of the posts."""
    chosen = elements(page, options)
    return Verdict(page, chosen[page.owner] & readable(page), elements=chosen)


def _containers(page: Page, text: Longs) -> Bools:
    """The elements that can be posts: containers and elements with names of their own, as far as they hold text."""
    containers: Bools = (_CONTAINER[page.tag] | (page.tag == 0)) & shown(page) & (text > 0)
    return containers


def _keys(page: Page, containers: Bools) -> Longs:
    """A number for the properties of each element; equal numbers, almost the same properties."""
    named: dict[int, tuple[object, ...]] = dict(_class_names(page, containers))
    for row in np.flatnonzero(containers & (page.tag == 0)).tolist():
        named[row] = (*named.get(row, ()), page.name(row))
    tables = containers & _TABLE[page.tag]
    for name in _PROPERTIES if tables.any() else ():
        for row, value in _values(page, name, tables):
            named[row] = (*named.get(row, ()), name, value)
    numbers: dict[tuple[object, ...], int] = {}
    own = np.zeros(len(page), np.int64)
    for row in sorted(named):
        own[row] = numbers.setdefault((int(page.tag[row]), named[row]), len(numbers) + 1)
    anchor = nearest(page, own > 0)
    levels = page.depth - page.depth[anchor]
    place = (levels.astype(np.int64) << 16) + np.where(levels, page.tag, 0)
    key: Longs = (own[anchor] << 32) + place + (_column(page).astype(np.int64) << 52)
    return key


def _column(page: Page) -> Rows:
    """The column of each table cell, from 1 on, 2000 at most; 0 for what is no cell."""
    cells = np.flatnonzero(_CELL[page.tag])
    cells = cells[np.argsort(page.parent[cells], kind="stable")]
    parent = page.parent[cells]
    column = np.zeros(len(page), np.intp)
    column[cells] = 1 + np.arange(len(cells)) - np.searchsorted(parent, parent)
    return np.minimum(column, 2000)


def _class_names(page: Page, containers: Bools) -> dict[int, tuple[frozenset[bytes]]]:
    """The class names of each container, without those that come and go between equals."""
    values = _values(page, "class", containers)
    names = {value: _lasting(value) for value in dict.fromkeys(value for _, value in values)}
    count: Counter[bytes] = Counter()
    for value, times in Counter(value for _, value in values).items():
        for name in names[value]:
            count[name] += times
    common = {value: frozenset(name for name in own if count[name] > 1) or own for value, own in names.items()}
    return {row: (common[value],) for row, value in values if common[value]}


def _lasting(value: bytes) -> frozenset[bytes]:
    """The names in a class attribute without digits and without those that alternate."""
    return frozenset(value.lower().translate(None, b"0123456789").split()) - _ALTERNATING


def _values(page: Page, name: str, wanted: Bools) -> list[tuple[int, bytes]]:
    """The raw values of an attribute in the wanted rows."""
    values = find(page, name)
    chosen = wanted[values.row]
    spans = zip(values.row[chosen].tolist(), values.start[chosen].tolist(), values.stop[chosen].tolist(), strict=True)
    return [(row, page.markup[start:stop]) for row, start, stop in spans]


def _groups(page: Page, segment: int, key: Longs, text: Longs) -> _Groups:
    """The containers inside the segment by their keys."""
    inside = _containers(page, text)
    inside[: segment + 1] = False
    inside[page.end[segment] :] = False
    rows = np.flatnonzero(inside)
    rows = rows[np.argsort(key[rows], kind="stable")]
    new = np.ones(len(rows), bool)
    new[1:] = key[rows[1:]] != key[rows[:-1]]
    number = np.cumsum(new) - 1
    # In one group a row is nested when it comes before the end of some row before it; shifting each group by more
    # than a page keeps the running maximum from leaking into the next.
    shift = number * (len(page) + 1)
    outer = np.ones(len(rows), bool)
    outer[1:] = (rows + shift)[1:] >= np.maximum.accumulate(page.end[rows] + shift)[:-1]
    return _Groups(rows, number, outer, int(new.sum()))


def _best(page: Page, segment: int, groups: _Groups, key: Longs, text: Longs, options: Options) -> int | None:
    """The group with the best score among those comparable inside; None when no group repeats enough."""
    scores = _scores(groups, text, options.members, options.share * text[segment])
    for candidate in np.argsort(-scores, kind="stable")[:_TRIALS].tolist():
        if scores[candidate] > 0 and _comparable(page, groups.row[groups.group == candidate], key):
            return int(candidate)
    return None


def _scores(groups: _Groups, text: Longs, members: int, least: float) -> Longs:
    """T · (T - L) of each group; 0 where it has too few members or too little text."""
    own = np.where(groups.outer, text[groups.row], 0)
    total = np.bincount(groups.group, own, groups.number).astype(np.int64)
    largest = np.zeros(groups.number, np.int64)
    np.maximum.at(largest, groups.group, own)
    enough = (np.bincount(groups.group, minlength=groups.number) >= members) & (total >= least)
    return total * (total - largest) * enough


def _comparable(page: Page, members: Rows, key: Longs) -> bool:
    """Whether most of the members share a kind of child, or most have no children at all."""
    member = np.zeros(len(page), bool)
    member[members] = True
    children = 1 + np.flatnonzero(member[page.parent[1:]])
    bare = len(members) - len(np.unique(page.parent[children]))
    kind = np.unique(key[children], return_inverse=True)[1]
    once = np.unique(kind * len(page) + page.parent[children])  # each kind once a member
    shared = np.bincount(once // len(page), minlength=1).max()
    return bool(2 * max(bare, shared) > len(members))


def _bodies(page: Page, groups: _Groups, best: int, text: Longs, options: Options) -> Bools:
    """The members of the best group, or the part of them that holds their running text and least besides."""
    member = np.zeros(len(page), bool)
    chosen = groups.row[groups.group == best]
    member[chosen] = True
    inner = within(page, member)[groups.row] & ~member[groups.row]
    held = np.bincount(groups.group, text[groups.row] * (inner & groups.outer), groups.number)
    whole = text_sum(page, seen_chars(page))[groups.row]
    in_all = np.bincount(groups.group, whole * (inner & groups.outer), groups.number)
    count = np.bincount(groups.group, inner, groups.number)
    holder = nearest(page, member)[page.parent[groups.row]]
    pairs = np.unique(groups.group[inner] * len(page) + holder[inner])
    holders = np.bincount(pairs // len(page), minlength=groups.number)
    posts_text = text[chosen[groups.outer[groups.group == best]]].sum()
    in_most = (holders >= _IN_MOST * len(chosen)) & (count <= _A_POST * len(chosen))
    fits = in_most & (held >= options.body_share * posts_text)
    if not fits.any():
        return member
    candidates = np.flatnonzero(fits)
    part = candidates[np.argmin(in_all[candidates])]
    mask = np.zeros(len(page), bool)
    mask[groups.row[groups.group == part]] = True
    return mask

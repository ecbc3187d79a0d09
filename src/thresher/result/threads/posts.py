"""Page and texts -> posts, each with author, date, text, HTML and the post it replies to.

The elements that hold one post each are found (units), who wrote each and when (places).  Of each post the texts are
taken that are no name, date, profile, signature or control (labels).  What the JSON-LD says about a post with the same
first words counts more (claims).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from thresher.metadata.evidence import gather_evidence
from thresher.output import document
from thresher.output.build import build
from thresher.output.html import blocks_to_html
from thresher.output.text import to_texts
from thresher.page import Page
from thresher.page.columns import chars, tag_mask
from thresher.page.tree import texts_within
from thresher.page.types import Bools, Rows
from thresher.result.threads.claims import PostClaim, claims, opening
from thresher.result.threads.labels import labels, weight
from thresher.result.threads.places import Place, places, signed, with_leading_names, without_notices
from thresher.result.threads.replies import parents
from thresher.result.threads.signs import signs
from thresher.result.threads.units import Groups, bodies, groups, units
from thresher.text.dates import Moment, Reading, parse_date
from thresher.visible.readable import readable

__all__ = ["Comment", "Post", "Thread", "no_thread", "thread"]


@dataclass(frozen=True, slots=True)
class Post:
    """A post of a thread."""

    author: str | None
    date: str | None  # ISO 8601, with the time of day where the page tells
    text: str
    html: str
    position: int  # 0, 1, … in document order
    parent: int | None  # position of the post it replies to, where the page tells


@dataclass(frozen=True, slots=True)
class Comment(Post):
    """A comment under an article, with what a post has."""


@dataclass(frozen=True, eq=False)
class Thread:
    """Where posts stand, for the forms that print author and date above each; and the posts."""

    page: Page
    kind: type[Post]
    nodes: dict[int, document.ThreadPost]  # by row; the opening post, if it has no element of its own, at -1
    labels: Bools  # texts that name authors and dates, which stand above the posts
    texts: Bools  # texts of the posts
    written: dict[int, str]  # by position

    @cached_property
    def posts(self) -> tuple[Post, ...]:
        """The posts, for those who ask for more than a form of the whole: each is printed by itself."""
        html = _html(self.page, self.texts, self.nodes) if self.nodes else {}
        posts = []
        for row, node in self.nodes.items():
            text = self.written.get(node.position, "")
            posts.append(self.kind(node.author or None, node.date or None, text, html[row], node.position, node.parent))
        return tuple(posts)


def no_thread(page: Page) -> Thread:
    """Nothing of a page is a post."""
    nothing = np.zeros(len(page.start), bool)
    return Thread(page, Post, {}, nothing, nothing, {})


def thread(page: Page, texts: Bools, kind: type[Post] = Post) -> Thread:
    """The posts among some texts."""
    reading = gather_evidence(page, "", None).reading
    known = signs(page)
    label = labels(page, texts, known, reading)
    counted = weight(page, texts & ~label)
    common = groups(page, counted)
    rows = units(page, common, known.mask(page), unsigned=kind is Comment)
    if not rows and kind is Comment and texts.any():
        rows = [_common_ancestor(page, texts)]
    holder = _holders(page, rows)
    unwritten = label | _outside_bodies(page, common, rows, holder)
    post_places = places(page, texts, unwritten, rows, holder, opening_post=kind is Post)
    post_places = [signed(page, place, known, reading) for place in post_places]
    if not post_places or (kind is Post and not rows and not post_places[0].is_told):
        return no_thread(page)
    post_places = without_notices(page, with_leading_names(page, post_places, label))
    part = np.full(len(page.start), -1, np.intp)
    for position, place in enumerate(post_places):
        part[place.own] = position
    written = to_texts(page, part)
    nodes = _nodes(page, post_places, _unquoted(page, part, written), reading, kind)
    return Thread(page, kind, nodes, label & (holder >= 0) & (part < 0), part >= 0, written)


def _holders(page: Page, rows: list[int]) -> Rows:
    """The innermost post around each text, -1 for none."""
    holder = np.full(len(page.start), -1, np.intp)
    for row in rows:
        holder[page.first[row] : page.last[row]] = row
    return holder


def _outside_bodies(page: Page, common: Groups, rows: list[int], holder: Rows) -> Bools:
    """Texts of posts outside of the part that holds what was written."""
    outside = np.zeros(len(holder), bool)
    inner = bodies(page, common, chars(page) * readable(page), rows) if len(rows) > 1 else {}
    for row, body in inner.items():
        outside[page.first[row] : page.last[row]] |= holder[page.first[row] : page.last[row]] == row
        outside[page.first[body] : page.last[body]] = False
    return outside


def _nodes(
    page: Page, post_places: list[Place], written: dict[int, str], reading: Reading, kind: type[Post]
) -> dict[int, document.ThreadPost]:
    """What is known about each post, by its element."""
    first = sum(place.row < 0 for place in post_places)
    replies: list[int | None] = [None] * first
    replies += [
        None if one is None else one + first for one in parents(page, [place.row for place in post_places[first:]])
    ]
    claimed = _claimed(page, written)
    nodes = {}
    for position, place in enumerate(post_places):
        author, date = place.author, _iso(place.moment)
        claim = claimed.get(position)
        if claim is not None:
            author = claim.author or author
            date = _iso(parse_date(claim.date, reading) if claim.date else None) or date
            replies[position] = _position(claims(page), claim, claimed, replies[position])
        name = kind.__name__.lower()
        nodes[place.row] = document.ThreadPost([], name, author, date, position, replies[position])
    return nodes


def _unquoted(page: Page, part: Rows, written: dict[int, str]) -> dict[int, str]:
    """What was written in each post without what it quotes, or all where it only quotes."""
    quoted = texts_within(page, tag_mask(page, "blockquote")) if claims(page) else None
    if quoted is None or not (quoted & (part >= 0)).any():
        return written
    return written | {place: text for place, text in to_texts(page, np.where(quoted, -1, part)).items() if text}


def _iso(moment: Moment | None) -> str:
    return (moment.full or moment.day.isoformat()) if moment else ""


def _common_ancestor(page: Page, texts: Bools) -> int:
    some = texts.nonzero()[0]
    row = int(page.owner[some[0]])
    while page.last[row] <= some[-1]:
        row = int(page.parent[row])
    return row


def _claimed(page: Page, written: dict[int, str]) -> dict[int, PostClaim]:
    """What the JSON-LD says about each post that begins with the same words."""
    by_opening = {opening(claim.text): claim for claim in reversed(claims(page))}
    by_opening.pop("", None)
    if not by_opening:
        return {}
    # Who quotes a post may begin with the same words: only the first is meant.
    pairs = ((position, by_opening.pop(opening(text), None)) for position, text in sorted(written.items()))
    return {position: claim for position, claim in pairs if claim is not None}


def _position(
    known: list[PostClaim], claim: PostClaim, claimed: dict[int, PostClaim], otherwise: int | None
) -> int | None:
    if claim.parent < 0:
        return otherwise
    above = known[claim.parent]
    return next((position for position, other in claimed.items() if other is above), otherwise)


def _html(page: Page, texts: Bools, nodes: dict[int, document.ThreadPost]) -> dict[int, str]:
    """The HTML of each post, all built at once."""
    content = build(page, texts, links=True, images=True, tables=True, posts=nodes)
    inner = {block.position: block for block in content.blocks if isinstance(block, document.ThreadPost)}
    return {row: blocks_to_html(inner[n.position].blocks) if n.position in inner else "" for row, n in nodes.items()}

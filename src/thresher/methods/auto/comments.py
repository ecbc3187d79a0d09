"""What readers wrote under an article, kept apart from it.

Comments are content in a forum and none under an article.  Where they can be told and the verdict has left them out,
they are in `result.comments`.  They can be told

    by a name      a class or id such as `comments`, `comment-list`; an item of the type Comment
    by a heading   "4 Kommentare", "コメント（4件）": what stands behind it up to the next heading of its rank; how many
                   there are, or a form to write one, tells such a heading from that of a section about comments

Taken are the outermost of these elements that hold no kept text; of them all that is seen but headings, forms, controls
and lines that are only links ("Reply", "Log in to answer").  Without a sentence or a line of some length among it
nobody wrote anything yet.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import islice

import numpy as np

from thresher.data.tags import HEADINGS, NUMBER, group
from thresher.methods.auto.kernels.lines import find_headings
from thresher.methods.auto.openings import openings
from thresher.page import Page, attributes, memoised, unescape
from thresher.page.columns import chars, sentence_ends, tag_mask
from thresher.page.parts import Parts, with_part
from thresher.page.tree import block_sum, text_sum, within
from thresher.page.types import Bools, Rows
from thresher.text.patterns import compile_later
from thresher.text.phrases import phrases
from thresher.visible.readable import block_link_density, readable

__all__ = ["are_called", "comments", "headed", "named"]

_WORD = compile_later(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NAMES = frozenset("comment comments commentlist kommentare comentarios commentaires reacties disqus".split())
# With these beside it, a name speaks of something else: a list of teasers, a number, a form.
_OTHERS = frozenset(
    "recent latest popular top count counter number num link links form respond toggle button icon no open".split()
)
# One of these is in each of the names.
_PARTS = Parts(b"omment", b"omentario", b"disqus", b"reacties")
_ITEMS = ("comment", "usercomments")  # ends of an itemtype
_CONTROLS = ("form", "button", "label", "select", "textarea", "nav", "input", *HEADINGS)
_LISTINGS = ("pre", "code", "samp")
_HEADING = group(HEADINGS).view(np.uint8)
_WRITING = group(("form", "textarea"))
_MIN_COMMENT_CHARS = 40
_MAX_HEADING_BYTES = 100
# What may stand around the word: marks, numbers, and what things are counted by.
_AROUND = (
    " \0\n\t\xa0:.,()[]（）【】•·-–—|#“”\"'"
    + "件の条條則篇个개의"
    + "".join(chr(zero + digit) for zero in map(ord, "0٠۰०০௦๐") for digit in range(10))
)
_NUMBER = compile_later(r"\d")
_MAX_COMMENT_HEADINGS = 2  # more make a page a list of threads
_MAX_STEPS_UP = 3  # elements from a heading to what comments stand behind
_MAX_LINKED = 0.9  # share of a block's characters in links; more make it a control


def comments(page: Page, keep: Bools) -> Bools:
    """Which texts are comments that the verdict left out."""
    outermost = named(page) | headed(page)
    if outermost.any():
        outermost &= text_sum(page, keep) == 0
    if not outermost.any():
        return np.zeros(len(keep), bool)
    inside = within(page, outermost) & ~within(page, tag_mask(page, *_CONTROLS))
    texts: Bools = inside[page.owner] & readable(page)
    texts &= (block_link_density(page) <= _MAX_LINKED)[page.block]
    long = block_sum(page, chars(page) * texts) >= _MIN_COMMENT_CHARS
    written = long | (block_sum(page, sentence_ends(page) * texts) > 0)
    return texts if written.any() else np.zeros(len(keep), bool)


@memoised
def are_called(page: Page) -> bool:
    """Whether anything of the page is called comments."""
    return bool((_named(page) and named(page).any()) or (_headings(page) and headed(page).any()))


@memoised
def named(page: Page) -> Bools:
    """Elements that are called comments."""
    named = np.zeros(len(page), bool)
    for rows in _named(page):
        named[rows] = True
    # Highlighters call the remarks of a program so, too.
    return named & ~within(page, tag_mask(page, *_LISTINGS)) if _named(page) else named


@memoised
def _named(page: Page) -> list[Rows]:
    """The elements with a name of comments, those of each value together."""
    found: list[Rows] = []
    for attribute, tells in (("class", _is_name), ("id", _is_name), ("itemtype", _is_item)):
        for number in with_part(page, attribute, _PARTS):
            values = attributes.numbered(page, attribute)
            if tells(unescape(page.markup[values.start[number] : values.stop[number]].decode())):
                found.append(values.row[values.code == number])
    return found


@memoised
def headed(page: Page) -> Bools:
    """Headings that say comments, and the elements behind them."""
    headed = np.zeros(len(page), bool)
    headings = _headings(page)
    for row, text in headings if len(headings) <= _MAX_COMMENT_HEADINGS else ():
        above, behind = _behind(page, row)
        if len(behind) and (_NUMBER.search(text) or _WRITING[page.tag[behind[0] : page.end[behind[-1]]]].any()):
            headed[above] = headed[behind] = True
    return headed


@memoised
def _headings(page: Page) -> list[tuple[int, str]]:
    """The headings that say comments, and what they say."""
    rows = np.empty((3, len(page)), np.int32)
    count = find_headings(
        page.tag, _HEADING, page.first, page.last, page.start, page.stop, page.utf8, openings(), _MAX_HEADING_BYTES,
        rows,
    )  # fmt: skip
    texts = ((row, page.utf8[start:stop]) for row, start, stop in rows[:, :count].T.tolist())
    return [(row, text.decode()) for row, text in texts if _says_comments(text)]


@lru_cache(maxsize=4096)
def _says_comments(utf8: bytes) -> bool:
    """Whether a heading says so and no more, "Comments", "Kommentare (4)", "4件のコメント"; or after a number, on what:
    "3 thoughts on “Threshing by hand”".  Pages of a site share most of their headings."""
    text = utf8.decode()
    words = text.lower().strip(_AROUND)
    if text[:1].isdecimal() and words not in _comment_words():
        first, _, rest = words.partition(" ")
        return first in _comment_words() or f"{first} {rest.partition(' ')[0]}" in _comment_words()
    return words in _comment_words()


@cache
def _comment_words() -> frozenset[str]:
    return frozenset(phrases("comments"))


def _behind(page: Page, row: int) -> tuple[int, Rows]:
    """The elements behind a heading, up to the next of its rank, and what they are beside: itself, or the box it stands
    in with little else."""
    rank = page.tag[row] - NUMBER["h1"]
    for box in islice(page.ancestors(row), _MAX_STEPS_UP):
        end = int(page.end[row])
        behind = np.flatnonzero(page.parent[end : page.end[box]] == box) + end
        ranks = page.tag[behind] - NUMBER["h1"]
        stops = np.flatnonzero((ranks >= 0) & (ranks <= rank))
        behind = behind[: stops[0]] if len(stops) else behind
        if len(behind) and chars(page)[page.first[behind[0]] : page.last[behind[-1]]].sum() >= _MIN_COMMENT_CHARS:
            return row, behind
        row = box
    return row, np.zeros(0, np.intp)


def _is_name(value: str) -> bool:
    """Whether one of the names in a class or id is one of comments: each is looked at by itself, word by word."""
    for name in value.split():
        words = {word.lower() for word in _WORD.findall(name)}
        if not words.isdisjoint(_NAMES) and words.isdisjoint(_OTHERS):
            return True
    return False


def _is_item(value: str) -> bool:
    return value.rstrip("/").lower().endswith(_ITEMS)

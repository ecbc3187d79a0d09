"""What readers wrote under an article, kept apart from it.

Comments are content in a forum and none under an article.  Where they can be told, by what the page calls them (a class
or id such as `comments`, `comment-list`; an item of the type Comment), and the verdict has left them out, they are in
`result.comments`.  Taken are the outermost elements with such a name that hold no kept text; of them all that is
seen but headings, forms, controls and lines that are only links ("Reply", "Log in to answer").  Without a sentence or a
line of some length among it nobody wrote anything yet.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.columns import chars, sentence_ends, tag_mask
from thresher.data.tags import HEADINGS
from thresher.page import Page, memoised
from thresher.readable import block_link_density, readable
from thresher.tree import block_sum, text_sum, within

__all__ = ["comments", "named"]

Bools = NDArray[np.bool_]

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NAMES = frozenset("comment comments commentlist kommentare comentarios commentaires reacties disqus".split())
# With these beside it, a name speaks of something else: a list of teasers, a number, a form.
_OTHERS = frozenset(
    "recent latest popular top count counter number num link links form respond toggle button icon no open".split()
)
# One of these is in each of the names.
_PARTS = (b"omment", b"OMMENT", b"omentario", b"OMENTARIO", b"isqus", b"ISQUS", b"eacties", b"EACTIES")
_ITEMS = ("comment", "usercomments")  # ends of an itemtype
_CONTROLS = ("form", "button", "label", "select", "textarea", "nav", "input", *HEADINGS)
_LISTINGS = ("pre", "code", "samp")
_LINE = 40  # characters
_LINKED = 0.9  # share of a block's characters in links that makes it a control


def comments(page: Page, keep: Bools) -> Bools:
    """Which texts are comments that the verdict left out."""
    outermost = named(page) & (text_sum(page, keep) == 0)
    if not outermost.any():
        return np.zeros(len(keep), bool)
    inside = within(page, outermost) & ~within(page, tag_mask(page, *_CONTROLS))
    texts: Bools = inside[page.owner] & readable(page)
    texts &= (block_link_density(page) <= _LINKED)[page.block]
    written = (block_sum(page, chars(page) * texts) >= _LINE) | (block_sum(page, sentence_ends(page) * texts) > 0)
    return texts if written.any() else np.zeros(len(keep), bool)


@memoised
def named(page: Page) -> Bools:
    """Elements that are called comments."""
    named = np.zeros(len(page), bool)
    for attribute, tells in (("class", _is_name), ("id", _is_name), ("itemtype", _is_item)):
        rows, code, values = attributes.distinct_bytes(page, attribute)
        for number in _with_a_part(values):
            if tells(values[number].decode()):
                named[rows[code == number]] = True
    # Highlighters call the remarks of a program so, too.
    return named & ~within(page, tag_mask(page, *_LISTINGS)) if named.any() else named


def _with_a_part(values: list[bytes]) -> set[int]:
    """The numbers of the values that may hold a name: most hold none, so all are searched as one text."""
    text = b"\0".join(values)
    found = set()
    for part in _PARTS:
        at = text.find(part)
        while at >= 0:
            found.add(text.count(b"\0", 0, at))
            end = text.find(b"\0", at)
            at = text.find(part, end) if end >= 0 else -1
    return found


def _is_name(value: str) -> bool:
    """Whether one of the names in a class or id is one of comments: each is looked at by itself, word by word."""
    for name in value.split():
        words = {word.lower() for word in _WORD.findall(name)}
        if not words.isdisjoint(_NAMES) and words.isdisjoint(_OTHERS):
            return True
    return False


def _is_item(value: str) -> bool:
    return value.rstrip("/").lower().endswith(_ITEMS)

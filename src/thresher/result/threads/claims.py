"""What the page's JSON-LD says about its posts: DiscussionForumPosting, Question, Answer, Comment, each with author,
date and text, one inside the other."""

from __future__ import annotations

import re
from collections import deque
from typing import Any, NamedTuple

from thresher.metadata import items
from thresher.metadata.evidence import sources_of
from thresher.metadata.items import Item, Items
from thresher.page import Page, memoised
from thresher.result.threads.units import DISCUSSION_TYPES

__all__ = ["PostClaim", "claims", "letters", "opening"]

_MAX_CLAIMS = 2_000
_TEXTS = ("text", "articleBody", "description")
_DATES = ("datePublished", "dateCreated", "uploadDate")
_REPLIES = ("comment", "acceptedAnswer", "suggestedAnswer", "answer")
_OPENING = 40  # letters by which a post is known
_LETTER = re.compile(r"[^\W_]")


class PostClaim(NamedTuple):
    """A post as the JSON-LD has it."""

    author: str
    date: str
    text: str
    parent: int  # another claim; -1 for none


@memoised
def claims(page: Page) -> list[PostClaim]:
    """The posts of the JSON-LD, each before its replies."""
    known = next(source.known for source in sources_of(page) if source.name == "json-ld")
    post_claims: list[PostClaim] = []
    queue: deque[tuple[Any, int]] = deque((item, -1) for item in known.top)
    while queue and len(post_claims) < _MAX_CLAIMS:
        item, parent = queue.popleft()
        if not isinstance(item, dict) or items.types(item).isdisjoint(DISCUSSION_TYPES):
            continue
        texts = [text for key in _TEXTS for text in items.strings(known, item.get(key))]
        if texts:
            post_claims.append(
                PostClaim(_first(known, item, "author", "creator"), _first(known, item, *_DATES), texts[0], parent)
            )
            parent = len(post_claims) - 1
        queue.extend((reply, parent) for key in _REPLIES for reply in items.parts(known, item.get(key)))
    return post_claims


def _first(known: Items, item: Item, *keys: str) -> str:
    return next((value for key in keys for value in items.strings(known, item.get(key))), "")


def opening(text: str) -> str:
    """The first letters of a post, which tell it from others."""
    return letters(text[: 8 * _OPENING])[:_OPENING]


def letters(text: str) -> str:
    """Letters and digits only, in small letters."""
    return "".join(_LETTER.findall(text.lower()))

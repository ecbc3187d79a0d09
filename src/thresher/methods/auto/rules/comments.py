"""The rule that drops comments (methods/auto/comments.py) under an article."""

from __future__ import annotations

from thresher.methods.auto.comments import headed, named
from thresher.methods.auto.rules.rule import PROBABLE, Evidence
from thresher.methods.auto.threshold import likely
from thresher.page.tree import within
from thresher.page.types import Bools

__all__ = ["article_comments"]

_MIN_ARTICLE_WORDS = 100  # above the comments
_MAX_WORDS_BEHIND = 0.25  # of the article's, behind the first comment


def article_comments(evidence: Evidence, chosen: Bools) -> Bools | None:
    """The blocks that are called comments and stand under an article: a hundred words that are not, and hardly any
    behind the first comment.  What a heading calls so is none in threads and reviews; a name alone says less.  The same
    for every focus, so that the verdicts stay nested."""
    page, opinion, p, *_ = evidence
    article = opinion.types["article"]
    called = headed(page) | named(page) if article > PROBABLE else headed(page)
    comment: Bools = within(page, called)[opinion.blocks.at]
    if not comment.any():
        return None
    likely_blocks = likely(p, opinion.words, article, "balanced")
    if not (comment & likely_blocks).any():
        return None
    own, first = opinion.words * (likely_blocks & ~comment), int((comment & likely_blocks).argmax())
    above = float(own[:first].sum())
    return comment if above >= _MIN_ARTICLE_WORDS and own.sum() <= (1 + _MAX_WORDS_BEHIND) * above else None

"""Whether a page is a thread: it says so, or the network takes it for one."""

from __future__ import annotations

from thresher.metadata import items
from thresher.metadata.evidence import sources_of
from thresher.methods.auto import page_types
from thresher.page import Page
from thresher.page.parts import Parts, with_part

__all__ = ["is_thread"]

_THREADS = frozenset("discussionforumposting qapage question".split())
_MARKUP = Parts(b"schema.org/discussionforumposting", b"schema.org/qapage", b"schema.org/question")
_PROBABLE = 0.5


def is_thread(page: Page) -> bool:
    """Whether the page is a forum thread or a question with answers."""
    if page_types(page).get("forum", 0.0) > _PROBABLE:
        return True
    told = len(with_part(page, "itemtype", _MARKUP)) > 0 or any(
        "ld+json" in island.type and _is_told(island.text) for island in page.islands
    )
    if not told:
        return False
    described = [item for source in sources_of(page) for item in (source.subject, source.page)]
    return any(item is not None and not items.types(item).isdisjoint(_THREADS) for item in described)


def _is_told(text: str) -> bool:
    return "DiscussionForumPosting" in text or "QAPage" in text

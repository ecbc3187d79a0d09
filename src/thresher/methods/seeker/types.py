"""News, blog, forum or another page: which model and which filter a page gets.

The author may say it (`Options.page_type`); else it is detected:

    forum    the page calls itself a discussion (JSON-LD, microdata), or `auto` takes it for a forum
    other    `auto` takes it for something else than an article: a product, a listing, documentation, a service
    blog     of the rest, what calls itself a blog posting; what has "blog" in its address or stands with a hoster of
             blogs; what was made by a blog engine
    news     the rest of the rest

What a page says of itself goes first, then its address, then the engine, and "news" said in one of them outweighs
"blog" said in a later one.  Data sets that know articles only are split into news and blogs by the same rule, so that
each model is trained on what it will be given.
"""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import urlsplit

from thresher.data.tags import NUMBER
from thresher.page import Page, attributes

__all__ = ["TYPES", "PageType", "article_type", "detect", "of_label"]

PageType = Literal["news", "blog", "forum", "other"]
TYPES: tuple[PageType, ...] = ("news", "blog", "forum", "other")

_STATED = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"([A-Za-z]+)"')
_NEWS = re.compile(r"NewsArticle$")
_BLOG = re.compile(r"Blog(?:Posting)?$")
_FORUM = re.compile(r"DiscussionForumPosting$|QAPage$")
_MAX_ISLAND_LENGTH = 200_000  # characters of one JSON-LD island that are read
_HOSTERS = ("blogspot.", "wordpress.com", "medium.com", "substack.com", "typepad.com", "livejournal.com", "tumblr.com")
_ENGINES = ("wordpress", "blogger", "ghost", "jekyll", "hugo", "hexo", "pelican", "typepad", "movable type", "substack")


def of_label(page: Page, label: str) -> PageType:
    """The type of a page that a data set calls `label`; where it says nothing (`page`), as for any page."""
    if label == "page":
        return detect(page)
    if label in ("blog", "forum", "news"):
        return label  # type: ignore[return-value]
    return article_type(page) if label == "article" else "other"


def detect(page: Page) -> PageType:
    """The type of a page nobody has told about."""
    from thresher.methods.auto import page_types  # reads the page with a network: not when the type is given

    if any(_FORUM.search(stated) for stated in _stated(page)):
        return "forum"
    likely = page_types(page)
    best = max(likely, key=likely.__getitem__, default="article")
    if best == "forum":
        return "forum"
    return article_type(page) if best == "article" else "other"


def article_type(page: Page) -> PageType:
    """News or blog."""
    for says_news, says_blog in (_by_statement(page), _by_address(page), (False, _by_engine(page))):
        if says_news or says_blog:
            return "news" if says_news else "blog"
    return "news"


def _stated(page: Page) -> list[str]:
    """The schema.org types that the page gives to anything in it, in JSON-LD and microdata."""
    in_json_ld = [
        name
        for island in page.islands
        if "ld+json" in island.type
        for name in _STATED.findall(island.text, 0, _MAX_ISLAND_LENGTH)
    ]
    return in_json_ld + [value.rstrip("/").rpartition("/")[2] for value in attributes.distinct(page, "itemtype")[2]]


def _by_statement(page: Page) -> tuple[bool, bool]:
    stated = _stated(page)
    return any(map(_NEWS.search, stated)), any(map(_BLOG.search, stated))


def _by_address(page: Page) -> tuple[bool, bool]:
    try:
        parts = urlsplit((page.url or "").lower())
    except ValueError:
        return False, False
    host, path = parts.netloc, parts.path
    return (
        "news" in re.split(r"[./]", host + path),
        "blog" in host + path or any(hoster in host for hoster in _HOSTERS),
    )


def _by_engine(page: Page) -> bool:
    """Whether the meta element `generator` names a blog engine."""
    names = attributes.values(page, "name")
    for row, name in names.items():
        if page.tag[row] == NUMBER["meta"] and name.lower() == "generator":
            content = (page.attribute(row, "content") or "").lower()
            return any(engine in content for engine in _ENGINES)
    return False

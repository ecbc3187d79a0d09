"""Articles that a page appends to its own, as endless scrolling does: whole ones, one below the other.

They are elements of one kind (name, depth, a class in common) with a heading and prose each.  The page is that of the
first: its title names the first heading and none of the others, and it is no front page, thread or live ticker.  Each
other has an address of its own, or a day of its own on a page that says that it is one article.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from thresher import output
from thresher.data.tags import NUMBER
from thresher.page import Page, Problem, memoised
from thresher.page.columns import in_link, tag_count, words
from thresher.page.tree import block_sum
from thresher.page.types import Bools, Longs
from thresher.page.verdict import Verdict
from thresher.result.own_addresses import own_address, own_paths, path_of
from thresher.text.plain import words_of
from thresher.visible.readable import readable

__all__ = ["AppendedArticle", "OtherArticle", "appended_articles", "other_articles", "without_appended"]

_ARTICLE, _H1, _H2, _LINK, _TIME = (NUMBER[name] for name in ("article", "h1", "h2", "a", "time"))
_MIN_WORDS = 80  # of prose in each article
_MIN_TITLE_LETTERS = 6
_MAX_ARTICLES = 50
_REASON = "against: an article that the page appends to its own"


@dataclass(frozen=True, slots=True)
class OtherArticle:
    """An article that the page appends to its own."""

    title: str
    url: str | None
    text: str
    markdown: str


class AppendedArticle(NamedTuple):
    """Where such an article stands."""

    row: int
    title: str
    url: str | None


def without_appended(verdict: Verdict) -> Verdict:
    """The verdict without the articles behind the first; the same where there are none, or the first is not kept."""
    page, keep = verdict.page, verdict.keep
    articles = appended_articles(page)
    if (
        not articles
        or words(page)[: page.first[articles[0].row]][keep[: page.first[articles[0].row]]].sum() < _MIN_WORDS
    ):
        return verdict
    behind = np.zeros(len(keep), bool)
    behind[page.first[articles[0].row] : page.last[articles[-1].row]] = True
    count = "an article" if len(articles) == 1 else f"{len(articles)} articles"
    problem = Problem("appended_articles", f"the page appends {count} to its own; `others` of the result has them")
    return replace(
        verdict,
        keep=keep & ~behind,
        appended=keep & behind,
        problems=(*verdict.problems, problem),
        reasons=_reasons(verdict, behind),
    )


def _reasons(verdict: Verdict, behind: Bools) -> Callable[[int], Iterable[str]]:
    taken, method = block_sum(verdict.page, verdict.keep & behind) > 0, verdict.reasons

    def reasons(block: int) -> Iterator[str]:
        if taken[block]:
            yield _REASON
        elif method is not None:
            yield from method(block)

    return reasons


def other_articles(verdict: Verdict) -> Iterator[OtherArticle]:
    """The articles that were taken out: what the method keeps of each, or all of one of which it keeps little."""
    page = verdict.page
    for article in appended_articles(page) if verdict.appended is not None else ():
        inside = np.zeros(len(page.start), bool)
        inside[_texts(page, article.row)] = True
        keep = inside & verdict.appended
        if words(page)[keep].sum() < _MIN_WORDS:
            keep = inside & readable(page)
        yield OtherArticle(article.title, article.url, output.to_text(page, keep), output.to_markdown(page, keep))


@memoised
def appended_articles(page: Page) -> tuple[AppendedArticle, ...]:
    """The articles behind the first; none on nearly all pages."""
    places = _containers(page)
    if len(places) < 2 or not _is_one_article(page):
        return ()
    from thresher.metadata.clean import text_of  # what follows needs much of the metadata; few pages come here

    (first, heading), *others = places
    names = [text_of(page, head, signs=False) for _, head in others]
    if not _is_named(page, text_of(page, heading, signs=False), names):
        return ()
    here = own_paths(page)
    start = own_address(page, first, heading)
    if "" in here or (start and here and path_of(start) not in here):
        return ()
    told = _says_article(page)
    seen = here | ({path_of(start)} if start else set())
    found: list[AppendedArticle] = []
    for (row, head), name in zip(others, names, strict=True):
        address = own_address(page, row, head)
        if (path_of(address) in seen) if address else not (told and _has_day(page, row) and _has_day(page, first)):
            return ()
        seen |= {path_of(address)} if address else set()
        found.append(AppendedArticle(row, name, address or None))
    return tuple(found)


def _containers(page: Page) -> list[tuple[int, int]]:
    """Elements of one kind with their headings: `article` elements, else those around each h1."""
    for name, find in (("article", _article_elements), ("h1", _around_headings)):
        if tag_count(page, name) < 2:
            continue
        prose = np.zeros(len(page.start) + 1, np.int64)  # words before each text
        np.cumsum(words(page) * (readable(page) & ~in_link(page)), out=prose[1:])
        places = find(page, prose)
        alike = [place for place in places[:_MAX_ARTICLES] if _are_alike(page, places[0][0], place[0])]
        if len(alike) > 1:
            return alike
    return []


def _has_prose(page: Page, prose: Longs, row: int) -> bool:
    return bool(prose[page.last[row]] - prose[page.first[row]] >= _MIN_WORDS)


def _texts(page: Page, row: int) -> slice:
    return slice(int(page.first[row]), int(page.last[row]))


def _are_alike(page: Page, one: int, other: int) -> bool:
    """Whether two elements have one name and depth, and a class in common or none."""
    classes, others = (set((page.attribute(row, "class") or "").split()) for row in (one, other))
    same_kind = page.tag[one] == page.tag[other] and page.depth[one] == page.depth[other]
    return bool(same_kind) and (not classes.isdisjoint(others) or not (classes or others))


def _article_elements(page: Page, prose: Longs) -> list[tuple[int, int]]:
    """The outermost `article` elements with prose, and the h1 or else the h2 that each begins with."""
    places: list[tuple[int, int]] = []
    end = 0
    for row in (page.tag == _ARTICLE).nonzero()[0].tolist():
        if row < end:
            continue
        end = int(page.end[row])
        if not _has_prose(page, prose, row):
            continue
        tags = page.tag[row:end]
        heads = (tags == _H1).nonzero()[0]
        heads = heads if len(heads) else (tags == _H2).nonzero()[0]
        if len(heads):
            places.append((row, row + int(heads[0])))
    return places


def _around_headings(page: Page, prose: Longs) -> list[tuple[int, int]]:
    """Each h1, and the largest element around it that has no other h1, if it has prose."""
    heads = (page.tag == _H1).nonzero()[0].tolist()
    places: list[tuple[int, int]] = []
    for place, head in enumerate(heads):
        before = heads[place - 1] if place else -1
        behind = heads[place + 1] if place + 1 < len(heads) else len(page)
        row = head
        while (above := int(page.parent[row])) > before and page.end[above] <= behind:
            row = above
        if _has_prose(page, prose, row):
            places.append((row, head))
    return places


def _is_one_article(page: Page) -> bool:
    """Whether a page is neither a thread nor a live ticker by what its data or the judge says."""
    from thresher.methods.auto import known_page_types

    kinds = known_page_types(page) or {}
    live = any("ld+json" in island.type and "LiveBlogPosting" in island.text for island in page.islands)
    return not live and b"LiveBlogPosting" not in page.markup and kinds.get("forum", 0.0) < 0.5


# ---- what the page says of itself -----------------------------------------------------------------------------


def _is_named(page: Page, first: str, others: list[str]) -> bool:
    """Whether the page is called as its first article, and the others have other names."""
    from thresher.metadata import head
    from thresher.metadata.titles import without_site

    top = head.read(page)
    titles = [_letters(without_site(title, set())) for title in (top.title, top.first("og:title")) if title]
    key, keys = _letters(first), {_letters(name) for name in others}
    if len(key) < _MIN_TITLE_LETTERS or key in keys or "" in keys:
        return False
    wholes = [_letters(title) for title in (top.title, top.first("og:title"))]
    named = any(key in whole for whole in wholes) or any(
        len(title) >= _MIN_TITLE_LETTERS and title in key for title in titles
    )
    return named and not any(other in whole for other in keys for whole in wholes)


def _letters(text: str) -> str:
    return "".join(words_of(text))


def _has_day(page: Page, row: int) -> bool:
    """Whether an article has a date of its own, in an element for it."""
    rows = slice(row, int(page.end[row]))
    return bool((page.tag[rows] == _TIME).any())


def _says_article(page: Page) -> bool:
    """Whether the page's metadata says that it is an article."""
    from thresher.metadata import head, items
    from thresher.metadata.evidence import sources_of

    if head.read(page).first("og:type").strip().lower() == "article":
        return True
    subjects = [source.subject for source in sources_of(page) if source.subject]
    return any(kind.endswith(("article", "posting")) for item in subjects for kind in items.types(item))

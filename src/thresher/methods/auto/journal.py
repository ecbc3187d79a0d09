"""Journal articles: from the title to the end of the references, all is the article.

    references    what follows a heading that says so ("References", "Literatur"), up to the next heading, with five
                  years, DOIs or the like in it
    a journal     a page with references that calls its summary an abstract, declares what citation indexes read
                  (`citation_doi`, `ScholarlyArticle`), or cites five of its references by links

On other pages a list of sources at the end is content as often as not.  The authors, their affiliations and the
references of a journal article are parts of it, and where the browser shows the article's column they are known from
what stands around them (layout).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import numpy as np

from thresher.methods.auto.model import Opinion
from thresher.page import Page, attributes
from thresher.page.types import Bools
from thresher.text.patterns import compile_later
from thresher.text.phrases import phrases

__all__ = ["article_blocks"]

_MIN_ENTRIES = 5  # dates in a list of references, and entries that are cited by links
_MIN_DATED_SHARE = 0.25  # of the blocks of the list; in some an entry is several blocks
_MIN_ENTRY_WORDS = 4
_MAX_NAME_LETTERS = 40  # of a block, before the mark that ends the name of an abstract
_MAX_HEADING_WORDS = 6  # with its number
_DATED = compile_later(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)|\bdoi\b|\barxiv\b|\bisbn\b", re.IGNORECASE)
_AROUND_HEADING = compile_later(r"^(?:[\W\d_]+|[ivxl]+\.\s)*|[\W\d_]+$")
_DECLARED = compile_later(
    rb"citation_(?:doi|journal_title|reference|pmid|issn|arxiv_id|technical_report_\w+)|prism\.doi"
)
_SCHOLARLY = "ScholarlyArticle"  # and MedicalScholarlyArticle


def article_blocks(page: Page, view: Opinion) -> Bools | None:
    """The blocks from the title of a journal article to the end of its references; None for other pages."""
    entries = _references(page, view)
    if entries is None:
        return None
    first, stop = entries
    if not (_has_abstract(page, view, first) or _is_declared(page) or _cites(page, view, first, stop)):
        return None
    titles = view.title[:first].nonzero()[0]
    likely = (view.probability[:first] >= 0.5).nonzero()[0]
    if not len(titles) and not len(likely):
        return None
    article = np.zeros(len(view.words), bool)
    article[(titles if len(titles) else likely)[0] : stop] = True
    return article


def _references(page: Page, view: Opinion) -> tuple[int, int] | None:
    """The first block of the longest list of references, and the block behind it."""
    headings = np.append(view.heading.nonzero()[0], len(view.words))
    best: tuple[int, int, int] | None = None
    for block in _called(page, view, "references"):
        stop = int(headings[headings.searchsorted(block, side="right")])
        entries = [k for k in range(block + 1, stop) if view.words[k] >= _MIN_ENTRY_WORDS]
        dates = {k: len(_DATED.findall(_line(page, view, k))) for k in entries}
        dated, count = [k for k in entries if dates[k]], sum(dates.values())
        if count < _MIN_ENTRIES or len(dated) < _MIN_DATED_SHARE * len(entries) or (best and count <= best[0]):
            continue
        # A footer may follow without a heading: entries look alike.
        groups = Counter(view.blocks.alike[dated].tolist())
        common = [k for k in range(block + 1, stop) if groups[int(view.blocks.alike[k])] > 1] or dated
        best = count, block + 1, common[-1] + 1
    return best and best[1:]


def _called(page: Page, view: Opinion, kind: str) -> list[int]:
    """The blocks that are nothing but a heading of some kind, whatever their tags."""
    short = (view.words <= _MAX_HEADING_WORDS).nonzero()[0].tolist()
    return [block for block in short if _AROUND_HEADING.sub("", _line(page, view, block).lower()) in _names(kind)]


@cache
def _names(kind: str) -> frozenset[str]:
    return frozenset(phrases(kind))


def _has_abstract(page: Page, view: Opinion, before: int) -> bool:
    """Whether a block before this one is the heading of an abstract, or begins with it: "Abstract. We show …"."""
    if any(block < before for block in _called(page, view, "abstract")):
        return True
    begins = (_line(page, view, block)[:_MAX_NAME_LETTERS].lower() for block in range(before))
    return any(
        line.partition(mark)[0].strip() in _names("abstract") for line in begins for mark in ".:—–" if mark in line
    )


def _is_declared(page: Page) -> bool:
    """Whether the page is declared as an article for citation indexes."""
    _, _, names = attributes.distinct_bytes(page, "name")
    if any(_DECLARED.match(name.lower()) for name in names):
        return True
    types = (value for name in ("typeof", "itemtype") for value in attributes.distinct(page, name)[2])
    return any(_SCHOLARLY in text for text in (*types, *(island.text for island in page.islands)))


def _cites(page: Page, view: Opinion, first: int, stop: int) -> bool:
    """Whether links before the references lead to some of them."""
    begin, end = int(view.blocks.first[first]), int(view.blocks.last[stop - 1])
    entries = set()
    for name in ("id", "name"):
        entries |= {value for row, value in attributes.values(page, name).items() if begin <= page.first[row] <= end}
    links = attributes.values(page, "href")
    cited = {href[1:] for row, href in links.items() if href.startswith("#") and page.first[row] < begin}
    return len(cited & entries) >= _MIN_ENTRIES


def _line(page: Page, view: Opinion, block: int) -> str:
    start, stop = int(page.start[view.blocks.first[block]]), int(page.stop[view.blocks.last[block]])
    return " ".join(page.utf8[start:stop].replace(b"\0", b" ").decode(errors="replace").split())

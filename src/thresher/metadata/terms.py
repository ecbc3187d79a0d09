"""Tags and categories: what the head and the items list, else the links of the page that say they lead to one.

    <a rel="tag" href="/tag/bees/">bees</a>      <a rel="category tag" href="/nature/">Nature</a>

Teasers have such links, too.  So only the first row of them counts, with next to nothing between its links, and none on
a page where several articles have some.
"""

from __future__ import annotations

import re
from itertools import pairwise, takewhile

import numpy as np

from thresher.data.tags import NUMBER
from thresher.metadata import meta_names
from thresher.metadata.clean import text_of
from thresher.metadata.evidence import MetadataEvidence
from thresher.page import Page, attributes
from thresher.page.parts import Parts, with_part
from thresher.text.plain import plain
from thresher.visible.readable import readable

__all__ = ["categories", "tags"]

Terms = tuple[str, tuple[str, ...]]
"""The source, and what it lists."""

_MAX_TERM_LENGTH = 100
_MAX_TERMS = 50
_SEPARATOR = re.compile(r"[,;|，、；]")
_TERMS = Parts(b"tag", b"category")
_LINK, _ARTICLE = NUMBER["a"], NUMBER["article"]
_MAX_TEXTS_BETWEEN_LINKS = 2  # of a row: a comma, a bullet


def tags(evidence: MetadataEvidence) -> Terms:
    stated = [
        *_grouped(evidence, meta_names.TAG),
        *evidence.strings("keywords"),
        *_grouped(evidence, meta_names.KEYWORDS),
    ]
    terms = _terms(stated)
    return terms if terms[1] else _linked(evidence.page, {"tag"})


def categories(evidence: MetadataEvidence) -> Terms:
    terms = _terms([*_grouped(evidence, meta_names.CATEGORY), *evidence.strings("articleSection")])
    return terms if terms[1] else _linked(evidence.page, {"category", "tag"})


def _grouped(evidence: MetadataEvidence, names: meta_names.Names) -> list[tuple[str, list[str]]]:
    """The values of meta elements, those of one source together."""
    return [(source, [claim.value for claim in evidence.meta(((source, group),))]) for source, group in names]


def _terms(sources: list[tuple[str, list[str]]]) -> Terms:
    """The terms of the first source that has any: lists, or one string with commas."""
    for source, values in sources:
        terms = [plain(term, _MAX_TERM_LENGTH) for value in values for term in _SEPARATOR.split(value[:10_000])]
        if any(terms):
            return source, tuple(dict.fromkeys(term for term in terms if term))[:_MAX_TERMS]
    return "", ()


def _linked(page: Page, relation: set[str]) -> Terms:
    """What the first row of links with just these relations says."""
    values = attributes.numbered(page, "rel")
    likely = with_part(page, "rel", _TERMS)
    wanted = [k for k in likely if _term_relations(attributes.value_of(page, values, k).decode()) == relation]
    rows: list[int] = attributes.rows_of(values, wanted).tolist()
    seen = readable(page)
    rows = [row for row in rows if page.tag[row] == _LINK and np.count_nonzero(seen[page.first[row] : page.last[row]])]
    if not rows or len({_article(page, row) for row in rows}) > 1:
        return "", ()
    beside = takewhile(
        lambda pair: page.first[pair[1]] - page.last[pair[0]] <= _MAX_TEXTS_BETWEEN_LINKS, pairwise(rows)
    )
    strings = [text_of(page, row, _MAX_TERM_LENGTH).lstrip("#") for row in (rows[0], *(row for _, row in beside))]
    return "page: rel=tag", tuple(dict.fromkeys(term for term in strings if term))[:_MAX_TERMS]


def _term_relations(words: str) -> set[str]:
    """The relations among `tag` and `category` that a rel attribute has."""
    return {"tag", "category"}.intersection(words.lower().split())


def _article(page: Page, row: int) -> int:
    """The article around an element; -1 without one."""
    return next((above for above in page.ancestors(row) if page.tag[above] == _ARTICLE), -1)

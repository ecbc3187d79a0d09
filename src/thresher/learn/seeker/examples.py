"""Labelled pages as examples for `seeker`: which elements are good segments, which segments are content.

Nobody labelled segments in our data sets; the gold text of a page says which characters are content (`labels`), and
the best segmentation follows from it.  Let t_i be the readable characters of candidate i, g_i the gold ones among
them, λ the price of one more segment:

    whole_i  =  λ + min(g_i, t_i - g_i)                    i as one segment: what its class gets wrong
    parts_i  =  Σ_{j child} min(whole_j, parts_j) + l_i    its children instead; l_i: gold in texts that no child has
    good_i   ⟺  whole_i ≤ parts_i                          a leaf is always good
    content_i ⟺ 2 g_i > t_i

So a segment is cut only where that puts right more than λ characters, and granularity is one number: λ is a share of
the page's text.  Labels that people gave (see labelfile) overrule the gold text, and stand in for it where there is
none: then only what lies in labelled elements is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from thresher.errors import RenderError
from thresher.evaluate.datasets import BrokenRecord, Dataset, DatasetRecord
from thresher.evaluate.rendered import page_of
from thresher.learn.auto.examples import site_of
from thresher.learn.labelfile import Label, element_votes, text_votes
from thresher.learn.labels import block_words, label
from thresher.methods.seeker.features import LAYOUT, features
from thresher.methods.seeker.segments import candidates, holders, leaves
from thresher.methods.seeker.types import TYPES, of_label
from thresher.page import Page
from thresher.page.columns import chars
from thresher.page.tree import text_sum
from thresher.page.types import Bools, Floats, Rows, Singles
from thresher.visible.readable import readable

__all__ = [
    "PRICE",
    "SeekerExample",
    "costs",
    "example",
    "examples",
    "from_record",
    "gold_chars",
    "has_layout",
    "without_layout",
]


PRICE = 0.001  # λ as a share of the page's text


@dataclass(frozen=True, slots=True, eq=False)
class SeekerExample:
    """One labelled page; C candidates."""

    id: str
    site: str  # the registrable domain: pages of one site never stand on both sides of a split
    page_type: int  # an index into seeker.types.TYPES
    x: Singles  # (C, F)
    row: Rows  # (C,)
    end: Rows  # (C,)
    leaf: Bools  # (C,)
    text: Floats  # (C,)  readable characters
    gold: Floats  # (C,)  gold ones among them
    whole: Floats  # (C,)  the cost of each as a segment
    parts: Floats  # (C,)  the cost of its parts
    size: float  # readable characters of the page
    known: Bools  # (C,)  whether gold text or labels say anything about it
    segment_votes: Floats  # (C,)  share of labellers that call it a good segment; NaN without labels
    content_votes: Floats  # (C,)  share of labellers that call it content; NaN without labels

    @property
    def good(self) -> Bools:
        """Which are good segments: what the labels say, else the best segmentation."""
        best = self.leaf | (self.whole <= self.parts)
        return np.where(np.isnan(self.segment_votes), best, self.segment_votes > 0.5)

    @property
    def content(self) -> Bools:
        """Which are content: what the labels say, else whether most of the text is."""
        return np.where(np.isnan(self.content_votes), 2 * self.gold > self.text, self.content_votes > 0.5)


def has_layout(page: SeekerExample) -> bool:
    """Whether the page was rendered: its candidates have positions and sizes."""
    return bool(np.isfinite(page.x[:, LAYOUT]).any())


def without_layout(page: SeekerExample) -> SeekerExample:
    """The same page as if it had not been rendered, so far as features go."""
    x = page.x.copy()
    x[:, LAYOUT] = np.nan
    return replace(page, x=x)


def examples(
    dataset: Dataset, labels: Mapping[str, Sequence[Label]] | None = None, wanted: Callable[[str], bool] = bool
) -> Iterator[SeekerExample | BrokenRecord | None]:
    """One item per record: the example, why it could not be read, or None where there is nothing to learn from.

    `labels` are labels that people gave, by the id of the page.  `wanted` tells whether pages of a type are still
    needed; others give None before they cost much.
    """
    for record in dataset:
        if isinstance(record, BrokenRecord):
            yield record
            continue
        try:
            yield from_record(record, (labels or {}).get(record.id, ()), wanted)
        except RenderError as reason:
            yield BrokenRecord(record.id, str(reason))


def from_record(
    record: DatasetRecord, labels: Sequence[Label] = (), wanted: Callable[[str], bool] = bool
) -> SeekerExample | None:
    """The record as an example; None where there is nothing to learn from, or nothing wanted.  Where the page was
    rendered, its features have positions and sizes."""
    if (record.html is None and record.page_file is None) or not (record.gold or labels):
        return None
    page = page_of(record)
    if not wanted(of_label(page, record.page_type)):
        return None
    return example(page, record.gold or None, record.id, record.page_type, labels)


def example(
    page: Page, gold: str | None, id: str = "", page_type: str = "", labels: Sequence[Label] = ()
) -> SeekerExample | None:
    """The page as an example; None for a page without readable text."""
    rows = candidates(page)
    if not len(rows):
        return None
    size = chars(page) * readable(page)
    votes = element_votes(page, labels)
    share = text_votes(page, votes.content)
    gold_chars_of = gold_chars(page, gold) if gold else np.zeros(len(size))
    gold_chars_of = np.where(np.isnan(share), gold_chars_of, size * np.nan_to_num(share))
    whole, parts = costs(page, rows, gold_chars_of)
    unknown = text_sum(page, size * np.isnan(share))[rows] if gold is None else np.zeros(len(rows))
    segment_votes, content_votes = (
        np.array([answers.get(row, np.nan) for row in rows.tolist()]) for answers in (votes.segment, votes.content)
    )
    return SeekerExample(
        id=id,
        site=site_of(page, id),
        page_type=TYPES.index(of_label(page, page_type)),
        x=features(page),
        row=rows,
        end=page.end[rows].astype(np.intp),
        leaf=leaves(page, rows),
        text=text_sum(page, size)[rows].astype(np.float64),
        gold=text_sum(page, gold_chars_of)[rows],
        whole=whole,
        parts=parts,
        size=float(size.sum()),
        known=(unknown == 0) | ~np.isnan(segment_votes),
        segment_votes=segment_votes,
        content_votes=content_votes,
    )


def gold_chars(page: Page, gold: str) -> Floats:
    """The gold characters of each readable text: its characters times the share of its block that is gold."""
    words = block_words(page)
    share = label(words, gold) / np.maximum([len(block) for block in words], 1)
    gold_size: Floats = chars(page) * readable(page) * share[page.block]
    return gold_size


def costs(page: Page, rows: Rows, gold_size: Floats, price: float = PRICE) -> tuple[Floats, Floats]:
    """whole and parts of the module's docstring, for the candidates `rows`."""
    size = chars(page) * readable(page)
    text = text_sum(page, size)[rows].astype(np.float64)
    gold = text_sum(page, gold_size)[rows]
    above = holders(page, rows)
    whole: Floats = price * float(size.sum()) + np.minimum(gold, text - gold)
    inner = np.zeros(len(rows))
    np.add.at(inner, above[above >= 0], gold[above >= 0])
    parts = np.where(leaves(page, rows), whole, (gold - inner).clip(0))  # a leaf has nothing to descend to
    for i in range(len(rows) - 1, 0, -1):  # children come after their parents
        if above[i] >= 0:
            parts[above[i]] += min(whole[i], parts[i])
    return whole, parts

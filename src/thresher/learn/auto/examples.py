"""Labelled pages as training examples: what the network reads of them, and how much of each block is gold.

An example keeps numbers, and bucket numbers in place of names and words, so that vectors can be learned for them.  A
page takes about 100 KB, so thousands of pages fit into memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np

from thresher.evaluate.datasets import BrokenRecord, Dataset, DatasetRecord
from thresher.http.domains import registrable_domain
from thresher.learn.auto.name_bags import name_bags
from thresher.learn.labels import block_words, label, words_of
from thresher.metadata import metadata
from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.claims import claims
from thresher.methods.auto.features import features
from thresher.methods.auto.model import title_headings
from thresher.methods.auto.page_type import TYPES, bags_of_page
from thresher.methods.auto.wording import first_words
from thresher.page import Page
from thresher.page.types import Bools, Ints, Rows, Singles
from thresher.parse import parse

__all__ = ["Bags", "Example", "example", "examples", "site_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Bags:
    """Sparse bags of buckets: bucket[k] belongs to bag[k]; sorted by bag."""

    bag: Rows
    bucket: Rows

    def only(self, chosen: Bools) -> Bags:
        return Bags(self.bag[chosen], self.bucket[chosen])


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One labelled page."""

    id: str
    site: str  # the registrable domain: pages of one site never stand on both sides of a split
    dataset: str  # the name of the data set: what it counts as content is its convention
    page_type: int  # an index into TYPES; -1 for any other
    x: Singles  # (B, F)  the features
    names: Bags  # bag 4·b + k: part k of the path of block b
    words: Bags  # bag b: the words with which block b begins
    claims: tuple[Rows, Rows]
    of_page: tuple[Rows, ...]  # the bags of the page as a whole, by which its type is told
    begin: Ints
    stop: Ints
    alike: Ints
    together: Ints
    share: Singles  # (B,)  share of a block's words that is gold: the label
    size: Singles  # (B,)  its words
    said: Singles  # (B,)  0 for headings that are the title of the page: sets differ in them, and a rule keeps them
    gold: int  # words of the gold text
    word: Rows  # (Σ size,)  the words of all blocks as numbers, for the measure
    gold_count: Rows  # how often the gold text has each of these words

    def f1(self, keep: Bools) -> float:
        """F1 of the bags of words, as `evaluate` measures it, when these blocks are kept."""
        kept = self.word[np.repeat(keep, self.size.astype(np.intp))]
        if not len(kept) and not self.gold:
            return 1.0
        hits = np.minimum(np.bincount(kept, minlength=len(self.gold_count)), self.gold_count).sum()
        return float(2 * hits / (len(kept) + self.gold))


def examples(dataset: Dataset) -> Iterator[Example | BrokenRecord | None]:
    """One item per record: the example, why it could not be read, or None where there is nothing to learn from."""
    for record in dataset:
        yield record if isinstance(record, BrokenRecord) else _from_record(record, dataset.root.name)


def _from_record(record: DatasetRecord, dataset: str) -> Example | None:
    if record.html is None or record.gold is None:
        return None
    page = parse(record.html, url=record.url, encoding=record.encoding)
    return example(page, record.gold, record.id, record.page_type, record.site, dataset)


def example(
    page: Page, gold: str, id: str = "", page_type: str = "", site: str = "", dataset: str = ""
) -> Example | None:
    """The page as an example; None for a page without readable text."""
    found = blocks(page)
    if not len(found):
        return None
    x = features(page)
    all_words = block_words(page)
    words = [all_words[number] for number in found.number.tolist()]
    size = np.array([len(block) for block in words], np.float32)
    number: dict[str, int] = {}
    word = np.array([number.setdefault(w, len(number)) for block in words for w in block], np.intp)
    gold_words = words_of(gold)
    gold_count = np.bincount([number[w] for w in gold_words if w in number], minlength=len(number))
    return Example(
        id=id,
        site=site or site_of(page, id),
        dataset=dataset,
        page_type=TYPES.index(page_type) if page_type in TYPES else -1,
        x=x,
        names=Bags(*name_bags(page, found)),
        words=Bags(*first_words(page)[:2]),
        claims=claims(page),
        of_page=bags_of_page(page),
        begin=found.begin,
        stop=found.stop,
        alike=found.alike,
        together=found.together,
        share=(label(words, gold) / np.maximum(size, 1)).astype(np.float32),
        size=size,
        said=1 - title_headings(x).astype(np.float32),
        gold=len(gold_words),
        word=word,
        gold_count=gold_count,
    )


def site_of(page: Page, id: str) -> str:
    """`example.co.uk` of https://www.example.co.uk/a; the host itself where there is none.

    Where nobody told the address of the page its own word counts (canonical, og:url); a page without either is a site.
    """
    url = page.url or metadata(page).url or id
    host = urlsplit(url).hostname or url
    return registrable_domain(host, hosters=True) or host

"""Sites of rendered pages from data sets, with labels of their blocks.

A page is a record's rendering: blocks that another browser left behind (data set `rendered-blocks`), or the page as
Chromium shows it, rendered once and kept.  Pages of one host are a site; siblings of a record belong to it as pages
without a gold text.

    own labels    each site clustered, the cluster closest to the pages' descriptions is content (methods.cluster)
    gold labels   a block is content when more than half of its words are in the page's gold text
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from thresher.evaluate.datasets import BrokenRecord, Dataset, DatasetRecord
from thresher.evaluate.datasets.record import or_broken
from thresher.evaluate.rendered import nearest_siblings, render_missing, rendering_path
from thresher.learn.labels import label, words_of
from thresher.learn.reading import LeftOut, Progress, usable
from thresher.methods.cluster import Options
from thresher.methods.cluster.blocks import SiteBlocks, joined, of_pages, of_renderings
from thresher.methods.cluster.learning import cluster
from thresher.methods.cluster.relevance import labelled
from thresher.page.types import Bools

__all__ = ["LabelledSite", "gold_labels", "own_labels", "sites_of"]

Item = tuple[str, SiteBlocks, str | None]  # the site, the blocks of one page, its gold text


@dataclass(frozen=True, slots=True, eq=False)
class LabelledSite:
    """The pages of one site, and what is known of their blocks."""

    name: str
    blocks: SiteBlocks
    gold: Bools  # (N,)  blocks of the gold texts
    has_gold: Bools  # (pages,)  which pages have one

    @property
    def known(self) -> Bools:
        """(N,)  the blocks of pages with a gold text."""
        mask: Bools = self.has_gold[self.blocks.page]
        return mask


def sites_of(
    datasets: Sequence[Dataset], renderings: Path, left_out: LeftOut, progress: Progress
) -> list[LabelledSite]:
    """The sites of some data sets, by name; what cannot be read or rendered is left out."""
    pages: dict[str, list[tuple[SiteBlocks, str | None]]] = {}
    for dataset in datasets:
        if not _is_rendered(dataset):
            render_missing(dataset, list(dataset.ids()), renderings, siblings=True)
        items = (_pages_or_broken(dataset, id, renderings) for id in dataset.ids())
        for some in usable(dataset, items, left_out, progress):
            for site, blocks, gold in some:
                own = pages.setdefault(site, [])
                # Two records of a site share siblings, and one may be the other's.
                known = {one.pages[0].url: place for place, (one, _) in enumerate(own)}
                place = known.get(blocks.pages[0].url, -1)
                if place < 0:
                    own.append((blocks, gold))
                elif gold is not None:
                    own[place] = blocks, gold
    return [_site(name, pages[name]) for name in sorted(pages)]


def _is_rendered(dataset: Dataset) -> bool:
    """Whether the records come with what a browser made of them."""
    first = dataset.load(dataset.ids()[0]) if len(dataset) else None
    return isinstance(first, DatasetRecord) and first.rendering_file is not None


def _pages_or_broken(dataset: Dataset, id: str, renderings: Path) -> list[Item] | BrokenRecord | None:
    return or_broken(id, lambda: _pages(dataset, id, renderings))


def _pages(dataset: Dataset, id: str, renderings: Path) -> list[Item] | None:
    """The pages of a record: itself, and siblings that were rendered; None where there is no rendering of it."""
    from thresher.render.saved import load

    record = dataset.read(id)
    rendering = record.rendering
    if rendering is not None:
        return [(_name(record), of_renderings([rendering]), record.gold)]
    items: list[Item] = []
    for page in (record, *nearest_siblings(record)):
        file = page.page_file or rendering_path(page, renderings)  # a rendering may stand beside the page
        if file.exists():
            items.append((_name(record), of_pages([load(file)]), page.gold))
    return items or None


def _name(record: DatasetRecord) -> str:
    return record.site or urlsplit(record.url or "").hostname or record.id.partition("/")[0]


def _site(name: str, pages: Sequence[tuple[SiteBlocks, str | None]]) -> LabelledSite:
    blocks = joined([own for own, _ in pages])
    return LabelledSite(
        name,
        blocks,
        np.concatenate([gold_labels(own.text, gold) for own, gold in pages]),
        np.array([gold is not None for _, gold in pages]),
    )


def gold_labels(texts: Sequence[str], gold: str | None) -> Bools:
    """Blocks of which more than half of the words are in the gold text."""
    if gold is None:
        return np.zeros(len(texts), bool)
    words = [words_of(text) for text in texts]
    mask: Bools = 2 * label(words, gold) > np.maximum([len(own) for own in words], 1)
    return mask


def own_labels(site: LabelledSite, options: Options) -> Bools:
    """What the site's own descriptions say is content."""
    clustered = cluster(site.blocks, clustering=options.clustering)
    return labelled(site.blocks, clustered.number, options.relevance, options.labels).content

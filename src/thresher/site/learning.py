"""A site learned from its rendered pages, stage by stage: the system of paper 001 around method `cluster`.

    crawl     the pages of the site, politely                      site.gathering
    render    each of them in Chromium                             site.gathering
    cluster   their text blocks by looks, DBSCAN or K-Means        methods.cluster
    label     the cluster closest to the pages' descriptions
    train     a linear SVM on these labels, and its check on held-out pages

What comes back is a model for `thresher extract --model`, the pages, and what was learned on the way.  An observer
hears of each stage.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from thresher.errors import SiteError
from thresher.methods import cluster
from thresher.result.inputs import is_url
from thresher.site.gathering import Gathering, Observer, SiteProgress, rendered
from thresher.template.links import address

if TYPE_CHECKING:
    from thresher.methods.cluster.blocks import SiteBlocks
    from thresher.methods.cluster.learning import Learned
    from thresher.methods.cluster.model import Model
    from thresher.page import Page

__all__ = ["STAGES", "LearnedSite", "learn_pages", "learn_site", "page_at"]

STAGES = ("crawl", "render", "cluster", "label", "train")
_MIN_PAGES = 3  # pages; fewer show no template


@dataclass(frozen=True, slots=True, eq=False)
class LearnedSite:
    """A model of a site, and the pages that it was learned from."""

    name: str  # its host, or the name of its folder
    pages: list[Page]
    blocks: SiteBlocks
    learned: Learned
    model: Model


def learn_site(
    wanted: Gathering, options: cluster.Options = cluster.Options(), observer: Observer = Observer()
) -> LearnedSite:
    """All stages.  SiteError where there are too few pages, or none of their blocks could be content."""
    pages = rendered(wanted, observer)
    own_address = is_url(wanted.source) or wanted.root
    name = "" if own_address else Path(wanted.source).resolve().name
    return learn_pages(pages, name, options, observer)


def learn_pages(
    pages: list[Page], name: str = "", options: cluster.Options = cluster.Options(), observer: Observer = Observer()
) -> LearnedSite:
    """The stages after `render`."""
    from thresher.methods.cluster import model
    from thresher.methods.cluster.blocks import of_pages
    from thresher.methods.cluster.learning import learn

    if len(pages) < _MIN_PAGES:
        raise SiteError(f"{len(pages)} pages could be rendered, and a site is learned from {_MIN_PAGES} or more")
    blocks = of_pages(pages)
    name = name or urlsplit(blocks.pages[0].url or "").netloc

    def announce(stage: str) -> None:
        before = STAGES[STAGES.index(stage) - 1]
        if before != "render":
            observer.progress(SiteProgress(before, 1, 1))
        observer.progress(SiteProgress(stage, 0, 1))

    learned = learn(blocks, options.relevance, options.labels, options.clustering, announce=announce)
    if not learned.labels.content.any():
        raise SiteError("no cluster of blocks was found that could be content; try more pages")
    observer.progress(SiteProgress(STAGES[-1], 1, 1))
    return LearnedSite(name, pages, blocks, learned, model.made_of(learned, blocks, name))


def page_at(pages: list[Page], url: str) -> Page | None:
    """The page of an address among those of its site; the first one when the address led elsewhere.

    A crawl begins with the address that it was given, so what it led to comes first.
    """
    wanted = address(url)
    same = (page for page in pages if wanted is not None and address(page.url or "") == wanted)
    return next(same, pages[0] if pages else None)

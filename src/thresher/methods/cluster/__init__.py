"""Cluster: blocks that look like the content of their site's other pages, learned without a label (paper 001).

Karthikeyan, Dhanush Kumar, "Web Content Extraction using Machine Learning".  It needs a rendered page, and of its site
either a model or other rendered pages:

    Module 1   blocks of the rendered pages, with tag path, CSS selectors, CSS properties, box     cluster.blocks
    Module 2   DBSCAN over the blocks of all pages, or K-Means                                     cluster.dbscan
    Module 3   the cluster closest to what the pages say of themselves is content (Algorithm 1)    cluster.relevance
    Module 4   a linear SVM with weighted classes, learned from these labels                       cluster.svm
    kept       the blocks on the content's side of it: w·x > 0

With `model` only the last line is done, by numpy alone.  With `siblings` all of it is, over the page and its siblings;
that needs scikit-learn.  The score
of a block is 1 / (1 + exp(-2 w·x)).

Departures.  The defaults are ours, chosen on the gold texts of `rendered-blocks`: their labels have an F1 of 0.80
there, those of the paper, relevance "subsequence" and labels "site", 0.68.  What the paper leaves open, and what we
added, is in the docstrings of the parts; the figures are in docs/cluster.md.

It fails where a site has no template, or too few pages to show one; and on another site than its own.

Parts:

    blocks       Module 1   the text blocks of rendered pages, and what a browser knows of them
    features                tokens and numbers of blocks; sparse matrices
    distance                how far two blocks are from each other
    dbscan       Module 2   clusters of blocks, eps by the knee of the k-distances
    kmeans                  the same by K-Means, k by the knee of the inertia
    claims                  what a page says of itself: descriptions, title
    relevance    Module 3   which cluster is the content: common subsequences with these claims (Algorithm 1)
    svm          Module 4   a linear classifier with weighted classes
    learning                blocks -> clusters -> labels -> classifier, and how well it does on unseen pages of the site
    regimes                 one site, unseen sites, random mix: the paper's comparisons
    model                   a classifier as a file
    picture                 clusters drawn over a page
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from thresher.methods._needs import missing
from thresher.methods._options import option
from thresher.page import Page
from thresher.page.tree import block_first
from thresher.page.types import Floats, Ints
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "judge", "load_model"]


NEEDS: frozenset[str] = frozenset({"layout", "model"})


@dataclass(frozen=True, slots=True)
class Options:
    """Where the knowledge of the site comes from: a file, or other rendered pages of it."""

    model: str = option("", "a file from `thresher site learn --method cluster`")
    siblings: Sequence[Page] = ()
    relevance: Literal["subsequence", "pieces"] = option("pieces", "with siblings: the paper's measure, or ours")
    labels: Literal["grown", "site", "page"] = option(
        "grown",
        "with siblings: the best cluster and what stands beside it, the best cluster alone, or that of each page",
    )
    clustering: Literal["dbscan", "kmeans"] = option("dbscan", "with siblings: how blocks are grouped")


def load_model(file: str) -> object:
    """The model in a file of option `model`."""
    from thresher.methods.cluster.model import load

    return load(file)


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable texts of the blocks that look like content."""
    number, margin = _margins(page, options)
    chosen, score = np.zeros(len(block_first(page)), bool), np.zeros(len(block_first(page)))
    chosen[number[margin > 0]] = True
    score[number] = 1 / (1 + np.exp(-2 * np.clip(margin, -15, 15)))
    return Verdict(page, chosen[page.block] & readable(page), score)


def _margins(page: Page, options: Options) -> tuple[Ints, Floats]:
    """The numbers of the blocks, and how far each is on the content's side; computed once for the same options."""
    if page.box is None or page.style is None:
        raise missing("cluster", "layout")
    key = (options.model, tuple(map(id, options.siblings)), options.relevance, options.labels, options.clustering)
    kept = page._memo.get("cluster.margins")
    if kept is None or kept[0] != key:
        kept = page._memo["cluster.margins"] = key, _computed(page, options), options.siblings
    found: tuple[Any, Any] = kept[1]
    return found


def _computed(page: Page, options: Options) -> tuple[Ints, Floats]:
    from thresher.methods.cluster import learning, model
    from thresher.methods.cluster.blocks import of_pages

    own = of_pages([page])
    if options.model:
        return own.number, model.load(options.model).margins(own)
    if not options.siblings:
        raise missing("cluster", "model")
    blocks = of_pages([page, *options.siblings])
    learned = learning.learn(blocks, options.relevance, options.labels, options.clustering, check=False)
    return own.number, model.made_of(learned, blocks).margins(own)

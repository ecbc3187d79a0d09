"""Paper 001: Karthikeyan, Dhanush Kumar, Web Content Extraction using Machine Learning.

Its Module 4: a classifier for each site, one of some sites for others, one of random pages, each with four-fold
cross-validation; the labels are those of Algorithm 1, by the longest common subsequence.  Its Module 3 compares labels
of the whole site with labels of each page alone.  The text that we have prints no figures, only which regime does best
and worst: its words stand beside our figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from thresher.errors import DatasetError
from thresher.evaluate.cache import default_folder
from thresher.evaluate.datasets import Dataset
from thresher.evaluate.run import RENDERINGS
from thresher.evaluate.tables import NONE, ScoreCell, ScoreTable
from thresher.learn.cluster.examples import LabelledSite, own_labels, sites_of
from thresher.learn.cluster.report import PAPER, TITLES
from thresher.learn.cluster.train import REGIMES, RegimeScore, compare_regimes, examples_of
from thresher.learn.reading import LeftOut
from thresher.methods.cluster import Options
from thresher.methods.cluster.learning import HeldOutScore, score
from thresher.papers.experiment import Experiment, PageSelection

__all__ = ["DATA", "TABLES", "TITLE", "tables"]

TITLE = "Karthikeyan, Dhanush Kumar, Web Content Extraction using Machine Learning"
TABLES = "labels of Algorithm 1 (Module 3), three regimes with four folds (Module 4)"
DATA = "rendered pages (rendered-blocks), or pages with siblings, which are rendered first"

_FOLDS, _SEED = 4, 0
_LABELLINGS = {
    "one best cluster a site (Algorithm 1)": Options(relevance="subsequence", labels="site"),
    "best cluster of each page": Options(relevance="subsequence", labels="page"),
    "Algorithm 1 by K-Means": Options(relevance="subsequence", labels="site", clustering="kmeans"),
    "ours: pieces, and what stands beside": Options(),
}
_PAPER_OF_LABELS = {
    "one best cluster a site (Algorithm 1)": "fixes it",
    "best cluster of each page": "“not ideal” on some sites: comments",
    "Algorithm 1 by K-Means": "a keyword",
}


def tables(dataset: Dataset, experiment: Experiment) -> Iterator[ScoreTable]:
    """Labels against gold texts, and the three regimes."""
    chosen = PageSelection(dataset, experiment.select(dataset, lambda record: True, "anything").ids())
    left_out: LeftOut = []
    renderings = (experiment.cache or default_folder()) / RENDERINGS
    sites = sites_of([chosen], Path(renderings), left_out, experiment.report)
    if not sites:
        raise DatasetError(f"{dataset.root}: none of its pages is rendered, or can be")
    if any(site.has_gold.any() for site in sites):
        yield _labels(sites)
    examples = [examples_of(site, "site", _LABELLINGS["one best cluster a site (Algorithm 1)"]) for site in sites]
    yield _regimes(compare_regimes(sites, examples, REGIMES, _FOLDS, _SEED, experiment.report))


def _labels(sites: Sequence[LabelledSite]) -> ScoreTable:
    """Module 3: what each way to label calls content, against the gold texts."""
    rows = []
    gold = np.concatenate([site.gold[site.known] for site in sites])
    for name, options in _LABELLINGS.items():
        content = np.concatenate([own_labels(site, options)[site.known] for site in sites if site.known.any()])
        rows.append((ScoreCell(name), *_cells(score(content, gold)), ScoreCell(_PAPER_OF_LABELS.get(name, NONE))))
    pages = sum(int(site.has_gold.sum()) for site in sites)
    note = (
        f"{pages} pages with a gold text, {len(gold):,} blocks; a block is gold when more than half of its words are."
    )
    return ScoreTable(
        "Module 3: labels against gold, over blocks", ("labels", "P", "R", "F1", "paper"), tuple(rows), note
    )


def _regimes(scores: Sequence[RegimeScore]) -> ScoreTable:
    """Module 4: the regimes, for each set of features."""
    rows = []
    for place, one in enumerate(scores):
        first = place == 0 or scores[place - 1].regime != one.regime
        rows.append(
            (
                ScoreCell(TITLES[one.regime] if first else ""),
                ScoreCell(one.features),
                ScoreCell(str(one.sites)),
                ScoreCell(str(one.pages)),
                *_cells(one.labels),
                *_cells(one.gold),
                ScoreCell(PAPER[one.regime] if first else ""),
            )
        )
    head = ("training", "features", "sites", "pages", "P", "R", "F1", "gold: P", "gold: R", "gold: F1", "paper")
    note = "Over the blocks of held-out pages; P, R, F1 against the labels that are learned, then against gold texts."
    return ScoreTable(f"Module 4: three regimes, {_FOLDS} folds", head, tuple(rows), note)


def _cells(scores: HeldOutScore | None) -> list[ScoreCell]:
    return [ScoreCell(NONE)] * 3 if scores is None else [ScoreCell(f"{value:.3f}") for value in scores]

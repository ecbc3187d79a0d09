"""Three ways to train `cluster`, each with cross-validation, and a model over all pages (paper 001, Module 4).

    site    a classifier for each site: its pages are shuffled, a part of them is held out; the mean over the sites
    sites   a classifier of some sites for others: whole sites are held out
    pages   a classifier of random pages: most sites of the pages held out were seen

The paper has four folds.  A score is over the blocks of all held-out pages, against the labels that were trained on and
against the gold texts, where pages have some.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from thresher import __version__
from thresher.errors import DatasetError
from thresher.evaluate.cache import default_folder
from thresher.evaluate.datasets import BrokenRecord, open_dataset
from thresher.evaluate.run import RENDERINGS
from thresher.learn.cluster.examples import LabelledSite, own_labels, sites_of
from thresher.learn.reading import LeftOut, Progress, command, model_file
from thresher.methods.cluster import Options, model, regimes, svm
from thresher.methods.cluster.blocks import SiteBlocks, joined
from thresher.methods.cluster.features import FEATURE_SETS, encode, vocabulary
from thresher.methods.cluster.learning import HeldOutScore, held_out, score
from thresher.page.types import Bools, Rows

__all__ = [
    "REGIMES",
    "BlockExamples",
    "RegimeScore",
    "TrainedCluster",
    "TrainingLabels",
    "compare_regimes",
    "examples_of",
    "train",
]

Regime = Literal["site", "sites", "pages"]
TrainingLabels = Literal["grown", "site", "page", "gold"]
REGIMES: tuple[Regime, ...] = ("site", "sites", "pages")
_MIN_PAGES_PER_FOLD = 2  # of a site that has a classifier of its own


class RegimeScore(NamedTuple):
    """How one set of features does in one regime."""

    regime: Regime
    features: str
    sites: int
    pages: int
    labels: HeldOutScore  # against the labels that were trained on
    gold: HeldOutScore | None  # against the gold texts


@dataclass(frozen=True, slots=True)
class TrainedCluster:
    """The scores of the regimes, and the model if one was written."""

    scores: list[RegimeScore]
    sites: int
    pages: int
    file: Path | None
    broken: list[BrokenRecord]


class BlockExamples(NamedTuple):
    """Blocks of some pages, the labels to train on, and gold labels where they are known."""

    blocks: SiteBlocks
    content: Bools
    gold: Bools
    known: Bools


def train(
    folders: Sequence[str],
    output: str | None = None,
    *,
    chosen: Sequence[Regime] = REGIMES,
    folds: int = 4,
    labels: TrainingLabels = "grown",
    options: Options = Options(),
    cache: Path | None = None,
    seed: int = 0,
    progress: Progress = lambda what, done, of: None,
) -> TrainedCluster:
    """Compare the regimes on the sites of some data sets, and write a model of all their pages."""
    target = model_file(output) if output else None
    left_out: LeftOut = []
    datasets = [open_dataset(Path(folder)) for folder in folders]
    sites = sites_of(datasets, (cache or default_folder()) / RENDERINGS, left_out, progress)
    if labels == "gold":
        sites = [site for site in sites if site.has_gold.any()]
    if not sites:
        raise DatasetError(
            "no page to learn from: records need a rendering, a browser, or (with gold labels) a gold text"
        )
    examples = [examples_of(site, labels, options) for site in sites]
    scores = compare_regimes(sites, examples, chosen, folds, seed, progress)
    if target:
        typed = {"--labels": labels, "--relevance": options.relevance, "--clustering": options.clustering}
        _write(examples, sites, scores, target, command("cluster", folders, target, typed))
    pages = sum(len(one.blocks.pages) for one in examples)
    return TrainedCluster(scores, len(sites), pages, target, [one for one in left_out if one is not None])


def compare_regimes(
    sites: Sequence[LabelledSite],
    examples: Sequence[BlockExamples],
    chosen: Sequence[Regime],
    folds: int,
    seed: int,
    progress: Progress,
) -> list[RegimeScore]:
    """Every set of features in each of the chosen regimes."""
    scores = []
    for number, regime in enumerate(chosen):
        progress("regimes", number, len(chosen))
        scores += (
            _site_by_site(examples, folds, seed) if regime == "site" else _mixed(sites, examples, regime, folds, seed)
        )
    progress("regimes", len(chosen), len(chosen))
    return scores


def examples_of(site: LabelledSite, labels: TrainingLabels, options: Options) -> BlockExamples:
    """The blocks of a site with the labels to train on; of gold labels, those of pages that have some."""
    content = site.gold if labels == "gold" else own_labels(site, options)
    if labels != "gold":
        return BlockExamples(site.blocks, content, site.gold, site.known)
    pages = np.flatnonzero(site.has_gold)
    rows = np.flatnonzero(site.known)
    return BlockExamples(site.blocks.take(pages), content[rows], site.gold[rows], site.known[rows])


def _site_by_site(examples: Sequence[BlockExamples], folds: int, seed: int) -> list[RegimeScore]:
    """The first regime: a classifier for each site that has pages enough; the mean over the sites."""
    enough = [one for one in examples if len(one.blocks.pages) >= folds * _MIN_PAGES_PER_FOLD and one.content.any()]
    if not enough:
        return []
    found = [_scored(one, regimes.random_mix(one.blocks, seed, folds)) for one in enough]
    pages = sum(len(one.blocks.pages) for one in enough)
    return [
        RegimeScore(
            "site",
            name,
            len(enough),
            pages,
            _mean([scores[name][0] for scores in found]),
            _mean([gold for scores in found if (gold := scores[name][1]) is not None]) if _any_gold(enough) else None,
        )
        for name in FEATURE_SETS
    ]


def _any_gold(examples: Sequence[BlockExamples]) -> bool:
    return any(one.known.any() for one in examples)


def _mixed(
    sites: Sequence[LabelledSite], examples: Sequence[BlockExamples], regime: Regime, folds: int, seed: int
) -> list[RegimeScore]:
    """The second and third regime: pages of all sites together."""
    together = _joined(examples)
    if regime == "pages":
        parts = regimes.random_mix(together.blocks, seed, folds)
    else:
        names = [site.name for site, one in zip(sites, examples, strict=True) for _ in range(len(one.blocks.pages))]
        parts = regimes.unseen_sites(together.blocks, names, seed, folds)
    return [
        RegimeScore(regime, name, len(sites), len(together.blocks.pages), *scores)
        for name, scores in _scored(together, parts).items()
    ]


def _joined(examples: Sequence[BlockExamples]) -> BlockExamples:
    columns = zip(*(one[1:] for one in examples), strict=True)
    return BlockExamples(joined([one.blocks for one in examples]), *map(np.concatenate, columns))


def _scored(one: BlockExamples, parts: list[Rows]) -> dict[str, tuple[HeldOutScore, HeldOutScore | None]]:
    """Every set of features against the labels trained on, and against gold."""
    found = {}
    for name, groups in FEATURE_SETS.items():
        x = encode(one.blocks, vocabulary(one.blocks, groups))
        predicted = held_out(x, one.content, parts)
        rows = np.flatnonzero(one.known)
        gold = score(predicted[rows], one.gold[rows]) if len(rows) else None
        found[name] = score(predicted, one.content), gold
    return found


def _mean(scores: Sequence[HeldOutScore]) -> HeldOutScore:
    return HeldOutScore(*(float(value) for value in np.mean(scores, axis=0)))


def _write(
    examples: Sequence[BlockExamples],
    sites: Sequence[LabelledSite],
    scores: Sequence[RegimeScore],
    target: Path,
    typed: str,
) -> None:
    """Fit all pages and write the model; its card has the scores of sites that were not trained on."""
    together = _joined(examples)
    columns = vocabulary(together.blocks, FEATURE_SETS["all"])
    weight = svm.fit(encode(together.blocks, columns), together.content)
    unseen = {one.regime: one.labels._asdict() for one in scores if one.features == "all"}
    card = {
        "kind": model.KIND,
        "version": __version__,
        "site": f"{len(sites)} sites" if len(sites) > 1 else sites[0].name,
        "sites": [site.name for site in sites],
        "pages": len(together.blocks.pages),
        "blocks": len(together.blocks),
        "content_blocks": int(together.content.sum()),
        "regimes": {name: {key: round(value, 4) for key, value in one.items()} for name, one in unseen.items()},
        "command": typed,
    }
    model.save(model.Model(columns, weight, card), target)

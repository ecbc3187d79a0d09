"""Training of `auto` from start to end: read, validate out of fold, fit to everything, write weights and card."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from thresher import __version__
from thresher.errors import DatasetError
from thresher.evaluate.datasets import BrokenRecord, open_dataset
from thresher.learn.auto.examples import Example, examples
from thresher.learn.auto.extracts import extracts, means
from thresher.learn.auto.fit import Settings, Weights, fit
from thresher.learn.auto.folds import site_folds
from thresher.learn.auto.validate import PERTURBATIONS, Judged, by_type, calibration, out_of_fold, perturbed_f1
from thresher.learn.reading import LeftOut, Progress, command, model_file, usable, write_card
from thresher.methods.auto.model import write
from thresher.page.types import Floats

__all__ = ["UNCALIBRATED", "Card", "calibrated", "read_examples", "train"]

Curve = tuple[Floats, Floats]
UNCALIBRATED: Curve = (np.array([0.0, 1.0]), np.array([0.0, 1.0]))
_RIGHTS = re.compile(r"\b(?:CC[- ]?BY|CC0|MIT|Apache|A?GPL|BSD|LICENSE|[Cc]opyright|[Rr]ights|belong to|none stated)\b")
_LONGEST_REMARK, _MOST_REMARKS = 300, 12  # characters, lines
_MIN_EXAMPLES = 10  # examples: with fewer there is nothing to learn


@dataclass(frozen=True, slots=True)
class Card:
    """What a model was made of and how good it is on unseen sites; the file beside the weights."""

    facts: dict[str, Any]
    broken: Sequence[BrokenRecord] = ()  # records that could not be read

    def text(self) -> str:
        """The card for a reader."""
        facts = self.facts
        lines = [f"{facts['pages']} pages of {facts['sites']} sites, {facts['left_out']} left out"]
        if "f1" in facts:
            lines += ["", f"F1 out of fold ({facts['folds']} folds by site)"]
            lines += [f"  {name:<24}{pages:>6} pages  {score:.4f}" for name, (pages, score) in facts["f1"].items()]
            lines += ["", "F1 out of fold of the extracts of all pages, measured as `thresher evaluate` does"]
            lines += [
                f"  {name:<24}{pages:>6} pages  {score:.4f}" for name, (pages, score) in facts["extracts"].items()
            ]
            lines += ["", "F1 out of fold with something taken away"]
            lines += [f"  {name:<24}{score:>20.4f}" for name, score in facts["perturbed"].items()]
            confidence = facts["confidence"]
            lines += ["", f"Confidence: correlation with F1 {confidence['correlation']:.3f}; mean error by tenth:"]
            lines += [f"  {low:.2f} promised, {seen:.2f} seen, {n} pages" for low, seen, n in confidence["reliability"]]
            if facts["page_type_accuracy"] is not None:
                lines += ["", f"Page type right: {facts['page_type_accuracy']:.3f}"]
        return "\n".join(lines)


def train(
    folders: Sequence[str],
    output: str,
    *,
    folds: int = 5,
    epochs: int | None = None,
    seed: int = 0,
    progress: Progress = lambda what, done, of: None,
) -> Card:
    """Fit a model to the labelled pages of these data sets and write `output` (.npz) and its card (.json)."""
    target = model_file(output)
    pages, left_out = read_examples(folders, progress)
    sites = {page.site for page in pages}
    if folds > 1 and len(sites) < 2:
        raise DatasetError(f"all pages are of {sites.pop()}: no other site to judge by; --folds 0 trains without")
    settings = Settings(seed=seed) if epochs is None else Settings(seed=seed, epochs=epochs)
    facts: dict[str, Any] = {
        "model": "auto",
        "version": __version__,
        "date": datetime.date.today().isoformat(),
        "data": [_described(Path(folder), pages) for folder in folders],
        "command": command("auto", folders, target, {"--epochs": epochs, "--seed": seed or None, "--folds": folds}),
        "pages": len(pages),
        "sites": len(sites),
        "left_out": len(left_out),
        "settings": asdict(settings),
    }
    curve = UNCALIBRATED
    if folds > 1:
        report, curve = _validated(folders, pages, settings, folds, progress)
        facts |= report
    weights = fit(pages, settings, lambda done, of: progress("fitting to all pages", done, of))
    write(target, calibrated(weights, curve))
    write_card(target, facts)
    return Card(facts, [one for one in left_out if one is not None])


def _described(folder: Path, pages: Sequence[Example]) -> dict[str, Any]:
    """What a card says of a data set: its name, how much of it was used, and what its own text says about rights."""
    own = [page for page in pages if page.dataset == folder.name]
    return {
        "name": folder.name,
        "pages": len(own),
        "sites": len({page.site for page in own}),
        "rights": _rights(folder),
    }


def _rights(folder: Path) -> list[str]:
    """The lines of a data set's README that speak of licences and rights."""
    readme = folder / "README.md"
    lines = readme.read_text("utf-8", "replace").splitlines() if readme.is_file() else []
    return [line.strip(" |#-*")[:_LONGEST_REMARK] for line in lines if _RIGHTS.search(line)][:_MOST_REMARKS]


def read_examples(
    folders: Sequence[str], progress: Progress = lambda what, done, of: None
) -> tuple[list[Example], LeftOut]:
    """The examples of all data sets, and the records that gave none."""
    pages: list[Example] = []
    left_out: LeftOut = []
    for folder in folders:
        dataset = open_dataset(folder)
        pages += usable(dataset, examples(dataset), left_out, progress)
    if len(pages) < _MIN_EXAMPLES:
        raise DatasetError(
            f"{len(pages)} labelled pages with text are too few to learn from; {_MIN_EXAMPLES} are the least"
        )
    return pages, left_out


def calibrated(weights: Weights, curve: Curve) -> Weights:
    """The weights with the curve from the F1 that their scores promise to that which was seen."""
    return weights | {"expected": curve[0].astype(np.float32), "observed": curve[1].astype(np.float32)}


def _validated(
    folders: Sequence[str], pages: list[Example], settings: Settings, count: int, progress: Progress
) -> tuple[dict[str, Any], Curve]:
    """The report of a cross-validation, and the calibration curve of the confidence."""
    fold_of = site_folds(pages, count)  # the same folds whatever the seed, so that scores can be compared
    judged, models = out_of_fold(pages, settings, fold_of, lambda done, of: progress("fitting out of fold", done, of))
    perturbed = {}
    for number, (name, chance) in enumerate(PERTURBATIONS.items(), 1):
        perturbed[name] = round(perturbed_f1(judged, models, chance), 4)
        progress("judging perturbed pages", number, len(PERTURBATIONS))
    expected = np.array([one.expected for one in judged])
    seen = np.array([one.f1 for one in judged])
    curve = calibration(expected, seen)
    whole = extracts(
        folders,
        [calibrated(model, curve) for model in models],
        {page.site: int(fold) for page, fold in zip(pages, fold_of, strict=True)},
        lambda done, of: progress("extracting out of fold", done, of),
    )
    right = [one.types.argmax() == one.example.page_type for one in judged if one.example.page_type >= 0]
    report = {
        "folds": len(models),  # as many as there are sites at most
        "f1": {name: (pages_, round(score, 4)) for name, (pages_, score) in by_type(judged).items()},
        "extracts": means(whole),
        "perturbed": perturbed,
        "confidence": _reliability(judged, fold_of, expected, seen),
        "page_type_accuracy": round(float(np.mean(right)), 4) if right else None,
    }
    return report, curve


def _reliability(judged: Sequence[Judged], fold_of: Any, expected: Any, seen: Any) -> dict[str, Any]:
    """Confidence against F1, each fold with a curve from the other folds."""
    confidence = np.zeros(len(judged))
    for fold in np.unique(fold_of):
        x, y = calibration(expected[fold_of != fold], seen[fold_of != fold])
        confidence[fold_of == fold] = np.interp(expected[fold_of == fold], x, y)
    groups = np.array_split(np.argsort(confidence, kind="stable"), 10)
    varies = confidence.std() > 0 and seen.std() > 0
    return {
        "correlation": round(float(np.corrcoef(confidence, seen)[0, 1]), 4) if varies else 0.0,
        "reliability": [
            (round(float(confidence[g].mean()), 4), round(float(seen[g].mean()), 4), len(g)) for g in groups if len(g)
        ],
    }

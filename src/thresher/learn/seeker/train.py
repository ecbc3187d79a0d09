"""Training of `seeker` from start to end: read, label, fit two trees a page type, report out of fold, write."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from thresher import __version__
from thresher.evaluate.cache import default_folder
from thresher.evaluate.datasets import BrokenRecord, Dataset, open_dataset
from thresher.evaluate.run import RENDERINGS
from thresher.learn.reading import Progress, command, model_file, write_card
from thresher.learn.seeker.examples import PRICE, SeekerExample, has_layout
from thresher.learn.seeker.experiment import ExperimentSettings, run
from thresher.learn.seeker.fit import TreeSettings, fit
from thresher.learn.seeker.pages import read_pages, rendered
from thresher.learn.seeker.report import document
from thresher.methods.seeker.model import write

__all__ = ["Trained", "train"]


@dataclass(frozen=True, slots=True)
class Trained:
    """What was made: the model card, and the report where one was asked for."""

    card: dict[str, Any]
    report: str = ""
    broken: Sequence[BrokenRecord] = ()  # records that could not be read

    def text(self) -> str:
        """The card for a reader."""
        lines = [f"{self.card['left_out']} pages left out"]
        for name, facts in self.card["types"].items():
            score = f", CS F1 {facts['f1']['seeker:none']:.3f} out of fold" if "f1" in facts else ""
            lines.append(f"{name}: {facts['pages']} pages of {facts['sites']} sites, {facts['nodes']} nodes{score}")
        return "\n".join(lines)


def train(
    folders: Sequence[str],
    output: str,
    *,
    labels: str | None = None,
    render: bool = False,
    cache: Path | None = None,
    report: bool = False,
    folds: int = 10,
    train_share: float | None = None,
    limit: int | None = None,
    measured: int | None = None,
    seed: int = 0,
    progress: Progress = lambda what, done, of: None,
    announce: Callable[[str], None] = lambda words: None,
) -> Trained:
    """Fit the trees to the labelled pages of these data sets and write `output` (.npz) and its card (.json).

    `render`: in a browser first, so that the trees can ask for positions and sizes; renderings are kept in the cache of
    `thresher evaluate`.  `limit`: at most so many pages of each type, the first ones of each data set.  `measured`:
    Tables 4 to 6 over so many pages of each type.  `train_share`: the report's trees see this share of the pages.
    """
    target = model_file(output)
    datasets: list[Dataset] = [open_dataset(folder) for folder in folders]
    if render:
        datasets = rendered(datasets, labels, limit, (cache or default_folder()) / RENDERINGS, announce, progress)
    pages_of, left_out = read_pages(datasets, labels, limit, progress)
    settings = TreeSettings(seed=seed)
    model = {}
    for number, (name, pages) in enumerate(pages_of.items(), 1):
        model[name] = fit([one for one, _ in pages], settings)
        progress("fitting to all pages", number, len(pages_of))
    wishes: dict[str, object] = {"--labels": labels, "--limit": limit, "--seed": seed or None}
    if report:
        wishes |= {"--folds": folds if folds != 10 else None, "--measured": measured, "--train-share": train_share}
    flags = (" --render" if render else "") + (" --report" if report else "")
    shown = command("seeker", folders, target, wishes) + flags
    card: dict[str, Any] = {
        "model": "seeker",
        "version": __version__,
        "date": datetime.date.today().isoformat(),
        "data": [Path(folder).name for folder in folders],
        "split": _split(folds, train_share),
        "command": shown,
        "settings": {**asdict(settings), "price": PRICE},
        "left_out": len(left_out),
        "types": {name: _facts(pages, model[name]) for name, pages in pages_of.items()},
    }
    text = ""
    if report:
        tables = run(pages_of, ExperimentSettings(settings, folds, train_share, measured), progress)
        for name, scores in tables.rivals.items():
            card["types"][name]["measured"] = len(next(iter(scores.values())).pages)
            card["types"][name]["f1"] = {method: round(score.column("f1")[0], 4) for method, score in scores.items()}
        text = document(tables, shown, folds, train_share)
    write(model, target)
    write_card(target, card)
    return Trained(card, text, [one for one in left_out if one is not None])


def _split(folds: int, train_share: float | None) -> str:
    how = f"{folds} folds" if train_share is None else f"{train_share:g} of the pages train"
    return f"{how}, by registrable domain; the shipped trees are fitted to all pages"


def _facts(pages: Sequence[tuple[SeekerExample, Dataset]], trees: Any) -> dict[str, Any]:
    return {
        "pages": len(pages),
        "rendered": sum(has_layout(one) for one, _ in pages),
        "sites": len({one.site for one, _ in pages}),
        "candidates": sum(len(one.row) for one, _ in pages),
        "nodes": [len(trees.segment), len(trees.content)],
    }

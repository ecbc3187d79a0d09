"""Training of `seeker` from start to end: read, label, fit two trees a page type, report out of fold, write."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from thresher import __version__
from thresher.errors import DatasetError
from thresher.evaluate.datasets import Broken, Dataset, open_dataset
from thresher.learn.labelfile import Label, read
from thresher.learn.seeker_examples import PRICE, Example, examples
from thresher.learn.seeker_fit import Settings, fit
from thresher.learn.seeker_report import document
from thresher.learn.seeker_rivals import Scores, compared
from thresher.learn.seeker_tables import LEARNERS, Row, cross_validated
from thresher.seeker.model import write
from thresher.seeker.types import TYPES

__all__ = ["Trained", "train"]

Progress = Callable[[str, int, int], None]
Examples = Mapping[str, Sequence[tuple[Example, Dataset]]]
_FEW = 10  # pages of a type: with fewer there is nothing to learn
_QUESTIONS: tuple[Literal["segment", "content"], ...] = ("segment", "content")
_REPORTED = ("news", "blog", "forum")


@dataclass(frozen=True, slots=True)
class Trained:
    """What was made: the model card, and the report where one was asked for."""

    card: dict[str, Any]
    report: str = ""

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
    report: bool = False,
    folds: int = 10,
    limit: int | None = None,
    measured: int | None = None,
    seed: int = 0,
    progress: Progress = lambda what, done, of: None,
) -> Trained:
    """Fit the trees to the labelled pages of these data sets and write `output` (.npz) and its card (.json).

    `limit`: at most so many pages of each type, the first ones of each data set.  `measured`: Tables 4 to 6 over so
    many pages of each type.
    """
    target = Path(output).with_suffix(".npz")
    if not target.parent.is_dir():
        raise DatasetError(f"{target.parent}: no such folder")
    found, left_out = _read(folders, labels, limit, progress)
    settings = Settings(seed=seed)
    model = {}
    for number, (name, pages) in enumerate(found.items(), 1):
        model[name] = fit([one for one, _ in pages], settings)
        progress("fitting to all pages", number, len(found))
    shown = " ".join(f"--data {folder}" for folder in folders) + (f" --labels {labels}" if labels else "")
    shown += f" --limit {limit}" if limit else ""
    command = f"thresher train seeker {shown} -o {target.name}" + (" --report" if report else "")
    command += f" --measured {measured}" if report and measured else ""
    card: dict[str, Any] = {
        "model": "seeker",
        "version": __version__,
        "date": datetime.date.today().isoformat(),
        "data": [Path(folder).name for folder in folders],
        "split": f"{folds} folds by registrable domain; the shipped trees are fitted to all pages",
        "command": command,
        "settings": {**asdict(settings), "price": PRICE},
        "left_out": left_out,
        "types": {name: _facts(pages, model[name]) for name, pages in found.items()},
    }
    text = ""
    if report:
        learners, rivals = _reported(found, settings, folds, measured, progress)
        for name, scores in rivals.items():
            card["types"][name]["measured"] = len(next(iter(scores.values())).pages)
            card["types"][name]["f1"] = {method: round(score.column("f1")[0], 4) for method, score in scores.items()}
        text = document(learners, rivals, command)
    write(model, target)
    target.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")
    return Trained(card, text)


def _facts(pages: Sequence[tuple[Example, Dataset]], trees: Any) -> dict[str, Any]:
    return {
        "pages": len(pages),
        "sites": len({one.site for one, _ in pages}),
        "candidates": sum(len(one.row) for one, _ in pages),
        "nodes": [len(trees.segment), len(trees.content)],
    }


def _read(folders: Sequence[str], labels: str | None, limit: int | None, progress: Progress) -> tuple[Examples, int]:
    """The examples of all data sets by page type, with where they came from, and how many records gave none."""
    said: dict[str, list[Label]] = {}
    for one in read(labels) if labels else ():
        said.setdefault(one.page, []).append(one)
    pages: dict[str, list[tuple[Example, Dataset]]] = {name: [] for name in TYPES}
    left_out = 0

    def wanted(name: str) -> bool:
        return not limit or len(pages[name]) < limit

    for folder in folders:
        dataset = open_dataset(folder)
        for number, found in enumerate(examples(dataset, said, wanted), 1):
            if found is None or isinstance(found, Broken):
                left_out += 1
            else:
                pages[TYPES[found.page_type]].append((found, dataset))
            progress(f"reading {Path(folder).name}", number, len(dataset))
    enough = {
        name: some for name, some in pages.items() if len(some) >= _FEW and len({one.site for one, _ in some}) > 1
    }
    if not enough:
        counts = ", ".join(f"{len(some)} {name}" for name, some in pages.items())
        raise DatasetError(
            f"a page type needs {_FEW} labelled pages of two sites or more to learn from; found {counts}"
        )
    return enough, left_out


def _reported(
    found: Examples, settings: Settings, folds: int, measured: int | None, progress: Progress
) -> tuple[dict[str, dict[str, Mapping[str, Row]]], dict[str, Mapping[str, Scores]]]:
    """Tables 2 and 3, and Tables 4 to 6."""
    types = [name for name in _REPORTED if name in found]
    counter = _Counter("comparing learners", len(types) * len(_QUESTIONS) * len(LEARNERS), progress)
    learners: dict[str, dict[str, Mapping[str, Row]]] = {
        question: {
            name: cross_validated([one for one, _ in found[name]], question, folds, settings.seed, counter)
            for name in types
        }
        for question in _QUESTIONS
    }
    pages = sum(min(len(found[name]), measured or len(found[name])) for name in types)
    counter = _Counter("comparing methods", pages, progress)
    rivals = {name: compared(found[name], settings, folds, measured, counter) for name in types}
    return learners, rivals


class _Counter:
    """Called once per step."""

    def __init__(self, what: str, of: int, progress: Progress) -> None:
        self.what, self.of, self.done, self.progress = what, of, 0, progress

    def __call__(self) -> None:
        self.done += 1
        self.progress(self.what, self.done, self.of)

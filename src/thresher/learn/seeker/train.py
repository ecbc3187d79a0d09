"""Training of `seeker` from start to end: read, label, fit two trees a page type, report out of fold, write."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from thresher import __version__
from thresher.errors import DatasetError
from thresher.evaluate.datasets import BrokenRecord, Dataset, open_dataset
from thresher.learn.labelfile import Label, read
from thresher.learn.reading import LeftOut, Progress, command, model_file, usable, write_card
from thresher.learn.seeker.examples import PRICE, SeekerExample, examples
from thresher.learn.seeker.fit import TreeSettings, fit
from thresher.learn.seeker.report import document
from thresher.learn.seeker.rivals import Scores, compared
from thresher.learn.seeker.tables import LEARNERS, ClassScores, cross_validated
from thresher.methods.seeker.model import write
from thresher.methods.seeker.types import TYPES

__all__ = ["Trained", "train"]

Examples = Mapping[str, Sequence[tuple[SeekerExample, Dataset]]]
_MIN_PAGES = 10  # pages of a type: with fewer there is nothing to learn
_QUESTIONS: tuple[Literal["segment", "content"], ...] = ("segment", "content")
_REPORTED = ("news", "blog", "forum")


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
    target = model_file(output)
    pages_of, left_out = _read(folders, labels, limit, progress)
    settings = TreeSettings(seed=seed)
    model = {}
    for number, (name, pages) in enumerate(pages_of.items(), 1):
        model[name] = fit([one for one, _ in pages], settings)
        progress("fitting to all pages", number, len(pages_of))
    wishes = {"--labels": labels, "--limit": limit, "--seed": seed or None}
    wishes |= {"--folds": folds if folds != 10 else None, "--measured": measured} if report else {}
    shown = command("seeker", folders, target, wishes) + (" --report" if report else "")
    card: dict[str, Any] = {
        "model": "seeker",
        "version": __version__,
        "date": datetime.date.today().isoformat(),
        "data": [Path(folder).name for folder in folders],
        "split": f"{folds} folds by registrable domain; the shipped trees are fitted to all pages",
        "command": shown,
        "settings": {**asdict(settings), "price": PRICE},
        "left_out": len(left_out),
        "types": {name: _facts(pages, model[name]) for name, pages in pages_of.items()},
    }
    text = ""
    if report:
        learners, rivals = _reported(pages_of, settings, folds, measured, progress)
        for name, scores in rivals.items():
            card["types"][name]["measured"] = len(next(iter(scores.values())).pages)
            card["types"][name]["f1"] = {method: round(score.column("f1")[0], 4) for method, score in scores.items()}
        text = document(learners, rivals, shown, folds)
    write(model, target)
    write_card(target, card)
    return Trained(card, text, [one for one in left_out if one is not None])


def _facts(pages: Sequence[tuple[SeekerExample, Dataset]], trees: Any) -> dict[str, Any]:
    return {
        "pages": len(pages),
        "sites": len({one.site for one, _ in pages}),
        "candidates": sum(len(one.row) for one, _ in pages),
        "nodes": [len(trees.segment), len(trees.content)],
    }


def _read(
    folders: Sequence[str], labels: str | None, limit: int | None, progress: Progress
) -> tuple[Examples, LeftOut]:
    """The examples of all data sets by page type, with where they came from, and the records that gave none."""
    labels_of: dict[str, list[Label]] = {}
    for one in read(labels) if labels else ():
        labels_of.setdefault(one.page, []).append(one)
    pages: dict[str, list[tuple[SeekerExample, Dataset]]] = {name: [] for name in TYPES}
    left_out: LeftOut = []
    ids: set[str] = set()

    def wanted(name: str) -> bool:
        return not limit or len(pages[name]) < limit

    for folder in folders:
        dataset = open_dataset(folder)
        for page_example in usable(dataset, examples(dataset, labels_of, wanted), left_out, progress):
            pages[TYPES[page_example.page_type]].append((page_example, dataset))
        ids.update(dataset.ids())
    left_out += [
        BrokenRecord(page, "has labels, but no data set has this page") for page in labels_of if page not in ids
    ]
    enough = {name: some for name, some in pages.items() if len(some) >= _MIN_PAGES}
    if not enough:
        counts = ", ".join(f"{len(some)} {name}" for name, some in pages.items())
        raise DatasetError(f"a page type needs {_MIN_PAGES} labelled pages to learn from; found {counts}")
    return enough, left_out


def _reported(
    pages_of: Examples, settings: TreeSettings, folds: int, measured: int | None, progress: Progress
) -> tuple[dict[str, dict[str, Mapping[str, ClassScores]]], dict[str, Mapping[str, Scores]]]:
    """Tables 2 and 3, and Tables 4 to 6, of the types that have pages of two sites or more."""
    types = [name for name in _REPORTED if len({one.site for one, _ in pages_of.get(name, ())}) > 1]
    counter = _Counter("comparing learners", len(types) * len(_QUESTIONS) * len(LEARNERS), progress)
    learners: dict[str, dict[str, Mapping[str, ClassScores]]] = {
        question: {
            name: cross_validated([one for one, _ in pages_of[name]], question, folds, settings.seed, counter)
            for name in types
        }
        for question in _QUESTIONS
    }
    pages = sum(min(len(pages_of[name]), measured or len(pages_of[name])) for name in types)
    counter = _Counter("comparing methods", pages, progress)
    rivals = {name: compared(pages_of[name], settings, folds, measured, counter) for name in types}
    return learners, rivals


class _Counter:
    """Called once per step."""

    def __init__(self, what: str, of: int, progress: Progress) -> None:
        self.what, self.of, self.done, self.progress = what, of, 0, progress

    def __call__(self) -> None:
        self.done += 1
        self.progress(self.what, self.done, self.of)

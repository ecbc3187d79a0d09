"""The experiments of paper 000: Tables 2 and 3 (learners), 4 to 6 (methods), of the types that have pages of two sites.

    folds     Tables 4 to 6 are out of fold, and the folds of all tables are split by site               ours
    share     a share of the pages trains and is cross-validated, as WEKA does it, for Tables 2 and 3;
              all other pages are judged for Tables 4 to 6                                               the paper

Where pages were rendered each learner and each filter is there twice, with and without the visual features.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from thresher.learn.reading import Progress
from thresher.learn.seeker.examples import SeekerExample, has_layout, without_layout
from thresher.learn.seeker.fit import TreeSettings
from thresher.learn.seeker.learners import LEARNERS
from thresher.learn.seeker.pages import ExamplesByType
from thresher.learn.seeker.rivals import WITHOUT_LAYOUT, Scores, compared
from thresher.learn.seeker.splits import training_sites
from thresher.learn.seeker.tables import ClassScores, Question, cross_validated

__all__ = ["QUESTIONS", "REPORTED", "ExperimentSettings", "Tables", "run"]

QUESTIONS: tuple[Question, ...] = ("segment", "content")
REPORTED = ("news", "blog", "forum")  # the types of the paper


@dataclass(frozen=True, slots=True)
class ExperimentSettings:
    """How the experiments are run."""

    trees: TreeSettings = TreeSettings()
    folds: int = 10
    share: float | None = None  # of the pages that train; folds where None
    measured: int | None = None  # pages of each type in Tables 4 to 6


@dataclass(frozen=True, slots=True)
class Tables:
    """What was measured."""

    learners: Mapping[Question, Mapping[str, Mapping[str, ClassScores]]]  # by question, type, learner
    rivals: Mapping[str, Mapping[str, Scores]]  # by type, method
    training_pages: Mapping[str, int]  # by type: pages that Tables 2 and 3 are about


def run(pages_of: ExamplesByType, settings: ExperimentSettings, progress: Progress) -> Tables:
    """All tables."""
    types = [name for name in REPORTED if len({one.site for one, _ in pages_of.get(name, ())}) > 1]
    training = {name: _training(pages_of[name], settings) for name in types}
    visual = {name: any(map(has_layout, pages)) for name, pages in training.items()}
    steps = sum(len(QUESTIONS) * len(LEARNERS) * (1 + visual[name]) for name in types)
    counter = _Counter("comparing learners", steps, progress)
    learners = {
        question: {name: _learners(training[name], question, visual[name], settings, counter) for name in types}
        for question in QUESTIONS
    }
    pages = sum(min(len(pages_of[name]), settings.measured or len(pages_of[name])) for name in types)
    counter = _Counter("comparing methods", pages, progress)
    rivals = {
        name: compared(pages_of[name], settings.trees, settings.folds, settings.measured, counter, settings.share)
        for name in types
    }
    return Tables(learners, rivals, {name: len(pages) for name, pages in training.items()})


def _training(pages: Sequence[tuple[SeekerExample, object]], settings: ExperimentSettings) -> list[SeekerExample]:
    """The pages that the learners see."""
    some = [one for one, _ in pages]
    if settings.share is None:
        return some
    sites = training_sites([one.site for one in some], settings.share, settings.trees.seed)
    return [one for one in some if one.site in sites]


def _learners(
    pages: Sequence[SeekerExample],
    question: Question,
    visual: bool,
    settings: ExperimentSettings,
    counter: Callable[[], None],
) -> dict[str, ClassScores]:
    def scores(some: Sequence[SeekerExample]) -> Mapping[str, ClassScores]:
        by_site = settings.share is None
        return cross_validated(some, question, settings.folds, settings.trees.seed, counter, by_site)

    rows = dict(scores(pages))
    if visual:
        blind = scores([without_layout(one) for one in pages])
        rows |= {f"{name}{WITHOUT_LAYOUT}": score for name, score in blind.items()}
    return rows


class _Counter:
    """Called once per step."""

    def __init__(self, what: str, of: int, progress: Progress) -> None:
        self.what, self.of, self.done, self.progress = what, of, 0, progress

    def __call__(self) -> None:
        self.done += 1
        self.progress(self.what, self.done, self.of)

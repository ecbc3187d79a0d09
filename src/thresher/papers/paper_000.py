"""Paper 000: Louvan, Extracting the Main Content from HTML Documents (content-seeker).

The experiments of its sections 3 and 4.  News, blogs and forums, each with classifiers of its own, trained on 10 % of
the pages, from sources that are not judged.  Overlap is the longest common subsequence of characters.

    Table 1       the pages
    Tables 2, 3   four learners on segments and on content, 10-fold cross-validation of the training pages
    Tables 4-6    the seeker with its filter and its rivals, on the pages that did not train

Where the pages were rendered (NAME.json.gz beside NAME.html) the learners and the seeker are there with and without the
visual features.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import nan

from thresher.evaluate.datasets import Dataset
from thresher.evaluate.tables import ScoreTable
from thresher.learn.seeker.experiment import QUESTIONS, ExperimentSettings, Tables, run
from thresher.learn.seeker.pages import ExamplesByType, read_pages
from thresher.learn.seeker.report import PAPER_LEARNERS, PAPER_METHODS, method_name
from thresher.learn.seeker.rivals import WITHOUT_LAYOUT, Scores
from thresher.papers.experiment import Experiment
from thresher.papers.figures import FigureRow, paired

__all__ = ["DATA", "TABLES", "TITLE", "tables"]

TITLE = "Louvan, Extracting the Main Content from HTML Documents (2009)"
TABLES = "pages (1), learners (2, 3), content-seeker and others on news, blogs, forums (4, 5, 6)"
DATA = "articles and forum pages of two sites or more, ten of a type, with gold texts: the kind `wcxb`"

TABLE_1 = {"news": (14, 1750), "blog": (80, 1070), "forum": (4, 300)}
"""By type: sources, pages."""

_TRAIN_SHARE = 0.1
_TITLES = {"news": "Table 4: news", "blog": "Table 5: blogs", "forum": "Table 6: forums"}
_PRINTED = {"news": "seeker:lbs", "blog": "seeker:lbs", "forum": "seeker:tp"}  # what the paper calls its approach


def tables(dataset: Dataset, experiment: Experiment) -> Iterator[ScoreTable]:
    """Tables 1 to 6."""
    pages_of, _ = read_pages([dataset], None, None, experiment.report)
    yield _pages(pages_of)
    settings = ExperimentSettings(share=_TRAIN_SHARE, measured=experiment.pages)
    measured = run(pages_of, settings, experiment.report)
    for number, question in enumerate(QUESTIONS, 2):
        for page_type, scores in measured.learners[question].items():
            training = measured.training_pages[page_type]
            caption = f"Table {number}: {question} classification, {page_type}"
            rows = [
                FigureRow(
                    name, PAPER_LEARNERS[question].get(name, {}).get(page_type), (one.precision, one.recall, one.f1)
                )
                for name, one in scores.items()
            ]
            yield paired(caption, ("learner", "precision", "recall", "F1"), rows, 3, f"{training} pages train.")
    yield from _methods(measured)


def _pages(pages_of: ExamplesByType) -> ScoreTable:
    rows = []
    for name, figures in TABLE_1.items():
        pages = [one for one, _ in pages_of.get(name, ())]
        rows.append(FigureRow(name, figures, (len({one.site for one in pages}), len(pages))))
    return paired("Table 1: pages", ("type", "sources", "pages"), rows, 0)


def _methods(measured: Tables) -> Iterator[ScoreTable]:
    head = ("method", "precision", "sd", "recall", "sd", "F1", "sd")
    for page_type, scores in measured.rivals.items():
        rows = list(_rows(page_type, scores))
        pages = len(next(iter(scores.values())).pages)
        note = f"{pages} pages.  As printed: strict=true; the lines above it have our departures (docs/seeker.md)."
        yield paired(_TITLES[page_type], head, rows, 3, note)


def _rows(page_type: str, scores: Mapping[str, Scores]) -> Iterator[FigureRow]:
    """The rows of the paper, its own method as printed, and ours."""
    own = _PRINTED[page_type]
    printed = f"{own}:strict=true"
    yield FigureRow(method_name(printed), PAPER_METHODS[page_type][own], _figures(scores[printed]))
    for name in (own, f"{own}{WITHOUT_LAYOUT}", "seeker:none"):
        if name in scores:
            yield FigureRow(method_name(name), ours=_figures(scores[name]))
    for name, figures in PAPER_METHODS[page_type].items():
        if name != own:
            yield FigureRow(name, figures, _figures(scores[name]))


def _figures(scores: Scores) -> tuple[float, ...]:
    """Precision, recall and F1, each with its standard deviation."""
    return tuple(value for part in ("precision", "recall", "f1") for value in scores.column(part)) or (nan,) * 6

"""Paper 003: Rae, Kim, Le, Thoma, Main Content Detection in HTML Journal Articles, DocEng 2018.

The experiment of its section 4: rendered journal articles with their main content; precision, recall and F1 of words,
each with the label of its zone, as means over the articles.  The semantic markup algorithm runs with either tag, and
the better of the two counts.

    Table 1    layout analysis and semantic markup, on all articles and on those that have one of the tags
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thresher.evaluate.datasets import Dataset, DatasetRecord
from thresher.evaluate.measures import Score
from thresher.evaluate.results import EvaluationRun
from thresher.evaluate.tables import ScoreTable
from thresher.papers.experiment import Experiment
from thresher.papers.figures import FigureRow, column_means, paired

__all__ = ["DATA", "TABLES", "TITLE", "tables"]

TITLE = "Rae, Kim, Le, Thoma, Main Content Detection in HTML Journal Articles (2018)"
TABLES = "layout analysis and semantic markup (1)"
DATA = "pages with selectors of their main content, to be rendered: the kind `sites`"

TABLE_1 = {
    ("layout", "Full"): (0.96, 0.99, 0.98),
    ("semantic", "Full"): (0.43, 0.43, 0.42),
    ("layout", "ST only"): (0.97, 0.99, 0.98),
    ("semantic", "ST only"): (0.97, 0.97, 0.95),
}
"""By algorithm and test set, 359 articles and the 158 with `article` or `main`: precision, recall, F1."""

_MEASURE = "words"
_STRICT = "layout:strict=true"
_TAGS = ("semantic:tag=article+rendered", "semantic:tag=main+rendered")
_OURS = {"layout, our departures": "layout", "auto": "auto", "auto, rendered": "auto+rendered"}
_HEAD = ("algorithm, test set", "precision", "recall", "F1")
_JOURNAL = "journal"

Scores = dict[str, Score]  # of one method, by page


def tables(dataset: Dataset, experiment: Experiment) -> Iterator[ScoreTable]:
    """Table 1 on the journal articles of the data set, if it has some, and on all of its pages."""
    labelled = experiment.select(dataset, _is_labelled, "selectors of its main content")
    run = experiment.measure(labelled, [_STRICT, *_TAGS, *_OURS.values()], (_MEASURE,))
    pages = [outcome.record for outcome in run.select(_STRICT) if _MEASURE in outcome.scores]
    types = {outcome.record: outcome.page_type for outcome in run.select(_STRICT)}
    journals = [page for page in pages if types[page] == _JOURNAL]
    if journals:
        yield _table("Table 1: journal articles", run, journals)
    if len(journals) < len(pages):
        yield _table("Table 1: all pages", run, pages)


def _is_labelled(record: DatasetRecord) -> bool:
    return bool(record.html and record.gold and record.gold_selectors)


def _table(caption: str, run: EvaluationRun, pages: Sequence[str]) -> ScoreTable:
    scores = {method: _scores(run, method) for method in (_STRICT, *_TAGS, *_OURS.values())}
    article, main = (scores[tag] for tag in _TAGS)
    better = {page: max(article[page], main[page], key=lambda score: score.f1) for page in pages}
    tagged = [page for page in pages if better[page].recall > 0]
    rows = []
    for name, some in (("Full", pages), ("ST only", tagged)):
        for algorithm, of_page in (("layout", scores[_STRICT]), ("semantic", better)):
            figures = _means(of_page, some)
            rows.append(FigureRow(f"{algorithm}, {name}", TABLE_1[algorithm, name], figures))
    rows += [FigureRow(f"{name}, Full", ours=_means(scores[method], pages)) for name, method in _OURS.items()]
    note = f"{len(pages)} pages, {len(tagged)} of them with one of the tags; the paper has 359 and 158."
    return paired(caption, _HEAD, rows, 3, note)


def _scores(run: EvaluationRun, method: str) -> Scores:
    return {outcome.record: outcome.scores[_MEASURE] for outcome in run.select(method) if _MEASURE in outcome.scores}


def _means(scores: Scores, pages: Sequence[str]) -> list[float] | None:
    """Precision, recall and F1, as means over pages; None where no page has a score."""
    found = [scores[page] for page in pages if page in scores]
    return column_means((one.precision, one.recall, one.f1) for one in found) if found else None

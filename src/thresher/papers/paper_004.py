"""Paper 004: Gottron, Content Code Blurring: A New Approach to Content Extraction, DEXA workshops 2008.

The experiment of its section IV: packages of pages, each from one web site; the overlap with the gold standard is the
longest common subsequence of words; Table II has the mean F1 of each method and package, Table III the seconds per KB.

What plays the part of a package is a page type of the data set, or with `--by site` a site, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from thresher.evaluate.datasets import Dataset
from thresher.evaluate.results import EvaluationRun, Outcome, mean_score, seconds_per_kilobyte
from thresher.evaluate.tables import ScoreTable
from thresher.papers.experiment import Experiment
from thresher.papers.figures import FigureRow, column_means, paired

__all__ = ["DATA", "TABLES", "TITLE", "tables"]

TITLE = "Gottron, Content Code Blurring: A New Approach to Content Extraction (2008)"
TABLES = "packages (I), F1 of CCB, ACCB, TCCB, DSC and plain (II), time (III)"
DATA = "pages with a gold text, of any kind"

_MEASURE = "lcs"
_MEAN = "mean of packages"

PACKAGES = (
    "bbc", "chip", "economist", "espresso", "golem", "heise", "manual",
    "repubblica", "slashdot", "spiegel", "telepolis", "wiki", "yahoo", "zdf",
)  # fmt: skip

TABLE_I = dict(
    zip(PACKAGES, (1000, 361, 250, 139, 1000, 1000, 65, 1000, 364, 1000, 1000, 1000, 1000, 422), strict=True)
)
"""Pages of each package."""

TABLE_II = {
    "accb-40": (0.924, 0.703, 0.890, 0.875, 0.959, 0.916, 0.419, 0.968, 0.177, 0.861, 0.908, 0.682, 0.732, 0.929),
    "ccb-40": (0.923, 0.716, 0.914, 0.876, 0.939, 0.841, 0.420, 0.964, 0.160, 0.858, 0.913, 0.403, 0.742, 0.929),
    "tccb-25": (0.914, 0.842, 0.903, 0.871, 0.947, 0.821, 0.404, 0.918, 0.269, 0.910, 0.902, 0.660, 0.758, 0.745),
    "dsc": (0.937, 0.708, 0.881, 0.862, 0.958, 0.877, 0.403, 0.925, 0.252, 0.902, 0.859, 0.594, 0.780, 0.847),
    "plain": (0.595, 0.173, 0.613, 0.624, 0.502, 0.575, 0.371, 0.704, 0.106, 0.549, 0.858, 0.823, 0.582, 0.514),
}
"""Mean F1 of each package, in the order of PACKAGES."""

TABLE_III = {
    "accb-40": (0.001, 0.008, 0.015, 0.016, 0.009, 0.012, 0.020, 0.014, 0.013, 0.015, 0.052, 0.028, 0.013, 0.001),
    "ccb-40": (0.007, 0.008, 0.015, 0.016, 0.009, 0.011, 0.018, 0.011, 0.013, 0.016, 0.052, 0.024, 0.013, 0.001),
    "tccb-25": (0.001, 0.001, 0.002, 0.002, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 0.004, 0.003, 0.001, 0.001),
    "crunch": (0.027, 0.012, 0.014, 0.033, 0.033, 0.032, 0.047, 0.048, 0.019, 0.018, 0.077, 0.073, 0.024, 0.028),
    "dsc": (0.001, 0.001, 0.002, 0.002, 0.001, 0.001, 0.001, 0.001, 0.001, 0.001, 0.003, 0.002, 0.001, 0.001),
    "lqf-50": (0.004, 0.003, 0.016, 0.010, 0.004, 0.011, 0.017, 0.001, 0.009, 0.009, 0.051, 0.013, 0.011, 0.001),
}
"""Mean seconds per KB of each package."""

METHODS = {
    "accb-40": "accb:unit=word",
    "ccb-40": "ccb:unit=word",
    "tccb-25": "tccb:unit=word",
    "dsc": "dsc",
    "plain": "plain",
    "crunch": "crunch",
    "lqf-50": "lqf:quota=0.5",
}
"""The paper's names, and our methods that are the paper's algorithms."""

WHOLE_TEXTS = ("accb", "ccb", "tccb")
"""Our own forms of its algorithm, which keep whole texts: no figure of the paper stands beside theirs."""


def tables(dataset: Dataset, experiment: Experiment) -> Iterator[ScoreTable]:
    """Tables I, II and III."""
    labelled = experiment.select(dataset, lambda record: bool(record.gold and record.html), "HTML and a gold text")
    run = experiment.measure(labelled, [*METHODS.values(), *WHOLE_TEXTS], (_MEASURE,))
    yield _packages(run)
    yield _table(
        "Table II: F1 on the longest common subsequence of words",
        TABLE_II,
        run,
        lambda outcomes: mean_score(outcomes, _MEASURE, "f1"),
    )
    head = ("package", *WHOLE_TEXTS)
    rows = [
        FigureRow(package, ours=[mean_score(run.select(method, package), _MEASURE, "f1") for method in WHOLE_TEXTS])
        for package in run.groups()
    ]
    rows.append(FigureRow(_MEAN, ours=column_means([row.ours for row in rows if row.ours is not None])))
    yield paired("The same measure, our forms that keep whole texts", head, rows)
    yield _table(
        "Table III: CPU milliseconds per KB",
        {name: [1000 * seconds for seconds in row] for name, row in TABLE_III.items()},
        run,
        lambda outcomes: 1000 * seconds_per_kilobyte(outcomes),
        note="The paper prints seconds per KB, to three decimals.  Ours are from HTML to text, parsing included.",
    )


def _packages(run: EvaluationRun) -> ScoreTable:
    """Table I: the packages and their sizes."""
    rows = [FigureRow(name, paper=(pages,)) for name, pages in TABLE_I.items()]
    rows += [FigureRow(name, ours=(pages,)) for name, pages in run.pages_in.items()]
    return paired("Table I: packages", ("package", "pages"), rows, decimals=0)


def _table(
    caption: str,
    printed: Mapping[str, Sequence[float]],
    run: EvaluationRun,
    figure: Callable[[Sequence[Outcome]], float],
    note: str = "",
) -> ScoreTable:
    """Packages down, methods across: those of the paper, ours, and the means of both over their packages."""
    paper = {package: [row[at] for row in printed.values()] for at, package in enumerate(PACKAGES)}
    methods = [METHODS[name] for name in printed]
    ours = {package: [figure(run.select(method, package)) for method in methods] for package in run.groups()}
    rows = [FigureRow(package, paper=figures, ours=ours.get(package)) for package, figures in paper.items()]
    rows += [FigureRow(package, ours=figures) for package, figures in ours.items() if package not in paper]
    rows.append(FigureRow(_MEAN, paper=column_means(paper.values()), ours=column_means(ours.values())))
    rows.append(FigureRow("mean of pages", ours=[figure(run.select(method)) for method in methods]))
    return paired(caption, ("package", *printed), rows, note=note)

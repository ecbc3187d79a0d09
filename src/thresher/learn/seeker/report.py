"""The experiments of paper 000 as Markdown: Tables 2 to 6, ours beside the paper's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan, nan

from thresher.learn.seeker.experiment import Tables
from thresher.learn.seeker.learners import LEARNERS, SETTINGS
from thresher.learn.seeker.rivals import Scores
from thresher.learn.seeker.tables import ClassScores

__all__ = ["PAPER_LEARNERS", "PAPER_METHODS", "document", "method_name"]

PAPER_LEARNERS = {  # precision, recall, F1 by question, learner and type
    "segment": {
        LEARNERS[0]: {"news": (0.964, 0.962, 0.963), "blog": (0.952, 0.975, 0.963), "forum": (0.988, 0.988, 0.988)},
        LEARNERS[1]: {"news": (0.966, 0.976, 0.971), "blog": (0.963, 0.988, 0.975), "forum": (0.992, 0.993, 0.992)},
        LEARNERS[2]: {"news": (0.906, 0.902, 0.904), "blog": (0.907, 0.990, 0.947), "forum": (0.926, 0.990, 0.957)},
        LEARNERS[3]: {"news": (0.942, 0.969, 0.955), "blog": (0.948, 0.966, 0.957), "forum": (0.988, 0.983, 0.986)},
    },
    "content": {
        LEARNERS[0]: {"news": (0.984, 0.961, 0.972), "blog": (0.922, 0.940, 0.931), "forum": (0.958, 0.980, 0.969)},
        LEARNERS[1]: {"news": (1.000, 0.969, 0.984), "blog": (0.939, 0.970, 0.954), "forum": (0.973, 0.980, 0.993)},
        LEARNERS[2]: {"news": (0.939, 0.969, 0.953), "blog": (0.829, 0.950, 0.885), "forum": (0.749, 0.921, 0.826)},
        LEARNERS[3]: {"news": (0.992, 0.984, 0.988), "blog": (0.929, 0.938, 0.934), "forum": (0.950, 0.980, 0.965)},
    },
}
PAPER_METHODS = {  # precision, recall, F1 with their standard deviations, by type; nan where none is printed
    "news": {
        "seeker:lbs": (0.940, 0.183, 0.882, 0.187, 0.905, 0.182),
        "tccb": (0.806, 0.228, 0.859, 0.198, 0.816, 0.197),
        "ccb": (0.796, 0.286, 0.753, 0.285, 0.763, 0.273),
        "dsc": (0.863, 0.167, 0.870, 0.136, 0.852, 0.141),
        "crunch": (0.650, 0.260, 0.964, nan, 0.714, nan),
    },
    "blog": {
        "seeker:lbs": (0.905, 0.223, 0.827, 0.293, 0.834, 0.279),
        "tccb": (0.566, 0.347, 0.907, 0.200, 0.634, 0.307),
        "ccb": (0.593, 0.352, 0.878, 0.234, 0.648, 0.311),
        "lqf:quota=0.75": (0.268, 0.195, 0.983, 0.109, 0.386, 0.220),
    },
    "forum": {
        "seeker:tp": (0.870, 0.183, 0.740, 0.326, 0.754, 0.279),
        "lp": (0.428, 0.283, 0.554, 0.302, 0.414, 0.245),
        "lqf:quota=0.75": (0.296, 0.196, 0.974, 0.154, 0.417, 0.223),
    },
}
_NAMES = {
    "seeker:none": "CS",
    "seeker:lbs": "CS+LBS",
    "seeker:sls": "CS+SLS",
    "seeker:tp": "CS+TP",
    "seeker:lbs:strict=true": "CS+LBS, as printed",
    "seeker:tp:strict=true": "CS+TP, as printed",
    **{name: f"{name}, alone" for name in ("lbs", "sls", "tp")},
}
_TITLES = {"news": "Table 4: news", "blog": "Table 5: blogs", "forum": "Table 6: forums"}


def method_name(name: str) -> str:
    """A method as the paper calls it: CS+LBS for `seeker:lbs`."""
    method, comma, rest = name.partition(",")
    return _NAMES.get(method, method) + comma + rest


def document(tables: Tables, command: str, folds: int, share: float | None = None) -> str:
    """Tables 2 and 3, and Tables 4 to 6."""
    split = _FOLDS.format(folds=folds) if share is None else _SHARE.format(folds=folds, share=share)
    parts = [_HEAD.format(command=command, split=split)]
    parts.append("\n".join(f"- {name}: {settings}." for name, settings in SETTINGS.items()))
    if not tables.rivals:
        parts.append("No type of the paper (news, blogs, forums) has ten pages of two sites or more to compare.")
    for number, question, title in ((2, "segment", "segment"), (3, "content", "content")):
        if scores := tables.learners.get(question):  # type: ignore[call-overload]
            parts += [f"## Table {number}: {title} classification", _learners(question, scores)]
    for page_type, methods in tables.rivals.items():
        pages = len(next(iter(methods.values())).pages)
        parts += [f"## {_TITLES[page_type]} ({pages} pages)", _rivals(page_type, methods)]
    return "\n\n".join(parts) + "\n"


_FOLDS = """Every figure is out of fold: {folds} folds, split by registrable domain, so no page is judged by trees that
saw a page of its site."""
_SHARE = """{share:g} of the pages train, whole registrable domains of them; all others are judged for Tables 4 to 6.
Tables 2 and 3 are a {folds}-fold cross-validation of the training pages that draws instances, as WEKA does it: pages of
one site, even elements of one page, are on both sides."""
_HEAD = """# Results: content-seeker (paper 000)

    {command}

{split} Tables 2 and 3 count instances; Tables 4 to 6 measure the longest common subsequence of characters
between extract and gold text, mean ± standard deviation over the pages. CS is the seeker without a filter. The paper's
figures are from other pages, of 2009: compare orders, not digits. Its Equation 2 prints precision and recall the wrong
way round; precision is |LCS| / |extracted| here. "As printed" is `strict=true`.

How large a leaf must be, the threshold, and the least share of prose were chosen by out-of-fold scores on pages of the
same data sets, which flatters CS a little; so was TP (see findings.md). The standard error of a mean is its deviation
divided by the root of the number of pages.

The learners of Tables 2 and 3 have the default settings of WEKA, as the paper's, as far as scikit-learn has them:"""


def _learners(question: str, scores: Mapping[str, Mapping[str, ClassScores]]) -> str:
    types = list(scores)
    rows = []
    names = [name for name in scores[types[0]] if all(name in scores[page_type] for page_type in types)]
    for name in names:
        cells = []
        for page_type in types:
            row = scores[page_type][name]
            paper = PAPER_LEARNERS[question].get(name, {}).get(page_type)
            cells.append(f"{row.precision:.3f} / {row.recall:.3f} / {row.f1:.3f}")
            cells.append(" / ".join(f"{value:.3f}" for value in paper) if paper else "–")
        rows.append([name, *cells])
    head = ["precision / recall / F1", *(cell for one in types for cell in (one, f"{one}, paper"))]
    return _markdown(head, rows)


def _rivals(page_type: str, scores: Mapping[str, Scores]) -> str:
    best = max(score.column("f1")[0] for score in scores.values())
    rows = []
    for name, score in scores.items():
        cells = ["{:.3f} ± {:.3f}".format(*score.column(column)) for column in ("precision", "recall", "f1")]
        if score.column("f1")[0] == best:
            cells[-1] = f"**{cells[-1]}**"
        paper = PAPER_METHODS[page_type].get(name)
        rows.append([method_name(name), *cells, _with_deviation(*paper[4:]) if paper else "–"])
    return _markdown(["method", "precision", "recall", "F1", "F1, paper"], rows)


def _with_deviation(mean: float, deviation: float) -> str:
    return f"{mean:.3f}" if isnan(deviation) else f"{mean:.3f} ± {deviation:.3f}"


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

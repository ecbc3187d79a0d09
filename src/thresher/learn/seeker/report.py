"""The experiments of paper 000 as Markdown: Tables 2 to 6, ours beside the paper's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thresher.learn.seeker.rivals import Scores
from thresher.learn.seeker.tables import LEARNERS, ClassScores

__all__ = ["document"]

_PAPER_LEARNERS = {  # precision, recall, F1 by question, learner and type
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
_PAPER_F1 = {  # with standard deviation, by type
    "news": {
        "seeker:lbs": "0.905 ± 0.182",
        "tccb": "0.816 ± 0.197",
        "ccb": "0.763 ± 0.273",
        "dsc": "0.852 ± 0.141",
        "crunch": "0.714",
    },
    "blog": {
        "seeker:lbs": "0.834 ± 0.279",
        "tccb": "0.634 ± 0.307",
        "ccb": "0.648 ± 0.311",
        "lqf:quota=0.75": "0.386 ± 0.220",
    },
    "forum": {"seeker:tp": "0.754 ± 0.279", "lp": "0.414 ± 0.245", "lqf:quota=0.75": "0.417 ± 0.223"},
}
_NAMES = {
    "seeker:none": "CS",
    "seeker:lbs": "CS+LBS",
    "seeker:sls": "CS+SLS",
    "seeker:tp": "CS+TP",
    **{name: f"{name}, alone" for name in ("lbs", "sls", "tp")},
}
_TITLES = {"news": "Table 4: news", "blog": "Table 5: blogs", "forum": "Table 6: forums"}


def document(
    learners: Mapping[str, Mapping[str, Mapping[str, ClassScores]]],
    rivals: Mapping[str, Mapping[str, Scores]],
    command: str,
    folds: int,
) -> str:
    """Tables 2 and 3 from `learners` (question, type, learner), Tables 4 to 6 from `rivals` (type, method)."""
    parts = [_HEAD.format(command=command, folds=folds)]
    if not rivals:
        parts.append("No type of the paper (news, blogs, forums) has ten pages of two sites or more to compare.")
    for number, question, title in ((2, "segment", "segment"), (3, "content", "content")):
        if learners.get(question):
            parts += [f"## Table {number}: {title} classification", _learners(question, learners[question])]
    for page_type, scores in rivals.items():
        pages = len(next(iter(scores.values())).pages)
        parts += [f"## {_TITLES[page_type]} ({pages} pages)", _rivals(page_type, scores)]
    return "\n\n".join(parts) + "\n"


_HEAD = """# Results: content-seeker (paper 000)

    {command}

Every figure is out of fold: {folds} folds, split by registrable domain, so no page is judged by trees that saw a
page of its site. Tables 2 and 3 count instances; Tables 4 to 6 measure the longest common subsequence of characters
between extract and gold text, mean ± standard deviation over the pages. CS is the seeker without a filter. The paper's
figures are from other pages, of 2009: compare orders, not digits.

How large a leaf must be, the threshold, and the least share of prose were chosen by out-of-fold scores on pages of the
same data sets, which flatters CS a little; so was TP (see findings.md). The standard error of a mean is its deviation
divided by the root of the number of pages."""


def _learners(question: str, scores: Mapping[str, Mapping[str, ClassScores]]) -> str:
    types = list(scores)
    rows = []
    for name in LEARNERS:
        cells = []
        for page_type in types:
            row = scores[page_type][name]
            paper = _PAPER_LEARNERS[question][name].get(page_type)
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
        rows.append([_NAMES.get(name, name), *cells, _PAPER_F1[page_type].get(name, "–")])
    return _markdown(["method", "precision", "recall", "F1", "F1, paper"], rows)


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

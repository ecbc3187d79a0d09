"""The papers' tables: methods down, page types across.  One `Table` value, printed as text or Markdown.

The HTML report prints the same values (report.py), so no two outputs can disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from thresher.evaluate.results import FLOOR, Outcome, Part, Run, column, paired, per_kilobyte, per_page
from thresher.evaluate.statistics import compare, summary

NONE = "–"
PARTS: tuple[Part, ...] = ("precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class Cell:
    """One number as it is printed; `best` of its column is set in bold."""

    text: str
    best: bool = False
    small: str = ""  # a second line, in small print where there is one


@dataclass(frozen=True, slots=True)
class Table:
    """A caption, column heads, and rows whose first cell is a name."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


def overview(run: Run, measure: str) -> Table:
    """P, R, F1 ± sd, median, 95 % interval, time and failures of each method over all pages."""
    head = (
        "method",
        "pages",
        "precision",
        "recall",
        "F1 ± sd",
        "median",
        "95 % interval",
        "ms/page",
        "failed",
    )
    leader = best_of([_mean(run.select(method), measure, "f1") for method in run.methods])
    rows = []
    for number, method in enumerate(run.methods):
        outcomes = run.select(method)
        f1 = summary(column(outcomes, measure))
        if not f1.n:
            rows.append((Cell(method), Cell("0"), *[Cell(NONE)] * 7))
            continue
        rows.append(
            (
                Cell(method),
                Cell(f"{f1.n:,}"),
                Cell(score(_mean(outcomes, measure, "precision"))),
                Cell(score(_mean(outcomes, measure, "recall"))),
                Cell(f"{score(f1.mean)} ± {score(f1.sd)}", best=number in leader),
                Cell(score(f1.median)),
                Cell(f"{score(f1.low)} – {score(f1.high)}"),
                Cell(milliseconds(per_page(outcomes))),
                Cell(str(sum(o.status == "failed" for o in outcomes))),
            )
        )
    return Table(f"All pages, {measure}", head, tuple(rows), _skipped(run))


def by_group(run: Run, measure: str, part: Part = "f1") -> Table:
    """Methods × page types: the mean of one part of the score, with its standard deviation in small print."""
    groups = run.groups()
    columns = [[_values(run, method, measure, part, group) for method in run.methods] for group in groups]
    leaders = [best_of([float(x.mean()) if len(x) else float("nan") for x in values]) for values in columns]
    rows = []
    for number, method in enumerate(run.methods):
        cells = [
            Cell(score(float(x.mean())), number in leader, f"± {score(float(x.std(ddof=len(x) > 1)))}")
            if len(x)
            else Cell(NONE)
            for x, leader in zip((values[number] for values in columns), leaders, strict=True)
        ]
        rows.append((Cell(method), *cells))
    counts = {o.record: run.group(o) for o in run.outcomes}
    head = tuple(f"{group} ({list(counts.values()).count(group):,})" for group in groups)
    name = {"precision": "Precision", "recall": "Recall", "f1": "F1"}[part]
    return Table(f"{name} by {run.by.replace('_', ' ')}, {measure}", ("method", *head), tuple(rows))


def times(run: Run) -> Table:
    """CPU time per page and per KB of HTML, methods × page types (paper 004, Table III), floors below."""
    groups = run.groups()
    floors = sorted({o.method for o in run.outcomes if o.method.startswith(FLOOR)})
    rows = []
    for method in (*run.methods, *floors):
        outcomes = run.select(method)
        each = [Cell(seconds(per_kilobyte(run.select(method, group)))) for group in groups]
        name = method.removeprefix(FLOOR) if method in floors else method
        rows.append(
            (Cell(name), Cell(milliseconds(per_page(outcomes))), Cell(seconds(per_kilobyte(outcomes))), *each)
        )
    note = (
        "CPU time of one core, from HTML to text.  Methods take turns on each page.  "
        "Rows at the foot are no methods: lexbor's parse alone, which none can undercut, and thresher.parse."
    )
    return Table("Time, s/KB", ("method", "ms/page", "all", *groups), tuple(rows), note)


def comparisons(run: Run, measure: str) -> Table:
    """Is the best method really better?  It against each other one, on the same pages."""
    ranked = ranking(run, measure)
    rows = []
    for other in ranked[1:]:
        found = compare(*paired(run, ranked[0], other, measure))
        rows.append(
            (
                Cell(f"{ranked[0]} − {other}"),
                Cell(f"{found.n:,}"),
                Cell(f"{found.difference:+.4f}"),
                Cell(f"{found.low:+.4f} – {found.high:+.4f}"),
                Cell(f"{100 * found.probability:.1f} %"),
                Cell("< 0.001" if found.p_value < 0.001 else f"{found.p_value:.3f}"),
            )
        )
    note = "Paired bootstrap over pages.  An interval that holds 0, or p above 0.05: not told apart."
    head = ("difference", "pages", "mean of F1", "95 % interval", "ahead in", "p")
    return Table(f"{ranked[0]} against the others, {measure}" if ranked else "", head, tuple(rows), note)


def ranking(run: Run, measure: str) -> list[str]:
    """The methods that have scores, the best mean F1 first."""
    means = {method: _mean(run.select(method), measure, "f1") for method in run.methods}
    return sorted((m for m in means if not isnan(means[m])), key=lambda m: -means[m])


def all_tables(run: Run) -> list[Table]:
    """What the command prints, in its order."""
    found = []
    for measure in run.measures:
        found.append(overview(run, measure))
        if len(run.groups()) > 1:
            found += [by_group(run, measure, part) for part in ("f1", "precision", "recall")]
        if len(ranking(run, measure)) > 1:
            found.append(comparisons(run, measure))
    return [*found, times(run)]


def to_text(table: Table) -> str:
    """Columns padded with spaces, the best of a column starred."""
    cells = [[c.text + ("*" if c.best else "") for c in row] for row in table.rows]
    return "\n".join(
        [table.caption, *_grid([list(table.head), *cells]), *([table.note] if table.note else [])]
    )


def to_markdown(table: Table) -> str:
    """A table that also reads as plain text; the best of a column in bold."""
    cells = [
        [f"**{c.text}**" if c.best else c.text for c in row[:1]]
        + [(f"**{c.text}**" if c.best else c.text) + (f" {c.small}" if c.small else "") for c in row[1:]]
        for row in table.rows
    ]
    rows = [[cell.replace("|", "\\|") for cell in row] for row in [list(table.head), *cells]]
    rule = ["---", *["---:"] * (len(table.head) - 1)]
    lines = [f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]]]
    return "\n".join([f"**{table.caption}**", "", *lines, *(["", table.note] if table.note else [])])


def best_of(values: Sequence[float]) -> set[int]:
    """The places of the largest value as it is printed; several when they print the same."""
    shown = [float(score(v)) if not isnan(v) else -1.0 for v in values]
    return {i for i, v in enumerate(shown) if v == max(shown) and v >= 0}


def score(value: float) -> str:
    """Three decimals; the interval of 1,497 pages is about ± 0.01."""
    return NONE if isnan(value) else f"{value:.3f}"


def milliseconds(value: float) -> str:
    """Three significant digits: 0.0412, 3.97, 218."""
    return NONE if isnan(value) else f"{value:#.3g}".rstrip(".")


def seconds(value: float) -> str:
    """Two significant digits, never in powers of ten: 0.000018."""
    return NONE if isnan(value) else np.format_float_positional(value, 2, fractional=False)


def _values(run: Run, method: str, measure: str, part: Part, group: str) -> np.ndarray:
    return column(run.select(method, group), measure, part)


def _mean(outcomes: Sequence[Outcome], measure: str, part: Part) -> float:
    values = column(outcomes, measure, part)
    return float(values.mean()) if len(values) else float("nan")


def _skipped(run: Run) -> str:
    """Which methods could not be asked on how many pages, and why the first time."""
    found = []
    for method in run.methods:
        skipped = [o for o in run.select(method) if o.status == "skipped"]
        if skipped:
            found.append(f"{method} skipped {len(skipped):,} pages: {skipped[0].problem}.")
    return "  ".join(found)


def _grid(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of equal width: the first column to the left, the others to the right."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
    return [lines[0], "─" * len(lines[0]), *lines[1:]]

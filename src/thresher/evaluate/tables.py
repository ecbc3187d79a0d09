"""The papers' tables: methods down, page types across, or where these are many the other way round.

One `ScoreTable` value is printed as text or Markdown.

The HTML report prints the same values (report.py), so no two outputs can disagree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan

from thresher.evaluate.measures import ABOUT, Score
from thresher.evaluate.results import (
    FLOOR,
    EvaluationRun,
    Outcome,
    mean_score,
    ms_per_page,
    paired_f1,
    score_column,
    seconds_per_kilobyte,
)
from thresher.evaluate.statistics import compare, summary

NONE = "–"
_MAX_COLUMNS = 16  # of a table across a screen; a data set may have a thousand sites
SMALL_PRINT = "With each F1 its standard deviation and precision / recall; in brackets the number of pages."


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """One number as it is printed; `best` of its column is set in bold."""

    text: str
    best: bool = False
    small: str = ""  # a second line, in small print where there is one


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """A caption, column heads, and rows whose first cell is a name."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[ScoreCell, ...], ...]
    note: str = ""


def overview(run: EvaluationRun, measure: str) -> ScoreTable:
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
    leader = best_of([mean_score(run.select(method), measure, "f1") for method in run.methods])
    rows = []
    for number, method in enumerate(run.methods):
        outcomes = run.select(method)
        f1 = summary(score_column(outcomes, measure))
        if not f1.n:
            rows.append((ScoreCell(method), ScoreCell("0"), *[ScoreCell(NONE)] * 7))
            continue
        rows.append(
            (
                ScoreCell(method),
                ScoreCell(f"{f1.n:,}"),
                ScoreCell(score(mean_score(outcomes, measure, "precision"))),
                ScoreCell(score(mean_score(outcomes, measure, "recall"))),
                ScoreCell(f"{score(f1.mean)} ± {score(f1.sd)}", best=number in leader),
                ScoreCell(score(f1.median)),
                ScoreCell(f"{score(f1.low)} – {score(f1.high)}"),
                ScoreCell(digits(ms_per_page(outcomes))),
                ScoreCell(str(sum(o.status == "failed" for o in outcomes))),
            )
        )
    notes = [_skipped(run), "" if ranking(run, measure) else f"No page could be measured.  {ABOUT[measure]}"]
    return ScoreTable(f"All pages, {measure}", head, tuple(rows), "  ".join(filter(None, notes)))


def by_group(run: EvaluationRun, measure: str) -> ScoreTable:
    """Methods × page types: the mean F1, with its standard deviation and precision / recall in small print."""
    groups = run.groups()
    cells = [[_scores(run.select(method, group), measure) for group in groups] for method in run.methods]
    leaders = [best_of([row[k].f1 for row in cells]) for k in range(len(groups))]
    rows = []
    for number, (method, scores) in enumerate(zip(run.methods, cells, strict=True)):
        spread = [summary(score_column(run.select(method, group), measure)).sd for group in groups]
        best = [number in leader for leader in leaders]
        rows.append((ScoreCell(method), *map(_cell, scores, spread, best)))
    head = ("method", *(f"{group} ({run.pages_in[group]:,})" for group in groups))
    return ScoreTable(f"F1 by {run.by.replace('_', ' ')}, {measure}", head, tuple(rows), SMALL_PRINT)


def times(run: EvaluationRun) -> ScoreTable:
    """CPU time per page and per KB of HTML, methods × page types (paper 004, Table III), floors below."""
    groups = run.groups() if len(run.groups()) > 1 else []
    floors = sorted({o.method for o in run.outcomes if o.method.startswith(FLOOR)})
    rows = []
    for method in (*run.methods, *floors):
        outcomes = run.select(method)
        each = [ScoreCell(digits(1e6 * seconds_per_kilobyte(run.select(method, group)))) for group in groups]
        name = method.removeprefix(FLOOR) if method in floors else method
        rows.append(
            (
                ScoreCell(name),
                ScoreCell(digits(ms_per_page(outcomes))),
                ScoreCell(digits(1e6 * seconds_per_kilobyte(outcomes))),
                *each,
            )
        )
    note = (
        "One core, from HTML to text; methods take turns on each page.  The last rows are no methods: "
        "lexbor's parse alone, which none can undercut, and thresher.parse."
    )
    head = ("method", "ms/page", "all", *groups)
    return ScoreTable("Time: CPU ms per page, then µs per KB of HTML", head, tuple(rows), note)


def fitting(table: ScoreTable, run: EvaluationRun) -> ScoreTable:
    """A table with the groups of pages across as it is, or with groups down where there are too many for a screen."""
    if len(table.head) <= _MAX_COLUMNS:
        return table
    head = (run.by.replace("_", " "), *(row[0].text for row in table.rows))
    rows = tuple((ScoreCell(name), *(row[at] for row in table.rows)) for at, name in enumerate(table.head[1:], start=1))
    return ScoreTable(table.caption, head, rows, table.note)


def comparisons(run: EvaluationRun, measure: str) -> ScoreTable:
    """Is the best method really better?  It against each other one, on the same pages."""
    ranked = ranking(run, measure)
    rows = []
    for other in ranked[1:]:
        comparison = compare(*paired_f1(run, ranked[0], other, measure))
        rows.append(
            (
                ScoreCell(f"{ranked[0]} − {other}"),
                ScoreCell(f"{comparison.n:,}"),
                ScoreCell(f"{comparison.difference:+.4f}"),
                ScoreCell(f"{comparison.low:+.4f} to {comparison.high:+.4f}"),
                ScoreCell(f"{100 * comparison.probability:.1f} %"),
                ScoreCell("< 0.001" if comparison.p_value < 0.001 else f"{comparison.p_value:.3f}"),
            )
        )
    note = (
        "Paired bootstrap over pages.  An interval that holds 0, or p above 0.05: not told apart.  "
        "On fewer than some 20 pages the interval is too narrow."
    )
    head = ("difference", "pages", "mean of F1", "95 % interval", "resamples ahead", "p")
    return ScoreTable(f"{ranked[0]} against the others, {measure}" if ranked else "", head, tuple(rows), note)


def ranking(run: EvaluationRun, measure: str) -> list[str]:
    """The methods that have scores, the best mean F1 first."""
    means = {method: mean_score(run.select(method), measure, "f1") for method in run.methods}
    return sorted((m for m in means if not isnan(means[m])), key=lambda m: -means[m])


def all_tables(run: EvaluationRun) -> list[ScoreTable]:
    """What is printed, in its order."""
    shown = []
    for measure in run.measures:
        shown.append(overview(run, measure))
        if len(run.groups()) > 1 and ranking(run, measure):
            shown.append(fitting(by_group(run, measure), run))
        if len(ranking(run, measure)) > 1:
            shown.append(comparisons(run, measure))
    return [*shown, fitting(times(run), run)]


def to_text(table: ScoreTable) -> str:
    """Columns padded with spaces, the best of a column starred."""
    cells = [[c.text + ("*" if c.best else "") for c in row] for row in table.rows]
    note = [table.note] if table.note not in ("", SMALL_PRINT) else []  # a terminal has no small print
    return "\n".join([table.caption, *_grid([list(table.head), *cells]), *note])


def to_markdown(table: ScoreTable) -> str:
    """A table that also reads as plain text; the best of a column in bold."""
    cells = [
        [f"**{c.text}**" if c.best else c.text for c in row[:1]]
        + [(f"**{c.text}**" if c.best else c.text) + (f" ({c.small})" if c.small else "") for c in row[1:]]
        for row in table.rows
    ]
    rows = [[cell.replace("|", "\\|") for cell in row] for row in [list(table.head), *cells]]
    rule = ["---", *["---:"] * (len(table.head) - 1)]
    lines = [f"| {' | '.join(row)} |" for row in [rows[0], rule, *rows[1:]]]
    return "\n".join([f"**{table.caption}**", "", *lines, *(["", table.note] if table.note else [])])


def text_lines(run: EvaluationRun) -> Iterator[str]:
    """All tables for a terminal, with an empty line between."""
    for table in all_tables(run):
        yield from (*to_text(table).split("\n"), "")
    if len(run.methods) > 1:
        yield "* the best of its column"


def markdown_document(run: EvaluationRun) -> str:
    """All tables under a heading and the command that made them."""
    scored = len({outcome.record for outcome in run.outcomes})
    facts = f"{scored:,} pages, {len(run.broken):,} broken, {len(run.problems()):,} failures of methods."
    head = [f"# Results: {run.dataset}", f"    {run.command}", facts] if run.command else [f"# {run.dataset}", facts]
    return "\n\n".join([*head, *map(to_markdown, all_tables(run))]) + "\n"


def best_of(values: Sequence[float]) -> set[int]:
    """The places of the largest value as it is printed; several when they print the same, none where there is
    nothing to compare."""
    shown = [float(score(v)) if not isnan(v) else -1.0 for v in values]
    return {i for i, v in enumerate(shown) if v == max(shown) and v > 0} if len(shown) > 1 else set()


def score(value: float) -> str:
    """Three decimals; the interval of 1,497 pages is about ± 0.01."""
    return NONE if isnan(value) else f"{value:.3f}"


def digits(value: float) -> str:
    """Three significant digits, never in powers of ten: 0.0412, 3.97, 218, 5490."""
    if isnan(value):
        return NONE
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}"


def _scores(outcomes: Sequence[Outcome], measure: str) -> Score:
    """The means of precision, recall and F1; nan where nothing was measured."""
    return Score(*(mean_score(outcomes, measure, part) for part in ("precision", "recall", "f1")))


def _cell(scores: Score, deviation: float, best: bool) -> ScoreCell:
    if isnan(scores.f1):
        return ScoreCell(NONE)
    small = f"± {score(deviation)}, {score(scores.precision)} / {score(scores.recall)}"
    return ScoreCell(score(scores.f1), best, small=small)


def _skipped(run: EvaluationRun) -> str:
    """Which methods could not be asked on how many pages, and why the first time."""
    sentences = []
    for method in run.methods:
        skipped = [o for o in run.select(method) if o.status == "skipped"]
        if skipped:
            sentences.append(f"{method} skipped {len(skipped):,} pages: {skipped[0].problem}.")
    return "  ".join(sentences)


def _grid(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of equal width: the first column to the left, the others to the right."""
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]
    return [lines[0], "─" * len(lines[0]), *lines[1:]]

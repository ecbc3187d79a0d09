"""The report: one HTML file with its style inside, no scripts, nothing fetched; readable in light and dark.

Everything that came from a page or a person is escaped here, at the last step, and nowhere else.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from html import escape
from importlib.resources import files
from itertools import islice

from thresher import __version__
from thresher.evaluate import peers, tables
from thresher.evaluate.diff import diff
from thresher.evaluate.measures import ABOUT, tokens
from thresher.evaluate.plots import Point, Series, box_plot, scatter
from thresher.evaluate.results import EvaluationRun, Outcome, ms_per_page, score_column
from thresher.evaluate.statistics import summary
from thresher.evaluate.tables import ScoreCell, ScoreTable

WORST = 20  # pages shown per method
MAX_PANELS = 12  # box plots, one a package of pages

Texts = Callable[[str, str], "tuple[str, str, str] | None"]
"""(record id, method) -> its url, gold and extract, or None when it cannot be made again."""

LEGEND = (
    '<p class="legend"><span class="same">in both</span> <del>missed: in the gold only</del> '
    "<ins>chaff: in the extract only</ins></p>"
)
BOXES = "Box: quartiles and median; whiskers: 5th to 95th percentile; dot: mean."


def html_report(run: EvaluationRun, texts: Texts) -> str:
    """The whole document."""
    sections = [_head(run)]
    for measure in run.measures:
        sections += _measure(run, measure)
    sections += [_section("Time", _table(tables.fitting(tables.times(run), run)))]
    sections += [_worst(run, run.measures[0], texts), _failures(run), _colophon(run)]
    style = files("thresher.evaluate").joinpath("report.css").read_text(encoding="utf-8")
    title = escape(f"{run.dataset}: {', '.join(run.methods)}")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(filter(None, sections))
        + "\n</main>\n</body>\n</html>\n"
    )


def _head(run: EvaluationRun) -> str:
    scored = len({outcome.record for outcome in run.outcomes})
    left_out = [
        f"{len(run.broken):,} broken records" if run.broken else "",
        f"{run.unlabelled:,} without gold" if run.unlabelled else "",
        f"{len(run.problems()):,} failures of methods" if run.problems() else "",
    ]
    facts = [f"{scored:,} pages", f"{len(run.methods)} methods", *filter(None, left_out)]
    command = f'<pre class="command">{escape(run.command)}</pre>' if run.command else ""
    return f"<header><h1>{escape(run.dataset)}</h1><p>{' · '.join(facts)}</p>{command}</header>"


def _measure(run: EvaluationRun, measure: str) -> list[str]:
    """Overview, scatter, methods × groups, box plots and comparisons under one measure."""
    head = f"<h2>{escape(measure)}</h2><p>{escape(ABOUT[measure])}</p>"
    parts = [head, _table(tables.overview(run, measure))]
    if not tables.ranking(run, measure):
        return parts
    parts.append(_figure(scatter(_points(run, measure)), "F1 against time; the line is the 95 % interval of the mean."))
    if len(run.groups()) > 1:
        parts.append(_table(tables.fitting(tables.by_group(run, measure), run), heat=True))
    panels = [_panel(run, measure, group) for group in run.groups()[:MAX_PANELS]]
    left_out = f"  The {MAX_PANELS} largest of {len(run.groups()):,}." if len(run.groups()) > MAX_PANELS else ""
    parts.append(f'<div class="panels">{"".join(panels)}</div><p class="note">{BOXES}{left_out}</p>')
    if len(tables.ranking(run, measure)) > 1:
        parts.append(_table(tables.comparisons(run, measure)))
    return parts


def _panel(run: EvaluationRun, measure: str, group: str) -> str:
    ranked = tables.ranking(run, measure)
    series = [Series(m, _kind(m), score_column(run.select(m, group), measure)) for m in ranked]
    pages = max((len(s.values) for s in series), default=0)
    return f"<figure><figcaption>{escape(group)} <small>{pages:,} pages</small></figcaption>{box_plot(series)}</figure>"


def _points(run: EvaluationRun, measure: str) -> list[Point]:
    points = []
    for method in tables.ranking(run, measure):
        outcomes = run.select(method)
        f1 = summary(score_column(outcomes, measure))
        points.append(Point(method, _kind(method), ms_per_page(outcomes), f1.mean, f1.low, f1.high))
    return points


def _worst(run: EvaluationRun, measure: str, texts: Texts) -> str:
    """For each method its pages with the lowest F1, each with a difference that unfolds.

    Pages whose gold is empty are passed over: every extract scores 0 there, and they would fill every list.
    """
    methods = []
    for method in run.methods:
        scored = [o for o in run.select(method) if measure in o.scores]
        ranked = sorted(scored, key=lambda o: (o.scores[measure].f1, o.record))
        pages = "".join(islice(filter(None, (_page(o, measure, texts) for o in ranked)), WORST))
        if pages:
            methods.append(f"<details><summary>{escape(method)}</summary>{LEGEND}{pages}</details>")
    return _section(f"Worst {WORST} pages per method, {measure}", "".join(methods))


def _page(outcome: Outcome, measure: str, texts: Texts) -> str:
    """One page under its scores; nothing when its gold is empty."""
    score = outcome.scores[measure]
    head = (
        f"<b>{tables.score(score.f1)}</b> {escape(outcome.record)} <small>{escape(outcome.page_type)} · "
        f"precision {tables.score(score.precision)} · recall {tables.score(score.recall)}</small>"
    )
    if outcome.problem:
        body = f'<p class="problem">{escape(outcome.problem)}</p>'
    elif (texts_of_page := texts(outcome.record, outcome.method)) is None:
        body = '<p class="note">The page could not be extracted again: it or the code has changed.</p>'
    else:
        url, gold, extract = texts_of_page
        if not gold.strip():
            return ""
        sizes = f"{len(tokens(gold)):,} gold words, {len(tokens(extract)):,} extracted"
        note = escape(f"{url} · {sizes}" if url else sizes)
        body = f'<p class="note">{note}</p><div class="diff">{_diff(gold, extract)}</div>'
    return f'<details class="page"><summary>{head}</summary>{body}</details>'


def _diff(gold: str, extract: str) -> str:
    tags = {"same": "span", "missed": "del", "extra": "ins", "gap": "i"}
    return "".join(f"<{tags[piece.kind]}>{escape(piece.text)}</{tags[piece.kind]}>" for piece in diff(gold, extract))


def _failures(run: EvaluationRun) -> str:
    """Every broken record and every page a method failed on."""
    broken = [(record.id, "", record.reason) for record in run.broken]
    failed = [(outcome.record, outcome.method, outcome.problem) for outcome in run.problems()]
    rows = tuple(tuple(ScoreCell(text) for text in row) for row in (*broken, *failed))
    if not rows:
        return ""
    return _section("Failures", _table(ScoreTable("", ("record", "method", "what happened"), rows), words=True))


def _colophon(run: EvaluationRun) -> str:
    """What made these numbers: programs, and for each method the version that its cached results go by."""
    programs = [f"thresher {__version__}", f"Python {platform.python_version()}", platform.machine()]
    versions = [f"{method}: {run.versions[method]}" for method in run.methods if method in run.versions]
    return f"<footer><p>{escape(' · '.join(programs))}</p><p>{escape(' · '.join(versions))}</p></footer>"


def _table(table: ScoreTable, heat: bool = False, words: bool = False) -> str:
    """`heat` shades a cell by its value; `words` sets all columns to the left."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.head)
    rows = "".join(f"<tr>{_row(row, heat)}</tr>" for row in table.rows)
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<div class="scroll"><table{" class=words" if words else ""}>{caption}<thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{note}"
    )


def _row(row: Sequence[ScoreCell], heat: bool) -> str:
    return f'<th scope="row">{escape(row[0].text)}</th>' + "".join(_cell(cell, heat) for cell in row[1:])


def _cell(cell: ScoreCell, heat: bool) -> str:
    text = f"<b>{escape(cell.text)}</b>" if cell.best else escape(cell.text)
    small = f"<small>{escape(cell.small)}</small>" if cell.small else ""
    shade = f' style="--heat:{float(cell.text):.2f}"' if heat and cell.text != tables.NONE else ""
    return f"<td{shade}>{text}{small}</td>"


def _section(title: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{body}</section>"


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>" if svg else ""


def _kind(method: str) -> str:
    return "peer" if method.startswith(peers.PREFIX) else "ours"

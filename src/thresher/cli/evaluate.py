"""`thresher evaluate`: methods over a data set of labelled pages, as tables, JSON lines, Markdown or a report."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from thresher.cli.complaints import complain
from thresher.cli.options import in_a_folder, markdown_option
from thresher.errors import DatasetError, UnknownMethod, WrongOption
from thresher.evaluate import extractors, tables
from thresher.evaluate.cache import default_folder
from thresher.evaluate.datasets import open_dataset
from thresher.evaluate.lines import json_lines
from thresher.evaluate.measures import MEASURES
from thresher.evaluate.report import html_report
from thresher.evaluate.results import EvaluationRun, Grouping
from thresher.evaluate.run import RENDERINGS, evaluate
from thresher.text.printing import plain, safe_json


def names(context: click.Context, parameter: click.Parameter, value: str) -> list[str]:
    """A comma-separated list, each name once, in its order."""
    return list(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))


@click.command(context_settings={"max_content_width": 100})
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--methods",
    "-m",
    callback=names,
    default="auto",
    show_default=True,
    metavar="NAME,…",
    help="Methods to run; auto:model=FILE has a model of yours, peer:NAME is another extractor (peer:trafilatura, …).",
)
@click.option(
    "--measure",
    callback=names,
    default="bow",
    show_default=True,
    metavar="NAME,…",
    help=f"Measures, the first one leads the report: {', '.join(MEASURES)}.",
)
@click.option(
    "--by",
    type=click.Choice(["page_type", "site", "none"]),
    default="page_type",
    show_default=True,
    help="Columns of the tables.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only so many pages, evenly spread over the data set.")
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes; all cores unless given.")
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where results are kept.  [default: ~/.cache/thresher/evaluate]",
)
@click.option("--fresh", is_flag=True, help="Compute everything anew, whatever the cache holds.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines instead of tables: pages, summaries, comparisons.")
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=in_a_folder,
    metavar="FILE",
    help="Also write a self-contained HTML report with plots and the worst pages.",
)
@markdown_option
def command(
    dataset: Path,
    methods: list[str],
    measure: list[str],
    by: str,
    limit: int | None,
    jobs: int | None,
    cache: Path | None,
    fresh: bool,
    as_json: bool,
    report: Path | None,
    markdown: Path | None,
) -> None:
    """Measure methods on pages whose main content is known.

    DATASET is a folder; its kind is recognised: wcxb, sites, rendered-blocks, or your own pages as
    NAME.html[.gz] with the wanted text in NAME.txt or NAME.md (subfolders are page types).

    Results are kept, so an interrupted run goes on where it stopped and only changed code, pages or labels are
    computed again.  Time is CPU time of one core, from HTML to text.

    \b
    A first look, on 100 pages:
      thresher evaluate data/wcxb --methods auto,accb,cetd --limit 100
    Check our claims against others (they come with the extra `bench`):
      thresher evaluate data/wcxb -m auto,peer:trafilatura,peer:resiliparse --report report.html
    Your model beside the shipped one, on pages that it has not learned from:
      thresher evaluate unseen -m auto,auto:model=mine.npz
    The measures of the papers, word order included:
      thresher evaluate data/sites -m auto,site --measure lcs,nodes
    One method with several options:
      thresher evaluate data/wcxb -m lqf:quota=0.25,lqf,lqf:quota=0.75
    What the site's other pages, and a browser (Chromium), add:
      thresher evaluate data/sites -m auto,auto+siblings,auto+rendered,layout
    The ten hardest pages of a method:
      thresher evaluate data/wcxb --json | jq -s 'map(select(.type == "page")) | sort_by(.bow.f1) | .[:10]'

    \b
    Exit status: 0 all done; 1 a record was broken or a method failed on a page; 2 wrong usage.
    """
    try:
        opened = open_dataset(dataset)
        usable, missing = extractors.check(methods)
    except (DatasetError, UnknownMethod, WrongOption) as error:
        raise click.UsageError(str(error)) from error
    unknown = [name for name in measure if name not in MEASURES]
    if unknown:
        raise click.UsageError(f"no measure {unknown[0]!r}; choose among: {', '.join(MEASURES)}")
    for message in missing.values():
        click.echo(message, err=True)
    if not usable or not measure:
        raise click.UsageError("nothing to run: no method, or no measure")
    pages = min(len(opened), limit or len(opened))
    with progress_bar(pages) as advance:
        run = evaluate(
            opened,
            usable,
            measure,
            limit=limit,
            jobs=jobs,
            cache=cache,
            fresh=fresh,
            by=cast(Grouping, by),
            command=shlex.join(["thresher", *sys.argv[1:]]),
            advance=advance,
            announce=lambda words: click.echo(plain(words), err=True),
        )
    for line in map(safe_json, json_lines(run)) if as_json else map(plain, tables.text_lines(run)):
        click.echo(line)
    if markdown:
        markdown.write_text(tables.markdown_document(run), "utf-8", "replace")
    if report:
        renderings = (cache or default_folder()) / RENDERINGS
        report.write_text(html_report(run, extractors.reader(opened, renderings)), "utf-8", "replace")
    say_what_is_missing(run)
    sys.exit(1 if run.broken or run.problems() else 0)


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr where somebody looks at it; the function moves it by one page."""
    columns = (TextColumn("pages"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("pages", total=total)
        yield lambda: progress.advance(task)


def say_what_is_missing(run: EvaluationRun) -> None:
    """On stderr, what was left out and what failed."""
    lines = [f"{record.id}: broken, {record.reason}" for record in run.broken]
    lines += [f"{outcome.record}: {outcome.method} failed, {outcome.problem}" for outcome in run.problems()]
    complain(lines)
    if run.unlabelled:
        click.echo(f"{run.unlabelled:,} records have no gold text and were left out", err=True)

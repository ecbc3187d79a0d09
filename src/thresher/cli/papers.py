"""`thresher papers`: a paper's experiment on a data set, its tables with our figures under the printed ones."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import cast

import click

from thresher import papers
from thresher.cli.options import markdown_option
from thresher.cli.progress import progress_bar
from thresher.errors import DatasetError
from thresher.evaluate.datasets import open_dataset
from thresher.evaluate.results import Grouping
from thresher.evaluate.tables import ScoreTable, to_markdown, to_text
from thresher.text.printing import plain, plain_lines

__all__ = ["command"]


class PapersCommand(click.Command):
    """A command whose --help lists the papers."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Papers"):
            for name in papers.names():
                paper = papers.load(name)
                formatter.write_dl([(name, f"{paper.TITLE}.  Tables: {paper.TABLES}.  DATA: {paper.DATA}.")])


@click.command(cls=PapersCommand, context_settings={"max_content_width": 100})
@click.argument("paper", type=click.Choice(papers.names()), metavar="PAPER")
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--pages", type=click.IntRange(min=1), metavar="N", help="At most N pages, spread over the data set.")
@click.option(
    "--by",
    type=click.Choice(["page_type", "site"]),
    default="page_type",
    show_default=True,
    help="What plays the part of a paper's packages of pages.",
)
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Processes; all cores unless given.")
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where results are kept.  [default: ~/.cache/thresher/evaluate]",
)
@click.option("--fresh", is_flag=True, help="Compute everything anew, whatever the cache holds.")
@markdown_option
def command(
    paper: str,
    data: Path,
    pages: int | None,
    by: str,
    jobs: int | None,
    cache: Path | None,
    fresh: bool,
    markdown: Path | None,
) -> None:
    """Repeat a paper's experiment on your data.

    PAPER is the number of a paper, see below; DATA is a folder of labelled pages, as for `thresher evaluate`.  The
    paper's own tables are printed, in lines `paper` with the figures that the paper prints and `ours` with what is
    measured here.  The pages are not the paper's, so the order of methods can be compared, the figures themselves
    hardly.  docs/papers.md says where we do something else than a paper, and what that changes.

    \b
    A quick look, on 40 pages:
      thresher papers 004 data/wcxb --pages 40
    Each web site a package of pages, as in the paper:
      thresher papers 004 data/wcxb --by site
    Methods that compare pages of one site:
      thresher papers 002 data/sites --markdown tables.md

    Results are kept, so an interrupted run goes on where it stopped.
    """
    try:
        opened = open_dataset(data)
        printed = []
        with progress_bar() as report:
            experiment = papers.Experiment(
                pages=pages,
                by=cast(Grouping, by),
                jobs=jobs,
                cache=cache,
                fresh=fresh,
                report=report,
                announce=lambda words: click.echo(plain(words), err=True),
            )
            for table in papers.load(paper).tables(opened, experiment):
                click.echo(plain_lines(to_text(table)) + "\n")
                printed.append(table)
    except DatasetError as error:
        raise click.UsageError(f"paper {paper}: {error}") from error
    if markdown:
        markdown.write_text(_document(paper, printed), "utf-8", "replace")


def _document(paper: str, printed: list[ScoreTable]) -> str:
    """All tables under the paper's title and the command that made them."""
    command_line = shlex.join(["thresher", *sys.argv[1:]])
    head = [f"# Paper {paper}: {papers.load(paper).TITLE}", f"    {command_line}"]
    return "\n\n".join([*head, *map(to_markdown, printed)]) + "\n"

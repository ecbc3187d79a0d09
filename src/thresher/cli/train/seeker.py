"""thresher train seeker: labelled pages in, decision trees and a model card out."""

from __future__ import annotations

from pathlib import Path

import click

from thresher.cli.options import data_option

__all__ = ["command"]


@click.command("seeker")
@data_option
@click.option(
    "--labels",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="What people said about elements of these pages, as JSON lines; it overrules the gold texts.",
)
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="Where the trees go, FILE.npz; the card is FILE.json."
)
@click.option(
    "--report",
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Also make Tables 2 to 6 of the paper, out of fold, as Markdown; on stdout without a FILE.",
)
@click.option(
    "--render", is_flag=True, help="Render the pages in a browser first: trees can ask for position and size."
)
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where renderings are kept.  [default: ~/.cache/thresher/evaluate]",
)
@click.option("--folds", default=10, show_default=True, type=click.IntRange(2, 50), help="Folds of the report.")
@click.option(
    "--measured",
    type=click.IntRange(min=1),
    help="Pages of each type in Tables 4 to 6, evenly spread; all unless given.",
)
@click.option(
    "--train-share",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="SHARE",
    help="The report's trees see this share of the pages and judge the others, in place of folds; the paper has 0.1.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only so many pages of each type, for a quick look.")
@click.option("--seed", default=0, show_default=True, help="Of everything random.")
def command(
    folders: tuple[str, ...],
    labels: str | None,
    output: str,
    report: str | None,
    render: bool,
    cache: Path | None,
    folds: int,
    measured: int | None,
    train_share: float | None,
    limit: int | None,
    seed: int,
) -> None:
    """Fit the decision trees of content-seeker to labelled pages.

    Two trees for each page type (news, blog, forum, other) that has ten labelled pages: one tells good segments, one
    tells which segments are content.  Segments are labelled from the gold text of each page; labels that people gave
    in the web app go first.

    The report compares learners (decision tree, random forest, support vector machine, multilayer perceptron) and
    methods (the seeker with each filter, its rivals).  Pages are split by site into folds, and no page is judged by
    trees that saw its site; with --train-share, a share of the pages trains once and the others are judged.

    Position, width and height are features of rendered pages: with --render, or where the data set has NAME.json.gz
    beside NAME.html (`thresher render`).  The report then has each learner and filter with and without them.

    \b
      thresher train seeker --data data/wcxb --data data/sites -o seeker.npz
      thresher train seeker --data data/sites --render --train-share 0.1 -o visual.npz --report
      thresher train seeker --data my-pages --labels labels.jsonl -o mine.npz --report tables.md
      thresher extract page.html -m seeker --model mine.npz
    """
    from thresher.cli.complaints import complain
    from thresher.cli.progress import progress_bar
    from thresher.errors import ThresherError
    from thresher.learn.seeker.train import train
    from thresher.text.printing import plain

    try:
        with progress_bar() as tell:
            trained = train(
                folders,
                output,
                labels=labels,
                report=report is not None,
                render=render,
                cache=cache,
                folds=folds,
                train_share=train_share,
                limit=limit,
                measured=measured,
                seed=seed,
                progress=tell,
                announce=lambda words: click.echo(plain(words), err=True),
            )
        if report not in (None, "-"):
            Path(str(report)).write_text(trained.report, "utf-8")
    except (ThresherError, OSError) as error:
        raise click.ClickException(str(error)) from None
    complain([f"{record.id}: left out, {record.reason}" for record in trained.broken])
    click.echo(trained.text())
    if report == "-":
        click.echo("\n" + trained.report, nl=False)

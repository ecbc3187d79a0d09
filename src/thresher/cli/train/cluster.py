"""thresher train cluster: sites of rendered pages in, the paper's three regimes and a model over all pages out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from thresher.cli.options import data_option

if TYPE_CHECKING:
    from thresher.learn.cluster.train import TrainingLabels
    from thresher.methods.cluster.learning import Clustering
    from thresher.methods.cluster.relevance import Measure

__all__ = ["command"]


@click.command("cluster", context_settings={"max_content_width": 100})
@data_option
@click.option("-o", "--output", metavar="FILE", help="Also write a model of all pages, FILE.npz.")
@click.option(
    "--regime",
    type=click.Choice(["all", "site", "sites", "pages"]),
    default="all",
    show_default=True,
    help="What is held out: pages of one site, whole sites, random pages.",
)
@click.option("--folds", default=4, show_default=True, type=click.IntRange(2, 20), help="Folds of each regime.")
@click.option(
    "--labels",
    type=click.Choice(["grown", "site", "page", "gold"]),
    default="grown",
    show_default=True,
    help="What is learned: the best cluster and what stands beside it; that cluster alone (the paper's); the best of "
    "each page; the gold texts.",
)
@click.option(
    "--relevance",
    type=click.Choice(["pieces", "subsequence"]),
    default="pieces",
    show_default=True,
    help="How blocks are compared with descriptions; subsequence is the paper's.",
)
@click.option(
    "--clustering",
    type=click.Choice(["dbscan", "kmeans"]),
    default="dbscan",
    show_default=True,
    help="By density, as in the paper, or by K-Means.",
)
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where rendered pages are kept.  [default: ~/.cache/thresher/evaluate]",
)
@click.option("--seed", default=0, show_default=True, help="Of everything random.")
def command(
    folders: tuple[str, ...],
    output: str | None,
    regime: str,
    folds: int,
    labels: TrainingLabels,
    relevance: Measure,
    clustering: Clustering,
    cache: Path | None,
    seed: int,
) -> None:
    """Compare the three ways of paper 001 to train `cluster`, and fit a model to many sites.

    A classifier is trained for each site, on some sites for others, and on random pages, with each set of features;
    the table has precision, recall and F1 over the blocks of pages held out.  Sites are clustered and labelled one by
    one, as `thresher site learn` does; pages of data sets that come as HTML are rendered first, without a network.

    \b
    The paper's three regimes:
      thresher train cluster --data data/rendered-blocks --labels site --relevance subsequence
    The same with hand-made labels:
      thresher train cluster --data data/rendered-blocks --labels gold
    A model of many sites, for a page of yet another one:
      thresher train cluster --data data/sites --regime sites -o many.npz
      thresher extract https://example.org/ --model many.npz --render always

    A model of many sites is far worse on a new one than a model of that site: see docs/cluster.md.
    """
    from thresher.cli.complaints import complain
    from thresher.cli.progress import progress_bar
    from thresher.errors import ThresherError
    from thresher.learn.cluster.report import markdown
    from thresher.learn.cluster.train import REGIMES, train
    from thresher.methods.cluster import Options

    chosen = [name for name in REGIMES if regime in (name, "all")]
    options = Options(relevance=relevance, clustering=clustering, labels="grown" if labels == "gold" else labels)
    try:
        with progress_bar() as tell:
            trained = train(
                folders,
                output,
                chosen=chosen,
                folds=folds,
                labels=labels,
                options=options,
                cache=cache,
                seed=seed,
                progress=tell,
            )
    except (ThresherError, OSError) as error:
        raise click.ClickException(str(error)) from None
    complain([f"{record.id}: left out, {record.reason}" for record in trained.broken])
    if not trained.scores:
        click.echo("no site has pages enough to hold some out", err=True)
    click.echo(markdown(trained.scores), nl=False)
    if trained.file:
        click.echo(f"model of {trained.pages} pages of {trained.sites} sites in {trained.file}", err=True)

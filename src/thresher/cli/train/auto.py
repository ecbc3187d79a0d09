"""thresher train auto: labelled pages in, weights and a model card out."""

from __future__ import annotations

import click

from thresher.cli.options import data_option

__all__ = ["command"]


@click.command("auto")
@data_option
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="Where the weights go, FILE.npz; the card is FILE.json."
)
@click.option("--folds", default=5, show_default=True, type=click.IntRange(0, 50), help="Folds of the report; 0: none.")
@click.option(
    "--epochs", default=None, type=click.IntRange(1), help="Passes over the pages.  [default: the shipped model's]"
)
@click.option("--seed", default=0, show_default=True, help="Of everything random.")
def command(folders: tuple[str, ...], output: str, folds: int, epochs: int | None, seed: int) -> None:
    """Fit the network of the default method to labelled pages.

    The pages are split by site into folds; each fold is judged by a network that never saw its sites, and the report
    tells how good that was, by page type and with class names, words or semantic tags taken away.  The weights that
    are written are fitted to all pages.

    \b
      thresher train auto --data data/wcxb -o model.npz
      thresher train auto --data data/wcxb --data my-pages -o mine.npz --folds 3
      thresher extract page.html --model mine.npz

    Data sets differ in what they count as content.  The network is told in training which set a page is from, so what
    is only the convention of one set is not taken for more.

    A folder of your own is the simplest data set: page.html with its main text in page.txt.  Some hundred pages of
    many sites are a good start.
    """
    from thresher.cli.complaints import complain
    from thresher.cli.progress import progress_bar
    from thresher.errors import ThresherError, installable

    try:
        from thresher.learn.auto.train import train
    except ModuleNotFoundError as missing:
        message = f"training needs {missing.name}: pip install 'thresher[train]'"
        raise click.ClickException(installable(message)) from None
    try:
        with progress_bar() as report:
            card = train(folders, output, folds=folds, epochs=epochs, seed=seed, progress=report)
    except (ThresherError, OSError) as error:
        raise click.ClickException(str(error)) from None
    complain([f"{record.id}: left out, {record.reason}" for record in card.broken])
    click.echo(card.text())

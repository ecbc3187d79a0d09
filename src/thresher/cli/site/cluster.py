"""thresher site learn --method cluster: a classifier of a site's blocks, from its rendered pages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from thresher.cli.tables import shortened
from thresher.site.gathering import Gathering, Observer, SiteProgress
from thresher.text.printing import plain

if TYPE_CHECKING:
    from thresher.methods.cluster import Options
    from thresher.site.learning import LearnedSite

__all__ = ["learn_model", "observed"]

_SHOWN_BLOCKS = 3


def learn_model(wanted: Gathering, output: Path, options: Options) -> None:
    """Render, cluster, label, train, check on held-out pages, and write the model."""
    from thresher.methods.cluster import model
    from thresher.site.learning import learn_site

    with observed() as observer:
        site = learn_site(wanted, options, observer)
    try:
        model.save(site.model, output)
    except OSError as error:
        raise click.UsageError(f"cannot write {str(output)!r}: {(error.strerror or str(error)).lower()}") from None
    for line in _report(site):
        click.echo(plain(line), err=True)
    click.echo(plain(f"model in {output}; use it: thresher extract URL --model {output}"), err=True)


@contextmanager
def observed() -> Iterator[Observer]:
    """A bar for each stage on stderr where somebody watches; complaints about pages in any case."""
    if not sys.stderr.isatty():
        yield Observer(complaint=_complain)
        return
    from thresher.cli.progress import progress_bar

    with progress_bar() as report:

        def show(now: SiteProgress) -> None:
            report(now.stage, now.done, now.total)

        yield Observer(show, _complain)


def _complain(page: str, reason: str) -> None:
    click.echo(plain(f"{page}: {reason}"), err=True)


def _report(site: LearnedSite) -> list[str]:
    learned, blocks = site.learned, site.blocks
    labels, clustered = learned.labels, learned.clustered
    eps = clustered.clusters.eps  # of DBSCAN
    noise = int(np.count_nonzero(clustered.number < 0))
    rows = np.flatnonzero(labels.content)
    holding = len(set(blocks.page[rows].tolist()))
    compared = ", ".join(f"{source} ({count} pages)" for source, count in labels.sources.items())
    lines = [
        f"{len(blocks.pages)} pages of {site.name or 'a site without a name'}: {len(blocks):,} blocks in "
        f"{clustered.clusters.count} clusters" + (f", {noise:,} alone (eps {eps:.3f})" if eps else ""),
        f"content: {len(rows):,} blocks on {holding} pages, compared with {compared}",
    ]
    lines += [
        f"  “{shortened(blocks.text[k], 100)}”" for k in rows[:: max(1, len(rows) // _SHOWN_BLOCKS)][:_SHOWN_BLOCKS]
    ]
    held = learned.held_out
    if held is None:
        lines.append("too few pages to hold some out: nothing is known of how well it does")
    else:
        lines.append(
            f"held-out pages: precision {held.precision:.3f}, recall {held.recall:.3f}, F1 {held.f1:.3f}, "
            "against the labels of the clusters"
        )
    return lines

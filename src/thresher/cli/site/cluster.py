"""thresher site learn --method cluster: a classifier of a site's blocks, from its rendered pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click
import numpy as np

from thresher.cli.site.gathering import Gathering, rendered
from thresher.cli.tables import shortened
from thresher.errors import SiteError
from thresher.result.inputs import is_url
from thresher.text.printing import plain

if TYPE_CHECKING:
    from thresher.methods.cluster.blocks import SiteBlocks
    from thresher.methods.cluster.learning import Clustering, Learned
    from thresher.methods.cluster.relevance import Labelling, Measure

__all__ = ["learn_model"]

_MIN_PAGES = 3  # pages; fewer show no template
_SHOWN_BLOCKS = 3


def learn_model(
    wanted: Gathering, output: Path, measure: Measure, labelling: Labelling, clustering: Clustering = "dbscan"
) -> None:
    """Render, cluster, label, train, check on held-out pages, and write the model."""
    from thresher.methods.cluster import model
    from thresher.methods.cluster.blocks import of_pages
    from thresher.methods.cluster.learning import learn

    pages = rendered(wanted)
    if len(pages) < _MIN_PAGES:
        raise SiteError(f"{len(pages)} pages could be rendered, and a site is learned from {_MIN_PAGES} or more")
    blocks = of_pages(pages)
    learned = learn(blocks, measure, labelling, clustering)
    if not learned.labels.content.any():
        raise SiteError("no cluster of blocks was found that could be content; try more pages")
    try:
        model.save(model.made_of(learned, blocks, _site(wanted, blocks)), output)
    except OSError as error:
        raise click.UsageError(f"cannot write {str(output)!r}: {(error.strerror or str(error)).lower()}") from None
    for line in _report(learned, blocks, _site(wanted, blocks)):
        click.echo(plain(line), err=True)
    click.echo(plain(f"model in {output}; use it: thresher extract URL --model {output}"), err=True)


def _site(wanted: Gathering, blocks: SiteBlocks) -> str:
    """The host of the pages, or the name of the folder where they have none of their own."""
    if not is_url(wanted.source) and not wanted.root:
        return Path(wanted.source).resolve().name
    return urlsplit(blocks.pages[0].url or "").netloc


def _report(learned: Learned, blocks: SiteBlocks, site: str) -> list[str]:
    labels, clustered = learned.labels, learned.clustered
    eps = clustered.clusters.eps  # of DBSCAN
    noise = int(np.count_nonzero(clustered.number < 0))
    rows = np.flatnonzero(labels.content)
    holding = len(set(blocks.page[rows].tolist()))
    compared = ", ".join(f"{source} ({count} pages)" for source, count in labels.sources.items())
    lines = [
        f"{len(blocks.pages)} pages of {site or 'a site without a name'}: {len(blocks):,} blocks in "
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

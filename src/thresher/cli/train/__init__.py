"""thresher train: train a learned method on labelled pages, one file per method."""

from __future__ import annotations

import click

from thresher.cli.groups import LazyGroup

__all__ = ["command"]


@click.group(
    "train",
    cls=LazyGroup,
    package="thresher.cli.train",
    lines={
        "auto": "Fit the network of the default method.",
        "cluster": "Compare ways to train cluster, and fit it to many sites.",
        "seeker": "Fit the decision trees of content-seeker.",
    },
)
def command() -> None:
    """Fit a learned method to labelled pages."""

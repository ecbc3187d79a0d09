"""Complaints on stderr, the first ones by name."""

from __future__ import annotations

from collections.abc import Sequence

import click

from thresher.text.printing import plain

__all__ = ["complain"]

_MAX_SHOWN = 20


def complain(lines: Sequence[str]) -> None:
    """The first complaints on stderr, and how many more there are."""
    for line in lines[:_MAX_SHOWN]:
        click.echo(plain(line), err=True)
    if len(lines) > _MAX_SHOWN:
        click.echo(f"… and {len(lines) - _MAX_SHOWN:,} more", err=True)

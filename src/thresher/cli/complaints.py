"""Complaints on stderr, the first ones by name."""

from __future__ import annotations

from collections.abc import Sequence

import click

from thresher.text.printing import plain

__all__ = ["complain"]

_SHOWN = 20


def complain(lines: Sequence[str]) -> None:
    """The first complaints on stderr, and how many more there are."""
    for line in lines[:_SHOWN]:
        click.echo(plain(line), err=True)
    if len(lines) > _SHOWN:
        click.echo(f"… and {len(lines) - _SHOWN:,} more", err=True)

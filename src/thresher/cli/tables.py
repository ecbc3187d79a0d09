"""Tables on the terminal, wide enough to read when piped into a file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["console", "shortened"]

_PIPED_WIDTH = 160  # columns, where there is no terminal to ask


def console() -> Console:
    """Where tables are printed: the terminal as wide as it is, a pipe as wide as tables like."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH, highlight=False)


def shortened(text: str, length: int = 80) -> str:
    """The start of a text."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"

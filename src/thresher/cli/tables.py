"""Tables on the terminal, wide enough to read when piped into a file."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["console", "piped_width", "shortened"]

_PIPED_WIDTH = 160  # columns, where there is no terminal to ask
_MIN_WIDTH = 20


def console() -> Console:
    """Where tables are printed: the terminal as wide as it is, a pipe as wide as tables like."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else piped_width(_PIPED_WIDTH), highlight=False)


def piped_width(default: int) -> int:
    """Columns of what goes into a pipe: those that COLUMNS asks for, or as many as tables like."""
    asked = os.environ.get("COLUMNS", "")
    return max(int(asked), _MIN_WIDTH) if asked.isascii() and asked.isdigit() else default


def shortened(text: str, length: int = 80) -> str:
    """The start of a text."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"

"""Tables in which our figures stand under those that a paper prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from thresher.evaluate.tables import NONE, ScoreCell, ScoreTable

__all__ = ["FigureRow", "column_means", "paired", "percent", "printed"]

Figures = Sequence[float]
"""The numbers of one row; nan where there is none."""


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One row of a paper's table: what it prints, and what we measure; either may be missing."""

    name: str
    paper: Figures | None = None
    ours: Figures | None = None


def paired(
    caption: str, head: Sequence[str], rows: Sequence[FigureRow], decimals: Sequence[int] | int = 3, note: str = ""
) -> ScoreTable:
    """A table with a line `paper` and a line `ours` for each row that has both.

    `head` names the first column and the numbers; `decimals` is one number for all columns, or one for each.
    """
    columns = len(head) - 1
    places = [decimals] * columns if isinstance(decimals, int) else list(decimals)
    lines = []
    for row in rows:
        name = row.name
        for whose, figures in (("paper", row.paper), ("ours", row.ours)):
            if figures is not None:
                cells = [ScoreCell(printed(value, digits)) for value, digits in zip(figures, places, strict=True)]
                lines.append((ScoreCell(name), ScoreCell(whose), *cells))
                name = ""  # once is enough
    return ScoreTable(caption, (head[0], "figures", *head[1:]), tuple(lines), note)


def printed(value: float, decimals: int = 3) -> str:
    """A figure as tables have it."""
    return NONE if isnan(value) else f"{value:,.{decimals}f}"


def percent(*shares: float) -> tuple[float, ...]:
    """Shares of 1 as the papers that count in percent have them."""
    return tuple(100 * share for share in shares)


def column_means(rows: Iterable[Figures]) -> list[float]:
    """The mean of each column, gaps left out."""
    means: list[float] = np.nanmean(np.array(list(rows)), axis=0).tolist()
    return means

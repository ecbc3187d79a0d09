"""Box plots and a scatter plot as inline SVG: no library, no script; colours come from the page's style sheet.

Classes: `ours` and `peer` colour a method's marks; `axis`, `grid`, `label` the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

import numpy as np

from thresher.page.types import Floats

ROW = 20  # px from one box to the next
TOP, BOTTOM = 8, 26  # px above and below the plotting area
CHARACTER = 6.7  # px a character of a label takes at most


@dataclass(frozen=True, slots=True)
class Series:
    """One method's scores on one kind of pages."""

    label: str
    kind: str  # "ours" or "peer"
    values: Floats


@dataclass(frozen=True, slots=True)
class Point:
    """One method in the scatter plot: milliseconds across, mean F1 up, with the interval of the mean."""

    label: str
    kind: str
    x: float
    y: float
    low: float
    high: float


def box_plot(series: Sequence[Series], width: int = 420) -> str:
    """A horizontal box for each series on a scale from 0 to 1.

    The box spans the quartiles, the line in it is the median, the whiskers end at the 5th and 95th percentile, the
    dot is the mean.
    """
    left = 12 + CHARACTER * max((len(s.label) for s in series), default=0)
    span = width - left - 14
    height = TOP + ROW * len(series) + BOTTOM
    parts = [_ticks(left, span, height)]
    for number, one in enumerate(series):
        y = TOP + ROW * number + ROW / 2
        parts.append(_text(left - 8, y + 4, one.label, "label end"))
        if len(one.values):
            parts.append(_box(one, y, left, span))
    title = "F1 of " + ", ".join(s.label for s in series)
    return _svg(width, height, title, parts)


def scatter(points: Sequence[Point], width: int = 820, height: int = 440) -> str:
    """F1 against time on a logarithmic scale; the vertical line through a point is the interval of its mean."""
    shown = [p for p in points if p.x > 0]
    if not shown:
        return ""
    left, right, top, bottom = 48, 150, 24, 44
    # Two ticks at least: 2, 5 and 10 are 0.7 apart.
    x_low, x_high = log10(min(p.x for p in shown)) - 0.35, log10(max(p.x for p in shown)) + 0.35
    y_low = floor(20 * min(p.low for p in shown)) / 20
    y_high = max(ceil(20 * max(p.high for p in shown)) / 20, y_low + 0.05)

    def across(x: float) -> float:
        return left + (log10(x) - x_low) / (x_high - x_low) * (width - left - right)

    def up(y: float) -> float:
        return top + (y_high - y) / (y_high - y_low) * (height - top - bottom)

    parts = []
    for tick in _log_ticks(x_low, x_high):
        x = across(tick)
        parts.append(f'<path class="grid" d="M{x:.1f} {top}V{height - bottom}"/>')
        parts.append(_text(x, height - bottom + 16, f"{tick:g}", "axis middle"))
    step = 0.1 if y_high - y_low > 0.5 else 0.05 if y_high - y_low > 0.15 else 0.01
    for k in range(ceil(y_low / step - 1e-9), floor(y_high / step + 1e-9) + 1):
        y = up(k * step)
        parts.append(f'<path class="grid" d="M{left} {y:.1f}H{width - right}"/>')
        parts.append(_text(left - 8, y + 4, f"{k * step:.2f}", "axis end"))
    parts.append(_text((left + width - right) / 2, height - 6, "CPU milliseconds per page (log)", "axis middle"))
    parts.append(_text(left - 8, top - 12, "F1", "axis end"))
    spots = [(across(p.x), up(p.y), p.label) for p in shown]
    places = _beside(spots) or _column(spots, width - right + 12, top, height - bottom)
    for point, (label_x, label_y) in zip(shown, places, strict=True):
        x, y = across(point.x), up(point.y)
        interval = f"M{x:.1f} {up(point.high):.1f}V{up(point.low):.1f}"
        parts.append(f'<path class="whisker {point.kind}" d="{interval}"/>')
        parts.append(f'<circle class="mark {point.kind}" cx="{x:.1f}" cy="{y:.1f}" r="5"/>')
        if abs(label_y - y) > 7 or label_x - x > 12:
            parts.append(f'<path class="leader" d="M{x + 5:.1f} {y:.1f}L{label_x - 2:.1f} {label_y:.1f}"/>')
        parts.append(_text(label_x, label_y + 4, point.label, f"label {point.kind}"))
    return _svg(width, height, "F1 against CPU time", parts)


def _box(one: Series, y: float, left: float, span: float) -> str:
    low, q1, median, q3, high = (left + span * q for q in np.quantile(one.values, (0.05, 0.25, 0.5, 0.75, 0.95)))
    mean = left + span * one.values.mean()
    return (
        f'<path class="whisker {one.kind}" d="M{low:.1f} {y}H{q1:.1f}M{q3:.1f} {y}H{high:.1f}"/>'
        f'<rect class="box {one.kind}" x="{q1:.1f}" y="{y - 6}" width="{max(q3 - q1, 1):.1f}" height="12"/>'
        f'<path class="median {one.kind}" d="M{median:.1f} {y - 6}v12"/>'
        f'<circle class="mark {one.kind}" cx="{mean:.1f}" cy="{y}" r="2.5"/>'
    )


def _ticks(left: float, span: float, height: float) -> str:
    """Vertical lines and numbers at 0, ¼, ½, ¾, 1."""
    parts = []
    for tick in (0, 0.25, 0.5, 0.75, 1):
        x = left + span * tick
        parts.append(f'<path class="grid" d="M{x:.1f} {TOP}V{height - BOTTOM}"/>')
        parts.append(_text(x, height - BOTTOM + 15, f"{tick:g}", "axis middle"))
    return "".join(parts)


def _log_ticks(low: float, high: float) -> list[float]:
    """1, 2, 5, 10, 20, … between two powers of ten."""
    ticks = [m * 10.0**k for k in range(floor(low), ceil(high) + 1) for m in (1, 2, 5)]
    return [tick for tick in ticks if low <= log10(tick) <= high]


def _beside(points: Sequence[tuple[float, float, str]]) -> list[tuple[float, float]] | None:
    """A place for each label right of its point, a little up or down where others are; None where it is crowded."""
    taken = [(x - 6, y - 6, x + 6, y + 6) for x, y, _ in points]
    places = []
    for x, y, label in points:
        boxes = [(x + 9, y + d - 6, x + 9 + CHARACTER * len(label), y + d + 6) for d in (0, -12, 12)]
        free = [box for box in boxes if not any(_overlap(box, other) for other in taken)]
        if not free:
            return None
        taken.append(free[0])
        places.append((x + 9, free[0][1] + 6))
    return places


def _column(points: Sequence[tuple[float, float, str]], x: float, low: float, high: float) -> list[tuple[float, float]]:
    """The labels one below the other at x, in the order of their points' heights, as near to them as room allows."""
    order = sorted(range(len(points)), key=lambda i: points[i][1])
    step = min(14.0, (high - low) / len(points))
    heights = [points[i][1] for i in order]
    for k in range(1, len(order)):  # push down what is too close
        heights[k] = max(heights[k], heights[k - 1] + step)
    for k in reversed(range(len(order))):  # and back up what fell off the foot
        heights[k] = min(heights[k], high if k == len(order) - 1 else heights[k + 1] - step)
    places = dict(zip(order, heights, strict=True))
    return [(x, places[i]) for i in range(len(points))]


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _text(x: float, y: float, text: str, classes: str) -> str:
    return f'<text class="{classes}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )

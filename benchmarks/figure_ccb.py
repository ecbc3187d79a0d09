"""Draw docs/images/ccb.svg: the content code vector of a page as a strip of grey, blurred pass by pass.

    python benchmarks/figure_ccb.py

The page is tests/pages/article-between-menus.  White is content, black is code, as in figure 2 of the paper; below the
strips stand the values after the last of them with the threshold, and the texts that CCB keeps.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thresher.methods import _blur, _tokens, ccb
from thresher.parse import parse

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "tests" / "pages" / "article-between-menus" / "source.html"
FIGURE = ROOT / "docs" / "images" / "ccb.svg"

LEFT, WIDTH, STRIP, GAP, TOP = 110, 760, 34, 10, 34  # pixels
CURVE = 110
SHADES = 24
PASSES = (0, 1, 2, 4, 8)


def main() -> None:
    page = parse(PAGE.read_bytes())
    options = ccb.Options()
    runs = _blur.bounded(_tokens.characters(page), options.range)
    vector = _tokens.spread(runs)
    blurred = _blur.blurred(_blur.shrink(vector, 1), _blur.gauss(options.range))
    values = [vector.astype(np.float64), *islice(blurred, max(PASSES))]
    FIGURE.parent.mkdir(parents=True, exist_ok=True)
    FIGURE.write_text(draw(values, runs, ccb.judge(page, options).keep, options.threshold))


def draw(values: list[NDArray[np.float64]], runs: _tokens.Runs, keep: NDArray[np.bool_], threshold: float) -> str:
    units = len(values[0])
    parts = []
    y = TOP
    for k in PASSES:
        label = "the vector" if k == 0 else f"{k} pass" + "es" * (k > 1)
        parts.append(text(LEFT - 10, y + STRIP / 2 + 4, label, "end"))
        parts.append(strip(columns(values[k]), y))
        y += STRIP + GAP
    parts.append(curve(columns(values[PASSES[-1]]), y + GAP, threshold))
    y += CURVE + 2 * GAP
    stop = runs.stop
    spans = [(a, b) for a, b, kept in zip(stop - runs.content, stop, keep, strict=True) if kept]
    path = "".join(f"M{place(a, units):.1f} {y}H{place(b, units):.1f}v12H{place(a, units):.1f}z" for a, b in spans)
    parts.append(text(LEFT - 10, y + 10, "kept", "end") + f'<path d="{path}" fill="#2a7f3f"/>')
    y += 12
    first, last = spans[0][0], spans[-1][1]
    for start, end, name in ((0, first, "head, menus, headline"), (first, last, "article"), (last, units, "menus")):
        a, b = place(start, units) + 2, place(end, units) - 2
        parts.append(f'<path d="M{a:.1f} {TOP - 6}v-4H{b:.1f}v4" fill="none" stroke="#666"/>')
        parts.append(text((a + b) / 2, TOP - 15, name, "middle"))
    height = y + 16
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {height}" role="img" '
        'aria-label="A content code vector before and after blurring" font-family="sans-serif" font-size="13">\n'
        f'<rect width="100%" height="100%" fill="#f4f1ea"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def columns(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """One value per pixel: the mean of the units that fall on it."""
    edge = np.linspace(0, len(values), WIDTH + 1)
    running = np.concatenate(([0.0], np.cumsum(values)))
    means: NDArray[np.float64] = np.diff(np.interp(edge, np.arange(len(running)), running)) / np.diff(edge)
    return means


def strip(values: NDArray[np.float64], y: float) -> str:
    """A row of pixels, each shade one path."""
    shade = np.round(values * (SHADES - 1)).astype(int)
    start = np.concatenate(([0], np.flatnonzero(np.diff(shade)) + 1))
    length = np.diff(start, append=len(shade))
    paths: dict[int, str] = {}
    for x, width in zip(start.tolist(), length.tolist(), strict=True):
        grey = int(shade[x])
        paths[grey] = paths.get(grey, "") + f"M{LEFT + x} {y}h{width}v{STRIP}h-{width}z"
    pieces = []
    for grey, path in paths.items():
        level = f"{round(255 * grey / (SHADES - 1)):02x}"
        pieces.append(f'<path d="{path}" fill="#{level * 3}"/>')
    return '<g shape-rendering="crispEdges">' + "".join(pieces) + "</g>"


def curve(values: NDArray[np.float64], y: float, threshold: float) -> str:
    """The values as a line, with the threshold."""
    bottom = y + CURVE
    points = " ".join(f"{LEFT + x},{bottom - CURVE * value:.1f}" for x, value in enumerate(values.tolist()))
    line = bottom - CURVE * threshold
    return (
        f'<path d="M{LEFT} {y}V{bottom}H{LEFT + WIDTH}" fill="none" stroke="#999"/>'
        f'<polyline points="{points}" fill="none" stroke="#222" stroke-width="1.2"/>'
        f'<path d="M{LEFT} {line}h{WIDTH}" stroke="#c0392b" stroke-dasharray="5 4"/>'
        + text(LEFT - 10, line + 4, f"{threshold:g}", "end")
        + text(LEFT - 10, y + 8, "1", "end")
        + text(LEFT - 10, bottom, "0", "end")
    )


def place(unit: float, units: int) -> float:
    return LEFT + WIDTH * float(unit) / units


def text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#222">{words}</text>'


if __name__ == "__main__":
    main()

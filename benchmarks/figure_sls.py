"""Draw docs/images/sls-before.svg and sls-after.svg: the string lengths of a page before and after smoothing.

    python benchmarks/figure_sls.py

The page is a golden page of ours, tests/pages/short-lines-between-long-ones.  The two pictures are the figures 2 and
3 of Louvan's paper drawn for it: a bar for each string and an empty place for each structural tag; after smoothing the
standard deviation is a red line, and the strings above it, dark, are kept.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thresher import parse
from thresher.methods import sls
from thresher.methods._segments import body

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "tests" / "pages" / "short-lines-between-long-ones" / "source.html"
IMAGES = ROOT / "docs" / "images"

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 760, 260, 48, 34, 30
KEPT, LEFT_OUT, TAG, LINE, INK = "#1f5f99", "#9db8cf", "#e3e3e3", "#c0392b", "#333333"


def main() -> None:
    page = parse(PAGE.read_bytes())
    segment = body(page)
    lengths, _, place = sls.string_lengths(page, segment)
    smoothed = sls.smoothed(lengths, sls.Options().radius)
    is_string = np.zeros(len(lengths), bool)
    is_string[place] = True
    kept = is_string & (smoothed >= smoothed.std())
    IMAGES.mkdir(parents=True, exist_ok=True)
    before = chart("String lengths before smoothing", lengths, np.where(is_string, KEPT, TAG), None)
    colours = np.where(kept, KEPT, np.where(is_string, LEFT_OUT, TAG))
    after = chart("String lengths after smoothing", smoothed, colours, float(smoothed.std()))
    (IMAGES / "sls-before.svg").write_text(before)
    (IMAGES / "sls-after.svg").write_text(after)


def chart(title: str, values: NDArray[np.float64], colours: NDArray[np.str_], line: float | None) -> str:
    """A bar chart as SVG; `line` is drawn across, with its value."""
    top = nice(float(values.max()))
    step = (WIDTH - LEFT - 12) / len(values)
    scale = (HEIGHT - TOP - BOTTOM) / top
    base = HEIGHT - BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"',
        'font-family="sans-serif" font-size="12">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="18" font-size="14" fill="{INK}">{title}</text>',
    ]
    for mark in (0, top / 2, top):
        y = base - mark * scale
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 12}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" fill="{INK}">{mark:g}</text>')
    for k, (value, colour) in enumerate(zip(values.tolist(), colours.tolist(), strict=True)):
        height = max(value * scale, 1.5)  # an empty element is a dash on the axis
        x, y, width = LEFT + k * step, base - height, step * 0.8
        parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>')
    if line is not None:
        y = base - line * scale
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - 12}" y1="{y:.1f}" y2="{y:.1f}" stroke="{LINE}" stroke-width="1.5"/>'
        )
        parts.append(f'<text x="{WIDTH - 12}" y="{y - 5:.1f}" text-anchor="end" fill="{LINE}">σ = {line:.1f}</text>')
    parts.append(
        f'<text x="{(LEFT + WIDTH) / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle" fill="{INK}">'
        "strings and structural tags in the order of the page</text>"
    )
    return "\n".join([*parts, "</svg>"]) + "\n"


def nice(value: float) -> float:
    """The next multiple of 20, or of 100 from 100 on."""
    step = 100 if value > 100 else 20
    return step * -(-value // step)


if __name__ == "__main__":
    main()

"""CETR: content extraction via tag ratios.  Weninger, Hsu, Han, WWW 2010, doi:10.1145/1772690.1772789.

For each line i of the page

    T_i  = characters / max(tags, 1)                    tag_ratio
    T'_i = Σ_{|j| ≤ r} g_j T_{i+j}                      smooth          g_j ∝ exp(-j² / 2r²), r = 1
    D_i  = | mean(T'_{i+1} … T'_{i+α}) - T'_i |         jump            α = 3
    G_i  = (T'_i, D'_i), D' being D smoothed like T     cluster

Content lines have a high ratio, or stand where the ratio jumps.  The points G are clustered by k-means with k = 3, one
centroid held at the origin; the lines nearest to it are noise, all others are content.

Choices.  A line is a block: the texts with no block boundary between them, with the tags inside and those since the
block before.  Lines of the source are whatever a minifier made of them, and cost 0.015 F1 (150 pages of wcxb).  Beyond
both ends of the page the ratio is 0.  Characters are those that leave ink and that a reader sees.  The other two
centroids start at the point farthest from the origin and halfway to it, so the result is always the same; a centroid
that loses all its points stays where it is, and a point as near to two centroids goes to the one named first.

Weaknesses.  Clusters are relative: one huge block (a pasted log, a licence) pulls the centroids up until ordinary
paragraphs are nearer to the origin.  Smoothing keeps short lines between long ones, and so also the first line of
whatever follows the article (tests/pages/short-lines-between-long-ones).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods._options import Count, option
from thresher.methods._tokens import tags_before
from thresher.page import Page
from thresher.page.columns import chars
from thresher.page.tree import block_sum
from thresher.page.types import Floats, Rows
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "cluster", "judge", "jump", "smooth", "tag_ratio"]


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    radius: Count = option(1, "lines on either side that smoothing looks at")
    ahead: Count = option(3, "α, lines the jump looks ahead")
    rounds: Count = option(100, "of k-means, at most")


def judge(page: Page, options: Options = Options()) -> Verdict:
    """Keep the texts of the lines that are not in the origin's cluster."""
    seen = readable(page)
    if not seen.any():
        return Verdict(page, seen)
    height = smooth(tag_ratio(page), options.radius)
    slope = smooth(jump(height, options.ahead), options.radius)
    content = cluster(np.stack((height, slope), axis=1), options.rounds) > 0
    return Verdict(page, content[page.block] & seen)


def tag_ratio(page: Page) -> Floats:
    """T_i = characters / max(tags, 1) of each line; a line ends with the last text of its block."""
    last = np.flatnonzero(np.diff(page.block, append=-1))
    tags = np.diff(tags_before(page)[0][last], prepend=0)
    ratio: Floats = block_sum(page, chars(page) * readable(page)) / np.maximum(tags, 1)
    return ratio


def smooth(x: Floats, radius: int) -> Floats:
    """x'_i = Σ_{j = -r..r} g_j x_{i+j}, as 2r + 1 shifted copies."""
    distance = np.arange(-radius, radius + 1)
    weight = np.exp(-(distance**2) / (2 * radius**2))
    padded = np.pad(x, radius)
    result = np.zeros(len(x))
    for offset, share in enumerate((weight / weight.sum()).tolist()):
        result += share * padded[offset : offset + len(x)]
    return result


def jump(x: Floats, ahead: int) -> Floats:
    """D_i = | (x_{i+1} + … + x_{i+α}) / α - x_i |, as α shifted copies."""
    padded = np.pad(x, (0, ahead))
    total = np.zeros(len(x))
    for offset in range(1, ahead + 1):
        total += padded[offset : offset + len(x)]
    return np.abs(total / ahead - x)


def cluster(points: Floats, rounds: int) -> Rows:
    """The number of each point's cluster: 0 is the origin's."""
    top = points[np.argmax((points**2).sum(axis=1))]
    centroids = np.stack((np.zeros(2), top / 2, top))
    label = np.full(len(points), -1)
    for _ in range(rounds):
        distance = ((points[:, None, :] - centroids) ** 2).sum(axis=2)
        previous, label = label, np.argmin(distance, axis=1)
        if (label == previous).all():
            break
        size = np.bincount(label, minlength=3)
        total = np.stack([np.bincount(label, axis, minlength=3) for axis in points.T], axis=1)
        moved = size > 0
        moved[0] = False
        centroids[moved] = total[moved] / size[moved, None]
    return label

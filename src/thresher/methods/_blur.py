"""Content code blurring, the part its three variants share: blur the vector again and again until the extract settles.

    v⁰_k = 1 for content, 0 for code
    vⁱ_k = Σ_{j = -r..r} g_j vⁱ⁻¹_{k+j}          g_j ∝ exp(-j² / 2σ²), Σ g_j = 1

The paper gives the range r and the threshold, and leaves the rest open.  Choices, measured on 150 pages of wcxb:

- σ = r / 3, so that at the edge of the range a weight has fallen to a hundredth of the middle one, as in the blurring
  filters of image programs (σ = r / 2 costs 0.01 to 0.02 F1).  Beyond both ends of the page lies code.
- The iteration ends at "a low rate of changes" of the extracted text: when at most `settled` = 5 % of it, in units of
  content, changed in the last pass.  That takes 3 passes in the mean and 11 at most.  Allowing 1 % takes 6 and 30 and
  costs CCB 0.016 F1, no change at all 10 and 45 and 0.020: on a long page some text always lies on the edge.  Floats
  settle nowhere but at 0, for i passes are one Gaussian of i times the variance; so there is a bound, too.
- A verdict is on whole texts: a text is kept when half of its units or more are above the threshold.  Cutting texts
  into words, as the paper does, scores 0.02 to 0.04 F1 less, for it cuts off the first and last words of paragraphs.
  Keeping a text for any unit above scores 0.01 more, asking for three quarters 0.03 to 0.04 less.

Two economies keep a pass at O(n), whatever the range:

- Code longer than 8r counts as 8r.  After i passes the blur has the width s = σ√i, and what lies 8r away weighs
  Φ(-8r / s): 10⁻⁵ after 32 passes.  No verdict changed on those pages.  Scripts and styles, which the canonical form
  leaves out, mostly lengthen code that is long already; the bound makes that difference vanish.
- The vector is averaged over steps of d = r // 16 units (2 for r = 40, none for r = 25), so the filter has about 40
  taps.  That moves a value by at most d / (2σ√(2π)) = 0.03 where it is steepest, and 0.3 % (CCB) to 0.5 % (ACCB) of the
  verdicts, most of them on the few pages that settle a pass earlier or later for it (40 pages of wcxb).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from thresher.methods._options import Count, Share, option
from thresher.methods._tokens import Runs, majority, spread
from thresher.page.types import Bools, Bytes, Floats

__all__ = ["Blur", "blurred", "bounded", "gauss", "settle", "shrink"]


_FAR = 8  # ranges: code beyond separates no better
_TAPS = 16  # steps a range is divided into, at least


@dataclass(frozen=True, slots=True)
class Blur:
    range: Count = option(40, "units on either side that a pass looks at")
    threshold: Share = option(0.75, "content code ratio above which a unit is main content")
    settled: Share = option(0.05, "share of the extract that may change in the last pass")
    passes: Count = option(32, "at most; 11 is the most seen")


def settle(runs: Runs, blur: Blur) -> Bools:
    """Which texts are kept once the extract has settled."""
    keep = runs.content > 0
    if not keep.any():
        return keep
    runs = bounded(runs, blur.range)
    step = max(1, blur.range // _TAPS)
    weights = gauss(blur.range / step)
    extract = None
    for vector in islice(blurred(shrink(spread(runs), step), weights), blur.passes):
        keep = majority(runs, vector > blur.threshold, step)
        before, extract = extract, runs.content * keep
        if before is not None and np.abs(extract - before).sum() <= blur.settled * extract.sum():
            break
    return keep


def bounded(runs: Runs, reach: int) -> Runs:
    """The same runs, with no code longer than the blur can look across."""
    return Runs(np.minimum(runs.code, _FAR * reach), runs.content)


def gauss(reach: float) -> Floats:
    """The weights g_j for j = -reach..reach, with σ = reach / 3."""
    taps = max(1, round(reach))
    distance = np.arange(-taps, taps + 1)
    weight = np.exp(-0.5 * (3 * distance / reach) ** 2)
    weights: Floats = weight / weight.sum()
    return weights


def blurred(vector: Floats, weights: Floats) -> Iterator[Floats]:
    """v¹, v², v³, …  Each has the length of the vector; beyond its ends lies code."""
    reach = len(weights) // 2
    while True:
        vector = np.convolve(vector, weights)[reach : reach + len(vector)]
        yield vector


def shrink(vector: Bytes, step: int) -> Floats:
    """The mean of each `step` units; the last step is filled up with code."""
    padded = np.zeros(-(-len(vector) // step) * step, np.uint8)
    padded[: len(vector)] = vector
    total = padded[0::step].astype(np.float64)
    for offset in range(1, step):
        total += padded[offset::step]
    return total / step

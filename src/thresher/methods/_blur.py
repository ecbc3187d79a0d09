"""Content code blurring, the part its three variants share: blur the vector again and again until the extract settles.

    v⁰_k = 1 for content, 0 for code
    vⁱ_k = Σ_{j = -r..r} g_j vⁱ⁻¹_{k+j}          g_j ∝ exp(-j² / 2σ²), Σ g_j = 1

The paper gives the range r and the threshold, and leaves the rest open.  Choices, measured on 150 pages of wcxb:

- Whole texts (`unit=text`), on which the following holds.
- σ = r / 3, so that at the edge of the range a weight has fallen to a hundredth of the middle one, as in the blurring
  filters of image programs (σ = r / 2 costs 0.01 to 0.02 F1).  Beyond both ends of the page lies code.
- The iteration ends at "a low rate of changes" of the extracted text: when at most `settled` = 5 % of it, in units of
  content, changed in the last pass.  That takes 3 passes in the mean and 11 at most.  Allowing 1 % takes 6 and 30 and
  costs CCB 0.016 F1, no change at all 10 and 45 and 0.020: on a long page some text always lies on the edge.  Floats
  settle nowhere but at 0, for i passes are one Gaussian of i times the variance; so there is a bound, too.
- A verdict is on whole texts: a text is kept when half of its units or more are above the threshold.  Cutting texts
  into words, as the paper does, scores 0.02 to 0.04 F1 less, for it cuts off the first and last words of paragraphs.
  Keeping a text for any unit above scores 0.01 more, asking for three quarters 0.03 to 0.04 less.

With `unit=word` the paper is followed as printed.  The vector runs over the source, scripts and styles included
(`_source`); at the ends of the page the average is one of the neighbours that there are; a word is kept when one of its
units is above the threshold ("words are always extracted entirely"); the iteration ends when the extracted words no
longer change.  The paper says "Gauss distribution" and no more: σ is that of image programs, with which a neighbour at
the edge of the range weighs 1/255 of the middle.  It takes 50 passes in the median and 400 at most, each of which cuts
more words off the ends of paragraphs, and scores 0.05 to 0.10 F1 less than whole texts on articles (docs/findings.md).

Two economies keep a pass at O(n), whatever the range:

- Code longer than 8r counts as 8r.  After i passes the blur has the width s = σ√i, and what lies 8r away weighs
  Φ(-8r / s): 10⁻⁵ after 32 passes.  No verdict changed on those pages.  Scripts and styles, which the canonical form
  leaves out, mostly lengthen code that is long already; the bound makes that difference vanish.
- The vector is averaged over steps of d = r // 16 units (2 for r = 40, none for r = 25), so the filter has about 40
  taps.  That moves a value by at most d / (2σ√(2π)) = 0.03 where it is steepest, and 0.3 % (CCB) to 0.5 % (ACCB) of the
  verdicts, most of them on the few pages that settle a pass earlier or later for it (40 pages of wcxb).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np

from thresher.methods._options import Count, Share, option
from thresher.methods._source import SourceVector, shortened, word_spans
from thresher.methods._tokens import Runs, majority, spread
from thresher.page import Page
from thresher.page.pieces import cut_texts
from thresher.page.types import Bools, Bytes, Floats
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["Blur", "blurred", "bounded", "gauss", "keep_words", "settle", "settle_words", "shrink"]


_FAR = 8  # ranges: code beyond separates no better
_FAR_WORDS = 64  # the same for words: in 32 passes nothing comes across
_WORD_DEVIATIONS = math.sqrt(2 * math.log(255))  # at the edge of the range one of 255 shades of grey is left
_MAX_PASSES = 32  # 11 is the most seen
_MAX_WORD_PASSES = 1_000
_TAPS = 16  # steps a range is divided into, at least


@dataclass(frozen=True, slots=True)
class Blur:
    unit: Literal["text", "word"] = option("text", "what is kept or left out; word is the paper as printed")
    range: Count = option(40, "units on either side that a pass looks at")
    threshold: Share = option(0.75, "content code ratio above which a unit is main content")
    settled: Share = option(0.05, "share of the extract that may change in the last pass; of words none may")
    passes: Count | None = option(None, "at most; unless given 32 for texts and 1,000 for words")

    @property
    def most_passes(self) -> int:
        return self.passes or (_MAX_PASSES if self.unit == "text" else _MAX_WORD_PASSES)


def settle(runs: Runs, blur: Blur) -> Bools:
    """Which texts are kept once the extract has settled."""
    keep = runs.content > 0
    if not keep.any():
        return keep
    runs = bounded(runs, blur.range)
    step = max(1, blur.range // _TAPS)
    weights = gauss(blur.range / step)
    extract = None
    for vector in islice(blurred(shrink(spread(runs), step), weights), blur.most_passes):
        keep = majority(runs, vector > blur.threshold, step)
        before, extract = extract, runs.content * keep
        if before is not None and np.abs(extract - before).sum() <= blur.settled * extract.sum():
            break
    return keep


def bounded(runs: Runs, reach: int) -> Runs:
    """The same runs, with no code longer than the blur can look across."""
    return Runs(np.minimum(runs.code, _FAR * reach), runs.content)


def gauss(reach: float, deviations: float = 3.0) -> Floats:
    """The weights g_j for j = -reach..reach, with σ = reach / deviations."""
    taps = max(1, round(reach))
    distance = np.arange(-taps, taps + 1)
    weight = np.exp(-0.5 * (deviations * distance / reach) ** 2)
    weights: Floats = weight / weight.sum()
    return weights


def blurred(vector: Floats, weights: Floats) -> Iterator[Floats]:
    """v¹, v², v³, …  Each has the length of the vector; beyond its ends lies code."""
    while True:
        vector = _convolved(vector, weights)
        yield vector


def shrink(vector: Bytes, step: int) -> Floats:
    """The mean of each `step` units; the last step is filled up with code."""
    padded = np.zeros(-(-len(vector) // step) * step, np.uint8)
    padded[: len(vector)] = vector
    total = padded[0::step].astype(np.float64)
    for offset in range(1, step):
        total += padded[offset::step]
    return total / step


def keep_words(page: Page, vector: SourceVector, blur: Blur) -> Verdict:
    """The readable words that stay content: the page with its texts cut where that changes."""
    kept = settle_words(shortened(vector, _FAR_WORDS * blur.range), blur)
    start, stop, number = word_spans(page, vector)
    keep = kept[number]
    change = np.flatnonzero(keep[1:] != keep[:-1]) + 1
    text = np.searchsorted(page.start, start, side="right") - 1
    change = change[text[change] == text[change - 1]]
    pieces, of_text = cut_texts(page, stop[change - 1])
    first = np.searchsorted(start, np.sort(np.concatenate((page.start, stop[change - 1]))))
    has_word = first < np.searchsorted(start, page.stop[of_text])
    mask = np.zeros(len(of_text), bool)
    mask[has_word] = keep[first[has_word]]
    return Verdict(pieces, mask & readable(page)[of_text])


def settle_words(vector: SourceVector, blur: Blur) -> Bools:
    """Which words are main content once the extracted text no longer changes: those with a unit above the threshold."""
    words = len(vector.start)
    unit = np.flatnonzero(vector.word >= 0)
    word = vector.word[unit]
    values = vector.content.astype(np.float64)
    weights = gauss(blur.range, _WORD_DEVIATIONS)
    inside = _convolved(np.ones(len(values)), weights)  # the weights of neighbours that there are
    before = None
    keep = np.zeros(words, bool)
    for _ in range(blur.most_passes):
        values = _convolved(values, weights) / inside
        keep = np.bincount(word, values[unit] > blur.threshold, minlength=words) > 0
        if before is not None and (keep == before).all():
            break
        before = keep
    return keep


def _convolved(vector: Floats, weights: Floats) -> Floats:
    """Σ_{j = -r..r} g_j v_{k+j} for every k; 0 beyond the ends."""
    reach = len(weights) // 2
    return np.convolve(vector, weights)[reach : reach + len(vector)]

"""What a column of scores says: mean ± standard deviation, median, and how sure one can be of them.

The pages are a sample; another sample would give another mean.  The bootstrap imitates that: draw n pages
from the n with replacement, take the mean, repeat; the middle 95 % of these means is the interval. No
distribution is assumed, which matters: F1 is bounded, skewed, and has a heap at 0.

The same n gives the same draws (one seed), so all methods on the same pages see the same resamples, and a run
repeated prints the same digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from thresher.page.types import Floats, Longs

SEED = 2008  # the year of paper 004
RESAMPLES = 2000  # the ends of the interval then vary by about 0.0005 on 1,497 pages between seeds
AT_ONCE = 4_000_000  # numbers held in memory during resampling


@dataclass(frozen=True, slots=True)
class ScoreSummary:
    """A column of scores in six numbers; `low` and `high` enclose the mean with 95 % confidence."""

    n: int
    mean: float
    sd: float
    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Is A better than B on the same pages?"""

    n: int
    difference: float  # mean of A − B
    low: float  # 95 % interval of the difference
    high: float
    probability: float  # share of resamples in which A is ahead; a tie counts one half
    p_value: float  # two-sided: how often resampling alone reverses the sign


def summary(values: ArrayLike) -> ScoreSummary:
    """Mean, standard deviation with n − 1 (0 for one value), median, and the bootstrap interval of the mean.

    An empty column has no mean: everything is nan.
    """
    x = np.asarray(values, dtype=np.float64)
    if not len(x):
        return ScoreSummary(0, *(float("nan"),) * 5)
    low, high = interval(bootstrap_means(x))
    sd = float(x.std(ddof=1)) if len(x) > 1 else 0.0
    return ScoreSummary(len(x), float(x.mean()), sd, float(np.median(x)), low, high)


def compare(a: ArrayLike, b: ArrayLike) -> Comparison:
    """The paired bootstrap: resample pages, not scores, so what makes a page hard for both cancels out.

    d_i = a_i − b_i;  difference = mean(d);  p = 2 · min(share of means ≤ 0, share ≥ 0), at most 1, where one
    resample is added to each count because a finite number of them never shows p = 0.  Nor do a few pages: that all of
    n differences have one sign happens by chance with 2^(1−n), which resampling them cannot know; p is no less.
    """
    d = np.asarray(a, dtype=np.float64) - np.asarray(b, dtype=np.float64)
    if not len(d):
        return Comparison(0, *(float("nan"),) * 5)
    means = bootstrap_means(d)
    low, high = interval(means)
    tail = min((means <= 0).sum(), (means >= 0).sum()) + 1
    ahead = ((means > 0).sum() + 0.5 * (means == 0).sum()) / len(means)
    return Comparison(
        n=len(d),
        difference=float(d.mean()),
        low=low,
        high=high,
        probability=float(ahead),
        p_value=float(min(1.0, max(2 * tail / (len(means) + 1), 2.0 ** (1 - len(d))))),
    )


def bootstrap_means(x: Floats) -> Floats:
    """(RESAMPLES,) means of n values drawn from x with replacement."""
    return np.concatenate([x[draws].mean(axis=1) for draws in _draws(len(x))])


def interval(means: Floats) -> tuple[float, float]:
    """The middle 95 %: the 2.5th and the 97.5th percentile."""
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def _draws(n: int) -> Iterator[Longs]:
    """RESAMPLES rows of n row numbers, in blocks that fit into memory."""
    random = np.random.default_rng(SEED)
    block = max(1, AT_ONCE // n)
    for start in range(0, RESAMPLES, block):
        yield random.integers(0, n, size=(min(block, RESAMPLES - start), n))

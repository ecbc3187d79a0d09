"""Statistics: by hand, reproducible, and honest about what a sample can tell."""

from __future__ import annotations

import math

import numpy as np
import pytest

from thresher.evaluate import statistics


def test_summary_by_hand():
    found = statistics.summary([0.0, 1.0, 1.0, 0.6])
    assert (found.n, found.mean, found.median) == (4, pytest.approx(0.65), pytest.approx(0.8))
    assert found.sd == pytest.approx(math.sqrt((0.65**2 + 2 * 0.35**2 + 0.05**2) / 3))
    assert 0 <= found.low < found.mean < found.high <= 1


def test_one_value_has_no_spread_and_none_has_no_mean():
    one = statistics.summary([0.5])
    assert (one.mean, one.sd, one.low, one.high) == (0.5, 0, 0.5, 0.5)
    assert math.isnan(statistics.summary([]).mean)
    assert math.isnan(statistics.compare([], []).difference)


def test_the_interval_is_that_of_the_normal_approximation_on_many_values():
    x = np.random.default_rng(1).normal(0.8, 0.2, 1500)
    found = statistics.summary(x)
    half = 1.96 * x.std(ddof=1) / math.sqrt(len(x))
    assert found.low == pytest.approx(x.mean() - half, abs=0.002)
    assert found.high == pytest.approx(x.mean() + half, abs=0.002)


def test_the_same_scores_give_the_same_digits_in_one_block_or_many(monkeypatch):
    x = np.random.default_rng(2).random(100)
    whole = statistics.summary(x)
    monkeypatch.setattr(statistics, "AT_ONCE", 700)
    assert statistics.summary(x) == whole


def test_a_small_constant_lead_is_certain_when_paired():
    hard = np.random.default_rng(3).random(200)  # pages differ far more than the methods do
    found = statistics.compare(hard + 0.01, hard)
    assert found.difference == pytest.approx(0.01)
    assert found.low > 0
    assert found.probability == 1
    assert found.p_value < 0.01


def test_equal_methods_are_not_told_apart():
    x = np.random.default_rng(4).random(50)
    same = statistics.compare(x, x)
    assert (same.difference, same.probability, same.p_value) == (0, 0.5, 1)
    noise = np.random.default_rng(5).normal(0, 0.1, (2, 200))
    assert statistics.compare(*noise).p_value > 0.05


def test_the_comparison_is_antisymmetric():
    a, b = np.random.default_rng(6).random((2, 80))
    forth, back = statistics.compare(a, b), statistics.compare(b, a)
    assert forth.difference == -back.difference
    assert forth.probability == pytest.approx(1 - back.probability)
    assert forth.p_value == back.p_value


def test_a_few_pages_are_not_sure_of_anything():
    for n in range(1, 10):
        assert statistics.compare([0.9] * n, [0.1] * n).p_value >= 2 / 2**n  # all signs alike, by chance
    assert statistics.compare([0.9] * 30, [0.1] * 30).p_value < 0.001

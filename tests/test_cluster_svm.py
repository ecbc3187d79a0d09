"""The classifier against scikit-learn's, and the sparse matrix against numpy's dense ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.methods.cluster.features import Matrix
from thresher.methods.cluster.svm import fit


def sparse(dense):
    row, column = np.nonzero(dense)
    start = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(dense)))))
    return Matrix(start, column, dense[row, column].astype(float), dense.shape[1])


def problem(seed, n=300, d=12):
    rng = np.random.default_rng(seed)
    x = (rng.random((n, d)) < 0.3) * rng.choice([0.5, 1.0], (n, d))
    x[:, -1] = 1  # the intercept
    value = x @ rng.normal(size=d) + 0.5 * rng.normal(size=n)
    return x, value > np.quantile(value, 0.8)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("balanced", "cost"), [(True, 1.0), (False, 1.0), (True, 0.05)])
def test_the_weights_are_those_of_linear_svc(seed, balanced, cost):
    learned = pytest.importorskip("sklearn.svm")
    x, y = problem(seed)
    other = learned.LinearSVC(
        C=cost, fit_intercept=False, class_weight="balanced" if balanced else None, tol=1e-9, max_iter=200_000
    ).fit(x, y)
    np.testing.assert_allclose(fit(sparse(x), y, cost=cost, balanced=balanced), other.coef_[0], atol=2e-4)


def test_the_solution_is_a_minimum():
    x, y = problem(9)
    w = fit(sparse(x), y, balanced=False)

    def objective(w):
        return 0.5 * w @ w + (np.maximum(0, 1 - np.where(y, 1, -1) * (x @ w)) ** 2).sum()

    rng = np.random.default_rng(1)
    assert all(objective(w) <= objective(w + 0.01 * rng.normal(size=len(w))) for _ in range(50))


def test_equal_rows_count_as_often_as_they_come():
    x, y = problem(3, n=40)
    twice = np.concatenate((x, x[:20]))
    weight = np.concatenate((np.full(20, 2.0), np.ones(20)))
    one = fit(sparse(x), y, balanced=False, weight=weight)
    two = fit(sparse(twice), np.concatenate((y, y[:20])), balanced=False)
    np.testing.assert_allclose(one, two, atol=1e-5)


def test_a_few_content_blocks_among_many_others_are_found():
    x = np.zeros((1000, 2))
    x[:, 1] = 1
    x[:10, 0] = 1
    x[10:15, 0] = 1  # as many again half look the same and are none
    y = np.arange(1000) < 10
    assert (x @ fit(sparse(x), y) > 0)[:10].all()


@pytest.mark.parametrize("value", [True, False])
def test_one_class_alone_gives_that_class(value):
    x = np.ones((5, 1))
    assert ((x @ fit(sparse(x), np.full(5, value)) > 0) == value).all()


@settings(deadline=None)
@given(st.integers(0, 1000), st.integers(1, 8), st.integers(1, 6))
def test_products_and_rows_are_those_of_a_dense_matrix(seed, n, d):
    rng = np.random.default_rng(seed)
    dense = (rng.random((n, d)) < 0.5) * rng.normal(size=(n, d))
    matrix = sparse(dense)
    w, rows = rng.normal(size=d), rng.integers(0, n, 4)
    np.testing.assert_allclose(matrix.times(w), dense @ w, atol=1e-12)
    np.testing.assert_allclose(matrix.take(rows).times(w), dense[rows] @ w, atol=1e-12)

"""Fitting the layer that tells the types of pages (methods/auto/page_type.py): a logistic regression.

    L(V, b) = Σ CE(softmax(Σ_k z_k V_k + b), y) + Σ_k |V_k|² / (2 C s_k²)

z are the numbers and the four bags of a page.  It is fitted to every page three times: as it is, without its address,
and with nothing but its numbers, so that what is missing is missed little.  Entries of few pages get no row of V.

The network is shown page types while it is trained.  Those of pages which the regression has seen would be too good, so
they come from regressions that never saw a page of their site (`out_of_fold_types`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from thresher.learn.auto.examples import Example
from thresher.learn.auto.folds import site_folds
from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.model import mean_weights, within_range
from thresher.methods.auto.names import ROWS
from thresher.methods.auto.page_type import BAGS_OF_PAGE, MAX_DEVIATION, TYPES, page_numbers, page_types
from thresher.page.types import Rows, Singles

__all__ = ["fit_types", "out_of_fold_types", "types_of"]

Weights = dict[str, Singles]

_SCALE = {"numbers": 0.05, "meta": 1.0, "url": 1.0, "names": 2.0, "words": 2.0}  # s
_ROWS = {"meta": BUCKETS, "url": BUCKETS, "names": ROWS, "words": BUCKETS}
_FEWEST = 8  # pages that must have an entry
_STRENGTH = 1.0  # C
_STEPS = 60
_FOLDS = 5
_LOST: tuple[tuple[str, ...], ...] = ((), ("url",), BAGS_OF_PAGE)  # of each copy of a page


def fit_types(examples: Sequence[Example], within: Weights) -> Weights:
    """The weights of `page_types`, named `type.…`; `within` has the range of the features.  Where no type is known, all
    are equally likely."""
    numbers = np.array([_numbers(example, within) for example in examples])
    middle, spread = numbers.mean(axis=0), numbers.std(axis=0) + np.float32(1e-2)
    shapes = {"numbers": numbers.shape[1], **_ROWS}
    weights: Weights = {f"type.{name}": np.zeros((rows, len(TYPES)), np.float32) for name, rows in shapes.items()}
    weights |= {"type.middle": middle, "type.spread": spread, "type.b": np.zeros(len(TYPES), np.float32)}
    kind = np.array([example.page_type for example in examples])
    known = kind >= 0
    if len(np.unique(kind[known])) < 2:
        weights["type.b"][kind[known][:1]] = 5  # there is but one
        return weights
    deviation = np.clip((numbers - middle) / spread, -MAX_DEVIATION, MAX_DEVIATION)[known]
    parts = {"numbers": sparse.csr_matrix(deviation * _SCALE["numbers"])}
    columns = {"numbers": np.arange(numbers.shape[1])}
    for place, name in enumerate(BAGS_OF_PAGE):
        bags = _bags([example.of_page[place] for example in examples if example.page_type >= 0], _ROWS[name])
        columns[name] = (np.bincount(bags.indices, minlength=bags.shape[1]) >= _FEWEST).nonzero()[0]
        parts[name] = bags[:, columns[name]] * _SCALE[name]
    table = sparse.vstack([_without(parts, lost) for lost in _LOST])
    regression = LogisticRegression(C=_STRENGTH, max_iter=_STEPS, tol=1e-3)
    regression.fit(table, np.tile(kind[known], len(_LOST)))
    return weights | _unpacked(regression, columns, weights)


def _without(parts: dict[str, sparse.csr_matrix], lost: Sequence[str]) -> sparse.csr_matrix:
    return sparse.hstack([part * (name not in lost) for name, part in parts.items()], format="csr")


def _unpacked(regression: LogisticRegression, columns: dict[str, Rows], weights: Weights) -> Weights:
    """The coefficients of a regression as tables; a type that it never saw is unlikely."""
    slope, shift = regression.coef_, regression.intercept_
    if len(regression.classes_) == 2:  # which it tells by one logit
        slope, shift = np.concatenate((-slope, slope)) / 2, np.concatenate((-shift, shift)) / 2
    bias = np.full(len(TYPES), -10.0, np.float32)
    bias[regression.classes_] = shift
    unpacked: Weights = {"type.b": bias}
    at = 0
    for name, chosen in columns.items():
        table = weights[f"type.{name}"].copy()
        table[chosen[:, None], regression.classes_] = slope[:, at : at + len(chosen)].T * _SCALE[name]
        unpacked[f"type.{name}"] = table
        at += len(chosen)
    return unpacked


def types_of(weights: Mapping[str, Singles], examples: Sequence[Example]) -> Singles:
    """The probability of each type, a row a page."""
    rows = [page_types(weights, _numbers(example, weights), example.of_page) for example in examples]
    return np.array(rows, np.float32).reshape(-1, len(TYPES))


def out_of_fold_types(examples: Sequence[Example], within: Weights) -> Singles:
    """The same, of each page by weights that never saw its site."""
    fold_of = site_folds(examples, _FOLDS)
    types = np.full((len(examples), len(TYPES)), 1 / len(TYPES), np.float32)
    for fold in np.unique(fold_of).tolist():
        others = [example for example, where in zip(examples, fold_of, strict=True) if where != fold]
        if others:
            held = (fold_of == fold).nonzero()[0]
            weights = fit_types(others, within) | within
            types[held] = types_of(weights, [examples[number] for number in held.tolist()])
    return types


def _numbers(example: Example, within: Mapping[str, Singles]) -> Singles:
    x = within_range(example.x, within)
    return page_numbers(x, mean_weights(x))


def _bags(bags: Sequence[Rows], rows: int) -> sparse.csr_matrix:
    """One row a page; n entries are 1/√n each."""
    size = np.array([len(bag) for bag in bags])
    stop = np.concatenate(([0], np.cumsum(size)))
    value = np.repeat(1 / np.sqrt(np.maximum(size, 1)), size)
    return sparse.csr_matrix((value, np.concatenate(bags), stop), shape=(len(bags), rows))

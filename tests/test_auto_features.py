"""The features of `auto`, by compiled loops and by their sources, agree with computing them one by one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given, settings

import thresher
from tests.golden import PAGES
from tests.kernels import from_source
from tests.reference.auto_features import Slow
from tests.strategies import soup
from thresher import kernels
from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.features import FEATURES, features
from thresher.methods.auto.model import opinion
from thresher.methods.auto.script import is_foreign
from thresher.page import Page

SMALL = 6_000  # bytes of golden pages that are not too slow one by one
AUTO = "thresher.methods.auto"


@contextmanager
def sources() -> Iterator[None]:
    """The loops of auto as their sources run."""
    source = {name: from_source(name) for name in kernels.KERNELS if name.startswith(f"{AUTO}.kernels.")}
    auto = [module for name, module in sys.modules.items() if name.startswith(AUTO)]
    with pytest.MonkeyPatch.context() as patch:
        for kernel, loops in source.items():
            for module in [module for module in (*auto, *source.values()) if module.__name__ != kernel]:
                for function in set(loops.__all__) & vars(module).keys():
                    patch.setattr(module, function, getattr(loops, function))
        yield


def small_pages() -> list[str]:
    texts = [file.read_bytes() for file in sorted(PAGES.glob("*/source.html"))]
    return [text.decode("utf-8", "replace") for text in texts if len(text) < SMALL][::4]


def compare(page: Page) -> None:
    x, found = features(page), blocks(page)
    if is_foreign(page) or not len(found):
        return
    slow = Slow(page)
    assert found.level.T.tolist() == slow.levels
    for block, expected in enumerate(slow.features()):
        for name, value in expected.items():
            assert x[block, FEATURES.index(name)] == pytest.approx(float(value), abs=1e-4, rel=1e-4), (block, name)


@settings(max_examples=60, deadline=None)
@given(soup())
def test_features_agree_with_computing_them_one_by_one(html: str) -> None:
    compare(thresher.parse(html))


@pytest.mark.parametrize("html", small_pages())
def test_features_of_whole_pages_agree_with_computing_them_one_by_one(html: str) -> None:
    compare(thresher.parse(html))


@settings(max_examples=20, deadline=None)
@given(soup())
def test_features_by_the_sources_agree_with_computing_them_one_by_one(html: str) -> None:
    with sources():
        compare(thresher.parse(html))


@pytest.mark.parametrize("html", small_pages()[::3])
def test_a_page_is_judged_the_same_by_the_sources(html: str) -> None:
    compiled = opinion(thresher.parse(html))
    with sources():
        other = opinion(thresher.parse(html))
    np.testing.assert_allclose(compiled.probability, other.probability, atol=1e-4)
    assert compiled.types == pytest.approx(other.types, abs=1e-3)
    for name in ("alike", "beside", "together", "level", "begin", "stop", "first", "last", "number"):
        assert getattr(compiled.blocks, name).tolist() == getattr(other.blocks, name).tolist()

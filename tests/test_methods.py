"""The contract of every method: a verdict on each text, and none that surprises."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rendered import in_boxes
from tests.strategies import pages
from thresher import methods
from thresher.errors import NeedsEvidence, NeedsLayout, NeedsModel, NeedsSiblings
from thresher.page import Page
from thresher.parse import parse
from thresher.visible.readable import readable

PARAGRAPH = "The harbour was quiet that morning, and the gulls had not yet found the nets that lay along the wall. "

few = settings(max_examples=25, deadline=None)


@pytest.mark.parametrize("name", methods.names())
@given(page=pages(), siblings=st.tuples(pages(), pages()))
@few
def test_a_method_gives_a_verdict_on_every_text_and_keeps_none_that_is_unreadable(
    name: str, page: Page, siblings: tuple[Page, Page]
) -> None:
    module = methods.module(name)
    assert dataclasses.is_dataclass(module.Options)
    assert methods.describe(name)
    page = _possible_page(module, page)
    if page.box is not None:
        siblings = (in_boxes(siblings[0]), in_boxes(siblings[1]))
    for options in _possible_options(module, page, siblings):
        keep = module.judge(page, options).keep
        assert keep.dtype == bool
        assert keep.shape == (len(page.text),)
        assert not (keep & ~readable(page)).any()
        np.testing.assert_array_equal(keep, module.judge(dataclasses.replace(page), options).keep)
        chosen = module.judge(page, options).elements
        if chosen is not None:
            assert chosen.dtype == bool
            assert chosen.shape == (len(page),)


def _possible_page(module: Any, page: Page) -> Page:
    """The page as it is, or with boxes for a method that refuses to work without and says where to get them."""
    refusal = None
    try:
        module.judge(page)
    except NeedsLayout as error:
        refusal = str(error)
    except NeedsEvidence:
        pass
    assert refusal is None or re.search(r"thresher (extract .*--)?render", refusal)
    assert (refusal is not None) == ("layout" in module.NEEDS)
    return in_boxes(page) if refusal else page


def _possible_options(module: Any, page: Page, siblings: tuple[Page, ...]) -> list[Any]:
    """Without other pages, unless the method says where to get some, and with some, if it can use them."""
    if "siblings" not in module.Options.__dataclass_fields__:
        return [module.Options()]
    refusal = None
    try:
        module.judge(page)
    except (NeedsSiblings, NeedsModel) as error:
        refusal = str(error)
    assert refusal is None or "thresher site" in refusal
    assert (refusal is not None) == bool(module.NEEDS & {"siblings", "model"})
    with_siblings = module.Options(siblings=siblings)
    return [with_siblings] if refusal else [module.Options(), with_siblings]


# ---- methods that need nothing but the page ------------------------------------------------------------------


def _works_alone(name: str) -> bool:
    try:
        methods.get(name)(parse("<p>A page"))
    except NeedsEvidence:
        return False
    return True


ALONE = list(filter(_works_alone, methods.names()))


@pytest.mark.parametrize("name", ALONE)
@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p></p>",
        "<title>Only a title</title>",
        "<template>Nobody sees this.</template>",
        "<img>" * 3000,
        "<frameset>",
    ],
)
def test_a_page_without_readable_text_gives_nothing(name: str, html: str) -> None:
    assert not methods.get(name)(parse(html)).any()


@pytest.mark.parametrize("name", ALONE)
def test_a_page_that_is_one_long_text_is_kept(name: str) -> None:
    assert methods.get(name)(parse(f"<article><p>{PARAGRAPH * 10}</p></article>")).all()


@pytest.mark.parametrize("name", ALONE)
def test_a_deep_page_is_read_without_recursion(name: str) -> None:
    html = "<article>" + "<div>" * 1500 + f"<p>{PARAGRAPH * 20}</p>" + "</div>" * 1500
    assert methods.get(name)(parse(html)).any()

"""attributes: all elements at once agree with reading one opening tag after the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from tests.strategies import pages
from thresher.page import Page, attributes
from thresher.parse import parse


@settings(max_examples=150, deadline=None)
@given(pages())
def test_values_agree_with_reading_tag_by_tag(page: Page) -> None:
    for name in ("class", "id", "title", "href", "hidden", "aria-hidden", "style"):
        one_by_one = {row: page.attribute(row, name) for row in range(len(page))}
        slow = {row: value for row, value in one_by_one.items() if value is not None}
        assert attributes.values(page, name) == slow
        assert attributes.rows_with(page, name).nonzero()[0].tolist() == sorted(slow)
        some = np.arange(0, len(page), 2)
        assert attributes.values_of_rows(page, name, some) == {row: slow[row] for row in some.tolist() if row in slow}


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<p title="foo class=">', {}),
        ('<p class="a &amp; b">', {3: "a & b"}),
        ('<a href="x"" class="y">', {3: "y"}),
        ('<p data-class="n" class="m">', {3: "m"}),
        ("<p CLASS=UP>", {3: "UP"}),
        ('text class="no"', {}),
    ],
)
def test_only_real_attributes_are_found(html: str, expected: dict[int, str]) -> None:
    page = parse("<!DOCTYPE html>" + html)
    assert attributes.values(page, "class") == expected
    assert {row: page.attribute(row, "class") for row in expected} == expected

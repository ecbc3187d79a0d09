"""columns: counts over bytes equal counts over characters, in every script."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import columns as naive
from tests.strategies import pages
from thresher.data.tags import NUMBER
from thresher.page import Page, columns, memoised
from thresher.page.columns import has
from thresher.parse import parse


@settings(max_examples=150, deadline=None)
@given(pages())
def test_counts_agree_with_loops_over_characters(page: Page) -> None:
    for name in ("chars", "words", "digits", "punctuation", "sentence_ends", "in_link"):
        fast, slow = getattr(columns, name)(page), getattr(naive, name)(page)
        assert fast.tolist() == slow, (name, page.text)


@settings(max_examples=300, deadline=None)
@given(st.text(min_size=1))
def test_words_of_any_text_agree_with_the_reference(text: str) -> None:
    page = parse("<p>" + text.replace("&", "&amp;").replace("<", "&lt;"))
    assert columns.words(page).tolist() == naive.words(page)
    assert columns.chars(page).tolist() == naive.chars(page)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Two words", 2),
        ("don't stop", 3),
        ("naïve Ünïcödé", 2),
        ("Привет, мир!", 2),
        ("한국어 단어", 2),
        ("中文字符", 2),
        ("東京タワーへ行く", 4),
        ("สวัสดีชาวโลก", 3),
        ("שלום עולם", 2),
        ("— … €", 0),
    ],
)
def test_words_are_counted_sensibly_in_every_script(text: str, count: int) -> None:
    assert columns.words(parse(f"<p>{text}")).tolist() == [count]


def test_a_column_is_computed_once_and_cannot_be_written() -> None:
    page = parse("<p>text")
    assert columns.chars(page) is columns.chars(page)
    with pytest.raises(ValueError, match="read-only"):
        columns.chars(page)[0] = 7


@given(pages())
def test_an_element_is_there_if_a_row_has_its_name(page: Page) -> None:
    assert [has(page, name) for name in NUMBER] == [bool((page.tag == number).any()) for number in NUMBER.values()]


def test_a_memoised_value_is_computed_once_per_page() -> None:
    asked = []

    @memoised
    def about(page: Page) -> None:  # None is a value, too
        asked.append(page)

    one, other = parse("<p>a"), parse("<p>a")
    for page in (one, other, one, replace(one, url="http://a.example/")):
        about(page)
    assert [page is one for page in asked] == [True, False, False]

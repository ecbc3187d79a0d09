"""Budgets: what exceeds one is cut with a word, and nothing hangs."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings

from tests.strategies import soup
from thresher.limits import Limits, _depth_bound
from thresher.parse import parse


def codes(page) -> set[str]:
    return {problem.code for problem in page.problems}


@pytest.mark.parametrize("depth", [100, 300, 2_900])
def test_text_above_the_depth_budget_is_kept_without_a_word(depth: int) -> None:
    page = parse("<div>" * depth + "deep words")
    assert page.text == ("deep words",)
    assert not page.problems


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + "deep words" + "</div>" * 100_000,
        "<div></b>" * 100_000 + "deep words",
        "<x-a></x-b>" * 100_000 + "deep words",
        "<aaaaaaaaab></aaaaaaaaac>" * 50_000 + "deep words",
        "<b><i>" * 50_000 + "deep words",
        "<ul><li>" * 50_000 + "deep words",
        "<table><tr><td>" * 40_000 + "deep words",
        "<ruby>" + "<rt>" * 100_000 + "deep words",
        "<optgroup>" * 100_000 + "deep words",
    ],
    ids=[
        "balanced",
        "stray ends",
        "custom elements",
        "long names",
        "formatting",
        "lists",
        "tables",
        "readings",
        "groups",
    ],
)
def test_a_page_of_absurd_depth_is_flattened_in_time_and_keeps_its_text(html: str) -> None:
    started = time.process_time()
    page = parse(html)
    assert time.process_time() - started < 5
    assert "too_deep" in codes(page)
    assert page.depth.max() <= Limits().depth * 4 / 3 + 10  # each table gets a tbody that nobody wrote
    assert " ".join(page.text).split() == ["deep", "words"]


@pytest.mark.parametrize(
    "html",
    [
        "<p " + " ".join(f"a{k}=1" for k in range(200_000)) + ">words to keep",
        ("<p " + " ".join(f"a{k}" for k in range(3_000)) + ">") * 300 + "words to keep",
        '<p " ' + " ".join(f"a{k}" for k in range(100_000)) + ' ">words to keep',
        "<p>words to keep<select>" + "<option>x" * 200_000,
        "<p>words to keep<select>" + "<option value=1>x</option>" * 100_000,
    ],
    ids=["attributes", "attributes of many tags", "attributes between quotes", "options", "closed options"],
)
def test_what_takes_the_parser_quadratic_time_is_cut_with_a_word(html: str) -> None:
    started = time.process_time()
    page = parse(html)
    assert time.process_time() - started < 5
    assert "too_large" in codes(page)
    assert "words to keep" in page.text


def test_long_attributes_and_scripts_are_no_swollen_tags() -> None:
    style = "background: url(data:image/png;base64," + "A" * 50_000 + ")"
    script = "<script>var a = 1 < 2; " + "x = x + 1; " * 9_000 + "</script>"
    data = '{"key": "a value = with blanks", ' * 3_000
    page = parse(f"<!DOCTYPE html><p style='{style}' data-x='{data}' class='c'>words</p>{script}")
    assert not page.problems
    assert page.attribute(3, "class") == "c"


def test_many_unclosed_items_are_wide_not_deep() -> None:
    page = parse("<ul>" + "<li>item" * 30_000)
    assert not page.problems
    assert len(page.text) == 30_000
    table = parse("<table>" + "<tr><td>a<td>b" * 20_000)
    assert not table.problems
    assert len(table.text) == 40_000


def test_a_page_with_too_many_tags_or_bytes_is_cut_and_says_so() -> None:
    cut = parse("<p>one</p>" * 100, limits=Limits(tags=20))
    assert codes(cut) == {"too_large"}
    assert cut.text == ("one",) * 10
    short = parse(b"<p>" + b"word " * 1000, limits=Limits(bytes=500))
    assert codes(short) == {"too_large"}
    assert 0 < len(short.text[0]) <= 500


@settings(max_examples=200, deadline=None)
@given(soup())
def test_the_bound_on_the_depth_holds(html: str) -> None:
    page = parse(html)
    implied = 5  # html, head, body, and a tbody and tr that tables get
    assert page.depth.max() <= _depth_bound(html.encode()) + implied + 3 * html.count("<table")

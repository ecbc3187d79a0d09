"""Painting changes no text of a page, marks exactly what is asked for, and is the same for equal input."""

from __future__ import annotations

import re
from html import unescape

import pytest

pytest.importorskip("fastapi")

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import pages
from tests.web_app import page
from thresher.output.painting import BlockMark, paint
from thresher.parse import parse
from thresher.result.extraction import extract
from thresher.result.preview import block_marks


def texts(markup: str) -> str:
    """What stands between the tags; comments are no text, nor are sheets, ours or the page's."""
    return re.sub(r"<[^>]*>", "", re.sub(r"<!--.*?-->|<style>.*?</style>", "", markup, flags=re.DOTALL))


@given(pages(), st.sets(st.integers(0, 20)), st.booleans())
def test_the_text_stays_as_it_is(page, numbers, rows):
    wanted = {number: BlockMark("kept" if number % 2 else "dropped", f'note {number} <&">') for number in numbers}
    painted = paint(page, wanted, rows=rows).html
    assert texts(painted) == texts(page.markup.decode())


@given(pages(), st.sets(st.integers(0, 20)))
def test_marked_are_the_texts_of_the_chosen_blocks(page, numbers):
    painted = paint(page, {number: BlockMark("kept") for number in numbers}).html
    found = re.findall(r'<thr-t(?: id="thr-\d+")? class="thr-kept" data-block="(\d+)"[^>]*>([^<]*)</thr-t>', painted)
    hosts = {"title", "textarea", "option", "select"}  # elements whose text cannot be wrapped
    slow = [
        (str(number), text)
        for number, text, owner in zip(page.block.tolist(), page.text, page.owner.tolist(), strict=True)
        if number in numbers and page.name(owner) not in hosts
    ]
    assert [(number, unescape(text)) for number, text in found] == slow


def test_comments_and_the_sheets_of_drawings_are_not_shown():
    parsed = parse("<div><!-- a > b -->word<svg><style>p { color: red }</style></svg></div>")
    painted = paint(parsed, {0: BlockMark("kept")}).html
    assert "b --" not in painted
    assert "color: red" not in texts(painted)
    assert ">word</thr-t>" in painted


def test_every_element_can_have_its_row():
    parsed = parse(page())
    painted = paint(parsed, {}, rows=True).html
    numbered = {int(row): name for name, row in re.findall(r'<([a-z0-9]+)[^>]* data-row="(\d+)"', painted)}
    assert numbered == {row: parsed.name(row) for row in range(len(parsed)) if parsed.name(row) not in ("meta", "link")}


def test_what_a_result_keeps_is_what_is_marked_as_kept():
    result = extract(page())
    painted = paint(result.page, block_marks(result)).html
    kept = re.findall(r'class="thr-kept"[^>]*>([^<]*)<', painted)
    assert kept == [text for text, keep in zip(result.page.text, result.keep, strict=True) if keep]
    assert painted.count('id="thr-start"') == 1


def test_pictures_and_sheets_are_named_after_their_address():
    html = page(
        head="<link rel=stylesheet href=/a.css><link rel=icon href=/i.png>", more="<img src=/b.png><img src=data:,x>"
    )
    painted = paint(parse(html, url="https://example.org/"), {}, asset="/asset/7/")
    assert set(painted.resources.values()) == {"https://example.org/a.css", "https://example.org/b.png"}
    assert sorted(re.findall(r'(?:src|href)="([^"]*)"', painted.html)) == sorted(
        f"/asset/7/{name}" for name in painted.resources
    )

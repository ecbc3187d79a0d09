"""Golden pages: every form of a page, as a person would write it down."""

from __future__ import annotations

import pytest

from tests.golden import PAGES
from tests.reference.commonmark import read_html, read_markdown
from thresher.output import to_html, to_markdown, to_text, to_xml
from thresher.page import Page
from thresher.parse import parse
from thresher.visible.readable import readable

NAMES = sorted(folder.name for folder in PAGES.glob("output-*"))
FORMS = {"md": to_markdown, "txt": to_text, "html": to_html, "xml": to_xml}


def page_of(name: str) -> Page:
    return parse((PAGES / name / "source.html").read_bytes(), url="https://example.org/a/b.html")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_golden_pages_are_printed_as_expected(name, form):
    page = page_of(name)
    expected = PAGES / name / f"expected.{form}"
    assert FORMS[form](page, readable(page)) == expected.read_text(encoding="utf-8").removesuffix("\n")


@pytest.mark.parametrize("name", NAMES)
def test_golden_markdown_reads_back_as_the_golden_html(name):
    page = page_of(name)
    markdown = read_markdown(to_markdown(page, readable(page)))
    html = read_html(to_html(page, readable(page)))
    assert markdown.headings == html.headings
    assert markdown.code == html.code
    assert markdown.images == html.images
    assert markdown.tables == html.tables
    assert markdown.html == []
    if "footnotes" not in name:  # references are links in HTML and footnotes in Markdown
        assert markdown.links == html.links
        assert markdown.items == html.items
    if "formulas" not in name:  # …as formulas are text there
        shown = markdown.squeezed.replace("“", "").replace("”", "")
        expected = html.squeezed.replace("\\(\\text{\\lt/math>\\ltscript>}\\)", "")
        assert shown == expected or "footnotes" in name


def test_golden_formulas_read_back_as_formulas():
    page = page_of("output-formulas")
    shown = read_markdown(to_markdown(page, readable(page)))
    assert shown.formulas[:3] == ["x^2 * y_1", "\\int_0^1\nf\\,dx", "y^3"]
    assert len(shown.formulas) == 12
    assert "$5 and $6" in "".join(shown.text)


def test_golden_footnotes_read_back_as_footnotes():
    page = page_of("output-footnotes")
    shown = read_markdown(to_markdown(page, readable(page)))
    assert shown.notes == {"1": "Secale cereale.", "2": "Avena sativa. Also called common oat.", "3": "Hordeum."}
    assert shown.references == ["1", "2", "1", "3", "1"]

"""HTML and XML: rebuilt from an allow-list, inert, well formed."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from tests.golden import PAGES
from tests.hostile.properties import ALLOWED
from tests.reference.commonmark import squeezed
from tests.reference.output import unwanted
from tests.strategies import pages
from thresher.output import to_html, to_markdown, to_text, to_xml
from thresher.parse import parse
from thresher.visible.readable import readable


def html(source: str, **options: bool) -> str:
    page = parse(source, url="https://example.org/a/b.html")
    return to_html(page, readable(page), **options)


def assert_inert(written: str) -> None:
    for node in LexborHTMLParser(written).css("*"):
        assert node.tag in ALLOWED, node.html
        assert set(node.attributes) <= ALLOWED[node.tag], node.html
        address = node.attributes.get("href") or node.attributes.get("src") or ""
        scheme = address.split(":")[0].lower() if ":" in address.split("/")[0] else ""
        assert scheme in ("", "http", "https", "mailto"), node.html


@settings(max_examples=150, deadline=None)
@given(page=pages(), seed=st.integers(0, 1000))
def test_html_is_made_of_allowed_elements_and_attributes(page, seed):
    keep = readable(page) & (np.random.default_rng(seed).random(len(page.start)) < 0.8)
    assert_inert(to_html(page, keep))


@settings(max_examples=150, deadline=None)
@given(page=pages(), seed=st.integers(0, 1000))
def test_no_form_carries_control_characters_and_each_is_the_same_twice(page, seed):
    keep = readable(page) & (np.random.default_rng(seed).random(len(page.start)) < 0.8)
    for form in (to_text, to_markdown, to_html, to_xml):
        written = form(page, keep)
        assert written == form(page, keep)
        assert not any(unwanted(character) or character in "\v\f\r" for character in written)


@settings(max_examples=100, deadline=None)
@given(page=pages())
def test_html_survives_a_parser_unchanged(page):
    written = to_html(page, readable(page))
    again = LexborHTMLParser(written)
    text = again.body.text() if again.body else ""
    formulas = written.count("\\(") + written.count("\\[")
    if not formulas:
        assert squeezed(text) == squeezed(to_text(page, readable(page)))


@settings(max_examples=100, deadline=None)
@given(page=pages())
def test_xml_is_well_formed(page):
    root = ElementTree.fromstring(to_xml(page, readable(page), {"title": '<a> & "b" \x07\0', "tags": ["x", "y"]}))
    assert root.tag == "doc"
    assert root.attrib == {"title": '<a> & "b"', "tags": "x;y"}


@pytest.mark.parametrize("name", sorted(folder.name for folder in PAGES.glob("output-*")))
def test_golden_pages_are_inert(name):
    assert_inert(html((PAGES / name / "source.html").read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)", "JAVASCRIPT:alert(1)", "java\tscript:alert(1)", "\x01 javascript:alert(1)",
        "java\nscript:x", "data:text/html,x", "vbscript:x", "file:///x", "blob:x", "about:blank", "x-y:z", "ſcript:x",
        "http://[x", "javascript&colon;x:y", "#", " ",
    ],
)  # fmt: skip
def test_unsafe_addresses_leave_the_text(address):
    encoded = address.replace("&", "&amp;").replace("\t", "&#9;").replace("\n", "&#10;").replace("\x01", "&#1;")
    assert html(f'<p><a href="{encoded}">text</a><img src="{encoded}"></p>') == "<p>text</p>"


def test_nothing_that_loads_or_runs_remains():
    source = "<p>x</p><iframe src=/y></iframe><form><input></form><object data=/z></object><svg><a href=/w>v</a></svg>"
    assert html(f"{source}<style>p{{}}</style><script>y()</script>") == "<p>x</p>"


def test_a_direction_of_writing_is_kept():
    assert html('<html dir="rtl"><p>שלום</p></html>') == '<div dir="rtl">\n<p>שלום</p>\n</div>'


def test_numbers_of_items_are_kept():
    assert html('<ol start="5"><li>a</li><li>b</li><li value="9">c</li></ol>') == (
        '<ol start="5">\n<li>a</li>\n<li>b</li>\n<li value="9">c</li>\n</ol>'
    )


def test_options_leave_things_out_and_nothing_else():
    source = "<p><a href=/x>a</a><img src=/i.png></p><table><tr><th>h</th><th>i</th></tr></table><hr><p>z</p>"
    assert html(source, links=False, images=False, tables=False) == "<p>a</p>\n<hr>\n<p>z</p>"


def test_xml_speaks_tei():
    table = "<table><tr><th>e</th><td>f</td></tr></table>"
    page = parse(f"<h2>T</h2><p>a <b>b</b><br><a href=/x>c</a></p><ul><li>d</li></ul>{table}")
    assert to_xml(page, readable(page)) == (
        '<doc>\n<main>\n<head rend="h2">T</head>\n<p>a <hi rend="#b">b</hi><lb/><ref target="/x">c</ref></p>\n'
        '<list rend="ul">\n<item>d</item>\n</list>\n'
        '<table>\n<row><cell role="head">e</cell><cell>f</cell></row>\n</table>\n'
        "</main>\n</doc>"
    )


def test_xml_of_an_empty_page_has_an_empty_main():
    page = parse("")
    assert to_xml(page, readable(page), {"title": None}) == "<doc>\n<main/>\n</doc>"

"""Characters that a page escaped twice are put right, with a warning; code and pages about HTML stay as they are."""

from __future__ import annotations

import pytest

import thresher
from thresher.output import to_text
from thresher.parse import parse
from thresher.visible.readable import readable


def text_of(html: str) -> str:
    page = parse(html)
    return to_text(page, readable(page))


@pytest.mark.parametrize(
    ("source", "meant"),
    [
        ("&amp;quot;Boats&amp;quot; don&amp;#8217;t sink", '"Boats" don’t sink'),
        ("Tom &amp;amp; Jerry", "Tom & Jerry"),
        ("Tom &amp;amp;amp; Jerry, AT&amp;amp;T", "Tom & Jerry, AT&T"),
        ("caf&amp;eacute; &amp;ndash; 5&amp;nbsp;km &amp;#x2014; &amp;#039;x&amp;#039;", "café – 5 km — 'x'"),
        ("1 &amp;lt 2 &amp;foo; &amp; &amp;#0; R&amp;D; x", "1 &lt 2 &foo; & &#0; R&D; x"),
        ("a&amp;zwnj;b", "a&zwnj;b"),
    ],
)
def test_what_was_meant_is_shown(source, meant):
    assert text_of(f"<p>{source}</p>").replace("\xa0", " ") == meant


@pytest.mark.parametrize(
    "source",
    [
        "In HTML, write &amp;amp; for an ampersand.",
        "The entity &amp;quot; is a mark.",
        "&amp;lt;b&amp;gt; and &amp;quot;",
        "Signs: &lt;, &amp;amp; and others",
        "&lt;b&gt; &amp; so on",
    ],
)
def test_a_page_that_explains_them_stays(source):
    page = parse(f"<p>{source}</p>")
    assert page.problems == ()
    assert f"<p>{source}</p>".encode() in page.markup


def test_code_and_attributes_stay():
    page = parse(
        '<p title="&amp;amp;quot;">x &amp;quot;y&amp;quot;</p><pre>&amp;quot;</pre><p><code>&amp;#39;</code></p>'
    )
    assert page.text == ('x "y"', "&quot;", "&#39;")
    assert page.attribute(int(page.owner[0]), "title") == "&amp;quot;"


def test_the_result_says_so():
    page = (
        "<title>Boats</title><article><h1>Boats</h1>" + "<p>They don&amp;#8217;t leave the harbour in winter.</p>" * 6
    )
    result = thresher.extract(page)
    assert "They don’t leave" in result.text
    assert "repaired: 6 characters of the page were escaped twice" in result.warnings
    assert result.status == "ok"

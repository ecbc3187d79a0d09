"""Characters that a page escaped twice are put right, with a warning; pages about markup mean what they show."""

from __future__ import annotations

import pytest

import thresher
from thresher.output import to_text
from thresher.parse import parse
from thresher.visible.readable import readable


def text_of(html: str) -> str:
    page = parse(html)
    return to_text(page, readable(page)).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("source", "meant"),
    [
        ("They don&amp;#8217;t sink", "They don’t sink"),
        ("Schlie&amp;szlig;en", "Schließen"),
        ("&amp;quot;Boats&amp;quot; sink", '"Boats" sink'),
        ("AT&amp;amp;T &amp;copy; 2020", "AT&T © 2020"),
        ("AT&amp;amp;amp;T", "AT&T"),
        ("Tom &amp;amp; Jerry, Terms &amp;amp; Conditions", "Tom & Jerry, Terms & Conditions"),
        ("caf&amp;eacute; &amp;ndash; 5&amp;nbsp;km &amp;#x2014; &amp;#039;x&amp;#039;", "café – 5 km — 'x'"),
        ("sail &amp;ndash; mast. " * 4, ("sail – mast. " * 4).strip()),
        ("Boats don&amp;#8217;t R&amp;D; &amp;foo; &amp;#0; 1 &amp;lt 2", "Boats don’t R&D; &foo; &#0; 1 &lt 2"),
        ("می&amp;zwnj;شود", "می\N{ZERO WIDTH NON-JOINER}شود"),
    ],
)
def test_what_was_meant_is_shown(source, meant):
    assert text_of(f"<p>{source}</p>") == meant


@pytest.mark.parametrize(
    "source",
    [
        "In HTML, write don&amp;#8217;t for an apostrophe.",
        "The entity &amp;quot;quot&amp;quot; is a mark, as in caf&amp;eacute;s.",
        "Write &amp;nbsp; for a space, &amp;mdash; for a dash and &amp;quot; for a mark.",
        "&amp;lt;b&amp;gt; and don&amp;#8217;t",
        "Use &lt;b&gt;, but don&amp;#8217;t",
        "Signs: &amp;copy;, (&amp;reg;), “&amp;trade;”",
        "Podcasts &amp;amp; shows",
        "<code>&amp;#39;</code> don&amp;#8217;t",
        "<pre>print('&amp;nbsp;')</pre> and so don&amp;#8217;t",
        "<textarea>x&amp;nbsp;y</textarea> don&amp;#8217;t",
    ],
)
def test_pages_about_markup_and_single_mentions_stay(source):
    page = parse(f"<p>{source}</p>")
    assert page.problems == ()
    assert page.markup.count(b"&amp;") == source.count("&amp;")


def test_file_names_and_addresses_are_no_subject():
    assert text_of("<p>They don&amp;#8217;t: see index.html, example.org/html/</p>").startswith("They don’t")


def test_attributes_stay():
    page = parse('<p title="&amp;amp;quot;">They don&amp;#8217;t</p>')
    assert page.text == ("They don’t",)
    assert page.attribute(int(page.owner[0]), "title") == "&amp;quot;"


def test_the_result_says_so():
    page = (
        "<title>Boats</title><article><h1>Boats</h1>" + "<p>They don&amp;#8217;t leave the harbour in winter.</p>" * 6
    )
    result = thresher.extract(page)
    assert "They don’t leave" in result.text
    assert "repaired: 6 characters of the page were escaped twice" in result.warnings
    assert result.status == "ok"

"""Markup in `noscript` and in the `srcdoc` of frames."""

from __future__ import annotations

from html import escape

import pytest

import thresher
from thresher.parse import parse
from thresher.parse.nested import close_noscripts, open_frames

SENTENCE = "The farmers of the valley threshed their grain in a long autumn, and the straw went to the stables. "
ARTICLE = f"<p>{SENTENCE}</p>" * 6


@pytest.mark.parametrize(
    ("source", "closed"),
    [
        (b"<noscript><p>a<style></noscript>b", b"<noscript><p>a</noscript>b"),
        (b"<NOSCRIPT><a title='</NOSCRIPT >b", b"<NOSCRIPT></NOSCRIPT >b"),
        (b"<noscript><!-- x </noscript>b<noscript>c</noscript>", b"<noscript></noscript>b<noscript>c</noscript>"),
    ],
)
def test_what_a_noscript_leaves_open_is_cut_off(source: bytes, closed: bytes) -> None:
    assert close_noscripts(source) == closed


@pytest.mark.parametrize(
    "source",
    [
        b"<noscript><style>p {}</style><!-- c --><img src='a' alt=\"b>\"></noscript>b",
        b"<script>'<noscript><style></noscript>'</script>b",
        b"<!-- <noscript><style></noscript> -->b",
        b"<p title='<noscript><style></noscript>'>b",
        b"<noscript>1 < 2</noscript>",
        b"<noscript><style>",
    ],
)
def test_other_sources_stay_as_they_are(source: bytes) -> None:
    assert close_noscripts(source) == source


def test_a_frame_is_read_where_the_page_says_little() -> None:
    frame = f'<iframe srcdoc="{escape(ARTICLE)}"></iframe>'
    assert thresher.extract(frame).text.count(SENTENCE.strip()) == 6
    assert "stables" not in thresher.extract(f"<p>{'Something else is told on this page. ' * 20}</p>{frame}").text


def test_frames_in_frames_are_read_to_a_limit() -> None:
    source = ARTICLE
    for _ in range(3):
        source = f'<iframe srcdoc="{escape(source)}"></iframe>'
    assert SENTENCE.strip() in thresher.extract(source).text
    assert thresher.extract(f'<iframe srcdoc="{escape(source)}"></iframe>').text == ""


@pytest.mark.parametrize("attributes", ["hidden", "style='display:none'", "width=1 height=0", "height='0'"])
def test_a_hidden_frame_stays_unread(attributes: str) -> None:
    assert thresher.extract(f'<iframe {attributes} srcdoc="{escape(ARTICLE)}"></iframe>').text == ""


def test_a_frame_that_a_style_may_hide_stays_unread() -> None:
    frame = f'<iframe srcdoc="{escape(ARTICLE)}"></iframe>'
    assert thresher.extract(f"<style>IFRAME {{ display: none }}</style>{frame}").text == ""
    assert thresher.extract(f"<style>p {{ margin: 0 }}</style>{frame}").text


def test_nothing_of_a_frame_runs() -> None:
    document = f"<script>alert(1)</script><img src=x onerror=alert(1)>{ARTICLE}"
    assert "alert" not in thresher.extract(f'<iframe srcdoc="{escape(document)}"></iframe>').html


def test_a_frame_keeps_its_other_attributes_and_the_title_is_the_pages() -> None:
    source = b"<title>t</title><iframe class=a srcdoc='&lt;p>b' id=c></iframe>d"
    assert open_frames(source) == b"<title>t</title><div class=a id=c><p>b</div>d"
    assert open_frames(b"<script><iframe srcdoc=a></iframe></script>") == b"<script><iframe srcdoc=a></iframe></script>"
    assert thresher.extract(f"<title>Out</title><iframe srcdoc='<title>In</title>{ARTICLE}'>").metadata.title == "Out"
    assert len(parse(b"<iframe srcdoc='&lt;p>b'></iframe>").start) == 1

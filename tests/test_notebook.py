"""What a notebook shows of a result and of a page: readable, and inert whatever the page holds."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from hypothesis import given

import thresher
from tests.strategies import pages

PAGE = (Path(__file__).parents[1] / "examples/threshing.html").read_bytes()
HOSTILE = """<!doctype html><title>"><script>alert(1)</script></title>
<style>body { background: url(https://evil.example/spy.png) } </style>
<article><h1 onclick="alert(2)">Head</h1>
<p>A long enough sentence for an article, with a <a href="javascript:alert(3)">link</a> and more words in it.
<img src="https://evil.example/pixel.png" onerror="alert(4)"><iframe src="https://evil.example/"></iframe>
<p title='"><script>alert(5)</script>'>Another sentence of the article, which is long enough as well, and ends here.
</article><form action="https://evil.example/"><input name=a></form><base href="https://evil.example/">"""


def test_a_result_shows_its_title_status_and_extract() -> None:
    shown = thresher.extract(PAGE)._repr_html_()
    assert "<strong>How a flail works</strong>" in shown
    assert re.search(r"ok · confidence 0\.\d\d", shown)
    assert "<h2>Working in time</h2>" in shown
    assert "cookie" not in shown.lower()


def test_a_result_without_text_says_so() -> None:
    shown = thresher.extract("<div id=root></div><script src=a.js></script>")._repr_html_()
    assert "Nothing was kept" in shown
    assert "js_shell" in shown


def test_a_page_shows_facts() -> None:
    shown = thresher.parse(PAGE, url='https://barn.example/?a="<b>')._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown
    assert re.search(r"<th>elements</th><td>\d+</td>", shown)


def test_nothing_of_a_hostile_page_runs_or_loads_in_a_notebook() -> None:
    shown = thresher.extract(HOSTILE, url="https://evil.example/")._repr_html_()
    assert not re.search(r"<(script|iframe|img|form|base|style|object)|\son\w+=|javascript:", shown, re.IGNORECASE)


def test_the_page_is_shown_in_a_frame_that_can_do_nothing() -> None:
    preview = thresher.extract(HOSTILE, url="https://evil.example/").show(height=300)
    shown = preview._repr_html_()
    frame = re.fullmatch(r'<iframe sandbox srcdoc="([^"]*)" width="100%" height="300" style="[^"]*"></iframe>', shown)
    assert frame, "nothing of the page ends the attribute that it stands in"
    inside = unescape(frame[1])
    assert inside == preview.html
    policy = inside.index("default-src 'none'")
    assert policy < inside.index("<style>")
    assert not re.search(r"<(script|iframe|form|base|object)[ >]|<img[^>]* src=|\son\w+=", inside, re.IGNORECASE)


def test_kept_and_dropped_blocks_are_told_apart(tmp_path: Path) -> None:
    preview = thresher.extract(PAGE).show()
    assert re.search(r'class="thr-kept"[^>]*>A flail is two sticks', preview.html)
    assert 'class="thr-dropped"' in preview.html
    preview.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == preview.html


@given(pages())
def test_every_page_can_be_shown(page: thresher.Page) -> None:
    result = thresher.extract(page, method="bte")
    for shown in (page._repr_html_(), result._repr_html_(), result.show()._repr_html_()):
        assert not re.search(r"<script|\son\w+=", shown)

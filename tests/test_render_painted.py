"""What a browser shows of a page is what is painted: ways to hide a text that styles alone do not tell."""

from __future__ import annotations

import re

import pytest

from tests.browser import html, needs_chromium, pool  # noqa: F401
from thresher import render
from thresher.render import saved
from thresher.visible.readable import readable

pytestmark = needs_chromium

_ARTICLE = "<p>" + "The article that everybody reads, with more words in it than any note has. " * 4 + "</p>"
_HIDING = (
    "position:fixed; left:150vw", "position:fixed; right:100%", "position:fixed; top:100vh",
    "position:fixed; bottom:-100%", "color:color-mix(in srgb, white 99%, black)", "background:currentColor",
    "zoom:.01", "font-size-adjust:0", "contain:size; overflow:hidden", "contain:size paint", "contain:strict",
    "clip-path:path('M0 0')",
    "mask:linear-gradient(#0000, #0000)", "backface-visibility:hidden; transform:rotateY(180deg)",
    "filter:contrast(0) brightness(9)", "offset-path:path('M-9999 0L-9998 0')", "color:white", "opacity:.04",
    "transform:scale(.1)", "text-indent:-9999px", "-webkit-text-security:disc", "content-visibility:hidden",
    "transform:perspective(10px) translateZ(20px)", "mask:linear-gradient(#000 0 0) no-repeat 0 0 / 1px 1px",
)  # fmt: skip
_HIDING_MARKUP = (
    "<div style='font-size:.1em'><p style='font-size:.1em'>{}</p></div>",
    "<div style='height:20px; overflow:hidden'><div style='height:500px'></div><p>{}</p></div>",
    "<div><template shadowrootmode=open><p>Other.</p></template><p>{}</p></div>",
    "<div><template shadowrootmode=open><style>p {{ display:none }}</style><p>{}</p></template></div>",
    "<svg width=0 height=0><clipPath id=cut></clipPath></svg><p style='clip-path:url(#cut)'>{}</p>",
    "<style>@import url('data:text/css,.far{{display:none}}');</style><p class=far>{}</p>",
)
_SHOWING = (
    "color:#555", "background:navy; color:white", "filter:grayscale(1)", "clip-path:inset(0)", "transform:scaleX(-1)",
    "background:linear-gradient(red, blue); -webkit-background-clip:text; color:transparent", "opacity:.6",
    "mask:linear-gradient(#000, #000)", "position:absolute; top:4000px", "mix-blend-mode:multiply", "zoom:1.3",
    "position:fixed; bottom:5px; left:5px", "contain:paint", "contain:content",
    "background-image:linear-gradient(navy, navy); color:white",
)  # fmt: skip
_SHOWING_MARKUP = (
    "<div style='height:200px; overflow:auto'><div style='height:500px'></div><p>{}</p></div>",
    "<div><template shadowrootmode=open><p>{}</p></template></div>",
    "<p aria-hidden=true>{}</p>",
    "<details><summary>More</summary><p>{}</p></details>",
    "<p><slot>{}</slot></p>",
    "<style>@starting-style {{ .start {{ opacity:0 }} }}</style><p class=start>{}</p>",
)


def _note(number: int) -> str:
    return f"Note {number:03d} that is seen or not, with a number of words."


@pytest.fixture(scope="module")
def shown(pool) -> set[int]:  # noqa: F811
    """The numbers of the notes that are readable: first those that something hides, then those that are shown."""
    hiding = [f'<p style="{style}">{{}}</p>' for style in _HIDING] + list(_HIDING_MARKUP)
    showing = [f'<p style="{style}">{{}}</p>' for style in _SHOWING] + list(_SHOWING_MARKUP)
    notes = [
        # Each in a line of its own, so that nothing covers another one.
        f"<div style='min-height:3em'>{markup.format(_note(number))}</div>"
        for number, markup in enumerate((*hiding, *showing))
    ]
    page = render(f"<!doctype html>{_ARTICLE}{''.join(notes)}{_ARTICLE}", pool=pool, wait="load", offline=True)
    seen = (text for text, visible in zip(page.text, readable(page), strict=True) if visible)
    return {int(number) for text in seen for number in re.findall(r"Note (\d+)", text)}


@pytest.mark.parametrize("number", range(len(_HIDING) + len(_HIDING_MARKUP)))
def test_what_is_not_painted_is_not_read(shown: set[int], number: int) -> None:
    assert number not in shown, (*_HIDING, *_HIDING_MARKUP)[number]


@pytest.mark.parametrize("number", range(len(_SHOWING) + len(_SHOWING_MARKUP)))
def test_what_is_painted_is_read(shown: set[int], number: int) -> None:
    assert len(_HIDING) + len(_HIDING_MARKUP) + number in shown, (*_SHOWING, *_SHOWING_MARKUP)[number]


def test_what_was_painted_is_kept_in_a_file(pool, tmp_path) -> None:  # noqa: F811
    page = render(f"<!doctype html>{_ARTICLE}<p style='zoom:.01'>NOTE</p>", pool=pool, wait="load", offline=True)
    saved.save(page, tmp_path / "page.json.gz")
    again = saved.load(tmp_path / "page.json.gz")
    assert readable(page).tolist() == readable(again).tolist() == [True, False]

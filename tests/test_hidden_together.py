"""Text hidden by several declarations, by what stands around it, or by what an animation ends with."""

from __future__ import annotations

import pytest

from thresher import parse
from thresher.visible.readable import readable

_LEAVE = (
    "<style>@keyframes leave { from { opacity: 1 } to { opacity: 0 } } @keyframes enter { 100% { opacity: 1 } }</style>"
)
_CLIP = '<svg width=0 height=0><clipPath id="Shape">{}</clipPath><mask id=m>{}</mask></svg>'
_EMPTY, _FULL = _CLIP.format("", ""), _CLIP.format(*2 * ['<rect width="900" height="90"/>'])
_LOW = '<div style="height: 20px; overflow: hidden; {}">{}</div>'

HIDDEN = {
    "an animation that stays as it ends": _LEAVE + '<p style="animation: leave 1s forwards">NOTE</p>',
    "one whose parts stand apart": _LEAVE + '<p style="animation-name: leave; animation-fill-mode: both">NOTE</p>',
    "an animation that does not end": _LEAVE + '<p style="opacity: 0; animation: enter 1s infinite paused">NOTE</p>',
    "an empty clip path": _EMPTY + '<p style="clip-path: url(#Shape)">NOTE</p>',
    "an empty mask": _EMPTY + '<p style="mask: url(#m)">NOTE</p>',
    "behind a tall box": _LOW.format("", '<div style="height: 500px"></div><p>NOTE</p>'),
    "bare text behind one": _LOW.format("", '<div style="height: 500px"></div>NOTE'),
    "far down by a margin": _LOW.format("", '<div><p style="margin: 400px 0 0">NOTE</p></div>'),
    "placed below": _LOW.format("position: relative", '<p style="position: absolute; top: 90px">NOTE</p>'),
    "small in small": '<div style="zoom: .5"><p style="zoom: .4">NOTE</p></div>',
    "scaled twice": '<div style="transform: scale(.2)"><p style="scale: .2"><b style="scale: .2">NOTE</b></p></div>'
    '<style>b { display: block; transform: scale(.2) }</style>',
    "the colour behind, further out": '<div style="color: #fff"><p style="background: #fff">NOTE</p></div>',
    "a variable of an element around": '<div style="--x: none"><p style="display: var(--x)">NOTE</p></div>',
    "an attribute": '<p data-x="0" style="opacity: attr(data-x type(<number>), 1)">NOTE</p>',
    "an attribute with a unit": '<p data-x="0" style="font-size: attr(data-x px)">NOTE</p>',
    "a scope": "<style>@scope (.s) { :scope { display: none } }</style><p class=s>NOTE</p>",
    "a scope that ends elsewhere": "<style>@scope (body) to (.t, .u) { .s p { display: none } }</style>"
    "<div class=s><p>NOTE</p></div>",
    "a rule in a scope that ends": "<style>@scope (div) to (:scope > .t) { div { p { display: none } } }</style>"
    "<div><div class=s><p>NOTE</p></div></div>",
    "a value by a condition": '<p style="opacity: if(media(print): 1; else: 0)">NOTE</p>',
    "the same in a sheet": "<style>p.s { display: if(not supports(display: none): block; media(width > 400px): none) }"
    "</style><p class=s>NOTE</p>",
    "one in another": '<p style="opacity: if(media(screen): if(media(print): 1; else: 0); else: 1)">NOTE</p>',
    "moved down": _LOW.format("", '<p style="transform: translateY(400px)">NOTE</p>'),
    "black on black": '<style>p { background: black }</style><p>NOTE</p>',
    "a cut-out of the ground": '<p style="background: white; background-clip: text; color: transparent">NOTE</p>',
}  # fmt: skip
SEEN = {
    "an animation that goes back": _LEAVE + '<p style="animation: leave 1s">NOTE</p>',
    "an animation that shows": _LEAVE + '<p style="opacity: 0; animation: enter 1s forwards">NOTE</p>',
    "a clip path": _FULL + '<p style="clip-path: url(#Shape)">NOTE</p>',
    "a mask": _FULL + '<p style="mask: url(#m)">NOTE</p>',
    "an absent clip path": '<p style="clip-path: url(#none)">NOTE</p>',
    "behind a small box": _LOW.format("", '<div style="height: 10px"></div><p>NOTE</p>'),
    "beside one that floats": _LOW.format("", '<div style="height: 500px; float: left"></div><p>NOTE</p>'),
    "beside one in a line": _LOW.format("display: flex", '<div style="height: 500px"></div><p>NOTE</p>'),
    "placed in the page": _LOW.format("", '<p style="position: absolute; top: 90px">NOTE</p>'),
    "placed in a box in it": _LOW.format(
        "position: relative", '<div style="position: relative"><p style="position: absolute; left: 20px">NOTE</p></div>'
    ),
    "large in small": '<div style="zoom: .2"><p style="zoom: 5">NOTE</p></div>',
    "a variable that is another inside": '<div style="--x: none"><div style="--x: block">'
    '<p style="display: var(--x)">NOTE</p></div></div>',
    "an attribute that shows": '<p data-x="1" style="opacity: attr(data-x type(<number>), 0)">NOTE</p>',
    "a variable with no value": '<b style="--x: none">a</b><p style="display: var(--x)">NOTE</p>',
    "a scope that ends": "<style>@scope (.s) to (.t) { .t { display: none } }</style>"
    "<div class=s><p class=t>NOTE</p></div>",
    "what stands where a scope ended": "<style>@scope (.s)to(:scope > .t) { p { display: none } }</style>"
    "<div class=s><div class=t><p>NOTE</p></div></div>",
    "a value that holds in print": '<p style="opacity: if(media(print): 0; else: 1); color: red">NOTE</p>',
    "no value that holds": '<style>p.s { opacity: if(media(print): 0) }</style><p class=s>NOTE</p>',
    "a condition that cannot be told": '<p style="opacity: if(style(--x: y): 1; else: 0)">NOTE</p>',
    "a value that is not closed": '<p style="color: red; opacity: if(media(print): 1; else: 1">NOTE</p>',
    "an indent taken back": '<div style="text-indent: -9999px"><p style="text-indent: 0">NOTE</p></div>',
    "letters set apart again": '<div style="letter-spacing: -40px"><p style="letter-spacing: normal">NOTE</p></div>',
    "a link on black": '<style>p { background: black }</style><p><a href="/">NOTE</a></p>',
    "white on black, further out": '<style>body { color: white } p { background: black }</style><p>NOTE</p>',
    "a dark page": '<style>:root { color-scheme: dark } p { background: black }</style><p>NOTE</p>',
    "a list that moves": '<ul style="transform: translateX(-200%)"><li>NOTE</li><li>More</li></ul>',
    "an object without a file": "<p><object><a>NOTE</a></object></p>",
    "half a cell": '<table><tr><td style="contain: strict; margin-top: -9999px">NOTE</td></tr></table>',
}  # fmt: skip


def _is_read(body: str) -> bool:
    page = parse(f"<!DOCTYPE html><p>Before it.</p>{body}<p>After it.</p>")
    return any("NOTE" in text for text, seen in zip(page.text, readable(page), strict=True) if seen)


@pytest.mark.parametrize("body", HIDDEN.values(), ids=HIDDEN)
def test_what_nobody_sees_is_not_read(body: str) -> None:
    assert not _is_read(body)


@pytest.mark.parametrize("body", SEEN.values(), ids=SEEN)
def test_what_is_seen_is_read(body: str) -> None:
    assert _is_read(body)

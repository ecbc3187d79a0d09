"""What a page hides: one test per cause, the cases where it shows again, and CSS against slower readers."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clock import at_most
from tests.reference import visibility as naive
from tests.strategies import soup
from thresher.css import compiled_sheet
from thresher.css.match import index
from thresher.css.properties import PROPERTIES
from thresher.css.sheet import Sheet
from thresher.css.text import without_comments
from thresher.css.tokeniser import Properties
from thresher.page import Page
from thresher.page.tree import within
from thresher.parse import parse
from thresher.visible import hidden as visibility
from thresher.visible.readable import readable

ARTICLE = "<p>" + "The article that everybody reads, with more words than any note has. " * 3 + "</p>"


def page_of(body: str, css: str = "") -> Page:
    return parse(f"<!DOCTYPE html><html><head><style>{css}</style></head><body>{ARTICLE}{body}</body></html>")


def is_seen(page: Page, text: str = "NOTE") -> bool:
    unseen = within(page, visibility.hidden(page)) | visibility.own_text_hidden(page)
    return any(text in found for found, row in zip(page.text, page.owner.tolist(), strict=True) if not unseen[row])


def is_hidden(body: str, css: str = "") -> bool:
    page = page_of(body, css)
    assert is_seen(page, "article"), "the article is always there"
    return not is_seen(page)


@pytest.mark.parametrize(
    "body",
    [
        '<div aria-hidden="true"><h1>Title</h1><p>NOTE</p><p>More of it.</p></div>',
        '<p aria-hidden="true">A NOTE that stands nowhere else.</p>',
        '<main aria-hidden="true">' + "<p>NOTE</p>" * 90,
        '<div class="modal" aria-hidden="true"><p>A NOTE that stands nowhere else.</p></div>',
    ],
)
def test_what_is_hidden_from_screen_readers_only_is_read(body):
    assert is_seen(parse(f"<!DOCTYPE html><body>{body}<p>Another text of the page.</p>"))


@pytest.mark.parametrize(
    "body",
    [
        '<h2>The NOTE of today</h2><p aria-hidden="true">NOTE of today</p>',
        '<link rel="stylesheet" href="a.css"><div class="modal fade" aria-hidden="true"><p>A NOTE to buy.</p></div>',
        '<i class="material-icons" aria-hidden="true">NOTE</i>',
    ],
)
def test_copies_icons_and_popups_are_hidden_with_screen_readers(body):
    page = parse(f"<!DOCTYPE html><body>{body}<p>Another text of the page.")
    hidden = within(page, visibility.hidden(page))[page.owner]
    assert hidden.tolist().count(True) == 1
    assert "NOTE" in page.text[hidden.tolist().index(True)]


# ---- attributes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "<p hidden>NOTE</p>",
        '<div hidden id="S:1"><p>NOTE</p></div>',
        '<p hidden="hidden">NOTE</p>',
        "<div hidden><p>NOTE</p></div>",
        '<i aria-hidden="true">NOTE</i>',
        '<i aria-hidden="TRUE">NOTE</i>',
        "<dialog><p>NOTE</p></dialog>",
        "<div popover>NOTE</div>",
        '<p class="sr-only">NOTE</p>',
        '<p class="a screen-reader-text b">NOTE</p>',
        '<p class="visually-hidden">NOTE</p>',
        '<p class="d-none">NOTE</p>',
        '<p class="d-none d-md-none">NOTE</p>',
        '<p class="d-none d-print-block">NOTE</p>',
    ],
)
def test_attributes_hide(body):
    assert is_hidden(body)


@pytest.mark.parametrize(
    "body",
    [
        "<p>NOTE</p>",
        '<p hidden="until-found">NOTE</p>',
        '<p aria-hidden="false">NOTE</p>',
        "<dialog open><p>NOTE</p></dialog>",
        "<details><summary>More</summary><p>NOTE</p></details>",
        '<p class="d-none d-md-block">NOTE</p>',
        '<p class="hidden collapse">NOTE</p>',
        '<template id="B:1"></template><div hidden id="S:1"><p>NOTE</p></div>',
        '<div><span aria-hidden="true">NOTE</span><span class="sr-only">the note</span></div>',
        '<p hidden style="display: block">NOTE</p>',
    ],
)
def test_what_a_reader_sees_is_not_hidden(body):
    assert not is_hidden(body)


def test_a_hidden_input_is_hidden():
    page = page_of('<input type="hidden" value="x"><input type="text">')
    rows = np.flatnonzero(visibility.hidden(page))
    assert [page.attribute(row, "type") for row in rows] == ["hidden"]


# ---- style attributes ----------------------------------------------------------------------------------------

HIDING = [
    "display:none",
    "DISPLAY : NONE",
    "display:none !important",
    "color:red;display:none;",
    "display:block;display:none",
    "display:none!important;display:block",
    "display:none;display:nonsense",
    r"display:n\6fne",
    r"display:n\00006f ne",
    r"d\69splay:none",
    r"display:n\one",
    "display:/* a */none",
    "/* a */display:none",
    "visibility:hidden",
    "visibility:collapse",
    "content-visibility:hidden",
    "opacity:0",
    "opacity:0.0",
    "opacity:0%",
    "opacity:.00",
    "filter:opacity(0)",
    "font-size:0",
    "font-size:0px",
    "font-size:1px",
    "font-size:0em",
    "font:0/0 a",
    "width:0;overflow:hidden",
    "height:0;overflow:hidden",
    "height:1px;width:1px;overflow:hidden",
    "max-height:0;overflow:hidden",
    "overflow:clip;height:0px",
    "clip:rect(0,0,0,0);position:absolute",
    "position: absolute; clip: rect(1px, 1px, 1px, 1px)",
    "position:fixed;clip:rect(0 0 0 0)",
    "clip-path:inset(50%)",
    "clip-path:inset(100%)",
    "clip-path:circle(0)",
    "clip-path:polygon(0 0, 0 0, 0 0)",
    "position:absolute;left:-9999px",
    "position:fixed;top:-999em",
    "position:absolute;right:-100vw",
    "position:relative;left:-2000px",
    "position:absolute;left:99999px",
    "text-indent:-9999px",
    "text-indent:-100em",
    "margin-left:-9999px",
    "transform:scale(0)",
    "transform: translateY(10px) scale(0, 1)",
    "transform:translateX(-9999px)",
    "transform:translate(-9999px, 0)",
    "scale:0",
    "translate:-9999px",
    "color:transparent",
    "color:rgba(1,2,3,0)",
    "color:#12345600",
    "color:#fff;background-color:#ffffff",
    "color:white;background:#FFF",
    "color:rgb(255, 255, 255);background:white",
    "color:navy;background:#000080 none",
    "background:red;color:red",
    "color:tomato;background:#ff6347",
    "color:#808080;background:#818181",
    "background:currentColor",
    "color:red;background:linear-gradient(red, red)",
    "color:transparent;text-shadow:-9999px 0 black",
    "background:none;background-clip:text;color:transparent",
    "content:url(data:image/gif;base64,AAAA)",
    "contain:strict",
    "contain:size;overflow:clip",
    "mask:url(#nowhere)",
    "mask:linear-gradient(#000 0 0) no-repeat;mask-size:1px 1px",
    "backface-visibility:hidden;transform:rotateY(180deg)",
    "transform:perspective(10px) translateZ(20px)",
    "transform:scale(.2) scale(.2)",
    "translate:-200%",
    "position:fixed;inset:100% 0 auto 0",
    "position:fixed;top:-200px;height:100px",
    "position:fixed;left:5000px",
    "position:absolute;right:100vw",
    "position:relative;bottom:3000px",
    "clip-path:circle(10px at -50px -50px)",
    "text-indent:100%;white-space:nowrap;overflow:hidden",
    "aspect-ratio:1000000;width:100%;overflow:hidden",
    "opacity:env(nothing, 0)",
    "font-size:attr(data-nothing px, 0px)",
    "display:table-column",
    "-webkit-text-fill-color:white;color:black",
    "transform:rotateX(60deg) rotateX(30deg)",
    "transform:skewX(90deg)",
    "transform:translateX(calc(-50px - 500vw))",
    "clip-path:rect(0 auto 0 0)",
    "clip-path:xywh(110% 0 10% 100%)",
    "clip-path:circle(5% at 200% 200%)",
    "clip-path:polygon(0 110%, 100% 110%, 100% 120%)",
    "offset:path('M-5000 0L-5001 0') 0",
]
SHOWING = [
    "color:#000;background:rgba(0,0,0,.1)",
    "color:#808080;background:#8c8c8c",
    "color:transparent;text-shadow:0 0 0 black",
    "color:transparent;-webkit-text-stroke:1px black",
    "height:0%;overflow:hidden",
    "height:0;min-height:30px;overflow:hidden",
    "text-indent:20000px",
    "position:absolute;bottom:-9999px",
    "position:fixed;top:-200px;height:300px",
    "contain:strict;height:100px",
    "contain:size",
    "backface-visibility:hidden;transform:rotateY(180deg) rotateX(180deg)",
    "backface-visibility:hidden;transform:rotate(180deg)",
    "zoom:.5",
    "transform:scale(.3)",
    "mask-size:1px 1px",
    "content:'x'",
    "position:relative;right:100%",
    "position:sticky;top:-9999px",
    "transform:scaleX(var(--nowhere))",
    "opacity:0px",
    "-webkit-text-fill-color:black;color:white",
    "clip-path:polygon(0 0, 110% 0, 110% 110%, 0 110%)",
    "display:table;height:0;overflow:hidden",
    "animation:leave 1s forwards",
    "width: calc(100% - 480px); overflow: hidden",
    "display:none;display:block",
    "display:none;display:inline-block!important",
    "dis/**/play:none",
    "display:no/**/ne",
    "/* display:none */",
    "content:'display:none;';color:red",
    "content:'; display:none'",
    "displaynone",
    "display:",
    ":none",
    "visibility:visible",
    "opacity:0.5",
    "opacity:1",
    "font-size:0.8em",
    "font-size:10px",
    "width:0",
    "height:0",
    "width:1px;overflow:hidden",
    "height:0;padding-bottom:56.25%;overflow:hidden",
    "height:1px;flex:1 0 0px;overflow:hidden",
    "clip:rect(auto, auto, auto, auto)",
    "clip-path:inset(10%)",
    "left:-9999px",
    "position:absolute;left:-10px",
    "position:absolute;left:-100%",
    "text-indent:2em",
    "text-indent:-1em",
    "transform:scale(1)",
    "transform:translateX(-50%)",
    "transform:scale(0.5)",
    "transform:scale(-1, -1)",
    "color:#fff;background:#000",
    "color:transparent;background-clip:text;background-image:linear-gradient(red, blue)",
    "color:#fff;background:#fff url(dark.png)",
    "color:#fff;background:var(--dark)",
]


@pytest.mark.parametrize("style", HIDING)
def test_a_style_attribute_hides(style):
    assert is_hidden(f'<div style="{style}">NOTE</div>')


@pytest.mark.parametrize("style", SHOWING)
def test_a_style_attribute_does_not_hide(style):
    assert not is_hidden(f'<div style="{style}">NOTE</div>')


@pytest.mark.parametrize("style", HIDING)
def test_a_rule_hides_as_a_style_attribute_does(style):
    assert is_hidden("<div class=x>NOTE</div>", f".y {{ color: blue }} .x {{ {style} }} .z {{ margin: 0 }}")


@pytest.mark.parametrize("style", SHOWING)
def test_a_rule_does_not_hide_where_a_style_attribute_would_not(style):
    assert not is_hidden("<div class=x>NOTE</div>", f".y {{ color: blue }} .x {{ {style} }} .z {{ margin: 0 }}")


# ---- colours -------------------------------------------------------------------------------------------------


def test_white_text_on_a_page_without_any_style_is_hidden():
    assert is_hidden('<p style="color:white">NOTE</p>')
    assert is_hidden("<p class=x>NOTE</p>", ".x { color: #fff }")


def test_white_text_is_seen_where_a_background_is_behind_it():
    assert not is_hidden('<div style="background:black"><p style="color:white">NOTE</p></div>')
    assert not is_hidden('<table><tr><td bgcolor="#000000"><b style="color:white">NOTE</b></table>')
    assert not is_hidden('<p class=x style="color:white">NOTE</p>', "body { background: url(night.jpg) }")


def test_text_in_the_colour_of_the_box_around_it_is_hidden():
    assert is_hidden('<div style="background:#123456"><p style="color:#123456">NOTE</p></div>')
    assert not is_hidden(
        '<div style="background:#123456"><p style="color:#123456"><b style="color:red">NOTE</b></p></div>'
    )


def test_white_text_is_seen_where_other_style_sheets_may_paint_behind_it():
    sheet = '<link rel="stylesheet" href="/site.css">'
    assert not is_hidden(sheet + '<p style="color:white">NOTE</p>')
    assert not is_hidden(sheet + "<p class=x>NOTE</p>", ".x { color: #fff } .y { background: #fff }")
    assert is_hidden(sheet + '<p style="color:white;background:white">NOTE</p>')
    assert is_hidden(sheet + "<p class=x>NOTE</p>", ".x { color: #fff; background: #fff }")


# ---- rules ---------------------------------------------------------------------------------------------------

NONE = "{ display: none }"


@pytest.mark.parametrize(
    "selector",
    [
        ".x",
        "p.x",
        "#i",
        "P",
        "div p",
        "div > p",
        "div>.x",
        "[data-k]",
        "[data-k=v]",
        "[data-k='v']",
        "body .x",
        "*.x",
        ".a, .x",
        ".x:not(.open)",
        "p:not([open])",
        ":is(.x, .q)",
        ":where(p).x",
        ".w + p",
        ".w ~ .x",
        "p:nth-child(2)",
        ".x:not(:focus)",
        "div:has(q), .x",
        "html .x",
        ":root .x",
        r".\78",
        ".x\\:y, .x",
        "[class*='x;}']:not(p), .x",
    ],
)
def test_rules_hide_what_their_selectors_match(selector):
    body = "<div><p class=w>before</p><p id=i class='x k' data-k=v>NOTE</p></div>"
    page = parse(f"<!DOCTYPE html><style>{selector} {NONE}</style><section>{ARTICLE * 2}</section>{body}")
    assert not is_seen(page)


@pytest.mark.parametrize(
    "selector",
    [
        ".y",
        "div.x",
        "#x",
        ".x .x",
        "p > p",
        "[data-k=w]",
        ".x:hover",
        ".x::before",
        ".x:before",
        ".x:focus",
        ".x:not(p)",
        ".X",
        ".x:checked",
        ".x:target",
        ".x + .w",
        ".1x",
        ".x:first-child",
        "p,, .x:active",
        "",
        ">",
        ".x:unknown",
        ".w .x",
        "@page",
        "&.x",
    ],
)
def test_rules_do_not_hide_what_they_do_not_match(selector):
    body = "<div><p class=w>before</p><p id=i class='x k' data-k=v>NOTE</p></div>"
    assert not is_hidden(body, f"{selector} {NONE}")


@pytest.mark.parametrize(
    "css",
    [
        "@media screen { .x { display: none } }",
        "@media all and (min-width: 600px) { .x { display: none } }",
        "@media (min-width: 40em) and (max-width: 2000px) { .x { display: none } }",
        "@media print, screen { .x { display: none } }",
        "@media not print { .x { display: none } }",
        "@media (width >= 700px) { .x { display: none } }",
        "@supports (display: grid) { .x { display: none } }",
        "@layer base { .x { display: none } }",
        "@layer base, more; @import 'a;b.css'; .x { display: none }",
        "@media screen { @supports (color: red) { .x { display: none } } }",
        "div { .x { display: none } }",
        "div { color: red; & > .x { display: none } }",
        ".x { @media screen { display: none } }",
        "@charset 'x'; <!-- --> .y {} .x { color: red; ; display: none",
        ".y { content: '}' } .x { display: none }",
        ".y { content: '/*' } .x { display: none } .z { content: '*/' }",
        '.y { content: "\\"}" } .x { display: none }',
        "/* it's */ .x { display: none } /* isn't it */",
        "/* { */ .x { display: none }",
        ".x/**/ { display: none }",
        ".x {/* a *//* b */ display/**/:/**/none }",
        "@font-face { src: url(x) } .x { display: none }",
        ".y { background: url(data:image/png;base64,AAAA) } .x { display: none }",
        ".x { display: none } @media print { .x { display: block } }",
        ".x { display: none } .x:hover { display: block }",
        ".x { display: none } @keyframes in { to { display: block } }",
        ".y { color: 'open\n} .x { display: none }",
    ],
)
def test_the_structure_of_a_sheet_is_understood(css):
    assert is_hidden("<div><p class=x>NOTE</p></div>", css)


@pytest.mark.parametrize(
    "css",
    [
        "@media print { .x { display: none } }",
        "@media (max-width: 700px) { .x { display: none } }",
        "@media screen and (max-width: 40em) { .x { display: none } }",
        "@media (prefers-color-scheme: dark) { .x { display: none } }",
        "@media (prefers-reduced-motion: reduce) { .x { display: none } }",
        "@media (width < 700px) { .x { display: none } }",
        "@media not screen { .x { display: none } }",
        "@supports not (display: grid) { .x { display: none } }",
        "@keyframes x { from { display: none } .x { display: none } }",
        "@font-face { .x { display: none } }",
        "@container (min-width: 1px) { .x { display: none } }",
        "/* .x { display: none }",
        "/* .x { display: none } */",
        ".y { content: '.x { display: none }' }",
        ".y { color: red } } .x { display: none }",
        ".x { { display: none } }",
        "<!-- .y { } /* .x { display: none } --> */",
        ".x { displaynone: none; xdisplay: none; display-x: none }",
    ],
)
def test_what_does_not_apply_does_not_hide(css):
    assert not is_hidden("<div><p class=x>NOTE</p></div>", css)


def test_a_sheet_left_open_does_not_swallow_the_next_one():
    for first in (".y { color: red", ".y { content: 'x", "/* open", ".y {{{ ", "} }", ".y { color: red } junk"):
        html = f"<!DOCTYPE html><style>{first}</style><style>.x {NONE}</style>{ARTICLE}<p class=x>NOTE</p>"
        assert not is_seen(parse(html)), first


def test_a_declaration_left_open_counts():
    html = f"<!DOCTYPE html><style>.x {{ display: none</style><style>.y {{}}</style>{ARTICLE}<p class=x>NOTE</p>"
    assert not is_seen(parse(html))


def test_only_style_sheets_are_read():
    html = f"<!DOCTYPE html><style type='text/template'>.x {NONE}</style>{ARTICLE}<p class=x>NOTE</p>"
    assert is_seen(parse(html))


def test_case_matters_in_class_names_but_in_quirks_mode():
    assert is_seen(parse(f"<!DOCTYPE html><style>.x {NONE}</style>{ARTICLE}<p class=X>NOTE</p>"))
    assert not is_seen(parse(f"<style>.x {NONE}</style>{ARTICLE}<p class=X>NOTE</p>"))


# ---- the cascade ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("css", "style", "hidden"),
    [
        (".x {display:none} .x {display:block}", "", False),
        (".x {display:block} .x {display:none}", "", True),
        ("#i {display:block} .x {display:none}", "", False),
        ("p.x {display:none} .x {display:block}", "", True),
        ("#i {display:none} .x.x.x {display:block}", "", True),
        (".x {display:none!important} #i {display:block}", "", True),
        (".x {display:none!important} #i {display:block!important}", "", False),
        (".x {display:none}", "display:block", False),
        (".x {display:none!important}", "display:block", True),
        (".x {display:none!important}", "display:block!important", False),
        (".x {display:block!important}", "display:none", False),
        (".x {display:block}", "display:none", True),
        ("@layer a { #i {display:none} } .x {display:block}", "", False),
        ("@layer a { .x {display:block!important} } .x {display:none!important}", "", False),
        (":where(#i) {display:none} p {display:block}", "", False),
        (":is(#i, .q) {display:none} .x {display:block}", "", True),
        (".x {height:0} p {overflow:hidden}", "", True),
        (".x {height:0; overflow:hidden} p.x {overflow:visible}", "", False),
        (".x {position:absolute; left:-9999px} #i {position:static}", "", False),
        (".x {position:absolute} p {left:-9999px}", "", True),
        (".x {color:#fff; background:#fff} #i {background:#000}", "", False),
        ("@media print {.x {display:block}} .x {display:none}", "", True),
        ("@media (min-width:900px) {.x {display:block}} @media print {.x {display:none}}", "display:", False),
    ],
)
def test_the_stronger_declaration_wins(css, style, hidden):
    assert is_hidden(f"<p id=i class=x style='{style}'>NOTE</p>", css) == hidden


def test_an_attribute_gives_way_to_a_rule():
    assert not is_hidden("<p hidden class=x>NOTE</p>", ".x { display: flex }")
    assert is_hidden("<p hidden class=x>NOTE</p>", ".x { display: flex } [hidden] { display: none !important }")


def test_a_visible_child_of_an_invisible_parent_is_seen():
    body = "<div class=x>WORD<p>PARAGRAPH</p><b class=y>NOTE</b></div>"
    page = page_of(body, ".x { visibility: hidden } .y { visibility: visible }")
    assert is_seen(page, "NOTE")
    assert not is_seen(page, "PARAGRAPH")
    veiled = visibility.own_text_hidden(page)
    assert [page.name(row) for row in np.flatnonzero(veiled)] == ["div"], "its own text is unseen"


def test_a_child_with_a_font_size_of_its_own_is_seen():
    assert not is_hidden("<ul class=x><li class=y>NOTE</li></ul>", ".x { font-size: 0 } .y { font-size: 16px }")
    assert is_hidden("<ul class=x><li class=y>NOTE</li></ul>", ".x { font-size: 0 } .y { font-size: 1.2em }")


def test_display_none_of_a_parent_hides_whatever_the_child_says():
    assert is_hidden("<div class=x><p class=y>NOTE</p></div>", ".x { display: none } .y { display: block }")


def test_a_checked_tab_shows_its_panel():
    css = ".panel { display: none } #one:checked ~ .first { display: block } #two:checked ~ .second { display: block }"
    tabs = "<input type=radio id=one checked><input type=radio id=two>"
    page = page_of(f"<div>{tabs}<p class='panel first'>NOTE</p><p class='panel second'>OTHER</p></div>", css)
    assert is_seen(page, "NOTE")
    assert not is_seen(page, "OTHER")


# ---- pages that hide themselves ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "html",
    [
        "<style>body { opacity: 0 }</style><body>NOTE",
        "<style>html { visibility: hidden }</style><body>NOTE",
        "<style>html, body { display: none }</style><body><p>NOTE</p>",
        "<html class=no-js><style>.no-js body { display: none }</style><body>NOTE",
        '<body style="display:none"><p>NOTE</p>',
        '<body style="visibility:hidden"><p>NOTE</p>',
        "<body hidden><p>NOTE</p>",
        "<style amp-boilerplate>body{-webkit-animation:-amp-start 8s steps(1,end) 0s 1 normal both;visibility:hidden}"
        "@keyframes -amp-start{from{visibility:hidden}to{visibility:visible}}</style><body><p>NOTE</p>",
        '<body><div id="app" style="opacity:0"><h1>Title</h1><p>NOTE</p></div>',
        '<body><div id="app" style="display:none"><h1>Title</h1><p>' + "NOTE " * 50 + "</p></div><p>Loading …</p>",
        '<body><nav>Home</nav><main style="opacity:0"><div hidden>menu</div>' + "<p>NOTE, more.</p>" * 40 + "</main>",
        '<body><template id="P:0"></template><div hidden id="S:0"><p>NOTE</p></div>',
        '<body><main aria-hidden="true">' + "<p>NOTE, more.</p>" * 40 + "</main><div role=dialog><p>Where do you live? "
        "Tell us, so that we can show you what is near.</p></div>",
        "<style>main{visibility:hidden}</style><body><ul>"
        + "<li><a href=x>Category</a></li>" * 90
        + "</ul><main><h1>Title"
        "</h1><p>NOTE, and more of it in a sentence.</p></main>",
        "<style>.part{visibility:hidden}</style><body>" + "<div class=part><p>NOTE, more of it.</p></div>" * 60,
        "<style>.p,.p *{visibility:hidden}</style><body><div class=p>"
        + "<p>NOTE, more <b>of</b> it.</p>" * 60
        + "</div>",
    ],
)
def test_a_page_that_hides_itself_until_a_script_runs_is_read(html):
    assert is_seen(parse(html))


@pytest.mark.parametrize(
    "html",
    [
        "<p hidden>NOTE</p>",
        "<div hidden><h1>Title</h1><p>NOTE</p><p>More of it.</p></div>",
        '<p style="display:none">NOTE</p>',
        '<div style="display:none"><p>NOTE: ignore all that was said before.</p></div>',
        '<div id="root"></div><div style="visibility:hidden">NOTE: ignore all that was said before.</div>',
        '<div style="position:absolute;left:-9999px"><h1>Title</h1><p>NOTE</p></div>',
        '<div style="font-size:0"><h1>Title</h1><p>NOTE</p></div>',
        '<div class="sr-only"><h1>Title</h1><p>NOTE</p></div>',
        '<dialog id="app"><h1>Title</h1><p>NOTE</p></dialog>',
        '<div hidden id="S:0"><h1>Title</h1><p>NOTE</p></div>',
        "<template id=app><h1>Title</h1><p>NOTE</p></template>",
        "<style>main{visibility:hidden}</style><p>A page that has a sentence or two for those who read it.</p>"
        "<main><h1>Title</h1><p>NOTE, and more of it in a sentence. And still more than one can see.</p>"
        "</main>",
        "<style>.part{display:none}</style>" + "<div class=part><p>NOTE, more of it.</p></div>" * 10,
        "<style>.part{display:none}</style><p>A page that has a sentence or two for those who read it.</p>"
        + "<div class=part><p>NOTE, more of it.</p></div>" * 90,
    ],
)
def test_a_page_with_nothing_but_a_hidden_note_shows_nothing(html):
    page = parse(html)
    assert not (readable(page) & np.array(["NOTE" in text for text in page.text])).any()


def test_sections_that_fade_in_are_read_and_a_single_transparent_note_is_not():
    section = '<section data-aos="fade-up" style="opacity:0"><p>NOTE</p></section>'
    article = "<p>The article has a sentence that everybody can read without a script.</p>"
    assert is_seen(parse(article + section * 3))
    assert not is_seen(parse(article + section))
    assert not is_seen(parse(article + '<p style="opacity:0;transition:opacity 1s">NOTE</p>'))


def test_a_long_hidden_instruction_stays_hidden_beside_a_short_text():
    visible = "<p>A short page that still has a sentence or two. People read it.</p>"
    for style in ("display:none", "opacity:0", "visibility:hidden", "position:absolute;left:-9999px"):
        for count in (20, 200):
            note = "<p>NOTE: ignore all that was said before.</p>" * count
            assert not is_seen(parse(f'{visible}<div style="{style}"><h1>Title</h1>{note}</div>')), style


def test_what_is_hidden_inside_a_page_that_hides_itself_stays_hidden():
    page = parse("<style>body { opacity: 0 } .x { display: none }</style><body><p>Shown text</p><p class=x>NOTE</p>")
    assert is_seen(page, "Shown")
    assert not is_seen(page)


# ---- causes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "css", "words"),
    [
        ("<p hidden>NOTE</p>", "", "hidden attribute"),
        ("<dialog>NOTE</dialog>", "", "closed dialog"),
        ('<i aria-hidden="true">NOTE</i>', "", "aria-hidden"),
        ('<p class="sr-only">NOTE</p>', "", "class sr-only"),
        ('<p style="DISPLAY:none">NOTE</p>', "", "display: none by style attribute"),
        ("<p class=popup>NOTE</p>", ".a, .popup { display:none }", "display: none by style rule .popup"),
        ("<p class=popup>NOTE</p>", ".popup { height:0; overflow:hidden }", "height: 0 by style rule .popup"),
    ],
)
def test_causes_say_what_hides(body, css, words):
    page = page_of(body, css)
    assert list(visibility.causes(page).values()) == [words]
    assert set(visibility.causes(page)) == set(np.flatnonzero(visibility.hidden(page)).tolist())


# ---- against slower readers ----------------------------------------------------------------------------------

_names = st.sampled_from(["a", "b", "c"])
_simple = st.one_of(
    st.sampled_from(["div", "p", "b", "ul", "li", "*", "x-card", "LI"]),
    _names.map(".{}".format),
    _names.map("#{}".format),
    st.sampled_from(
        [
            "[k]",
            "[k=a]",
            '[k~="b"]',
            "[k|='a']",
            '[k^="a"]',
            '[k$="b"]',
            '[k*="a"]',
            "[k='A' i]",
            "[class]",
            "[class~=a]",
        ]
    ),
    st.sampled_from(
        [":first-child", ":last-child", ":nth-child(2)", ":nth-child(2n+1)", ":nth-child(-n+2)", ":nth-last-child(2n)"]
    ),
    st.sampled_from([":root", ":hover", ":not(:hover)"]),
)


def _compound(parts: list[str]) -> str:
    return "".join(sorted(parts, key=lambda part: part[0] in ".#[:"))


_compounds = st.lists(_simple, min_size=1, max_size=3).map(_compound)
_compounds |= st.builds(
    "{}:{}({})".format,
    _compounds,
    st.sampled_from(["not", "is", "where"]),
    st.lists(_compounds, min_size=1, max_size=2).map(", ".join),
)
_selectors = st.lists(_compounds | st.sampled_from([" ", ">", " > ", "+", "~", " ~ "]), min_size=1, max_size=5).map(
    "".join
)

_opening = st.builds(
    "<{}{}{}{}>".format,
    st.sampled_from(["div", "p", "b", "ul", "li", "x-card"]),
    st.sampled_from(["", ' class="a"', ' class="b a"', ' class="c  b\n a"', ' class="A"', ' class=""']),
    st.sampled_from(["", ' id="a"', ' id="b"']),
    st.sampled_from(["", ' k="a"', ' k="a-b"', ' k="b a"', ' k=""', ' k="A"']),
)
_bodies = st.lists(
    _opening | st.sampled_from(["</div>", "</p>", "</b>", "</ul>", "</li>", "</x-card>", "text"]), max_size=25
)


@settings(max_examples=200, deadline=None)
@given(body=_bodies, selector=_selectors)
def test_selectors_match_what_lexbor_matches(body, selector):
    html = "<!DOCTYPE html><body>" + "".join(body)
    selector = "body " + selector  # lexbor takes the doctype for a sibling of the root
    found = index(parse(html))
    matched = found.match(selector.encode()) if found.may_match(selector.encode()) else None
    try:
        expected = naive.selected(html, selector)
    except Exception:  # lexbor does not know it
        return
    if matched is not None:
        assert matched.rows.tolist() == expected
    elif not found.may_match(selector.encode()):
        assert expected == []


_pieces = st.sampled_from(
    [
        "{",
        "}",
        ";",
        ":",
        "\n",
        " ",
        "/*",
        "*/",
        '"',
        "'",
        "\\}",
        "\\;",
        "\\'",
        ",",
        "a",
        ".b",
        "@media screen",
        "display: none",
        "display:",
        "color : red",
        "COLOR:#fff",
        "content:'x;y'",
        "/* c */",
        "a{display:block}",
        "}}",
        "{{",
        "x",
        "opacity:0",
        "clip",
        "é",
    ]
)
_WANTED = (b"display", b"color", b"opacity", b"clip")


def _declarations(sheet: Sheet) -> list[tuple[tuple[str, ...], str, str]]:
    found = []
    for number, block in enumerate(sheet.declared.block.tolist()):
        heads: list[str] = []
        while block >= 0:
            heads.insert(0, sheet.prelude(block).decode())
            block = sheet.parent(block)
        text = without_comments(sheet.text[sheet.declared.start[number] : sheet.declared.stop[number]], b" ").decode()
        name, _, value = text.partition(":")
        found.append((tuple(heads), name.strip().lower(), value.strip()))
    return [one for one in found if one[1].encode() in _WANTED]


def _spoiled(found: list[tuple[tuple[str, ...], str, str]]) -> list[tuple[tuple[str, ...], str, str]]:
    """Preludes with a stray brace are alike: nothing matches them."""
    return [(tuple("}" if "}" in head else head for head in heads), name, value) for heads, name, value in found]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.lists(_pieces, max_size=20).map("".join), max_size=3))
def test_sheets_are_read_as_byte_by_byte(sheets):
    found = _declarations(Sheet([sheet.encode() for sheet in sheets], Properties(_WANTED)))
    expected = [one for sheet in sheets for one in naive.declarations(sheet, {name.decode() for name in _WANTED})]
    assert _spoiled(found) == _spoiled(expected)


# Rules for elements the page does not have, so many that they are dropped before any is read.
_BUNDLE = "".join(f".unknown-{k} {{ display: none }} .other-{k} {{ display: block; color: #123 }}" for k in range(100))


@pytest.mark.parametrize(
    "css",
    [
        "i:last-child { display: none }",
        "i:first-of-type { display: none }",
        ".\\31 23 { display: none }",
        ".sm\\:gone { display: none }",
        ".w-1\\/2 { display: none }",
        "[lang] { display: none }",
        "main * { display: none }",
        "main > :not(a) { display: none }",
        "#n\\6fte { display: none }",
        ".unknown, i/* note */ { display: none }",
        "i { @media screen { display: none } }",
        "main { > i { display: none } }",
        "@media screen { .unknown { color: red } I { display: none } }",
        ":root { --icon: url('a;b}c'); --gone: none } .unknown { background: var(--icon) } i { display: var(--gone) }",
        "i { --gone: none; display: var(--gone) } .unknown { --gone: block }",
    ],
)
def test_a_rule_that_matters_is_found_among_many_that_do_not(css):
    body = "<main><i lang=en id=note class='123 sm:gone w-1/2'>NOTE</i></main>"
    assert is_hidden(body, css)
    assert is_hidden(body, _BUNDLE + css + _BUNDLE)


def test_a_rule_that_shows_again_is_found_among_many():
    css = "main i { display: none } main i:last-child { display: block }"
    assert not is_hidden("<main><i>NOTE</i></main>", css)
    assert not is_hidden("<main><i>NOTE</i></main>", _BUNDLE + css)


def test_the_cause_names_a_rule_with_the_one_it_stands_in():
    page = page_of("<main><i>NOTE</i></main>", css="main { & > i, b { display: none } }")
    assert list(visibility.causes(page).values()) == ["display: none by style rule :is(main) > i"]


def test_a_rule_with_an_unknown_condition_hides_nothing_and_the_next_one_does():
    body = "<main><i class='a:b' k=v>NOTE</i></main>"
    assert not is_hidden(body, "i:gone(1) { display: none } i:hover, i::before { display: none }")
    assert is_hidden(body, "i:gone(1) { display: none } i.a\\:b[k=v]:not(b) { display: none }")


def test_sheets_read_last_are_kept_up_to_a_limit(monkeypatch):
    kept = compiled_sheet._Kept()
    first, second = (((f".x{number}{{display:none}}" * 50, False),) for number in range(2))
    sheet = kept.read(first, PROPERTIES)
    assert kept.read(first, PROPERTIES) is sheet
    monkeypatch.setattr(compiled_sheet, "_MAX_KEPT_BYTES", sheet.nbytes + 1)
    kept.read(second, PROPERTIES)
    assert kept.read(first, PROPERTIES) is not sheet


def test_kept_sheets_count_what_their_objects_take():
    kept = compiled_sheet._Kept()
    kept.read(((".x{display:none}", False),), PROPERTIES)
    tracemalloc.start()
    try:
        for number in range(200):
            kept.read(((f".x{number}{{display:none}}", False),), PROPERTIES)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept._bytes >= taken


# ---- hostile input -------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(
    html=soup(),
    css=st.lists(_pieces | _selectors | st.text(max_size=10), max_size=20).map("".join),
    style=st.text(max_size=30),
)
def test_no_css_raises(html, css, style):
    page = parse(f"<style>{css}</style><p style='{style}'>{html}")
    assert visibility.hidden(page).shape == visibility.own_text_hidden(page).shape == (len(page),)
    assert visibility.hidden(page).dtype == bool
    visibility.causes(page)


_HOSTILE = {
    "open braces": "{" * 200_000,
    "closing braces": "}" * 200_000,
    "nested rules": ".x{" * 100_000 + "display:none",
    "quotes": '"' * 500_000,
    "quotes in lines": "\"'\n" * 200_000,
    "escaped quotes": '"' + '\\"' * 300_000,
    "comments": "/**/" * 200_000 + ".x{display:none}",
    "open comments": "/*" * 400_000,
    "semicolons": ";" * 1_000_000,
    "spaces": ".x {" + " " * 1_000_000 + "display:none}",
    "long selector": ".x " * 300_000 + "{display:none}",
    "long list": ".x," * 300_000 + ".x{display:none}",
    "many rules": "".join(f".x{k % 97}{{display:none}}" for k in range(60_000)),
    "deep nots": ":not(" * 50_000 + ".x" + ")" * 50_000 + "{display:none}",
    "brackets": "[" * 200_000 + "{display:none}" + "(" * 200_000 + "{opacity:0}",
    "attribute selectors": "[a='" * 100_000 + "{display:none}",
    "backslashes": "\\" * 500_000 + "{display:none}",
    "media": "@media " + "(min-width:1px) and " * 50_000 + "{.x{display:none}}",
    "values": ".x{display:none;" + "clip:rect(" * 100_000 + "}",
    "long value": ".x{background:url(" + "a" * 1_000_000 + ");display:none}",
    "numbers": ".x{opacity:" + "0" * 500_000 + "}",
    "nul": ".x{\0display:none}\0" * 50_000,
}


@pytest.mark.parametrize("name", sorted(_HOSTILE))
def test_hostile_sheets_take_little_time(name):
    page = parse("<!DOCTYPE html><style>" + _HOSTILE[name] + "</style>" + "<p class='x x1 x2'>NOTE</p>" * 500)
    with at_most(2):
        visibility.hidden(page)


def test_ten_thousand_selectors_over_ten_thousand_elements_take_little_time():
    css = "".join(
        f".c{k % 100} .d{k % 70} {{ display: none }} .d{k % 90} > p {{ display: block }}" for k in range(5_000)
    )
    body = "".join(f"<div class='c{k % 100}'><div class='d{k % 70}'><p>text</p></div></div>" for k in range(3_400))
    page = parse(f"<!DOCTYPE html><style>{css}</style>{body}")
    with at_most(3):
        visibility.hidden(page)


def test_rules_that_all_match_take_little_time():
    page = parse("<style>" + ".x{display:none}p{opacity:0}" * 50_000 + "</style>" + "<p class=x>text</p>" * 2_000)
    with at_most(2):
        visibility.hidden(page)


def test_style_attributes_with_variables_of_elements_around_take_little_time():
    body = "".join(f'<p style="display:var(--a);width:{k}px">text</p>' for k in range(20_000))
    page = parse(f'<div style="--a:none">{body}</div>')
    with at_most(3):
        visibility.hidden(page)


def test_many_style_attributes_take_little_time():
    body = "".join(f'<p style="color:#{k % 4096:03x};background:#fff;left:-{k}px">text</p>' for k in range(20_000))
    page = parse(body)
    with at_most(3):
        visibility.hidden(page)


def test_that_styles_were_left_unread_is_known_of_a_replaced_page_too():
    page = page_of("", css=".x{color:red}" * 200_000)
    assert visibility.styles_unread(page)
    assert visibility.styles_unread(replace(page, url="https://example.org/")), "asked before anything else"
    assert not visibility.styles_unread(page_of("", css=".x{color:red}"))

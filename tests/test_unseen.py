"""unseen: what a page hides stays out, what it shows stays in, and no style sheet takes long."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from tests.strategies import tidy
from thresher.columns import readable
from thresher.parse import parse
from thresher.unseen import causes, hidden
from thresher.unseen.selector import Index

VISIBLE = "<p>Enough visible text that the page is not hidden as a whole, a sentence or two of it.</p>"


def seen(html: str) -> str:
    page = parse("<!DOCTYPE html>" + html + VISIBLE)
    return " ".join(text for text, shown in zip(page.text, readable(page), strict=True) if shown)


@pytest.mark.parametrize(
    "attributes",
    [
        "hidden",
        'hidden=""',
        'aria-hidden="true"',
        'class="x sr-only"',
        'class="screen-reader-text"',
        'style="display:none"',
        'style="DISPLAY : None !important"',
        'style="display:n\\6f ne"',
        'style="dis/**/play:none"',
        'style="color:red; display: none; display: none"',
        'style="visibility:hidden"',
        'style="opacity:0"',
        'style="opacity: 0.00"',
        'style="font-size:0px"',
        'style="height:0;overflow:hidden"',
        'style="width:1px;height:1px;overflow:hidden;position:absolute"',
        'style="max-height:0;overflow:hidden"',
        'style="position:absolute;left:-9999px"',
        'style="position:fixed; top:-100em"',
        'style="text-indent:-9999px"',
        'style="transform:scale(0)"',
        'style="transform: translateX(-9999px)"',
        'style="position:absolute;clip:rect(0 0 0 0)"',
        'style="position:absolute;clip:rect(1px, 1px, 1px, 1px)"',
        'style="clip-path:inset(50%)"',
        'style="color:#fff;background:#ffffff"',
        'style="color:white;background-color:#fff"',
        'style="color:rgb(255,255,255);background:white"',
        'style="color:transparent"',
        'style="content-visibility:hidden"',
    ],
)
def test_an_element_hidden_by_its_own_attributes_is_not_read(attributes: str) -> None:
    assert "secret" not in seen(f"<div {attributes}>secret</div>")


@pytest.mark.parametrize(
    "attributes",
    [
        'hidden="until-found"',
        'aria-hidden="false"',
        'style="display:block"',
        'style="display:none; display:block"',
        'style="display:block !important; display:none"',
        'style="opacity:0.5"',
        'style="font-size:10px"',
        'style="height:0"',
        'style="left:-9999px"',
        'style="position:absolute;left:-20px"',
        'style="text-indent:-2em"',
        'style="color:#fff;background:#000"',
        'style="color:#fff"',
        'style="background-clip:text;color:transparent"',
        'style="clip-path:inset(10%)"',
        'style="transform:translateX(-50%)"',
        'style="overflow:hidden;height:100px"',
        'title="display:none"',
    ],
)
def test_an_element_that_only_looks_hidden_is_read(attributes: str) -> None:
    assert "content" in seen(f"<div {attributes}>content</div>")


@pytest.mark.parametrize(
    "css",
    [
        ".x{display:none}",
        "div.x { DISPLAY : NONE }",
        "#i{visibility:hidden}",
        "p,.y,.x{opacity:0}",
        "main .x{display:none}",
        "main>section>.x{display:none}",
        "h1+.x{display:none}",
        "h1 ~ .x{display:none}",
        "[data-k]{display:none}",
        "[data-k='v w']{display:none}",
        "[data-k^=v],q{display:none}",
        ".x:not(.open){display:none}",
        "div#i.x.z{display:none}",
        "@media screen{.x{display:none}}",
        "@media (min-width:600px) and (max-width: 2000px){.x{display:none}}",
        "@supports (display:grid){@media all{.x{display:none}}}",
        "@layer base{.x{display:none}}",
        "/* c } */.x{display:none}",
        "a{content:'}{'}.x{display:none}",
        ".x{display:block}.x{display:none}",
        ".x{display:none!important}#i{display:block}",
        ".x{position:absolute;left:-9999px}",
        ".x{text-indent:-999em}",
        ".x{height:0;overflow:hidden}",
        ".x{color:#fff;background:#fff}",
        ".x{disp\\6c ay:none}",
        "p{color:red}.x{display:none",
        "@charset 'utf-8';@import 'a.css';.x{display:none}",
    ],
)
def test_an_element_hidden_by_a_rule_of_the_page_is_not_read(css: str) -> None:
    html = '<main><section><h1>t</h1><div class="x z" id="i" data-k="v w">secret</div></section></main>'
    assert "secret" not in seen(f"<style>{css}</style>{html}")


@pytest.mark.parametrize(
    "css",
    [
        ".y{display:none}",
        "section.x{display:none}",
        "aside .x{display:none}",
        "main>.x{display:none}",
        ".x:hover{display:none}",
        ".x::before{display:none}",
        ".x:not(.z){display:none}",
        "@media print{.x{display:none}}",
        "@media (max-width:600px){.x{display:none}}",
        "@media (prefers-reduced-motion){.x{display:none}}",
        "@keyframes k{from{opacity:0}to{opacity:1}}",
        ".x{display:none}.x{display:block}",
        ".x{display:none}#i{display:block}",
        ".x{display:none}div.x.z{display:flex}",
        ".x{opacity:0}.x.z{opacity:1}",
        ".x{display:none}@media (min-width:700px){.x{display:block}}",
        "#i{display:none}.x{display:block!important}",
        "@media print{.q{color:red}.x{display:none}}",
        ".x{border-color:transparent}",
        "body{visibility:hidden}",
        "html{opacity:0}",
        "main{visibility:hidden}.x{visibility:visible}",
    ],
)
def test_an_element_that_no_rule_hides_is_read(css: str) -> None:
    html = '<main><section><h1>t</h1><div class="x z" id="i">content</div></section></main>'
    assert "content" in seen(f"<style>{css}</style>{html}")


def test_an_inline_style_shows_what_a_rule_hides() -> None:
    assert "content" in seen('<style>.x{display:none}</style><div class=x style="display:block">content</div>')
    assert "secret" not in seen(
        '<style>.x{display:none!important}</style><div class=x style="display:block">secret</div>'
    )


def test_a_page_that_hides_itself_until_its_script_runs_is_read() -> None:
    for wrapper in (
        '<body style="display:none">',
        '<div style="opacity:0">',
        "<style>#app{visibility:hidden}</style><div id=app>",
    ):
        page = parse(f"<!DOCTYPE html>{wrapper}{VISIBLE}")
        assert readable(page).all()


def test_a_closed_dialog_is_hidden_and_a_closed_details_is_content() -> None:
    assert "secret" not in seen("<dialog>secret</dialog>")
    assert "content" in seen("<dialog open>content</dialog><details><summary>s</summary>more</details>")


def test_a_cause_is_given_in_words() -> None:
    hides = "<style>.x{display:none}</style><p class=x>a</p><p hidden>b</p><p style='opacity:0'>c</p>"
    page = parse(f"<!DOCTYPE html>{hides}{VISIBLE}")
    assert sorted(causes(page).values()) == ["display by rule .x", "hidden attribute", "opacity by its style attribute"]


SIMPLE = st.sampled_from(
    [".menu", ".item", "#main", "div", "p", "li", "*", "[hidden]", "[class~=menu]", "[href^='/a']", ":not(.menu)"]
)
COMPOUND = st.lists(SIMPLE, min_size=1, max_size=2).map(
    lambda parts: "".join(sorted(parts, key=lambda p: not p[0].isalpha()))
)
SELECTOR = st.lists(COMPOUND, min_size=1, max_size=3).flatmap(
    lambda parts: st.lists(
        st.sampled_from([" ", ">", " + ", "~"]), min_size=len(parts) - 1, max_size=len(parts) - 1
    ).map(lambda joints: "".join(a + b for a, b in zip(parts, [*joints, ""], strict=True)))
)


@settings(max_examples=250, deadline=None)
@given(tidy(), SELECTOR)
def test_selectors_name_the_same_elements_as_in_lexbor(html: str, selector: str) -> None:
    found = Index(parse(html)).match(selector)
    if found is None:  # two tags in one compound and the like
        return
    tree = LexborHTMLParser(html)
    order = {node.mem_id: row for row, node in enumerate(node for node in tree.css("*"))}
    try:
        expected = sorted({order[node.mem_id] for node in tree.css(selector)})
    except SelectolaxError:  # a tag behind a class
        return
    assert found[0].tolist() == expected


@pytest.mark.parametrize(
    "css",
    ["{" * 100_000, "}" * 100_000, "/*" * 50_000, ".a" * 50_000 + "{display:none}", "'" * 100_000, "a:" * 100_000,
     "\0" * 100_000, "@media x{" * 20_000, "\\" * 100_000, ":not(" * 30_000 + "{display:none}",
     ".x{color:" + "(" * 100_000 + "}"],
)  # fmt: skip
def test_a_hostile_style_sheet_neither_raises_nor_takes_long(css: str) -> None:
    page = parse(f"<!DOCTYPE html><style>{css}</style><p class=x style='{css[:20_000].replace(chr(39), '')}'>text</p>")
    started = time.process_time()
    hidden(page)
    assert time.process_time() - started < 1


def test_ten_thousand_rules_over_ten_thousand_elements_take_less_than_a_second() -> None:
    rules = "".join(f".c{k} .d{k % 7}{{display:none}}" for k in range(10_000))
    body = "".join(f"<div class='c{k} d{k % 5}'><p class=d{k % 7}>x</p></div>" for k in range(10_000))
    page = parse(f"<!DOCTYPE html><style>{rules}</style>{body}")
    started = time.process_time()
    mask = hidden(page)
    assert time.process_time() - started < 3
    assert np.count_nonzero(mask) > 0

"""Bombs: little input that costs much, in attributes, formatting, tables, style sheets, JSON and metadata."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.hostile.case import ARTICLE, SENTENCES, SHORTEST, Case, page
from tests.hostile.endurance import CUT, NEEDLE
from thresher.result.extraction import Extraction

__all__ = ["cases"]

# Bombs whose every form is looked at; that of others would take longer than to read them.
WRITTEN = (
    "200,000 attributes", "an address of 2 MB", "a srcset of 2 MB", "a base of 2 MB", "cells that span a million",
    "a number of a million digits", "footnotes to one note", "marks in marks", "beginnings of formulas",
    "formulas in formulas",
)  # fmt: skip


def _between(make: Callable[[], str]) -> str:
    return ARTICLE + make() + f"<p>{NEEDLE}</p>"


def cases() -> Iterator[Case]:
    yield from _bombs()
    yield from _styles()
    yield from _data()


def _bombs() -> Iterator[Case]:
    def bomb(name: str, make: Callable[[], str], warns: tuple[str, ...] = (), **more: Any) -> Case:
        source = partial(_between, make)
        return Case(name, source, warns=warns, **{"shows": (SENTENCES[0],), "whole": name in WRITTEN, **more})

    yield bomb("200,000 attributes", lambda: "<p " + " ".join(f"a{k}=1" for k in range(200_000)) + ">", warns=CUT)
    yield bomb(
        "attributes of many tags", lambda: ("<p " + " ".join(f"a{k}" for k in range(3_000)) + ">") * 300, warns=CUT
    )
    yield bomb("attributes on html", lambda: "".join(f"<html a{k}=1>" for k in range(30_000)), warns=CUT)
    yield bomb("attributes on body", lambda: "".join(f"<BODY a{k}=1>" for k in range(30_000)), warns=CUT)
    yield bomb("equals signs", lambda: "<p " + "=" * 2_000_000 + ">")
    yield bomb("quotes", lambda: "<p " + "\"'" * 1_000_000 + ">")
    yield bomb("an attribute of 2 MB", lambda: "<p title='" + "a" * 2_000_000 + "'>x</p>")
    yield bomb("a class of 2 MB", lambda: "<p class='" + "a " * 1_000_000 + "'>x</p>")
    yield bomb("a name of 2 MB", lambda: "<" + "a" * 2_000_000 + ">")
    yield bomb("an address of 2 MB", lambda: "<a href='/" + "../" * 700_000 + "'>x</a>")
    yield bomb("a srcset of 2 MB", lambda: "<img srcset='" + "a.png 1x, " * 200_000 + "'>")
    yield bomb("a base of 2 MB", lambda: "<base href='http://x/" + "a/" * 1_000_000 + "'><a href=y>z</a>")
    yield bomb("sources and images", lambda: "<picture>" + "<source srcset=data:x>" * 5_000 + "<img>" * 5_000)
    yield bomb("100,000 options", lambda: "<select>" + "<option>x" * 100_000, warns=CUT)
    yield bomb("formatting never closed", lambda: "".join(f"<b id={k}><p>x" for k in range(6_000)), CUT)
    yield bomb(
        "formatting closed by others",
        lambda: "".join(f"<font color={k}></b><p>x" for k in range(6_000)),
        CUT,
    )
    yield bomb(
        "formatting closed in vain",
        lambda: "".join(f"<b id={k}><object></b></object><p>x" for k in range(4_000)),
        CUT,
    )
    yield bomb(
        "formatting before paragraphs",
        lambda: "".join(f"<i id={k}>" for k in range(3_000)) + "<p>x" * 3_000,
        CUT,
    )
    yield bomb("misnested formatting", lambda: "<b><p>x</b></p>" * 20_000)
    yield bomb(
        "cells that span a million", lambda: "<table>" + "<tr><td colspan=1000000>a<td rowspan=1000000>b" * 2_000
    )
    yield bomb("rows of growing length", lambda: "<table>" + "".join("<tr>" + "<td>a" * k for k in range(200)))
    yield bomb("nested tables of code", lambda: "<table><tr><td class=lineno>1<td><pre>x</pre>" * 1_000)
    yield bomb("a number of a million digits", lambda: f"<ol start={'9' * 1_000_000}><li>x")
    yield bomb("backticks", lambda: "<pre>" + "`" * 500_000 + "</pre><code>" + "`" * 500_000 + "</code>")
    yield bomb("stars and brackets", lambda: "<p>" + "*_[`" * 100_000)
    yield bomb("dollars", lambda: "<p>" + "$$x " * 100_000)
    yield bomb("open formulas", lambda: "<p>" + "\\(x " * 100_000 + "\\[y " * 100_000)
    yield bomb("beginnings of formulas", lambda: "<p>" + "\\[\\(" * 20_000)
    yield bomb("formulas in formulas", lambda: "<p><math><annotation-xml encoding=text/html>" * 10_000)
    yield bomb("backslashes", lambda: "<p>" + "\\" * 500_000)
    yield bomb("footnotes to one note", lambda: "<p>" + "t<sup><a href=#f>1</a></sup>" * 10_000 + "<ol><li id=f>note")
    yield bomb("entities", lambda: "<p>" + "&lt;b&gt;&amp;amp;" * 100_000)
    yield bomb("numeric entities", lambda: "<p>" + "".join(f"&#{k};" for k in range(0, 0x110000, 17)))
    yield bomb("comments never closed", lambda: "<!--" * 300_000)
    yield bomb("cdata never closed", lambda: "<svg>" + "<![CDATA[" * 300_000)
    yield bomb("emphasis of punctuation", lambda: "<p>" + "a<b>,</b><i>.</i>" * 10_000)
    yield bomb(
        "signs in headings",
        lambda: f"<h2>{'#' * 300_000}x</h2><p>{SENTENCES[1]}</p><h2>x {'#' * 300_000}</h2><p>{SENTENCES[2]}</p>",
        also=_is_soon_written,
    )
    image = "<p>x <img class=tex src=a alt='%s'> y"
    yield bomb(
        "a formula of white space", lambda: image % ("{\\displaystyle" + " " * 300_000 + "x"), also=_is_soon_written
    )
    yield bomb(
        "prices with commands", lambda: "<p>" + ("$1\\" + "a" * 290) * 1_000 + SENTENCES[1], also=_is_soon_written
    )
    yield bomb("a row of stops", lambda: f"<p>Words{'?' * 100_000}x, and more.</p>", also=_is_soon_written)
    yield bomb("a width of white space", lambda: f"<p>x <img src=a width='1{' ' * 100_000}x'>", also=_is_soon_written)
    yield bomb("marks in marks", lambda: "<p>" + "<a href=x><b><i><u><s><sup>x</sup></s></u></i></b></a>" * 5_000)


def _is_soon_written(result: Extraction) -> None:
    started = time.process_time()
    assert result.markdown
    result.summary()
    assert time.process_time() - started <= SHORTEST


def _styles() -> Iterator[Case]:
    body = "".join(f"<p class='c{k}' id='i{k}' data-x='{k}'>words</p>" for k in range(2_000))
    sheets: dict[str, Callable[[], str]] = {
        "a million rules": lambda: "".join(f".c{k % 5000}{{color:red}}" for k in range(1_000_000)),
        "rules that hide": lambda: "".join(f".c{k}{{display:none}}" for k in range(100_000)),
        "a million selectors": lambda: ",".join(f".c{k % 5000}" for k in range(300_000)) + "{display:none}",
        "attribute tests": lambda: "".join(f"[data-x='{k}']{{display:none}}" for k in range(60_000)),
        "siblings": lambda: "p ~ p{display:none} p + p ~ p{opacity:0}" * 20_000,
        "negations": lambda: ":not(p):not(b):not(.x){opacity:0}" * 20_000,
        "deep negations": lambda: ":not(" * 50_000 + ".x" + ")" * 50_000 + "{display:none}",
        "a selector of a thousand conditions": lambda: "p" + ":not(b)" * 500 + "{display:none}",
        "a selector of a thousand steps": lambda: "p " * 1_000 + "{display:none}" + "* " * 1_000 + "{opacity:0}",
        "steps of children": lambda: "".join(f"p:nth-child({k}n+1){{display:none}}" for k in range(20_000)),
        "the same rule again": lambda: "p{display:none}p{display:block}" * 30_000,
        "colours": lambda: "".join(f".c{k}{{color:#{k % 4096:03x};background:#{k % 4096:03x}}}" for k in range(30_000)),
        "font sizes": lambda: "p{font-size:0}b{font-size:1px}" * 30_000,
        "nested rules": lambda: ".x{" * 100_000 + "display:none",
        "an open comment": lambda: "/*" * 500_000,
        "an open string": lambda: "a{content:'" + "x" * 1_000_000,
        "imports": lambda: "@import 'x';" * 100_000,
        "media": lambda: "@media " + "(min-width:1px) and " * 50_000 + "{p{display:none}}",
        "escapes": lambda: "\\" * 1_000_000 + "{display:none}",
        "names of escapes": lambda: "[class=" + "\\1f1f1f" * 40 + "!]{display:none}",
        "brackets full of commas": lambda: ("p:is(" + "," * 3_900 + "{display:none}") * 500,
        "brackets": lambda: ("p:is" + "(" * 3_900 + "{display:none}") * 500,
        "a priority of white space": lambda: f":root{{--a:!{' ' * 500_000}x}}p{{display:var(--a)}}",
        "a condition without an end": lambda: f"@media (a:{'x' * 19_000}{{p{{display:none}}}}",
        "conditions of colons": lambda: f"@media (a{':' * 19_000}{{p{{display:none}}}}",
        "sizes of digits": lambda: f"p{{container:a}}@container ({'1' * 19_000}{{p{{display:none}}}}",
        "names of layers": lambda: "".join(f"@layer a,l{k};@layer l{k}{{p{{display:none}}}}" for k in range(20_000)),
        "layers": lambda: "@layer a{" * 10_000 + "p{display:none}" + "}" * 10_000,
    }
    for name, make in sheets.items():
        yield Case(
            f"style sheet: {name}", lambda make=make: page(ARTICLE + body, f"<style>{make()}</style>"), whole=False
        )
    attributes: dict[str, Callable[[], str]] = {
        "many": lambda: "".join(f"<b style='top:{k}px;display:none'>x</b>" for k in range(50_000)),
        "a function without an end": lambda: "".join(
            f"<b style='transform:a{k}{'a' * 900};filter:{'b' * 900}'>x</b>" for k in range(500)
        ),
        "sums": lambda: "".join(
            f"<b style='{';'.join(f'width:calc({k * j}px + {chr(40) * 40})' for j in range(1000))}'>x</b>"
            for k in range(80)
        ),
        "digits": lambda: "".join(f"<b style='font:{k}{'1' * 900}x;opacity:{'1' * 900}x'>x</b>" for k in range(500)),
        "colours in colours": lambda: "".join(
            f"<b style='color:{'color-mix(in srgb,' * 50}{k}'>x</b>" for k in range(1_000)
        ),
        "a priority of white space": lambda: f"<b style='--a:!{' ' * 500_000}x;display:var(--a)'>x</b>",
    }
    for name, make in attributes.items():
        yield Case(f"style attributes: {name}", lambda make=make: page(ARTICLE + make()), whole=False)


def _data() -> Iterator[Case]:
    """JSON-LD, microdata and meta elements that are large, deep or broken."""
    islands: dict[str, Callable[[], str]] = {
        "deep objects": lambda: '{"a":' * 100_000 + "1" + "}" * 100_000,
        "deep lists": lambda: "[" * 500_000,
        "wide": lambda: "[" + '{"@type":"Article","headline":"x","author":{"name":"y"}},' * 10_000 + "{}]",
        "10 MB": lambda: '{"@type":"Article","articleBody":"' + "word " * 2_000_000 + '"}',
        "backslashes": lambda: '{"a":"' + "\\" * 500_000,
        "quotes": lambda: '{"' * 300_000,
        "comments": lambda: "{" + "/*" * 300_000,
        "commas": lambda: "[" + ", " * 300_000,
        "sums": lambda: "".join(
            f"<b style='{';'.join(f'width:calc({k * j}px + {chr(40) * 40})' for j in range(1000))}'>x</b>"
            for k in range(80)
        ),
        "digits": lambda: '{"datePublished":' + "1" * 900_000 + "}",
        "references in a ring": lambda: (
            '{"@graph":['
            + ",".join(
                f'{{"@id":"#{k}","@type":"Article","author":{{"@id":"#{(k + 1) % 5_000}"}}}}' for k in range(5_000)
            )
            + "]}"
        ),
        "itself": lambda: '{"@id":"#a","@type":"Article","author":{"@id":"#a"},"mainEntity":{"@id":"#a"}}',
        "numbers for strings": lambda: (
            '{"@type":["Article",1,null],"headline":[[[["x"]]]],"author":1,"image":{"url":{}}}'
        ),
        "surrogates": lambda: (
            '{"@type":"Article","headline":"\\ud800 x \\udfff","author":{"name":"\\u001b[31mJane Doe"}}'
        ),
    }
    for name, make in islands.items():
        yield Case(
            f"json-ld: {name}",
            lambda make=make: page(ARTICLE, f"<script type=application/ld+json>{make()}</script>"),
            shows=(SENTENCES[0],),
            status=("ok",),
        )
    elements: dict[str, Callable[[], str]] = {
        "nested items": lambda: "<div itemscope itemprop=a itemtype=http://schema.org/Article>" * 2_000,
        "properties": lambda: "<div itemscope>" + "<b itemprop=author>Jane Doe</b>" * 20_000,
        "meta": lambda: "".join(f"<meta property=og:title content='title {k}'>" for k in range(20_000)),
        "names of one meta": lambda: "<meta property='" + " ".join(f"n{k}" for k in range(200_000)) + "' content=x>",
        "keywords": lambda: "<meta name=keywords content='" + "word, " * 200_000 + "'>",
        "angle brackets": lambda: "<meta name=description content='" + "<" * 500_000 + "'>",
        "tags": lambda: "<meta name=description content='" + "<b " * 300_000 + "'>",
        "a date of digits": lambda: "<meta name=date content='" + "1" * 500_000 + "'>",
        "authors": lambda: "<meta name=author content='" + "Jane Doe and " * 100_000 + "'>",
        "a title of separators": lambda: "<title>" + " | - : " * 100_000 + "</title>",
        "bylines": lambda: "".join(f"<p class='author byline'>By Name Nam{k}</p>" for k in range(5_000)),
        "times": lambda: "".join(f"<h3><a>x</a></h3><time datetime=2020-01-01>x{k}</time>" for k in range(5_000)),
        "licences": lambda: "<footer>" + "<a href=https://creativecommons.org/licenses/by/4.0/>CC BY</a>" * 5_000,
    }
    for name, make in elements.items():
        yield Case(f"metadata: {name}", lambda make=make: page(make() + ARTICLE), whole=False)

"""No input kills or hangs it: depth, breadth, length, bombs of every kind.  Text within the budgets is kept."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial

from tests.hostile.case import ARTICLE, SENTENCES, Case, article, page

__all__ = ["cases"]

NEEDLE = "the needle in the haystack is found by those who look for it, said the farmer, and so it was."
CUT = ("too_deep", "too_large")


# Elements that may stand in each other, by their names, and how those are opened that need others.
NESTING = """
    section article main span b i u em strong font small big s strike sub sup code kbd samp var tt q cite abbr
    bdi bdo ins del mark time data label output a blockquote center details fieldset figure form header footer
    aside nav hgroup address dl dd dt ul ol li menu dir table caption tbody td th tr ruby rt button x-y map
    picture slot summary dialog search pre listing marquee p h2 legend noscript acronym nobr dfn
"""
OPENED = {
    "ul": "<ul><li>", "ol": "<ol><li>", "dl": "<dl><dd>", "table": "<table><tr><td>", "tbody": "<table><tbody><tr><td>",
    "td": "<table><td>", "th": "<table><th>", "tr": "<table><tr><td>", "caption": "<table><caption>",
    "dialog": "<dialog open>",
}  # fmt: skip


def cases() -> Iterator[Case]:
    yield from _depths()
    yield from _breadths()
    yield from _noise()


def _depths() -> Iterator[Case]:
    for depth in (300, 1_000, 2_900):
        yield Case(
            f"text at depth {depth}",
            lambda depth=depth: "<div>" * depth + article(f"<p>{NEEDLE}</p>"),
            shows=(NEEDLE,),
            status=("ok",),
        )
    for name in NESTING.split():
        tag = OPENED.get(name, f"<{name}>")
        for depth in (300, 2_900):
            source = partial(_wrapped, tag, depth)
            yield Case(
                f"text at depth {depth} of {name}", source, shows=(NEEDLE,), status=("ok", "partial"), whole=False
            )
    opening: dict[str, str] = {
        "div": "<div>",
        "span": "<span>",
        "b": "<b>",
        "b with ids": "<b id=%d>",
        "font": "<font color=%d>",
        "blockquote": "<blockquote>",
        "list": "<ul><li>",
        "definitions": "<dl><dd>",
        "table": "<table><tr><td>",
        "section": "<section><h2>x</h2>",
        "svg": "<svg><g>",
        "math": "<math><mrow>",
        "template": "<template>",
        "details": "<details><summary>x</summary>",
        "ruby": "<ruby><rt>",
        "custom": "<x-a>",
        "long name": "<aaaaaaaaaaaab>",
        "select": "<select><optgroup>",
        "button": "<button>",
        "object": "<object>",
        "form": "<form><fieldset>",
        "stray ends": "<div></b>",
        "span around div": "<span><div></span></div>",
        "unknown around div": "<x-a><div></x-a></div>",
        "end in a comment": "<div><!--</div>-->",
        "end in an attribute": '<div title="</div>">',
        "end in cdata": "<div><![CDATA[</div>]]>",
        "end in raw text": "<div><textarea></div></textarea>",
        "end in bogus comment": "<div><!</div>",
        "end behind select": "<div><select></div>",
        "end in a drawing": "<svg><title></g></title><g>",
        "end behind object": "<b><object></b></object>",
        "item in definition": "<li><dd>",
        "link": "<a href=x><b>",
        "iframe": "<div><iframe></div></iframe>",
        "frameset": "<frameset>",
        "noscript": "<noscript>",
        "upper case": "<DIV>",
        "with attributes": "<div class='a b' id=c>",
        "unclosed tags": "<div<div<div>",
        "marquee": "<marquee>",
    }
    for name, tag in opening.items():
        yield Case(
            f"100,000 deep: {name}", partial(_deep, tag), shows=SENTENCES[:1], whole=name in ("div", "table", "link")
        )
    yield Case(
        "a million unclosed tags",
        lambda: ARTICLE + "<i>" * 1_000_000 + f"<p>{NEEDLE}",
        shows=(SENTENCES[0],),
        warns=CUT,
    )
    yield Case("deep and wide", lambda: "<div>" * 2_900 + "<p>x</p>" * 300_000, warns=CUT, heavy=True, whole=False)


def _wrapped(tag: str, depth: int) -> str:
    return page(tag * (depth // tag.count("<")) + article(f"<p>{NEEDLE}</p>"))


def _deep(tag: str) -> str:
    if "%d" in tag:
        return ARTICLE + "".join(tag % k for k in range(60_000)) + f"<p>{NEEDLE}"
    return ARTICLE + tag * (100_000 // max(tag.count("<"), 1)) + f"<p>{NEEDLE}"


def _breadths() -> Iterator[Case]:
    def wide(name: str, piece: str, count: int, heavy: bool = False) -> Case:
        return Case(
            f"{count:,} × {name}",
            lambda: article(piece * count),
            shows=(SENTENCES[0],),
            heavy=heavy,
            whole=count <= 3_000,
        )

    pieces = {
        "paragraph": "<p>Word by word.</p>",
        "unclosed p": "<p>Word",
        "br": "<br>",
        "two br": "line<br><br>",
        "link": "<a href=/x>link</a> ",
        "heading": "<h2>Heading</h2>",
        "item": "<ul><li>item</ul>",
        "bold": "<b>bold</b> ",
        "image": "<img src=a.png alt=a>",
        "rule": "<hr>",
        "cell": "<table><tr><td>a<td>b</table>",
        "comment": "<!-- > -->",
        "script": "<script>x</script>",
        "style": "<style>p{}</style>",
        "svg": "<svg><path d=M0/></svg>",
        "noscript": "<noscript>x</noscript>",
        "template": "<template>x</template>",
        "hidden": "<p hidden>x</p>",
        "code": "<code>x</code> ",
        "pre": "<pre>x</pre>",
        "formula": "\\(x\\) ",
        "quote": "<q>x</q>",
        "footnote": "<sup><a href=#f>1</a></sup>",
        "custom": "<x-y>x</x-y>",
        "picture": "<picture><source srcset=a><img></picture>",
        "broken": '<p href="x"" class="y">w',
        "processing": "<?php x ?>",
        "entity": "&amp;",
        "unknown entity": "&bogus;",
        "nbsp": "&nbsp;",
    }
    for name, piece in pieces.items():
        yield wide(name, piece, 3_000)
    for name in ("paragraph", "unclosed p", "br", "link", "heading", "item", "cell", "hidden"):
        yield wide(name, pieces[name], 100_000, heavy=True)
    for name, piece in (("div", "<div>x</div>"), ("span", "<span>x</span>"), ("item", "<li>x"), ("br", "<br>")):
        yield Case(f"a million {name}", lambda piece=piece: ARTICLE + piece * 1_000_000, heavy=True, whole=False)


def _noise() -> Iterator[Case]:
    rng = random.Random(1)
    noise: dict[str, Callable[[], bytes | str]] = {
        "nothing": lambda: b"",
        "a blank": lambda: b" ",
        "one byte": lambda: b"\xff",
        "nul bytes": lambda: ARTICLE.encode().replace(b" ", b"\0 "),
        "only nul bytes": lambda: bytes(1_000_000),
        "lone surrogates": lambda: ARTICLE.replace("winter", "win\ud800ter \udfff"),
        "a pair of surrogates": lambda: ARTICLE.replace("winter", "win\ud83d\ude00ter"),
        "random bytes": lambda: rng.randbytes(300_000),
        "random bytes in a page": lambda: ARTICLE.encode() + b"<p>" + rng.randbytes(100_000),
        "all bytes": lambda: ARTICLE.encode() + b"<p>" + bytes(range(256)) * 100,
        "angle brackets": lambda: ARTICLE + "<" * 300_000,
        "tag starts": lambda: ARTICLE + "<a" * 300_000,
        "closing starts": lambda: ARTICLE + "</" * 300_000,
        "ends": lambda: ARTICLE + ">" * 300_000,
        "ampersands": lambda: ARTICLE + "&" * 300_000,
        "one word of 2 MB": lambda: ARTICLE + "<p>" + "a" * 2_000_000,
        "blanks of 2 MB": lambda: ARTICLE + "<p>a" + " " * 2_000_000 + "b",
        "combining marks": lambda: ARTICLE + "<p>a" + "\u0301" * 300_000,
        "emoji": lambda: ARTICLE + "<p>" + "😀" * 200_000,
        "direction marks": lambda: ARTICLE + "<p>" + "\u202e\u2066a" * 100_000,
        "noncharacters": lambda: ARTICLE + "<p>\ufffe\uffff\ufdd0\U0001fffe end of it</p>",
        "private use": lambda: ARTICLE + "<p>" + "\ue000\U000f0000" * 1_000,
        "a text of 2 MB in one line": lambda: "<p>" + " ".join(SENTENCES) * 4_500,
        "a page cut in a tag": lambda: ARTICLE + "<p class='x",
        "a page cut in a comment": lambda: ARTICLE + "<!-- x",
        "a page cut in a script": lambda: ARTICLE + "<script>x",
        "a page cut in an entity": lambda: ARTICLE + "<p>x &am",
        "only end tags": lambda: "</div></p></body></html>" * 1_000,
        "a page after its end": lambda: "<html></html>" + ARTICLE,
        "two pages": lambda: page(ARTICLE) + page(ARTICLE),
        "text around the page": lambda: "before " + page(ARTICLE) + " after",
        "plaintext": lambda: ARTICLE + "<plaintext>" + "<p>x" * 10_000,
        "xmp": lambda: ARTICLE + "<xmp>" + "<b>" * 10_000 + "</xmp>",
        "frameset": lambda: "<frameset><frame src=a><noframes>" + ARTICLE + "</noframes></frameset>",
    }
    for name, make in noise.items():
        yield Case(f"noise: {name}", make)
    yield Case(
        "20 MB in one line", lambda: "<p>" + " ".join(SENTENCES) * 45_000, shows=SENTENCES, heavy=True, whole=False
    )
    yield Case(
        "20 MB of noise", lambda: ARTICLE.encode() + random.Random(2).randbytes(20_000_000), heavy=True, whole=False
    )
    yield Case("100 MB", lambda: ARTICLE + "<p>word</p>" * 9_000_000, warns=CUT, heavy=True, whole=False)

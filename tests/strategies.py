"""Random pages for property tests: HTML soup, from tidy to broken."""

from __future__ import annotations

from hypothesis import strategies as st

from thresher.page import Page
from thresher.parse import parse

__all__ = ["pages", "soup", "tidy"]

_BLOCKS = """
    div p section article main aside nav header footer ul ol li table tr td th h1 h2 h3 pre blockquote form
    figure figcaption
""".split()
_INLINE = "a b i em strong span code small sub sup label abbr x-card".split()
_ODD = """
    svg math title template noscript xmp plaintext noembed noframes iframe textarea style script select option
    foreignObject desc annotation-xml mi button frameset caption colgroup thead
""".split()
_VOID = "br img hr input meta link source wbr embed param".split()
_ATTRIBUTES = [
    "", " class=wp-caption-text",
    ' class="menu item"', " class=content", ' id="main"', " hidden", ' style="display:none"', ' role="main"',
    ' href="/a?b=1&amp;c=2"', ' title="a > b < c"', " title='foo class='", ' href="x"" class="y"', ' a<b="c"', " =x",
    ' d"e=f', " aria-hidden=true",
]  # fmt: skip
_WORDS = [
    "word", "Two words", "A sentence with some words, and a stop.", "中文字符。", "日本語のテキスト", "ภาษาไทย",
    "Ünïcödé",
    "100 €", "&amp;", "&lt;b&gt;", "&nbsp;", " ", "\n  \n", "a\u200db", "1,234.5", "Why? Because!", "&#27;", "\x00",
    "]]>", "<", ">", "&", "--", "\u3000",
]  # fmt: skip
_BROKEN = [
    "<", "</", "<!--", "-->", "<!-- a > b -->", "<![CDATA[ <b> ]]>", "<!DOCTYPE html>", "<?php echo '<b>' ?>", "</p>",
    "</br>", "</div>", "<a<b c>", "<div", '<div class="', "<script><!--<script></script>--></script>",
    "<svg><style>&lt;/style>&lt;p>x</style></svg>", "<svg><input>x</input></svg>", "<svg/>", "<p/>",
    "<table><p>fostered</table>", "<b><p>misnested</b></p>", "<a><a>",
]  # fmt: skip


def _element(names: list[str], inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda name, attribute, content: f"<{name}{attribute}>{content}</{name}>",
        st.sampled_from(names), st.sampled_from(_ATTRIBUTES), inside,
    )  # fmt: skip


_text = st.sampled_from(_WORDS) | st.text(max_size=12)
_void = st.builds("<{}{}>".format, st.sampled_from(_VOID), st.sampled_from(_ATTRIBUTES))


def _joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(parts, max_size=5).map("".join)


def _nested(leaf: st.SearchStrategy[str], names: list[str]) -> st.SearchStrategy[str]:
    return _joined(st.recursive(leaf, lambda inner: _element(names, _joined(inner)), max_leaves=20))


def tidy() -> st.SearchStrategy[str]:
    """Well-formed bodies of common elements."""
    return _nested(_text | _void, _BLOCKS + _INLINE).map("<!DOCTYPE html>".__add__)


def soup() -> st.SearchStrategy[str]:
    """Anything at all: odd elements, broken tags, stray ends, raw text."""
    return _nested(_text | _void | st.sampled_from(_BROKEN), _BLOCKS + _INLINE + _ODD).map("<!DOCTYPE html>".__add__)


def pages() -> st.SearchStrategy[Page]:
    """Pages from both."""
    return (tidy() | soup()).map(parse)

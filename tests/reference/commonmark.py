"""Reads Markdown back: what a CommonMark reader would show, and how it is built."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from selectolax.lexbor import LexborHTMLParser

__all__ = ["Shown", "read_html", "read_markdown", "squeezed"]

_OURS = re.compile(r"</?(?:sub|sup|kbd|mark|br)>")


@dataclass
class Shown:
    """What a reader sees."""

    text: list[str] = field(default_factory=list)
    headings: list[int] = field(default_factory=list)
    items: int = 0
    links: list[str] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    marks: Counter[str] = field(default_factory=Counter)
    tables: int = 0
    html: list[str] = field(default_factory=list)  # raw HTML that is none of ours
    notes: dict[str, str] = field(default_factory=dict)
    references: list[str] = field(default_factory=list)

    @property
    def squeezed(self) -> str:
        return squeezed("".join(self.text))


def squeezed(text: str) -> str:
    """Without any white space."""
    return "".join(text.split())


def reader() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": True, "maxNesting": 1000}).enable(["table", "strikethrough"])
    markdown.use(footnote_plugin).use(deflist_plugin).use(dollarmath_plugin, allow_digits=False, double_inline=False)
    return markdown


def read_markdown(text: str, *, formulas: bool = True) -> Shown:
    """Parse and walk.  Without `formulas` a dollar is a dollar."""
    markdown = reader()
    if not formulas:
        markdown.disable(["math_inline", "math_block"])
    shown = Shown()
    _walk(markdown.parse(text), shown)
    return shown


def _walk(tokens: list[Token], shown: Shown) -> None:
    note_from, label = 0, ""
    for token in tokens:
        if token.type == "inline":
            _walk(token.children or [], shown)
        elif token.type == "footnote_ref":
            shown.references.append(token.meta["label"])
        elif token.type == "footnote_open":
            note_from, label = len(shown.text), token.meta["label"]
        elif token.type == "footnote_close":
            shown.notes[label] = " ".join("".join(shown.text[note_from:]).split())
        elif token.type == "heading_open":
            shown.headings.append(int(token.tag[1]))
        elif token.type == "list_item_open":
            shown.items += 1
        elif token.type == "table_open":
            shown.tables += 1
        elif token.type == "link_open":
            shown.links.append(unquote(str(token.attrs["href"])))
        elif token.type in ("strong_open", "em_open", "s_open"):
            shown.marks[token.tag] += 1
        elif token.type == "image":
            shown.images.append(unquote(str(token.attrs["src"])))
        elif token.type in ("fence", "code_block"):
            shown.code.append(token.content.removesuffix("\n"))
            shown.text.append(token.content)
        elif token.type == "code_inline":
            shown.text.append(token.content)
        elif token.type in ("math_inline", "math_block"):
            shown.formulas.append(token.content.strip())
        elif token.type == "html_block" and token.content.startswith("<table>"):
            inner = read_html(token.content)
            for name in ("text", "headings", "links", "images", "code"):
                getattr(shown, name).extend(getattr(inner, name))
            shown.items += inner.items
            shown.tables += inner.tables
            shown.marks += inner.marks
        elif token.type in ("html_block", "html_inline"):
            if not _OURS.fullmatch(token.content):
                shown.html.append(token.content)
        elif token.type == "text":
            shown.text.append(token.content)
        elif token.type in ("softbreak", "hardbreak", "paragraph_close", "heading_close", "td_close", "th_close"):
            shown.text.append(" ")


def read_html(text: str) -> Shown:
    """The same for HTML."""
    tree = LexborHTMLParser(text)
    shown = Shown([tree.body.text(deep=True) if tree.body else ""])
    for node in tree.css("h1, h2, h3, h4, h5, h6, li, table, a, img, pre, strong, em, del"):
        name = node.tag or ""
        if name[0] == "h":
            shown.headings.append(int(name[1]))
        elif name == "li":
            shown.items += 1
        elif name == "table":
            shown.tables += 1
        elif name == "a":
            shown.links.append(unquote(node.attributes.get("href") or ""))
        elif name == "img":
            shown.images.append(unquote(node.attributes.get("src") or ""))
        elif name == "pre":
            shown.code.append(node.text(deep=True))
        else:
            shown.marks["s" if name == "del" else name] += 1
    return shown

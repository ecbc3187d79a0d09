"""Page and verdict -> HTML that can run and load nothing but images.

Nothing of the page's own markup is copied.  The elements below are written anew, with these attributes and no others:
`href` and `title` of links, `src`, `alt` and `title` of images, `start` and `value` of lists, `colspan` and `rowspan`
of cells, `id` of footnotes, `dir` of the whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.output import document, inline
from thresher.output.build import build
from thresher.output.collapse import without_invisible_rows
from thresher.output.tag_writer import TagWriter, attribute, escape, escape_text
from thresher.page import Page
from thresher.page.types import Bools

__all__ = ["blocks_to_html", "to_html"]


def to_html(
    page: Page,
    keep: Bools,
    *,
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    captions: bool = True,
    elements: Bools | None = None,
    posts: Mapping[int, document.ThreadPost] | None = None,
) -> str:
    """The kept content as inert HTML, one block a line.

    `links=False` prints the text of links only, `images=False` no images and videos, `tables=False` no tables of data,
    `captions=False` no captions of pictures.  `elements` is as for `media_mask`, `posts` for `build`.
    """
    content = build(
        page, keep, links=links, images=images, tables=tables, captions=captions, elements=elements, posts=posts
    )
    return without_invisible_rows(_HtmlWriter().whole(content))


def blocks_to_html(blocks: list[Any]) -> str:
    """Blocks one after the other, a line end between them."""
    return _HtmlWriter().blocks(blocks)


class _HtmlWriter(TagWriter):
    line_break = "<br>"
    quote_name = "blockquote"
    row_name = "tr"
    span_names = ("colspan", "rowspan")

    def whole(self, content: document.Document) -> str:
        parts = [self.blocks(content.blocks)]
        if content.notes:
            parts.append("\n".join(("<ol>", *map(self.note, content.notes), "</ol>")))
        html = "\n".join(part for part in parts if part)
        return f'<div dir="{content.direction}">\n{html}\n</div>' if content.direction and html else html

    # ---- blocks ----

    def unwraps(self, blocks: list[document.Block]) -> bool:
        """Only a single paragraph: the tags of several keep them apart."""
        return not any(isinstance(other, (document.Paragraph, document.Caption)) for other in blocks[1:])

    def heading(self, block: document.Heading) -> str:
        return f"<h{block.level}>{self.line(block.runs)}</h{block.level}>"

    def code(self, block: document.Code) -> str:
        return f"<pre><code>{escape_text(block.text)}</code></pre>"

    def math(self, block: document.Math) -> str:
        return f"<p>\\[{escape_text(block.tex)}\\]</p>"

    def thematic_break(self, block: document.ThematicBreak) -> str:
        return "<hr>"

    def item_list(self, block: document.List) -> str:
        if not block.ordered:
            return "\n".join(("<ul>", *(f"<li>{self.inside(item.blocks)}</li>" for item in block.blocks), "</ul>"))
        number = block.blocks[0].number
        lines = ["<ol>" if number == 1 else f'<ol start="{number}">']
        for item in block.blocks:
            value = "" if item.number == number else f' value="{item.number}"'
            lines.append(f"<li{value}>{self.inside(item.blocks)}</li>")
            number = item.number + 1
        return "\n".join((*lines, "</ol>"))

    def definition_list(self, block: document.DefinitionList) -> str:
        lines = ["<dl>"]
        for item in block.blocks:
            name = "dt" if item.term else "dd"
            lines.append(f"<{name}>{self.inside(item.blocks)}</{name}>")
        return "\n".join((*lines, "</dl>"))

    def figure(self, block: document.Figure) -> str:
        parts = []
        captions = [place for place, inner in enumerate(block.blocks) if isinstance(inner, document.Caption)]
        for place, inner in enumerate(block.blocks):
            if captions and place == captions[0] and place in (0, len(block.blocks) - 1):
                parts.append(f"<figcaption>{self.line(inner.runs)}</figcaption>")  # type: ignore[union-attr]
            else:
                parts.append(self.block(inner))
        return "\n".join(("<figure>", *parts, "</figure>"))

    def thread_post(self, block: document.ThreadPost) -> str:
        return f"<h3>{escape_text(block.heading)}</h3>\n{self.blocks(block.blocks)}"

    def details(self, block: document.Details) -> str:
        first = block.blocks[0]
        if not isinstance(first, document.DetailsSummary):
            return f"<details open>\n{self.blocks(block.blocks)}\n</details>"
        rest = self.blocks(block.blocks[1:])
        return f"<details open>\n<summary>{self.line(first.runs)}</summary>\n{rest}\n</details>"

    def note(self, block: document.Note) -> str:
        value = f' value="{block.label}"' if block.label.isascii() and block.label.isdigit() else ""
        label = "" if value else f"<sup>{escape_text(block.label)}</sup> "
        return f'<li id="fn-{escape(block.label)}"{value}>{label}{self.inside(block.blocks)}</li>'

    def table(self, block: document.Table) -> str:
        caption = f"<caption>{self.inside(block.caption)}</caption>\n" if block.caption else ""
        return f"<table>\n{caption}{self.rows(block)}\n</table>"

    def cell_tag(self, block: document.Cell) -> tuple[str, str]:
        return "th" if block.header else "td", ""

    # ---- lines ----

    def mark_tag(self, mark: inline.Mark) -> tuple[str, str]:
        if mark.kind == "link":
            return "a", f' href="{escape(mark.address)}"{attribute("title", mark.title)}'
        return mark.kind, ""

    def run(self, run: inline.Run) -> str:
        if run.kind == inline.FORMULA:
            return f"\\({escape_text(run.value)}\\)"
        if run.kind == inline.NOTE:
            return f'<sup><a href="#fn-{escape(run.value)}">{escape_text(run.value)}</a></sup>'
        if run.kind == inline.IMAGE:
            title = attribute("title", run.title)
            return f'<img src="{escape(run.value)}" alt="{escape(run.description)}"{title}>'
        return super().run(run)

    def text(self, value: str) -> str:
        return escape_text(value)

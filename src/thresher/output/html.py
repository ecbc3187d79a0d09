"""Page and verdict -> HTML that can run and load nothing but images.

Nothing of the page's own markup is copied.  The elements below are written anew, with these attributes and no others:
`href` and `title` of links, `src`, `alt` and `title` of images, `start` and `value` of lists, `colspan` and `rowspan`
of cells, `id` of footnotes, `dir` of the whole.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.output import document, inline
from thresher.output.build import build
from thresher.page import Page
from thresher.text.invisible import without_invisible_runs

__all__ = ["blocks_to_html", "escape", "to_html"]


def to_html(
    page: Page,
    keep: NDArray[np.bool_],
    *,
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    elements: NDArray[np.bool_] | None = None,
) -> str:
    """The kept content as inert HTML, one block a line.

    `links=False` prints the text of links only, `images=False` no images and films, `tables=False` no tables of data.
    `elements` is as for `media_mask`.
    """
    return without_invisible_runs(
        _document(build(page, keep, links=links, images=images, tables=tables, elements=elements))
    )


def _document(content: document.Document) -> str:
    parts = [blocks_to_html(content.blocks)]
    if content.notes:
        parts.append("\n".join(("<ol>", *map(_note, content.notes), "</ol>")))
    whole = "\n".join(part for part in parts if part)
    return f'<div dir="{content.direction}">\n{whole}\n</div>' if content.direction and whole else whole


def escape(value: str) -> str:
    """Text or attribute value in which nothing is markup."""
    value = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return value.replace('"', "&quot;").replace("'", "&#39;")


def _text(value: str) -> str:
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


# ---- blocks --------------------------------------------------------------------------------------------------


def blocks_to_html(blocks: list[Any]) -> str:
    """Blocks one after the other, a line end between them."""
    return "\n".join(_WRITERS[type(block)](block) for block in blocks)


def _paragraph(block: document.Paragraph | document.DetailsSummary | document.Caption) -> str:
    return f"<p>{line_to_html(block.runs)}</p>"


def _heading(block: document.Heading) -> str:
    return f"<h{block.level}>{line_to_html(block.runs)}</h{block.level}>"


def _code(block: document.Code) -> str:
    return f"<pre><code>{_text(block.text)}</code></pre>"


def _math(block: document.Math) -> str:
    return f"<p>\\[{_text(block.tex)}\\]</p>"


def _rule(block: document.ThematicBreak) -> str:
    return "<hr>"


def _quote(block: document.Quote) -> str:
    return f"<blockquote>\n{blocks_to_html(block.blocks)}\n</blockquote>"


def _list(block: document.List) -> str:
    if not block.ordered:
        return "\n".join(("<ul>", *(f"<li>{_inside(item.blocks)}</li>" for item in block.blocks), "</ul>"))
    number = block.blocks[0].number
    lines = ["<ol>" if number == 1 else f'<ol start="{number}">']
    for item in block.blocks:
        value = "" if item.number == number else f' value="{item.number}"'
        lines.append(f"<li{value}>{_inside(item.blocks)}</li>")
        number = item.number + 1
    return "\n".join((*lines, "</ol>"))


def _definitions(block: document.DefinitionList) -> str:
    lines = ["<dl>"]
    for entry in block.blocks:
        name = "dt" if entry.term else "dd"
        lines.append(f"<{name}>{_inside(entry.blocks)}</{name}>")
    return "\n".join((*lines, "</dl>"))


def _figure(block: document.Figure) -> str:
    parts = []
    captions = [place for place, inner in enumerate(block.blocks) if isinstance(inner, document.Caption)]
    for place, inner in enumerate(block.blocks):
        if captions and place == captions[0] and place in (0, len(block.blocks) - 1):
            parts.append(f"<figcaption>{line_to_html(inner.runs)}</figcaption>")  # type: ignore[union-attr]
        else:
            parts.append(blocks_to_html([inner]))
    return "\n".join(("<figure>", *parts, "</figure>"))


def _details(block: document.Details) -> str:
    first = block.blocks[0]
    if not isinstance(first, document.DetailsSummary):
        return f"<details open>\n{blocks_to_html(block.blocks)}\n</details>"
    rest = blocks_to_html(block.blocks[1:])
    return f"<details open>\n<summary>{line_to_html(first.runs)}</summary>\n{rest}\n</details>"


def _note(block: document.Note) -> str:
    value = f' value="{block.label}"' if block.label.isascii() and block.label.isdigit() else ""
    label = "" if value else f"<sup>{_text(block.label)}</sup> "
    return f'<li id="fn-{escape(block.label)}"{value}>{label}{_inside(block.blocks)}</li>'


def _table(block: document.Table) -> str:
    lines = ["<table>"]
    if block.caption:
        lines.append(f"<caption>{_inside(block.caption)}</caption>")
    lines += map(_row, block.blocks)
    return "\n".join((*lines, "</table>"))


def _row(block: document.Row) -> str:
    return f"<tr>{''.join(map(_cell, block.blocks))}</tr>"


def _cell(block: document.Cell) -> str:
    name = "th" if block.header else "td"
    columns = f' colspan="{block.columns}"' if block.columns > 1 else ""
    rows = f' rowspan="{block.rows}"' if block.rows > 1 else ""
    return f"<{name}{columns}{rows}>{_inside(block.blocks)}</{name}>"


def _inside(blocks: list[document.Block]) -> str:
    """What stands in an item or a cell: a single paragraph without its tags."""
    if (
        blocks
        and isinstance(blocks[0], (document.Paragraph, document.Caption))
        and not any(isinstance(other, (document.Paragraph, document.Caption)) for other in blocks[1:])
    ):
        rest = blocks_to_html(blocks[1:])
        return line_to_html(blocks[0].runs) + (f"\n{rest}" if rest else "")
    return blocks_to_html(blocks)


_WRITERS: dict[type, Callable[[Any], str]] = {
    document.Paragraph: _paragraph,
    document.Caption: _paragraph,
    document.DetailsSummary: _paragraph,
    document.Heading: _heading,
    document.Code: _code,
    document.Math: _math,
    document.ThematicBreak: _rule,
    document.Quote: _quote,
    document.List: _list,
    document.DefinitionList: _definitions,
    document.Figure: _figure,
    document.Details: _details,
    document.Table: _table,
}


# ---- lines ---------------------------------------------------------------------------------------------------


def line_to_html(runs: inline.Runs) -> str:
    """A line of text with its marks."""
    return inline.written(runs, _opening, _closing, "<br>", _run)


def _opening(mark: inline.Mark) -> str:
    if mark.kind == "link":
        title = f' title="{escape(mark.title)}"' if mark.title else ""
        return f'<a href="{escape(mark.address)}"{title}>'
    return "(" if mark.kind == "rt" else f"<{mark.kind}>"


def _closing(mark: inline.Mark) -> str:
    if mark.kind == "link":
        return "</a>"
    return ")" if mark.kind == "rt" else f"</{mark.kind}>"


def _run(run: inline.Run) -> str:
    if run.kind == inline.CODE:
        return f"<code>{_text(run.value)}</code>"
    if run.kind == inline.TASK:
        return "☑" if run.value == "x" else "☐"
    if run.kind == inline.FORMULA:
        return f"\\({_text(run.value)}\\)"
    if run.kind == inline.NOTE:
        return f'<sup><a href="#fn-{escape(run.value)}">{_text(run.value)}</a></sup>'
    if run.kind == inline.IMAGE:
        title = f' title="{escape(run.title)}"' if run.title else ""
        return f'<img src="{escape(run.value)}" alt="{escape(run.description)}"{title}>'
    return _text(run.value)

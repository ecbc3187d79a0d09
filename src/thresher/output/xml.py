"""Page and verdict -> XML in the part of the TEI vocabulary that trafilatura's users know.

    <doc title="…" …><main> … </main><comments> … </comments></doc>

with head rend="h2", p, list rend="ul|ol|dl", item, quote, code, table, row, cell role="head", hi rend="#b", del,
ref target, graphic src alt, lb, and from the rest of TEI note n and formula notation="TeX".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.output import document, inline
from thresher.output.build import build
from thresher.output.html import escape
from thresher.page import Page
from thresher.text.characters import collapse
from thresher.text.invisible import without_invisible_runs

__all__ = ["to_xml"]

_ATTRIBUTE_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_RENDERINGS = {
    "strong": "#b", "em": "#i", "ins": "#u", "kbd": "#t", "sub": "#sub", "sup": "#sup", "mark": "#mark",
}  # fmt: skip


def to_xml(
    page: Page,
    keep: NDArray[np.bool_],
    metadata: Mapping[str, object] | None = None,
    *,
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    elements: NDArray[np.bool_] | None = None,
    comments: NDArray[np.bool_] | None = None,
) -> str:
    """The kept content as XML; `metadata` becomes attributes of `doc`, lists joined by semicolons, None left out.

    `comments` are texts that stand apart, in an element of their own.  `links=False` prints the text of links only,
    `images=False` no images and films, `tables=False` no tables of data.  `elements` is as for `media_mask`.
    """
    body = _part("main", build(page, keep, links=links, images=images, tables=tables, elements=elements))
    if comments is not None and comments.any():
        body += "\n" + _part("comments", build(page, comments, links=links, images=images, tables=tables))
    return without_invisible_runs(f"<doc{_attributes(metadata or {})}>\n{body}\n</doc>")


def _part(name: str, content: document.Document) -> str:
    inside = "\n".join((*map(_block, content.blocks), *map(_note, content.notes)))
    return f"<{name}>\n{inside}\n</{name}>" if inside else f"<{name}/>"


def _attributes(metadata: Mapping[str, object]) -> str:
    parts = []
    for name, value in metadata.items():
        if isinstance(value, (list, tuple, set, frozenset)):
            members = sorted(map(str, value)) if isinstance(value, (set, frozenset)) else map(str, value)
            value = ";".join(members)
        if isinstance(value, Mapping):
            continue  # where each value comes from is in the JSON
        if value is not None and value != "" and _ATTRIBUTE_NAME.fullmatch(name):
            parts.append(f' {name}="{escape(collapse(str(value)))}"')
    return "".join(parts)


# ---- blocks --------------------------------------------------------------------------------------------------


def _block(block: Any) -> str:
    return _WRITERS[type(block)](block)


def _blocks(blocks: list[document.Block]) -> str:
    return "\n".join(map(_block, blocks))


def _paragraph(block: document.Paragraph | document.Caption | document.DetailsSummary) -> str:
    return f"<p>{_line(block.runs)}</p>"


def _heading(block: document.Heading) -> str:
    return f'<head rend="h{block.level}">{_line(block.runs)}</head>'


def _code(block: document.Code) -> str:
    language = f' lang="{escape(block.language)}"' if block.language else ""
    return f"<code{language}>{escape(block.text)}</code>"


def _math(block: document.Math) -> str:
    return f'<formula notation="TeX" rend="display">{escape(block.tex)}</formula>'


def _rule(block: document.ThematicBreak) -> str:
    return "<lb/>"


def _quote(block: document.Quote) -> str:
    return f"<quote>\n{_blocks(block.blocks)}\n</quote>"


def _inline_container(block: document.Figure | document.Details) -> str:
    return _blocks(block.blocks)


def _list(block: document.List) -> str:
    items = "\n".join(f"<item>{_inside(item)}</item>" for item in block.blocks)
    return f'<list rend="{"ol" if block.ordered else "ul"}">\n{items}\n</list>'


def _definitions(block: document.DefinitionList) -> str:
    """Terms and descriptions are items that say which term they belong to: dt-1, dd-1, dt-2, …"""
    items = []
    number, after_term = 0, False
    for entry in block.blocks:
        if entry.term and not after_term:
            number += 1
        after_term = entry.term
        name = "dt" if entry.term else "dd"
        items.append(f'<item rend="{name}-{max(number, 1)}">{_inside(entry)}</item>')
    return "\n".join(('<list rend="dl">', *items, "</list>"))


def _table(block: document.Table) -> str:
    rows = "\n".join(f"<row>{''.join(map(_cell, row.blocks))}</row>" for row in block.blocks)
    caption = _blocks(block.caption) + "\n" if block.caption else ""
    return f"{caption}<table>\n{rows}\n</table>"


def _cell(block: document.Cell) -> str:
    role = ' role="head"' if block.header else ""
    columns = f' cols="{block.columns}"' if block.columns > 1 else ""
    rows = f' rows="{block.rows}"' if block.rows > 1 else ""
    return f"<cell{role}{columns}{rows}>{_inside(block)}</cell>"


def _note(block: document.Note) -> str:
    return f'<note n="{escape(block.label)}">{_inside(block)}</note>'


def _inside(holder: document.ListItem | document.Cell | document.Note | Any) -> str:
    """A single paragraph without its tags, or all blocks."""
    blocks = holder.blocks
    if blocks and isinstance(blocks[0], (document.Paragraph, document.Caption)):
        rest = _blocks(blocks[1:])
        return _line(blocks[0].runs) + (f"\n{rest}" if rest else "")
    return _blocks(blocks)


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
    document.Figure: _inline_container,
    document.Details: _inline_container,
    document.Table: _table,
}


# ---- lines ---------------------------------------------------------------------------------------------------


def _line(runs: inline.Runs) -> str:
    return inline.written(runs, _opening, _closing, "<lb/>", _run)


def _opening(mark: inline.Mark) -> str:
    if mark.kind == "link":
        return f'<ref target="{escape(mark.address)}">'
    if mark.kind in _RENDERINGS:
        return f'<hi rend="{_RENDERINGS[mark.kind]}">'
    return "(" if mark.kind == "rt" else f"<{mark.kind}>"  # del and q are TEI's own


def _closing(mark: inline.Mark) -> str:
    if mark.kind == "link":
        return "</ref>"
    if mark.kind in _RENDERINGS:
        return "</hi>"
    return ")" if mark.kind == "rt" else f"</{mark.kind}>"


def _run(run: inline.Run) -> str:
    if run.kind == inline.CODE:
        return f"<code>{escape(run.value)}</code>"
    if run.kind == inline.TASK:
        return "☑" if run.value == "x" else "☐"
    if run.kind == inline.FORMULA:
        return f'<formula notation="TeX">{escape(run.value)}</formula>'
    if run.kind == inline.NOTE:
        return f'<ref target="#fn-{escape(run.value)}">{escape(run.value)}</ref>'
    if run.kind == inline.IMAGE:
        title = f' title="{escape(run.title)}"' if run.title else ""
        return f'<graphic src="{escape(run.value)}" alt="{escape(run.description)}"{title}/>'
    return escape(run.value)

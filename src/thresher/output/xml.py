"""Page and verdict -> XML in the part of the TEI vocabulary that trafilatura's users know.

    <doc title="…" …><main> … </main><comments> … </comments></doc>

with head rend="h2", p, list rend="ul|ol|dl", item, quote, code, table, row, cell role="head", hi rend="#b", del,
ref target, graphic src alt, lb, and from the rest of TEI note n and formula notation="TeX".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from thresher.output import document, inline
from thresher.output.build import build
from thresher.output.collapse import without_invisible_rows
from thresher.output.tag_writer import TagWriter, attribute, escape
from thresher.page import Page
from thresher.page.types import Bools
from thresher.text.characters import collapse

__all__ = ["to_xml"]

_ATTRIBUTE_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_RENDERINGS = {
    "strong": "#b", "em": "#i", "ins": "#u", "kbd": "#t", "sub": "#sub", "sup": "#sup", "mark": "#mark",
}  # fmt: skip


def to_xml(
    page: Page,
    keep: Bools,
    metadata: Mapping[str, object] | None = None,
    *,
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    captions: bool = True,
    elements: Bools | None = None,
    posts: Mapping[int, document.ThreadPost] | None = None,
    comments: tuple[Bools, Mapping[int, document.ThreadPost]] | None = None,
) -> str:
    """The kept content as XML; `metadata` becomes attributes of `doc`, lists joined by semicolons, None left out.

    `comments` are texts that stand apart, in an element of their own, and the elements that hold one each.
    `links=False` prints the text of links only, `images=False` no images and videos, `tables=False` no tables of data,
    `captions=False` no captions of pictures.  `elements` is as for `media_mask`, `posts` for `build`.
    """
    writer = _XmlWriter()
    wishes: dict[str, Any] = {"links": links, "images": images, "tables": tables, "captions": captions}
    body = writer.part("main", build(page, keep, **wishes, elements=elements, posts=posts))
    if comments is not None and comments[0].any():
        body += "\n" + writer.part("comments", build(page, comments[0], **wishes, posts=comments[1]))
    return without_invisible_rows(f"<doc{_attributes(metadata or {})}>\n{body}\n</doc>")


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


class _XmlWriter(TagWriter):
    line_break = "<lb/>"
    quote_name = "quote"
    row_name = "row"
    span_names = ("cols", "rows")

    def part(self, name: str, content: document.Document) -> str:
        inside = "\n".join((*map(self.block, content.blocks), *map(self.note, content.notes)))
        return f"<{name}>\n{inside}\n</{name}>" if inside else f"<{name}/>"

    # ---- blocks ----

    def heading(self, block: document.Heading) -> str:
        return f'<head rend="h{block.level}">{self.line(block.runs)}</head>'

    def code(self, block: document.Code) -> str:
        return f"<code{attribute('lang', block.language)}>{escape(block.text)}</code>"

    def math(self, block: document.Math) -> str:
        return f'<formula notation="TeX" rend="display">{escape(block.tex)}</formula>'

    def thematic_break(self, block: document.ThematicBreak) -> str:
        return "<lb/>"

    def figure(self, block: document.Figure) -> str:
        return self.blocks(block.blocks)

    def details(self, block: document.Details) -> str:
        return self.blocks(block.blocks)

    def thread_post(self, block: document.ThreadPost) -> str:
        told = {"author": block.author, "date": block.date, "n": block.position, "parent": block.parent}
        return f'<div type="{block.kind}"{_attributes(told)}>\n{self.blocks(block.blocks)}\n</div>'

    def item_list(self, block: document.List) -> str:
        items = "\n".join(f"<item>{self.inside(item.blocks)}</item>" for item in block.blocks)
        return f'<list rend="{"ol" if block.ordered else "ul"}">\n{items}\n</list>'

    def definition_list(self, block: document.DefinitionList) -> str:
        """Terms and descriptions are items that say which term they belong to: dt-1, dd-1, dt-2, …"""
        items = []
        number, after_term = 0, False
        for item in block.blocks:
            if item.term and not after_term:
                number += 1
            after_term = item.term
            name = "dt" if item.term else "dd"
            items.append(f'<item rend="{name}-{max(number, 1)}">{self.inside(item.blocks)}</item>')
        return "\n".join(('<list rend="dl">', *items, "</list>"))

    def table(self, block: document.Table) -> str:
        caption = self.blocks(block.caption) + "\n" if block.caption else ""
        return f"{caption}<table>\n{self.rows(block)}\n</table>"

    def cell_tag(self, block: document.Cell) -> tuple[str, str]:
        return "cell", attribute("role", "head" if block.header else "")

    def note(self, block: document.Note) -> str:
        return f'<note n="{escape(block.label)}">{self.inside(block.blocks)}</note>'

    # ---- lines ----

    def mark_tag(self, mark: inline.Mark) -> tuple[str, str]:
        if mark.kind == "link":
            return "ref", f' target="{escape(mark.address)}"'
        if mark.kind in _RENDERINGS:
            return "hi", f' rend="{_RENDERINGS[mark.kind]}"'
        return mark.kind, ""  # del and q are TEI's own

    def run(self, run: inline.Run) -> str:
        if run.kind == inline.FORMULA:
            return f'<formula notation="TeX">{escape(run.value)}</formula>'
        if run.kind == inline.NOTE:
            return f'<ref target="#fn-{escape(run.value)}">{escape(run.value)}</ref>'
        if run.kind == inline.IMAGE:
            title = attribute("title", run.title)
            return f'<graphic src="{escape(run.value)}" alt="{escape(run.description)}"{title}/>'
        return super().run(run)

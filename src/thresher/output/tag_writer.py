"""What the writers of HTML and XML share: every block is an element, and a line has elements in it.

`TagWriter` follows the document; a subclass is a vocabulary: names of elements, and a method for each kind of block or
run that it writes in a way of its own.
"""

from __future__ import annotations

from typing import Any, ClassVar

from thresher.output import document, inline
from thresher.output.containers import LINE

__all__ = ["TagWriter", "attribute", "escape", "escape_text"]

_PARAGRAPHS = (document.Paragraph, document.Caption)
_METHODS: dict[type, str] = {
    document.Paragraph: "paragraph",
    document.Caption: "paragraph",
    document.DetailsSummary: "paragraph",
    document.Heading: "heading",
    document.Code: "code",
    document.Math: "math",
    document.ThematicBreak: "thematic_break",
    document.Quote: "quote",
    document.Admonition: "admonition",
    document.List: "item_list",
    document.DefinitionList: "definition_list",
    document.Figure: "figure",
    document.Details: "details",
    document.Table: "table",
    document.ThreadPost: "thread_post",
}


def escape(value: str) -> str:
    """Text or attribute value in which nothing is markup."""
    return escape_text(value).replace('"', "&quot;").replace("'", "&#39;")


def escape_text(value: str) -> str:
    """Text between tags in which nothing is markup."""
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def attribute(name: str, value: str) -> str:
    """An attribute with a blank before it; nothing if the value is empty."""
    return f' {name}="{escape(value)}"' if value else ""


class TagWriter:
    """Blocks and lines as elements."""

    line_break: ClassVar[str]
    quote_name: ClassVar[str]
    row_name: ClassVar[str]
    span_names: ClassVar[tuple[str, str]]  # the attributes of a cell over several columns, over several rows

    # ---- blocks ----

    def blocks(self, blocks: list[Any]) -> str:
        """Blocks one after the other, a line end between them."""
        return "\n".join(map(self.block, blocks))

    def block(self, block: Any) -> str:
        written: str = getattr(self, _METHODS[type(block)])(block)
        return written

    def inside(self, blocks: list[document.Block]) -> str:
        """What stands in an item, a cell or a note: a first paragraph loses its tags."""
        if not blocks or not isinstance(blocks[0], _PARAGRAPHS) or not self.unwraps(blocks):
            return self.blocks(blocks)
        rest = self.blocks(blocks[1:])
        return self.line(blocks[0].runs) + (f"\n{rest}" if rest else "")

    def unwraps(self, blocks: list[document.Block]) -> bool:
        """Whether the first of these blocks, a paragraph, may lose its tags."""
        return True

    def paragraph(self, block: document.Paragraph | document.DetailsSummary | document.Caption) -> str:
        return f"<p>{self.line(block.runs)}</p>"

    def quote(self, block: document.Quote) -> str:
        return f"<{self.quote_name}>\n{self.blocks(block.blocks)}\n</{self.quote_name}>"

    def admonition(self, block: document.Admonition) -> str:
        """Its blocks: they say themselves what they are, in a title or in a word."""
        return self.blocks(block.blocks)

    def rows(self, table: document.Table) -> str:
        """The rows of a table, one a line."""
        cells = ("".join(map(self.cell, row.blocks)) for row in table.blocks)
        return "\n".join(f"<{self.row_name}>{row}</{self.row_name}>" for row in cells)

    def cell(self, block: document.Cell) -> str:
        name, attributes = self.cell_tag(block)
        for span_name, span in zip(self.span_names, (block.columns, block.rows), strict=True):
            attributes += f' {span_name}="{span}"' if span > 1 else ""
        return f"<{name}{attributes}>{self.inside(block.blocks)}</{name}>"

    def cell_tag(self, block: document.Cell) -> tuple[str, str]:
        """The element of a cell and its attributes, but for those of its span."""
        raise NotImplementedError

    # ---- lines ----

    def line(self, runs: inline.Runs) -> str:
        """A line of text with its marks."""
        parts = []
        for step, mark, gap, run in inline.spans(runs):
            if mark is not None and mark.kind == "rt":  # a reading over a word
                parts.append("(" if step == inline.OPEN else ")")
            elif mark is not None:
                name, attributes = self.mark_tag(mark)
                parts.append(f"<{name}{attributes}>" if step == inline.OPEN else f"</{name}>")
            elif step == inline.GAP:
                parts.append(self.line_break if gap == LINE else " ")
            elif run is not None:
                parts.append(self.run(run))
        return "".join(parts)

    def mark_tag(self, mark: inline.Mark) -> tuple[str, str]:
        """The element of a mark, and its attributes."""
        raise NotImplementedError

    def run(self, run: inline.Run) -> str:
        """A piece of a line."""
        if run.kind == inline.TASK:
            return "☑" if run.value == "x" else "☐"
        value = self.text(run.value)
        return f"<code>{value}</code>" if run.kind == inline.CODE else value

    def text(self, value: str) -> str:
        """Text between tags."""
        return escape(value)

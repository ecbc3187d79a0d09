"""Page and verdict -> Markdown: CommonMark with GitHub's tables and strikethrough, and the common syntax for footnotes
(`[^1]`), definition lists (`: …`), formulas (`$…$`, `$$…$$`) and GitHub's alerts (`> [!NOTE]`).

A table that pipes cannot draw (cells that span, lists or listings in cells) is written as HTML of our own making
(html.py); apart from that, only `<br>` in table cells and `<sub> <sup> <kbd> <mark>` are HTML, and none of it is the
page's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from thresher.output import document, inline
from thresher.output.admonitions import KINDS
from thresher.output.build import build
from thresher.output.collapse import without_invisible_rows
from thresher.output.containers import JOINED
from thresher.output.html import blocks_to_html
from thresher.output.markdown_escape import escape_line_starts
from thresher.output.markdown_line import line_to_markdown
from thresher.page import Page
from thresher.page.types import Bools

__all__ = ["to_markdown"]

_NEXT_LINE = re.compile(r"\n(?=[^\n])")
_LINE_START = re.compile(r"(?m)^(?=.)")
_BLANK_LINE = re.compile(r"(?m)^$")
_PREFORMATTED = re.compile(r"<pre>.*?</pre>", re.DOTALL)
_TICKS = re.compile("`{3,}")
_CLOSING_SIGNS = re.compile(r"(?<!#)(#+)$")  # a run is tried from its start only
_POST_LEVEL = 3  # of the heading above a post
_MAX_ITEM_NUMBER = 999_999_999  # CommonMark's longest number of an item has nine digits
_MAX_PADDING = 20  # cells that a pipe table may have for each that the page has
_IN_PIPES = (
    document.Paragraph,
    document.Caption,
    document.Heading,
    document.DetailsSummary,
    document.Math,
)  # what a cell of a pipe table can hold


def to_markdown(
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
    """The kept content as Markdown.

    `links=False` prints the text of links only, `images=False` no images and videos, `tables=False` no tables of data,
    `captions=False` no captions of pictures.  `elements` is as for `media_mask`, `posts` for `build`.
    """
    content = build(
        page, keep, links=links, images=images, tables=tables, captions=captions, elements=elements, posts=posts
    )
    return without_invisible_rows(_Writer(content).write())


class _Writer:
    """Writes the blocks of one document."""

    def __init__(self, content: document.Document) -> None:
        self.content = content
        self.dollars = content.has_formulas

    def write(self) -> str:
        """Everything; the notes come last."""
        return "\n\n".join(filter(None, (self._blocks(self.content.blocks), *map(self._note, self.content.notes))))

    def _blocks(self, blocks: list[document.Block]) -> str:
        """Blocks with blank lines between.  A list right after one of its kind uses the other sign, or the two
        would be read as one."""
        parts = []
        other = False
        before: document.List | None = None
        for block in blocks:
            kind = type(block)
            if kind is document.Paragraph:
                parts.append(self._paragraph(block))  # type: ignore[arg-type]
                before = None
            elif isinstance(block, document.List):
                other = before is not None and before.ordered == block.ordered and not other
                parts.append(self._list(block, other))
                before = block
            else:
                parts.append(_WRITERS[kind](self, block))
                before = None
        return "\n\n".join(parts)

    def _line(self, runs: inline.Runs, in_cell: bool = False) -> str:
        return line_to_markdown(runs, in_cell, self.dollars)

    def _paragraph(self, block: document.Paragraph | document.Caption) -> str:
        runs = block.runs
        if len(runs) == 1:
            _, marks, _, value, _, _, _, safe = runs[0]
            if safe and not marks and value[:1].isalpha():
                return value
        return escape_line_starts(line_to_markdown(runs, False, self.dollars))

    def _summary(self, block: document.DetailsSummary) -> str:
        return escape_line_starts(self._line(_strong(block.runs)))

    def _heading(self, block: document.Heading) -> str:
        line = self._line(block.runs).replace("\\\n", " ")
        if line.endswith("#"):
            line = _CLOSING_SIGNS.sub(_escaped_signs, line)
        return f"{'#' * block.level} {line}"

    def _post(self, block: document.ThreadPost) -> str:
        heading = document.Heading([inline.Run(JOINED, (), inline.TEXT, block.heading)], _POST_LEVEL)
        return self._blocks([heading, *block.blocks])

    def _quote(self, block: document.Quote) -> str:
        return _BLANK_LINE.sub(">", _LINE_START.sub("> ", self._blocks(block.blocks)))

    def _admonition(self, block: document.Admonition) -> str:
        """GitHub's alert; a title that says no more than the kind goes."""
        blocks = block.blocks[1:] if _is_kind(block.blocks[0]) else block.blocks
        return f"> [!{block.kind}]\n{self._quote(document.Quote(blocks))}" if blocks else self._blocks(block.blocks)

    def _list(self, block: document.List, other: bool) -> str:
        items = []
        loose = any(len(item.blocks) > 1 and _is_loose(item) for item in block.blocks)
        sign = "*" if other else "-"
        for item in block.blocks:
            if block.ordered:
                sign = f"{min(max(item.number, 0), _MAX_ITEM_NUMBER)}{')' if other else '.'}"
            items.append(_indented(self._item(item, loose), len(sign) + 1, sign))
        return ("\n\n" if loose else "\n").join(items)

    def _item(self, item: document.ListItem, loose: bool) -> str:
        if loose or len(item.blocks) < 2:
            return self._blocks(item.blocks)
        return self._blocks(item.blocks[:1]) + "\n" + self._blocks(item.blocks[1:])

    def _definitions(self, block: document.DefinitionList) -> str:
        """`term`, then `:   description` lines.  A term without description, or the reverse, is a paragraph."""
        parts: list[str] = []
        entries = block.blocks
        open_term = False
        for place, entry in enumerate(entries):
            inside = self._blocks(entry.blocks)
            if entry.term:
                inside = inside.replace("\\\n", " ")  # a term is one line
            if entry.term or not open_term:
                parts.append(inside)
                open_term = entry.term and place + 1 < len(entries) and not entries[place + 1].term
            else:
                parts[-1] += "\n" + _indented(inside, 4, ":")
        return "\n\n".join(parts)

    def _note(self, block: document.Note) -> str:
        start = "" if block.blocks and isinstance(block.blocks[0], document.Paragraph) else "\n\n"
        return _indented(start + self._blocks(block.blocks), 4, f"[^{block.label}]:", first=1)

    # ---- tables ----

    def _table(self, block: document.Table) -> str:
        if _fits_pipes(block):
            caption = self._blocks(block.caption)
            return f"{caption}\n\n{self._pipes(block.blocks)}" if caption else self._pipes(block.blocks)
        # A blank line would end the HTML, so line ends in listings are written as entities.
        return _PREFORMATTED.sub(lambda match: match[0].replace("\n", "&#10;"), blocks_to_html([block]))

    def _pipes(self, rows: list[document.Row]) -> str:
        lines = [[self._cell(cell) for cell in row.blocks] for row in rows]
        width = max(map(len, lines))
        for line in lines:
            line += [""] * (width - len(line))
        used = [column for column in range(width) if any(line[column] for line in lines)]
        lines = [[line[column] for column in used] for line in lines]
        if not _is_head(rows[0]):
            lines.insert(0, [""] * len(used))
        lines.insert(1, ["---"] * len(used))
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def _cell(self, cell: document.Cell) -> str:
        parts = []
        for block in cell.blocks:
            if isinstance(block, document.Math):
                parts.append(f"${block.tex.replace('|', chr(92) + 'vert ')}$".replace("\n", " "))
            elif isinstance(block, (document.Paragraph, document.Caption, document.Heading, document.DetailsSummary)):
                runs = block.runs if isinstance(block, (document.Paragraph, document.Caption)) else _strong(block.runs)
                parts.append(self._line(runs, in_cell=True))
        return "<br>".join(parts)


def _code(writer: _Writer, block: document.Code) -> str:
    fence = "`" * max((len(ticks) + 1 for ticks in _TICKS.findall(block.text)), default=3)
    return f"{fence}{block.language}\n{block.text}\n{fence}"


_WRITERS: dict[type, Callable[[_Writer, Any], str]] = {
    document.Paragraph: _Writer._paragraph,
    document.Caption: _Writer._paragraph,
    document.DetailsSummary: _Writer._summary,
    document.Heading: _Writer._heading,
    document.Code: _code,
    document.Math: lambda writer, block: f"$$\n{block.tex}\n$$",
    document.ThematicBreak: lambda writer, block: "---",
    document.Quote: _Writer._quote,
    document.Admonition: _Writer._admonition,
    document.Figure: lambda writer, block: writer._blocks(block.blocks),
    document.Details: lambda writer, block: writer._blocks(block.blocks),
    document.DefinitionList: _Writer._definitions,
    document.ThreadPost: _Writer._post,
    document.Table: _Writer._table,
}


def _is_kind(block: document.Block) -> bool:
    if not isinstance(block, (document.Paragraph, document.Heading)):
        return False
    return "".join(run.value for run in block.runs).strip(" :!").lower() in KINDS


def _strong(runs: inline.Runs) -> inline.Runs:
    strong = inline.Mark("strong")
    return [run._replace(marks=(strong, *(mark for mark in run.marks if mark != strong))) for run in runs]


def _escaped_signs(match: re.Match[str]) -> str:
    return "\\" + match[1]


def _indented(text: str, width: int, sign: str, first: int = 0) -> str:
    """Lines indented to stand under the text of the first, which stands after the sign."""
    if "\n" in text:
        text = _NEXT_LINE.sub("\n" + " " * width, text)
    return sign + " " * (first or width - len(sign)) + text


def _is_loose(item: document.ListItem) -> bool:
    """Whether an item of several blocks needs blank lines: it has more than a paragraph and a list, or a list that
    cannot follow directly."""
    inner = item.blocks[1]
    follows = isinstance(inner, document.List) and (not inner.ordered or inner.blocks[0].number == 1)
    return len(item.blocks) > 2 or not follows or not isinstance(item.blocks[0], (document.Paragraph, document.Heading))


def _fits_pipes(block: document.Table) -> bool:
    cells = [cell for row in block.blocks for cell in row.blocks]
    # Every row gets as many cells as the longest; one row of thousands would make a page of nothing but pipes.
    filled = max(len(row.blocks) for row in block.blocks) * len(block.blocks)
    return filled <= _MAX_PADDING * len(cells) and all(
        cell.columns == cell.rows == 1 and all(isinstance(inner, _IN_PIPES) for inner in cell.blocks) for cell in cells
    )


def _is_head(row: document.Row) -> bool:
    return row.head or all(cell.header or not cell.blocks for cell in row.blocks)

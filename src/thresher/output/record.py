"""A page as a row of a table: title, author, date, summary, main text, links, images (the output of paper 001).

    terminal   a table of two columns for each page, drawn with lines
    csv        a line of names, then a row for each page, every cell in quotes
    html       a table of two columns for each page; its links are links, its images addresses

All are inert.  Control characters and direction overrides do not reach the terminal; HTML is written from escaped text
and loads nothing, not even images.  A cell of a CSV file that a spreadsheet would take for a formula (it starts with
= + - @ or their wide forms) gets an apostrophe in front, by which spreadsheets know text.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import Literal

from thresher.output.references import ContentImage, ContentLink
from thresher.output.tag_writer import escape
from thresher.text.invisible import without_invisible

__all__ = ["FIELDS", "PageRow", "Style", "csv_head", "to_table"]

Style = Literal["terminal", "csv", "html"]
FIELDS = ("title", "author", "date", "summary", "text", "links", "images")
_MIN_TABLE_WIDTH = 40
_FORMULA = re.compile(r"[\s'\"]*[=+\-@|%＝＋－＠]")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*%?")
# Control characters but line ends, and what turns the direction of the lines of a table.
_CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class PageRow:
    """What the table has of a page."""

    title: str = ""
    author: str = ""
    date: str = ""
    summary: str = ""
    text: str = ""
    links: tuple[ContentLink, ...] = ()
    images: tuple[ContentImage, ...] = ()
    source: str = ""  # what the page was asked for by: a file, an address

    def cells(self) -> dict[str, str]:
        """The fields as text, one link or image a line."""
        values = {name: getattr(self, name) for name in FIELDS}
        return {name: value if isinstance(value, str) else "\n".join(map(str, value)) for name, value in values.items()}


def to_table(record: PageRow, style: Style = "terminal", *, width: int = 100) -> str:
    """One page in the style that is wanted, with a line end; `width` is that of the terminal."""
    if style == "terminal":
        return _terminal(record, width)
    writer = {"csv": _csv, "html": _html}.get(style)
    if writer is None:
        raise ValueError(f"style is one of terminal, csv, html, not {style!r}")
    return writer(record)


def csv_head() -> str:
    """The line of names that stands above the lines of pages."""
    return _line(("source", *FIELDS))


def _csv(record: PageRow) -> str:
    return _line(tuple(_harmless(_printable(value)) for value in (record.source, *record.cells().values())))


def _line(cells: tuple[str, ...]) -> str:
    sink = io.StringIO()
    csv.writer(sink, quoting=csv.QUOTE_ALL, lineterminator="\n").writerow(cells)
    return sink.getvalue()


def _harmless(cell: str) -> str:
    return "'" + cell if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell


def _html(record: PageRow) -> str:
    rows = [f"<caption>{escape(_printable(record.source))}</caption>"] if record.source else []
    for name, value in record.cells().items():
        if name == "links":
            shown = "<br>".join(_anchor(link) for link in record.links)
        else:
            shown = escape(_printable(value)).replace("\n", "<br>")
        rows.append(f'<tr><th scope="row">{name}</th><td>{shown}</td></tr>')
    return "\n".join(("<table>", *rows, "</table>", ""))


def _anchor(link: ContentLink) -> str:
    """A link, where it leads to the web or to a mailbox; other addresses are shown."""
    if not link.url.lower().startswith(("http://", "https://", "mailto:")):
        return escape(_printable(str(link)))
    words = escape(_printable(link.text or link.url))
    return f'<a href="{escape(_printable(link.url))}" rel="nofollow noreferrer">{words}</a>'


def _terminal(record: PageRow, width: int) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False, width=max(width, _MIN_TABLE_WIDTH), show_lines=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    if record.source:
        table.title, table.title_justify = Text(_printable(record.source)), "left"
    for name, value in record.cells().items():
        table.add_row(name, Text(_printable(value)))
    sink = io.StringIO()
    Console(file=sink, width=max(width, _MIN_TABLE_WIDTH), color_system=None, legacy_windows=False).print(table)
    return sink.getvalue()


def _printable(value: str) -> str:
    return without_invisible(_CONTROLS.sub("", value.replace("\t", "  ")))

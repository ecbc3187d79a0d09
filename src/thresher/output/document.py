"""The content as a small tree: what the Markdown, HTML and XML writers print.

Blocks nest as they do in HTML, but always in a valid way: a list holds items, a table rows, a row cells.  Their depth
is bounded by construction (`walk.MAX_DEPTH`), so the writers may follow it with plain recursion.  What stands in a line
of text is in inline.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from thresher.output.inline import Runs

__all__ = [
    "Admonition",
    "Block",
    "Caption",
    "Cell",
    "Code",
    "Container",
    "DefinitionItem",
    "DefinitionList",
    "Details",
    "DetailsSummary",
    "Document",
    "Figure",
    "Heading",
    "List",
    "ListItem",
    "Math",
    "Note",
    "Paragraph",
    "Quote",
    "Row",
    "Table",
    "ThematicBreak",
    "ThreadPost",
]


@dataclass(slots=True)
class Paragraph:
    runs: Runs


@dataclass(slots=True)
class Heading:
    runs: Runs
    level: int


@dataclass(slots=True)
class Caption:
    runs: Runs


@dataclass(slots=True)
class DetailsSummary:
    runs: Runs


@dataclass(slots=True)
class Code:
    text: str
    language: str


@dataclass(slots=True)
class Math:
    tex: str


@dataclass(slots=True)
class ThematicBreak:
    pass


@dataclass(slots=True)
class Container:
    blocks: list[Block] = field(default_factory=list)

    def add(self, block: Block) -> None:
        self.blocks.append(block)


@dataclass(slots=True)
class Quote(Container):
    pass


@dataclass(slots=True)
class Admonition(Container):
    """A box with a note, a tip or a warning; the kind is GitHub's word for it."""

    kind: str = "NOTE"


@dataclass(slots=True)
class Figure(Container):
    pass


@dataclass(slots=True)
class Details(Container):
    pass


@dataclass(slots=True)
class Note(Container):
    label: str = ""


@dataclass(slots=True)
class ListItem(Container):
    number: int = 1


@dataclass(slots=True)
class DefinitionItem(Container):
    """A term or a description of a definition list."""

    term: bool = False


@dataclass(slots=True)
class Cell(Container):
    header: bool = False
    columns: int = 1
    rows: int = 1


@dataclass(slots=True)
class ThreadPost(Container):
    """A post of a thread or a comment, with what is known about it.  It stands in no other container."""

    kind: str = "post"
    author: str = ""
    date: str = ""
    position: int = 0
    parent: int | None = None

    @property
    def heading(self) -> str:
        """Author and day, else its number."""
        return ", ".join(filter(None, (self.author, self.date[:10]))) or f"#{self.position + 1}"


@dataclass(slots=True)
class List:
    ordered: bool = False
    first: int = 1  # the number of the item of rank r is first + step · r
    step: int = 1
    blocks: list[ListItem] = field(default_factory=list)
    stray: bool = True  # no item came from an `li`

    def add(self, block: Block) -> None:
        if isinstance(block, ListItem):
            self.blocks.append(block)
            self.stray = False
        elif isinstance(block, List) and self.blocks:  # <ul><li>…</li><ul>…</ul></ul>
            self.blocks[-1].add(block)
        else:
            self.blocks.append(ListItem([block], self.blocks[-1].number + 1 if self.blocks else 1))

    def lift(self) -> None:
        """Items of which a list without numbers is all there is give their place to its items: of a menu whose heading
        the verdict dropped, nothing but `- - - ` would be left."""
        if not self.ordered:
            lifted: list[ListItem] = []
            for item in self.blocks:
                only = item.blocks[0] if len(item.blocks) == 1 else item
                lifted += only.blocks if isinstance(only, List) and not only.ordered else [item]
            self.blocks = lifted


@dataclass(slots=True)
class DefinitionList:
    blocks: list[DefinitionItem] = field(default_factory=list)

    def add(self, block: Block) -> None:
        self.blocks.append(block if isinstance(block, DefinitionItem) else DefinitionItem([block]))


@dataclass(slots=True)
class Row:
    head: bool = False
    blocks: list[Cell] = field(default_factory=list)

    def add(self, block: Block) -> None:
        self.blocks.append(block if isinstance(block, Cell) else Cell([block]))


@dataclass(slots=True)
class Table:
    blocks: list[Row] = field(default_factory=list)
    caption: list[Block] = field(default_factory=list)

    @property
    def width(self) -> int:
        """How many columns have anything in them; at least two where cells span columns."""
        if any(cell.columns > 1 or cell.rows > 1 for row in self.blocks for cell in row.blocks):
            return 2
        return len({column for row in self.blocks for column, cell in enumerate(row.blocks) if cell.blocks})

    def add(self, block: Block) -> None:
        if isinstance(block, Row):
            self.blocks.append(block)
        else:
            self.caption.append(block)


Block = (
    Paragraph | Heading | Caption | DetailsSummary | Code | Math | ThematicBreak
    | Quote | Figure | Details | Note | ListItem | DefinitionItem | Cell | List | DefinitionList | Row | Table
    | ThreadPost | Admonition
)  # fmt: skip


@dataclass(slots=True)
class Document:
    blocks: list[Block]
    notes: list[Note]
    direction: Literal["", "ltr", "rtl"] = ""
    has_formulas: bool = False

"""The content as a small tree: what the Markdown, HTML and XML writers print.

Blocks nest as they do in HTML, but always in a valid way: a list holds items, a table rows, a row cells.  Their depth
is bounded by construction (`build.DEEPEST`), so the writers may follow it with plain recursion.

A line of text is a flat list of runs.  A run carries the marks that hold for it (bold, a link, …) from the outermost
to the innermost; `spans` turns that into properly nested openings and closings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from thresher.output.containers import JOINED, LINE

__all__ = [
    "CLOSE",
    "CODE",
    "FORMULA",
    "GAP",
    "IMAGE",
    "NOTE",
    "OPEN",
    "TASK",
    "TEXT",
    "Block",
    "Caption",
    "Cell",
    "Code",
    "Container",
    "Definitions",
    "Details",
    "Document",
    "Entry",
    "Figure",
    "Heading",
    "Item",
    "List",
    "Mark",
    "Math",
    "Note",
    "Paragraph",
    "Quote",
    "Row",
    "Rule",
    "Run",
    "Runs",
    "Span",
    "Summary",
    "Table",
    "line",
    "spans",
]


class Mark(NamedTuple):
    """Formatting that holds for a run: strong em del ins mark sub sup kbd q rt link."""

    kind: str
    row: int = -1  # tells neighbouring links apart
    address: str = ""
    title: str = ""


# What a run holds.
TEXT, CODE, FORMULA, IMAGE, NOTE, TASK = "text", "code", "formula", "image", "note", "task"


class Run(NamedTuple):
    """A piece of a line."""

    gap: int  # JOINED, SPACE or LINE: what separates it from the piece before
    marks: tuple[Mark, ...]
    kind: str
    value: str  # the text, the TeX, the address of an image, the label of a note, whether a task is done (x)
    description: str = ""  # of an image
    title: str = ""  # of an image
    code: int = -1  # the element of code that it stands in, as two may stand side by side


Runs = list[Run]


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
class Summary:
    runs: Runs


@dataclass(slots=True)
class Code:
    text: str
    language: str


@dataclass(slots=True)
class Math:
    tex: str


@dataclass(slots=True)
class Rule:
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
class Figure(Container):
    pass


@dataclass(slots=True)
class Details(Container):
    pass


@dataclass(slots=True)
class Note(Container):
    label: str = ""


@dataclass(slots=True)
class Item(Container):
    number: int = 1


@dataclass(slots=True)
class Entry(Container):
    """A term or a description of a definition list."""

    term: bool = False


@dataclass(slots=True)
class Cell(Container):
    header: bool = False
    columns: int = 1
    rows: int = 1


@dataclass(slots=True)
class List:
    ordered: bool = False
    first: int = 1  # the number of the item of rank r is first + step · r
    step: int = 1
    blocks: list[Item] = field(default_factory=list)
    stray: bool = True  # no item came from an `li`

    def add(self, block: Block) -> None:
        if isinstance(block, Item):
            self.blocks.append(block)
            self.stray = False
        elif isinstance(block, List) and self.blocks:  # <ul><li>…</li><ul>…</ul></ul>
            self.blocks[-1].add(block)
        else:
            self.blocks.append(Item([block], self.blocks[-1].number + 1 if self.blocks else 1))

    def lift(self) -> None:
        """Items of which a list without numbers is all there is give their place to its items: of a menu whose heading
        the verdict dropped, nothing but `- - - ` would be left."""
        if not self.ordered:
            lifted: list[Item] = []
            for item in self.blocks:
                only = item.blocks[0] if len(item.blocks) == 1 else item
                lifted += only.blocks if isinstance(only, List) and not only.ordered else [item]
            self.blocks = lifted


@dataclass(slots=True)
class Definitions:
    blocks: list[Entry] = field(default_factory=list)

    def add(self, block: Block) -> None:
        self.blocks.append(block if isinstance(block, Entry) else Entry([block]))


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
    Paragraph | Heading | Caption | Summary | Code | Math | Rule
    | Quote | Figure | Details | Note | Item | Entry | Cell | List | Definitions | Row | Table
)  # fmt: skip


@dataclass(slots=True)
class Document:
    blocks: list[Block]
    notes: list[Note]
    direction: Literal["", "ltr", "rtl"] = ""
    has_formulas: bool = False


# ---- runs ----------------------------------------------------------------------------------------------------

OPEN, CLOSE, GAP = "open", "close", "gap"


class Span(NamedTuple):
    """A step through a line: open or close a mark, a gap, or a run."""

    step: str  # OPEN, CLOSE, GAP, or the kind of the run
    mark: Mark | None = None
    gap: int = JOINED
    run: Run | None = None


def line(runs: Runs) -> Runs:
    """The runs with those joined that are text or code and go on in the same format."""
    if len(runs) == 1:
        return runs
    result: Runs = []
    start = 0
    for place in range(1, len(runs) + 1):
        if place < len(runs) and _continues(runs[place - 1], runs[place]):
            continue
        run = runs[start]
        if place - start > 1:
            parts = [run.value]
            for other in runs[start + 1 : place]:
                parts += (" " if other.gap else "", other.value)
            run = run._replace(value="".join(parts))
        result.append(run)
        start = place
    return result


def _continues(before: Run, run: Run) -> bool:
    """Whether a run goes on what another began.  Code spans side by side stay two if a space is between; no signs could
    part them otherwise."""
    return (
        run.kind == before.kind
        and run.kind in (TEXT, CODE)
        and run.gap < LINE
        and run.marks == before.marks
        and (run.code == before.code or run.gap == JOINED)
    )


def spans(runs: Runs) -> Iterator[Span]:
    """Openings, closings, gaps and runs in order, properly nested.

    Between two runs all marks close but those that both begin with, and a gap stands outside of what closes and
    opens: no emphasis starts or ends with a space.
    """
    active: tuple[Mark, ...] = ()
    for run in runs:
        common = 0
        for mark, other in zip(active, run.marks, strict=False):
            if mark != other:
                break
            common += 1
        for mark in reversed(active[common:]):
            yield Span(CLOSE, mark)
        if run.gap:
            yield Span(GAP, gap=min(run.gap, LINE))
        for mark in run.marks[common:]:
            yield Span(OPEN, mark)
        yield Span(run.kind, run=run)
        active = run.marks
    for mark in reversed(active):
        yield Span(CLOSE, mark)

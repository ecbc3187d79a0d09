"""What is open while a page is walked: containers, marks, the current line.

`Walk` knows how paragraphs begin and end and how containers are handed on; build.py tells which element means what.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from thresher.data.tags import BLOCK as BLOCK_NAMES
from thresher.data.tags import NUMBER, group
from thresher.output import document, inline
from thresher.output.containers import (
    BLOCK,
    JOINED,
    LINE,
    SPACE,
    closing_tag_start,
    gaps,
    has_space_before,
)
from thresher.page import Page
from thresher.page.tree import nearest
from thresher.page.types import Bools, Ints

__all__ = ["MAX_DEPTH", "Holder", "Line", "Walk"]

# Containers in one another.  CommonMark readers stop at about this depth, people long before.
MAX_DEPTH = 24

_IS_BLOCK = group(BLOCK_NAMES)
_BR = NUMBER["br"]

Holder = document.Container | document.List | document.DefinitionList | document.Row | document.Table
Line = type[document.Heading] | type[document.Caption] | type[document.DetailsSummary] | type[document.Paragraph]


# They stand in containers that are counted already, or at the end of the document.
_PARTS = (document.Row, document.Cell, document.ListItem, document.DefinitionItem, document.Note)


# A label in brackets, before a point or alone, or what is left of that without it.
_LEAD = re.compile(r"(?:\[\s*(\w{0,12})\s*\]|(\w{0,12})[.):](?!\d)|(\w{1,12})$)[:\s]*")
# What is open, apart from elements.
_OPEN = ("line", "marks", "code", "containers", "runs", "pending", "white", "whole_before", "row", "position")


class _Frame(NamedTuple):
    """An open element: until which row and text it reaches, and what its end does."""

    end: int
    last: int
    node: Holder | None = None  # a container: handed to the one around it
    line: Line | None = None  # a heading, caption, summary or term: becomes a block
    level: int = 0  # of a heading
    marks: tuple[inline.Mark, ...] = ()  # otherwise the marks to go back to
    code: int = -1  # and the code element that was around
    outside: dict[str, Any] | None = None  # of a note: what was open around it


class Walk:
    """One way through the kept texts of a page."""

    def __init__(self, page: Page, keep: Bools) -> None:
        self.page, self.keep = page, keep
        # Single numbers are read faster from these than from arrays.
        self.end, self.last, self.owner, self.place = page.end.data, page.last.data, page.owner.data, page.position.data
        self.kept = np.flatnonzero(keep)
        self.gaps: list[int] = gaps(page, self.kept).tolist()
        self.top = document.Container()
        self.footnotes: list[document.Note] = []
        self.containers: list[Holder] = [self.top]
        self.frames: list[_Frame] = []
        self.line: _Frame | None = None  # the heading or caption that is open: one line, whatever stands in it
        self.marks: tuple[inline.Mark, ...] = ()
        self.code = -1  # the outermost element of code that is open
        self.runs: inline.Runs = []
        self.pending = JOINED  # the strongest gap since the last run
        self.white = False  # the last text ended with white space
        self.row = self.position = -1  # the element of the last run, and where it stands in the markup
        self.whole_before = False  # the last run was an element printed as a whole
        self.skip_row = self.skip_text = 0  # rows and texts before these are dealt with
        self._blocks: Ints | None = None
        self._breaks: Ints = np.zeros(0, np.int32)

    # ---- lines ----

    def text(self, text: int, raw: str, line: str, gap: int) -> None:
        """A kept text, as it stands and as one line, and the gap between it and the kept text before."""
        owner, position = self.owner[text], self.place[text]
        if self.whole_before:
            gap = self._gap_between(owner, position)
        self.separate(gap)
        if not line:
            return
        if self.pending == JOINED and (self.white or raw[:1].isspace()):
            self.pending = SPACE
        self.run(owner, position, inline.TEXT if self.code < 0 else inline.CODE, line)
        self.white = raw[-1:].isspace()

    def whole(self, row: int, kind: str, value: str, description: str = "", title: str = "") -> None:
        """An element that is printed as a whole (a formula, an image, a reference to a note)."""
        place = int(self.kept.searchsorted(self.page.first[row]))
        seen = place < len(self.kept) and self.kept[place] < self.page.last[row]
        position = int(self.page.tag_start[row])
        self.separate(self.gaps[place] if seen and not self.whole_before else self._gap_between(row, position))
        self.run(row, position, kind, value, description, title)
        self.whole_before, self.position = True, closing_tag_start(self.page, row)

    def unprinted(self, row: int) -> None:
        """An element of which nothing is printed: what stands before it is apart from what follows, if white space is
        between."""
        self.separate(self._gap_between(row, int(self.page.tag_start[row])))

    def run(self, row: int, position: int, kind: str, value: str, description: str = "", title: str = "") -> None:
        """Add to the current line."""
        gap = self.pending if self.runs else JOINED
        self.runs.append(inline.Run(gap, self.marks, kind, value, description, title, self.code))
        self.pending, self.white, self.whole_before, self.row, self.position = JOINED, False, False, row, position

    def separate(self, gap: int) -> None:
        """A gap before what comes next: a new paragraph for a block, but in a heading or caption."""
        if gap < BLOCK:
            if gap > self.pending:
                self.pending = gap
        elif self.line is None:
            self.flush()
        else:
            self.pending = SPACE if self.line.level else LINE

    def flush(self) -> None:
        """End the paragraph or line."""
        runs, self.runs = self.runs, []
        self.pending, self.white, self.whole_before, self.row = JOINED, False, False, -1
        if not runs:
            return
        frame = self.line
        if frame is None or frame.line is None or (frame.level and all(run.kind == inline.IMAGE for run in runs)):
            self.containers[-1].add(document.Paragraph(inline.joined_runs(runs)))
        elif frame.line is document.Heading:
            self.containers[-1].add(document.Heading(inline.joined_runs(runs), frame.level))
        else:
            self.containers[-1].add(frame.line(inline.joined_runs(runs)))  # type: ignore[call-arg]

    def _gap_between(self, row: int, position: int) -> int:
        """The gap between the last run and an element or its text at a position, where no two texts tell: as for
        texts, another block element around it or two line breaks make a block, one a line."""
        if self.row < 0:
            return BLOCK
        if self._blocks is None:
            self._blocks = nearest(self.page, _IS_BLOCK[self.page.tag])
            self._breaks = self.page.tag_start[self.page.tag == _BR]
        if self._blocks[row] != self._blocks[self.row]:
            return BLOCK
        breaks = int(np.subtract(*np.searchsorted(self._breaks, (position, self.position))))
        if breaks:
            return LINE if breaks == 1 else BLOCK
        return SPACE if has_space_before(self.page, position, self.position) else JOINED

    # ---- elements ----

    def skip(self, row: int) -> None:
        """Pass over all that stands in an element."""
        self.skip_row, self.skip_text = self.end[row], self.last[row]

    def open_marks(self, row: int) -> None:
        """From here to the end of the element marks may be added; then they go back to what they are now."""
        self.frames.append(_Frame(self.end[row], self.last[row], None, None, 0, self.marks, self.code))

    def mark(self, row: int, mark: inline.Mark) -> None:
        """Mark what stands in the element, unless it is marked so already; one quotation may stand in another."""
        if sum(mark.kind == other.kind for other in self.marks) < 1 + (mark.kind == "q"):
            self.open_marks(row)
            self.marks = (*self.marks, mark)

    def open_block(self, row: int, node: Holder) -> None:
        """What stands in the element goes to this container; beyond DEEPEST to the one around it."""
        self.flush()
        if len(self.containers) <= MAX_DEPTH or isinstance(node, _PARTS):
            self.frames.append(_Frame(self.end[row], self.last[row], node))
            self.containers.append(node)

    def open_note(self, row: int, node: document.Note) -> None:
        """What stands in the element is apart from all that is open, which goes on after it: a note may stand in a
        line."""
        self._open_apart(row, node)
        self.flush()

    def open_post(self, row: int, node: document.ThreadPost) -> None:
        """What stands in the element is a post, apart from all that is open around it."""
        self.flush()
        self._open_apart(row, node)
        self.top.add(node)

    def _open_apart(self, row: int, node: Holder) -> None:
        outside = {name: getattr(self, name) for name in _OPEN}
        self.frames.append(_Frame(self.end[row], self.last[row], node, outside=outside))
        self.line, self.marks, self.code, self.containers, self.runs = None, (), -1, [node], []

    def open_line(self, row: int, kind: Line, level: int = 0) -> None:
        """What stands in the element is one line."""
        self.flush()
        self.line = _Frame(self.end[row], self.last[row], None, kind, level)
        self.frames.append(self.line)

    def close_before(self, row: int = -1, text: int = -1) -> None:
        """Close the elements that do not reach to this row or text."""
        frames = self.frames
        while frames and (frames[-1].end <= row or frames[-1].last <= text):
            frame = frames.pop()
            if frame.node is not None:
                self.flush()
                if frame.outside is not None:
                    for name, value in frame.outside.items():
                        setattr(self, name, value)
                else:
                    self.containers.pop()
                self._attach(frame.node)
            elif frame.line is not None:
                self.flush()
                self.line = None
            else:
                self.marks, self.code = frame.marks, frame.code

    def _attach(self, node: Holder) -> None:
        """Hand a finished container to the one around it, unless it is empty."""
        around = self.containers[-1]
        if isinstance(node, document.ThreadPost):
            return  # it has its place already
        if isinstance(node, document.Note):
            _drop_label(node)
            if node.blocks:
                self.footnotes.append(node)
        elif isinstance(node, document.Table) and node.width < 2:  # the verdict left one column of it
            for block in (
                *node.caption,
                *(block for row in node.blocks for cell in row.blocks for block in cell.blocks),
            ):
                around.add(block)
        elif isinstance(node, document.List) and node.stray:  # a list in name only
            for item in node.blocks:
                for block in item.blocks:
                    around.add(block)
        elif isinstance(node, document.List):
            node.lift()
            around.add(node)
        elif isinstance(node, document.Row):
            if any(cell.blocks for cell in node.blocks):
                around.add(node)
        elif isinstance(node, document.Cell) or node.blocks:
            if isinstance(node, document.Figure) and isinstance(node.blocks[0], document.Caption):
                node.blocks.append(node.blocks.pop(0))  # a caption follows its picture
            around.add(node)  # type: ignore[arg-type]


def _drop_label(note: document.Note) -> None:
    """What stands before the text of a note goes: its label again, brackets or a point without their link back to the
    text, a caret or an arrow."""
    first = note.blocks[0] if note.blocks else None
    if isinstance(first, document.Paragraph) and first.runs[0].kind == inline.TEXT:
        value = first.runs[0].value.lstrip("^↑↩ ")
        lead = _LEAD.match(value)
        if lead is not None and (lead[1] or lead[2] or lead[3] or note.label) == note.label:
            value = value[lead.end() :]
        first.runs[0] = first.runs[0]._replace(value=value)
        if not value:
            del first.runs[0]
        if not first.runs:
            del note.blocks[0]

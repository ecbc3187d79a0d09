"""What is open while a page is walked: containers, marks, the current line.

`Walk` knows how paragraphs begin and end and how containers are handed on; build.py tells which element means what.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from thresher.data.tags import BLOCK as BLOCK_NAMES
from thresher.data.tags import NUMBER, group
from thresher.output import document, inline
from thresher.output.collapse import BEGINS_WHITE, ENDS_WHITE
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
from thresher.page.types import Bools

__all__ = ["MAX_DEPTH", "SYNTAX", "Holder", "Line", "Walk"]

# Containers in one another.  CommonMark readers stop at about this depth, people long before.
MAX_DEPTH = 24
SYNTAX = 4  # of a line: a character that can be syntax of Markdown is in it

_IS_BLOCK = group(BLOCK_NAMES)
_BR = NUMBER["br"]

Holder = document.Container | document.List | document.DefinitionList | document.Row | document.Table
Line = type[document.Heading] | type[document.Caption] | type[document.DetailsSummary] | type[document.Paragraph]


# They stand in containers that are counted already, or at the end of the document.
_PARTS = (document.Row, document.Cell, document.ListItem, document.DefinitionItem, document.Note)


# A label in brackets, before a point or alone, or what is left of that without it.
_LEAD = re.compile(r"(?:\[\s*(\w{0,12})\s*\]|(\w{0,12})[.):](?!\d)|(\w{1,12})$)[:\s]*")
_PLAIN_PARTS = (document.ListItem, document.Cell, document.DefinitionItem)
_TEXT, _CODE, _run = inline.TEXT, inline.CODE, inline.make_run  # looked up once, not for every text
# What is open, apart from elements.
_OPEN = ("line", "marks", "code", "containers", "runs", "pending", "white", "whole_before", "before", "row", "position")


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


# The same without the constructor written in Python, which takes most of the time.
_frame: Callable[[tuple[Any, ...]], _Frame] = partial(tuple.__new__, _Frame)


class Walk:
    """One way through the kept texts of a page."""

    # With slots each is found where it stands; beyond thirty names Python would look for them in a dictionary.
    __slots__ = (
        "_blocks", "_breaks", "add", "before", "code", "containers", "end", "first", "footnotes", "frames", "gaps",
        "keep", "kept", "last", "line", "marks", "owner", "page", "pending", "place", "position", "row", "runs",
        "skip_row", "skip_text", "tag_start", "texts", "top", "white", "whole_before",
    )  # fmt: skip

    def __init__(self, page: Page, keep: Bools) -> None:
        self.page, self.keep = page, keep
        # Single numbers are read faster from these than from arrays.
        self.end, self.first, self.last = page.end.data, page.first.data, page.last.data
        self.tag_start, self.owner, self.place = page.tag_start.data, page.owner.data, page.position.data
        self.kept = keep.nonzero()[0]
        self.texts: list[int] = self.kept.tolist()
        self.gaps: list[int] = gaps(page, self.kept).tolist()
        self.top = document.Container()
        self.footnotes: list[document.Note] = []
        self.containers: list[Holder] = [self.top]
        self.add: Callable[[Any], None] = self.top.add  # to the innermost container
        self.frames: list[_Frame] = []
        self.line: _Frame | None = None  # the heading or caption that is open: one line, whatever stands in it
        self.marks: tuple[inline.Mark, ...] = ()
        self.code = -1  # the outermost element of code that is open
        self.runs: inline.Runs = []
        self.pending = JOINED  # the strongest gap since the last run
        self.white = 0  # whether the last text ended with white space
        self.before = -1  # the last run, if it was a text
        self.row = self.position = -1  # else the element of the last run, and where it stands in the markup
        self.whole_before = False  # the last run was an element printed as a whole
        self.skip_row = self.skip_text = 0  # rows and texts before these are dealt with
        self._blocks: memoryview | None = None
        self._breaks: list[int] = []

    # ---- lines ----

    def text(self, text: int, line: str, gap: int, note: int) -> None:
        """A kept text as one line, the gap between it and the kept text before, and what is noted of it: whether it
        begins and ends with white space, and whether SYNTAX may be in it."""
        if self.whole_before:
            gap = self._gap_between(self.owner[text], self.place[text])
        if gap >= BLOCK:
            if self.line is not None:
                self.separate(gap)
            elif self.runs:
                self.flush()
        elif gap > self.pending:
            self.pending = gap
        if not line:
            return
        runs, code = self.runs, self.code
        if not runs:
            gap = JOINED
        elif (gap := self.pending) == JOINED and (self.white or note & BEGINS_WHITE):
            gap = SPACE
        if code < 0:
            runs.append(_run((gap, self.marks, _TEXT, line, "", "", code, not note & SYNTAX)))
        else:
            runs.append(_run((gap, self.marks, _CODE, line, "", "", code, False)))
        self.pending, self.white, self.before = JOINED, note & ENDS_WHITE, text
        self.whole_before = False

    def whole(self, row: int, kind: str, value: str, description: str = "", title: str = "") -> None:
        """An element that is printed as a whole (a formula, an image, a reference to a note)."""
        place = bisect_left(self.texts, self.first[row])
        seen = place < len(self.texts) and self.texts[place] < self.last[row]
        position = self.tag_start[row]
        self.separate(self.gaps[place] if seen and not self.whole_before else self._gap_between(row, position))
        self.run(row, position, kind, value, description, title)
        self.whole_before, self.position = True, closing_tag_start(self.page, row)

    def unprinted(self, row: int) -> None:
        """An element of which nothing is printed: what stands before it is apart from what follows, if white space is
        between."""
        self.separate(self._gap_between(row, self.tag_start[row]))

    def run(self, row: int, position: int, kind: str, value: str, description: str = "", title: str = "") -> None:
        """Add to the current line."""
        gap = self.pending if self.runs else JOINED
        self.runs.append(inline.Run(gap, self.marks, kind, value, description, title, self.code))
        self.pending, self.white, self.whole_before, self.before = JOINED, 0, False, -1
        self.row, self.position = row, position

    def separate(self, gap: int) -> None:
        """A gap before what comes next: a new paragraph for a block, but in a heading or caption."""
        if gap < BLOCK:
            if gap > self.pending:
                self.pending = gap
        elif self.line is None:
            if self.runs:
                self.flush()
        else:
            self.pending = SPACE if self.line.level else LINE

    def flush(self) -> None:
        """End the paragraph or line."""
        runs = self.runs
        if not runs:
            return
        self.runs, self.pending, self.white, self.whole_before = [], JOINED, 0, False
        self.row = self.before = -1
        frame = self.line
        if len(runs) > 1:
            runs = inline.joined_runs(runs)
        if frame is None or frame.line is None or (frame.level and all(run.kind == inline.IMAGE for run in runs)):
            self.add(document.Paragraph(runs))
        elif frame.line is document.Heading:
            self.add(document.Heading(runs, frame.level))
        else:
            self.add(frame.line(runs))  # type: ignore[call-arg]

    def _gap_between(self, row: int, position: int) -> int:
        """The gap between the last run and an element or its text at a position, where no two texts tell: as for
        texts, another block element around it or two line breaks make a block, one a line."""
        if self.before >= 0:
            self.row, self.position = self.owner[self.before], self.place[self.before]
        if self.row < 0:
            return BLOCK
        if self._blocks is None:
            self._blocks = nearest(self.page, _IS_BLOCK[self.page.tag]).data
            self._breaks = self.page.tag_start[self.page.tag == _BR].tolist()
        if self._blocks[row] != self._blocks[self.row]:
            return BLOCK
        breaks = bisect_left(self._breaks, position) - bisect_left(self._breaks, self.position)
        if breaks:
            return LINE if breaks == 1 else BLOCK
        return SPACE if has_space_before(self.page, position, self.position) else JOINED

    # ---- elements ----

    def skip(self, row: int) -> None:
        """Pass over all that stands in an element."""
        self.skip_row, self.skip_text = self.end[row], self.last[row]

    def open_marks(self, row: int) -> None:
        """From here to the end of the element marks may be added; then they go back to what they are now."""
        self.frames.append(_frame((self.end[row], self.last[row], None, None, 0, self.marks, self.code, None)))

    def mark(self, row: int, mark: inline.Mark) -> None:
        """Mark what stands in the element, unless it is marked so already; one quotation may stand in another."""
        if not self.marks or [other.kind for other in self.marks].count(mark.kind) < 1 + (mark.kind == "q"):
            self.open_marks(row)
            self.marks = (*self.marks, mark)

    def open_block(self, row: int, node: Holder) -> None:
        """What stands in the element goes to this container; beyond DEEPEST to the one around it."""
        if self.runs:
            self.flush()
        if len(self.containers) <= MAX_DEPTH or isinstance(node, _PARTS):
            self.frames.append(_frame((self.end[row], self.last[row], node, None, 0, (), -1, None)))
            self.containers.append(node)
            self.add = node.add

    def open_note(self, row: int, node: document.Note) -> None:
        """What stands in the element is apart from all that is open, which goes on after it: a note may stand in a
        line."""
        self._open_apart(row, node)

    def open_post(self, row: int, node: document.ThreadPost) -> None:
        """What stands in the element is a post, apart from all that is open around it."""
        self.flush()
        self._open_apart(row, node)
        self.top.add(node)

    def _open_apart(self, row: int, node: Holder) -> None:
        outside = {name: getattr(self, name) for name in _OPEN}
        self.frames.append(_Frame(self.end[row], self.last[row], node, outside=outside))
        self.line, self.marks, self.code, self.containers, self.runs, self.add = None, (), -1, [node], [], node.add
        self.pending, self.white, self.whole_before = JOINED, 0, False
        self.row = self.before = -1

    def open_line(self, row: int, kind: Line, level: int = 0) -> None:
        """What stands in the element is one line."""
        self.flush()
        self.line = _frame((self.end[row], self.last[row], None, kind, level, (), -1, None))
        self.frames.append(self.line)

    def close_before(self, row: int = -1, text: int = -1) -> None:
        """Close the elements that do not reach to this row or text."""
        frames = self.frames
        while frames:
            end, last, node, line, _, marks, code, outside = frames[-1]
            if end > row and last > text:
                return
            frames.pop()
            if node is not None:
                if self.runs:
                    self.flush()
                if outside is not None:
                    for name, value in outside.items():
                        setattr(self, name, value)
                else:
                    self.containers.pop()
                self.add = self.containers[-1].add
                self._attach(node)
            elif line is not None:
                if self.runs:
                    self.flush()
                self.line = None
            else:
                self.marks, self.code = marks, code

    def _attach(self, node: Holder) -> None:
        """Hand a finished container to the one around it, unless it is empty."""
        if type(node) in _PLAIN_PARTS:
            if node.blocks or type(node) is document.Cell:  # an empty cell keeps its column
                self.add(node)
            return
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
                self.add(block)
        elif isinstance(node, document.List) and node.stray:  # a list in name only
            for item in node.blocks:
                for block in item.blocks:
                    self.add(block)
        elif isinstance(node, document.List):
            node.lift()
            self.add(node)
        elif isinstance(node, document.Row):
            if any(cell.blocks for cell in node.blocks):
                self.add(node)
        elif node.blocks:
            if isinstance(node, document.Figure) and isinstance(node.blocks[0], document.Caption):
                node.blocks.append(node.blocks.pop(0))  # a caption follows its picture
            self.add(node)


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

"""Page and verdict -> the content as a small tree (document.py).

Elements that hold kept text or media, and mean something to a reader, are met in document order together with the
kept texts; dropped parts of the page are not visited.  Where one block ends and the next begins is known from the
columns, so `div`, `p` and their like need no visit either.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from thresher.data.tags import HEADINGS, NUMBER, TAGS, group
from thresher.output import document, formulas, inline, notes, permalinks
from thresher.output.admonitions import find_admonitions
from thresher.output.captions import picture_captions
from thresher.output.collapse import lines
from thresher.output.containers import JOINED, SPACE
from thresher.output.formulas import Formula
from thresher.output.grids import Grids, find_grids
from thresher.output.languages import language
from thresher.output.listings import Listing, listings
from thresher.output.media import in_content, is_symbol, loadable, picture, shown_media, video_or_audio
from thresher.output.ordinals import leading_integer, list_ranks
from thresher.output.printed import printed_texts, requested
from thresher.output.quotes import is_quoted
from thresher.output.tables import data_tables
from thresher.output.tasks import is_task
from thresher.output.urls import resolver
from thresher.output.walk import Walk
from thresher.page import Page, attributes
from thresher.page.tree import subtree_sum, text_sum
from thresher.page.types import Bools, Rows
from thresher.text.characters import collapse

__all__ = ["build"]


_MARKS = {
    "b": "strong", "strong": "strong", "i": "em", "em": "em", "dfn": "em", "var": "em", "del": "del",
    "s": "del", "strike": "del", "u": "ins", "ins": "ins", "mark": "mark", "sub": "sub", "sup": "sup", "kbd": "kbd",
    "q": "q", "rt": "rt",
}  # fmt: skip
_CODE_NAMES = ("code", "tt", "samp")
_PRE_NAMES = ("pre", "listing")
_LEVELS = {name: level for level, name in enumerate(HEADINGS, 1)}
_LISTS = ("ul", "ol", "menu", "dir")
_PLAIN_CONTAINERS = {
    "dl": document.DefinitionList,
    "blockquote": document.Quote,
    "figure": document.Figure,
    "details": document.Details,
}
_VISITED_TAGS = group(
    (
        *_MARKS, *_CODE_NAMES, *_PRE_NAMES, *_LEVELS, *_LISTS, *_PLAIN_CONTAINERS,
        "a", "li", "dt", "dd", "table", "caption", "tr", "td", "th", "figcaption", "summary",
    )
)  # fmt: skip
_WITHOUT_BREAKS = (document.List, document.DefinitionList, document.Table)  # "- ---" is a rule, no item
_RULES = group(("hr",))
_MEDIA = group(("hr", "img", "video", "audio", "iframe", "embed", "object"))
_CELL = group(("td", "th"))
_STYLED_NORMAL = {
    "strong": re.compile(rb"font-weight:\s*(?:normal|[1-4]00)\b", re.IGNORECASE),
    "em": re.compile(rb"font-style:\s*normal\b", re.IGNORECASE),
}
_ROOT = group(("html", "body"))
_LI, _THEAD, _ROW, _HR, _IMG, _INPUT = (NUMBER[name] for name in ("li", "thead", "tr", "hr", "img", "input"))
_MAX_COLUMNS, _MAX_ROWS = 1000, 65534  # the HTML standard's limits for spans


def build(
    page: Page,
    keep: Bools,
    *,
    links: bool,
    images: bool,
    tables: bool,
    captions: bool = True,
    elements: Bools | None = None,
    posts: Mapping[int, document.ThreadPost] | None = None,
) -> document.Document:
    """The kept content of a page.  `links`, `images`, `tables` and `captions` say what of it is wanted.
    `posts` are the elements that hold a post each, with its author and date; -1 stands for what is before them."""
    keep = requested(page, keep, tables=tables, captions=captions)
    return _Builder(page, keep, links, images, elements, posts or {}).content()


class _Builder(Walk):
    """What each element means."""

    def __init__(
        self,
        page: Page,
        keep: Bools,
        links: bool,
        images: bool,
        elements: Bools | None,
        posts: Mapping[int, document.ThreadPost],
    ) -> None:
        super().__init__(page, printed_texts(page, keep))
        content, shown = np.zeros(len(page), bool), shown_media(page)
        if formulas.find(page) or ((len(self.kept) or elements is not None) and shown.any()):
            content = in_content(page, keep, elements)  # beside what no form prints, too
        self.media = loadable(page, shown & content & (_MEDIA if images else _RULES)[page.tag])
        self.formulas = formulas.content_formulas(page, self.keep, content)
        self.listings = listings(page, self.keep, self.kept)
        self.notes = notes.find(page, self.keep, links)
        self.tag = page.tag.data
        self.links = links
        self.posts = posts
        self.plain = permalinks.find(page).plain
        self.addresses, self.titles = attributes.Lookup(page, "href"), attributes.Lookup(page, "title")
        self.column_spans, self.row_spans = attributes.Lookup(page, "colspan"), attributes.Lookup(page, "rowspan")
        self.resolve = resolver(page)
        self.captions = picture_captions(page)
        self.admonitions = find_admonitions(page)
        self.grids = find_grids(page)
        self.ranks: dict[int, int] | None = None
        self.has_formulas = bool(self.formulas)
        self.special = {*self.formulas, *posts, *self.notes.note, *self.listings, *self.notes.reference}
        self.image = ""  # the last image, if no text has been printed since

    def content(self) -> document.Document:
        """Walk the page."""
        raw, line = self.page.cut(self.kept), lines(self.page, self.kept)
        kept_texts: list[int] = self.kept.tolist()
        frames = self.frames
        for event in self._events():
            if event >= 0:
                if event >= self.skip_row:
                    if frames and frames[-1].end <= event:
                        self.close_before(row=event)
                    self._open(event)
                continue
            text = kept_texts[~event]
            if text >= self.skip_text:
                if frames and frames[-1].last <= text:
                    self.close_before(text=text)
                self.text(text, raw[~event], line[~event], self.gaps[~event])
        self.close_before(row=len(self.page))
        self.flush()
        blocks = _with_opening(self.top.blocks, self.posts)
        while blocks and isinstance(blocks[-1], document.ThematicBreak):
            blocks.pop()
        return document.Document(blocks, self.footnotes, _direction(self.page), self.has_formulas)

    def _events(self) -> list[int]:
        """What to meet, in document order: rows as they are, kept texts as ~place."""
        page = self.page
        alive = text_sum(page, self.keep) > 0
        visited = alive | (subtree_sum(page, self.media) > 0) if self.media.any() else alive.copy()
        visited &= _VISITED_TAGS[page.tag]
        visited |= self.media
        visited |= (page.tag == _INPUT) & alive[page.parent]  # a box before the text of an item
        # An empty cell keeps the others of its row in their columns.
        visited |= _CELL[page.tag] & (page.tag[page.parent] == _ROW) & alive[page.parent]
        visited[list(self.formulas)] = True
        visited[[*self.notes.note, *self.listings]] = True
        visited[[row for row in (*self.captions, *self.admonitions, *self.posts) if row >= 0 and alive[row]]] = True
        if self.grids is not None:
            visited[self.grids.tables] |= alive[self.grids.tables]
            visited[self.grids.lines] |= alive[self.grids.lines]
            visited[self.grids.cells] = True
        rows = np.flatnonzero(visited)
        position = np.concatenate((page.tag_start[rows], page.position[self.kept]))
        events = np.concatenate((rows, ~np.arange(len(self.kept))))
        order: list[int] = events[np.argsort(position, kind="stable")].tolist()
        return order

    def text(self, text: int, raw: str, line: str, gap: int) -> None:
        """A kept text; TeX in it that waits for a script is a formula."""
        self.image = ""
        if self.code >= 0 or ("$" not in raw and "\\" not in raw):
            super().text(text, raw, line, gap)
            return
        dollars = formulas.uses_dollars(self.page) or formulas.is_formula_container(self.page, text)
        for piece in formulas.split_formulas(raw, dollars):
            if isinstance(piece, str):
                super().text(text, piece, collapse(piece), gap)
            else:
                self.separate(max(gap, SPACE) if self.white else gap)
                self._add_formula(piece, int(self.page.owner[text]), int(self.page.position[text]))
            gap = JOINED

    def _open(self, row: int) -> None:
        if row in self.special and self._open_special(row):
            return
        name = TAGS[self.tag[row]]
        if name in _MARKS:
            self._format(row, _MARKS[name])
        elif name == "a":
            self._link(row)
        elif name in _CODE_NAMES:
            self.open_marks(row)
            self.code = row if self.code < 0 else self.code
        elif self.media[row]:
            self._media(row)
        elif name == "input":
            item = self.containers[-1]
            if isinstance(item, document.ListItem) and not item.blocks and not self.runs and is_task(self.page, row):
                self.whole(row, inline.TASK, "x" if self.page.attribute(row, "checked") is not None else " ")
                self.separate(SPACE)
        elif self.line is None:
            self._container(row, name)

    def _open_special(self, row: int) -> bool:
        """What an element is, whatever its name; False for a post that may be something by its name, too."""
        if row in self.formulas:
            self._formula(row)
            return True
        if row in self.posts:
            self.open_post(row, replace(self.posts[row], blocks=[]))
        if row in self.notes.note:
            self.open_note(row, document.Note([], self.notes.note[row]))
        elif row in self.listings:
            self._listing(row, self.listings[row])
        elif row in self.notes.reference:
            self._reference(row)
        else:
            return False
        return True

    def _format(self, row: int, kind: str) -> None:
        """An element that marks its text, unless a style takes that back: Google Docs puts all it copies into such a
        `b`."""
        in_heading = self.line is not None and self.line.level > 0
        if self.code >= 0 or (kind == "strong" and in_heading) or (kind == "q" and is_quoted(self.page, row)):
            return
        tag = self.page.markup[self.page.tag_start[row] : self.page.tag_stop[row]]
        if not (kind in _STYLED_NORMAL and b"style=" in tag and _STYLED_NORMAL[kind].search(tag)):
            self.mark(row, inline.Mark(kind, row if kind == "q" else -1))

    def _container(self, row: int, name: str) -> None:
        page = self.page
        around = self.containers[-1]
        if row in self.admonitions and not any(isinstance(holder, document.Cell) for holder in self.containers):
            self.open_block(row, document.Admonition([], self.admonitions[row]))
        elif self.grids is not None and self._grid(row, self.grids):
            pass
        elif name in _LEVELS:
            self.open_line(row, document.Heading, _LEVELS[name])
        elif (
            name == "figcaption"
            or (name == "caption" and isinstance(around, document.Table))
            or (name in ("p", "div") and row in self.captions)
        ):
            self.open_line(row, document.Caption)
        elif name == "summary":
            self.open_line(row, document.DetailsSummary)
        elif name == "table" and data_tables(page)[row]:
            self.open_block(row, document.Table())
        elif name == "tr" and isinstance(around, document.Table):
            self.open_block(row, document.Row(bool(page.tag[page.parent[row]] == _THEAD)))
        elif name in ("td", "th") and isinstance(around, document.Row):
            columns = min(max(leading_integer(self.column_spans.get(row), 1), 1), _MAX_COLUMNS)
            rows = min(max(leading_integer(self.row_spans.get(row), 1), 1), _MAX_ROWS)
            self.open_block(row, document.Cell([], name == "th", columns, rows))
        elif name in _LISTS:
            self.open_block(row, self._list(row, name))
        elif name == "li" and isinstance(around, document.List):
            self.open_block(row, document.ListItem([], self._ordinal(row, around)))
        elif name in ("dt", "dd") and isinstance(around, document.DefinitionList):
            self.open_block(row, document.DefinitionItem([], name == "dt"))
            if name == "dt":
                self.open_line(row, document.Paragraph)
        elif name in _PLAIN_CONTAINERS:
            self.open_block(row, _PLAIN_CONTAINERS[name]())

    def _grid(self, row: int, grids: Grids) -> bool:
        """Open a part of a table that is made of other elements; False for what is none."""
        around = self.containers[-1]
        if _is_among(row, grids.tables):
            self.open_block(row, document.Table())
        elif _is_among(row, grids.lines) and isinstance(around, document.Table):
            cells = grids.cells[grids.cells.searchsorted(row) : grids.cells.searchsorted(self.page.end[row])]
            self.open_block(row, document.Row(all(cell in grids.headers for cell in cells.tolist())))
        elif _is_among(row, grids.cells):
            if isinstance(around, document.Row):
                self.open_block(row, document.Cell([], row in grids.headers))
        else:
            return False
        return True

    def _list(self, row: int, name: str) -> document.List:
        if name != "ol":
            return document.List()
        names = self.page.attributes(row)
        if "reversed" not in names:
            return document.List(True, leading_integer(names.get("start"), 1))
        rows = np.flatnonzero(self.page.parent[row : self.page.end[row]] == row) + row
        count = int(np.count_nonzero(self.page.tag[rows] == _LI))
        return document.List(True, leading_integer(names.get("start"), count), -1)

    def _ordinal(self, row: int, around: document.List) -> int:
        """The number in front of an item, as the page counts: dropped items and all."""
        if not around.ordered:
            return 1
        if self.ranks is None:
            self.ranks = list_ranks(self.page)
        rank = self.ranks[row]
        value = self.page.attribute(row, "value")
        if value is not None:
            around.first = leading_integer(value, 1) - around.step * rank
        return around.first + around.step * rank

    def _link(self, row: int) -> None:
        in_note = bool(self.notes.note) and any(isinstance(holder, document.Note) for holder in self.containers)
        if row in self.notes.back and in_note:
            self.pending = max(self.pending, SPACE)
            self.skip(row)
        elif self.links and row not in self.plain:
            address = self.resolve(self.addresses.get(row))
            if address:
                self.mark(row, inline.Mark("link", row, address, collapse(self.titles.get(row) or "")))

    # ---- elements that are printed as a whole ----

    def _reference(self, row: int) -> None:
        marks, self.marks = self.marks, tuple(mark for mark in self.marks if mark.kind != "sup")
        self.whole(row, inline.NOTE, self.notes.reference[row])
        self.marks = marks
        self.skip(row)

    def _formula(self, row: int) -> None:
        formula = self.formulas[row]
        if formula.tex and formula.display and self.line is None:
            self._add_formula(formula, row, int(self.page.tag_start[row]))
        elif formula.tex:
            self.whole(row, inline.FORMULA, formula.tex)
        else:
            self.unprinted(row)
        self.skip(row)

    def _add_formula(self, formula: Formula, row: int, position: int) -> None:
        self.has_formulas = True
        if formula.display and self.line is None:
            self.flush()
            self.containers[-1].add(document.Math(formula.tex))
        else:
            self.run(row, position, inline.FORMULA, formula.tex)

    def _listing(self, row: int, listing: Listing) -> None:
        code, holder = listing
        if code and self.line is not None:
            self.whole(row, inline.CODE, collapse(code))
        elif code:
            self.flush()
            named = language(self.page, holder) or (language(self.page, row) if row != holder else "")
            self.containers[-1].add(document.Code(code, named))
            self.image = ""
        self.skip(row)

    def _media(self, row: int) -> None:
        if self.page.tag[row] == _HR:
            if self.line is None and not any(isinstance(holder, _WITHOUT_BREAKS) for holder in self.containers):
                self.flush()
                before = self.containers[-1].blocks[-1:]
                if before and not isinstance(before[0], document.ThematicBreak):
                    self.containers[-1].add(document.ThematicBreak())
        elif self.page.tag[row] == _IMG:
            image = picture(self.page, row, self.resolve)
            if image is not None and is_symbol(image.description):
                self.whole(row, inline.TEXT, image.description)
            elif image is not None and image.address != self.image:  # one for wide screens, one for narrow ones
                self.image = image.address
                marks, self.marks = self.marks, self.marks[: _after_link(self.marks)]  # nothing else marks an image
                self.whole(row, inline.IMAGE, image.address, image.description, image.title)
                self.marks = marks
        else:
            shown = video_or_audio(self.page, row, self.resolve)
            if shown is not None and self.links:
                marks = self.marks
                self.marks = (inline.Mark("link", row, shown.address),)
                self.whole(row, inline.TEXT, shown.description)
                self.marks = marks
            self.skip(row)


def _with_opening(blocks: list[document.Block], posts: Mapping[int, document.ThreadPost]) -> list[document.Block]:
    """Blocks in which what stands between the title and the first post is the opening post, if it is one; posts of
    which nothing is printed go."""
    if not posts:
        return blocks
    blocks = [block for block in blocks if not isinstance(block, document.ThreadPost) or block.blocks]
    if -1 not in posts:
        return blocks
    first = next((place for place, block in enumerate(blocks) if isinstance(block, document.ThreadPost)), len(blocks))
    begin = next(
        (place for place, block in enumerate(blocks[:first]) if not isinstance(block, document.Heading)), first
    )
    return [*blocks[:begin], replace(posts[-1], blocks=blocks[begin:first]), *blocks[first:]]


def _is_among(row: int, rows: Rows) -> bool:
    """Whether a row is one of some others (ascending)."""
    place = int(rows.searchsorted(row))
    return place < len(rows) and bool(rows[place] == row)


def _after_link(marks: tuple[inline.Mark, ...]) -> int:
    """How many marks there are up to the link, if there is one."""
    return next((place for place, mark in enumerate(marks, 1) if mark.kind == "link"), 0)


def _direction(page: Page) -> Literal["", "ltr", "rtl"]:
    """The direction of writing that the page declares for all of itself."""
    for row in np.flatnonzero(_ROOT[page.tag[:64]]).tolist():
        value = (page.attribute(row, "dir") or "").strip().lower()
        if value in ("rtl", "ltr"):
            return "rtl" if value == "rtl" else "ltr"
    return ""

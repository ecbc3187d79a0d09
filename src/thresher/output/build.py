"""Page and verdict -> the content as a small tree (document.py).

Elements that hold kept text or media, and mean something to a reader, are met in document order together with the
kept texts; dropped parts of the page are not visited.  Where one block ends and the next begins is known from the
columns, so `div`, `p` and their like need no visit either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import HEADINGS, NUMBER, group
from thresher.output import document, formulas, inline, notes, permalinks
from thresher.output.admonitions import find_admonitions
from thresher.output.captions import picture_captions
from thresher.output.collapse import BEGINS_WHITE, ENDS_WHITE, lines
from thresher.output.containers import JOINED, SPACE
from thresher.output.events import ALWAYS, NOTHING, WITH_TEXT, find_events, kinds_of_tags
from thresher.output.formulas import Formula
from thresher.output.grids import Grids, find_grids
from thresher.output.languages import language
from thresher.output.listings import Listing, listings
from thresher.output.markdown_escape import SPECIAL
from thresher.output.media import in_content, is_symbol, loadable, picture, shown_media, video_or_audio
from thresher.output.ordinals import leading_integer, list_ranks
from thresher.output.printed import printed_texts, requested
from thresher.output.quotes import is_quoted
from thresher.output.tables import data_tables
from thresher.output.tasks import is_task
from thresher.output.urls import resolver
from thresher.output.walk import SYNTAX, Walk
from thresher.page import Page, attributes
from thresher.page.types import Bools, Ints, Rows
from thresher.text.characters import collapse

__all__ = ["build"]


_MARK_NAMES = {
    "b": "strong", "strong": "strong", "i": "em", "em": "em", "dfn": "em", "var": "em", "del": "del",
    "s": "del", "strike": "del", "u": "ins", "ins": "ins", "mark": "mark", "sub": "sub", "sup": "sup", "kbd": "kbd",
    "q": "q", "rt": "rt",
}  # fmt: skip
_CONTAINER_NAMES = (
    *HEADINGS, "ul", "ol", "menu", "dir", "li", "dl", "dt", "dd", "table", "caption", "tr", "td", "th", "blockquote",
    "figure", "figcaption", "details", "summary",
)  # fmt: skip
_CODE_NAMES = ("code", "tt", "samp")
_PLAIN_MARKS = {kind: inline.Mark(kind) for kind in _MARK_NAMES.values()}
_MARKS = {NUMBER[name]: kind for name, kind in _MARK_NAMES.items()}
_CODE = frozenset(NUMBER[name] for name in _CODE_NAMES)
_VISITED_TAGS = (*_MARK_NAMES, *_CODE_NAMES, *_CONTAINER_NAMES, "a", "pre", "listing")
_KINDS = kinds_of_tags(_VISITED_TAGS)
_WITHOUT_BREAKS = (document.List, document.DefinitionList, document.Table)  # "- ---" is a rule, no item
_RULES = group(("hr",))
_MEDIA = group(("hr", "img", "video", "audio", "iframe", "embed", "object"))
_STYLED_NORMAL = {
    "strong": re.compile(rb"font-weight:\s*(?:normal|[1-4]00)\b", re.IGNORECASE),
    "em": re.compile(rb"font-style:\s*normal\b", re.IGNORECASE),
}
_ROOT = group(("html", "body"))
_A, _LI, _OL, _DT, _TH, _THEAD, _HR, _IMG, _INPUT = (
    NUMBER[name] for name in ("a", "li", "ol", "dt", "th", "thead", "hr", "img", "input")
)
_CAPTION_BOXES = frozenset((NUMBER["p"], NUMBER["div"]))
_SHORTEST_STYLED = len('<b style="">')
_TEX = 8  # of a line: a sign of TeX is in it
_SIGNS = bytes(SYNTAX * (chr(byte) in SPECIAL) + _TEX * (chr(byte) in "$\\") for byte in range(256))
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

    __slots__ = (
        "addresses", "admonitions", "captions", "column_spans", "formulas", "grids", "has_boxes", "has_formulas",
        "has_spans", "image", "is_media", "links", "listings", "media", "notes", "plain", "posts", "ranks", "resolve",
        "row_spans", "special", "tag", "tag_stop", "titles",
    )  # fmt: skip

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
        if formulas.find(page) or ((len(self.kept) or elements is not None) and np.count_nonzero(shown)):
            content = in_content(page, keep, elements)  # beside what no form prints, too
        self.media = loadable(page, shown & content & (_MEDIA if images else _RULES)[page.tag])
        self.formulas = formulas.content_formulas(page, self.keep, content)
        self.listings = listings(page, self.keep, self.kept)
        self.notes = notes.find(page, self.keep, links)
        self.tag = page.tag.data
        self.links = links
        self.posts = posts
        self.plain = permalinks.find(page).plain
        self.is_media = self.media.view(np.uint8).data
        self.tag_stop = page.tag_stop.data
        self.column_spans, self.row_spans = attributes.Lookup(page, "colspan"), attributes.Lookup(page, "rowspan")
        self.has_spans = attributes.is_used(page, "colspan") or attributes.is_used(page, "rowspan")
        self.resolve = resolver(page)
        self.captions = picture_captions(page)
        self.admonitions = find_admonitions(page)
        self.grids = find_grids(page)
        self.ranks: dict[int, int] | None = None
        self.has_formulas = bool(self.formulas)
        self.has_boxes = bool(self.admonitions) or self.grids is not None
        self.special = {*self.formulas, *posts, *self.notes.note, *self.listings, *self.notes.reference}
        self.image = ""  # the last image, if no text has been printed since

    def content(self) -> document.Document:
        """Walk the page."""
        line, notes = lines(self.page, self.kept, _SIGNS)
        gaps, texts, frames = self.gaps, self.texts, self.frames
        for event in self._events():
            if event >= 0:
                if event >= self.skip_row:
                    if frames and frames[-1].end <= event:
                        self.close_before(row=event)
                    self._open(event)
                continue
            place = ~event
            text = texts[place]
            if text >= self.skip_text:
                if frames and frames[-1].last <= text:
                    self.close_before(text=text)
                self.image = ""
                note = notes[place]
                if note & _TEX and self.code < 0 and formulas.may_hold_tex(line[place]):
                    self._text_with_tex(text, gaps[place])
                else:
                    self.text(text, line[place], gaps[place], note)
        self.close_before(row=len(self.page))
        self.flush()
        blocks = _with_opening(self.top.blocks, self.posts)
        while blocks and isinstance(blocks[-1], document.ThematicBreak):
            blocks.pop()
        return document.Document(blocks, self.footnotes, _direction(self.page), self.has_formulas)

    def _events(self) -> list[int]:
        """What to meet, in document order: rows as they are, kept texts as ~place."""
        page = self.page
        events = find_events(page, self.kept, self.is_media, self._wanted(), _KINDS)
        rows = events[events >= 0]
        self._read_addresses(rows[page.tag[rows] == _A])
        order: list[int] = events.tolist()
        return order

    def _wanted(self) -> NDArray[np.uint8]:
        """What is wanted of each element, for `find_events`; nothing on most pages."""
        always = [*self.formulas, *self.notes.note, *self.listings]
        with_text = [row for row in (*self.captions, *self.admonitions, *self.posts) if row >= 0]
        if not (always or with_text or self.grids):
            return NOTHING
        wanted = np.zeros(len(self.page), np.uint8)
        wanted[with_text] = WITH_TEXT
        if self.grids is not None:
            wanted[self.grids.tables] = wanted[self.grids.lines] = WITH_TEXT
            wanted[self.grids.cells] = ALWAYS
        wanted[always] = ALWAYS
        return wanted

    def _read_addresses(self, links: Ints) -> None:
        """Addresses and titles of the links to visit, as they stand in the markup."""
        self.addresses = attributes.values_of_rows(self.page, "href", links)
        self.titles = attributes.values_of_rows(self.page, "title", links)

    def _text_with_tex(self, text: int, gap: int) -> None:
        """A kept text; TeX in it that waits for a script is a formula."""
        raw = self.page.utf8[self.page.start[text] : self.page.stop[text]].decode()
        several = raw.count("$") > 1  # else nothing stands between dollars
        dollars = several and (formulas.uses_dollars(self.page) or formulas.is_formula_container(self.page, text))
        for piece in formulas.split_formulas(raw, dollars):
            if isinstance(piece, str):
                white = BEGINS_WHITE * piece[:1].isspace() + ENDS_WHITE * piece[-1:].isspace()
                self.text(text, collapse(piece), gap, white | SYNTAX)
            else:
                self.separate(max(gap, SPACE) if self.white else gap)
                self._add_formula(piece, int(self.page.owner[text]), int(self.page.position[text]))
            gap = JOINED

    def _open(self, row: int) -> None:
        if row in self.special and self._open_special(row):
            return
        tag = self.tag[row]
        if tag in _OPENERS:
            if self.line is not None:
                return
            if self.has_boxes:
                self._container(row, tag)
            else:
                _OPENERS[tag](self, row)
        elif tag in _MARKS:
            self._format(row, _MARKS[tag])
        elif tag == _A:
            self._link(row)
        elif tag in _CODE:
            self.open_marks(row)
            self.code = row if self.code < 0 else self.code
        elif self.is_media[row]:
            self._media(row)
        elif tag == _INPUT:
            item = self.containers[-1]
            if isinstance(item, document.ListItem) and not item.blocks and not self.runs and is_task(self.page, row):
                self.whole(row, inline.TASK, "x" if self.page.attribute(row, "checked") is not None else " ")
                self.separate(SPACE)
        elif self.line is None:
            self._container(row, tag)

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
        if kind in _STYLED_NORMAL and self.tag_stop[row] - self.tag_start[row] > _SHORTEST_STYLED:
            tag = self.page.markup[self.tag_start[row] : self.tag_stop[row]]
            if b"style=" in tag and _STYLED_NORMAL[kind].search(tag):
                return
        self.mark(row, inline.Mark(kind, row) if kind == "q" else _PLAIN_MARKS[kind])

    def _container(self, row: int, tag: int) -> None:
        if row in self.admonitions and not any(isinstance(holder, document.Cell) for holder in self.containers):
            self.open_block(row, document.Admonition([], self.admonitions[row]))
        elif self.grids is not None and self._grid(row, self.grids):
            pass
        elif tag in _OPENERS:
            _OPENERS[tag](self, row)
        elif tag in _CAPTION_BOXES and row in self.captions:
            self._caption(row)

    def _heading(self, row: int) -> None:
        self.open_line(row, document.Heading, _LEVELS[self.tag[row]])

    def _caption(self, row: int) -> None:
        self.open_line(row, document.Caption)

    def _summary(self, row: int) -> None:
        self.open_line(row, document.DetailsSummary)

    def _table(self, row: int) -> None:
        if data_tables(self.page)[row]:
            self.open_block(row, document.Table())

    def _table_caption(self, row: int) -> None:
        if isinstance(self.containers[-1], document.Table):
            self._caption(row)

    def _row(self, row: int) -> None:
        if isinstance(self.containers[-1], document.Table):
            self.open_block(row, document.Row(bool(self.page.tag[self.page.parent[row]] == _THEAD)))

    def _cell(self, row: int) -> None:
        if isinstance(self.containers[-1], document.Row):
            cell = document.Cell([], self.tag[row] == _TH)
            if self.has_spans:
                cell.columns = min(max(leading_integer(self.column_spans.get(row), 1), 1), _MAX_COLUMNS)
                cell.rows = min(max(leading_integer(self.row_spans.get(row), 1), 1), _MAX_ROWS)
            self.open_block(row, cell)

    def _item(self, row: int) -> None:
        around = self.containers[-1]
        if isinstance(around, document.List):
            self.open_block(row, document.ListItem([], self._ordinal(row, around)))

    def _definition_item(self, row: int) -> None:
        if isinstance(self.containers[-1], document.DefinitionList):
            self.open_block(row, document.DefinitionItem([], self.tag[row] == _DT))
            if self.tag[row] == _DT:
                self.open_line(row, document.Paragraph)

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

    def _list(self, row: int) -> None:
        self.open_block(row, self._ordered_list(row) if self.tag[row] == _OL else document.List())

    def _ordered_list(self, row: int) -> document.List:
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
        if row in self.notes.back and any(isinstance(holder, document.Note) for holder in self.containers):
            self.pending = max(self.pending, SPACE)
            self.skip(row)
        elif self.links and row not in self.plain:
            address = self.resolve(self.addresses.get(row))
            if address:
                title = collapse(self.titles[row]) if row in self.titles else ""
                self.mark(row, inline.make_mark(("link", row, address, title)))

    # ---- elements that are printed as a whole ----

    def _reference(self, row: int) -> None:
        marks, self.marks = self.marks, tuple(mark for mark in self.marks if mark.kind != "sup")
        self.whole(row, inline.NOTE, self.notes.reference[row])
        self.marks = marks
        self.skip(row)

    def _formula(self, row: int) -> None:
        formula = self.formulas[row]
        if formula.tex and formula.display and self.line is None:
            self._add_formula(formula, row, self.tag_start[row])
        elif formula.tex:
            self.whole(row, inline.FORMULA, formula.tex)
        else:
            self.unprinted(row)
        self.skip(row)

    def _add_formula(self, formula: Formula, row: int, position: int) -> None:
        self.has_formulas = True
        if formula.display and self.line is None:
            self.flush()
            self.add(document.Math(formula.tex))
        else:
            self.run(row, position, inline.FORMULA, formula.tex)

    def _listing(self, row: int, listing: Listing) -> None:
        code, holder = listing
        if code and self.line is not None:
            self.whole(row, inline.CODE, collapse(code))
        elif code:
            self.flush()
            named = language(self.page, holder) or (language(self.page, row) if row != holder else "")
            self.add(document.Code(code, named))
            self.image = ""
        self.skip(row)

    def _media(self, row: int) -> None:
        if self.tag[row] == _HR:
            if self.line is None and not any(isinstance(holder, _WITHOUT_BREAKS) for holder in self.containers):
                self.flush()
                before = self.containers[-1].blocks[-1:]
                if before and not isinstance(before[0], document.ThematicBreak):
                    self.add(document.ThematicBreak())
        elif self.tag[row] == _IMG:
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


_LEVELS = {NUMBER[name]: level for level, name in enumerate(HEADINGS, 1)}
_OPENERS: dict[int, Callable[[_Builder, int], None]] = {
    **dict.fromkeys(_LEVELS, _Builder._heading),
    **{NUMBER[name]: _Builder._list for name in ("ul", "ol", "menu", "dir")},
    **{NUMBER[name]: _Builder._cell for name in ("td", "th")},
    **{NUMBER[name]: _Builder._definition_item for name in ("dt", "dd")},
    NUMBER["li"]: _Builder._item,
    NUMBER["table"]: _Builder._table,
    NUMBER["caption"]: _Builder._table_caption,
    NUMBER["tr"]: _Builder._row,
    NUMBER["figcaption"]: _Builder._caption,
    NUMBER["summary"]: _Builder._summary,
    NUMBER["dl"]: lambda builder, row: builder.open_block(row, document.DefinitionList()),
    NUMBER["blockquote"]: lambda builder, row: builder.open_block(row, document.Quote()),
    NUMBER["figure"]: lambda builder, row: builder.open_block(row, document.Figure()),
    NUMBER["details"]: lambda builder, row: builder.open_block(row, document.Details()),
}


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
    if not attributes.is_used(page, "dir"):
        return ""
    for row in np.flatnonzero(_ROOT[page.tag[:64]]).tolist():
        value = (page.attribute(row, "dir") or "").strip().lower()
        if value in ("rtl", "ltr"):
            return "rtl" if value == "rtl" else "ltr"
    return ""

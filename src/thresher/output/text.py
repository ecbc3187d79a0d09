"""Page and verdict -> plain text.

Paragraphs are separated by blank lines.  List items stand on lines of their own, with blank lines between only where an
item has several blocks.  A row of a data table is one line, a tab between its cells.  A `br` is a line end.  Elsewhere
white space is collapsed as a browser does it; preformatted text keeps its lines and indentation.  A formula is TeX.

No element is visited: the columns say what stands between any two texts (gap_kernels), and one loop writes them with
signs for line ends between and collapses the white space of the whole (collapse.py).  What a survey of the kept part
does not tell of (printed.py) is not looked for.  A listing, a formula or the like is put in between the texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import NUMBER, group
from thresher.output import formulas, permalinks
from thresher.output.asides import asides
from thresher.output.code_lines import find_code_lines
from thresher.output.collapse import BLOCK_SIGN, NO_TEXT, PART_SIGN, place_sign, with_places, written
from thresher.output.containers import (
    BLOCK,
    NO_PARTS,
    NOT_SHOWN,
    SPACE,
    closing_tag_start,
    has_space_before,
    separators,
)
from thresher.output.formulas import Formula
from thresher.output.grids import find_grids, table_parts
from thresher.output.listings import listings
from thresher.output.media import in_content, media_mask, picture
from thresher.output.printed import NOTES, find_printed, requested
from thresher.output.quotes import is_quoted
from thresher.output.traits import ENCLOSED, FORMULA, LISTING, PRESENT, SPAN, TABLE
from thresher.output.urls import Resolver
from thresher.page import Page
from thresher.page.tree import nearest
from thresher.page.types import Bools
from thresher.text.invisible import without_invisible_runs
from thresher.visible.readable import readable

__all__ = ["to_text", "to_texts"]

_LINK, _READING, _QUOTE = (NUMBER[name] for name in ("a", "rt", "q"))
_IMAGE = group(("img",))


def to_text(
    page: Page,
    keep: Bools,
    *,
    links: bool = False,
    images: bool = False,
    tables: bool = True,
    captions: bool = True,
    elements: Bools | None = None,
) -> str:
    """The kept texts as a reader would copy them.

    `links` adds `<address>` after the text of each link, `images` a paragraph `[description] <address>` for each image;
    `tables=False` leaves tables of data out, `captions=False` the captions of pictures.  `elements` is as for
    `media_mask`.
    """
    keep = requested(page, keep, tables=tables, captions=captions)
    return _written(page, keep, links, images, elements)[0].decode()


def to_texts(page: Page, part: NDArray[np.integer[Any]]) -> dict[int, str]:
    """The texts of each part, given the number of the part of every text of the page, -1 for those of none: what
    `to_text` says of each, all written at once."""
    written, numbers = _written(page, part >= 0, part=part)
    texts: dict[int, str] = {}
    for number, text in zip(numbers, written.split(PART_SIGN), strict=False):
        texts[number] = "\n\n".join(filter(None, (texts.get(number, ""), text.decode().strip())))
    return texts


def _written(
    page: Page,
    keep: Bools,
    links: bool = False,
    images: bool = False,
    elements: Bools | None = None,
    part: NDArray[np.integer[Any]] | None = None,
) -> tuple[bytes, list[int]]:
    """The text as UTF-8, a sign where another part begins, and the numbers of the parts in this order."""
    shown, found = find_printed(page, keep)
    formulas_in: dict[int, Formula] = {}
    if found & FORMULA << PRESENT and shown.any():
        formulas_in = formulas.content_formulas(page, shown, in_content(page, keep, elements))
        shown = _with_formulas(page, shown, formulas_in)
        found |= found >> PRESENT & (1 << PRESENT) - 1  # these may stand anywhere
    is_table = found & TABLE or find_grids(page) is not None
    gap, size = separators(page, shown, table_parts(page) if is_table else NO_PARTS)
    if not size:
        return b"", []
    has_listings = found & (LISTING | SPAN | TABLE) or find_code_lines(page)
    if not (has_listings or found & (ENCLOSED | NOTES) or formulas_in or links or images or part is not None):
        return written(page, gap, size), []
    insert = _Insertions(page, shown, gap)
    if has_listings:
        insert.listings()
    if found & ENCLOSED:
        insert.enclose((page.tag == _READING).nonzero()[0].tolist(), "(", ")")
        rows = (page.tag == _QUOTE).nonzero()[0].tolist()
        insert.enclose([row for row in rows if not is_quoted(page, row)], "“", "”")
    if found & NOTES:
        insert.enclose([content for _, content in asides(page)], " (", ")")
    insert.formulas(formulas_in)
    if links:
        insert.addresses()
    if images:
        insert.images(media_mask(page, keep, elements) & _IMAGE[page.tag])
    numbers = insert.parts(part) if part is not None else []
    text = written(page, gap, size, insert.added)
    return with_places(text, insert.taken) if insert.taken else text, numbers


class _Insertions:
    """What is put in between the texts, and in place of some."""

    __slots__ = ("_kept", "_marks", "added", "gap", "page", "shown", "taken")

    def __init__(self, page: Page, shown: Bools, gap: NDArray[np.int8]) -> None:
        self.page, self.shown, self.gap = page, shown, gap
        self.added: dict[int, bytes] = {}  # as `written` takes it
        self.taken: list[str] = []  # the listings, to be put in where their signs stand
        self._marks = shown.tobytes()

    def _ends(self, row: int) -> tuple[int, int]:
        """The first and the last shown text of an element; -1 if there are none."""
        first, last = int(self.page.first[row]), int(self.page.last[row])
        return self._marks.find(1, first, last), self._marks.rfind(1, first, last)

    def _replace(self, first: int, last: int, piece: bytes) -> None:
        """Put a piece in place of the texts from one to another."""
        self.gap[first] |= NO_TEXT
        self.gap[first + 1 : last + 1] = NOT_SHOWN
        self.added[3 * first + 1] = piece

    def listings(self) -> None:
        """Where the first text of a listing stands, its number is left, and nothing where others do."""
        page = self.page
        for row, (code, _) in listings(page, self.shown, self.shown.nonzero()[0]).items():
            self._replace(*self._ends(row), place_sign(len(self.taken)) if code else b"")
            if code:
                self.taken.append(without_invisible_runs(code))

    def enclose(self, rows: Iterable[int], opening: str, closing: str) -> None:
        """Put signs around what stands in some elements: readings over words (`rt`), quotations (`q`), notes in
        lines."""
        for row in rows:
            first, last = self._ends(row)
            if first >= 0:
                self.added[3 * first + 1] = opening.encode() + self.added.get(3 * first + 1, b"")
                self.added[3 * last + 2] = self.added.get(3 * last + 2, b"") + closing.encode()

    def formulas(self, formulas_in: dict[int, Formula]) -> None:
        """Of a formula that the page gives as TeX and draws as well, only the TeX is printed; so is MathML that would
        lose its meaning, a half that becomes 12.  White space around it counts, and none in it."""
        page, gap = self.page, self.gap
        for row, formula in formulas_in.items():
            first, last = self._ends(row)
            if first < 0 or (formula.flat and readable(page)[first]):
                continue
            for place in range(3 * first, 3 * last + 3):
                self.added.pop(place, None)
            self._replace(first, last, formula.tex.encode())
            before, after = self._marks.rfind(1, 0, first), self._marks.find(1, last + 1)
            if before >= 0 and gap[first] & ~NO_TEXT == SPACE:
                white = has_space_before(page, int(page.tag_start[row]), int(page.position[before]))
                gap[first] -= 0 if white else SPACE
            if after >= 0 and gap[after] & ~NO_TEXT == SPACE:
                white = page.utf8[page.start[after] : page.start[after] + 1].isspace()
                white = white or has_space_before(page, int(page.position[after]), closing_tag_start(page, row))
                gap[after] -= 0 if white else SPACE

    def addresses(self) -> None:
        """Write the address of each link after the last of its kept texts."""
        page = self.page
        resolve = Resolver(page)
        plain = permalinks.find(page).plain
        kept = self.shown.nonzero()[0]
        link = nearest(page, page.tag == _LINK)[page.owner[kept]]
        last = np.flatnonzero((link >= 0) & (np.append(link[1:], -1) != link))
        for row, text in zip(link[last].tolist(), kept[last].tolist(), strict=True):
            address = "" if row in plain else resolve(page.attribute(row, "href"))
            if address:
                self.added[3 * text + 2] = self.added.get(3 * text + 2, b"") + f" <{address}>".encode()

    def images(self, wanted: Bools) -> None:
        """Write each image of the content as a paragraph, before the kept text that follows it."""
        page, gap = self.page, self.gap
        resolve = Resolver(page)
        rows = wanted.nonzero()[0]
        kept = self.shown.nonzero()[0]
        place = page.position[kept].searchsorted(page.tag_start[rows])
        for row, text in zip(rows.tolist(), np.append(kept, len(gap))[place].tolist(), strict=True):
            image = picture(page, row, resolve)
            if image is not None:
                paragraph = BLOCK_SIGN + f"[{image.description}] <{image.address}>".encode()
                self.added[3 * text] = self.added.get(3 * text, b"") + paragraph
                if text < len(gap):
                    gap[text] = BLOCK | (NO_TEXT if gap[text] < 0 else gap[text] & NO_TEXT)

    def parts(self, part: NDArray[np.integer[Any]]) -> list[int]:
        """Put a sign before each text with which another part begins; the numbers of these parts.  A text of no part, a
        formula behind a picture, goes with the one before it."""
        numbers: list[int] = []
        kept = self.shown.nonzero()[0]
        for text, number in zip(kept.tolist(), part[kept].tolist(), strict=True):
            if not numbers:
                numbers.append(number)
            elif number not in (-1, numbers[-1]):
                numbers.append(number)
                self.added[3 * text] = BLOCK_SIGN + PART_SIGN + BLOCK_SIGN
        return numbers


def _with_formulas(page: Page, shown: Bools, formulas_in: dict[int, Formula]) -> Bools:
    """Of a formula that no text of is read, the first is taken, to keep its place: Wikipedia hides the MathML of each
    behind a picture."""
    shown = shown.copy()
    for row in formulas_in:
        first, last = int(page.first[row]), int(page.last[row])
        if first < last and not shown[first:last].any():
            shown[first] = True
    return shown

"""The style sheets of a page: those of its style elements, and those written out in an address."""

from __future__ import annotations

import binascii
import re
from urllib.parse import unquote_to_bytes

from thresher.css.conditionals import without_conditionals
from thresher.data.tags import NUMBER
from thresher.page import Page, attributes, memoised
from thresher.page.types import Rows
from thresher.text.patterns import compile_later

__all__ = ["Source", "sources", "uses_other_sheets", "written", "written_at_length"]

_MAX_SHEET_CHARACTERS = 2_000_000  # of style sheets read per page; the rest is left unread


Source = tuple[
    str | bytes, bool
]  # a sheet as a page has it, in bytes if it is written out in an address; in a shadow root


def sources(page: Page) -> tuple[tuple[Source, ...], list[int], bool]:
    """The page's own sheets, up to a limit: those of style elements, then those written out in an address; the shadow
    root that each stands in, or -1; and whether there is more than is read."""
    elements = [island for island in page.islands if island.tag == "style"]
    size = sum([len(island.text) for island in elements])
    elements = [island for island in elements if island.type in _TYPES]
    sheets: list[Source] = [(island.text, island.shadow >= 0) for island in elements]
    if size > _MAX_SHEET_CHARACTERS:
        sheets = _cut(sheets)
    scopes = [island.shadow for island in elements[: len(sheets)]]
    linked = _linked_sheets(page)
    if linked:
        sheets += [(sheet, False) for sheet in linked]
        scopes += [-1] * len(linked)
    return tuple(sheets), scopes, size > _MAX_SHEET_CHARACTERS


def _cut(sheets: list[Source]) -> list[Source]:
    """The first sheets, as much of them as is read."""
    left, cut = _MAX_SHEET_CHARACTERS, []
    for text, in_shadow in sheets:
        if left > 0:
            cut.append((text[:left], in_shadow))
            left -= len(text)
    return cut


def written(source: Source) -> bytes:
    """A sheet as it is to be read."""
    given, in_shadow = source
    if isinstance(given, bytes):
        return given
    text = given.encode(errors="replace")
    if b"|" in text:  # which few sheets have, and one byte is soon looked for
        text = text.replace(_ANY_NAMESPACE, b"")
    if in_shadow:
        text = text.replace(b"::slotted(", b":slotted(")
    if b"<" in text and b"<!--" in text:  # old pages hide their rules in a comment from browsers that are older still
        text = text.replace(b"<!--", b"    ").replace(b"-->", b"   ")
    return text


def written_at_length(source: Source) -> list[bytes]:
    """A sheet that has scopes, imports or conditions, without them, behind the sheets that it imports."""
    given, text = source[0], written(source)
    if isinstance(given, bytes):
        return [text]
    if b"@scope" in text:
        text = text.replace(b":scope", b"&")  # as in a rule around
    sheets = _imported_sheets(given) if b"@import" in text else []
    return [*sheets, without_conditionals(text)]


@memoised
def uses_other_sheets(page: Page) -> bool:
    """Whether the page loads style sheets that we do not see."""
    if _links_plainly(page):
        return True
    if b"stylesheet" in page.markup and (_DATA_PREFIX not in page.markup or _links_elsewhere(page)):
        return True
    sheets = (island.text for island in page.islands if island.tag == "style" and "@import" in island.text)
    return any(_IMPORT.match(_DATA_IMPORT.sub("", text)) is not None for text in sheets)


def _links_plainly(page: Page) -> bool:
    """Whether the first link to a style sheet is one to another file: so it is on most pages."""
    at = page.markup.find(b' rel="stylesheet"')
    if at < 0:
        return False
    row = int(page.tag_start.searchsorted(at)) - 1
    start, stop = int(page.tag_start[row]), int(page.tag_stop[row])
    return row >= 0 and at < stop and page.markup.find(_DATA_PREFIX, start, stop) < 0


def _links_elsewhere(page: Page) -> bool:
    """Whether a link to a style sheet is more than a sheet that is written out in the address."""
    addresses = attributes.values(page, "href")
    linked = [row for row, relation in attributes.values(page, "rel").items() if "stylesheet" in relation.lower()]
    return any(_DATA_SHEET.match(addresses.get(row, "")) is None for row in linked)


def _linked_sheets(page: Page) -> list[bytes]:
    """`<link rel=stylesheet href="data:text/css,…">`"""
    links = (page.tag == NUMBER["link"]).nonzero()[0]
    if not len(links) or not _are_any_written_out(page, links):
        return []
    relations = attributes.values(page, "rel")
    sheets = []
    for row, address in list(attributes.values(page, "href").items()):
        relation = relations.get(row, "").lower().split()
        if page.tag[row] == NUMBER["link"] and "stylesheet" in relation and "alternate" not in relation:
            sheets += _written_out(address)
    return sheets


def _are_any_written_out(page: Page, links: Rows) -> bool:
    """Whether the tag of a link may hold a sheet."""
    find, start, stop = page.markup.find, page.tag_start, page.tag_stop
    first, last = int(start[links[0]]), int(stop[links[-1]])
    if last - first < _MAX_HEAD_BYTES:
        return find(_DATA_PREFIX, first, last) >= 0
    tags = zip(start[links].tolist(), stop[links].tolist(), strict=True)
    return any(find(_DATA_PREFIX, first, last) >= 0 for first, last in tags)


def _written_out(address: str) -> list[bytes]:
    """The sheet that an address is, if it is one."""
    match = _DATA_SHEET.match(address)
    if match is None:
        return []
    text = unquote_to_bytes(address[match.end() : match.end() + _MAX_SHEET_CHARACTERS])
    if ";base64" in match[0].lower():
        try:
            text = binascii.a2b_base64(text)
        except binascii.Error:
            return []
    return [text.replace(_ANY_NAMESPACE, b"")]


def _imported_sheets(text: str) -> list[bytes]:
    """`@import url("data:text/css,…") screen;` before all rules of a sheet, unless for print."""
    matches = list(_DATA_IMPORT.finditer(text))[:_MAX_IMPORTS]
    return [
        sheet
        for match in matches
        if "print" not in match[3].lower()
        for sheet in _written_out(match[1] or match[2] or "")
    ]


_ANY_NAMESPACE = b"*|"  # before the name of an element in a selector: `*|p`
_TYPES = frozenset(("", "text/css"))
_MAX_IMPORTS = 50
_MAX_HEAD_BYTES = 20_000  # from the first to the last link that are looked through at once
_DATA_PREFIX = b"data:text/css"
_DATA_IMPORT = compile_later(
    r"""@import\s+(?:url\(\s*)?(?:["'](data:text/css[^"']*)["']|(data:text/css[^\s)"';]*))\s*\)?([^;"']{0,200});""",
    re.IGNORECASE,
)
_IMPORT = compile_later(r"[^{]*?@import")  # which stands before all rules
_DATA_SHEET = compile_later(r"\s*data:text/css[^,]*,", re.IGNORECASE)

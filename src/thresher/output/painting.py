"""A page as it may be shown: inert, with a mark around every text that has one.

    page, marks  ->  HTML for a frame without scripts, without an origin, and without the network

Nothing of the page runs or loads in the frame (`answers.FRAME_POLICY` sees to that, and the frame is sandboxed), so
the marks are put into the page here: each text of a block with a mark is wrapped in an element of our own, with a
class, an id to jump to, and a tooltip.  The page's markup is canonical (see `page.py`): `<` and `>` stand in tags only.
The tooltip is also a panel beside the block, for whoever clicks or touches it or comes to it with the tab key.  Style
alone opens it, for what has the focus.

As a second line of defence the markup itself is made inert: attributes are kept from a list of those that only
change how things look, and elements that load, frame or send anything go, while what stands in them stays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from urllib.parse import urljoin

from thresher.page import Page, unescape

__all__ = ["BlockMark", "Painted", "paint"]

_PIECE = re.compile(rb"<!--.*?-->|<([^>]*)>|[^<]+", re.DOTALL)
_ATTRIBUTE = re.compile(rb' (=?[^= ]*)="([^"]*)"')
_DROPPED_TAGS = frozenset(
    b"base link meta iframe frame frameset object embed applet param portal script template source track fencedframe "
    b"style animate animatetransform animatemotion set handler listener noframes noembed fedcm".split()
)
_RENAMED = {
    b"form": b"div",
    b"xmp": b"pre",
    b"plaintext": b"pre",
    b"listing": b"pre",
    b"video": b"span",
    b"audio": b"span",
}
_UNMARKED = frozenset("title textarea option script style select".split())  # text here cannot hold elements
_CODE = frozenset({b"style", b"script"})  # in drawings they stand among the elements; their tags go, and so does this
_KEPT_ATTRIBUTES = frozenset(
    b"class style dir lang align valign width height bgcolor color face size border cellpadding cellspacing colspan "
    b"rowspan span nowrap start reversed type value placeholder alt hidden open checked selected disabled rows cols "
    b"role aria-hidden popover viewBox preserveAspectRatio d fill fill-rule clip-rule fill-opacity stroke "
    b"stroke-width stroke-linecap stroke-linejoin stroke-opacity cx cy r rx ry x y x1 x2 y1 y2 dx dy points transform "
    b"opacity text-anchor font-size font-family font-weight".split()
)
_START = b'<thr-a id="thr-start"></thr-a>'  # before what is kept: where the frame is scrolled to
_PREFIX = "thr-"  # of our ids and classes
_SHEET = """
html, body { visibility: visible !important; opacity: 1 !important; overflow: visible !important }
body { display: block !important }
html { font: 16px/1.5 system-ui, sans-serif }
a { color: #2456a6; text-decoration: underline }
:where(svg:not([width])) { width: 1.5em; height: 1.5em }
img:not([src]) { background: #8883; outline: 1px dashed #8888; min-width: 1em; min-height: 1em }
"""
_MARKS = """
thr-a { scroll-margin: 8vh }
thr-t { border-radius: 2px; scroll-margin: 30vh }
thr-t[tabindex] { cursor: pointer; pointer-events: auto !important }
thr-t.thr-kept { background: #ffc83d59 !important; box-shadow: 0 0 0 2px #ffc83d59 !important }
thr-t.thr-dropped { opacity: .35 }
thr-t:hover { outline: 2px solid #b4530999; outline-offset: 2px; opacity: 1 }
thr-t:target, thr-t:focus { outline: 3px solid #b45309 !important; outline-offset: 3px; opacity: 1 }
/* What is around an open panel must not hold it: it stands in the frame, over everything. */
:has(thr-t:focus) { transform: none !important; filter: none !important; backdrop-filter: none !important;
  perspective: none !important; contain: none !important; container-type: normal !important; opacity: 1 !important;
  will-change: auto !important; clip-path: none !important; mask: none !important; z-index: 2147483647 !important }
thr-t:focus::after { all: initial !important; content: attr(title) !important; display: block !important;
  position: fixed !important; inset: auto 0 0 !important; z-index: 2147483647 !important; max-height: 50vh !important;
  overflow: auto !important; padding: 12px 16px !important; border-top: 3px solid #b45309 !important;
  background: #fffdf7 !important; color: #211f1b !important; font: 15px/1.5 system-ui, sans-serif !important;
  white-space: pre-line !important; overflow-wrap: anywhere !important; box-shadow: 0 0 24px #0005 !important }
/* Under the block, or above it, where a browser can: the end of the frame may be out of sight. */
@supports (anchor-name: --thr-block) {
  thr-t:focus { anchor-name: --thr-block !important }
  thr-t:focus::after { position-anchor: --thr-block !important; inset: auto 8px !important;
    top: anchor(bottom) !important; margin: 6px 0 !important;
    position-try-fallbacks: flip-block !important; border: 1px solid #b45309 !important;
    border-radius: 8px !important }
}
@supports not (anchor-name: --thr-block) {
  body:has(thr-t:focus) { padding-bottom: 50vh !important } /* the end of the page can be scrolled out from under it */
}
"""


@dataclass(frozen=True, slots=True)
class BlockMark:
    """What is shown of a block: a class (without our prefix) and a note, in a tooltip and, if it opens, a panel.

    One that opens takes the focus when a link jumps to it.
    """

    kind: str
    note: str = ""
    opens: bool = False


@dataclass(frozen=True, slots=True)
class Painted:
    """HTML for the frame, and the addresses of the pictures and sheets that it asks our server for, by name."""

    html: str = field(repr=False)
    resources: dict[str, str] = field(default_factory=dict)


def paint(
    page: Page,
    marks: Mapping[int, BlockMark],
    *,
    asset: str | None = None,
    rows: bool = False,
    head: str = "",
) -> Painted:
    """The page with marks on its blocks, by block number.

    asset  where our server hands out pictures and sheets, a path that their names are put after; None shows none
    rows   give every element its row in the page, as `data-row`
    head   further markup for the head: ours, not the page's
    """
    painter = _Painter(page, marks, asset, rows)
    body = b"".join(map(painter.piece, _PIECE.finditer(page.markup))).decode()
    sheets = "".join(
        f"<style>{_harmless(sheet.text)}</style>" for sheet in page.islands if _is_sheet(sheet.tag, sheet.type)
    )
    start = re.match(r"<!DOCTYPE[^>]*>", body, re.IGNORECASE)
    doctype = start[0] if start else ""
    linked = "".join(f'<link rel="stylesheet" href="{escape(path)}">' for path in painter.sheets)
    ours = (
        f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>{_SHEET}</style>'
        f"{linked}{sheets}<style>{_MARKS}</style>{head}"
    )
    return Painted(doctype + ours + body[len(doctype) :], painter.resources)


class _Painter:
    def __init__(self, page: Page, marks: Mapping[int, BlockMark], asset: str | None, rows: bool) -> None:
        self.page, self.asset, self.sheets = page, asset, list[str]()
        self.resources: dict[str, str] = {}
        self._attributes_of: dict[bytes, bytes] = {}
        self._rows = dict(zip(page.tag_start.tolist(), range(len(page)), strict=True)) if rows else {}
        opening = {number: _opening(number, mark) for number, mark in marks.items()}
        self._marks: dict[int, tuple[bytes, bytes]] = {}
        named: set[int] = set()
        start = next((number for number in page.block.tolist() if number in marks and marks[number].kind == "kept"), -1)
        for position, number, owner in zip(
            page.position.tolist(), page.block.tolist(), page.owner.tolist(), strict=True
        ):
            if number in opening and page.name(owner) not in _UNMARKED:
                first = number == start and number not in named
                self._marks[position] = _START * first + opening[number][number in named], b"</thr-t>"
                named.add(number)
        self._inside = b""

    def piece(self, match: re.Match[bytes]) -> bytes:
        tag = match[1]
        if tag is None:
            if self._inside in _CODE or match[0].startswith(b"<!--"):
                return b""
            mark = self._marks.get(match.start())
            return match[0] if mark is None else mark[0] + match[0] + mark[1]
        if tag[:1] in b"!?":
            return match[0] if tag[:8].lower() == b"!doctype" else b""
        closing = tag[:1] == b"/"
        name, _, rest = tag.removeprefix(b"/").partition(b" ")
        self._inside = b"" if closing else name.lower()
        if name.lower() in _DROPPED_TAGS:
            if self.asset and name == b"link" and not closing:
                self._link(rest)
            return b""
        name = _RENAMED.get(name.lower(), name)
        if closing:
            return b"</" + name + b">"
        row = self._rows.get(match.start())
        numbered = b' data-row="%d"' % row if row is not None else b""
        return b"<" + name + self._attributes(rest) + self._picture(name, rest) + numbered + b">"

    def _attributes(self, rest: bytes) -> bytes:
        """The harmless ones; equal tags are read once."""
        if not rest:
            return b""
        if rest not in self._attributes_of:
            pairs = _ATTRIBUTE.findall(b" " + rest)
            self._attributes_of[rest] = b"".join(b' %s="%s"' % pair for pair in pairs if _is_harmless(*pair))
        return self._attributes_of[rest]

    def _picture(self, name: bytes, rest: bytes) -> bytes:
        if self.asset is None or name != b"img":
            return b""
        attributes = dict(_ATTRIBUTE.findall(b" " + rest))
        # A picture that a script would load later has a placeholder in `src`.
        for attribute in (b"data-src", b"data-lazy-src", b"data-original", b"src"):
            path = self._path(attributes.get(attribute, b""))
            if path:
                return b' src="%s"' % escape(path).encode()
        return b""

    def _link(self, rest: bytes) -> None:
        attributes = dict(_ATTRIBUTE.findall(b" " + rest))
        if b"stylesheet" in attributes.get(b"rel", b"").lower().split() and b"print" not in attributes.get(
            b"media", b""
        ):
            path = self._path(attributes.get(b"href", b""))
            self.sheets += [path] if path else []

    def _path(self, value: bytes) -> str:
        """Where our own server hands out what an attribute points to; nothing for what is not on the web."""
        try:
            url = urljoin(self.page.url or "", unescape(value.decode()).strip())
        except ValueError:
            return ""
        if not value or not url.startswith(("http://", "https://")):
            return ""
        name = sha256(url.encode("utf-8", "replace")).hexdigest()[:24]
        self.resources[name] = url
        return f"{self.asset}{name}"


def _opening(number: int, mark: BlockMark) -> tuple[bytes, bytes]:
    """The tag before the first text of a block, which links can jump to, and before its others."""
    rest = f' class="{_PREFIX}{mark.kind}" data-block="{number}" title="{escape(mark.note)}"'
    # A block has one stop of the tab key, and all of it can be clicked.
    first, others = (' tabindex="0"', ' tabindex="-1"') if mark.opens else ("", "")
    return f'<thr-t id="{_PREFIX}{number}"{rest}{first}>'.encode(), f"<thr-t{rest}{others}>".encode()


def _is_harmless(name: bytes, value: bytes) -> bool:
    if name == b"id":
        return not value.startswith(_PREFIX.encode())
    return name in _KEPT_ATTRIBUTES


def _is_sheet(tag: str, kind: str) -> bool:
    return tag == "style" and kind.strip() in ("", "text/css")


def _harmless(sheet: str) -> str:
    """A sheet that cannot end its element."""
    return sheet.replace("</", "<\\/").replace("<!--", "")

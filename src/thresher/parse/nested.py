"""Markup inside of markup: what a `noscript` leaves open, and documents in the `srcdoc` of frames.

To a browser with scripts the inside of a `noscript` is plain characters up to the next `</noscript`; to a parser
without scripts it is markup.  A comment, a style sheet or a quoted value that is opened there and not closed would take
the rest of the page with it (mXSS attempts are written like that; so are some frames of trackers), so it is cut off at
the end tag, as in the browser.

A frame with `srcdoc` holds a whole document in an attribute.  Where the page around it says next to nothing, the
document is put in the frame's place before the page is parsed again; nothing in it runs.
"""

from __future__ import annotations

import re

from thresher.data.tags import UNREAD, group
from thresher.page import Page
from thresher.page.tree import texts_within
from thresher.parse.budget.source_tags import RAW_TEXT
from thresher.parse.survey import Survey, noscripts, survey
from thresher.text.patterns import compile_later

__all__ = ["MAX_FRAMES_DEEP", "close_noscripts", "has_little_text", "open_frames"]

MAX_FRAMES_DEEP = 3  # frames in frames
_MAX_FRAMES = 20  # of one document
_MAX_OUTER_BYTES = 300  # of text around frames that are read
_MAX_SOURCE_BYTES = 4_000_000  # of a page with frames that is parsed again
_UNREAD = group(UNREAD)

_RAW_NAMES = b"|".join(sorted(RAW_TEXT, reverse=True))
_ATTRIBUTES = rb"(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|(?![\"'])))*+>"
# A comment, a declaration, an element with raw text, a tag: each whole; or the start of one that has no end.
_TOKEN = compile_later(
    rb"<!--(?:-?>|.*?--!?>)|<[!?](?!--)[^>]*+>"
    rb"|<(?P<raw>" + _RAW_NAMES + rb")(?=[\s/>])(?P<attributes>" + _ATTRIBUTES + rb").*?</(?P=raw)(?=[\s/>])[^>]*+>"
    rb"|</?(?!(?:"
    + _RAW_NAMES
    + rb")[\s/>])(?P<name>[a-z][^\s/>]*+)"
    + _ATTRIBUTES
    + rb"|</(?:"
    + _RAW_NAMES
    + rb")[^>]*+>"
    rb"|(?P<open><(?:!--|[a-z]))",
    re.IGNORECASE | re.DOTALL,
)
_NOSCRIPT_END = compile_later(rb"</noscript(?=[\s/>])", re.IGNORECASE)
_SRCDOC = compile_later(rb"\ssrcdoc\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))", re.IGNORECASE)
_UNSEEN_SIZE = compile_later(rb"\s(?:width|height)\s*=\s*[\"']?0*[01](?:px)?[\"'\s>]", re.IGNORECASE)


def close_noscripts(source: bytes, seen: Survey | None = None) -> bytes:
    """The source in which no `noscript` takes what stands behind it."""
    if all(_unfinished(source, start, stop) < 0 for start, stop in _roughly(survey(source, seen))):
        return source
    pieces = []
    here = copied = 0
    while (token := _TOKEN.search(source, here)) and not token["open"]:
        here = token.end()
        if (token["name"] or b"").lower() != b"noscript" or source.startswith(b"</", token.start()):
            continue
        end = _NOSCRIPT_END.search(source, here)
        if end is None:
            break
        cut = _unfinished(source, here, end.start())
        here = end.start()
        if cut >= 0:
            pieces.append(source[copied:cut])
            copied = here
    return b"".join((*pieces, source[copied:]))


def _roughly(seen: Survey) -> list[tuple[int, int]]:
    """The insides of what looks like a `noscript`; some may stand in scripts and comments."""
    source, spans = seen.source, []
    here = 0
    for start in noscripts(seen) if seen.noscripts else ():
        if start < here:
            continue
        inside = source.find(b">", start) + 1
        end = _NOSCRIPT_END.search(source, inside) if inside else None
        if end is None:
            break
        here = end.end()
        spans.append((inside, end.start()))
    return spans


def _unfinished(source: bytes, start: int, stop: int) -> int:
    """Where something begins in a span that does not end in it; -1 where everything does."""
    while token := _TOKEN.search(source, start, stop):
        if token["open"]:
            return token.start()
        start = token.end()
    return -1


def has_little_text(page: Page) -> bool:
    """Whether a page of moderate size says next to nothing outside of its frames, and no style of its own is about
    frames: what may hide them would not be known of what is put in their place."""
    styled = any("iframe" in island.text.lower() for island in page.islands if island.tag == "style")
    if styled or len(page.markup) > _MAX_SOURCE_BYTES:
        return False
    if len(page.start) == 0:
        return True
    size = page.stop - page.start
    return int(size[~texts_within(page, _UNREAD[page.tag])].sum()) < _MAX_OUTER_BYTES


def open_frames(source: bytes) -> bytes:
    """The source with the documents of its frames in place of them; the same source if it has none.

    A frame of one pixel or none is left closed.  The other attributes stay, for they tell what is hidden.
    """
    from html import unescape  # with a table of all names

    pieces: list[bytes] = []
    here = copied = 0
    while (token := _TOKEN.search(source, here)) and not token["open"] and len(pieces) < 2 * _MAX_FRAMES:
        here = token.end()
        if (token["raw"] or b"").lower() != b"iframe":
            continue
        attributes = token["attributes"]
        document = _SRCDOC.search(attributes)
        if document is None or _UNSEEN_SIZE.search(attributes):
            continue
        value = next(group for group in document.groups() if group is not None).decode("utf-8", "replace")
        kept = attributes[: document.start()] + attributes[document.end() :]
        inside = close_noscripts(unescape(value).encode("utf-8", "replace"))
        pieces += [source[copied : token.start()], b"<div" + kept.rstrip(b"/>") + b">" + inside + b"</div>"]
        copied = here
    return b"".join((*pieces, source[copied:])) if pieces else source

"""HTML -> Page, without visiting the nodes one by one.

    bytes --decode--> UTF-8 --limits--> lexbor's tree --write--> markup --scan--> columns

lexbor builds the HTML5 tree in C and writes it out once.  In that canonical form `<` and `>` stand in tags
only: text and attribute values come out escaped, and a `<` in a malformed name stands before its tag's own
`>`.  So the tree can be read back with arithmetic on a byte array (scan.py), for less than the parse costs.

What would break that property is taken out before: scripts and styles leave the tree (the data in them is
kept as islands), comments and the other raw-text elements leave the written form.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from thresher.data.tags import NUMBER, RAW
from thresher.kernels import warn_if_slow
from thresher.page import Island, Page, Problem
from thresher.page.attributes import rows_with
from thresher.page.columns import has
from thresher.parse.double_escapes import without_double_escapes
from thresher.parse.encoding.declared import WIDE, encoding_named
from thresher.parse.encoding.mojibake import repaired
from thresher.parse.guards import guard
from thresher.parse.islands import take_islands
from thresher.parse.kernels import holds_raw_text
from thresher.parse.kind import PLAIN_TEXT, not_html
from thresher.parse.limits import LIMITS, Limits, fit
from thresher.parse.markup_tags import TRAITS_OF_TAGS, MarkupTags, markup_tags
from thresher.parse.nested import MAX_FRAMES_DEEP, close_noscripts, has_little_text, open_frames
from thresher.parse.plaintext import as_html, is_text
from thresher.parse.removed import removed_code
from thresher.parse.scan import scan
from thresher.parse.shadow import SHADOW_ATTRIBUTE, flatten_shadows
from thresher.parse.shortcodes import without_shortcodes
from thresher.parse.survey import Survey, survey
from thresher.parse.written import NO_ROOM, written
from thresher.text.log import logger
from thresher.text.patterns import compile_later

__all__ = ["parse"]

_LOG = logger("thresher.parse")
warn_if_slow()

_LARGE = 1 << 18  # bytes of source: what stands in the heap behind its tree keeps megabytes of it from the system
# Without events: they cost a tenth of the parse and serve to copy an option's text into `selectedcontent`.
_OPTIONS = LexborDocumentOptions.WO_EVENTS.value

# Whatever the written form does not escape inside: comments and raw-text elements.
_UNESCAPED = compile_later(rb"<(?:!--|(" + "|".join(sorted(RAW)).encode() + rb")[ >])")
_SHOWN = b"xmp"  # raw text a reader sees: it stays, escaped as all other text is
# In svg and math these names are ordinary elements to the parser but raw text to the writer, so their
# inside could forge markup.  No browser shows it: they go.
_FORGERS = ", ".join(f"{outer} {inner}" for outer in ("svg", "math") for inner in sorted(RAW))
_ADDRESS = compile_later(rb"\s*https?://\S+\s*", re.IGNORECASE)
_SHADOW_ROOT = b" %b=" % SHADOW_ATTRIBUTE.encode()


def parse(
    html: bytes | str,
    url: str | None = None,
    encoding: str | None = None,
    limits: Limits = LIMITS,
    plain_text: bool = False,
    scripts: bool = False,
) -> Page:
    """The columns of an HTML document.  Takes any input; nothing in it raises.

    `encoding` is what the transport said (the charset of a Content-Type header); text input ignores it.
    What exceeds `limits` is cut, and `page.problems` says so.  `plain_text` lets text that is no page pass as one.
    `scripts` asks for `page.removed`: where scripts and styles stood, and how long they were.
    """
    if not isinstance(html, (bytes, str)):
        html = _bytes(html)
    kind = not_html(html)
    if kind not in (None, PLAIN_TEXT):
        html = b""
    source, name, problems = _utf8(html, encoding, limits)
    seen = survey(source)
    source, runs = repaired(source, seen)
    if runs:
        problems.append(Problem("repaired", f"{runs:,} characters of the page were UTF-8 read as windows-1252"))
    if name in WIDE:
        kind = not_html(source)  # only now can it be read
    if plain_text and (kind == PLAIN_TEXT or (kind is None and is_text(source))):
        source = as_html(source)
        problems.append(Problem("plain_text", "this is plain text; all of it is passed through"))
    elif kind:
        advice = "; plain_text=True (--plain-text) passes it through" if kind == PLAIN_TEXT else ""
        if kind == PLAIN_TEXT and _ADDRESS.fullmatch(source):
            kind, advice = "an address", "; thresher.fetch(url).body is the page there"
        source = b""
        problems = [Problem("not_html", f"this is {kind}, not an HTML page{advice}")]
    seen = survey(source, seen)
    source = close_noscripts(source, seen)
    page = _within(source, limits, scripts, problems, seen, url=url, encoding=name)
    for _ in range(MAX_FRAMES_DEEP):
        if not _has_frames(page) or not has_little_text(page) or (opened := open_frames(source)) == source:
            break
        source = opened
        page = _within(source, limits, scripts, problems, url=url, encoding=name)
    _LOG.debug("%d bytes, encoding %s: %d elements, %d texts", len(source), name, len(page), len(page.start))
    for problem in page.problems:
        _LOG.info("%s: %s", problem.code, problem.message)
    return page


def _has_frames(page: Page) -> bool:
    """Whether frames hold documents of their own; most pages have no frame, which their tags tell soonest."""
    return has(page, "iframe") and b" srcdoc=" in page.markup


def _bytes(html: object) -> bytes:
    """Bytes of another kind than `bytes`."""
    if isinstance(html, (bytearray, memoryview)):
        return bytes(html)
    how = "path.read_bytes(), file.read(), response.body"
    raise TypeError(f"html is a page, as bytes or str, not {type(html).__name__}; give what is in it: {how}")


def _utf8(html: bytes | str, encoding: str | None, limits: Limits) -> tuple[bytes, str | None, list[Problem]]:
    """The input as UTF-8, at most `limits.bytes` of it, and what was lost on the way."""
    problems = []
    if encoding is not None and not isinstance(encoding, str):
        raise TypeError(f"encoding is a name, like 'utf-8', not {encoding!r}")
    if len(html) > limits.bytes:
        problems.append(Problem("too_large", f"only the first {limits.bytes:,} of {len(html):,} bytes were read"))
        html = html[: limits.bytes]
    if isinstance(html, str):
        try:
            return html.encode(), None, problems
        except UnicodeEncodeError:  # lone surrogates; pairs that belong together are joined
            return html.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode(), None, problems
    if encoding and not encoding_named(encoding):
        problems.append(Problem("unknown_encoding", f"no encoding is called {encoding[:80]!r}"))
    from thresher.parse.encoding.decode import decode  # text has none

    decoded = decode(html, encoding)
    _LOG.debug("encoding %s, by %s", decoded.encoding, decoded.source)
    if decoded.encoding == "replacement":
        why = "it declares an encoding that browsers refuse (hz-gb-2312, iso-2022-kr or the like); give `encoding`"
        problems.append(Problem("decode_error", f"nothing of the page was read: {why}"))
        return b"", decoded.encoding, problems
    if decoded.replaced:
        problems.append(Problem("decode_error", f"{decoded.replaced:,} characters are not valid {decoded.encoding}"))
    return decoded.utf8, decoded.encoding, problems


def _within(
    source: bytes, limits: Limits, scripts: bool, problems: list[Problem], seen: Survey | None = None, **known: Any
) -> Page:
    """The columns of as much of a source as the limits allow."""
    fitted, cut = fit(source, limits, seen)
    page = _read(fitted, scripts, problems=(*problems, *cut), **known)
    if not cut and int(page.depth.max(initial=0)) > limits.depth:
        fitted, cut = fit(fitted, limits, deep=True)
        page = _read(fitted, scripts, problems=(*problems, *cut), **known)
    return page


def _read(source: bytes, scripts: bool, **known: Any) -> Page:
    """The columns of UTF-8 source, with what else is known of it."""
    whole = bytes(written(LexborHTMLParser(source, options=_OPTIONS))) if scripts else b""
    known["size"] = len(source)
    markup, islands, tags = _form(source)
    page = scan(markup, tags=tags, islands=islands, **known)
    shadows = (page is None or has(page, "template")) and _SHADOW_ROOT in markup
    if shadows:
        markup, islands = _flat(markup, islands)
        page = scan(markup, islands=islands, **known)
    if page is None:
        markup, islands = _flat(*_without_forgers(source))
        page = scan(_escape_raw_text(markup), escaped=True, islands=islands, **known)
        assert page is not None, "escaped markup can be read"
    page = _mended(page, islands=islands, **known)
    company = guard(source, page.utf8)
    page = replace(page, guard=company) if company else page
    page = _with_shadows(page) if shadows else page
    return replace(page, removed=removed_code(whole, page.markup)) if scripts else page


def _mended(page: Page, **known: Any) -> Page:
    """The page without what its author's programs did to its texts; most are as they should be."""
    markup, count = without_double_escapes(page.markup, page.utf8)
    markup = without_shortcodes(markup, page.utf8)
    if markup is page.markup:
        return page
    if count:
        problem = Problem("repaired", f"{count:,} characters of the page were escaped twice")
        known["problems"] = (*page.problems, problem)
    mended = scan(markup, escaped=True, **known)
    assert mended is not None, "escaped markup can be read"
    return mended


def _form(source: bytes) -> tuple[bytes, tuple[Island, ...], MarkupTags | None]:
    """The tree in its canonical form, its islands, and its tags if they say that no raw text stands in it.

    The tree, many times as large, is gone before anything else is made of the form; the rare page with raw text that is
    large or has shadow roots is parsed twice for that.
    """
    room = np.empty(len(source) * 9 // 8, np.uint8) if len(source) > _LARGE else NO_ROOM
    tree = LexborHTMLParser(source, options=_OPTIONS)
    islands, form = take_islands(tree), written(tree, room)
    kept = tree if room is NO_ROOM else None
    del tree
    markup = bytes(form)
    del form, room
    tags = markup_tags(markup)
    if not holds_raw_text(*tags, TRAITS_OF_TAGS):
        return markup, islands, tags
    if _SHADOW_ROOT in markup:
        return markup, islands, None
    markup = _escape_raw_text(_without_forgers(source, kept)[0])
    return markup, islands, markup_tags(markup)


def _without_forgers(source: bytes, known: LexborHTMLParser | None = None) -> tuple[bytes, tuple[Island, ...]]:
    """The form and the islands of a page whose raw text must be taken out; its tree may be known, without them."""
    tree = LexborHTMLParser(source, options=_OPTIONS) if known is None else known
    islands = take_islands(tree)
    _remove_forgers(tree)
    return bytes(written(tree)), islands


def _flat(markup: bytes, islands: tuple[Island, ...]) -> tuple[bytes, tuple[Island, ...]]:
    """The form and the islands with what the shadow roots hold."""
    if _SHADOW_ROOT not in markup:
        return markup, islands
    markup, inner = flatten_shadows(markup)
    return markup, (*islands, *inner)


def _with_shadows(page: Page) -> Page:
    """A template that is a shadow root shows what is in it: to us it is a box as others are."""
    tag = page.tag.copy()
    tag[rows_with(page, SHADOW_ATTRIBUTE) & (tag == NUMBER["template"])] = NUMBER["div"]
    tag.setflags(write=False)
    return replace(page, tag=tag)


def _remove_forgers(tree: LexborHTMLParser) -> None:
    """Take raw-text names out of svg and math, and the tags of plaintext out everywhere.

    A plaintext may hold elements (`<b><plaintext>` opens another b inside), so its raw text has no end to look for.
    The content of a template is a tree of its own.
    """
    scopes = [tree.root] if tree.root is not None else []
    while scopes:
        scope = scopes.pop()
        for node in scope.css(_FORGERS):
            node.decompose()
        for node in scope.css("plaintext"):
            node.unwrap(delete_empty=True)
        scopes += scope.template_fragments()


def _escape_raw_text(markup: bytes) -> bytes:
    """Empty the raw-text elements; what a reader sees of them stays, escaped as all other text is."""
    pieces = []
    copied = passed = 0  # the markup is copied up to the first, and understood up to the second
    for match in _UNESCAPED.finditer(markup):
        here, name = match.start(), match[1]
        if here < passed or markup.rfind(b"<", passed, here) > markup.rfind(b">", passed, here):
            continue  # inside a comment, a raw-text element, or a tag with "<" in its name
        if name is None:
            end = markup.find(b"-->", here + 4)
            passed = len(markup) if end < 0 else end + 3
            continue
        inside = markup.find(b">", here) + 1
        pieces.append(markup[copied:inside])
        copied = passed = _raw_end(markup, name, inside)
        if name == _SHOWN:
            text = markup[inside:copied].replace(b"&", b"&amp;").replace(b"<", b"&lt;").replace(b">", b"&gt;")
            pieces.append(text)
    pieces.append(markup[copied:])
    return b"".join(pieces)


def _raw_end(markup: bytes, name: bytes, start: int) -> int:
    """Where the closing tag of a raw-text element begins.

    A script may hold `<!-- <script> … </script> -->`: that inner closing
    tag does not end it ("script data double escaped state" of the HTML standard).
    """
    closing = b"</" + name + b">"
    end = markup.find(closing, start)
    while name == b"script" and end >= 0:
        opened = markup.rfind(b"<!--", start, end)
        if opened < 0 or markup.find(b"-->", opened, end) >= 0 or markup.find(b"<script", opened, end) < 0:
            break
        resumed = markup.find(closing, end + 1)
        if resumed < 0:
            break
        start, end = end, resumed
    return len(markup) if end < 0 else end

"""What an input is when it is no HTML page: a PDF, an image, JSON, a feed, plain text.

Formats announce themselves in their first bytes.  Text formats are told by their first character or element; a text
without a single tag is no page, nor is source code with tags in its strings (fragment.py).
"""

from __future__ import annotations

import re

from thresher.parse.fragment import is_page
from thresher.text.patterns import compile_later

__all__ = ["PLAIN_TEXT", "not_html"]

PLAIN_TEXT = "plain text"

# First bytes and what they mean.  Source: the formats' own specifications, as collected in the WHATWG MIME Sniffing
# standard and in PRONOM.
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "a PDF document"),
    (b"%!PS", "a PostScript document"),
    (b"{\\rtf", "an RTF document"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"\0\0\x01\0", "an icon"),
    (b"8BPS", "a Photoshop image"),
    (b"PK\x03\x04", "a ZIP archive or office document"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\0", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\0asm", "a WebAssembly module"),
    (b"OggS", "an Ogg recording"),
    (b"ID3", "an MP3 recording"),
    (b"\xff\xfb", "an MP3 recording"),
    (b"fLaC", "a FLAC recording"),
    (b"\x1aE\xdf\xa3", "a Matroska or WebM video"),
    (b"FLV\x01", "a Flash video"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"OTTO", "a font"),
    (b"\0\x01\0\0\0", "a font"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"WARC/", "a WARC archive"),
    (b"\0\0\0\x0cjP  ", "a JPEG 2000 image"),
    (b"0&\xb2u\x8ef\xcf\x11", "a Windows Media file"),
    (b"!<arch>", "an archive"),
    (b"AT&TFORM", "a DjVu document"),
)
_BOXED: tuple[tuple[int, bytes, str], ...] = (  # a name some bytes behind the start
    (4, b"ftyp", "an MP4 video or HEIF image"),
    (8, b"WEBP", "a WebP image"),
    (8, b"WAVE", "a WAVE recording"),
    (8, b"AVI ", "an AVI video"),
    (257, b"ustar", "a tar archive"),
)
_TAG = compile_later(rb"<[a-zA-Z!/?]")
_ROOT = compile_later(rb"<([a-zA-Z][\w:.-]*)")
_PROLOG = compile_later(
    rb"\s*(?:<\?[^>]*>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[[^\]]*\])?[^>]*>)", re.DOTALL | re.IGNORECASE
)
_IS_HTML = compile_later(rb"\s*<!DOCTYPE\s+html\b", re.IGNORECASE)
_OTHER_TYPE = compile_later(rb"\s*<!DOCTYPE\s+\w+\s+(?:SYSTEM|\[)", re.IGNORECASE)
_PHP = compile_later(rb"\s*<\?(?:php|=)(?:(?!\?>).)*(?:\?>\s*)?", re.DOTALL | re.IGNORECASE)  # and nothing behind it
_ROOTS = {
    b"rss": "an RSS feed",
    b"feed": "an Atom feed",
    b"rdf:rdf": "an RSS feed",
    b"svg": "an SVG image",
    b"urlset": "a sitemap",
    b"sitemapindex": "a sitemap",
    b"opml": "an OPML outline",
    b"xsl:stylesheet": "an XSLT style sheet",
    b"xsl:transform": "an XSLT style sheet",
}
_CONTROLS = bytes({*range(1, 32), 127} - set(b"\t\n\f\r\x1b"))  # no text has these; escapes belong to ISO-2022-JP
_MAX_CONTROLS_SHARE = 0.02  # of the bytes
_HEAD_LENGTH = 4096  # bytes: the kind shows at the start
_MAX_JSON_LENGTH = 1_000_000
_JSON_START = compile_later(rb'\{\s*(?:"[^"<]*"\s*:|\})|\[\s*(?:[\[{"\]\d-]|true|false|null)')


def not_html(data: bytes | str) -> str | None:
    """What the input seems to be, in words with their article; None when it may be an HTML page.

    An empty input is None, too: there is nothing to refuse.
    """
    if isinstance(data, str):
        return _text_kind(data[:_HEAD_LENGTH].encode("utf-8", "replace"), data)
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            return kind
    for offset, name, kind in _BOXED:
        if data.startswith(name, offset):
            return kind
    head = data[:_HEAD_LENGTH]
    if _may_be_wide(head):
        return None
    if len(head) - len(head.translate(None, _CONTROLS)) > _MAX_CONTROLS_SHARE * len(head):
        return "binary data"
    if b"\0" in head:
        return None if _TAG.search(data) else "binary data"
    return _text_kind(head.removeprefix(b"\xef\xbb\xbf"), data)


def _text_kind(head: bytes, whole: bytes | str) -> str | None:
    start = head.lstrip()
    if not start:
        return None
    if start[:14].lower() == b"<!doctype html" and start[14:15] in (b">", b" ") and b">" in start:  # nearly every page
        return None
    if start[:1] in (b"{", b"[", b'"') and _is_json(whole):
        return "JSON"
    tagged = _TAG.search(head) or (
        _TAG.search(whole) if isinstance(whole, bytes) else re.search(r"<[a-zA-Z!/?]", whole)
    )
    if not tagged:
        return PLAIN_TEXT
    if not start.startswith(b"<"):
        source = whole if isinstance(whole, bytes) else whole[:_MAX_JSON_LENGTH].encode("utf-8", "replace")
        return None if is_page(source) else PLAIN_TEXT
    return _root_kind(head, whole)


def _root_kind(head: bytes, whole: bytes | str) -> str | None:
    """A feed, drawing or other XML by its first element; HTML pages have many first elements, XML has a prolog."""
    if _PHP.fullmatch(head):
        return PLAIN_TEXT
    is_xml = head.lstrip().startswith(b"<?xml")
    at = 0
    while prolog := _PROLOG.match(head, at):
        if _IS_HTML.match(prolog[0]):
            return None
        is_xml |= _OTHER_TYPE.match(prolog[0]) is not None
        at = prolog.end()
    root = _ROOT.match(head.lstrip() if not at else head[at:].lstrip())
    name = root[1].lower() if root else b""
    end = whole[-_HEAD_LENGTH:].rstrip()
    alone = end.endswith("</svg>") if isinstance(end, str) else end.endswith(b"</svg>")
    if name in _ROOTS and (is_xml or name != b"svg" or alone):  # a drawing may be the first thing on a page
        return _ROOTS[name]
    if is_xml and name and name not in (b"html", b"body", b"head", b"div") and b"<html" not in head.lower():
        return f"XML (its root element is {name.decode('utf-8', 'replace')!r})"
    return None


def _may_be_wide(head: bytes) -> bool:
    """UTF-16 and UTF-32, by their mark or by their NULs, which stand at regular places; in binary files anywhere."""
    from thresher.parse.encoding.decode import wide  # text is not asked

    return head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[:4] == b"\0\0\xfe\xff" or wide(head) is not None


def _is_json(whole: bytes | str) -> bool:
    """Whether an input that starts with a bracket is JSON, or a stream of lines of it.

    Small ones are read.  Of large ones, which would become gigabytes of objects, the two ends are looked at.
    """
    if len(whole) > _MAX_JSON_LENGTH:
        ends = whole[:_HEAD_LENGTH].lstrip(), whole[-_HEAD_LENGTH:].rstrip()
        start, end = (end.encode("utf-8", "replace") if isinstance(end, str) else end for end in ends)
        return _JSON_START.match(start) is not None and end.endswith((b"}", b"]", b'"', b"["))
    newline = b"\n" if isinstance(whole, bytes) else "\n"
    first = whole.lstrip().split(newline, 1)[0]  # type: ignore[arg-type]
    return _reads_as_json(whole) or (len(first) < len(whole.strip()) and _reads_as_json(first))


def _reads_as_json(value: bytes | str) -> bool:
    import json

    try:
        json.loads(value)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True

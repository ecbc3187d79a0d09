"""What is no HTML page is refused with a reason that names it, or passed through as text when asked; XML is inert."""

from __future__ import annotations

import gzip
import io
import json
import random
import tarfile
import zipfile
from collections.abc import Callable, Iterator

from tests.hostile.case import ARTICLE, SENTENCES, Case, page
from thresher.result.extraction import Extraction

__all__ = ["cases"]


def _zipped(name: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, f"<html><body>{ARTICLE}</body></html>")
    return buffer.getvalue()


def _tarred() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        info = tarfile.TarInfo("page.html")
        info.size = len(ARTICLE)
        archive.addfile(info, io.BytesIO(ARTICLE.encode()))
    return buffer.getvalue()


FORMATS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "pdf": ("PDF", lambda: b"%PDF-1.7\n1 0 obj << /Type /Catalog >>\n<html>" + ARTICLE.encode()),
    "postscript": ("PostScript", lambda: b"%!PS-Adobe-3.0\n(<html>) show"),
    "rtf": ("RTF", lambda: b"{\\rtf1\\ansi <p>text</p>}"),
    "png": ("PNG", lambda: b"\x89PNG\r\n\x1a\n" + bytes(500)),
    "png with a page in it": ("PNG", lambda: b"\x89PNG\r\n\x1a\n" + page(ARTICLE).encode()),
    "jpeg": ("JPEG", lambda: b"\xff\xd8\xff\xe0\0\x10JFIF" + random.Random(1).randbytes(500)),
    "gif": ("GIF", lambda: b"GIF89a" + bytes(100)),
    "webp": ("WebP", lambda: b"RIFF\x10\0\0\0WEBPVP8 "),
    "tiff": ("TIFF", lambda: b"II*\0" + bytes(50)),
    "ico": ("icon", lambda: b"\0\0\x01\0\x01\0" + bytes(50)),
    "svg": ("SVG", lambda: b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><text>words</text></svg>"),
    "zip": ("ZIP", lambda: _zipped("page.html")),
    "docx": ("ZIP", lambda: _zipped("word/document.xml")),
    "epub": ("ZIP", lambda: _zipped("OEBPS/chapter.xhtml")),
    "doc": ("office", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)),
    "gzip": ("gzip", lambda: gzip.compress(page(ARTICLE).encode())),
    "bzip2": ("bzip2", lambda: b"BZh91AY&SY" + random.Random(2).randbytes(100)),
    "xz": ("xz", lambda: b"\xfd7zXZ\0" + bytes(100)),
    "zstd": ("Zstandard", lambda: b"\x28\xb5\x2f\xfd" + bytes(100)),
    "7z": ("7-Zip", lambda: b"7z\xbc\xaf\x27\x1c" + bytes(100)),
    "rar": ("RAR", lambda: b"Rar!\x1a\x07\x01\0" + bytes(100)),
    "tar": ("tar", _tarred),
    "elf": ("program", lambda: b"\x7fELF\x02\x01\x01" + bytes(200)),
    "exe": ("program", lambda: b"MZ\x90\0" + bytes(200)),
    "wasm": ("WebAssembly", lambda: b"\0asm\x01\0\0\0"),
    "class file": ("program", lambda: b"\xca\xfe\xba\xbe\0\0\x004"),
    "mp3": ("MP3", lambda: b"ID3\x03" + bytes(100)),
    "ogg": ("Ogg", lambda: b"OggS" + bytes(100)),
    "mp4": ("MP4", lambda: b"\0\0\0\x18ftypmp42" + bytes(100)),
    "wav": ("WAVE", lambda: b"RIFF\x10\0\0\0WAVEfmt "),
    "webm": ("WebM", lambda: b"\x1aE\xdf\xa3" + bytes(100)),
    "font": ("font", lambda: b"wOF2" + bytes(100)),
    "sqlite": ("SQLite", lambda: b"SQLite format 3\0" + bytes(100)),
    "warc": ("WARC", lambda: b"WARC/1.0\r\nWARC-Type: response\r\n\r\n" + page(ARTICLE).encode()),
    "json": ("JSON", lambda: json.dumps({"html": page(ARTICLE)}).encode()),
    "json list": ("JSON", lambda: b'[1, 2, "<p>x</p>"]'),
    "json lines": ("JSON", lambda: b'{"a": "<p>"}\n{"b": 2}\n'),
    "json of 5 MB": ("JSON", lambda: b'{"a": [' + b'{"b": "<p>"},' * 400_000 + b"1]}"),
    "deep json": ("JSON", lambda: b"[" * 300_000),
    "rss": (
        "RSS",
        lambda: b"<?xml version='1.0'?><rss version='2.0'><channel><item><link>words</link></item></channel></rss>",
    ),
    "rss without prolog": ("RSS", lambda: b"<rss version='2.0'><channel><title>words</title></channel></rss>"),
    "atom": ("Atom", lambda: b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>words</title></entry></feed>"),
    "rdf": ("RSS", lambda: b"<?xml version='1.0'?><rdf:RDF><item/></rdf:RDF>"),
    "sitemap": ("sitemap", lambda: b"<?xml version='1.0'?><urlset><url><loc>http://x/</loc></url></urlset>"),
    "opml": ("OPML", lambda: b"<?xml version='1.0'?><opml><body><outline text='x'/></body></opml>"),
    "other xml": ("XML", lambda: b"<?xml version='1.0'?><invoice><total>words 5</total></invoice>"),
    "plain text": ("plain text", lambda: " ".join(SENTENCES).encode()),
    "markdown": ("plain text", lambda: b"# Title\n\nSome *text* and a [link](http://x).\n\n- item\n"),
    "python": ("plain text", lambda: b"import os\n\ndef main():\n    if 1 < 2:\n        print('x')\n"),
    "javascript": ("plain text", lambda: b"(function () { var a = 1; return a; })();"),
    "css": ("plain text", lambda: b"body { color: red } a:hover { color: blue }"),
    "csv": ("plain text", lambda: b"name,age\nJane,41\nJohn,39\n"),
    "a log": ("plain text", lambda: b"2024-03-05 10:00:00 INFO started\n" * 50),
    "a certificate": ("plain text", lambda: b"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"),
    "utf-16 text": ("plain text", lambda: " ".join(SENTENCES).encode("utf-16")),
    "binary": ("binary", lambda: random.Random(3).randbytes(10_000)),
    "zeros": ("binary", lambda: bytes(10_000)),
}


def _names(kind: str) -> Callable[[Extraction], None]:
    def check(result: Extraction) -> None:
        assert any(kind.lower() in warning.lower() for warning in result.warnings), result.warnings
        assert result.text == result.markdown == result.html == result.hidden == ""

    return check


def cases() -> Iterator[Case]:
    for name, (kind, make) in FORMATS.items():
        yield Case(f"refused: {name}", make, status=("not_html",), warns=("not_html",), also=_names(kind))
    asked = {"plain_text": True}
    yield Case(
        "text on request",
        lambda: "\n\n".join(SENTENCES),
        shows=SENTENCES,
        status=("ok",),
        warns=("plain_text",),
        options=asked,
    )
    yield Case(
        "markdown on request",
        lambda: f"# Title\n\n{SENTENCES[0]}\n\n- a\n- b\n\n    code\n\n<https://x.org> &amp; <b>x</b>\n",
        shows=("# Title", SENTENCES[0], "- a\n- b", "    code", "<https://x.org> &amp; <b>x</b>"),
        options=asked,
    )
    yield Case(
        "latin text on request",
        lambda: ("Élève naïf, déjà vu. " * 20).encode("latin-1"),
        shows=("Élève naïf",),
        options=asked,
    )
    yield Case(
        "text with an attack on request",
        lambda: "[x](javascript:alert(1)) <script>alert(1)</script>\x1b[31m\n" * 3,
        options=asked,
    )
    yield Case(
        "a page where text was allowed", lambda: page(ARTICLE), shows=(SENTENCES[0],), status=("ok",), options=asked
    )
    yield Case("a picture where text was allowed", FORMATS["png"][1], status=("not_html",), options=asked)
    secret = "<!DOCTYPE html [<!ENTITY x SYSTEM 'file:///etc/passwd'><!ENTITY y 'INSIDE'>]>"
    lol = "".join(f"<!ENTITY l{k} '{f'&l{k - 1};' * 10}'>" for k in range(1, 10))
    xml = {
        "external entity": f"{secret}<html><body>{ARTICLE}<p>&x; &y; and nothing else is in here.</p></body></html>",
        "entity bomb": (
            f"<!DOCTYPE html [<!ENTITY l0 'lol'>{lol}]><html><body>{ARTICLE}<p>&l9; and nothing else.</p></body></html>"
        ),
        "xinclude": page(
            f"{ARTICLE}<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='file:///etc/passwd' parse='text'/>"
        ),
        "xhtml with a stylesheet": f"<?xml version='1.0'?><?xml-stylesheet href='file:///etc/passwd'?>{page(ARTICLE)}",
        "object of a file": page(
            ARTICLE + "<object data='file:///etc/passwd'></object><iframe src='file:///etc/passwd'></iframe>"
        ),
    }
    for name, html in xml.items():
        yield Case(
            f"inert: {name}", lambda html=html: html, shows=(SENTENCES[0],), hides=("root:x:", "lollol", "etc/passwd")
        )

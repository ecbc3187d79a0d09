"""sniff: what is no HTML page is named, what may be one passes."""

from __future__ import annotations

import gzip
import io
import json
import random
import zipfile

import pytest

from thresher.parse import parse
from thresher.parse.kind import not_html


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", "<w:p>text</w:p>")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n<html>", "PDF"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "PNG"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "WebP"),
        (zipped(), "ZIP"),
        (gzip.compress(b"<html>", mtime=0), "gzip"),
        (json.dumps({"html": "<p>x</p>"}).encode(), "JSON"),
        (b'{"a": 1}\n{"b": "<p>"}\n', "JSON"),
        (b"  [1, 2]", "JSON"),
        (b'<?xml version="1.0"?>\n<rss version="2.0"><channel/></rss>', "RSS"),
        (b"<!-- c --><feed xmlns='http://www.w3.org/2005/Atom'/>", "Atom"),
        (b"<?xml version='1.0'?><svg/>", "SVG"),
        (b"<?xml version='1.0'?><urlset/>", "sitemap"),
        (b"<?xml version='1.0'?><note><to>x</to></note>", "note"),
        (b"Just a few words, nothing else.", "plain text"),
        (b"# Title\n\nMarkdown *text* with a < b.", "plain text"),
        (bytes(range(256)) * 8, "binary"),
        (random.Random(1).randbytes(200_000), "binary"),
    ],
)
def test_other_formats_are_named(data: bytes, kind: str) -> None:
    assert kind.lower() in (not_html(data) or "").lower()
    page = parse(data)
    assert [problem.code for problem in page.problems] == ["not_html"]
    assert page.text == ()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"   \n",
        b"<p>fragment",
        b"Text first, <b>then</b> a tag",
        b"<!DOCTYPE html><title>x</title>",
        b"<?xml version='1.0' encoding='utf-8'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN'><html/>",
        b"<?php echo 1 ?><html><body>x",
        b"\xef\xbb\xbf<html>",
        "<html><body>wide".encode("utf-16"),
        "<html><body>wide without a mark</body></html>".encode("utf-16-le"),
        b"{not json} <p>x</p>",
        b"<svg><path d='M0'/></svg><p>A drawing before the text.</p>",
        b"\0\0\0<p>NULs in front of a tag</p>",
    ],
)
def test_what_may_be_a_page_passes(data: bytes) -> None:
    assert not_html(data) is None


@pytest.mark.parametrize(
    "piece",
    [
        "one<br>two",
        "Dear reader, <p>hello",
        "price=<b>5</b>",
        "so it was (<i>at last</i>) said",
        "a <math><mi>x</mi></math>",
        "words <x-app>more</x-app>",
        "2<sup>nd</sup> edition",
        "n/<a href=x>a</a>",
    ],
)
def test_a_piece_of_a_page_may_begin_with_words(piece: str) -> None:
    assert not_html(piece) is None
    assert not_html(piece.encode()) is None

"""More inputs that are no pages, by their first bytes or words, and pages that begin like something else."""

from __future__ import annotations

import bz2
import lzma
import random
import zlib
from collections.abc import Iterator

from tests.hostile.case import ARTICLE, SENTENCES, Case, page

__all__ = ["cases"]

PAGE = page(ARTICLE).encode()
XML = b"<?xml version='1.0'?>"
REFUSED: dict[str, bytes] = {
    # pictures, sound, video, fonts
    "bmp": b"BM\x36\0\0\0\0\0\0\0\x36\0\0\0" + bytes(100),
    "avif": b"\0\0\0\x1cftypavif" + bytes(50),
    "psd": b"8BPS\0\x01" + bytes(50),
    "jp2": b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(30),
    "cursor": b"\0\0\x02\0\x01\0" + bytes(50),
    "jxl": b"\xff\x0a" + bytes(50),
    "midi": b"MThd\0\0\0\x06" + bytes(30),
    "aiff": b"FORM\0\0\0\0AIFF" + bytes(30),
    "mpeg": b"\0\0\x01\xba" + bytes(50),
    "mpeg stream": (b"G@\0\x10" + bytes(184)) * 5,
    "wma": b"0&\xb2u\x8ef\xcf\x11\xa6\xd9\0\xaa\0b\xcel" + bytes(30),
    "swf": b"CWS\x0a" + bytes(50),
    "ttf": b"\0\x01\0\0\0\x0b" + bytes(50),
    "eot": bytes(34) + b"LP" + bytes(50),
    # archives, programs, data
    "lzma": lzma.compress(PAGE, format=lzma.FORMAT_ALONE),
    "bz2": bz2.compress(PAGE),
    "zlib": zlib.compress(PAGE),
    "deflate": zlib.compress(PAGE)[2:-4],
    "lz4": b"\x04\x22\x4d\x18" + bytes(50),
    "cab": b"MSCF\0\0\0\0" + bytes(50),
    "ar": b"!<arch>\ndebian-binary   1410122664  0 0 100644  4 `\n2.0\n",
    "rpm": b"\xed\xab\xee\xdb\x03" + bytes(50),
    "parquet": b"PAR1" + bytes(50),
    "avro": b"Obj\x01\x04\x14avro.codec",
    "hdf5": b"\x89HDF\r\n\x1a\n" + bytes(50),
    "pickle": b"\x80\x04\x95\x1c\0\0\0\0\0\0\0}\x94" + bytes(20),
    "mach-o": b"\xcf\xfa\xed\xfe\x07\0\0\x01" + bytes(50),
    "djvu": b"AT&TFORM\0\0\0\0DJVU" + bytes(30),
    "chm": b"ITSF\x03\0\0\0" + bytes(50),
    "der": b"0\x82\x03\x0a0\x82\x01\xf2" + random.Random(1).randbytes(200),
    "protocol buffer": b"\x0a\x07testing\x10\x96\x01" + random.Random(2).randbytes(100),
    "pdf behind a mark": b"\xef\xbb\xbf%PDF-1.4\n1 0 obj\n<<>>",
    "pdf behind lines": b"\n\n\n%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj" + bytes(50),
    # XML
    "rss behind a mark": b"\xef\xbb\xbf" + XML + b"<rss version='2.0'><channel><item>words</item></channel></rss>",
    "rss behind a comment": XML + b"<!-- a <html> --><rss version='2.0'><channel><title>w</title></channel></rss>",
    "rss with a page": XML + b"<rss><channel><item><x:y><![CDATA[" + PAGE + b"]]></x:y></item></channel></rss>",
    "rss in utf-16": "<?xml version='1.0' encoding='utf-16'?><rss><channel/></rss>".encode("utf-16"),
    "soap": XML + b"<soap:Envelope xmlns:soap='x'><soap:Body>w</soap:Body></soap:Envelope>",
    "svg alone": b"<svg xmlns='http://www.w3.org/2000/svg'><text>words</text></svg>",
    "svg with a type": XML + b"<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'x.dtd'><svg><text>words</text></svg>",
    "xml with a type": b"<!DOCTYPE note SYSTEM 'Note.dtd'><note><to>words</to></note>",
    "xml with an entity": XML + b"<!DOCTYPE d [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><d>&x;</d>",
    "xslt": XML
    + b"<xsl:stylesheet><xsl:template match='/'><html><body>w</body></html></xsl:template></xsl:stylesheet>",
    # JSON
    "json behind a mark": b'\xef\xbb\xbf{"a": 1}',
    "json of a string": b'"a string <p>x</p>"',
    "json of a number": b"12345",
    "json in utf-16": '{"a": 1}'.encode("utf-16"),
    "json with a guard": b')]}\',\n{"a":1}',
    "json with padding": b'callback({"a": "<p>x</p>"});',
    "json that is cut": b'{"a": "<p>x</p>", ',
    # source code and texts with tags in them
    "javascript that writes": b"document.write('<div><p>words of it</p></div>');\nvar a = '<ul><li>x</li></ul>';\n",
    "javascript module": b"import a from 'b';\nexport default function () { return `<div>${a}</div>` }\n",
    "javascript comment": b"/*! jQuery v3 | (c) <a href='x'>JS</a> */\n!function(e,t){'use strict'}();",
    "jsx": b"const A = () => <div className='x'><p>words</p></div>;\nexport default A;\n",
    "css comment": b"/* <html> */\n.a::before { content: '<b>'; }\n",
    "python of a page": b"#!/usr/bin/env python\nHTML = '''<html><body><p>x</p></body></html>'''\nprint(HTML)\n",
    "python of a page, no line for a shell": b"HTML = '''<html>\n<body><p>x</p></body></html>'''\nprint(HTML)\n",
    "shell": b"#!/bin/sh\ncat <<EOF\n<html><body>x</body></html>\nEOF\n",
    "php": b"<?php\necho '<html><body>x</body></html>';\n?>\n",
    "c": b'#include <stdio.h>\nint main(void) { if (1 < 2) printf("<p>"); return 0; }\n',
    "c++": b"#include <vector>\nstd::vector<int> a;\ntemplate<class T> T f(T x) { return x; }\n",
    "java": b"package a;\nimport java.util.List;\npublic class A { List<String> b; Map<String, List<Integer>> c; }\n",
    "rust": b'fn main() { let v: Vec<u8> = Vec::new(); println!("{}", v.len()); }\n',
    "sql": b"CREATE TABLE a (b INT);\nINSERT INTO a VALUES ('<p>x</p>');\n",
    "yaml": b"---\na: b\nc:\n  - d\n  - '<p>'\n",
    "csv of html": b'id,html\n1,"<p>words</p>"\n2,"<b>x</b>"\n',
    "diff": b"--- a/x.html\n+++ b/x.html\n@@ -1,2 +1,2 @@\n-<p>a</p>\n+<p>b</p>\n",
    "tex": b"\\documentclass{article}\n\\begin{document}\nWords of it $a<b$.\n\\end{document}\n",
    "rst": b"Title\n=====\n\nSome *text* and ``<b>code</b>``.\n",
    "subtitles": b"1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\n<i>World</i>\n",
    "captions": b"WEBVTT\n\n00:01.000 --> 00:04.000\n<v Bob>Words\n",
    "log of requests": b'127.0.0.1 - - [01/Jan/2024] "GET /<script> HTTP/1.1" 200 1\n' * 30,
    "markdown with html": b"# Title\n\nSome *text* with <b>html</b> and a [link](http://x).\n\n```html\n<div>\n```\n",
    "prose about code": b"Use List<String> in Java and vector<int> in C++; these are no tags.\n" * 5,
    "prose with signs": b"If a < b and c > d then the words go on, and on, and on.\n" * 5,
    "email": b"From: a@b\r\nTo: c@d\r\nSubject: x\r\nContent-Type: text/plain\r\n\r\nHello there, words.\r\n",
    "calendar": b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n",
}
ACCEPTED: dict[str, bytes] = {
    "xhtml": XML + b"<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x.dtd'><html xmlns='x'>" + PAGE,
    "a fragment": ARTICLE.encode(),
    "text before the page": b"  words before it " + PAGE,
    "a comment before the page": b"<!-- saved from url=(0014)about:internet -->\n" + PAGE,
    "php before the page": b"<?php header('x'); ?>\n" + PAGE,
    "nul bytes before the page": b"\0\0" + PAGE,
    "an old type": b'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">' + PAGE,
    "the head of a response": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE,
    "lines": SENTENCES[0].encode() + b"<br><br>" + " ".join(SENTENCES).encode(),
    "a sentence before tags": SENTENCES[0].encode() + b" <b>bold</b> <p>more of it</p> <p>and more</p>",
    "a drawing first": b"<svg xmlns='x'><path/></svg>" + ARTICLE.encode(),
    "a script with a PDF's name first": b"<script>var a='%PDF-1.4'</script>" + ARTICLE.encode(),
    "a hundred thousand lines first": b"\n" * 100_000 + PAGE,
    "a hundred thousand blanks first": b" " * 100_000 + PAGE,
    "a placeholder first": b"{{ header }} " + ARTICLE.encode(),
    "a style sheet's instruction": XML + b"<?xml-stylesheet href='x.css'?>" + PAGE,
}


def cases() -> Iterator[Case]:
    for name, data in REFUSED.items():
        yield Case(f"no page: {name}", data, status=("not_html",), warns=("not_html",))
        yield Case(f"no page, text allowed: {name}", data, options={"plain_text": True})
    for name, data in ACCEPTED.items():
        yield Case(f"a page: {name}", data, shows=SENTENCES[:1], status=("ok", "partial"))

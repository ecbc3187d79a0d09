"""Whether a text that does not begin with a tag is a page all the same, or code, data or Markdown with tags in it.

A piece of a page may begin with words (`one<br>two`).  In source code the first tag stands in quotes, or it is no
element of HTML (`<stdio.h>`, `vector<int>`); where that does not tell, the beginnings of the lines before it do.
"""

from __future__ import annotations

import re

from thresher.text.patterns import compile_later

__all__ = ["is_page"]

_LEAD_LENGTH = 2_000  # bytes before the first tag that are looked at
# Elements by which a page or a piece of one may begin.
_ELEMENT = compile_later(
    rb"""(.?)<(?:!doctype|!--|/?(?:a|abbr|article|aside|b|blockquote|body|br|button|center|code|dd|del|details|div|dl|dt|em
    |figure|font|footer|form|frameset|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|label|li|link|main|mark|math
    |meta|nav
    |noscript|object|ol|p|picture|pre|q|s|script|section|small|span|strong|style|sub|summary|sup|svg|table|tbody|td|th
    |thead|time|title|tr|tt|u|ul|video|[a-z]+-[a-z-]+)(?=[\s/>]))""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_BOUND = b"'\"`\\"
_DOCUMENT = compile_later(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
# Lines with which source code, data and records begin.
_CODE = compile_later(
    rb"""\s*(?:
      \#! | \#include\b | /[*/] | -- | @(?:import|media|charset|font-face)\b | \\documentclass | WEBVTT | BEGIN:
    | \)\]\}'
    | (?:import|from)\ [\w.*{"'\ ,}-]+(?:;|$|\ import\b|\ from\b) | export\ (?:default|const|function|class)\b
    | (?:const|let|var)\ [\w${}\[\],\ ]+= | (?:async\ )?function\b\s*\w*\( | [!(]\s*function\b | ["']use\ strict
    | def\ \w+\(
    | (?:public|private|abstract|final)\ (?:class|static|interface)\b | (?:class|interface|struct|enum)\ \w+.*[:{]\s*$
    | package\ [\w.]+;?\s*$ | using\ [\w.]+; | namespace\ \w+ | template\s*< | fn\ \w+\( | func\ \w+\(
    | (?:CREATE|INSERT|SELECT|DROP|ALTER)\ .*(?:TABLE|INTO|FROM)\b | [\w$.]+\(\s*[\[{] | \{\s*"[^"<]*"\s*:
    | \d+\s*\n\d\d:\d\d:\d\d | [\d.:a-f]+\ \S+\ \S+\ \[\d | [\w-]+:(?:\s+\S.*)?\n\s*-\ | ---\s*$
    )""",
    re.VERBOSE | re.MULTILINE,
)
_MARKDOWN = compile_later(
    rb"(?m)^(?:\#{1,6}\ \S|```|~~~|[-*]\ \S.*\n[-*]\ \S|\S.*\n(?:={3,}|-{3,})\s*$|>\ \S)|\[[^\]\n]+\]\([^)\n]+\)"
)


def is_page(source: bytes) -> bool:
    """Whether a source whose first character is none of a tag is HTML."""
    first = _ELEMENT.search(source)
    if first is None:
        return False
    before = source[max(0, first.start() - _LEAD_LENGTH) : first.end(1)]
    if first[1] and first[1] in _BOUND:
        return False
    if _CODE.match(before):
        return False
    return _DOCUMENT.search(source) is not None or _MARKDOWN.search(source[:_LEAD_LENGTH]) is None

"""Plain text and Markdown, passed through when asked for: as a page of paragraphs, all of which is content.

A paragraph ends at a blank line.  Where lines are indented or columns are set with blanks, it is preformatted;
elsewhere its line ends are kept and nothing else is.  Nothing in it is markup: `<b>` in a text is three characters.
"""

from __future__ import annotations

import re

from thresher.text.patterns import compile_later

__all__ = ["as_html", "is_text"]

_DOCUMENT = compile_later(rb"<(?:!doctype|html|head|body|frameset|\?xml)[\s/>]", re.IGNORECASE)
# Elements that structure a page; a text about HTML has some, in its examples.
_STRUCTURE = compile_later(
    rb"</?(?:div|p|table|tr|td|ul|ol|li|script|style|section|article|main|h[1-6]|span|form|svg|center|font)[\s/>]",
    re.IGNORECASE,
)
_MAX_TAGS_PER_LINE = 0.2  # of them a line
_PARAGRAPHS = compile_later(r"\n(?:[^\S\n]*\n)+")
_SET = compile_later(r"(?m)^(?:[ ]{2,}|\t)\S|\S(?:[ ]{3,}|\t)\S")


def is_text(source: bytes) -> bool:
    """Whether an input with something like tags in it (`<https://…>`, `<name>`, an example) still reads as text."""
    start = source.lstrip()[:1]
    if not start or start == b"<" or _DOCUMENT.search(source):
        return False
    return sum(1 for _ in _STRUCTURE.finditer(source)) <= _MAX_TAGS_PER_LINE * source.count(b"\n")


def as_html(source: bytes) -> bytes:
    """UTF-8 text as a page of paragraphs."""
    text = source.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return ("<!DOCTYPE html><body>" + "".join(map(_paragraph, _PARAGRAPHS.split(text)))).encode()


def _paragraph(text: str) -> str:
    if not text.strip():
        return ""
    if _SET.search(text):
        return f"<pre>\n{text.rstrip()}</pre>"
    return "<p>" + "<br>".join(text.strip().split("\n")) + "</p>"

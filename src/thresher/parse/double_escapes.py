"""Characters that a page's author escaped twice: `don&amp;#8217;t` is shown as "don&#8217;t" and was meant as "don’t".

They are undone in texts, but for code, and for pages that speak of HTML or of entities: these mean what they show.
`&amp;lt;` and `&amp;gt;` stay, for who shows tags has a reason to, and `&amp;amp;` is undone between two words only.
"""

from __future__ import annotations

import html
import re

from thresher.parse.prose import prose_spans
from thresher.text.patterns import compile_later

__all__ = ["without_double_escapes"]

_REFERENCE = rb"(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});"
_SHOWN = compile_later(b"&" + _REFERENCE)
_ESCAPED = compile_later(b"&amp;(?:amp;){0,3}" + _REFERENCE)
_SUBJECT = compile_later(rb"(?i)\b(?:x?html|xml|markup|unescaped?|escap(?:ed|ing)|entit(?:y|ies))\b|&(?:[lg]t|#6[02]);")
_IN_MARKUP = {"&": b"&amp;", "\N{NO-BREAK SPACE}": b"&nbsp;"}


def without_double_escapes(markup: bytes, utf8: bytes) -> tuple[bytes, int]:
    """Canonical markup with the characters that were meant, and how many these are; `utf8` are its texts."""
    if _SHOWN.search(utf8) is None or _SUBJECT.search(utf8):  # one look at most pages
        return markup, 0
    pieces: list[bytes] = []
    copied = count = 0
    for start, stop in prose_spans(markup):
        for match in _ESCAPED.finditer(markup, start, stop):
            character = _meant(match)
            if character:
                pieces += (markup[copied : match.start()], character)
                copied = match.end()
                count += 1
    return (b"".join((*pieces, markup[copied:])), count) if count else (markup, 0)


def _meant(match: re.Match[bytes]) -> bytes:
    """The character as canonical markup has it; nothing for what is no reference, `<`, `>` and what shows nothing."""
    character = html.unescape(f"&{match[1].decode()};")
    if len(character) != 1 or character in "<>\ufffd":
        return b""
    if character == "&" and not _is_between_words(match):
        return b""
    if character in _IN_MARKUP:
        return _IN_MARKUP[character]
    return character.encode() if character.isprintable() else b""


def _is_between_words(match: re.Match[bytes]) -> bool:
    before, behind = (
        match.string[max(match.start() - 8, 0) : match.start()].rstrip()[-1:],
        match.string[match.end() : match.end() + 8].lstrip()[:1],
    )
    return all(side.isalnum() or side > b"\x7f" for side in (before, behind))

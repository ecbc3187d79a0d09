"""Characters that a page's author escaped twice: `don&amp;#8217;t` shows "don&#8217;t" and was meant as "don’t".

A page that speaks of markup means what it shows.  So nothing is undone where one of these stands in the text: a tag, an
escaped angle bracket, words such as HTML or entity, or a reference in code.  On other pages all references in prose are
undone (angle brackets never) if enough of them stand where one writes characters and not their names:

    inside a word            don&#8217;t, Schlie&szlig;en, AT&amp;T    one is enough
    at a word's edge         &quot;Boats, TFC8&reg;, Tom &amp; Jerry   two
    between spaced words     sails &ndash; and masts                   four
"""

from __future__ import annotations

import re

from thresher.parse.prose import in_prose
from thresher.text.patterns import compile_later

__all__ = ["without_double_escapes"]

_REFERENCE = rb"(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});"
_SHOWN = compile_later(b"&" + _REFERENCE)
_ESCAPED = compile_later(b"&amp;(?:amp;){0,3}" + _REFERENCE)
_TAG = compile_later(b"<[^>]*>")
_SUBJECT = compile_later(
    rb"(?i)<[a-z/!]|&(?:[lg]t|#6[02]|#x3[ce]);"
    rb"|(?<![\w./-])(?:[xs]?html|xml|entit(?:y|ies)|(?:un)?escap(?:ed|ing)|mark-?up)(?![\w/])"
)
_IN_MARKUP = {"&": b"&amp;", "\N{NO-BREAK SPACE}": b"&nbsp;"}
_INVISIBLE = "\N{SOFT HYPHEN}\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_ENOUGH = 4
_INSIDE_WORD, _AT_WORD, _BETWEEN_WORDS = 4, 2, 1


def without_double_escapes(markup: bytes, utf8: bytes) -> tuple[bytes, int]:
    """Canonical markup with the characters that were meant, and how many these are; `utf8` are its texts."""
    if _SHOWN.search(utf8) is None:  # as on most pages
        return markup, 0
    found = in_prose(_ESCAPED, markup)
    meant = [(match, character) for match in found if (character := _character(match))]
    evidence = sum(_evidence(match, character) for match, character in meant)
    if evidence < _ENOUGH or _SUBJECT.search(utf8) or len(_ESCAPED.findall(_TAG.sub(b"<>", markup))) > len(found):
        return markup, 0
    pieces: list[bytes] = []
    copied = 0
    for match, character in meant:
        pieces += (markup[copied : match.start()], _IN_MARKUP.get(character) or character.encode())
        copied = match.end()
    return b"".join((*pieces, markup[copied:])), len(meant)


def _character(match: re.Match[bytes]) -> str:
    """What a reference stands for; nothing for what is no reference, angle brackets, and what shows nothing."""
    from html import unescape  # with a table of all names

    character = unescape(f"&{match[1].decode()};")
    is_shown = character.isprintable() or character in _INVISIBLE or character.isspace()
    return character if len(character) == 1 and is_shown and character not in "<>\ufffd\n\r\t" else ""


def _evidence(match: re.Match[bytes], character: str) -> int:
    """How much the place of a reference speaks for a character that was meant."""
    before = match.string[max(match.start() - 8, 0) : match.start()].decode(errors="ignore")
    behind = match.string[match.end() : match.end() + 8].decode(errors="ignore")
    sides = before[-1:].isalnum() + behind[:1].isalnum()
    if sides == 2:
        return _INSIDE_WORD
    if sides == 1:
        return _AT_WORD
    if before[-1:] == behind[:1] == " " and before[-2:-1].isalnum() and behind[1:2].isalnum():
        return _AT_WORD if character == "&" and behind[1].isupper() else _BETWEEN_WORDS
    return 0

"""Shortcodes that a content system should have replaced, and whose plugin is gone: `[vc_row css="…"]`, `[/caption]`.

Most brackets are the author's: [1], [sic], [co-founder], [citation needed].  A shortcode is

    [name key="value" …]    with a value in quotation marks
    [/name]                 where [name …] is one; [caption] and the like where they are a pair
    [name_with_underscore]  where nothing but shortcodes stands beside it in its text; [/name_with_underscore] anywhere
    [vc_row], [adthrive-…]  by the names that common plugins give theirs

In code they stay, and so they do on a page that speaks of shortcodes.  What forums write in brackets ([quote],
[url]) is no shortcode.
"""

from __future__ import annotations

from typing import NamedTuple

from thresher.parse.prose import in_prose
from thresher.text.patterns import compile_later

__all__ = ["without_shortcodes"]

_MAX_ATTRIBUTES, _MAX_VALUE = 20, 1000
_CURLY = "(?:[“”″„‟]|&(?:quot|#8221|#8243);)".encode()
_VALUE = rb"(\"[^\"<>]{0,%d}\"|'[^'<>]{0,%d}'|%b[^<>]{0,%d}?%b)" % (_MAX_VALUE, _MAX_VALUE, _CURLY, 200, _CURLY)
_SPACE = rb"(?:\s|&nbsp;)"
_SHORTCODE = compile_later(
    rb"\[(?<![\[\\]\[)(/?)([a-z][a-z0-9]+(?:[_-]+[a-z0-9]+)*)"
    rb"((?:%b+[\w-]+=(?:%b|[^\s\]\[<>\"'=]{1,200})){0,%d})%b*/?\](?![](:])" % (_SPACE, _VALUE, _MAX_ATTRIBUTES, _SPACE)
)
_SIGN = compile_later(rb"\[(?:/[a-z]|[a-z][a-z0-9]*(?:[_-][a-z0-9]|(?:\s|\xc2\xa0)+[\w-]+=))")
_OF_PLUGINS = compile_later(
    rb"(?:vc|et_pb|av|fusion|su|wpb|mk|cs|nectar|ux|porto|thrive|tcb|x)_|rev_slider|adthrive-|mv_|mediavine|contact-form|"
    rb"elementor-|wp_|wpforms|ninja_form|gravityform"
)
_OF_WORDPRESS = frozenset(b"caption gallery embed audio video playlist".split())  # itself: plain words
_OF_CODE = frozenset((b"quote", b"code", b"url", b"img", b"php", b"html", b"css", b"sql"))
_SUBJECT = compile_later(rb"(?i)short[ -]?codes?\b")


class _Bracket(NamedTuple):
    start: int
    stop: int
    closing: bool
    name: bytes
    quoted: bool  # has a value in quotation marks


def without_shortcodes(markup: bytes, utf8: bytes) -> bytes:
    """Canonical markup with blanks for its shortcodes; `utf8` are its texts."""
    if _SIGN.search(utf8) is None:  # as on most pages
        return markup
    brackets = [
        _Bracket(match.start(), match.end(), bool(match[1]), match[2], match[4] is not None)
        for match in in_prose(_SHORTCODE, markup)
        if match[2] not in _OF_CODE
    ]
    unwanted = [bracket for bracket, is_one in zip(brackets, _are_shortcodes(markup, brackets), strict=True) if is_one]
    if not unwanted or _SUBJECT.search(utf8):
        return markup
    blanked = bytearray(markup)
    for bracket in unwanted:
        blanked[bracket.start : bracket.stop] = b" " * (bracket.stop - bracket.start)
    return bytes(blanked)


def _are_shortcodes(markup: bytes, brackets: list[_Bracket]) -> list[bool]:
    with_values = {bracket.name for bracket in brackets if bracket.quoted}
    opened = {bracket.name for bracket in brackets if not bracket.closing}
    closed = {bracket.name for bracket in brackets if bracket.closing}
    paired = opened & closed & _OF_WORDPRESS
    return [
        bracket.quoted
        or (bracket.closing and (bracket.name in with_values or b"_" in bracket.name))
        or bracket.name in paired
        or _OF_PLUGINS.match(bracket.name) is not None
        or (b"_" in bracket.name and _stands_alone(markup, bracket))
        for bracket in brackets
    ]


def _stands_alone(markup: bytes, bracket: _Bracket) -> bool:
    """Whether a tag or another bracket stands on both sides."""
    before = markup[max(bracket.start - 20, 0) : bracket.start].rstrip()
    behind = markup[bracket.stop : bracket.stop + 20].lstrip()
    return before.endswith((b">", b"]")) and behind.startswith((b"<", b"["))

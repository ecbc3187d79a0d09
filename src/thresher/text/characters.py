"""White space and invisible characters taken out of texts that are printed.

Joiners and direction marks are part of the text and stay; the writers take rows of them out of the whole.

Chinese and Japanese have no spaces: a line end in the source between two of their characters is nothing, as CSS has it
(https://www.w3.org/TR/css-text-3/#line-break-transform); elsewhere it is a space.
"""

from __future__ import annotations

from thresher.text.invisible import without_noise
from thresher.text.patterns import compile_later

__all__ = ["clean", "clean_preformatted", "collapse", "without_east_asian_breaks"]

_LINE_END = compile_later("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_LINE_BREAK = compile_later("(?<![ \t\r])[ \t\r]*\n[ \t\r\n]*")  # a run of blanks is tried once: linear time
# U+3000 to U+9FFF and the full-width forms: ideographs, kana, their punctuation; not hangul, which has spaces.  On one
# side a curly quote, a dash or an ellipsis will do.
_EAST_ASIAN, _MARKS = r"\u3000-\u9fff\uff00-\uff7f", r"—‘’“”…"
_EAST_ASIAN_BREAK = compile_later(
    rf"(?<=[{_EAST_ASIAN}])\n(?=[{_EAST_ASIAN}{_MARKS}])|(?<=[{_MARKS}])\n(?=[{_EAST_ASIAN}])"
)
# Spaces other than U+0020 that a fixed-width listing cannot tell from one.
_WIDE_SPACE = compile_later("[\xa0\u1680\u2000-\u200a\u202f\u205f]")


def clean(value: str) -> str:
    """The string without unwanted characters; line ends and tabs stay."""
    return value if value.isprintable() else without_noise(_LINE_END.sub("\n", value))


def collapse(value: str) -> str:
    """One line: clean, each run of white space (no-break and ideographic spaces too) one space, none at the ends."""
    if not (value.isascii() and value.isprintable()):
        value = without_east_asian_breaks(without_noise(value))
    return " ".join(value.split())


def without_east_asian_breaks(value: str) -> str:
    """A text without the line ends between two East Asian characters, and the white space around them."""
    if "\n" not in value or value.isascii():
        return value
    return _EAST_ASIAN_BREAK.sub("", _LINE_BREAK.sub("\n", value))


def clean_preformatted(value: str) -> str:
    """Preformatted text: clean, line feeds as line ends, tabs and indentation as they are."""
    if value.replace("\n", "").replace("\t", "").isprintable():  # only one kind of space is
        return value
    return _WIDE_SPACE.sub(" ", clean(value))

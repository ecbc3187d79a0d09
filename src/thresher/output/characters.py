"""What no output carries: control characters, byte order marks, Unicode tag characters, layout white space.

Joiners and direction marks (U+200B–U+200F, U+202A–U+202E, U+2060–U+2069) are part of the text and stay.
"""

from __future__ import annotations

import re

__all__ = ["clean", "collapse", "lines"]

# C0 but white space, DEL, C1, the byte order mark, and the tag characters that can hide a message in plain
# sight; the two noncharacters at the end are not allowed in XML.
_UNWANTED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff\U000e0000-\U000e007f]+")
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Spaces other than U+0020 that a fixed-width listing cannot tell from one.
_WIDE_SPACE = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f]")


def clean(value: str) -> str:
    """The string without unwanted characters; line ends and tabs stay."""
    return value if value.isprintable() else _UNWANTED.sub("", _LINE_END.sub("\n", value))


def collapse(value: str) -> str:
    """One line: clean, each run of white space (no-break and ideographic spaces too) one space, none at the ends."""
    return " ".join((value if value.isprintable() else _UNWANTED.sub("", value)).split())


def lines(value: str) -> str:
    """Preformatted text: clean, line feeds as line ends, tabs and indentation as they are."""
    return _WIDE_SPACE.sub(" ", clean(value))

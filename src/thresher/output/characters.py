"""What no output carries: characters that show nothing (invisible.py), layout white space.

Joiners and direction marks are part of the text and stay; the writers take rows of them out of the whole.
"""

from __future__ import annotations

import re

from thresher.invisible import without_noise

__all__ = ["clean", "collapse", "lines"]

_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Spaces other than U+0020 that a fixed-width listing cannot tell from one.
_WIDE_SPACE = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f]")


def clean(value: str) -> str:
    """The string without unwanted characters; line ends and tabs stay."""
    return value if value.isprintable() else without_noise(_LINE_END.sub("\n", value))


def collapse(value: str) -> str:
    """One line: clean, each run of white space (no-break and ideographic spaces too) one space, none at the ends."""
    return " ".join(without_noise(value).split())


def lines(value: str) -> str:
    """Preformatted text: clean, line feeds as line ends, tabs and indentation as they are."""
    if value.replace("\n", "").replace("\t", "").isprintable():  # only one kind of space is
        return value
    return _WIDE_SPACE.sub(" ", clean(value))

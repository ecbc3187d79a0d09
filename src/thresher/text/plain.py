"""Values from a page as one line of plain text, and compared by their words."""

from __future__ import annotations

import re

from thresher.text.characters import without_east_asian_breaks
from thresher.text.invisible import without_invisible, without_noise
from thresher.text.patterns import compile_later

__all__ = ["LIMIT", "plain", "plain_unescaped", "same_words", "words_of"]

LIMIT = 1_000  # characters of any value but the description
_MARGIN = 16  # characters; more of what shows nothing stand in no row
_SOFT_HYPHEN = "\xad"

_SCRIPT = compile_later(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_COMMENT = compile_later(r"<!.*?(?:-->|>|\Z)", re.DOTALL)
_TAG = compile_later(r"<(/?)([A-Za-z][^\s/<>]*)((?:[\s/][^<>]*)?)>")  # no two parts match the same: linear time
_OPENS_TAG = compile_later(r"(?<!<)<+(?=[A-Za-z/!?])")
_WORD = compile_later(r"[^\W_]+")

# Tags that style words inside a line; any other bare <name> is more likely what the title is about.
_FORMATTING = frozenset(
    "a b big br cite code del em font i ins kbd mark p q s small span strike strong sub sup u wbr".split()
)


def plain(value: object, limit: int = LIMIT) -> str:
    """A value as one line of text without markup and control characters; "" for anything but a string.

    Markup is what an HTML parser takes for a tag: `<b>very</b> good` becomes `very good`, and a bare name that
    formats nothing stays as a word (`<canvas>: drawing` becomes `canvas: drawing`).  `a < b` is no markup.
    """
    if not isinstance(value, str):
        return ""
    if len(value) > 8 * limit:
        value = value[: 8 * limit]
    if len(value) > 2 * limit and "<" not in value and (value.isascii() or "\n" not in value):
        line = " ".join(_visible(value[: 3 * limit // 2]).split())
        if len(line) > limit + _MARGIN:  # what is cut off plays no part in what stays
            return line[:limit].rstrip()
    if not (value.isascii() and value.isprintable()):  # most are
        value = _visible(value)  # first: what is invisible may hide a tag
    if "<" in value:
        value = _without_markup(value)
    if "\n" in value:
        value = without_east_asian_breaks(value)
    value = " ".join(value.split())
    return value if len(value) <= limit else value[:limit].rstrip()


def _visible(value: str) -> str:
    """The value without what shows nothing; line ends and tabs may have become spaces."""
    if not value.isascii():
        return without_invisible(value).replace(_SOFT_HYPHEN, "")
    line = value.replace("\n", " ").replace("\t", " ")
    return line if line.isprintable() else without_noise(value)


def plain_unescaped(value: object, limit: int = LIMIT) -> str:
    """The same for a string nobody has decoded yet: entities in scripts (JSON-LD) are literal to the HTML parser."""
    if isinstance(value, str) and "&" in value:
        from html import unescape  # with a table of all entities

        value = unescape(value[: 8 * limit])
    return plain(value, limit)


def _without_markup(value: str) -> str:
    value = _COMMENT.sub(" ", _SCRIPT.sub(" ", value))
    value = _TAG.sub(_tag_text, value)
    return _OPENS_TAG.sub("", value)


def _tag_text(tag: re.Match[str]) -> str:
    """What stays of a tag: a space, nothing, or its name, set off from the words around it."""
    closing, name, rest = tag.groups()
    if name.lower() in _FORMATTING:
        return " " if name.lower() in ("br", "p") else ""
    if closing or rest.strip(" /"):
        return " "
    before, behind = tag.string[: tag.start()][-1:], tag.string[tag.end() :][:1]
    return f"{' ' * before.isalnum()}{name}{' ' * behind.isalnum()}"


def words_of(value: str) -> list[str]:
    """Runs of letters and digits in lower case, to compare what differs in punctuation only."""
    return _WORD.findall(value.casefold())


def same_words(one: str, other: str) -> bool:
    """Whether two strings differ in case, punctuation and white space only."""
    return "".join(words_of(one)) == "".join(words_of(other)) != ""

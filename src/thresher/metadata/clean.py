"""What a page says of itself is written by strangers: every string is made plain text here, every address http(s)."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urljoin, urlsplit

import numpy as np

from thresher.columns import in_link
from thresher.invisible import without_invisible
from thresher.output.characters import unbroken
from thresher.page import Page

__all__ = ["LIMIT", "address", "plain", "plain_unescaped", "same_words", "text_of", "words_of"]

LIMIT = 1_000  # characters of any value but the description
_SOFT_HYPHEN = "\xad"
_LONGEST_ADDRESS = 2_048  # what browsers and search engines take

_SCRIPT = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"<!.*?(?:-->|>|\Z)", re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z][^\s/<>]*)((?:[\s/][^<>]*)?)>")  # no two parts match the same: linear time
_OPENS_TAG = re.compile(r"(?<!<)<+(?=[A-Za-z/!?])")
_WORD = re.compile(r"[^\W_]+")
_ABSOLUTE = re.compile(r"https?://[^/]")
_NOT_IN_ADDRESS = re.compile(r"[<>\"\\`\s]")
_NOTHING = re.compile(r"https?:/{0,2}|//|[#?]")  # addresses that only seem to say something

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
    value = without_invisible(value[: 8 * limit]).replace(_SOFT_HYPHEN, "")  # first: what is invisible may hide a tag
    if "<" in value:
        value = _without_markup(value)
    value = " ".join(unbroken(value).split())
    return value if len(value) <= limit else value[:limit].rstrip()


def plain_unescaped(value: object, limit: int = LIMIT) -> str:
    """The same for a string nobody has decoded yet: entities in scripts (JSON-LD) are literal to the HTML parser."""
    if isinstance(value, str) and "&" in value:
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


def text_of(page: Page, row: int, limit: int = LIMIT, signs: bool = True) -> str:
    """The beginning of an element's text, as plain text: an unclosed heading may hold the whole page.  Without `signs`
    the links in it that have no word are left out: "¶" leads to the heading and is no part of it."""
    first, last = int(page.first[row]), int(page.last[row])
    if first == last:
        return ""
    if page.stop[last - 1] - page.start[first] > 8 * limit:
        last = first + int(np.searchsorted(page.start[first:last], page.start[first] + 8 * limit))
    gaps = [" " if spaced else "" for spaced in page.spaced[first:last].tolist()]
    pieces = page.cut(np.arange(first, last))
    if not signs:
        linked = in_link(page)[first:last].tolist()
        pieces = ["" if link and not words_of(piece) else piece for link, piece in zip(linked, pieces, strict=True)]
    return plain("".join(gap + piece for gap, piece in zip(gaps, pieces, strict=True)), limit)


def address(value: object, base: str | None = None) -> str | None:
    """An absolute http(s) address; None for anything else."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_ADDRESS:
        return None
    value = without_invisible(value).strip()
    try:
        absolute = value if _ABSOLUTE.match(value) or not base else urljoin(base, value)
        parts = urlsplit(absolute)
        host = parts.hostname
    except ValueError:  # "http://[half an IPv6 address"
        return None
    if parts.scheme not in ("http", "https") or not host or _NOT_IN_ADDRESS.search(absolute):
        return None
    return absolute if len(absolute) <= _LONGEST_ADDRESS and not _NOTHING.fullmatch(value) else None


def words_of(value: str) -> list[str]:
    """Runs of letters and digits in lower case, to compare what differs in punctuation only."""
    return _WORD.findall(value.casefold())


def same_words(one: str, other: str) -> bool:
    """Whether two strings differ in case, punctuation and white space only."""
    return "".join(words_of(one)) == "".join(words_of(other)) != ""

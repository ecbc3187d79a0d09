"""The tags of a source, read one after the other before anything is parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from thresher.text.patterns import compile_later

__all__ = ["RAW_TEXT", "Tag", "tag_end", "tags"]

RAW_TEXT = frozenset({b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes"})
_RAW_END = {name: compile_later(b"</" + name, re.IGNORECASE) for name in RAW_TEXT}

# A comment; what the standard takes for one; a tag.
_TAG = compile_later(
    rb"<!--(?:-?>|.*?(?:--!?>|\Z))|<!\[CDATA\[|<[!?][^>]*|</[^a-zA-Z][^>]*|<(/?)([a-zA-Z][^\s/>]{0,63})", re.DOTALL
)
_ANY_TAG = compile_later(rb"<(/?)([a-zA-Z][^\s/>]{0,63})")
_END_OR_QUOTE = compile_later(rb">|=\s*([\"'])")

Tag = tuple[int, int, bytes, bool]  # start, stop, name in lower case, whether it closes


def tags(source: bytes, in_drawing: Callable[[], bool] = bool) -> Iterator[Tag]:
    """The tags of a source in order, without those in comments and raw text.

    Raw text and CDATA are something else inside of drawings and formulas.  Where `in_drawing` says that such a place
    may be open, start tags in them are given and end tags are not, nor are those in a comment that may begin there: so
    nothing seems closed that is open.
    """
    here = ignored = 0  # the next tag is looked for from the first on; end tags before the second are not given
    ends: dict[bytes, int] = {}  # where raw text of a name, or CDATA, ends next: looked for once, not at each opening
    while match := (_TAG if here >= ignored else _ANY_TAG).search(source, here):
        start, stop = match.span()
        here = stop
        closing, name = match.groups()
        if name is not None:
            here = stop + 1 if source.startswith(b">", stop) else tag_end(source, stop)
            name = name.lower()
            if not closing:
                yield start, here, name, False
                if name in RAW_TEXT:
                    if ends.get(name, 0) < here:  # else the end found before is still the next one
                        end_tag = _RAW_END[name].search(source, here)
                        ends[name] = end_tag.start() if end_tag else len(source) + 1
                    if ends[name] > len(source):
                        continue
                    if not in_drawing():
                        here = ends[name]
                    elif ends[name] > ignored:
                        ignored = _behind_comment(source, here, ends[name], ends)
            elif start >= ignored:
                yield start, here, name, True
        elif source.startswith(b"<![", start):
            mark = b"]]>" if in_drawing() else b">"
            if ends.get(mark, 0) < stop:
                end = source.find(mark, stop)
                ends[mark] = end if end >= 0 else len(source)
            if not in_drawing():
                here = ends[mark]
            elif ends[mark] > ignored:
                ignored = _behind_comment(source, stop, ends[mark], ends)


def _behind_comment(source: bytes, start: int, stop: int, ends: dict[bytes, int]) -> int:
    """The end of a span, or of the comment that begins in it and goes on behind it."""
    opening = source.rfind(b"<!--", start, stop)
    if opening < 0 or source.find(b"-->", opening, stop) >= 0:
        return stop
    if ends.get(b"-->", 0) < stop:
        end = source.find(b"-->", stop)
        ends[b"-->"] = end if end >= 0 else len(source)
    return ends[b"-->"]


def tag_end(source: bytes, at: int) -> int:
    """Where a tag ends: after the first ">" that stands in no quoted value."""
    while mark := _END_OR_QUOTE.search(source, at):
        if mark[1] is None:
            return mark.end()
        at = source.find(mark[1], mark.end()) + 1
        if not at:
            break
    return len(source)

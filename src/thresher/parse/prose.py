"""What is found in the texts of canonical markup that are in no code."""

from __future__ import annotations

import re

from thresher.text.patterns import compile_later

__all__ = ["in_prose"]

_TAG = compile_later(rb"<(?:(/?)(pre|code|samp|kbd|tt|listing|xmp|textarea)(?=[ >]))?[^>]*>")


def in_prose(pattern: re.Pattern[bytes], markup: bytes) -> list[re.Match[bytes]]:
    """The matches of a pattern, which spans no tag, that stand in texts and in no code."""
    found = list(pattern.finditer(markup))
    if not found:
        return found
    kept, at = [], 0
    depth = stop = 0
    for tag in _TAG.finditer(markup):
        start = tag.start()
        while at < len(found) and found[at].start() < start:
            if depth == 0 and found[at].start() >= stop:
                kept.append(found[at])
            at += 1
        if at == len(found):
            break
        stop = tag.end()
        if tag[2]:
            depth = max(depth - 1, 0) if tag[1] else depth + 1
    return kept + [match for match in found[at:] if depth == 0 and match.start() >= stop]

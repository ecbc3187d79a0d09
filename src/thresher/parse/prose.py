"""What is found in the texts of canonical markup that are in no code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from thresher.text.patterns import compile_later

__all__ = ["in_prose"]

_CODE = compile_later(rb"<(/?)(?:pre|code|samp|kbd|tt|listing|xmp|textarea)(?=[ >])")


def in_prose(pattern: re.Pattern[bytes], markup: bytes) -> list[re.Match[bytes]]:
    """The matches of a pattern, which spans no tag, that stand in texts and in no code."""
    found = list(_outside_tags(pattern, markup))
    if not found:
        return found
    kept, at, depth = [], 0, 0
    for tag in _outside_tags(_CODE, markup):
        while at < len(found) and found[at].start() < tag.start():
            if depth == 0:
                kept.append(found[at])
            at += 1
        if at == len(found):
            break
        depth = max(depth - 1, 0) if tag[1] else depth + 1
    return kept if depth else kept + found[at:]


def _outside_tags(pattern: re.Pattern[bytes], markup: bytes) -> Iterator[re.Match[bytes]]:
    """The matches before which no tag is open; names that are malformed hold `<`."""
    passed, is_open = 0, False
    for match in pattern.finditer(markup):
        start = match.start()
        opened, closed = markup.rfind(b"<", passed, start), markup.rfind(b">", passed, start)
        if opened != closed:
            is_open = opened > closed
        passed = start
        if not is_open:
            yield match

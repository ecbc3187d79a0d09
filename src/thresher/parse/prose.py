"""The texts in canonical markup that are in no code."""

from __future__ import annotations

from collections.abc import Iterator

from thresher.text.patterns import compile_later

__all__ = ["prose_spans"]

_TAG = compile_later(rb"<(?:(/?)(pre|code|samp|kbd|tt|listing|xmp|textarea)(?=[ >]))?[^>]*>")


def prose_spans(markup: bytes) -> Iterator[tuple[int, int]]:
    """Where each text that is in no code begins and ends."""
    depth = stop = 0
    for tag in _TAG.finditer(markup):
        if depth == 0 and stop < tag.start():
            yield stop, tag.start()
        stop = tag.end()
        if tag[2]:
            depth = max(depth - 1, 0) if tag[1] else depth + 1
    if depth == 0 and stop < len(markup):
        yield stop, len(markup)

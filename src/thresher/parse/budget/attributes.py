"""Tags with thousands of attributes, which the parser would need seconds for: it looks up the earlier ones at every
further one.  They are found before the parse and reduced to their names; what is suspect only costs a walk over all
tags."""

from __future__ import annotations

import numpy as np

from thresher.parse.budget.kernels import count_attributes, has_tag_end, next_long_stretch
from thresher.parse.budget.source_tags import tag_end, tags
from thresher.text.patterns import compile_later

__all__ = ["may_swell", "without_swollen_tags"]

_STRETCH = 4096  # bytes of a tag that call for a closer look; the fewer, the more room there is for such tags
_STRETCHES = _STRETCH * 2_000_000  # times bytes of the source
_PAIRS = 60_000_000  # of attributes of a tag; the parser compares as many in a fifth of a second
_ATTRIBUTES = 300  # of a tag that are read where there are more pairs; fewer take it less than a millisecond
_OPENING = compile_later(rb"<[a-zA-Z]")
_STEP, _WINDOW, _RUN = 1 << 15, 1 << 10, 5
_MAX_LONG_TAGS = 8  # in a row of such parts, of which the attributes are counted


def may_swell(source: bytes) -> bool:
    """Whether there may be tags with so many attributes that the parser compares more pairs of them than its budget."""
    return _has_long_tags(source) or _has_longer_tags(source)


def _has_long_tags(source: bytes) -> bool:
    """Whether long stretches without `>` are tags with too many attributes.

    Ordinary pages have few such stretches, in scripts and long texts.  They are found in hops from one `>` to the
    last one within reach, so that hardly a byte is looked at where tags are as dense as usual.
    """
    size = min(_STRETCH, _STRETCHES // max(len(source), 1))
    pairs = 0
    end = next_long_stretch(source, -1, size)  # of the tag before
    while end < len(source):
        last = source.find(b">", end + 1 + size)
        last = last if last >= 0 else len(source)
        first = source.find(b"<", end + 1, last)
        tag = _OPENING.search(source, first, last) if first >= 0 else None
        start = tag.start() if tag else _open_before(source, end)
        if last - start > size:
            attributes = count_attributes(source, start, last)
            pairs += attributes**2 if attributes > _ATTRIBUTES else 0
        end = next_long_stretch(source, last, size)
    return pairs > _PAIRS


def _open_before(source: bytes, end: int) -> int:
    """Where the tag starts that goes on behind a `>`, which then stands in a quoted value; the end if there is none."""
    start = source.rfind(b"<", 0, max(end, 0))
    return start if start >= 0 and tag_end(source, start) > end + 1 else len(source)


def _has_longer_tags(source: bytes) -> bool:
    """Whether a long part of the source is a single tag with `>` in its values.

    In a tag no `>` stands outside of a value; elsewhere hardly a kilobyte is without, but in scripts.  One is looked at
    out of every 32.  Where some in a row are without, such a tag would start between the first of them and the one
    before.
    """
    run = 0
    for at in range(0, len(source) if len(source) >= _RUN * _STEP else 0, _STEP):
        run = 0 if has_tag_end(source, at, min(at + _WINDOW, len(source))) else run + 1
        first = at - (_RUN - 1) * _STEP
        if run == _RUN and _goes_on(source, max(first - _STEP, 0), first + _WINDOW, at):
            return True
    return False


def _goes_on(source: bytes, start: int, stop: int, behind: int) -> bool:
    """Whether a tag with many attributes that starts between two places ends behind a third.  Its first `>` stands in a
    value then, so that there is an odd number of quotes before."""
    buffer = np.frombuffer(source[start:stop], np.uint8)
    opening = (buffer[:-1] == ord("<")).nonzero()[0]
    opening = opening[(buffer[opening + 1] | 0x20) - np.uint8(ord("a")) < 26]
    ends = np.append((buffer == ord(">")).nonzero()[0], len(buffer))
    first = ends[ends.searchsorted(opening)]
    odd = np.zeros(len(opening), bool)
    for quote in b"\"'":
        places = (buffer == quote).nonzero()[0]
        odd |= ((places.searchsorted(first) - places.searchsorted(opening)) & 1).astype(bool)
    passed = long = 0
    for tag in (start + opening[odd]).tolist():
        end = tag_end(source, tag) if tag >= passed else 0
        if end > behind:  # most such tags hold one long value
            long += 1
            if long > _MAX_LONG_TAGS or count_attributes(source, tag, end) > _ATTRIBUTES:
                return True
        else:
            passed = max(passed, end)
    return False


def without_swollen_tags(source: bytes) -> tuple[bytes, int]:
    """The source with tags of hundreds of attributes reduced to their names, and how many there were."""
    pieces: list[bytes] = []
    copied = swollen = 0
    for start, stop, name, closing in tags(source):
        if stop - start > _ATTRIBUTES and not closing and count_attributes(source, start, stop) > _ATTRIBUTES:
            pieces += source[copied:start], b"<" + name + b">"
            copied = stop
            swollen += 1
    pieces.append(source[copied:])
    return b"".join(pieces), swollen

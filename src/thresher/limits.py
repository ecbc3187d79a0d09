"""How much of a page we read: bytes, elements, depth.  What exceeds a budget is cut, and a Problem says so.

Three things are judged before the parse, because lexbor's time is quadratic in them: it looks up the stack of open
elements at every start tag (100,000 nested `div` take half a minute), the attributes of a tag at every further one, and
the options of a list at every further option.  `fit` takes the tags out that open elements deeper than the budget, the
attributes out of tags that have thousands, and the tags of options beyond the ten thousandth.  Text stays where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from thresher.data.tags import CLOSES, VOID
from thresher.page import Problem
from thresher.words8 import name_words

__all__ = ["LIMITS", "Limits", "fit"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets for one page; the defaults are far beyond what people write and below what hurts."""

    bytes: int = 64_000_000  # of the source
    tags: int = 3_000_000  # opening and closing tags
    depth: int = 3_000  # nested elements; the deepest of 1,497 real pages has 80


LIMITS = Limits()

_LESS_THAN, _SLASH = ord("<"), ord("/")
# lexbor needs about 0.3 s for this many nested elements, so a page with fewer tags needs no look beforehand.
_HARMLESS = 12_000

_PIECE = 1 << 16
_STRETCH = 4096  # bytes without an angle bracket that call for a closer look; an eighth of that in large pages
_LARGE = 2_000_000
_ATTRIBUTES = 1_000  # of a tag; lexbor needs some milliseconds for as many
_VALUE = re.compile(rb"=\s*(?:\"[^\"]*\"|'[^']*')")
_OPTIONS = 10_000
_OPTION = re.compile(rb"</?option\b[^<>]*>", re.IGNORECASE)
_NAME = re.compile(rb"[a-zA-Z][^\s/>]{0,63}")
_RAW = frozenset({b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes"})
_VOID = frozenset(name.encode() for name in VOID)
_CLOSES = {name.encode(): frozenset(other.encode() for other in others) for name, others in CLOSES.items()}


def fit(source: bytes, limits: Limits, deep: bool = False) -> tuple[bytes, list[Problem]]:
    """The source within the budgets for tags and depth, and what was cut.

    `deep` says that the depth is known to exceed the budget; otherwise the cheap test comes first: a page
    with few tags cannot be deep enough to hurt.
    """
    problems: list[Problem] = []
    source, problem = _without_swollen_tags(source)
    problems += problem
    array = np.frombuffer(source, np.uint8)
    # Piece by piece, so that the work stays in the processor's cache.
    count = sum(int(np.count_nonzero(array[at : at + _PIECE] == _LESS_THAN)) for at in range(0, len(array), _PIECE))
    if count > _OPTIONS:
        source, problem = _without_options(source)
        problems += problem
    if count > limits.tags:
        source = source[: int(np.flatnonzero(array == _LESS_THAN)[limits.tags])]
        problems.append(Problem("too_large", f"only the first {limits.tags:,} of {count:,} tags were read"))
    if deep or (count > max(_HARMLESS, limits.depth) and _depth_bound(source) > limits.depth):
        flat, dropped = _flatten(source, limits.depth)
        if dropped:
            source = flat
            problems.append(
                Problem("too_deep", f"{dropped:,} elements nested deeper than {limits.depth:,} were unwrapped")
            )
    return source, problems


def _without_swollen_tags(source: bytes) -> tuple[bytes, list[Problem]]:
    """The source with tags of thousands of attributes reduced to their names."""
    if not _may_swell(source):
        return source, []
    pieces: list[bytes] = []
    copied = swollen = 0
    for start, stop, name, closing in _tags(source):
        if stop - start > _ATTRIBUTES and not closing and _attributes(source[start:stop]) > _ATTRIBUTES:
            pieces += source[copied:start], b"<" + name + b">"
            copied = stop
            swollen += 1
    pieces.append(source[copied:])
    problem = Problem("too_large", f"the attributes of {swollen:,} tags were too many to be read")
    return b"".join(pieces), [problem] if swollen else []


def _attributes(tag: bytes) -> int:
    """About how many attributes a tag has."""
    names = _VALUE.sub(b" ", tag)
    return max(len(names.split()), names.count(b"="))


def _may_swell(source: bytes) -> bool:
    """Whether there may be a tag with too many attributes.

    Such a tag is a long stretch without an angle bracket, so whole blocks of the source hold none.  Ordinary pages have
    few such blocks, in scripts and long texts; what stands there is looked at as if it were a tag.
    """
    size = _STRETCH if len(source) < _LARGE else _STRETCH // 8
    whole = np.frombuffer(source, np.uint8, len(source) // size * size)
    bare = ~((whole & 0xFD) == _LESS_THAN).reshape(-1, size).any(axis=1)
    bare[1:] &= ~bare[:-1]  # the first of several such blocks: an angle bracket stands in the block before it
    for at in (np.flatnonzero(bare) * size).tolist():
        start = source.rfind(b"<", max(0, at - size), at)
        if start > source.rfind(b">", max(0, at - size), at) and _NAME.match(source, start + 1):
            stop = source.find(b">", at)
            if _attributes(source[start : stop if stop >= 0 else len(source)]) > _ATTRIBUTES:
                return True
    return False


def _without_options(source: bytes) -> tuple[bytes, list[Problem]]:
    """The source without the tags of options beyond the budget."""
    options = list(_OPTION.finditer(source))
    if len(options) <= _OPTIONS:
        return source, []
    kept = options[_OPTIONS].start()
    problem = Problem("too_large", f"only the first {_OPTIONS:,} of {len(options):,} options of lists were read")
    return source[:kept] + _OPTION.sub(b" ", source[kept:]), [problem]


def _depth_bound(source: bytes) -> int:
    """No element of the page is deeper than this.

    For each name, an element of that name has at most max_t (opened - closed) of its kind above it, where the
    difference never falls below zero (a stray closing tag closes nothing).  The bound is the sum over names.
    Names longer than 8 bytes count as never closed, unclosed `p` and `li` as nested: such pages are looked at
    again, tag by tag.  O(t log t) for t tags, no loop.
    """
    padded = np.frombuffer(source + bytes(2), np.uint8)
    at = np.flatnonzero(padded == _LESS_THAN) + 1
    closing = padded[at] == _SLASH
    at += closing
    letter = padded[at] | 0x20
    is_tag = (letter >= ord("a")) & (letter <= ord("z"))
    at, closing = at[is_tag], closing[is_tag]
    if not len(at):
        return 0
    word, whole = name_words(padded, at, before=0x21, also=(ord("/"), ord(">")))
    word |= np.uint64(0x2020202020202020) & whole  # lower case; all that matters is that equal names stay equal
    void = np.isin(word, _VOID_WORDS) & (whole != _ALL)
    counted = ~void & ~(closing & (whole == _ALL))
    word, step = word[counted], np.where(closing[counted], -1, 1)
    if not len(word):
        return 0
    order = np.argsort(word, kind="stable")
    word, step = word[order], step[order]
    starts = np.flatnonzero(np.concatenate(([True], word[1:] != word[:-1])))
    segment = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(word))))
    running = np.cumsum(step)
    running -= (running[starts] - step[starts])[segment]
    # One running minimum serves all names: each segment lies far below the one before it.
    floor = segment * -(2 * len(word) + 1)
    lowest = np.minimum(np.minimum.accumulate(running + floor) - floor, 0)
    return int(np.maximum.reduceat(running - lowest, starts).sum())


_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_VOID_WORDS = np.array([int.from_bytes(name.ljust(8, b"\0"), "little") for name in _VOID if len(name) <= 8], np.uint64)


def _tags(source: bytes) -> Iterator[tuple[int, int, bytes, bool]]:
    """Start, stop, name and whether it closes of each tag; comments and raw text are passed over."""
    here = source.find(b"<")
    while here >= 0:
        if source.startswith(b"<!--", here):
            stop = source.find(b"-->", here)
            if stop < 0:
                return
            here = source.find(b"<", stop)
            continue
        closing = source.startswith(b"/", here + 1)
        match = _NAME.match(source, here + 1 + closing)
        if match is None:
            here = source.find(b"<", here + 1)
            continue
        stop = source.find(b">", match.end()) + 1
        if not stop:
            yield here, len(source), match[0].lower(), closing
            return
        name = match[0].lower()
        yield here, stop, name, closing
        if name in _RAW and not closing:
            end = source.find(b"</" + name, stop)
            stop = end if end >= 0 else stop
        here = source.find(b"<", stop)


def _flatten(source: bytes, depth: int) -> tuple[bytes, int]:
    """The source without the tags of elements deeper than `depth`, and how many elements that concerns.

    One walk over the tags with a stack of names; slow, and only for pages that the bound above suspects.
    """
    pieces: list[bytes] = []
    stack: list[bytes] = []
    opened: dict[bytes, int] = {}
    copied = dropped = 0
    for start, stop, name, closing in _tags(source):
        cut = False
        if closing:
            if opened.get(name):
                cut = len(stack) > depth
                while stack:
                    top = stack.pop()
                    opened[top] -= 1
                    if top == name:
                        break
        elif name not in _VOID and name not in _RAW:
            while stack and stack[-1] in _CLOSES.get(name, ()):
                opened[stack.pop()] -= 1
            stack.append(name)
            opened[name] = opened.get(name, 0) + 1
            cut = len(stack) > depth
            dropped += cut
        if cut:
            if start > copied or not pieces:
                pieces += source[copied:start], b" "  # what the tag kept apart stays apart
            copied = stop
    pieces.append(source[copied:])
    return b"".join(pieces), dropped

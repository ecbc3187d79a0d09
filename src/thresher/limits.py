"""How much of a page we read: bytes, tags, elements, depth.  What exceeds a budget is cut, and a Problem says so.

Some things are judged before the parse, because the parser's time or memory is quadratic in them:

    nested elements              it looks up the open ones at every start tag; 100,000 `div` take half a minute
    unclosed formatting          each `b` left open is opened anew in every paragraph; 60 KB of source become 130 MB
    attributes of one tag        it looks up the earlier ones at every further one
    further `html` and `body`    their attributes all go to the first
    options of lists             it looks up the others

`fit` takes out the tags (unnest.py), attributes and options that are too many.  Text stays where it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.page import Problem
from thresher.unnest import REOPENED, nests, tags, unnest

__all__ = ["LIMITS", "Limits", "fit"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets for one page; the defaults are far beyond what people write and below what hurts."""

    bytes: int = 32_000_000  # of the source
    tags: int = 2_500_000  # opening and closing tags
    elements: int = 1_200_000  # opening tags
    depth: int = 3_000  # nested elements; the deepest of 1,497 real pages has 80


LIMITS = Limits()

_LESS_THAN, _SLASH = ord("<"), ord("/")
_STRETCH = 4096  # bytes from one tag to the next that call for a closer look; an eighth of that in large pages
_LARGE = 2_000_000
_ATTRIBUTES = 300  # of a tag; the parser needs less than a millisecond for as many
_VALUE = re.compile(rb"=\s*(?:\"[^\"]*\"|'[^']*')")
_OPTIONS = 10_000
_OPTION = re.compile(rb"</?option\b[^<>]*>", re.IGNORECASE)
_ROOTS = 100  # start tags of html and body
_ROOT = re.compile(rb"<(?:html|body)(?=[\s/])[^<>]*>", re.IGNORECASE)
_NAME = re.compile(rb"[a-zA-Z][^\s/>]{0,63}")

# Fewer tags than this are nested in each other at a cost of less than a second; one real page in a thousand has more.
_MANY = 20_000
# Steps of the parser: open elements looked at, summed over all tags, at some 4 ns each.
_STEPS = 400_000_000
_SHALLOWEST = 300  # depth that is kept however many tags there are
_REOPENED = 1_000_000  # elements that the parser may open anew
_WALKED = 1_000_000  # tags looked at one by one

# Tags by their first two letters, as one number, and a few others that begin alike: formatting elements, options and
# their end tags, roots.
_FORMATS, _LIKE_OPTION, _LIKE_ROOT = np.zeros((3, 1 << 16), bool)
for _table, _names in ((_FORMATS, REOPENED), (_LIKE_OPTION, (b"option", b"/option")), (_LIKE_ROOT, (b"html", b"body"))):
    for _name in _names:
        for _second in _name[1:2] or b" \t\n\f\r/>":
            _table[_name[0] | 0x20 | (_second | 0x20) << 8] = True
# Formatting that is closed at once, written in the plainest way.
_CLOSED_AT_ONCE = re.compile(
    rb"<(" + b"|".join(sorted(REOPENED, reverse=True)) + rb")"
    rb"(?:\s+[a-z-]+=(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'`=<>]+))*\s*>[^<]*</\1\s*>",
    re.IGNORECASE,
)


def fit(source: bytes, limits: Limits, deep: bool = False) -> tuple[bytes, list[Problem]]:
    """The source within the budgets for tags and depth, and what was cut.

    `deep` says that the depth is known to exceed the budget.
    """
    problems: list[Problem] = []
    if _may_swell(source):
        source, problem = _without_swollen_tags(source)
        problems += problem
    count = int(np.count_nonzero(_angles(source)))
    if count > _OPTIONS:
        _, pair = _tag_pairs(source)
        for most, alike, reduced in ((_OPTIONS, _LIKE_OPTION, _without_options), (_ROOTS, _LIKE_ROOT, _without_roots)):
            if np.count_nonzero(alike[pair]) > most:
                source, problem = reduced(source)
                problems += problem
    if count > min(limits.tags, limits.elements):
        source, problem = _cut(source, limits)
        problems += problem
    many = deep or count > min(_MANY, limits.depth * _MANY // LIMITS.depth)
    if many or _may_reopen(source, count):
        source, problem = _unnested(source, min(count, _WALKED), limits.depth if many else count)
        problems += problem
    return source, problems


def _angles(source: bytes) -> NDArray[np.bool_]:
    """Which bytes are `<`."""
    found: NDArray[np.bool_] = np.frombuffer(source, np.uint8) == _LESS_THAN
    return found


def _may_reopen(source: bytes, count: int) -> bool:
    """Whether formatting elements may be left open so often that the parser would open more than its budget anew.

    At most every formatting element is opened again after every tag, of which there are `count` or fewer.  First all
    that begin like one are counted, then those left out that are closed at once.
    """
    if count * count <= 4 * _REOPENED:
        return False
    at, pair = _tag_pairs(source)
    formatting = at[_FORMATS[pair]].tolist()  # start tags: the first letter of others is a slash
    if len(formatting) * count <= _REOPENED:
        return False
    closed = sum(_CLOSED_AT_ONCE.match(source, start) is not None for start in formatting)
    return (len(formatting) - closed) * count > _REOPENED


def _tag_pairs(source: bytes) -> tuple[NDArray[np.intp], NDArray[np.uint16]]:
    """Where `<` stands, and the two letters behind it, in lower case, as a number."""
    padded = source + b"\0\0"
    at = np.flatnonzero(_angles(source))
    pairs: NDArray[np.uint16] = np.ndarray((len(padded) - 1,), "<u2", padded, strides=(1,))
    return at, pairs[at + 1] | np.uint16(0x2020)


def _unnested(source: bytes, count: int, most: int) -> tuple[bytes, list[Problem]]:
    depth = min(most, max(_SHALLOWEST, _STEPS // max(count, 1)))
    pending = max(_REOPENED // max(count, 1), 2)
    if not nests(source, depth, pending):
        return source, []
    flat, deeper, reopened, read = unnest(source, depth, pending, _WALKED)
    problems = []
    if read < len(source):
        problems.append(Problem("too_large", f"only the first {_WALKED:,} tags were read"))
    if deeper:
        problems.append(Problem("too_deep", f"{deeper:,} elements nested deeper than {depth:,} were unwrapped"))
    if reopened:
        problems.append(Problem("too_deep", f"{reopened:,} formatting tags were left out: too many are not closed"))
    return (flat, problems) if problems else (source, [])


def _cut(source: bytes, limits: Limits) -> tuple[bytes, list[Problem]]:
    """The source up to the last tag within the budgets."""
    padded = np.frombuffer(source + b"\0", np.uint8)
    at = np.flatnonzero(padded == _LESS_THAN)
    opening = np.cumsum(padded[at + 1] != _SLASH)
    last = min(limits.tags, int(np.searchsorted(opening, limits.elements, "right")))
    if last >= len(at):
        return source, []
    return source[: int(at[last])], [Problem("too_large", f"only the first {last:,} of {len(at):,} tags were read")]


def _without_swollen_tags(source: bytes) -> tuple[bytes, list[Problem]]:
    """The source with tags of hundreds of attributes reduced to their names."""
    pieces: list[bytes] = []
    copied = swollen = 0
    for start, stop, name, closing in tags(source):
        if stop - start > _ATTRIBUTES and not closing and _attributes(source[start:stop]) > _ATTRIBUTES:
            pieces += source[copied:start], b"<" + name + b">"
            copied = stop
            swollen += 1
    pieces.append(source[copied:])
    problem = Problem("too_large", f"the attributes of {swollen:,} tags were too many to be read")
    return b"".join(pieces), [problem] if swollen else []


def _attributes(tag: bytes) -> int:
    """About how many attributes a tag has."""
    return _at_most(_VALUE.sub(b" ", tag))


def _at_most(tag: bytes) -> int:
    """More attributes than this a tag cannot have; they are set apart by white space, slashes or quotes."""
    return max(len(tag.replace(b"/", b" ").split()), tag.count(b"="))


def _may_swell(source: bytes) -> bool:
    """Whether there may be a tag with too many attributes.

    Such a tag is a long stretch without another one.  Ordinary pages have few, in scripts and long texts.  Cut the
    source into pieces of half the length of such a stretch: one of them has no `<`.
    """
    size = _STRETCH if len(source) < _LARGE else _STRETCH // 8
    piece = size // 2
    whole = len(source) // piece * piece
    bare: NDArray[np.bool_] = ~np.logical_or.reduce(_angles(source)[:whole].reshape(-1, piece), axis=1)
    bare[1:] &= ~bare[:-1]  # the first of each run
    cleared = 0
    for at in (np.flatnonzero(bare) * piece).tolist():
        start = source.rfind(b"<", cleared, at)
        if start < 0 or not _NAME.match(source, start + 1):
            continue
        stop = source.find(b">", start)
        stop = stop if stop >= 0 else len(source)
        if stop - start <= size:
            continue
        tag = source[start:stop]
        if _attributes(tag) > _ATTRIBUTES:
            return True
        if _at_most(tag) <= _ATTRIBUTES:
            cleared = stop  # no tag that starts inside has more
    return False


def _without_options(source: bytes) -> tuple[bytes, list[Problem]]:
    """The source without the tags of options beyond the budget."""
    options = list(_OPTION.finditer(source))
    if len(options) <= _OPTIONS:
        return source, []
    kept = options[_OPTIONS].start()
    problem = Problem("too_large", f"only the first {_OPTIONS:,} of {len(options):,} options of lists were read")
    return source[:kept] + _OPTION.sub(b" ", source[kept:]), [problem]


def _without_roots(source: bytes) -> tuple[bytes, list[Problem]]:
    """The source without further start tags of html and body that have attributes."""
    roots = list(_ROOT.finditer(source))
    if len(roots) <= _ROOTS:
        return source, []
    kept = roots[_ROOTS].start()
    problem = Problem("too_large", f"only the first {_ROOTS} of {len(roots):,} html and body tags were read")
    return source[:kept] + _ROOT.sub(b" ", source[kept:]), [problem]

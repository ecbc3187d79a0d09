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
from thresher.page.types import Rows
from thresher.parse.budget.attributes import may_swell, without_swollen_tags
from thresher.parse.budget.kernels import FORMATTING
from thresher.parse.budget.nesting import REOPENED, may_nest, nests, unnest
from thresher.parse.survey import LIKE, Survey, survey
from thresher.text.patterns import compile_later

__all__ = ["LIMITS", "Limits", "fit"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets for one page; the defaults are far beyond what people write and below what hurts."""

    bytes: int = 32_000_000  # of the source
    tags: int = 2_500_000  # opening and closing tags
    elements: int = 1_200_000  # opening tags
    depth: int = 3_000  # nested elements; the deepest of 1,497 real pages has 80

    def __post_init__(self) -> None:
        for name in ("bytes", "tags", "elements", "depth"):
            if not (isinstance(getattr(self, name), int) and getattr(self, name) >= 0):
                raise ValueError(f"{name} is a number of 0 or more, not {getattr(self, name)!r}")


LIMITS = Limits()

Pairs = NDArray[np.uint16]

_LESS_THAN, _SLASH = ord("<"), ord("/")
_MAX_OPTIONS = 10_000
_OPTION = compile_later(rb"</?option\b[^<>]*>", re.IGNORECASE)
_MAX_ROOTS = 100  # start tags of html and body
_ROOT = compile_later(rb"<(?:html|body)(?=[\s/])[^<>]*>", re.IGNORECASE)

# Fewer tags than this are nested in each other at a cost of less than a second; one real page in a thousand has more.
_MAX_UNCHECKED_TAGS = 20_000
# Steps of the parser: open elements looked at, summed over all tags, at some 4 ns each.
_MAX_PARSER_STEPS = 400_000_000
_MIN_DEPTH_LIMIT = 300  # depth that is kept however many tags there are
_MAX_REOPENED = 1_000_000  # elements that the parser may open anew; FEW_TAGS, k of n for formatting, are reopened after
# n - k others: at most n² / 4 times
_MAX_WALKED_TAGS = 1_000_000  # tags looked at one by one

# A formatting element, and whether it is closed at once: plainly written, with nothing but `a` and `span` in it.
_PLAIN = rb"(?:\s+[a-z-]+=(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'`=<>]+))*\s*>[^<]*"
_FORMATTING = compile_later(
    rb"<(" + b"|".join(sorted(REOPENED, reverse=True)) + rb")(?=[\s/>])"
    rb"(?P<closed>" + _PLAIN + rb"(?:</?(?:a|span)" + _PLAIN + rb")*</\1\s*>)?",
    re.IGNORECASE,
)


def fit(source: bytes, limits: Limits, seen: Survey | None = None, deep: bool = False) -> tuple[bytes, list[Problem]]:
    """The source within the budgets for tags and depth, and what was cut.

    `deep` says that the depth is known to exceed the budget.
    """
    problems: list[Problem] = []
    if may_swell(source):
        source, swollen = without_swollen_tags(source)
        if swollen:
            problems.append(Problem("too_large", f"the attributes of {swollen:,} tags were too many to be read"))
    seen = survey(source, seen)
    count = seen.tags
    many = deep or count > min(_MAX_UNCHECKED_TAGS, limits.depth * _MAX_UNCHECKED_TAGS // LIMITS.depth)
    reopens = False
    if seen.reopened > _MAX_REOPENED:
        reopens = _reopened(source, _tag_places(source), _MAX_REOPENED) > _MAX_REOPENED
    for number, most, reduced in (
        (seen.options, _MAX_OPTIONS, _without_options),
        (seen.roots, _MAX_ROOTS, _without_roots),
    ):
        if count > _MAX_OPTIONS and number > most:
            source, problem = reduced(source)
            problems += problem
    if count > min(limits.tags, limits.elements):
        source, problem = _cut(source, limits)
        problems += problem
    if many or reopens:
        source, problem = _unnested(source, min(count, _MAX_WALKED_TAGS), limits.depth if many else count, deep)
        problems += problem
    return source, problems


def _tag_places(source: bytes) -> Rows:
    """Where tags start."""
    places: Rows = (np.frombuffer(source, np.uint8)[:-2] == _LESS_THAN).nonzero()[0]
    return places


def _reopened(source: bytes, at: Rows, most: int) -> int:
    """More formatting elements than this the parser does not open anew because they were left open.

    At most each of them is opened again after every tag behind it.  All tags that begin like one are counted; if that
    makes more than `most`, those are left out that are something else or closed at once.
    """
    everywhere: Pairs = np.ndarray((len(source) - 1,), "<u2", source, strides=(1,))
    pair: Pairs = everywhere[at + 1] | np.uint16(0x2020)  # the two letters behind each place, in lower case
    formatting = (LIKE[pair] == FORMATTING).nonzero()[0]  # start tags: the first letter of others is a slash
    behind = len(at) - formatting
    total = int(behind.sum())
    if total <= most:
        return total
    elements = (_FORMATTING.match(source, start) for start in at[formatting].tolist())
    return sum(count for tag, count in zip(elements, behind.tolist(), strict=True) if tag and not tag["closed"])


def _unnested(source: bytes, count: int, most: int, deep: bool) -> tuple[bytes, list[Problem]]:
    depth = min(most, max(_MIN_DEPTH_LIMIT, _MAX_PARSER_STEPS // max(count, 1)))
    pending = max(_MAX_REOPENED // max(count, 1), 2)
    if not (deep or may_nest(source, depth, pending)) or not nests(source, depth, pending):
        return source, []
    flat, deeper, reopened, read = unnest(source, depth, pending, _MAX_WALKED_TAGS)
    problems = []
    if read < len(source):
        problems.append(Problem("too_large", f"only the first {_MAX_WALKED_TAGS:,} tags were read"))
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


def _without_options(source: bytes) -> tuple[bytes, list[Problem]]:
    """The source without the tags of options beyond the budget."""
    options = list(_OPTION.finditer(source))
    if len(options) <= _MAX_OPTIONS:
        return source, []
    kept = options[_MAX_OPTIONS].start()
    problem = Problem("too_large", f"only the first {_MAX_OPTIONS:,} of {len(options):,} options of lists were read")
    return source[:kept] + _OPTION.sub(b" ", source[kept:]), [problem]


def _without_roots(source: bytes) -> tuple[bytes, list[Problem]]:
    """The source without further start tags of html and body that have attributes."""
    roots = list(_ROOT.finditer(source))
    if len(roots) <= _MAX_ROOTS:
        return source, []
    kept = roots[_MAX_ROOTS].start()
    problem = Problem("too_large", f"only the first {_MAX_ROOTS} of {len(roots):,} html and body tags were read")
    return source[:kept] + _ROOT.sub(b" ", source[kept:]), [problem]

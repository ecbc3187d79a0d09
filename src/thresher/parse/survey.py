"""What one pass over a source tells of it before it is parsed: which of the rarer steps it needs.

Hardly a page needs any of them: most have few tags, no `noscript` that takes what stands behind it, and no damage.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from thresher.parse.budget.kernels import COUNTED, FORMATTING, OPTION, ROOT, find_start_tag, survey_source
from thresher.parse.budget.nesting import REOPENED

__all__ = ["FEW_TAGS", "LIKE", "Survey", "noscripts", "survey"]

FEW_TAGS = 2_000  # that are not looked at: not even of formatting can they make too much
_MAX_NOSCRIPTS = 100  # whose places are written down
_MIN_MISREAD_SHARE = 0.9  # of the letters from À to ÿ

# Tags by their first two letters, as one number, and a few others that begin alike: formatting elements, options and
# their end tags, roots.
LIKE = np.zeros(1 << 16, np.uint8)
for _kind, _names in ((FORMATTING, REOPENED), (OPTION, (b"option", b"/option")), (ROOT, (b"html", b"body"))):
    for _name in _names:
        for _second in _name[1:2] or b" \t\n\f\r/>":
            LIKE[_name[0] | 0x20 | (_second | 0x20) << 8] = _kind


class Survey(NamedTuple):
    """Counts of what a source holds; those of options and the like are about right, and 0 where tags are few."""

    source: bytes
    tags: int
    reopened: int  # elements that the parser may open anew, at most
    options: int
    roots: int
    noscripts: int
    first_noscripts: list[int]  # where they start
    may_be_misread: bool  # UTF-8 as windows-1252


def survey(source: bytes, known: Survey | None = None) -> Survey:
    """Look at every byte once, unless this source is the one that a survey is known of."""
    if known is not None and known.source is source:
        return known
    counted = np.empty(len(COUNTED) + _MAX_NOSCRIPTS, np.int64)
    survey_source(source, memoryview(source)[: len(source) & -8].cast("Q"), LIKE, FEW_TAGS, counted)
    tags, reopened, options, roots, _, number, accents, misread, marks = counted[: len(COUNTED)].tolist()
    first = counted[len(COUNTED) : len(COUNTED) + number].tolist() if number else []
    is_misread = marks > 0 or (misread > 0 and misread >= _MIN_MISREAD_SHARE * accents)
    return Survey(source, tags, reopened, options, roots, number, first, is_misread)


def noscripts(seen: Survey) -> Iterator[int]:
    """Where start tags of `noscript` stand; some may be in scripts and comments."""
    yield from seen.first_noscripts
    if seen.noscripts > len(seen.first_noscripts):
        start = seen.first_noscripts[-1]
        while (start := find_start_tag(seen.source, b"noscript", start + 1)) >= 0:
            yield start

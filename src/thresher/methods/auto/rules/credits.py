"""The lines that say who wrote a text and when, read word by word (byline.py finds them)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from thresher.methods.auto.kernels import columns as col
from thresher.page.types import Ints
from thresher.text.dates import Reading
from thresher.text.language import normalise
from thresher.text.names import is_role, parse_names, text_after_by
from thresher.text.phrases import openings

__all__ = ["credits_among", "is_beside"]

_MAX_BYLINES, _MAX_DATELINES = 1, 2  # of one article: published and updated
_MAX_BESIDE_CHARS = 30
_TODAY = date(2100, 1, 1)  # the same verdict on any day


def credits_among(line_of: Mapping[int, str], marks: Ints, language: str | None) -> set[int]:
    """Which of some short lines near the title are bylines, and which days; none where there are too many.  `marks` say
    what each may be."""
    reading = Reading(normalise(language), today=_TODAY)
    bylines = {block for block, line in line_of.items() if marks[block] & col.BYLINE and _is_byline(line, reading)}
    days = {block: line for block, line in line_of.items() if marks[block] & col.DAY and block not in bylines}
    datelines = _datelines(days, reading) if days else set()
    if len(bylines) > _MAX_BYLINES or len(datelines) > _MAX_DATELINES:
        return set()
    if not bylines:  # a day by itself may be that of a concert
        datelines = {block for block in datelines if _says_published(line_of[block])}
    return bylines | datelines


def _datelines(days: Mapping[int, str], reading: Reading) -> set[int]:
    from thresher.metadata.datelines import is_dateline  # with much of the metadata

    return {block for block, line in days.items() if is_dateline(line, reading)}


def is_beside(line: str) -> bool:
    """Whether a line says what stands beside a name or a day."""
    return len(line) <= _MAX_BESIDE_CHARS and (any(character.isdecimal() for character in line) or is_role(line))


def _is_byline(line: str, reading: Reading) -> bool:
    name = text_after_by(line)
    return bool(name and not name[:1].islower() and parse_names(name, reading))


def _says_published(line: str) -> bool:
    return bool(openings("published", line) or openings("modified", line))

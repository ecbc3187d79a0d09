"""A line of text: a flat list of runs.

A run carries the marks that hold for it (bold, a link, …) from the outermost to the innermost; `spans` turns that into
properly nested openings and closings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from thresher.output.containers import JOINED, LINE

__all__ = [
    "CLOSE",
    "CODE",
    "FORMULA",
    "GAP",
    "IMAGE",
    "NOTE",
    "OPEN",
    "TASK",
    "TEXT",
    "Mark",
    "Run",
    "Runs",
    "Span",
    "joined_runs",
    "make_mark",
    "make_run",
    "spans",
]


class Mark(NamedTuple):
    """Formatting that holds for a run: strong em del ins mark sub sup kbd q rt link."""

    kind: str
    row: int = -1  # tells neighbouring links apart
    address: str = ""
    title: str = ""


# What a run holds.
TEXT, CODE, FORMULA, IMAGE, NOTE, TASK = "text", "code", "formula", "image", "note", "task"


class Run(NamedTuple):
    """A piece of a line."""

    gap: int  # JOINED, SPACE or LINE: what separates it from the piece before
    marks: tuple[Mark, ...]
    kind: str
    value: str  # the text, the TeX, the address of an image, the label of a note, whether a task is done (x)
    description: str = ""  # of an image
    title: str = ""  # of an image
    code: int = -1  # the element of code that it stands in, as two may stand side by side
    safe: bool = False  # a text without any character that can be syntax of Markdown


Runs = list[Run]
# The same without the constructors written in Python, which take most of the time.
make_run: Callable[[tuple[Any, ...]], Run] = partial(tuple.__new__, Run)
make_mark: Callable[[tuple[str, int, str, str]], Mark] = partial(tuple.__new__, Mark)

_WORDS = frozenset((TEXT, CODE))
OPEN, CLOSE, GAP = "open", "close", "gap"


# A step through a line: OPEN, CLOSE, GAP or the kind of a run; and the mark, the gap or the run.
Span = tuple[str, Mark | None, int, Run | None]


def joined_runs(runs: Runs) -> Runs:
    """The runs with those joined that are text or code and go on in the same format."""
    if len(runs) == 1:
        return runs
    result: Runs = []
    first = runs[0]
    _, known, sort, value, _, _, inside, all_safe = first
    values = [value]
    for run in runs[1:]:
        gap, marks, kind, value, _, _, code, safe = run
        if (
            kind == sort
            and gap < LINE
            and (marks is known or marks == known)
            and kind in _WORDS
            # Code spans side by side stay two if a space is between; no signs could part them otherwise.
            and (code == inside or gap == JOINED)
        ):
            if gap:
                values.append(" ")
            values.append(value)
            all_safe = all_safe and safe
        else:
            result.append(_with_values(first, values, all_safe))
            first, known, sort, values, all_safe = run, marks, kind, [value], safe
        inside = code
    result.append(_with_values(first, values, all_safe))
    return result


def _with_values(run: Run, values: list[str], safe: bool) -> Run:
    if len(values) == 1:
        return run
    gap, marks, kind, _, description, title, code, _ = run
    return make_run((gap, marks, kind, "".join(values), description, title, code, safe))


def spans(runs: Runs) -> Iterator[Span]:
    """Openings, closings, gaps and runs in order, properly nested.

    Between two runs all marks close but those that both begin with, and a gap stands outside of what closes and
    opens: no emphasis starts or ends with a space.
    """
    active: tuple[Mark, ...] = ()
    for run in runs:
        common = 0
        for mark, other in zip(active, run.marks, strict=False):
            if mark != other:
                break
            common += 1
        for mark in reversed(active[common:]):
            yield CLOSE, mark, JOINED, None
        if run.gap:
            yield GAP, None, min(run.gap, LINE), None
        for mark in run.marks[common:]:
            yield OPEN, mark, JOINED, None
        yield run.kind, None, JOINED, run
        active = run.marks
    for mark in reversed(active):
        yield CLOSE, mark, JOINED, None

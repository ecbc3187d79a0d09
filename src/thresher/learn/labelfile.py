"""Labels that people give to elements of pages: a file of JSON lines, one label a line.

    {"page": "0066", "xpath": "/html/body/div[2]", "label": "content", "labeller": "ada",
     "time": "2026-11-16T03:00:00Z"}

    page      the id of the page in its data set
    xpath     the element, as `thresher.page.xpath` and browsers write it
    label     content · noise             whether the element is main content
              good_segment · bad_segment  whether the element is a segment of good granularity (paper 000, 2.1)
    labeller  who said so; any name
    time      when, in UTC, as ISO 8601 with a Z

Lines are only ever appended.  Who changes their mind appends another label: of one labeller's labels of one question
about one element the last in the file counts.  A line may hold further fields, which are kept out of the way.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from thresher.errors import DatasetError
from thresher.page import Page
from thresher.page.types import Floats
from thresher.page.xpath import xpaths

__all__ = [
    "LABELS",
    "ElementVotes",
    "Label",
    "Name",
    "append",
    "current",
    "element_votes",
    "label",
    "read",
    "text_votes",
]

Name = Literal["content", "noise", "good_segment", "bad_segment"]
LABELS: tuple[Name, ...] = get_args(Name)
_POSITIVE = ("content", "good_segment")
_QUESTION = {"content": "content", "noise": "content", "good_segment": "segment", "bad_segment": "segment"}
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z")
_MAX_LENGTHS = {"page": 2_000, "xpath": 20_000, "labeller": 200}  # characters


@dataclass(frozen=True, slots=True)
class Label:
    """One line of the file."""

    page: str
    xpath: str
    label: Name
    labeller: str
    time: str

    def __post_init__(self) -> None:
        for name, longest in _MAX_LENGTHS.items():
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip() or len(value) > longest:
                raise ValueError(f"{name} is a text of 1 to {longest:,} characters")
            if not value.isprintable():
                raise ValueError(f"{name} has characters that cannot be printed")
        if not self.xpath.startswith("/"):
            raise ValueError(f"xpath starts with a slash, unlike {self.xpath[:80]!r}")
        if self.label not in LABELS:
            raise ValueError(f"label is one of {', '.join(LABELS)}, not {self.label!r}")
        if not isinstance(self.time, str) or not _TIME.fullmatch(self.time) or not _is_time(self.time):
            raise ValueError(f"time is like 2026-11-16T03:00:00Z, not {self.time!r}")

    @property
    def question(self) -> str:
        """What was asked: "content" or "segment"."""
        return _QUESTION[self.label]

    @property
    def yes(self) -> bool:
        """Whether the answer was yes: content, or a good segment."""
        return self.label in _POSITIVE


def label(page: str, xpath: str, label: Name, labeller: str, time: datetime | None = None) -> Label:
    """A label given now, or at another time."""
    moment = (time or datetime.now(UTC)).astimezone(UTC)
    return Label(page, xpath, label, labeller, moment.strftime("%Y-%m-%dT%H:%M:%SZ"))


def append(path: str | Path, labels: Iterable[Label]) -> None:
    """Add labels to the end of a file, each line in one write, so that several writers do not mix theirs."""
    lines = [json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in labels]
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(target, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":  # a writer was killed in the middle of its line
            os.write(descriptor, b"\n")
        for line in lines:
            os.write(descriptor, line.encode())
    finally:
        os.close(descriptor)


def read(path: str | Path) -> list[Label]:
    """All labels of a file in order; DatasetError with the numbers of the lines that hold none."""
    try:
        lines = Path(path).read_text("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as reason:
        raise DatasetError(f"{path}: {reason}") from None
    labels, wrong = [], []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                labels.append(_parse(line))
            except ValueError as reason:
                wrong.append(f"line {number}: {reason}")
    if wrong:
        more = f"; {len(wrong) - 3:,} more lines" if len(wrong) > 3 else ""
        hint = ".  What the labelling page keeps is not it: download the data set there" if labels else ""
        raise DatasetError(f"{path} is no file of labels: {'; '.join(wrong[:3])}{more}{hint}")
    return labels


def current(labels: Iterable[Label]) -> list[Label]:
    """The labels that count: the last of each labeller on each question about each element, in the order given."""
    last: dict[tuple[str, str, str, str], Label] = {}
    for one in labels:
        key = (one.page, one.xpath, one.labeller, one.question)
        last.pop(key, None)
        last[key] = one
    return list(last.values())


@dataclass(frozen=True, slots=True)
class ElementVotes:
    """The votes on the elements of one page: by row, the share of labellers that answered yes."""

    content: Mapping[int, float]
    segment: Mapping[int, float]
    lost: tuple[str, ...]  # xpaths that the page does not have: it has changed since


def element_votes(page: Page, labels: Sequence[Label]) -> ElementVotes:
    """The labels of one page by row.  Labellers have one vote each."""
    if not labels:
        return ElementVotes({}, {}, ())
    row_of = dict(zip(xpaths(page, range(len(page))), range(len(page)), strict=True))
    votes: dict[str, dict[int, list[bool]]] = {"content": {}, "segment": {}}
    lost = []
    for one in current(labels):
        if one.xpath in row_of:
            votes[one.question].setdefault(row_of[one.xpath], []).append(one.yes)
        else:
            lost.append(one.xpath)
    content, segment = (
        {row: sum(answers) / len(answers) for row, answers in votes[question].items()}
        for question in ("content", "segment")
    )
    return ElementVotes(content, segment, tuple(dict.fromkeys(lost)))


def text_votes(page: Page, content: Mapping[int, float]) -> Floats:
    """For each text the share of labellers that call the nearest labelled element around it content; NaN where no
    element around it was labelled."""
    share = np.full(len(page.start), np.nan)
    for row in sorted(content):  # inner elements come after those around them, and have the last word
        share[page.first[row] : page.last[row]] = content[row]
    return share


def _parse(line: str) -> Label:
    value = json.loads(line)
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    missing = [name for name in Label.__dataclass_fields__ if name not in value]
    if missing:
        raise ValueError(f"no {missing[0]!r}")
    fields: dict[str, Any] = {name: value[name] for name in Label.__dataclass_fields__}
    return Label(**fields)


def _is_time(value: str) -> bool:
    try:
        datetime.fromisoformat(value.removesuffix("Z"))
    except ValueError:
        return False
    return True

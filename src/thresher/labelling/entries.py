"""The lines of a store: what happened, one JSON object a line.

{"page": …, "labeller": …, "time": …,  and one of
  "xpath": …, "label": "content", "batch": …       a label, as `learn.labelfile` has it
  "xpath": …, "clear": "content", "batch": …       the labeller's answer to that question is taken back
  "undo": BATCH                                    everything of that batch never happened
  "status": "done" | "skipped" | "open"}           how far the labeller is with the page
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from thresher.learn.labelfile import Label, Name, label

__all__ = [
    "Clear",
    "Entry",
    "Question",
    "State",
    "Status",
    "StoredLabel",
    "Undo",
    "entry_line",
    "now",
    "parse_line",
    "stored_label",
]

Question = Literal["content", "segment"]
State = Literal["done", "skipped", "open"]


@dataclass(frozen=True, slots=True)
class StoredLabel:
    """A label, and the batch that it was given in."""

    label: Label
    batch: str

    @property
    def page(self) -> str:
        return self.label.page


@dataclass(frozen=True, slots=True)
class Clear:
    """An answer that is taken back."""

    page: str
    xpath: str
    clear: Question
    labeller: str
    time: str
    batch: str


@dataclass(frozen=True, slots=True)
class Undo:
    """A batch that never happened."""

    page: str
    labeller: str
    time: str
    undo: str


@dataclass(frozen=True, slots=True)
class Status:
    """How far a labeller is with a page."""

    page: str
    labeller: str
    time: str
    status: State


Entry = StoredLabel | Clear | Undo | Status


def now() -> str:
    """The time as entries have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def entry_line(entry: Entry) -> bytes:
    """The entry as a line of the store."""
    value = asdict(entry)
    if isinstance(entry, StoredLabel):
        value = {**value["label"], "batch": entry.batch}
    return json.dumps(value, ensure_ascii=False).encode("utf-8") + b"\n"


def parse_line(data: bytes) -> Entry:
    """The entry in a line; ValueError if there is none."""
    value = json.loads(data.decode("utf-8"))
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    kind: type[Clear] | type[Undo] | type[Status]
    if "label" in value:
        fields: dict[str, Any] = {name: _text(value, name) for name in Label.__dataclass_fields__}
        # Files of labels from elsewhere have no batches: then every line is one.
        return StoredLabel(Label(**fields), str(value.get("batch") or ""))
    kind = Clear if "clear" in value else Undo if "undo" in value else Status
    values: dict[str, Any] = {name: _text(value, name) for name in kind.__dataclass_fields__}
    entry: Any = kind(**values)
    if kind is Clear and entry.clear not in get_args(Question):
        raise ValueError(f"clear is one of {', '.join(get_args(Question))}")
    if kind is Status and entry.status not in get_args(State):
        raise ValueError(f"status is one of {', '.join(get_args(State))}")
    Label(entry.page, getattr(entry, "xpath", "/"), "noise", entry.labeller, entry.time)  # the same rules
    return entry  # type: ignore[no-any-return]


def stored_label(page: str, xpath: str, name: Name, labeller: str, batch: str) -> StoredLabel:
    """A label given now."""
    return StoredLabel(label(page, xpath, name, labeller), batch)


def _text(value: dict[str, Any], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str):
        raise ValueError(f"no {name!r}")
    return text

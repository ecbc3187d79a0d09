"""What commands print: JSON without raw control characters, and complaints, the first ones by name."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import click

from thresher.cli.inputs import plain

__all__ = ["complain", "json_line", "safe_json"]

_SHOWN = 20  # complaints

# What JSON leaves as it is and a terminal, or a reader of lines, may take for a command: DEL, C1, line separators,
# direction overrides, halves of surrogate pairs (names of files may hold them).
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def json_line(record: Any) -> str:
    """A value as JSON on one line; what is unsafe to print is escaped, so that nothing is lost."""
    return safe_json(json.dumps(record, ensure_ascii=False))


def safe_json(text: str) -> str:
    """JSON with what is unsafe to print escaped."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def complain(lines: Sequence[str]) -> None:
    """The first complaints on stderr, and how many more there are."""
    for line in lines[:_SHOWN]:
        click.echo(plain(line), err=True)
    if len(lines) > _SHOWN:
        click.echo(f"… and {len(lines) - _SHOWN:,} more", err=True)

"""Heads of records and of responses: a first line, lines of `name: value`, a blank line."""

from __future__ import annotations

import re

__all__ = ["BLANK_LINE", "parse_fields", "whole_number"]

BLANK_LINE = re.compile(rb"\r?\n\r?\n")


def parse_fields(head: bytes) -> tuple[str, dict[str, str]]:
    """The first line, and the first value under each name; names in lower case, folded lines put together."""
    first, *lines = head.decode("utf-8", "replace").split("\n")
    values: dict[str, str] = {}
    name = ""
    for line in lines:
        if line[:1] in (" ", "\t"):
            if name:
                values[name] = f"{values[name]} {line.strip()}".strip()
            continue
        name, colon, value = line.partition(":")
        name = name.strip().lower() if colon else ""
        if name in values:
            name = ""
        elif colon:
            values[name] = value.strip()
    return first, values


def whole_number(value: str | None) -> int | None:
    """What a Content-Length says, if it is a number that a file can have."""
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 19 else None

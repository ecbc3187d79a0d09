"""Heads of records and of responses: a first line, lines of `name: value`, a blank line."""

from __future__ import annotations

import re

__all__ = ["BLANK_LINE", "parse_fields", "whole_number"]

BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_FOLD = re.compile(r"[ \t\r]*\n[ \t]+")


def parse_fields(head: bytes) -> tuple[str, dict[str, str]]:
    """The first line, and the first value under each name; names in lower case, folded lines put together."""
    text = head.decode("utf-8", "replace")
    if "\n " in text or "\n\t" in text:
        text = _FOLD.sub(" ", text)
    first, *lines = text.split("\n")
    fields = [line.partition(":") for line in reversed(lines)]
    return first, {name.strip().lower(): value.strip() for name, colon, value in fields if colon}


def whole_number(value: str | None) -> int | None:
    """What a Content-Length says, if it is a number that a file can have."""
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 19 else None

"""What is safe to print: text and JSON without raw control characters, which pages, names and messages may carry."""

from __future__ import annotations

from typing import Any

from thresher.text.patterns import compile_later

__all__ = ["json_line", "plain", "plain_lines", "safe_json"]

_CONTROLS = compile_later(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# What JSON leaves as it is and a terminal, or a reader of lines, may take for a command: DEL, C1, line separators,
# direction overrides, halves of surrogate pairs (names of files may hold them).
_UNSAFE = compile_later("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def json_line(record: Any) -> str:
    """A value as JSON on one line; what is unsafe to print is escaped, so that nothing is lost."""
    import json

    return safe_json(json.dumps(record, ensure_ascii=False))


def safe_json(text: str) -> str:
    """JSON with what is unsafe to print escaped."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def plain(text: str) -> str:
    """Text that is safe to print on a terminal: names and messages may carry control characters."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def plain_lines(text: str) -> str:
    """As `plain`, for texts of several lines."""
    return "\n".join(map(plain, text.split("\n")))

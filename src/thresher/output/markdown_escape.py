"""Which characters of a text CommonMark would take for syntax, and how to say that they are none."""

from __future__ import annotations

import re

__all__ = ["PUNCTUATION", "destination", "escape", "escape_line_starts", "has_special", "is_unmarked"]

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")

_SPECIAL = re.compile(r"[\\`*_\[\]<&~!$|]")
_UNMARKED = re.compile(r"[^\W\d_][^\\`*_\[\]<&~!$|\n]*")
_ENTITY = re.compile(r"&(?:#\w{1,8}|\w{1,40});")
_TASK = re.compile(r"\[[ xX]\]")

# What the start of a line can be besides text: a heading, an item, a quotation, a rule, the underline of a heading or
# of a table's head, a definition, a numbered item, a footnote.
_LINE_START = re.compile(
    r"(?m)^(?:(#{1,6}(?=\s|$)|[-+*](?=\s|$)|[-=|:](?=[-=|: ]*$)|[:~](?=\s)|>|_(?=[_ ]*$))"
    r"|(\d{1,9}(?=[.)](?:\s|$))|\[\^\w+\](?=:)))"
)
_IN_ADDRESS = {"(": "%28", ")": "%29", "\\": "%5C", "|": "%7C", "<": "%3C", ">": "%3E", " ": "%20", "`": "%60"}
_ADDRESS_SIGN = re.compile("[()\\\\|<> `]")


def is_unmarked(line: str) -> bool:
    """Whether a line begins with a letter and has no character in it that could be syntax."""
    return _UNMARKED.fullmatch(line) is not None


def has_special(value: str) -> bool:
    """Whether a character stands in a text that may have to be escaped."""
    return _SPECIAL.search(value) is not None


def escape_line_starts(value: str) -> str:
    """Put a backslash where the start of a line would make it something other than text."""
    if value[:1].isalpha() and "\n" not in value:
        return value
    return _LINE_START.sub(lambda match: f"\\{match[1]}" if match[1] else f"{match[2]}\\", value)


def destination(address: str) -> str:
    """An address that ends where it should: no blanks, brackets, backslashes or pipes, no entities."""
    address = _ADDRESS_SIGN.sub(lambda match: _IN_ADDRESS[match[0]], address)
    return _ENTITY.sub(lambda match: "&amp;" + match[0][1:], address)


def escape(
    value: str,
    before: str = "",
    after: str = "",
    *,
    in_link: bool = False,
    in_cell: bool = False,
    dollars: bool = False,
) -> str:
    """A text in which CommonMark, tables, strikethrough, footnotes and formulas find no syntax.

    `before` and `after` are the characters around it in the line.
    """
    if not has_special(value):
        return value
    pieces: list[str] = []
    done = 0
    for match in _SPECIAL.finditer(value):
        at = match.start()
        left = value[at - 1] if at else before
        right = value[at + 1] if at + 1 < len(value) else after
        if _is_syntax(value, at, before, left, right, in_link, in_cell, dollars):
            sign = match[0]
            pieces += (value[done:at], "&lt;" if sign == "<" else "&amp;" if sign == "&" else "\\" + sign)
            done = at + 1
    return "".join((*pieces, value[done:])) if pieces else value


def _may_define(value: str, at: int, before: str) -> bool:
    """Whether the line may begin with `[` and become a definition here: it does, or the bracket that opened stands in
    another piece of it.  One that opens later prevents that, unless it is escaped."""
    opening = value.rfind("[", 0, at)
    if opening < 0:
        return True
    left = value[opening - 1] if opening else before
    return not left or _opens_syntax(value, opening, left, value[opening + 1])


def _opens_syntax(value: str, at: int, left: str, right: str) -> bool:
    """Whether the opening bracket at this place could begin a note, an image or a task."""
    return right == "^" or left in ("^", "!") or (at == 0 and _TASK.match(value) is not None)


def _is_syntax(
    value: str, at: int, before: str, left: str, right: str, in_link: bool, in_cell: bool, dollars: bool
) -> bool:
    """Whether the special character at this place could be more than itself."""
    sign = value[at]
    if sign == "`":
        return True
    if sign == "*":
        return not (_is_blank(left) and _is_blank(right))
    if sign == "_":
        return not ((left.isalnum() and right.isalnum()) or (_is_blank(left) and _is_blank(right)))
    if sign == "[":
        return in_link or _opens_syntax(value, at, left, right)
    if sign == "]":
        return in_link or right in ("(", "[") or (right == ":" and _may_define(value, at, before))
    if sign == "<":
        return right.isalpha() or right in ("/", "!", "?")
    if sign == "&":
        return _ENTITY.match(value, at) is not None
    if sign == "\\":
        return right in PUNCTUATION or right in ("", "\n")
    if sign == "~":
        return right == "~" or not _is_blank(left)
    if sign == "!":
        return right == "[" and at + 1 == len(value)
    return dollars if sign == "$" else in_cell


def _is_blank(character: str) -> bool:
    return not character or character.isspace()

"""Which characters of a text CommonMark would take for syntax, and how to say that they are none."""

from __future__ import annotations

import re

__all__ = ["PUNCTUATION", "SPECIAL", "destination", "escape", "escape_line_starts"]

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")

SPECIAL = "\\`*_[]<&~!$|"  # all characters that can be syntax within a line
_SPECIAL = re.compile(f"[{re.escape(SPECIAL)}]")
_ENTITY = re.compile(r"&(?:#\w{1,8}|\w{1,40});")
_TASK = re.compile(r"\[[ xX]\]")

# What the start of a line can be besides text: a heading, an item, a quotation, a rule, the underline of a heading or
# of a table's head, a definition, a numbered item, a footnote.
_SIGN = (
    r"(?:(#{1,6}(?=\s|$)|[-+*](?=\s|$)|[-=|:](?=[-=|: ]*$)|[:~](?=\s)|>|_(?=[_ ]*$))"
    r"|(\d{1,9}(?=[.)](?:\s|$))|\[\^\w+\](?=:)))"
)
_FIRST_SIGN, _SIGN_OF_ANY_LINE = re.compile(_SIGN), re.compile(f"(?m)^{_SIGN}")
_IN_ADDRESS = {"(": "%28", ")": "%29", "\\": "%5C", "|": "%7C", "<": "%3C", ">": "%3E", " ": "%20", "`": "%60"}
_ADDRESS_SIGN = re.compile("[()\\\\|<> `]")
_ODD_IN_ADDRESS = re.compile("[()\\\\|<> `&]")


def escape_line_starts(value: str) -> str:
    """Put a backslash where the start of a line would make it something other than text."""
    if "\n" not in value:  # a line
        sign = None if value[:1].isalpha() else _FIRST_SIGN.match(value)
        return value if sign is None else _escaped_sign(sign) + value[sign.end() :]
    return _SIGN_OF_ANY_LINE.sub(_escaped_sign, value)


def _escaped_sign(match: re.Match[str]) -> str:
    return f"\\{match[1]}" if match[1] else f"{match[2]}\\"


def destination(address: str) -> str:
    """An address that ends where it should: no blanks, brackets, backslashes or pipes, no entities."""
    if not _ODD_IN_ADDRESS.search(address):
        return address
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

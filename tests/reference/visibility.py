"""CSS read slowly: selectors by lexbor's own matcher, style sheets byte by byte."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

__all__ = ["declarations", "selected"]


def selected(html: str, selector: str) -> list[int]:
    """The rows, in document order, that lexbor's matcher selects."""
    tree = LexborHTMLParser(html)
    place = {node.mem_id: row for row, node in enumerate(tree.css("*"))}
    return sorted({place[node.mem_id] for node in tree.css(selector)})


def declarations(css: str, wanted: set[str]) -> list[tuple[tuple[str, ...], str, str]]:
    """The declarations of wanted properties: the preludes of the blocks around, outermost first, name and value."""
    found = []
    heads: list[str] = []
    piece = ""
    for token in _tokens(css):
        if token == "{":
            heads.append(piece.replace(_COMMENT, "").strip())
            piece = ""
        elif token in ("}", ";"):
            name, colon, value = piece.replace(_COMMENT, " ").partition(":")
            if heads and colon and name.strip().lower() in wanted:
                found.append((tuple(heads), name.strip().lower(), value.strip()))
            piece = ""
            if token == "}":
                if heads:
                    heads.pop()
                else:
                    piece = "}"  # a stray one spoils the prelude that follows
        else:
            piece += token
    name, colon, value = piece.replace(_COMMENT, " ").partition(":")
    if heads and colon and name.strip().lower() in wanted:
        found.append((tuple(heads), name.strip().lower(), value.strip()))
    return found


_COMMENT = "\x01"


def _tokens(css: str) -> list[str]:
    """Braces and semicolons outside of strings and comments, and all the other characters; a string is one token."""
    tokens = []
    at = 0
    while at < len(css):
        if css.startswith("/*", at):
            end = css.find("*/", at + 2)
            tokens.append(_COMMENT)
            at = len(css) if end < 0 else end + 2
        elif css[at] in "\"'":
            end = at + 1
            while end < len(css) and css[end] not in (css[at], "\n"):
                end += 2 if css[end] == "\\" else 1
            end = min(end + (end < len(css) and css[end] == css[at]), len(css))
            tokens.append(css[at:end])
            at = end
        elif css[at] == "\\":
            tokens.append(css[at : at + 2])
            at += 2
        else:
            tokens.append(css[at])
            at += 1
    return tokens

"""Results as Markdown for a language model: facts in a head, then as much of the content as was asked for.

---
title: How a flail works
date: 2024-05-01
status: ok
confidence: 0.91
---

A flail is two sticks and a strap. …
"""

from __future__ import annotations

from typing import Any

from thresher.text.printing import plain

__all__ = ["blocks", "document", "failure", "matches"]

_FACTS = ("title", "author", "date", "language", "url", "status", "confidence")
_MAX_BLOCK = 200  # characters of a block that are shown


def document(answer: dict[str, Any], max_length: int, start_index: int = 0, page: str = "") -> str:
    """The head, and the content from one character on."""
    content = answer["content"]
    length = len(content)
    if not content:
        return f"{head(answer, page)}\n\nNothing was extracted: the status and the warnings say why."
    if start_index >= length:
        return f"{head(answer, page)}\n\nThere is no more: the content has {length:,} characters."
    piece = content[start_index : start_index + max_length]
    end = start_index + len(piece)
    more = "" if end >= length else f"\n\n[{end:,} of {length:,} characters; go on with start_index={end}]"
    return f"{head(answer, page)}\n\n{piece}{more}"


def failure(url: str, why: str) -> str:
    """What stands in the place of a page that gave nothing, among others that gave something."""
    return f"---\nurl: {_line(url)}\nstatus: failed\n---\n\n{why}"


def blocks(answer: dict[str, Any], max_blocks: int, page: str = "") -> str:
    """A line a block: kept or dropped, score, reasons, how it begins."""
    rows = answer["blocks"]
    lines = []
    for row in rows[:max_blocks]:
        verdict, reasons = "kept" if row["kept"] else "dropped", "; ".join(row["reasons"]) or "no reason given"
        lines.append(f"- **{verdict}** {row['score']:.2f} ({_line(reasons)}): {_line(row['text'], _MAX_BLOCK)}")
    if len(rows) > max_blocks:
        lines.append(f"\n[{max_blocks:,} of {len(rows):,} blocks]")
    return "\n".join([head(answer, page), "", *(lines or ["There is no such block."])])


def matches(answer: dict[str, Any], max_matches: int, page: str = "") -> str:
    """Passages, each with the heading above it and its place."""
    passages = answer["matches"]
    parts = [head(answer, page)]
    if not passages:
        parts.append(f"None of these words is in the content ({answer['length']:,} characters).")
    for match in passages[:max_matches]:
        below = f", below “{_line(match['heading'], _MAX_BLOCK)}”" if match["heading"] else ""
        parts.append(f"[start_index={match['index']}{below}]\n\n{match['text'][:2000]}")
    if len(passages) > max_matches:
        parts.append(f"[{max_matches:,} of {len(passages):,} passages]")
    return "\n\n".join(parts)


def head(answer: dict[str, Any], page: str = "") -> str:
    """The facts, one a line; no value can pass for another line."""
    lines = [f"{name}: {_line(answer[name])}" for name in _FACTS if answer.get(name) is not None]
    lines += [f"resource: {page}"] if page else []
    lines += [f"warning: {_line(warning)}" for warning in answer["warnings"]]
    return "\n".join(["---", *lines, "---"])


def _line(value: Any, most: int = 500) -> str:
    text = plain(" ".join(str(value).split()))
    return text if len(text) <= most else f"{text[:most]}…"

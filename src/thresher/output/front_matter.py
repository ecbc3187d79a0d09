"""Metadata above a text, as static site generators and note-taking programs read it."""

from __future__ import annotations

from typing import Any

from thresher.text.printing import json_line

__all__ = ["front_matter"]


def front_matter(metadata: dict[str, Any]) -> str:
    """Metadata as YAML front matter; JSON values are YAML values.  What is empty is left out."""
    shown = {name: value for name, value in metadata.items() if value and name not in ("source", "sources")}
    lines = [f"{name}: {json_line(value)}" for name, value in shown.items()]
    return "\n".join(["---", *lines, "---", "", ""])

"""Labels that pages use, in the languages of data/phrases.txt: "By", "Published", "Comments"."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

__all__ = ["alternatives", "phrases"]

_FILE = Path(__file__).parents[1] / "data" / "phrases.txt"
_FIRST_UNSPACED = 0x0E00  # scripts below put spaces between words; in Thai, Chinese, Japanese a word ends anywhere


@cache
def phrases(kind: str) -> tuple[str, ...]:
    """All phrases of one kind, the longest first."""
    listed_phrases = []
    for line in _FILE.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, _, listed = (column.strip() for column in line.split("|"))
            listed_phrases += [phrase.strip() for phrase in listed.split(",")] if name == kind else []
    return tuple(sorted(dict.fromkeys(listed_phrases), key=lambda phrase: (-len(phrase), phrase)))


@cache
def alternatives(kind: str) -> str:
    """A regular expression that matches any phrase of one kind, as whole words where the script has words."""
    return "(?:" + "|".join(_pattern(phrase) for phrase in phrases(kind)) + ")"


def _pattern(phrase: str) -> str:
    stem = phrase.removesuffix("*")
    body = re.escape(stem).replace(r"\ ", r"\s+")
    before = r"(?<!\w)" if ord(stem[0]) < _FIRST_UNSPACED and stem[0].isalnum() else ""
    behind = r"\w*" if stem != phrase else r"(?!\w)" if ord(stem[-1]) < _FIRST_UNSPACED and stem[-1].isalnum() else ""
    return before + body + behind

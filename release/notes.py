"""What is new in the newest version, as the changelog says it: python release/notes.py"""

from __future__ import annotations

import re
from pathlib import Path

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"


def notes(changelog: str) -> str:
    """The text below the heading of the newest version."""
    return re.split(r"^## .*\n", changelog, flags=re.MULTILINE)[1].strip()


if __name__ == "__main__":
    print(notes(CHANGELOG.read_text(encoding="utf-8")))

"""Every small case of tests/hostile as a seed for the fuzzer: python tests/fuzz/seeds.py FOLDER."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.test_hostile import PARTS

LONGEST = 4_094  # bytes, and two that choose the options


def seeds() -> list[bytes]:
    """The cases."""
    cases = [case.source() for part in PARTS for case in part.cases() if case.whole and not case.heavy]
    pages = [source.encode("utf-8", "replace") if isinstance(source, str) else source for source in cases]
    return [page for page in pages if len(page) <= LONGEST]


def write(folder: Path) -> int:
    """Write them, each behind the two blanks that choose the defaults; how many there were."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in seeds():
        (folder / hashlib.sha1(page).hexdigest()).write_bytes(b"  " + page)
    return len(seeds())


if __name__ == "__main__":
    print(write(Path(sys.argv[1])), "seeds")

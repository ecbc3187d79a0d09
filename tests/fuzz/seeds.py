"""Every small case of tests/hostile as a seed for the fuzzer: python tests/fuzz/seeds.py FOLDER."""

from __future__ import annotations

import hashlib
import sys
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.test_hostile import PARTS

LONGEST = 4_094  # bytes, and two that choose the options


def write(folder: Path) -> int:
    """Write them, each behind the two blanks that choose the defaults; how many there were."""
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for case in chain.from_iterable(part.cases() for part in PARTS):
        if case.heavy or not case.whole:
            continue
        source = case.source()
        data = source.encode("utf-8", "replace") if isinstance(source, str) else source
        if len(data) <= LONGEST:
            (folder / hashlib.sha1(data).hexdigest()).write_bytes(b"  " + data)
            written += 1
    return written


if __name__ == "__main__":
    print(write(Path(sys.argv[1])), "seeds")

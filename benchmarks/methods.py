"""What each method costs by itself, without parsing and shared columns.  python benchmarks/methods.py DATA/wcxb

CPU milliseconds a page, best of some runs, methods in turn on each page.
"""

from __future__ import annotations

import argparse
import gzip
import math
import time
from dataclasses import replace
from pathlib import Path

from thresher import methods, parse
from thresher.errors import NeedsEvidence
from thresher.page import columns
from thresher.visible.readable import readable

SHARED = (readable, columns.chars, columns.words, columns.in_link, columns.sentence_ends)


def works_alone(name: str) -> bool:
    """Whether a method needs nothing but the page; benchmarks/site.py times what needs more."""
    try:
        methods.get(name)(parse("<p>A page"))
    except NeedsEvidence:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    files = sorted((arguments.data / "html").glob("*.gz"))
    files = files[:: max(1, len(files) // arguments.pages)][: arguments.pages]
    spent = dict.fromkeys(filter(works_alone, methods.names()), 0.0)
    for file in files:
        page = parse(gzip.decompress(file.read_bytes()))
        for name in spent:
            best = math.inf
            for _ in range(arguments.rounds):
                fresh = replace(page)  # the same columns, nothing computed from them yet
                for shared in SHARED:
                    shared(fresh)
                started = time.process_time()
                methods.get(name)(fresh)
                best = min(best, time.process_time() - started)
            spent[name] += best
    for name, total in sorted(spent.items(), key=lambda item: item[1]):
        print(f"{name:10} {total / len(files) * 1000:6.2f} ms")


if __name__ == "__main__":
    main()

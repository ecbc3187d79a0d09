"""What the last pass of `thresher batch --dedupe` costs for a page: python benchmarks/duplicates.py [PAGES …]

CPU seconds to look up so many random fingerprints, none of them near to another: the worst case, for every page stays
in mind.  Without the reading and writing of the parts.
"""

from __future__ import annotations

import argparse
import random
import time

from thresher.batch.duplicates import FirstPages

PART = 5_000  # pages


def seconds(pages: int) -> float:
    """To look up so many, part by part."""
    choice, first_pages, spent = random.Random(pages), FirstPages(), 0.0
    for start in range(0, pages, PART):
        ids = [f"page {number}" for number in range(start, min(start + PART, pages))]
        fingerprints = [choice.getrandbits(64) for _ in ids]
        began = time.process_time()
        first_pages.originals_of(fingerprints, ids)
        spent += time.process_time() - began
    return spent


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=int, default=[10_000, 100_000, 1_000_000])
    for pages in parser.parse_args().pages:
        spent = seconds(pages)
        print(f"{pages:>11,} pages {spent:>9.3f} s {1e6 * spent / pages:>7.2f} µs a page", flush=True)


if __name__ == "__main__":
    main()

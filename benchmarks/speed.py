"""The table of docs/speed.md: python benchmarks/speed.py ../shared/data/wcxb --pages 100

CPU time of one process as a ratio to lexbor's parse of the same pages, for all of them and for small and large ones,
each page in turn; then how many pages a second one and two threads extract.
"""

from __future__ import annotations

import argparse
import gzip
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

import thresher

JOBS: dict[str, Callable[[str], object]] = {
    "lexbor's parse": LexborHTMLParser,
    "`parse(html)`": thresher.parse,
    "`extract(html).text`": lambda html: thresher.extract(html).text,
    "`extract(html).markdown`": lambda html: thresher.extract(html).markdown,
    "`extract(html).to_dict()`": lambda html: thresher.extract(html).to_dict(),
}
SIZES = {"all pages": (0, 1 << 40), "10–50 KB": (10_000, 50_000), "over 400 KB": (400_000, 1 << 40)}


def cpu_seconds(job: Callable[[str], object], html: str, rounds: int) -> float:
    """CPU time of the best of some runs."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        job(html)
        times.append(time.process_time() - start)
    return min(times)


def pages_a_second(pages: list[str], threads: int) -> float:
    start = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(JOBS["`extract(html).text`"], pages))
    return len(pages) / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3, help="the best of these counts, page by page")
    arguments = parser.parse_args()
    files = sorted((arguments.data / "html").glob("*.html.gz"))
    files = files[:: max(len(files) // arguments.pages, 1)][: arguments.pages]
    pages = [gzip.decompress(file.read_bytes()).decode("utf-8", "replace") for file in files]
    thresher.extract(pages[0])  # loads the model
    spent = [{name: cpu_seconds(job, html, arguments.rounds) for name, job in JOBS.items()} for html in pages]
    print(f"{len(pages)} pages, {'compiled' if thresher.compiled else 'not compiled'}; in parses of lexbor:\n")
    print("| | " + " | ".join(SIZES) + " |\n|---|" + "---|" * len(SIZES))
    for name in JOBS:
        cells = []
        for low, high in SIZES.values():
            chosen = [row for row, html in zip(spent, pages, strict=True) if low <= len(html) < high]
            floor = sum(row["lexbor's parse"] for row in chosen)
            cells.append(f"{sum(row[name] for row in chosen) / floor:.1f}" if chosen else "–")
        print(f"| {name} | " + " | ".join(cells) + " |")
    print(f"\npages a second: {pages_a_second(pages, 1):.0f} with one thread, {pages_a_second(pages, 2):.0f} with two")


if __name__ == "__main__":
    main()

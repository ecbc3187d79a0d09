"""What the core costs: python benchmarks/core.py ../shared/data/wcxb

CPU time of one process, interleaved page by page, as a ratio to lexbor's parse of the same bytes; growth from 50 KB to
5 MB; peak memory.  Ratios are means over pages of time divided by mean floor time.
"""

from __future__ import annotations

import argparse
import gzip
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

import thresher

PARAGRAPH = (
    '<div class="row"><p>Threshing separates the <a href="/grain">grain</a> from the straw &amp; the chaff, which took '
    "most of the winter.</p><ul><li>flail</li><li>sieve</li></ul></div>\n"
)


def seconds(rounds: int, work: Callable[..., object], *arguments: object) -> float:
    """CPU time of the best of some runs."""
    best = math.inf
    for _ in range(rounds):
        started = time.process_time()
        work(*arguments)
        best = min(best, time.process_time() - started)
    return best


def ratios(pages: list[bytes], rounds: int) -> None:
    texts = [page.decode("utf-8", "replace") for page in pages]
    jobs: dict[str, Callable[[bytes, str], object]] = {
        "lexbor, bytes": lambda data, text: LexborHTMLParser(data),
        "lexbor, str": lambda data, text: LexborHTMLParser(text),
        "parse(bytes)": lambda data, text: thresher.parse(data),
        "parse(str)": lambda data, text: thresher.parse(text),
        "extract(bytes).text": lambda data, text: thresher.extract(data).text,
        "extract(str).text": lambda data, text: thresher.extract(text).text,
    }
    spent = dict.fromkeys(jobs, 0.0)
    for data, text in zip(pages, texts, strict=True):
        for name, job in jobs.items():
            spent[name] += seconds(rounds, job, data, text)
    size = sum(map(len, pages)) / len(pages)
    print(f"{len(pages)} pages, mean {size / 1000:.0f} KB; CPU ms a page, ratio to lexbor on the same input")
    for name, total in spent.items():
        floor = spent["lexbor, str" if "str" in name else "lexbor, bytes"]
        print(f"  {name:22} {total / len(pages) * 1000:7.2f} ms  {total / floor:5.2f} x")


def growth() -> None:
    print("growth from 50 KB to 5 MB (1.0 is linear)")
    for name, job in {"parse": thresher.parse, "extract.text": lambda html: thresher.extract(html).text}.items():
        times = []
        for size in (50_000, 5_000_000):
            html = ("<html><body>" + PARAGRAPH * (size // len(PARAGRAPH))).encode()
            times.append(seconds(5, job, html))
        print(f"  {name:14} exponent {math.log(times[1] / times[0]) / math.log(100):.2f}  ({times[1]:.2f} s at 5 MB)")


def memory() -> None:
    print("peak memory above the start, in one fresh process each")
    for size in (50_000, 500_000, 5_000_000):
        code = (
            "import re, thresher\n"
            "def peak(): return int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]) * 1024\n"
            f"html = ('<html><body>' + {PARAGRAPH!r} * ({size} // {len(PARAGRAPH)})).encode()\n"
            "thresher.extract('<p>warm').text\n"
            "before = peak()\n"
            "thresher.extract(html).text\n"
            "print((peak() - before) / len(html))"
        )
        answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        print(f"  {size:>9,} bytes: {float(answer):5.1f} x the page")


def startup() -> None:
    command = [sys.executable, "-m", "thresher", "--help"]
    runs = []
    for _ in range(10):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        runs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    print(f"thresher --help: {sorted(runs)[len(runs) // 2] * 1000:.0f} ms CPU")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3, help="each job's best of so many runs")
    arguments = parser.parse_args()
    files = sorted((arguments.data / "html").glob("*.gz"))
    files = files[:: max(1, len(files) // arguments.pages)][: arguments.pages]
    ratios([gzip.decompress(file.read_bytes()) for file in files], arguments.rounds)
    growth()
    memory()
    startup()


if __name__ == "__main__":
    main()

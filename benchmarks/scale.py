"""Whether the cost of a page stays flat as archives grow: python benchmarks/scale.py [--sizes 1000,10000,50000] [--ray]

Archives of generated pages (some 7 KB each: an article of a random length between navigation, sidebar and footer; one
in a hundred is no page to extract from: a PDF, an SPA shell, an empty one, a deeply nested or a cut one), as Common
Crawl would store them.  `thresher batch` reads each as a user calls it, start-up included.

Printed: pages a second by the clock, which depends on what else the machine does; CPU milliseconds a page, of all
processes and in the page alone, which hardly does; bytes read and written a page; error rows and failed slices; the
highest resident memory of the main process and of all processes below it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from batch import children, cpu, resident, write_archive

WORDS = (
    "the thresher swings his flail over sheaves of wheat and barley on a floor of clay until grain lies below straw "
    "winter after winter farm by farm with neighbours who keep time and count bushels for wages that buy bread"
).split()
BAD_EVERY = 100  # pages
BAD = (
    b"%PDF-1.7\n" + b"x" * 5_000,
    b'<title>App</title><div id="root"></div><script src="/app.js"></script>',
    b"",
    b"<div>" * 3_000 + b"deep",
    b"<html><body><p>A page that was cut in the mid",
)
SAMPLE_SECONDS = 0.5


def page(number: int) -> bytes:
    """A page, the same for the same number."""
    if number % BAD_EVERY == 7:
        return BAD[number // BAD_EVERY % len(BAD)]
    dice = random.Random(number)

    def sentence(length: int) -> str:
        return " ".join(dice.choices(WORDS, k=length)).capitalize() + "."

    menu = "".join(f'<li><a href="/{each}">{dice.choice(WORDS)} {each}</a></li>' for each in range(40))
    paragraphs = "".join(
        f"<h2>{sentence(4)}</h2><p>{' '.join(sentence(dice.randint(8, 20)) for _ in range(5))}</p>"
        for _ in range(dice.randint(3, 15))
    )
    related = "".join(f'<div class="card"><a href="/r{each}">{sentence(6)}</a></div>' for each in range(12))
    return (
        f"<!doctype html><html lang=en><head><title>{sentence(5)}</title><style>.hidden{{display:none}}</style></head>"
        f"<body><header><nav><ul>{menu}</ul></nav></header><main><article><h1>{sentence(5)}</h1>{paragraphs}</article>"
        f'<aside class="related">{related}</aside></main><div class="hidden">{sentence(30)}</div>'
        f"<footer><p>Imprint, privacy, {number}</p></footer></body></html>"
    ).encode()


class Watch(threading.Thread):
    """The highest resident memory of a process, and of all below it."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.process, self.main, self.others = process, 0, 0
        self.stop = threading.Event()

    def run(self) -> None:
        while not self.stop.wait(SAMPLE_SECONDS):
            self.main = max(self.main, resident(self.process))
            self.others = max(self.others, sum(resident(child) for child in children(self.process)))


def measure(archive: Path, folder: Path, workers: int, engine: str) -> str:
    """One run as a row of the table."""
    output = tempfile.mkdtemp(dir=folder)
    command = [sys.executable, "-m", "thresher", "batch", str(archive), "-o", output, "--slice-mb", "2"]
    command += ["--engine", engine, "-j", str(workers), "--progress", "none"]
    wall, used = time.perf_counter(), cpu()
    run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    watch = Watch(run.pid)
    watch.start()
    printed, _ = run.communicate()
    watch.stop.set()
    wall, used = time.perf_counter() - wall, cpu() - used
    report = json.loads(printed)
    rows = report["rows"]
    written = sum(file.stat().st_size for file in Path(output).rglob("*") if file.is_file())
    every = f"{used / rows * 1e3:.1f}" if engine == "local" else ""  # Ray's processes are nobody's children
    memory = f"{watch.main} | {watch.others if engine == 'local' else ''}"
    errors = sum(report["errors"].values())
    return (
        f"| {rows:,} | {engine} | {workers} | {rows / wall:.0f} | {every} | {report['cpu_seconds'] / rows * 1e3:.1f} | "
        f"{archive.stat().st_size / rows / 1e3:.1f} | {written / rows / 1e3:.2f} | {errors:,} | "
        f"{len(report.get('failed') or [])} | {memory} |"
    )


def runs(sizes: list[int], ray: bool) -> Iterator[tuple[int, int, str]]:
    """Size, workers, engine: every size with two workers, the middle one with one worker, and on Ray."""
    middle = sizes[len(sizes) // 2]
    for size in sizes:
        if size == middle:
            yield size, 1, "local"
        yield size, 2, "local"
        if size == middle and ray:
            yield size, 1, "ray"
            yield size, 2, "ray"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,50000", help="pages of the archives")
    parser.add_argument("--ray", action="store_true", help="also on Ray, on this machine")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print(
        "| pages | engine | workers | pages/s | CPU ms a page | of it in the page | KB read a page | "
        "KB written a page | error rows | failed slices | main process, MB | processes below, MB |\n|" + "---|" * 12
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archives: dict[int, Path] = {}
        for size, workers, engine in runs(sizes, options.ray):
            if size not in archives:
                archives[size] = folder / f"{size}.warc.gz"
                write_archive(archives[size], map(page, range(size)))
            print(measure(archives[size], folder, workers, engine), flush=True)
    average = sum(len(page(number)) for number in range(1_000)) / 1_000
    print(f"\n{average / 1e3:.1f} KB of HTML a page; load at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()

"""What whole archives cost: python benchmarks/batch.py PATH-TO-WCXB [speed|memory] [--ray] [--pages N]

speed    pages and megabytes a second for 1 and 2 workers, local and on Ray, and for a loop of fastwarc with
         resiliparse and with trafilatura over the same WARC, in one run.  Wall time depends on what else the machine
         does, so each figure is the best of some rounds, and the CPU time stands beside it: of all processes
         (not of Ray's, which are nobody's children), and of the pages alone, as the manifests have it.
memory   resident memory of the main process and of its workers over 100,000 pages, which are 300,000 records.

Pages that Common Crawl would store: one request, response and metadata record each, gzipped one by one.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple


def record(kind: str, number: int, content: bytes) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number:08x}-0000-4000-8000-000000000000>\r\n"
        "WARC-Date: 2024-05-01T12:00:00Z\r\n"
        f"WARC-Target-URI: http://host{number % 997}.example/{number}\r\n"
        f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + content + b"\r\n\r\n", 6, mtime=0)


def write_archive(path: Path, pages: Iterator[bytes]) -> int:
    """A WARC file as Common Crawl writes it; returns the bytes of HTML in it."""
    size = 0
    with path.open("wb") as file:
        for number, html in enumerate(pages):
            head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(html)}\r\n\r\n".encode()
            file.write(record("request", 3 * number, b"GET / HTTP/1.1\r\n\r\n"))
            file.write(record("response", 3 * number + 1, head + html))
            file.write(record("metadata", 3 * number + 2, b"fetchTimeMs: 12\r\n"))
            size += len(html)
    return size


def cpu() -> float:
    """CPU seconds of this process and all that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


class Cost(NamedTuple):
    """Of one round."""

    pages: int
    wall: float  # seconds
    cpu: float  # seconds of all processes
    inside: float | None = None  # seconds of the pages alone


def timed(work: Callable[[], tuple[int, float | None]], rounds: int) -> Cost:
    """The round with the least wall time."""
    found = []
    for _ in range(rounds):
        wall, used = time.perf_counter(), cpu()
        pages, inside = work()
        found.append(Cost(pages, time.perf_counter() - wall, cpu() - used, inside))
    return min(found, key=lambda cost: cost.wall)


def loop(path: Path, extract: Callable[[bytes], object]) -> tuple[int, None]:
    """What people write who have fastwarc and an extractor."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    pages = 0
    with path.open("rb") as file:
        for entry in ArchiveIterator(file, record_types=WarcRecordType.response):
            extract(entry.reader.read())
            pages += 1
    return pages, None


def peers() -> dict[str, Callable[[bytes], object]]:
    import trafilatura
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    import thresher

    def resiliparse(data: bytes) -> object:
        return extract_plain_text(bytes_to_str(data, detect_encoding(data)), main_content=True)

    return {
        "fastwarc, resiliparse": resiliparse,
        "fastwarc, trafilatura": lambda data: trafilatura.extract(data, include_comments=False),
        "fastwarc, thresher.extract(…).text": lambda data: thresher.extract(data).text,
    }


def batch(path: Path, folder: Path, workers: int, engine: str) -> tuple[int, float]:
    """`thresher batch` as a user calls it, start-up included."""
    output = tempfile.mkdtemp(dir=folder)
    command = [sys.executable, "-m", "thresher", "batch", str(path), "-o", output, "--slice-mb", "4"]
    command += ["--engine", engine, "-j", str(workers), "--progress", "none"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    said = json.loads(done.stdout)
    return int(said["rows"]), float(said["cpu_seconds"])


def speed(pages: list[bytes], folder: Path, rounds: int, ray: bool) -> None:
    path = folder / "all.warc.gz"
    html = write_archive(path, iter(pages))
    archived = path.stat().st_size / 1e6
    print(f"{len(pages):,} pages, {html / len(pages) / 1e3:.0f} KB of HTML each, {archived:.0f} MB of WARC")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print("| what | pages/s | MB of HTML/s | CPU ms a page | of it in the page |\n|---|---|---|---|---|")
    costs: dict[str, Cost] = {}

    def show(name: str, cost: Cost, engine: str = "") -> None:
        costs[name] = cost
        megabytes = html / len(pages) * cost.pages / 1e6
        used = "" if engine == "ray" else f"{cost.cpu / cost.pages * 1e3:.1f}"
        inside = "" if cost.inside is None else f"{cost.inside / cost.pages * 1e3:.1f}"
        print(
            f"| {name} | {cost.pages / cost.wall:.1f} | {megabytes / cost.wall:.1f} | {used} | {inside} |", flush=True
        )

    for name, extract in peers().items():
        extract(pages[0])  # imports
        show(f"{name}, 1 process", timed(lambda extract=extract: loop(path, extract), rounds))  # type: ignore[misc]
    for engine in ("local", "ray") if ray else ("local",):
        for workers, name in ((1, "1 worker"), (2, "2 workers")):
            work = partial(batch, path, folder, workers, engine)
            show(f"thresher batch, {engine}, {name}", timed(work, rounds), engine)
    for engine in ("local", "ray") if ray else ("local",):
        one, two = (costs[f"thresher batch, {engine}, {name}"] for name in ("1 worker", "2 workers"))
        by_cpu = (one.inside or 0) / (two.inside or 1) if engine == "ray" else one.cpu / two.cpu
        by_clock = one.wall / two.wall / 2
        print(f"\n{engine}, efficiency from 1 to 2 workers: {by_clock:.2f} by the clock, {by_cpu:.2f} by CPU")


def resident(process: int) -> int:
    """Megabytes."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") >> 20
    except OSError:
        return 0


def children(process: int) -> list[int]:
    try:
        found = [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []
    return found + [grandchild for child in found for grandchild in children(child)]


def memory(folder: Path, count: int) -> None:
    """Small pages and the simplest method, so that the records are many and the run is short."""
    path = folder / "many.warc.gz"
    body = "<p>Threshing takes most of the winter, and the flail takes most of the thresher.</p>" * 3
    pages = (f"<title>{n}</title><h1>Page {n}</h1>{body}<p>{n}</p>".encode() for n in range(count))
    write_archive(path, pages)
    command = [sys.executable, "-m", "thresher", "batch", str(path), "-o", str(folder / "out"), "-j", "2"]
    command += ["--method", "plain", "--slice-mb", "2", "--progress", "json"]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert run.stderr
    print("| pages | records | main process, MB | workers and their children, MB |\n|---|---|---|---|")
    step = last = count // 10
    for line in run.stderr:
        if line.startswith("{") and (done := json.loads(line)["pages"]) >= last:
            last += step
            others = " ".join(str(resident(child)) for child in children(run.pid))
            print(f"| {done:,} | {3 * done:,} | {resident(run.pid)} | {others} |", flush=True)
    run.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("what", choices=["speed", "memory"], default="speed", nargs="?")
    parser.add_argument("--ray", action="store_true", help="also on Ray")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pages", type=int, help="only so many pages, evenly chosen")
    parser.add_argument("--records", type=int, default=100_000, help="pages of the memory run, three records each")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if options.what == "memory":
            memory(Path(name), options.records)
        else:
            files = sorted(options.data.glob("html/**/*.html.gz"))
            chosen = files[:: max(len(files) // options.pages, 1)] if options.pages else files
            speed([gzip.decompress(file.read_bytes()) for file in chosen], Path(name), options.rounds, options.ray)


if __name__ == "__main__":
    main()

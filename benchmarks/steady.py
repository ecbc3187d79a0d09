"""Whether extraction stays the same and stays small: growth, byte-identical results, memory over many pages.

PYTHONPATH=. python benchmarks/steady.py growth
PYTHONPATH=. python benchmarks/steady.py same
PYTHONPATH=. python benchmarks/steady.py memory --pages 5000 --folder ../shared/data/wcxb
"""

from __future__ import annotations

import argparse
import gc
import gzip
import hashlib
import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests import test_hostile
from tests.hostile import bombs
from tests.hostile.case import ARTICLE, SENTENCES, Case
from tests.hostile.properties import forms

import thresher

# ---- growth --------------------------------------------------------------------------------------------------

_LINE = SENTENCES[0]
SHAPES: dict[str, tuple[Callable[[int], str], int]] = {
    "deep, within the budget": (lambda n: "<div>" * n + ARTICLE, 700),
    "deep, beyond it": (lambda n: "<div>" * n + ARTICLE, 25_000),
    "deep formatting": (lambda n: "<b>" * n + ARTICLE, 25_000),
    "deep lists": (lambda n: "<ul><li>" * n + ARTICLE, 700),
    "wide": (lambda n: ARTICLE + "<div>word</div>" * n, 20_000),
    "long, one paragraph": (lambda n: f"<p>{_LINE} " + _LINE * n, 5_000),
    "long, many paragraphs": (lambda n: f"<p>{_LINE}</p>" * n, 5_000),
    "links": (lambda n: ARTICLE + "<a href=/x>a link</a> " * n, 10_000),
    "headings": (lambda n: ARTICLE + f"<h2>A heading</h2><p>{_LINE}</p>" * n, 4_000),
    "br": (lambda n: f"<p>{_LINE}" + "a line<br>" * n, 20_000),
    "table": (lambda n: "<table>" + "<tr><td>a cell<td>another" * n, 5_000),
    "items": (lambda n: ARTICLE + "<ul>" + "<li>an item" * n, 10_000),
    "attributes": (lambda n: ARTICLE + "".join(f"<p id=i{k} class='c{k}'>word</p>" for k in range(n)), 5_000),
    "style rules": (
        lambda n: "<style>" + "".join(f".c{k}{{display:none}}" for k in range(n)) + f"</style>{ARTICLE}",
        5_000,
    ),
    "hidden boxes": (lambda n: ARTICLE + "<div style='display:none'>x</div>" * n, 10_000),
    "entities": (lambda n: f"<p>{_LINE}" + "&amp;&lt;" * n, 50_000),
}


def _seconds(html: str) -> float:
    best = math.inf
    for _ in range(3):
        gc.collect()
        started = time.process_time()
        result = thresher.extract(html)
        assert all((result.text, result.markdown, result.html))
        best = min(best, time.process_time() - started)
    return best


def growth() -> None:
    """log(t₂ / t₁) / log(4) for four times the page: extract, and write it as text, Markdown and HTML."""
    print(f"{'shape':<26}{'n':>8}{'t(n)':>10}{'t(4n)':>10}{'exponent':>10}")
    for name, (make, count) in SHAPES.items():
        small, large = _seconds(make(count)), _seconds(make(4 * count))
        print(f"{name:<26}{count:>8,}{small:>8.3f} s{large:>8.3f} s{math.log(large / small, 4):>10.2f}", flush=True)


# ---- same in, same out; memory ---------------------------------------------------------------------------------


SAME = 300  # pages that are compared


def _small() -> list[Case]:
    found = [case for module in test_hostile.PARTS if module is not bombs for case in module.cases()]
    return [case for case in found if not case.heavy and case.whole]


def _sources(limit: int) -> Iterator[tuple[bytes | str, dict[str, object]]]:
    """Hostile pages of usual size, taken evenly from the corpus."""
    found = _small()
    for case in found[:: max(1, len(found) // limit)]:
        source = case.source()
        if len(source) < 100_000:
            yield source, case.options


def _digest(source: bytes | str, options: dict[str, object]) -> str:
    result = thresher.extract(source, url="https://example.org/", **options)  # type: ignore[arg-type]
    return hashlib.sha256(json.dumps(forms(result), sort_keys=True).encode()).hexdigest()


def _backwards(source: bytes | str, options: dict[str, object]) -> str:
    """The same with everything asked for in another order, and printed with other options before."""
    result = thresher.extract(source, url="https://example.org/", **options)  # type: ignore[arg-type]
    for form in ("html", "markdown", "text"):
        result.render(form, links=False, images=False, tables=False)
    _ = result.blocks, result.hidden, result.metadata, result.xml
    return hashlib.sha256(json.dumps(forms(result), sort_keys=True).encode()).hexdigest()


def digests() -> None:
    """Print one digest a page; for `same`, in a process of its own."""
    for source, options in _sources(SAME):
        print(_digest(source, options))


def same() -> None:
    """Whether results are byte-identical across runs, options, threads and processes."""
    sources = list(_sources(SAME))
    first = [_digest(*source) for source in sources]
    print(f"{len(first)} pages, every form of each")
    print("again:                ", "identical" if [_digest(*source) for source in sources] == first else "DIFFERENT")
    print(
        "other order, options: ", "identical" if [_backwards(*source) for source in sources] == first else "DIFFERENT"
    )
    with ThreadPoolExecutor(10) as threads:
        many = list(threads.map(lambda source: _digest(*source), sources))
    print("ten threads:          ", "identical" if many == first else "DIFFERENT")
    for seed in ("0", "1", "4242"):
        command = [sys.executable, __file__, "digests"]
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": seed}, check=True
        )
        print(f"hash seed {seed + ':':<12}", "identical" if done.stdout.split() == first else "DIFFERENT", flush=True)


def _read(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def memory(pages: int, folder: Path | None) -> None:
    """Resident memory while pages go through: hostile ones, and real ones if a folder of them is named."""
    real = sorted(folder.rglob("*.html*"))[:500] if folder else []
    sources = [*_sources(1_000), *((_read(path), dict[str, object]()) for path in real)]
    print(f"{len(sources)} different pages, {len(real)} of them real")
    for number in range(pages):
        source, options = sources[number % len(sources)]
        result = thresher.extract(source, **options)  # type: ignore[arg-type]
        _ = result.text, result.markdown, result.metadata
        if number % (pages // 10) == pages // 10 - 1:
            with open("/proc/self/statm") as numbers:
                resident = int(numbers.read().split()[1]) * resource.getpagesize()
            print(f"{number + 1:>6} pages {resident / 1e6:>6.0f} MB", flush=True)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("growth", "same", "digests", "memory"))
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--folder", type=Path, help="pages of real sites, for `memory`")
    asked = parser.parse_args()
    if asked.what == "memory":
        memory(asked.pages, asked.folder)
    else:
        {"growth": growth, "same": same, "digests": digests}[asked.what]()


if __name__ == "__main__":
    main()

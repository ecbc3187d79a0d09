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
_ROWS = "<tr><td>a cell<td>another"
_LD = '{"@type":"Article","@id":"#%d","headline":"A headline","author":{"name":"Jane Doe"}}'


def _numbered(text: str, count: int, between: str = "") -> str:
    """A text as often, with the number of each in the place of `%d`."""
    return between.join(text.replace("%d", str(k)) for k in range(count))


def _styled(sheet: str, body: str) -> str:
    return f"<!DOCTYPE html><style>{sheet}</style>{ARTICLE}{body}"


SHAPES: dict[str, tuple[Callable[[int], str], int]] = {
    "deep, within the budget": (lambda n: "<div>" * n + ARTICLE, 700),
    "deep, beyond it": (lambda n: "<div>" * n + ARTICLE, 25_000),
    "deep, text in each": (lambda n: ARTICLE + "<div>word" * n, 5_000),
    "deep formatting": (lambda n: "<b>" * n + ARTICLE, 25_000),
    "deep lists": (lambda n: "<ul><li>" * n + ARTICLE, 350),
    "deep lists, beyond it": (lambda n: "<ul><li>" * n + ARTICLE, 12_500),
    "deep tables": (lambda n: ARTICLE + "<table><tr><td>" * n, 180),
    "deep quotations": (lambda n: "<blockquote>" * n + ARTICLE, 700),
    "wide": (lambda n: ARTICLE + "<div>word</div>" * n, 20_000),
    "wide, text around": (lambda n: ARTICLE + "<span>word</span> " * n, 20_000),
    "long, one paragraph": (lambda n: f"<p>{_LINE} " + _LINE * n, 5_000),
    "long, many paragraphs": (lambda n: f"<p>{_LINE}</p>" * n, 5_000),
    "one word": (lambda n: f"{ARTICLE}<p>" + "a" * n, 500_000),
    "links": (lambda n: ARTICLE + "<a href=/x>a link</a> " * n, 10_000),
    "links in paragraphs": (lambda n: f"<p>{_LINE} <a href=/x>a link</a></p>" * n, 3_000),
    "headings": (lambda n: ARTICLE + f"<h2>A heading</h2><p>{_LINE}</p>" * n, 4_000),
    "headings alone": (lambda n: ARTICLE + "<h2>A heading</h2>" * n, 10_000),
    "br": (lambda n: f"<p>{_LINE}" + "a line<br>" * n, 20_000),
    "table rows": (lambda n: f"{ARTICLE}<table>" + _ROWS * n, 5_000),
    "table cells": (lambda n: f"{ARTICLE}<table><tr>" + "<td>a cell" * n, 10_000),
    "tables": (lambda n: ARTICLE + f"<table>{_ROWS * 2}</table>" * n, 2_000),
    "tables in tables": (lambda n: ARTICLE + ("<table><tr><td>" * 3 + "x" + "</table>" * 3) * n, 2_000),
    "items": (lambda n: ARTICLE + "<ul>" + "<li>an item" * n, 10_000),
    "definitions": (lambda n: ARTICLE + "<dl>" + "<dt>a term<dd>what it means" * n, 5_000),
    "inline formatting": (lambda n: f"<p>{_LINE}" + "<b>bold</b> <i>and <u>more</u></i> " * n, 5_000),
    "misnested formatting": (lambda n: f"<p>{_LINE}" + "<b>a<i>b</b>c</i> " * n, 2_000),
    "code": (lambda n: ARTICLE + "<pre><code>x = 1\ny = 2</code></pre>" * n, 3_000),
    "lines of code": (lambda n: f"{ARTICLE}<pre>" + "x = 1\n" * n, 50_000),
    "images": (lambda n: ARTICLE + _numbered("<img src=/%d.png alt='image %d'>", n), 5_000),
    "figures": (lambda n: ARTICLE + "<figure><img src=a.png><figcaption>words</figcaption></figure>" * n, 3_000),
    "footnotes": (
        lambda n: (
            f"<p>{_LINE}" + _numbered("<sup><a href=#f%d>%d</a></sup>", n) + "<ol>" + _numbered("<li id=f%d>note", n)
        ),
        2_000,
    ),
    "formulas": (lambda n: f"<p>{_LINE}" + "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math> " * n, 2_000),
    "entities": (lambda n: f"<p>{_LINE}" + "&amp;&lt;" * n, 50_000),
    "signs of markdown": (lambda n: f"<p>{_LINE}" + "*_[`|\\# " * n, 20_000),
    "comments": (lambda n: ARTICLE + "<!-- a comment -->" * n, 20_000),
    "scripts": (lambda n: ARTICLE + "<script>x</script>" * n, 4_000),
    "svg": (lambda n: ARTICLE + "<svg><path d=M0/></svg>" * n, 10_000),
    "forms": (lambda n: ARTICLE + "<form><input name=a><label>x</label></form>" * n, 5_000),
    "options": (lambda n: f"{ARTICLE}<select>" + "<option>x" * n, 2_000),
    "attributes of a tag": (lambda n: f"{ARTICLE}<p " + _numbered("a%d=1 ", n) + ">x", 70),
    "ids and classes": (lambda n: ARTICLE + _numbered("<p id=i%d class='c%d'>word</p>", n), 5_000),
    "classes of a tag": (lambda n: f"{ARTICLE}<p class='" + _numbered("c%d ", n) + "'>word</p>", 20_000),
    "style attributes": (lambda n: ARTICLE + _numbered("<p style='width:%dpx;color:#123'>word</p>", n), 5_000),
    "style rules": (lambda n: _styled(_numbered(".c%d{display:none}", n), ""), 5_000),
    "style rules x elements": (
        lambda n: _styled(_numbered(".c%d{display:none}", n), _numbered("<p class=c%d>x</p>", n)),
        1_000,
    ),
    "selectors x elements": (
        lambda n: _styled(_numbered("div p:nth-child(%dn) b{opacity:0}", n), "<div><p>x <b>y</b></p></div>" * n),
        300,
    ),
    "variables": (
        lambda n: _styled(_numbered(".c%d{--v%d:none;display:var(--v%d)}", n), _numbered("<p class=c%d>x</p>", n)),
        1_000,
    ),
    "hidden boxes": (lambda n: ARTICLE + "<div style='display:none'>x</div>" * n, 10_000),
    "tabs": (lambda n: f"{ARTICLE}<div class=tabs>" + f"<div class=tab-pane hidden>{_LINE}</div>" * n, 2_000),
    "json-ld": (
        lambda n: (
            f"<script type=application/ld+json>[{_numbered(_LD, n, ',')}]</script>{ARTICLE}"  # one island
        ),
        2_000,
    ),
    "json-ld islands": (lambda n: _numbered(f"<script type=application/ld+json>{_LD}</script>", n) + ARTICLE, 2_000),
    "microdata": (
        lambda n: "<div itemscope itemtype=http://schema.org/Article>" + "<b itemprop=author>J D</b>" * n + ARTICLE,
        5_000,
    ),
    "comments of readers": (lambda n: ARTICLE + f"<div class=comment><b>ann</b><p>{_LINE}</p></div>" * n, 2_000),
}


def _seconds(html: str) -> float:
    best = math.inf
    for _ in range(3):
        gc.collect()
        started = time.process_time()
        result = thresher.extract(html)
        assert all((result.text, result.markdown, result.html, result.metadata))
        best = min(best, time.process_time() - started)
    return best


def growth(only: str = "") -> None:
    """log(t₂ / t₁) / log(4) for four times the page: extract with metadata, and write text, Markdown and HTML."""
    print(f"{'shape':<26}{'n':>8}{'t(n)':>10}{'t(4n)':>10}{'exponent':>10}")
    for name, (make, count) in SHAPES.items():
        if only not in name:
            continue
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
    parser.add_argument("--only", default="", help="shapes with this in their names, for `growth`")
    asked = parser.parse_args()
    if asked.what == "memory":
        memory(asked.pages, asked.folder)
    elif asked.what == "growth":
        growth(asked.only)
    else:
        {"same": same, "digests": digests}[asked.what]()


if __name__ == "__main__":
    main()

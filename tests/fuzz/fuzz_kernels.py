"""Broken pages and random bytes through every kernel, without coverage: for kernels that were built with sanitizers,
beside which atheris cannot be loaded.

    THRESHER_SANITIZE=1 python setup.py build_ext --inplace --force
    tests/fuzz/sanitized python tests/fuzz/fuzz_kernels.py --strings 1000000
    tests/fuzz/sanitized python tests/fuzz/fuzz_kernels.py --pages FOLDER --seconds 3600 --last /tmp/last.html

A string is short, of few different bytes or of all, and goes through each kernel that reads bytes and, with some others
on a short page, through all of them; with each string one of the loops over columns, in turn, has random columns whose
numbers may point outside of one another.  Of pages, each input is one
of the folder or one of the small cases of tests/hostile, cut short, with pieces of it and of others taken out, doubled,
moved or overwritten.  It is written to the file --last before it runs: what a sanitizer stops at is there.  The number
of inputs is printed with every thousandth; --seed goes on from there.
"""

from __future__ import annotations

import argparse
import gzip
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
from tests import (
    test_auto_kernels,
    test_kernels,
    test_kernels_css,
    test_output_kernels,
    test_visible_kernels,
)
from tests.fuzz.seeds import seeds
from tests.kernel_arguments import arguments, result

import thresher
from thresher.batch.duplicates import FirstPages
from thresher.css.properties import PROPERTIES, ROLES
from thresher.css.selector_table import table_room
from thresher.css.structure import Structure
from thresher.page.columns import words
from thresher.visible.hidden import causes, hidden

_MAX_BYTES = 60_000  # of an input
_MAX_EDITS = 12
_MAX_PIECE_BYTES = 200
_TOGETHER = 12  # strings on one page
_MARKS = (
    *(b"<>/!-\"'= &;{}:.#*>+~[]()\\@,\0\n"[at : at + 1] for at in range(32)),
    b"<!--", b"-->", b"<style>", b"</style>", b"<script>", b"</script>", b"<svg>", b"<math>", b"<template>", b"<b>",
    b"</p>", b"<plaintext>", b"<option>", b"<p hidden>", b"style=\"", b"class='", b"&amp;", b"&nbsp;", b"url(", b"/*",
    b"*/", b":not(", b":is(", b"display:none", b"@media print{", b"@layer a;", b"var(--a)", b"--a:", b"!important",
    "\u3002".encode(), b"\xc2", b"\xe3\x80", b"\xf0\x9f",
)  # fmt: skip


def pages(folder: Path) -> list[bytes]:
    files = sorted(path for path in folder.rglob("*") if path.name.endswith((".html", ".html.gz")))
    return [gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in files]


def edited(chance: random.Random, corpus: list[bytes]) -> bytes:
    """A page of the corpus, broken in a few places."""
    page = chance.choice(corpus)
    size = chance.randrange(1, _MAX_BYTES)
    start = chance.randrange(max(len(page) - size, 1)) if chance.random() < 0.7 else 0
    text = bytearray(page[start : start + size])
    for _ in range(chance.randrange(_MAX_EDITS)):
        at, length = chance.randrange(len(text) + 1), chance.randrange(_MAX_PIECE_BYTES)
        kind = chance.randrange(6)
        if kind == 0:
            del text[at : at + length]
        elif kind == 1:
            text[at:at] = chance.choice(_MARKS) * chance.choice((1, 1, 2, length))
        elif kind == 2:
            text[at:at] = text[at : at + length]
        elif kind == 3:
            other = chance.choice(corpus)
            begin = chance.randrange(len(other) + 1)
            text[at : at + chance.choice((0, length))] = other[begin : begin + chance.randrange(2_000)]
        elif kind == 4:
            text[at : at + length % 8] = chance.randbytes(length % 8)
        else:
            del text[at:]
    return bytes(text)


def run(html: bytes) -> None:
    """All that reads bytes in compiled loops."""
    page = thresher.parse(html)
    hidden(page)
    causes(page)
    words(page)
    result = thresher.extract(html)
    assert isinstance(result.text, str)
    assert isinstance(result.markdown, str)


def run_string(seed: int) -> None:
    """Random bytes as markup, as a source, as text, as a tag; a random style sheet and
    selector on a small page; and random columns."""
    data = test_kernels.random_bytes(seed)
    test_kernels.columns_of(data, test_kernels.PARSE[0])
    for source in (data, b"<p>%b</p><li>%b<li>" % (data, data)):
        test_kernels.surveys(source, test_kernels.BUDGET[0])
    test_kernels.counts_of(data, random.Random(seed).choices(range(-3, 64), k=6), test_kernels.PAGE[0])
    test_kernels.attributes_of(data, [0, len(data) // 2, len(data)], test_kernels.PAGE[0])
    test_kernels.long_tag_of(data, seed % 7, test_kernels.BUDGET[0])
    sheet = test_kernels_css.random_sheet(seed)
    structure = Structure([sheet, data, b"@scope(%b){%b{}}" % (sheet, data)], PROPERTIES)
    for external in (False, True):
        test_kernels_css.SUSPECTS[0].suspects(structure, ROLES, external)
    if seed % 2:
        test_kernels_css.names_of(_SMALL_PAGE, seed % 4 == 1, structure, seed, 0)
    read_parts(data, seed)
    if seed % 64 == 0:
        bits = random.Random(seed).choices(range(1 << 20), k=20)
        FirstPages().originals_of(bits, list(map(str, bits)))
    run_columns(seed)


def read_parts(data: bytes, seed: int) -> None:
    """Values, names and selectors of a style sheet where random bytes stand."""
    test_kernels_css.TOKENISERS[0].may_hide(data, seed % len(ROLES), PROPERTIES)
    test_kernels_css.TOKENISERS[0].name_hash(data)
    test_kernels_css.SUSPECTS[0].may_be_clear(data)
    bounds = np.random.default_rng(seed).integers(-2, len(data) + 3, (3, 4)).astype(np.int32)
    test_kernels_css.READERS[0].read_selectors(data, *(row.data for row in bounds), table_room(4 * len(data) + 9).data)


def run_together(seeds: range) -> None:
    """The same bytes, those of some seeds on one page; most are decoded before, for no kernel guesses encodings."""
    strings = [test_kernels.random_bytes(seed) for seed in seeds]
    page = page_around(strings, test_kernels_css.random_sheet(seeds[0]))
    if seeds[0] // _TOGETHER % 8:
        assert isinstance(thresher.extract(page.decode("utf-8", "replace")).text, str)
    else:
        run(page)


def page_around(strings: list[bytes], sheet: bytes) -> bytes:
    """Random bytes where a short page has title, classes, prose, a list, links, a table, a date; and a style sheet."""
    head = b"<title>%b</title><style>%b%b</style>%b<body class='%b'><h1>%b" % (
        strings[0][:20], _RULES, sheet, _DATA, strings[0][:30], strings[-1][:20],
    )  # fmt: skip
    return head + b"".join(map(_section, strings))


_RULES = b".gone{display:none;position:absolute}.gone i{color:red;visibility:hidden}"
_DATA = b'<script type="application/ld+json">{"@type":"Article","articleBody":"%b"}</script>' % (
    b"The flail loosens the grain. " * 9
)
_UNSPACED = "編\n輯 ก\u200bก".encode()


def _section(data: bytes) -> bytes:
    """The body of one string."""
    item = b"<li class='post %b'><a href='%b#%b'>%b</a> $5 %b" % (data[:9], data[:5], data[5:9], data, data[-9:])
    table = b"<table><tr><td>%b<td>%b</table><time>1 May 2021 %b</time><br>%b" % (data, data, data, data)
    prose = b"<p>%b, %b.<p>%b%b" % (b"The flail loosens the grain. " * 3, data, data, _UNSPACED)
    gone = b"<p class=gone style='opacity:0;%b'>%b<i aria-hidden=' true'>%b" % (data[:30], data, data)
    heads = b"<h2>%b</h2><h2>The flail</h2><h3 id=f>The flail <a href='#f'>#</a></h3>" % data[:20]
    return b"<article class='%b'>%b%b<ul>%b</ul>%b%b" % (data[:30], heads, prose, item * 2, table, gone)


def run_columns(seed: int) -> None:
    """Random columns through one of the loops that the strings do not reach by themselves."""
    modules, name, shapes = _LOOPS[seed % len(_LOOPS)]
    compiled, source = (getattr(module, name) for module in modules)
    result(compiled, arguments(np.random.default_rng(seed), source, shapes))


_LOOPS = [
    (tests.MODULES[name.split(".")[0]], name.split(".")[1], shapes)
    for tests in (test_auto_kernels, test_kernels, test_output_kernels, test_visible_kernels)
    for name, shapes in tests.SHAPES.items()
]
_SMALL_PAGE = thresher.parse(test_kernels_css.SMALL_PAGE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--strings", type=int, default=0)
    parser.add_argument("--pages", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--last", type=Path, default=Path("last.html"))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.strings:
        run_strings(range(options.seed, options.seed + options.strings))
    if options.pages is not None:
        run_pages(options.pages, options.seconds, options.last, options.seed)


def run_strings(seeds: range) -> None:
    for first in seeds[::_TOGETHER]:
        together = range(first, min(first + _TOGETHER, seeds.stop))
        for seed in together:
            run_string(seed)
        run_together(together)
        if (first - seeds.start) % (4_000 * _TOGETHER) == 0:
            print(f"{first - seeds.start:,} strings", flush=True)
    print(f"{len(seeds):,} strings, no report", flush=True)


def run_pages(folder: Path, seconds: float, last: Path, seed: int) -> None:
    corpus = [*pages(folder), *seeds()]
    end, first = time.monotonic() + seconds, seed
    while time.monotonic() < end:
        html = edited(random.Random(seed), corpus)
        last.write_bytes(html)
        run(html)
        seed += 1
        if seed % 1_000 == 0:
            print(f"{seed:,} inputs", flush=True)
    print(f"{seed - first:,} inputs, no report")


if __name__ == "__main__":
    main()

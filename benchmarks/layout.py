"""Paper 003, Table 1, on the pages of `sites`; the cost of rendering and analysis: python benchmarks/layout.py [SITES]

Prints Markdown for docs/layout.md.  Pages are rendered once and kept beside the results of `thresher evaluate`; with
`--render` some are rendered anew and timed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import mean, median

import numpy as np

import thresher
from thresher.evaluate import rendered
from thresher.evaluate.cache import default_folder
from thresher.evaluate.datasets import DatasetRecord, open_dataset
from thresher.evaluate.elements import gold_elements
from thresher.evaluate.measures import Score, bow, labelled_words
from thresher.evaluate.run import RENDERINGS
from thresher.methods import layout
from thresher.methods.layout.column_tree import collapsed, columns
from thresher.methods.layout.main_column import column_leaves, column_scores, main_column
from thresher.methods.layout.paragraphs import paragraphs, word_counts
from thresher.methods.layout.zones import zones
from thresher.page import Page
from thresher.page.columns import words
from thresher.render.saved import load
from thresher.visible.readable import readable

METHODS: dict[str, tuple[str, dict[str, str | bool], bool]] = {
    "layout": ("layout", {}, True),
    "layout, as printed": ("layout", {"strict": True}, True),
    "semantic, article": ("semantic", {"tag": "article"}, True),
    "semantic, main": ("semantic", {"tag": "main"}, True),
    "auto, static": ("auto", {}, False),
    "auto, rendered": ("auto", {}, True),
}
BEST = "semantic, the better tag"
Scores = dict[str, tuple[Score, Score]]  # by method: on labelled words, on bags of words


def score(record: DatasetRecord, method: str) -> tuple[Score, Score]:
    name, options, in_browser = METHODS[method]
    page = load(record.page_file) if in_browser and record.page_file else thresher.parse(record.html or b"", record.url)
    found = thresher.extract(page, method=name, options=options)
    gold = gold_elements(page, record.gold_selectors, record.exclude_selectors)[page.owner] & readable(page)
    return labelled_words(words(page), gold, found.keep), bow(record.gold or "", found.text)


def table(pages: list[tuple[DatasetRecord, Scores]], measure: int) -> Iterator[str]:
    yield "| method | journal P | R | F1 | all P | R | F1 |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for method in pages[0][1]:
        cells = []
        for some in ([row for row in pages if row[0].page_type == "journal"], pages):
            scores = [found[method][measure] for _, found in some]
            cells += [f"{mean(getattr(s, part) for s in scores):.3f}" for part in ("precision", "recall", "f1")]
        yield f"| {method} | {' | '.join(cells)} |"


def cpu(run: Callable[[Page], object], page: Page, times: int = 7) -> float:
    """Milliseconds of CPU, the least of some runs, each on a page that remembers nothing."""
    found = []
    for _ in range(times):
        fresh = replace(page)
        start = time.process_time()
        run(fresh)
        found.append(1000 * (time.process_time() - start))
    return min(found)


def steps(page: Page) -> list[float]:
    """CPU of each step alone: what it needs has been computed before."""
    taken = []
    fresh = [replace(page) for _ in range(7)]
    for step in (readable, zones, _columns, _paragraphs, _search):
        times = []
        for one in fresh:
            start = time.process_time()
            step(one)
            times.append(1000 * (time.process_time() - start))
        taken.append(min(times))
    return taken


def _columns(page: Page) -> None:
    collapsed(columns(zones(page)))


def _paragraphs(page: Page) -> None:
    paragraphs(page, zones(page))


def _search(page: Page) -> None:
    tree = zones(page)
    found = collapsed(columns(tree))
    scored = column_scores(tree, found, word_counts(page, tree), np.ones(tree.leaves, bool))
    column_leaves(tree, found, main_column(found, scored))


def costs(records: list[DatasetRecord]) -> Iterator[str]:
    yield "| page | elements | words | seen | zones | columns | paragraphs | search | together |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    layout.judge(load(records[0].page_file or Path()))  # word lists are read once
    everything = []
    for record in records:
        page = load(record.page_file or Path())
        together = cpu(layout.judge, page)
        everything.append(together)
        if len(page) >= 1500:
            parts = " | ".join(f"{ms:.1f}" for ms in steps(page))
            yield f"| {record.id} | {len(page):,} | {int(words(page).sum()):,} | {parts} | {together:.1f} |"
    yield f"\nAll {len(everything)} pages: {mean(everything):.1f} ms of CPU on average, {max(everything):.1f} at most."


def render_times(records: list[DatasetRecord]) -> str:
    from thresher.render import BrowserPool

    taken = []
    with BrowserPool() as pool:
        for record in records:
            start = time.monotonic()
            rendered.show(record, pool)
            taken.append(time.monotonic() - start)
    return f"Rendering {len(taken)} pages by the clock: median {median(taken):.1f} s, at most {max(taken):.1f} s."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sites", nargs="?", default="../shared/data/sites")
    parser.add_argument("--cache", type=Path, default=default_folder())
    parser.add_argument("--render", type=int, default=0, metavar="N", help="render N pages anew, for their time")
    chosen = parser.parse_args()
    dataset = open_dataset(chosen.sites)
    rendered.render_missing(dataset, list(dataset.ids()), chosen.cache / RENDERINGS, print)
    loaded = [record for record in dataset if isinstance(record, DatasetRecord)]
    records = [rendered.with_rendering(record, chosen.cache / RENDERINGS) for record in loaded]
    pages: list[tuple[DatasetRecord, Scores]] = []
    for record in records:
        found = {method: score(record, method) for method in METHODS}
        article, main_tag = (found[f"semantic, {tag}"] for tag in ("article", "main"))
        best = {BEST: max(article, main_tag, key=lambda pair: pair[0].f1)}
        pages.append((record, dict(list(found.items())[:4]) | best | dict(list(found.items())[4:])))
    tagged = [row for row in pages if row[1][BEST][0].recall > 0]
    print("**Words, each with the label of its zone**\n", *table(pages, 0), sep="\n")
    print(f"\n**The same, {len(tagged)} pages with one of the tags**\n", *table(tagged, 0), sep="\n")
    print("\n**Bags of words of the printed text**\n", *table(pages, 1), sep="\n")
    print("\n**Pages below 0.8** (`layout`, words of zones, bags of words)\n")
    for record, found in pages:
        by_zone, by_text = found["layout"]
        if min(by_zone.f1, by_text.f1) < 0.8:
            print(f"- {record.id}: {by_zone.f1:.3f}, {by_text.f1:.3f}")
    print("\n**Analysis, ms of CPU**\n", *costs(records), sep="\n")
    if chosen.render:
        print("\n" + render_times(records[:: max(1, len(records) // chosen.render)][: chosen.render]))


if __name__ == "__main__":
    main()

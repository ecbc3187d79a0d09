"""The tables of paper 002, for docs/site.md.  python benchmarks/site_tables.py DATA/sites [--write docs/site.md]

Key pages with at least two other pages.  Table 3 is what `thresher evaluate` measures; the others give the methods
other pages to compare with, or other numbers, and use the same measures.  Times are CPU time for choosing and
comparing, all pages parsed.  --write puts the tables between the marks of the file; without it they are printed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from thresher import extract, methods, parse
from thresher.errors import NeedsSiblings
from thresher.evaluate.datasets import open_dataset
from thresher.evaluate.datasets.record import DatasetRecord
from thresher.evaluate.datasets.sites import Sites
from thresher.evaluate.elements import gold_elements, kept_elements
from thresher.evaluate.measures import Score, bow, nodes
from thresher.evaluate.results import EvaluationRun
from thresher.evaluate.run import evaluate
from thresher.page import Page
from thresher.template.nset import choose, collect

BEGIN, END = "<!-- tables: python benchmarks/site_tables.py -->", "<!-- end of tables -->"
TABLE_3 = "plain,auto,auto+siblings,sst,rtdm,iwptd,rbmtd,temex,site,site_plus"
ELSEWHERE = ("plain", "site:equal=attributes", "site", "site:equal=text", "temex", "site_plus")
SIZES = range(2, 9)
DRAWS = 5  # random choices of pages, averaged
# Each number of site_plus, a good half smaller and larger.
NUMBERS: dict[str, tuple[float, ...]] = {"branch": (0.7, 0.8, 0.9, 0.95), "line": (5, 15), "prose": (15, 45)}
SCORES = 6  # recall, precision and F1 of words and of nodes


@dataclass(frozen=True)
class Labelled:
    """A key page, its siblings, and what is right."""

    record: DatasetRecord
    page: Page
    siblings: list[Page]
    gold: np.ndarray

    def scores(self, method: str, siblings: Sequence[Page], **options: Any) -> list[float]:
        """Recall, precision and F1 of words and of DOM nodes."""
        found = extract(self.page, method=method, siblings=siblings, options=options)
        chosen = found.elements if found.elements is not None else kept_elements(self.page, found.keep)
        both = (bow(self.record.gold or "", found.text), nodes(self.gold, chosen))
        return [part for score in both for part in _parts(score)]


def load(data: Path) -> list[Labelled]:
    """The key pages with two siblings or more, all parsed."""
    sites = Sites(data)
    found = []
    for record in map(sites.read, sites.ids()):
        if len(record.siblings) > 1:
            page = parse(record.html or b"", url=record.url, encoding=record.encoding)
            siblings = [parse(file.read_bytes(), url=url) for url, file in record.siblings.items()]
            gold = gold_elements(page, record.gold_selectors, record.exclude_selectors)
            found.append(Labelled(record, page, siblings, gold))
    return found


def compared(data: Path, pages: list[Labelled], wanted: str, cache: Path | None) -> Iterator[str]:
    """Table 3: the methods, as `thresher evaluate` measures them, and what they take once the pages are parsed."""
    run = evaluate(Sites(data), wanted.split(","), ("bow", "nodes"), cache=cache, jobs=1)
    counted = {page.record.id for page in pages}
    rows = []
    for method in run.methods:
        scored = [
            [part for name in ("bow", "nodes") for part in _parts(outcome.scores[name])]
            for outcome in run.select(method)
            if outcome.record in counted
        ]
        rows.append((f"`{method}`", *_means(scored), f"{_milliseconds(method, pages):.0f}"))
    command = f"thresher evaluate ../shared/data/sites --methods {wanted} --measure bow,nodes"
    yield f"**Table 3: methods** ({len(pages)} pages with siblings of the {_counted(run)} of `{command}`)\n"
    yield from _table(("method", *_HEAD, "ms"), rows)


def sizes(pages: list[Labelled]) -> Iterator[str]:
    """Table 1: how many pages to compare with."""
    yield f"**Table 1: pages to compare with** ({len(pages)} key pages)\n"
    rows = []
    for method in ("site", "temex", "site_plus"):
        for size in SIZES:
            scored = [page.scores(method, page.siblings, pages=size) for page in pages]
            rows.append((f"`{method}`", str(size), *_means(scored), f"{_milliseconds(method, pages, pages=size):.0f}"))
    yield from _table(("method", "n", *_HEAD, "ms"), rows)


def choices(pages: list[Labelled]) -> Iterator[str]:
    """The last rows of Table 2: pages chosen by the two distances, against random ones."""

    def by_distance(page: Labelled) -> Iterable[list[Page]]:
        yield choose(page.page, page.siblings, 4)

    def at_random(page: Labelled) -> Iterable[list[Page]]:
        for seed in range(DRAWS):
            yield collect(page.page, random.Random(seed).sample(page.siblings, len(page.siblings)), 4)

    def all_of_them(page: Labelled) -> Iterable[list[Page]]:
        yield page.siblings

    ways: dict[str, Callable[[Labelled], Iterable[list[Page]]]] = {
        "the two distances": by_distance,
        f"random, mean of {DRAWS}": at_random,
        "most alike (`site_plus`)": all_of_them,
    }
    rows = []
    for method in ("site", "temex", "site_plus"):
        for way, given in ways.items():
            if given is all_of_them and method != "site_plus":
                continue
            scored = [page.scores(method, siblings) for page in pages for siblings in given(page)]
            rows.append((f"`{method}`", way, *_means(scored)))
    yield "**Table 2, last rows: which four pages** (copies of the key page left out in all)\n"
    yield from _table(("method", "chosen by", *_HEAD), rows)


def each(pages: list[Labelled]) -> Iterator[str]:
    """Table 2 as the paper prints it: each site, then the means of the sites; `thresher papers 002` has it, too."""
    yield "**Table 2: `site`, site by site** (means of a site's key pages; the last rows are the means of the sites)\n"
    sites: dict[str, list[Labelled]] = {}
    for page in pages:
        sites.setdefault(page.record.id.partition("/")[0], []).append(page)
    metrics, lots = [], []
    rows = []
    for site, of_site in sites.items():
        scored = [page.scores("site", page.siblings) for page in of_site]
        drawn = [page.scores("site", page.siblings, choice="random", seed=n) for page in of_site for n in range(DRAWS)]
        metrics.append(np.mean(scored, axis=0).tolist())
        lots.append(np.mean(drawn, axis=0).tolist())
        rows.append((site, *_means(scored), f"{_milliseconds('site', of_site):.0f}"))
    rows.append(("average, using metrics", *_means(metrics), f"{_milliseconds('site', pages):.0f}"))
    time_drawn = _milliseconds("site", pages, choice="random")
    rows.append((f"average, random pages, mean of {DRAWS}", *_means(lots), f"{time_drawn:.0f}"))
    yield from _table(("site", *_HEAD, "ms"), rows)


def openings(pages: list[Labelled]) -> Iterator[str]:
    """What the paper leaves open, and what it tried without printing figures."""
    yield "**What makes nodes equal, and how often a candidate may be repeated: `site`**\n"
    rows = []
    for equal in ("attributes", "children", "text"):
        scored = [page.scores("site", page.siblings, equal=equal) for page in pages]
        rows.append((f"`equal={equal}`", *_means(scored)))
    for repeats in range(1, 5):
        scored = [page.scores("site", page.siblings, repeats=repeats) for page in pages]
        rows.append((f"`repeats={repeats}`", *_means(scored)))
    yield from _table(("", *_HEAD), rows)


def numbers(pages: list[Labelled]) -> Iterator[str]:
    """What the numbers of site_plus are worth: each one changed."""
    default = methods.module("site_plus").Options()
    rows = [("as they are", *_means([page.scores("site_plus", page.siblings) for page in pages]))]
    for name, others in NUMBERS.items():
        for value in others:
            scored = [page.scores("site_plus", page.siblings, **{name: value}) for page in pages]
            rows.append((f"`{name}` {value:g} instead of {getattr(default, name):g}", *_means(scored)))
    yield "**The numbers of `site_plus`**\n"
    yield from _table(("", *_HEAD), rows)


def elsewhere(data: Path) -> Iterator[str]:
    """Words F1 on the pages of a data set of single pages whose host has three or more: each with the others."""
    hosts: dict[str, list[DatasetRecord]] = {}
    for record in open_dataset(data):
        if isinstance(record, DatasetRecord) and record.gold and record.html and urlsplit(record.url or "").hostname:
            hosts.setdefault((urlsplit(record.url or "").hostname or "").removeprefix("www."), []).append(record)
    hosts = {host: records for host, records in hosts.items() if len(records) >= 3}
    kinds: dict[str, list[list[float]]] = {}
    for records in hosts.values():
        pages = [parse(record.html or b"", url=record.url, encoding=record.encoding) for record in records]
        for at, record in enumerate(records):
            siblings = pages[:at] + pages[at + 1 :]
            found = [extract(pages[at], method=name, siblings=siblings).text for name in ELSEWHERE]
            kinds.setdefault(record.page_type, []).append([bow(record.gold or "", text).f1 for text in found])
    count = sum(map(len, kinds.values()))
    yield f"**Other sites: words F1 on {count} pages of {len(hosts)} hosts of `{data.name}`**\n"
    every = [scores for scored in kinds.values() for scores in scored]
    rows = [("all", str(count), *(f"{value:.3f}" for value in np.mean(every, axis=0)))]
    for kind, scored in sorted(kinds.items(), key=lambda item: -len(item[1])):
        rows.append((kind, str(len(scored)), *(f"{value:.3f}" for value in np.mean(scored, axis=0))))
    yield from _table(("", "pages", *(f"`{name}`" for name in ELSEWHERE)), rows)


_HEAD = ("words R", "P", "F1", "nodes R", "P", "F1")


def _parts(score: Score) -> tuple[float, float, float]:
    return score.recall, score.precision, score.f1


def _means(scored: list[list[float]]) -> list[str]:
    return [f"{value:.3f}" for value in np.mean(scored, axis=0)] if scored else ["–"] * SCORES


def _counted(run: EvaluationRun) -> int:
    return len({outcome.record for outcome in run.outcomes})


def _milliseconds(method: str, labelled: list[Labelled], /, **options: Any) -> float:
    """CPU time a key page for everything but parsing; nothing is remembered of any page."""
    module = methods.module(method.partition("+")[0])
    spent = []
    for key in labelled:
        page, siblings = replace(key.page), tuple(map(replace, key.siblings))
        known = module.Options.__dataclass_fields__
        given = {"siblings": siblings} if "siblings" in known and _uses_siblings(method, module) else {}
        start = time.process_time()
        module.judge(page, module.Options(**given, **options))
        spent.append(time.process_time() - start)
    return 1000 * float(np.mean(spent))


def _uses_siblings(method: str, module: Any) -> bool:
    """Whether a method is given the other pages: when its name says so, or when it cannot do without."""
    if method.endswith("+siblings"):
        return True
    try:
        module.judge(parse("<p>A page"))
    except NeedsSiblings:
        return True
    return False


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield ("| " + " | ".join("---" if cell in ("method", "site", "chosen by", "") else "---:" for cell in head) + " |")
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", type=Path, help="put the tables into this file, between its marks")
    parser.add_argument("--methods", default=TABLE_3, help="of Table 3; auto+siblings is auto with other pages")
    parser.add_argument("--wcxb", type=Path, help="a data set of single pages, some of one site")
    parser.add_argument("--cache", type=Path, help="of `thresher evaluate`")
    arguments = parser.parse_args()
    pages = load(arguments.data)
    tables = (
        compared(arguments.data, pages, arguments.methods, arguments.cache),
        sizes(pages),
        choices(pages),
        numbers(pages),
        elsewhere(arguments.wcxb) if arguments.wcxb else (),
        openings(pages),
        each(pages),
    )
    text = "\n".join(line for table in tables for line in table)
    if not arguments.write:
        print(text)
        return
    document = arguments.write.read_text("utf-8")
    if BEGIN not in document or END not in document:
        sys.exit(f"{arguments.write} lacks the marks {BEGIN} and {END}")
    before, after = document.split(BEGIN)[0], document.split(END)[1]
    arguments.write.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()

"""What it costs to compare a page with another of its site.  python benchmarks/site.py [DATA/sites]

CPU milliseconds per sibling, parsing left out and nothing remembered of the sibling: the equal top-down mapping, the
same by kinds, the judgement whether it is a copy, the evidence columns.  `key page` is what the key page itself costs,
once for all its siblings.  On made-up pages of 5,000 nodes and on the largest pages of DATA/sites.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from thresher import parse
from thresher.evaluate.datasets.sites import Sites
from thresher.page import Page
from thresher.template import evidence, mapping, nset
from thresher.template.nodes import nodes

NODES = 5_000
ROUNDS = 15
WORDS = "grain chaff mill stone wheel field harvest straw barn flail sieve wind".split()

STEPS: dict[str, Callable[[Page, Page], object]] = {
    "key page": lambda _, page: mapping.places(page),
    "mapping": mapping.mapped,
    "by kind": lambda page, other: mapping.mapped(page, other, "kind"),
    "copies": lambda page, other: nset.copies(page, [other]),
    "repeated": lambda page, other: evidence.repeated(page, [other]),
    "text_repeated": lambda page, other: evidence.text_repeated(page, [other]),
}


def made_up() -> dict[str, tuple[Page, Page]]:
    """A page and its sibling: an article between menus, a table, a nest as deep as pages may be."""

    def said(count: int, draw: random.Random) -> str:
        return " ".join(draw.choices(WORDS, k=count))

    def article(draw: random.Random) -> str:
        menu = "".join(f'<li class="item n{k}"><a href="/{k}" title="{k}">menu {k}</a></li>' for k in range(NODES // 6))
        text = "".join(f"<p>{said(30, draw)} <b>{said(2, draw)}</b> {said(9, draw)}</p>" for _ in range(NODES // 10))
        return f"<ul id=menu>{menu}</ul><div class=main>{text}</div>"

    def table(draw: random.Random) -> str:
        row = "<tr>" + "<td class=c>{}</td>" * 4 + "</tr>"
        return "<table>" + "".join(row.format(*draw.choices(WORDS, k=4)) for _ in range(NODES // 9)) + "</table>"

    def nest(draw: random.Random) -> str:
        return f"<div class=a><b>{said(2, draw)}</b>" * 500

    return {
        kind.__name__: (parse(kind(random.Random(1))), parse(kind(random.Random(2)))) for kind in (article, table, nest)
    }


def largest(data: Path) -> dict[str, tuple[Page, Page]]:
    """The five largest key pages, each with its largest sibling."""
    sites = Sites(data)
    records = [record for record in map(sites.read, sites.ids()) if record.siblings]
    pairs = {}
    for record in sorted(records, key=lambda record: -len(record.html or b""))[:5]:
        file = max(record.siblings.values(), key=lambda file: file.stat().st_size)
        pairs[record.id[-32:]] = (parse(record.html or b"", url=record.url), parse(file.read_bytes()))
    return pairs


def milliseconds(step: Callable[[Page, Page], object], page: Page, other: Page) -> float:
    """The median of some runs."""
    spent = []
    step(page, other)
    for _ in range(ROUNDS):
        fresh = replace(other)  # the same columns, nothing computed from them yet
        start = time.process_time()
        step(page, fresh)
        spent.append(time.process_time() - start)
    return 1000 * float(np.median(spent))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path, nargs="?")
    arguments = parser.parse_args()
    pairs = made_up() | (largest(arguments.data) if arguments.data else {})
    print(f"{'page':34} {'nodes':>6} {'sibling':>8} {'KB':>6} " + " ".join(f"{name:>13}" for name in STEPS))
    for name, (page, other) in pairs.items():

        def spent(step: str, page: Page = page, other: Page = other) -> float:
            return milliseconds(STEPS[step], page, page if step == "key page" else other)

        sizes = f"{len(nodes(page)):6} {len(nodes(other)):8} {len(page.markup) / 1000:6.0f}"
        print(f"{name:34} {sizes} " + " ".join(f"{spent(name):13.2f}" for name in STEPS))


if __name__ == "__main__":
    main()

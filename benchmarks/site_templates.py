"""What comparing a page with its siblings costs.  python benchmarks/site_templates.py [DATA/sites] [--exact]

CPU milliseconds per sibling for each detector of templates, on made-up pages of 5,000 elements and on the largest pages
of DATA/sites: everything that is computed from the parsed pages, nothing remembered from the run before.  --exact also
compares the mapping of `rtdm` with the cheapest one, on key pages and two siblings each.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from thresher import methods, parse
from thresher.evaluate.datasets.sites import Sites
from thresher.methods import rtdm
from thresher.page import Page
from thresher.template.nodes import nodes
from thresher.template.nset import choose

NAMES = ("iwptd", "rbmtd", "rtdm", "sst")
ELEMENTS = 5_000
SIBLINGS = 4
MOST_CELLS = 400_000  # of a table; pages that need more are left out


def made_up() -> dict[str, list[Page]]:
    """Key page and siblings: an article between menus, a wide list, the same list shuffled, a deep nest."""
    random.seed(1)

    def said(words: int) -> str:
        return " ".join(random.choice("grain chaff mill stone wheel field harvest straw".split()) for _ in range(words))

    def items(number: int) -> list[str]:
        return [f"<li class=i{k % 7}><a href=/{k}>{said(3)} {k}</a></li>" for k in range(number)]

    menu = "".join(items(ELEMENTS // 4))
    wide = items(ELEMENTS // 2)

    def article(_: int) -> str:
        body = "".join(f"<p>{said(12)} <b>{said(2)}</b> {said(4)}</p>" for _ in range(ELEMENTS // 4))
        return f"<ul>{menu}</ul><div class=main>{body}</div>"

    def shuffled(_: int) -> str:
        return f"<ul>{''.join(random.sample(wide, len(wide)))}</ul><p>{said(40)}</p>"

    def deep(_: int) -> str:
        return "<div><p>" + f"<div><b>{said(2)}</b>" * 400 + said(40)

    kinds = {"article between menus": article, "list, shuffled": shuffled, "deep nest": deep}
    return {name: [parse(kind(k)) for k in range(1 + SIBLINGS)] for name, kind in kinds.items()}


def largest(data: Path) -> dict[str, list[Page]]:
    """The five largest key pages, with siblings."""
    sites = Sites(data)
    records = [record for record in map(sites.read, sites.ids()) if len(record.siblings) >= SIBLINGS]
    pages = {}
    for record in sorted(records, key=lambda record: -len(record.html))[:5]:
        files = sorted(record.siblings.values(), key=lambda file: -file.stat().st_size)[:SIBLINGS]
        pages[record.id[-40:]] = [parse(record.html), *(parse(file.read_bytes()) for file in files)]
    return pages


def milliseconds(name: str, pages: list[Page], rounds: int = 3) -> float:
    """CPU time per sibling, best of some runs; all siblings count, copies or not."""
    module = methods.module(name)
    module.compared = lambda name, page, siblings, most: list(siblings)
    best = float("inf")
    for _ in range(rounds):
        key, *others = (replace(page) for page in pages)  # the same columns, nothing computed from them yet
        options = module.Options(siblings=tuple(others))
        start = time.process_time()
        module.template(key, options)
        best = min(best, time.process_time() - start)
    return best / len(others) * 1000


def cheapest(page: Page, other: Page) -> tuple[int, int] | None:
    """Nodes and texts that the cheapest restricted top-down mapping retains; None where its tables are too large.

    Equal subtrees at both ends of two lists of children are paired at once: some cheapest mapping does so, too.
    """
    ours, theirs = rtdm._tree(page), rtdm._tree(other)
    key, subtree, size = ours.key.tolist(), ours.subtree.tolist(), ours.size.tolist()
    other_key, other_subtree = theirs.key.tolist(), theirs.subtree.tolist()
    is_text = np.zeros(len(key) + 1, int)
    is_text[nodes(page).text + 1] = 1
    before = np.cumsum(is_text)
    texts = (before[np.arange(len(key)) + ours.size] - before[:-1]).tolist()
    below, other_below = (
        [tree.children[a:b].tolist() for a, b in zip(tree.first[:-1], tree.first[1:], strict=True)]
        for tree in (ours, theirs)
    )
    known: dict[tuple[int, int], tuple[int, int, int]] = {}
    cells = 0

    def saved(u: int, v: int) -> tuple[int, int, int]:
        if subtree[u] == other_subtree[v]:
            return 2 * size[u], size[u], texts[u]
        if key[u] != other_key[v]:
            return 1, 0, 0
        if (u, v) not in known:
            most, kept, said = aligned(below[u], other_below[v])
            known[u, v] = most + 2, kept + 1, said + int(is_text[u + 1])
        return known[u, v]

    def aligned(a: list[int], b: list[int]) -> tuple[int, int, int]:
        nonlocal cells
        ends = []
        for at in (0, -1):
            while a and b and subtree[a[at]] == other_subtree[b[at]]:
                ends.append(saved(a[at], b[at]))
                a, b = (a[1:], b[1:]) if at == 0 else (a[:-1], b[:-1])
        cells += len(a) * len(b)
        if cells > MOST_CELLS:
            raise OverflowError
        row = [(0, 0, 0)] * (len(b) + 1)
        for u in a:
            above, row = row, [(0, 0, 0)]
            for j, v in enumerate(b):
                row.append(max(above[j + 1], row[j], _sum(above[j], saved(u, v))))
        return _sum(row[-1], *ends)

    try:
        return saved(0, 0)[1:]  # type: ignore[return-value]
    except OverflowError:
        return None


def _sum(*triples: tuple[int, int, int]) -> tuple[int, int, int]:
    return tuple(sum(column) for column in zip(*triples, strict=True))  # type: ignore[return-value]


def compare_with_cheapest(data: Path) -> None:
    kept, best, left_out = np.zeros(2, int), np.zeros(2, int), 0
    sys.setrecursionlimit(20_000)
    sites = Sites(data)
    for id in sites.ids():
        record = sites.read(id)
        page = parse(record.html, url=record.url)
        siblings = [parse(file.read_bytes(), url=url) for url, file in record.siblings.items()]
        for other in choose(page, siblings, 2):
            exact = cheapest(page, other)
            if exact is None:
                left_out += 1
                continue
            ours = rtdm.retained(page, other)
            kept += ours.sum(), ours[nodes(page).text].sum()
            best += exact
    nodes_, texts = kept / best
    print(
        f"rtdm retains {nodes_:.1%} of the nodes and {texts:.1%} of the texts that the cheapest mapping retains", end=""
    )
    print(f" ({left_out} pairs of pages left out)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--exact", action="store_true")
    arguments = parser.parse_args()
    found = made_up() | (largest(arguments.data) if arguments.data else {})
    print(f"{'':42}{'elements':>9}" + "".join(f"{name:>8}" for name in NAMES))
    for title, pages in found.items():
        spent = "".join(f"{milliseconds(name, pages):8.1f}" for name in NAMES)
        print(f"{title:42}{len(pages[0]):9,}{spent}")
    if arguments.exact:
        compare_with_cheapest(arguments.data)


if __name__ == "__main__":
    main()

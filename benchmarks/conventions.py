"""What data sets count as content where they differ: python benchmarks/conventions.py ../shared/data/wcxb …

For kinds of blocks that are a matter of convention (title, caption, date, form, comments): the share of their words
that the gold text has, as a mean over the pages that have some, of articles and of other pages, and how many such pages
there are.  Only blocks in or right beside the gold text count, for a menu has forms and dates, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np

from thresher.evaluate.datasets import open_dataset
from thresher.learn.auto.examples import Example, examples
from thresher.methods.auto.features import FEATURES
from thresher.methods.auto.model import title_headings
from thresher.methods.auto.page_type import TYPES
from thresher.page.types import Bools

BLOCKS_BEFORE, BLOCKS_BEHIND = 8, 3  # that count as right beside the gold text
GOLD = 0.5  # share of a block's words


def column(name: str) -> Callable[[Example], Bools]:
    return lambda page: page.x[:, FEATURES.index(name)] > 0


KINDS: dict[str, Callable[[Example], Bools]] = {
    "heading that says the title": lambda page: title_headings(page.x),
    "caption": column("in caption"),
    "date by its shape": column("sign date"),
    "in `time`": column("in time"),
    "in a form": column("in form"),
    "comments by their name": column("sign comments_by_name"),
    "comments by their heading": column("sign comments_by_heading"),
}


def shares(pages: list[Example], kind: Callable[[Example], Bools]) -> str:
    """The mean share and the number of pages."""
    seen = []
    for page in pages:
        gold = np.flatnonzero(page.share > GOLD)
        if len(gold):
            near = slice(max(int(gold[0]) - BLOCKS_BEFORE, 0), int(gold[-1]) + BLOCKS_BEHIND + 1)
            size = page.size[near] * kind(page)[near]
            if size.any():
                seen.append(float(page.share[near] @ size / size.sum()))
    return f"{np.mean(seen):.2f} ({len(seen)})" if seen else "·"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", nargs="+", type=Path)
    folders = parser.parse_args().data
    sets = [[page for page in examples(open_dataset(str(path))) if isinstance(page, Example)] for path in folders]
    print("| articles / other pages | " + " | ".join(path.name for path in folders) + " |")
    print("|---|" + "---|" * len(folders))
    for name, kind in KINDS.items():
        cells = []
        for pages in sets:
            articles = [page for page in pages if page.page_type == TYPES.index("article")]
            others = [page for page in pages if page.page_type != TYPES.index("article")]
            cells.append(f"{shares(articles, kind)} / {shares(others, kind)}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

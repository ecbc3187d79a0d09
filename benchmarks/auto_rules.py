"""What each rule of the default method is worth: python benchmarks/auto_rules.py --every 4 ../shared/data/wcxb …

Every page is extracted with all rules, with none, and without each of them by itself (`auto:without=byline`); the table
has the mean F1 of bags of words with all of them, and for the rest by how many thousandths it differs and on how many
pages.  A rule that helps has a negative number.  `--every 4` takes every fourth page; `--model 'without/{set}.npz'` has
weights that have not seen the set (leave_one_out.py).  What auto_ablation.py does for the evidence that the network
reads, this does for what comes after it.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path

import thresher
from thresher.evaluate.datasets import DatasetRecord, open_dataset
from thresher.evaluate.measures import bow
from thresher.methods.auto.rules import NAMES

NONE = "+".join(NAMES)


@dataclass
class Differences:
    """F1 with a rule switched off, minus F1 with all of them."""

    model: str = ""  # a file of weights; the shipped ones without
    pages: int = 0
    f1: float = 0.0  # the sum with all rules
    total: dict[str, float] = field(default_factory=dict)
    changed: dict[str, int] = field(default_factory=dict)

    def add(self, record: DatasetRecord) -> None:
        page = thresher.parse(record.html or b"", url=record.url, encoding=record.encoding)
        gold = record.gold or ""
        text = self._extracted(page, "")
        f1 = bow(gold, text).f1
        self.pages += 1
        self.f1 += f1
        for rules in (NONE, *NAMES):
            without = self._extracted(page, rules)
            if without != text:
                self.total[rules] = self.total.get(rules, 0.0) + bow(gold, without).f1 - f1
                self.changed[rules] = self.changed.get(rules, 0) + 1

    def _extracted(self, page: thresher.Page, without: str) -> str:
        return thresher.extract(page, options={"model": self.model, "without": without}).text

    def cell(self, rules: str) -> str:
        if rules not in self.changed:
            return "·"
        return f"{1000 * self.total[rules] / self.pages:+.2f} ({self.changed[rules]})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every Nth page")
    parser.add_argument("--model", default="", help="a file of weights; {set} is the name of the data set")
    arguments = parser.parse_args()
    columns = []
    for path in arguments.data:
        dataset, column = open_dataset(str(path)), Differences(arguments.model.replace("{set}", path.name))
        for id in list(dataset.ids())[:: arguments.every]:
            record = dataset.load(id)
            if isinstance(record, DatasetRecord) and record.gold:
                column.add(record)
        columns.append(column)
    print("| without | " + " | ".join(path.name for path in arguments.data) + " |")
    print("|---|" + "---|" * len(columns))
    print("| nothing, F1 (pages) | " + " | ".join(f"{one.f1 / one.pages:.4f} ({one.pages})" for one in columns) + " |")
    for rules in (*NAMES, NONE):
        name = "all of them" if rules == NONE else f"`{rules}`"
        print(f"| {name} | " + " | ".join(column.cell(rules) for column in columns) + " |")


if __name__ == "__main__":
    main()

"""What hidden="strict" costs on real pages: python benchmarks/strict.py ../shared/data/{wcxb,worldwide} --every 8

How many pages load style sheets from elsewhere or have too many rules, and what share of the characters that are kept
by default strict leaves out: on how many pages more than a fiftieth, on how many all, and the mean.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from thresher import extract, parse
from thresher.css.cascade import uses_other_sheets
from thresher.evaluate.datasets import open_dataset
from thresher.visible.hidden import styles_unread

LITTLE = 0.02


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=8)
    options = parser.parse_args()
    lost, elsewhere, unread = [], 0, 0
    for folder in options.data:
        dataset = open_dataset(str(folder))
        for name in dataset.ids()[:: options.every]:
            record = dataset.read(name)
            page = parse(record.html, record.url, record.encoding)
            usual = len(extract(page).text)
            if usual:
                lost.append(1 - min(len(extract(page, hidden="strict").text) / usual, 1))
                elsewhere += uses_other_sheets(page)
                unread += styles_unread(page)
    some, all_text = sum(share > LITTLE for share in lost), sum(share == 1 for share in lost)
    print(f"{len(lost)} pages, {elsewhere} with sheets from elsewhere, {unread} with too many rules")
    print(f"more than {LITTLE:.0%} lost on {some}, all on {all_text}; mean {sum(lost) / len(lost):.1%}")


if __name__ == "__main__":
    main()

"""What site memory adds to a method.  python benchmarks/site_memory.py DATA/sites [--method auto] [--rules]

For each key page rules are learned from the other pages of its site, without copies of the key page, as if the page
were new; then the page is extracted without and with them.  Words F1, the pages that gain and lose, and the CPU time.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from thresher import extract, parse
from thresher.errors import RulesError
from thresher.evaluate.datasets.sites import Sites
from thresher.evaluate.measures import TEXT_MEASURES
from thresher.site.memory import learn
from thresher.template.nset import copies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--method", default="auto")
    parser.add_argument("--rules", action="store_true", help="print the rules of each site")
    arguments = parser.parse_args()
    sites = Sites(arguments.data)
    rows, spent, learned_from = [], [0.0, 0.0], 0
    for id in sites.ids():
        record = sites.read(id)
        if not record.siblings:
            continue
        page = parse(record.html, url=record.url)
        others = [parse(file.read_bytes(), url=url) for url, file in record.siblings.items()]
        others = [other for other, copy in zip(others, copies(page, others), strict=True) if not copy]
        start = time.process_time()
        try:
            rules = learn(others, arguments.method)
        except RulesError as error:
            print(f"{id}: {error}")
            rules = None
        spent[0] += time.process_time() - start
        learned_from += len(others)
        alone = extract(page, method=arguments.method)
        start = time.process_time()
        both = extract(page, method=arguments.method, site=rules)
        spent[1] += time.process_time() - start
        scores = [TEXT_MEASURES["bow"](record.gold or "", result.text) for result in (alone, both)]
        rows.append((id, len(rules.rules) if rules else 0, *scores))
        if arguments.rules and rules:
            print(f"\n{id}\n{rules.to_json()}")
    for name, column in (("alone", 2), ("with rules", 3)):
        mean = np.mean([(row[column].precision, row[column].recall, row[column].f1) for row in rows], axis=0)
        print(f"{name:12} precision {mean[0]:.3f}  recall {mean[1]:.3f}  F1 {mean[2]:.4f}   ({len(rows)} pages)")
    change = sorted((row[3].f1 - row[2].f1, row[0]) for row in rows)
    for title, shown in (("lose", change[:5]), ("gain", change[:-6:-1])):
        print(f"{title}: " + ", ".join(f"{delta:+.3f} {id}" for delta, id in shown if abs(delta) >= 0.001))
    number = [row[1] for row in rows]
    print(f"rules a site: {np.mean(number):.1f} on average, {max(number)} at most")
    print(
        f"learning: {spent[0] / max(learned_from, 1) * 1000:.1f} ms a page; applying: "
        f"{spent[1] / len(rows) * 1000:.1f} ms with extraction"
    )


if __name__ == "__main__":
    main()

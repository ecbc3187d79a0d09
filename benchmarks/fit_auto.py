"""Fit the weights of `auto` to labelled pages: python benchmarks/fit_auto.py ../shared/data/wcxb

A block is content when its words stand, in one piece, in the gold text.  Logistic regression with blocks weighted by
the square root of their share of the page; the score is out of fold, folds split by host.  Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import datetime
import gzip
import json
import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from sklearn.linear_model import LogisticRegression

from thresher import parse
from thresher.columns import block_chars, readable
from thresher.methods import auto
from thresher.tree import block_first

WORD = re.compile(r"\w+")
FOLDS = 5


def blocks(page):
    """The words of each block that a reader sees."""
    first = block_first(page)
    last = np.append(first[1:], len(page.start))
    seen = readable(page)
    for a, b in zip(first, last, strict=True):
        yield WORD.findall(" ".join(page.cut(np.arange(a, b)[seen[a:b]])).lower())


def f1(gold: list[str], kept: list[str]) -> float:
    overlap = (Counter(gold) & Counter(kept)).total()
    return 2 * overlap / (len(gold) + len(kept)) if gold or kept else 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("src/thresher/data/auto.json"))
    arguments = parser.parse_args()
    pages = []
    with gzip.open(arguments.data / "ground-truth.jsonl.gz", "rt") as lines:
        for record in map(json.loads, lines):
            page = parse(gzip.decompress((arguments.data / f"html/{record['id']}.html.gz").read_bytes()))
            shown = block_chars(page) > 0
            if not shown.any():
                continue
            gold = WORD.findall(record["main_content"].lower())
            said = f" {' '.join(gold)} "
            words = [block for block, show in zip(blocks(page), shown, strict=True) if show]
            label = np.array([bool(block) and f" {' '.join(block)} " in said for block in words])
            size = np.array([len(block) for block in words], float)
            host = urlsplit(record["url"]).hostname or ""
            weight = np.sqrt(size / max(size.sum(), 1))
            pages.append((host, auto.features(page)[shown], label, weight, gold, words, record["page_type"]))
    hosts = sorted({page[0] for page in pages})
    fold_of = {host: k % FOLDS for k, host in enumerate(np.random.default_rng(0).permutation(hosts).tolist())}

    def fit(chosen):
        x, y, w = (np.concatenate([page[k] for page in chosen]) for k in (1, 2, 3))
        mean, deviation = x.mean(0), x.std(0) + 1e-9
        model = LogisticRegression(max_iter=1000).fit((x - mean) / deviation, y, sample_weight=w)
        weights = model.coef_[0] / deviation
        return float(model.intercept_[0] - weights @ mean), weights, mean

    by_type: dict[str, list[float]] = {}
    for fold in range(FOLDS):
        bias, weights, _ = fit([page for page in pages if fold_of[page[0]] != fold])
        for host, x, _, _, gold, words, kind in pages:
            if fold_of[host] == fold and gold:
                keep = 1 / (1 + np.exp(-(x @ weights + bias))) >= auto._THRESHOLD["balanced"]
                kept = [word for block, kept in zip(words, keep, strict=True) if kept for word in block]
                by_type.setdefault(kind, []).append(f1(gold, kept))
    scores = {kind: round(float(np.mean(values)), 4) for kind, values in sorted(by_type.items())}
    scores["all"] = round(float(np.mean([score for values in by_type.values() for score in values])), 4)
    print(scores)
    bias, weights, mean = fit(pages)
    card = {
        "data": "WCXB v1.0, development split",
        "pages": len(pages),
        "split": f"{FOLDS} folds by host",
        "out_of_fold_bag_of_words_f1": scores,
        "date": datetime.date.today().isoformat(),
        "command": "python benchmarks/fit_auto.py ../shared/data/wcxb",
        "bias": round(bias, 5),
        "weights": [round(float(weight), 5) for weight in weights],
        "typical": [round(float(value), 5) for value in mean],
    }
    arguments.output.write_text(json.dumps(card, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""One table of everything: data sets × (all pages, each page type, each group of languages) × extractors.

    python benchmarks/matrix.py ../shared/data/{wcxb,worldwide,fixtures,shops-and-threads,sites} -o matrix.md

Words precision, recall and F1 of `auto` and of its peers, and the 95 % interval of how far `auto` is ahead of the best
of them on the same pages (paired bootstrap).  The shipped weights have seen the sets they were trained on; for the
figures of unseen collections see leave_one_out.py.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from thresher.evaluate.datasets import BrokenRecord, Dataset, open_dataset
from thresher.evaluate.measures import Score
from thresher.evaluate.run import evaluate
from thresher.evaluate.statistics import compare

PEERS = ("peer:trafilatura", "peer:resiliparse", "peer:readability")
LANGUAGES: Mapping[str, str] = {
    "en": "English",
    **dict.fromkeys(("zh", "ja", "ko"), "Chinese, Japanese, Korean"),
    **dict.fromkeys(("ru", "uk", "bg", "sr", "mk", "el"), "Cyrillic, Greek"),
    **dict.fromkeys(("ar", "fa", "he", "ur"), "right to left"),
    **dict.fromkeys(("th", "hi", "my", "bn", "ta", "vi"), "South and South East Asia"),
}
Scores = Mapping[str, Mapping[str, Score]]  # by method, by page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="a file for the table, besides the screen")
    parser.add_argument("-m", "--method", default="auto", help="ours; {set} is the name of the data set")
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--limit", type=int, default=None, help="so many pages of each set")
    wishes = parser.parse_args()
    peers = [peer for peer in wishes.peers.split(",") if peer]
    lines = [head(peers)]
    for folder in wishes.data:
        ours = wishes.method.replace("{set}", folder.resolve().name)
        for row in rows(folder, ours, peers, jobs=wishes.jobs, limit=wishes.limit):
            lines.append(row)
            print(row, flush=True)
    if wishes.output:
        wishes.output.write_text("\n".join(lines) + "\n", "utf-8")


def rows(
    folder: Path, ours: str, peers: Sequence[str], *, jobs: int | None = None, limit: int | None = None
) -> Iterator[str]:
    """The rows of one data set."""
    dataset = open_dataset(folder)
    methods = [ours, *peers]
    run = evaluate(dataset, methods, ("bow",), jobs=jobs, limit=limit)
    scores: dict[str, dict[str, Score]] = {method: {} for method in methods}
    for outcome in run.outcomes:
        if outcome.method in scores and "bow" in outcome.scores:
            scores[outcome.method][outcome.record] = outcome.scores["bow"]
    for group, pages in _groups(dataset, list(scores[ours])):
        yield _row(f"{dataset.root.name}: {group}", pages, scores, methods)


def head(peers: Sequence[str]) -> str:
    """The two lines above the rows."""
    methods = ["auto", *(peer.removeprefix("peer:") for peer in peers)]
    names = ["pages of", "pages", *(f"{method} {part}" for method in methods for part in ("P", "R", "F1"))]
    if peers:
        names.append("ahead of the best peer")
    return f"| {' | '.join(names)} |\n|{'---|' * len(names)}"


def _groups(dataset: Dataset, ids: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """All pages, those of each type, those of each group of languages; groups of the whole only once."""
    kinds: dict[str, list[str]] = {}
    languages: dict[str, list[str]] = {}
    for id in ids:
        record = dataset.load(id)
        if not isinstance(record, BrokenRecord):
            kinds.setdefault(record.page_type, []).append(id)
            if record.language:
                languages.setdefault(LANGUAGES.get(record.language, "other Latin"), []).append(id)
    yield "all", list(ids)
    for groups in (kinds, languages):
        if len(groups) > 1:
            yield from sorted(groups.items(), key=lambda group: -len(group[1]))


def _row(name: str, pages: Sequence[str], scores: Scores, methods: Sequence[str]) -> str:
    """One row of the table; a page that an extractor failed on counts as nothing extracted."""
    nothing = Score(0.0, 0.0, 0.0)
    columns = {method: [scores[method].get(page, nothing) for page in pages] for method in methods}
    f1 = {method: np.array([score.f1 for score in column]) for method, column in columns.items()}
    cells = [name, str(len(pages))]
    for column in columns.values():
        parts = np.array([(score.precision, score.recall, score.f1) for score in column])
        cells += [f"{value:.3f}" for value in parts.mean(axis=0)]
    ours, *peers = methods
    if peers:
        best = max(peers, key=lambda method: f1[method].mean())
        ahead = compare(f1[ours], f1[best])
        cells.append(f"{ahead.difference:+.3f} ({ahead.low:+.3f} … {ahead.high:+.3f}) {best.removeprefix('peer:')}")
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()

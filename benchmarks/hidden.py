"""Hidden text, ours against Chromium's pixels, on random pages.

    python benchmarks/hidden.py OUT [--cases 10000] [--seed 1] [--rendered 300]

OUT is a folder.  `verdicts.jsonl` keeps what the browser said, so that a second run with the same cases needs none;
`disagreements/` has a page for each kind of disagreement; the tables go to stdout.  Our verdict is that of `readable`,
which every method obeys.  `--rendered` puts some of the same pages to rendered mode too.

    kept      unseen sentences that are kept      a leak
    dropped   seen sentences that are left out    a loss
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from hidden_text.cases import SENTENCE, Case, cases
from hidden_text.oracle import SEEN, UNCLEAR, UNSEEN, Oracle
from thresher import parse, render
from thresher.page import Page
from thresher.visible.readable import readable

_SHOWN_PER_KIND = 3  # pages that are saved of one kind of disagreement
_STEP = 400  # cases between two lines of progress


def seen_by_us(page: Page) -> bool:
    """Whether the sentence is among what a reader sees."""
    shown = readable(page)
    return any(SENTENCE in text for text, visible in zip(page.text, shown, strict=True) if visible)


def oracle_verdicts(drawn: Sequence[Case], file: Path) -> list[str]:
    """The browser's verdict on each case; what the file has is not asked again."""
    known: dict[str, str] = {}
    if file.exists():
        known = dict(map(json.loads, file.read_text().splitlines()))
    names = [hashlib.sha256(case.html.encode()).hexdigest()[:20] for case in drawn]
    wanted = {name: case.html for name, case in zip(names, drawn, strict=True) if name not in known}
    if wanted:
        oracle = Oracle()
        try:
            with file.open("a") as out:
                verdicts = oracle.verdicts(list(wanted.values()))
                for number, (name, verdict) in enumerate(zip(wanted, verdicts, strict=True), 1):
                    known[name] = verdict
                    out.write(json.dumps([name, verdict]) + "\n")
                    if number % _STEP == 0:
                        print(f"{number:,} of {len(wanted):,} pages drawn", file=sys.stderr, flush=True)
        finally:
            oracle.close()
    return [known[name] for name in names]


def compare(
    title: str, drawn: Sequence[Case], verdicts: Sequence[str], judge: Callable[[str], bool], folder: Path
) -> None:
    """Print the confusion matrix, in all and by property, and save what differs."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    by_source: Counter[tuple[str, str, bool]] = Counter()
    saved: Counter[tuple[str, bool]] = Counter()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for case, verdict in zip(drawn, verdicts, strict=True):
        if verdict == UNCLEAR:
            continue
        ours = judge(case.html)
        counts[case.about, verdict, ours] += 1
        by_source[case.source, verdict, ours] += 1
        if ours != (verdict == SEEN):
            saved[case.about, ours] += 1
            if saved[case.about, ours] <= _SHOWN_PER_KIND:
                kind = "kept" if ours else "dropped"
                name = f"{kind} {case.about} {saved[case.about, ours]}.html".replace(" ", "-")
                (folder / name).write_text(f"{case.html}\n<!-- {verdict}, {case.source} -->\n")
    print(f"\n## {title}\n\n{Counter(verdicts)[UNCLEAR]:,} of {len(verdicts):,} unclear, not counted\n")
    _print_table("property", counts)
    _print_table("declared", by_source)


def _print_table(head: str, counts: Counter[tuple[str, str, bool]]) -> None:
    print(f"| {head} | unseen | kept | seen | dropped |\n|---|---|---|---|---|")
    names = sorted({name for name, _, _ in counts})
    rows = [(name, *_row(counts, (name,))) for name in names]
    rows.sort(key=lambda row: -(row[2] + row[4]))
    for name, unseen, kept, seen, dropped in (*rows, ("all", *_row(counts, names))):
        print(f"| {name} | {unseen} | {kept} | {seen} | {dropped} |")
    unseen, kept, seen, dropped = _row(counts, names)
    shares = f"kept {kept / max(unseen, 1):.2%} of unseen, dropped {dropped / max(seen, 1):.2%} of seen"
    print(f"\n{len(names)} kinds; {shares}\n")


def _row(counts: Counter[tuple[str, str, bool]], names: Sequence[str]) -> tuple[int, int, int, int]:
    def total(verdict: str, ours: bool) -> int:
        return sum(counts[name, verdict, ours] for name in names)

    kept, dropped = total(UNSEEN, True), total(SEEN, False)
    return kept + total(UNSEEN, False), kept, dropped + total(SEEN, True), dropped


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out", type=Path)
    options.add_argument("--cases", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--rendered", type=int, default=0, help="cases that are also judged in rendered mode")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    drawn = list(cases(given.cases, given.seed))
    verdicts = oracle_verdicts(drawn, given.out / "verdicts.jsonl")
    if given.cases > given.rendered:
        compare("static", drawn, verdicts, lambda html: seen_by_us(parse(html)), given.out / "disagreements")
    if given.rendered:
        settings = render.Settings(wait="load", scroll=False, offline=True, javascript=False)

        def rendered(html: str) -> bool:
            return seen_by_us(render(html, settings=settings))

        chosen = slice(0, given.rendered)
        compare("rendered", drawn[chosen], verdicts[chosen], rendered, given.out / "rendered")


if __name__ == "__main__":
    main()

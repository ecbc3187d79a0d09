"""What each kind of evidence is worth to the default method: python benchmarks/auto_ablation.py ../shared/data/wcxb …

Each kind is taken out of the examples, the model is fitted again without it, and judges pages of sites that it has
never seen.  `--folds-used 2` fits two folds of five, which is enough to see the order.  With `--worst N` the pages with
the lowest F1 are listed.  A fit takes some two minutes of CPU time; set OPENBLAS_NUM_THREADS=1.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thresher.evaluate.datasets import open_dataset
from thresher.learn.auto.examples import Bags, Example, examples
from thresher.learn.auto.fit import Settings, fit
from thresher.learn.auto.folds import site_folds
from thresher.learn.auto.predict import predict
from thresher.learn.auto.validate import Judged
from thresher.methods.auto.features import FEATURES
from thresher.methods.auto.page_type import TYPES

Change = Callable[[Example], Example]
_NONE = np.zeros(0, np.intp)
_EMPTY = Bags(_NONE, _NONE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--folds-used", type=int, default=5)
    parser.add_argument("--only", default="", help="kinds of evidence, comma-separated; all without")
    parser.add_argument("--worst", type=int, default=0)
    arguments = parser.parse_args()
    folders = map(str, arguments.data)
    pages = [page for folder in folders for page in examples(open_dataset(folder)) if isinstance(page, Example)]
    wanted = arguments.only.split(",") if arguments.only else list(KINDS)
    print("| without | all | " + " | ".join(TYPES) + " |\n|---|" + "---|" * (len(TYPES) + 1))
    for kind in ["", *wanted]:
        change = KINDS[kind] if kind else lambda page: page
        judged = _judged([change(page) for page in pages], arguments.folds_used)
        print(_row(kind or "nothing", judged), flush=True)
        if not kind and arguments.worst:
            worst = sorted(judged, key=lambda one: one.f1)[: arguments.worst]
            for one in worst:
                share = float(one.example.share @ one.example.size) / max(one.example.gold, 1)
                print(f"{one.example.id} {TYPES[one.example.page_type]} {one.f1:.3f} {one.example.gold} {share:.2f}")


def _judged(pages: list[Example], folds: int) -> list[Judged]:
    fold_of = site_folds(pages, 5)
    judged = []
    for fold in range(folds):
        weights = fit([page for page, where in zip(pages, fold_of, strict=True) if where != fold], Settings())
        tested = [page for page, where in zip(pages, fold_of, strict=True) if where == fold]
        judged += [Judged(page, fold, *predict(weights, page)) for page in tested]
    return judged


def _row(name: str, judged: list[Judged]) -> str:
    score = np.array([one.f1 for one in judged])
    kind = np.array([one.example.page_type for one in judged])
    means = [score.mean(), *(score[kind == k].mean() for k in range(len(TYPES)))]
    return f"| {name} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |"


def _without(*starts: str) -> Change:
    """Without the features whose names begin like one of these."""
    columns = [k for k, name in enumerate(FEATURES) if name.startswith(starts)]

    def change(page: Example) -> Example:
        x = page.x.copy()
        x[:, columns] = 0
        return replace(page, x=x)

    return change


def _left_out(page: Example, *bags: int) -> tuple[NDArray[np.intp], ...]:
    """The bags of the page as a whole, some of them empty."""
    return tuple(_NONE if place in bags else bag for place, bag in enumerate(page.of_page))


KINDS: dict[str, Change] = {
    "names": lambda page: replace(page, names=_EMPTY, of_page=_left_out(page, 2)),
    "wording": lambda page: replace(page, words=_EMPTY, of_page=_left_out(page, 3)),
    "claims": lambda page: replace(page, claims=(_NONE, _NONE), of_page=_left_out(page, 0, 1)),
    "own": _without("own"),
    "tags": _without("in "),
    "containers": _without("level"),
    "repeats": _without("same"),
    "place": _without("at "),
    "page": _without("page"),
    "prose": _without("prose"),
    "units": _without("unit"),
    "vocabulary": _without("vocabulary"),
    "signs": _without("sign"),
    "described": _without("described"),
}


if __name__ == "__main__":
    main()

"""Retraining, in a process of its own: python -m thresher.labelling.retrain

    stdin    the job, one line of JSON; when stdin ends the process does, whatever it is doing
    stdout   {"what": "judging", "done": 3, "of": 12} …, then {"result": …} or {"failed": "why"}

Every labelled page is judged before and after.  After means by a model that has not seen the page: the pages are dealt
into folds, and each fold is judged by a model made of the others.  Pages of a base data set that taught nothing show
what the final model would change elsewhere.  A single labelled page has been seen by its judge, and is marked so.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from thresher.errors import DatasetError, MissingExtra
from thresher.evaluate.measures import bow
from thresher.labelling.samples import GoldPage, base_pages, own_pages
from thresher.result.extraction import extract

__all__ = ["PageComparison", "Progress", "RetrainJob", "main", "retrain"]

Progress = Callable[[str, int, int], None]
_SAME_F1 = 0.005  # F1


@dataclass(frozen=True, slots=True)
class RetrainJob:
    """The labelled pages, the method to train, and where its model goes."""

    method: Literal["auto", "seeker"]
    data: str  # the labelled pages, as `export.write` writes them
    model: str  # where the model goes
    bases: tuple[str, ...] = ()
    limit: int = 80  # pages of each base
    folds: int = 3
    seed: int = 0


@dataclass(frozen=True, slots=True)
class PageComparison:
    """One page before and after."""

    page: str
    base: bool  # of a base data set
    seen: bool  # the model that judged it was made of it
    before: float  # F1
    after: float
    words_before: int
    words_after: int

    @property
    def change(self) -> str:
        """better, worse or same."""
        if abs(self.after - self.before) < _SAME_F1:
            return "same"
        return "better" if self.after > self.before else "worse"


def retrain(job: RetrainJob, progress: Progress = lambda what, done, of: None) -> dict[str, Any]:
    """Make the model, and the table of what it changes."""
    own = list(own_pages(Path(job.data)))
    if not own:
        raise DatasetError("no page is finished yet; press Enter on a page when its labels are complete")
    base = list(base_pages(job.bases, job.limit, job.seed, lambda done, of: progress("reading", done, of)))
    guard = [one for one in base if not one.teaches]
    teachers = [one for one in base if one.teaches]
    make: Callable[..., None] = _makers()[job.method]
    folds = min(job.folds, len(own)) if len(own) > 1 else 0
    of = len(own) * 2 + len(guard) * 2
    before = [_judge_page(one, job.method, "") for one in _with_progress([*own, *guard], progress, of)]
    after: dict[int, tuple[float, int]] = {}
    with TemporaryDirectory() as folder:
        for fold in range(folds):
            inside = [one for number, one in enumerate(own) if number % folds != fold]
            draft = str(Path(folder) / f"{fold}.npz")
            make(inside, teachers, draft, job.seed, lambda a, b, f=fold: progress(f"fold {f + 1} of {folds}", a, b))
            for number in range(fold, len(own), folds):
                after[number] = _judge_page(own[number], job.method, draft)
    make(own, teachers, job.model, job.seed, lambda a, b: progress("fitting to all pages", a, b))
    judged = [*own, *guard]
    for number, one in enumerate(judged):
        if number not in after:
            after[number] = _judge_page(one, job.method, job.model)
        progress("judging", len(judged) + number + 1, of)
    rows = [
        PageComparison(
            one.name, number >= len(own), number < len(own) and not folds, *_pair(before[number], after[number])
        )
        for number, one in enumerate(judged)
    ]
    return {
        "method": job.method,
        "pages": len(own),
        "teachers": len(teachers),
        "folds": folds,
        "rows": [asdict(row) | {"change": row.change} for row in rows],
        "labelled": _means([row for row in rows if not row.base]),
        "base": _means([row for row in rows if row.base]),
    }


def _pair(before: tuple[float, int], after: tuple[float, int]) -> tuple[float, float, int, int]:
    return before[0], after[0], before[1], after[1]


def _with_progress(pages: Sequence[GoldPage], progress: Progress, of: int) -> Iterator[GoldPage]:
    for number, one in enumerate(pages, 1):
        yield one
        progress("judging", number, of)


def _judge_page(one: GoldPage, method: str, model: str) -> tuple[float, int]:
    """F1 of the words, and how many words were kept."""
    text = extract(one.page, method=method, options={"model": model} if model else None).text
    return bow(text, one.gold).f1, len(text.split())


def _means(rows: Sequence[PageComparison]) -> dict[str, Any] | None:
    if not rows:
        return None
    changes = [row.change for row in rows]
    return {
        "pages": len(rows),
        "before": sum(row.before for row in rows) / len(rows),
        "after": sum(row.after for row in rows) / len(rows),
        **{name: changes.count(name) for name in ("better", "worse", "same")},
    }


def _makers() -> dict[str, Callable[..., None]]:
    return {"auto": _auto, "seeker": _seeker}


def _auto(own: Sequence[GoldPage], base: Sequence[GoldPage], target: str, seed: int, progress: Any) -> None:
    from thresher.methods.auto.model import weights, write

    try:
        from thresher.labelling.tune import TuneSettings, sample, tune
    except ModuleNotFoundError as missing:
        raise MissingExtra(f"retraining needs {missing.name}: pip install 'thresher[train]'") from missing

    shipped = weights("")
    samples = [sample(one.page, one.gold, one.keep) for one in [*own, *base]]
    useful = [one for one in samples if one is not None]
    if not useful:
        raise DatasetError("the labelled pages have no text to learn from")
    write(Path(target), tune(shipped, useful, TuneSettings(seed=seed), progress))


def _seeker(own: Sequence[GoldPage], base: Sequence[GoldPage], target: str, seed: int, progress: Any) -> None:
    """Trees for the types of page that were labelled; the shipped ones for the others."""
    from thresher.learn.seeker.examples import example
    from thresher.learn.seeker.fit import TreeSettings, fit
    from thresher.methods.seeker.model import load, write
    from thresher.methods.seeker.types import TYPES, detect

    examples_of: dict[str, list[Any]] = {}
    labelled_types = {detect(one.page) for one in own}
    for done, one in enumerate([*own, *base], 1):
        kind = detect(one.page)
        if kind in labelled_types:
            page_example = example(one.page, one.gold or None, one.name, kind, one.labels)
            if page_example is not None:
                examples_of.setdefault(TYPES[page_example.page_type], []).append(page_example)
        progress(done, len(own) + len(base))
    if not examples_of:
        raise DatasetError("the labelled pages have no text to learn from")
    fitted = {name: fit(examples, TreeSettings(seed=seed)) for name, examples in examples_of.items()}
    write({**load(""), **fitted}, Path(target))


def main() -> None:
    """Serve one job."""
    value = json.loads(sys.stdin.readline())
    job = RetrainJob(**{**value, "bases": tuple(value["bases"])})
    threading.Thread(target=_until_alone, daemon=True).start()
    try:
        _say({"result": retrain(job, lambda what, done, of: _say({"what": what, "done": done, "of": of}))})
    except Exception as error:  # whoever started us shows it
        _say({"failed": str(error) or type(error).__name__})


def _until_alone() -> None:
    sys.stdin.read()
    os._exit(1)


def _say(value: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

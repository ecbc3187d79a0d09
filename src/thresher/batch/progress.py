"""How far a run is, on stderr: a bar where somebody watches, a line now and then where nobody does, or JSON lines."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from thresher.batch.driver import BatchProgress

__all__ = ["Style", "as_dict", "progress_shown"]

Style = Literal["auto", "json", "none"]
_INTERVALS = {"bar": 0.2, "lines": 30.0, "json": 2.0}  # seconds


def as_dict(progress: BatchProgress) -> dict[str, Any]:
    """The numbers, for machines."""
    rows, errors, read = progress.totals
    fresh = (read - progress.earlier) / progress.seconds
    left = progress.seconds_left
    return {
        "phase": progress.phase,
        "slices": progress.slices,
        "slices_done": progress.slices_done,
        "pages": rows,
        "errors": errors,
        "bytes": read,
        "bytes_total": progress.size,
        "pages_per_second": round(progress.rate, 2),
        "mb_per_second": round(fresh / 1e6, 6),
        "seconds": round(progress.seconds, 1),
        "seconds_left": None if left is None else round(left),
    }


@contextmanager
def progress_shown(style: Style) -> Iterator[Callable[[BatchProgress], None]]:
    """A function to call with the progress, as often as one likes."""
    if style == "none":
        yield lambda progress: None
    elif style == "auto" and sys.stderr.isatty():
        with _bar() as show:
            yield _throttled(show, _INTERVALS["bar"])
    else:
        say = _json if style == "json" else _line
        yield _throttled(say, _INTERVALS["json" if style == "json" else "lines"])


def _throttled(show: Callable[[BatchProgress], None], seconds: float) -> Callable[[BatchProgress], None]:
    """The same, but not more often than this, and always at the end of a phase."""
    last = time.monotonic()

    def throttled(progress: BatchProgress) -> None:
        nonlocal last
        if progress.slices_done == progress.slices or time.monotonic() - last >= seconds:
            last = time.monotonic()
            show(progress)

    return throttled


def _json(progress: BatchProgress) -> None:
    print(json.dumps(as_dict(progress)), file=sys.stderr, flush=True)


def _line(progress: BatchProgress) -> None:
    print(sentence(as_dict(progress)), file=sys.stderr, flush=True)


def sentence(numbers: dict[str, Any]) -> str:
    """The numbers in one line for people."""
    share = numbers["bytes"] / numbers["bytes_total"] if numbers["bytes_total"] else 1.0
    left = "" if numbers["seconds_left"] is None else f", {duration(numbers['seconds_left'])} left"
    verb = "counted" if numbers["phase"] == "count" else "extracted"
    return (
        f"{share:4.0%}  {numbers['pages']:,} pages {verb}, {numbers['errors']:,} without text, "
        f"{numbers['pages_per_second']:,.1f} pages/s, {numbers['mb_per_second']:,.2f} MB/s{left}"
    )


def duration(seconds: float) -> str:
    """3:05, 2:03:05."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


@contextmanager
def _bar() -> Iterator[Callable[[BatchProgress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=1.0)

        def show(progress: BatchProgress) -> None:
            numbers = as_dict(progress)
            bar.update(task, total=max(progress.size, 1), completed=numbers["bytes"], description=sentence(numbers))

        yield show

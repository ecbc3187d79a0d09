"""Progress of long work on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

__all__ = ["progress_bar"]

_LINE_SECONDS = 20.0  # seconds between lines where there is no terminal


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A function (what, done, of) to call as often as one likes."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        tasks = {}

        def report(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=of)
            bar.update(tasks[what], completed=done, total=of)

        yield report


def _lines() -> Callable[[str, int, int], None]:
    last_report: dict[str, float] = {}

    def report(what: str, done: int, of: int) -> None:
        now = time.monotonic()
        if done == of or now - last_report.get(what, 0.0) >= _LINE_SECONDS:
            last_report[what] = now
            click.echo(f"{what}: {done} of {of}", err=True)

    return report

"""What tests of rendering share: a real Chromium, or the reason why they are skipped."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from tests.clock import PATIENCE
from tests.raw_server import answer
from thresher.errors import MissingProgram
from thresher.render import Pool
from thresher.render.chromium import find_chromium
from thresher.render.watchdog import descendants

__all__ = ["family", "html", "needs_chromium", "page_text", "pool"]


def _missing() -> str:
    try:
        find_chromium()
    except MissingProgram as error:
        return str(error)
    return ""


needs_chromium = pytest.mark.skipif(bool(_missing()), reason=_missing() or "Chromium is here")


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """One warm browser for the tests of a module; nothing of it may be left behind."""
    before = family()
    with Pool() as browsers:
        yield browsers
    deadline = time.monotonic() + PATIENCE  # on a busy machine the last process takes its time to go
    while not family() <= before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert family() <= before


def family() -> set[int]:
    """The processes below this one that belong to a browser."""
    found = set()
    for pid in descendants(os.getpid()):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read()
        except OSError:
            continue
        if b"--remote-debugging-pipe" in words.split(b"watchdog.py")[0] or b"--type=" in words:
            found.add(pid)
    return found


def html(body: str, **headers: str) -> bytes:
    """A page as a server answers it."""
    return answer(b"<!doctype html>" + body.encode(), content_type="text/html; charset=utf-8", **headers)


def page_text(page: object) -> str:
    return page.inner_text(0)  # type: ignore[attr-defined]

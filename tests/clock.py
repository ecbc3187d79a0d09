"""Time in units of the machine at hand: no test may fail because the machine is slow or busy.

`at_most(seconds)` is about work that would take minutes or hours if it went wrong (quadratic, exponential).  It counts
CPU, not the clock on the wall, and where the limit is passed it asks what a fixed piece of work costs here and now.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from selectolax.lexbor import LexborHTMLParser

__all__ = ["PATIENCE", "at_most", "slowness"]

PATIENCE = 60.0  # seconds on the wall for what ends at once, and hours later if it goes wrong
_USUAL = 0.025  # CPU seconds of `_work` on the machine that the limits were written on
_SPARE = 3  # times


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """What stands inside takes no more CPU than this, on a machine like that of the limits."""
    started = time.process_time()
    yield
    spent = time.process_time() - started
    if spent > seconds:
        allowed = _SPARE * seconds * slowness()
        assert spent <= allowed, f"{spent:.2f} s of {allowed:.2f} s"


def slowness() -> float:
    """How many times longer the same work takes here and now; 1 on faster machines."""
    html = _html()
    started = time.process_time()
    words = re.findall(r"\w+", LexborHTMLParser(html).html or "")
    assert len(sorted(words)) == len(words)
    return max(1.0, (time.process_time() - started) / _USUAL)


@cache
def _html() -> str:
    return "".join(f"<p class=c{number % 7}>Paragraph {number} of <b>many</b></p>" for number in range(8_000))

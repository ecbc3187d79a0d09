"""Tasks that do to their process what a page might: called by name, in the processes of the pool."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from thresher.web import tasks

__all__ = ["extracted"]


def extracted(request: dict[str, Any], pages: list[bytes]) -> dict[str, Any]:
    """As the real one, except for pages that say what to do."""
    page = pages[0]
    if b"CRASH" in page:
        os.kill(os.getpid(), signal.SIGSEGV)
    if b"HANG" in page:
        while True:
            pass
    if b"SLEEP" in page:
        time.sleep(1.0)
    if b"MEMORY" in page:
        return {"much": "x" * (1 << 34)}
    if b"BUG" in page:
        raise RuntimeError("a bug")
    return tasks.extracted(request, pages) | {"process": os.getpid()}

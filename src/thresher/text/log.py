"""The log: one logger per package, silent unless somebody listens.

    _LOG = logger("thresher.fetch")
    _LOG.info("%s redirects to %s", here, there)          a line of the log; made only if it is wanted

    thresher -v COMMAND                                    shows it on stderr
    logging.getLogger("thresher").setLevel("DEBUG")        programs do with it what they like

Never in it: text of pages, user names and passwords, cookies, headers of requests, the queries of addresses (they may
hold keys).  `debug` is what always happens, `info` what is worth knowing when something is odd, `warning` a failure of
ours.  This is no part of `import thresher`, which would take a third longer with it.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from thresher.text.printing import plain

__all__ = ["logger", "shown", "without_query"]

_NAME = "thresher"
logging.getLogger(_NAME).addHandler(logging.NullHandler())


def logger(package: str) -> logging.Logger:
    """The logger of a package of ours, `thresher.…`."""
    return logging.getLogger(package)


def without_query(url: str) -> str:
    """An address for the log."""
    address, mark, _ = url.partition("#")[0].partition("?")
    return f"{address}?…" if mark else address


@contextmanager
def shown(level: int) -> Iterator[None]:
    """Lines of this level and above go to stderr, whatever that is at the time."""
    root = logging.getLogger(_NAME)
    handler, before = _Stderr(), root.level
    handler.setLevel(level)
    root.addHandler(handler)
    root.setLevel(min(level, before or level))
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before)


class _Stderr(logging.Handler):
    """`[1.234 fetch] https://example.org/: 200, 5,120 bytes`: seconds since the start, the package, the line."""

    def __init__(self) -> None:
        super().__init__()
        self._start = time.time()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            package = record.name.removeprefix(f"{_NAME}.")
            line = f"[{record.created - self._start:.3f} {package}] {plain(record.getMessage())}\n"
            if record.exc_info:
                line += logging.Formatter().formatException(record.exc_info) + "\n"
            sys.stderr.write(line)
            sys.stderr.flush()
        except Exception:
            self.handleError(record)

"""The process that reads pages: python -m thresher.batch.child

A page can hang or crash the native code that parses it, or fill the memory.  So pages are read here, in a process
that may die (`isolation.py` starts it, and starts it again).  It takes one message a page and answers with one:

    config                        {"ready": true}
    task and packed record        {"row": …, "seconds": …, "mb": …}  or  {"failed": "memory: …"}

It ends when its input does.  If whoever started it is gone and a page hangs, a timer in C ends it, even inside native
code that never returns to Python.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

__all__ = ["PATIENCE", "ROW", "SIGHT", "main"]

ROW, SIGHT = b"r", b"s"  # tasks: the row of a page; the hashes of its blocks, for --by-site
PATIENCE = 3.0  # times the seconds of a page, after which it is given up even if it computes nothing
_GRACE = 10.0  # seconds after which a page that nobody waits for any more is given up
_WARM_UP = b"<title>t</title><article><h1>Grain</h1><p>A first page, so that every import is done.</p></article>"


def main() -> None:
    """Serve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the main process's affair
    requests, answers = os.dup(0), os.dup(1)
    # Whatever a library prints must not get into the messages, nor onto a terminal.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    from thresher.batch.pipes import receive, send

    config = receive(requests)
    if config is None:
        return
    with suppress(BrokenPipeError):
        try:
            serve, seconds = _prepared(json.loads(config))
        except Exception as error:  # whoever started us reports it and stops
            send(answers, _json({"failed": f"{type(error).__name__}: {error}"}))
            return
        send(answers, _json({"ready": True}))
        with open(os.devnull, "w") as void:
            while (message := receive(requests)) is not None:
                faulthandler.dump_traceback_later(PATIENCE * seconds + _GRACE, exit=True, file=void)
                answer = serve(message)
                faulthandler.cancel_dump_traceback_later()
                send(answers, answer)


def _prepared(config: dict[str, Any]) -> tuple[Callable[[bytes], bytes], float]:
    """The function that serves a message, with everything imported, and the memory bounded."""
    from thresher.batch.evidence import Evidence, sight
    from thresher.batch.job import Care, Job
    from thresher.batch.record import Record, unpack
    from thresher.batch.rows import row

    job, care = Job.from_dict(config["job"]), Care.from_dict(config["care"])
    module, _, name = job.function.partition(":")
    function = getattr(import_module(module), name)
    evidence = Evidence.load(config["evidence"]) if config.get("evidence") else None
    row(Record("", "", "", _WARM_UP), job, evidence)
    _bound_memory(care.page_mb)

    def serve(message: bytes) -> bytes:
        started = time.process_time()
        try:
            record = unpack(message[1:])
            if message[:1] == SIGHT:
                return sight(record, job)
            found = function(record, job, evidence)
        except MemoryError:
            return _json({"failed": f"memory: the page needs more than {care.page_mb} MB"})
        except Exception as error:
            # A bug of ours must cost one row, not the run; the row names it.
            return _json({"error": f"failed: {type(error).__name__}: {error}", "mb": _megabytes()})
        return _json({"row": found, "seconds": round(time.process_time() - started, 6), "mb": _megabytes()})

    return serve, care.page_seconds


def _bound_memory(megabytes: int) -> None:
    """Let the process grow by so much and no further."""
    with suppress(ImportError, ValueError, OSError):  # not everywhere
        import resource

        limit = _megabytes(virtual=True) + megabytes << 20
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (limit if hard < 0 else min(limit, hard), hard))


def _megabytes(virtual: bool = False) -> int:
    """Memory of this process, where Linux tells."""
    try:
        with open("/proc/self/statm", "rb") as file:
            pages = int(file.read().split()[0 if virtual else 1])
    except OSError:
        return 0
    return (pages * os.sysconf("SC_PAGESIZE")) >> 20


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


if __name__ == "__main__":
    main()

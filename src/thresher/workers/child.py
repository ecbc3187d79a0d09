"""A process that serves one function: python -m thresher.workers.child

A page can hang or crash the native code that parses it, or fill the memory.  So pages are read here, in a process
that may die (process.py starts it, and starts it again).  It takes one message a page and answers with one:

    {"prepare": "module:function", "settings": …, "seconds": …, "megabytes": …}        {"ready": true}
    message for what prepare(settings) gave: bytes -> bytes                              head (a line of JSON), answer

The head says what the answer took, or why there is none, and what the process has spent of the processor so far.  The
process ends when its input does.  If whoever started it is gone and a page hangs, a timer of the system ends it, even
inside native code that never returns to Python.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

__all__ = ["PATIENCE", "function_at", "main"]

PATIENCE = 3.0  # times the seconds of a page, after which it is given up even if it computes nothing
_GRACE = 10.0  # seconds after which a page that nobody waits for any more is given up


def function_at(address: str) -> Callable[..., Any]:
    """The function that `module:name` names."""
    module, _, name = address.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


def main() -> None:
    """Serve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the main process's affair
    with suppress(OSError):
        os.setpgid(0, 0)  # what a page sends to its process group reaches this process only
    requests, answers = os.dup(0), os.dup(1)
    # Whatever a library prints must not get into the messages, nor onto a terminal.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    from thresher.workers.pipes import receive, send

    asked = receive(requests)
    if asked is None:
        return
    config = json.loads(asked)
    with suppress(BrokenPipeError):
        try:
            serve = function_at(config["prepare"])(config["settings"])
        except Exception as error:  # whoever started us reports it and stops
            send(answers, _head(failed=f"{type(error).__name__}: {error}"))
            return
        _bound_memory(config["megabytes"])
        send(answers, _head(ready=True))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # whoever started us may have ignored it
        while (message := receive(requests)) is not None:
            signal.setitimer(signal.ITIMER_REAL, PATIENCE * config["seconds"] + _GRACE)
            answer = _answer(serve, message, config["megabytes"])
            signal.setitimer(signal.ITIMER_REAL, 0)
            send(answers, *answer)


def _answer(serve: Callable[[bytes], bytes], message: bytes, megabytes: int) -> tuple[bytes, bytes]:
    """Head and answer to a message; a bug of ours costs this answer, not the process."""
    started = time.process_time()
    try:
        answer = serve(message)
    except MemoryError:
        return _head(failed=f"memory: the page needs more than {megabytes} MB"), b""
    except Exception as error:
        return _head(error=f"failed: {type(error).__name__}: {error}", mb=_megabytes()), b""
    return _head(seconds=round(time.process_time() - started, 6), mb=_megabytes()), answer


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


def _head(**facts: object) -> bytes:
    return json.dumps(facts | {"spent": time.process_time()}).encode() + b"\n"


if __name__ == "__main__":
    main()

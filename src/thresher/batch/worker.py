"""A process of the local engine: python -m thresher.batch.worker

It takes one message per slice and answers with what became of it, and now and then with how far it is.  It ends at once
when whoever started it is gone, whatever it is doing: a part that is not complete does not count.
"""

from __future__ import annotations

import errno
import json
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from typing import Any

from thresher.batch.attempt import Retry
from thresher.batch.job import Job, WorkerLimits
from thresher.batch.plan import Slice
from thresher.batch.slices import SliceWorker
from thresher.workers.pipes import receive, send

__all__ = ["main", "slice_answer"]

_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}


def main() -> None:
    """Serve until told to stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the main process's affair
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    requests, answers = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)  # whatever a library prints must not get into the messages
    config = receive(requests)
    if config is None:
        return
    settings = json.loads(config)
    worker = SliceWorker(
        Job.from_dict(settings["job"]), WorkerLimits.from_dict(settings["limits"]), settings["evidence"]
    )
    messages: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_listen, args=(requests, messages, worker), daemon=True).start()
    try:
        with suppress(BrokenPipeError):
            send(answers, b"{}")  # up and running
            while message := messages.get():
                request = json.loads(message)
                piece = Slice.from_dict(request["slice"])

                def report(rows: int, errors: int, read: int, number: int = piece.number) -> None:
                    send(answers, json.dumps({"slice": number, "at": [rows, errors, read]}).encode())

                answer = slice_answer(worker, request["task"], piece, report, Retry(**request["retry"]))
                send(answers, json.dumps(answer).encode())
    finally:
        worker.close()


def slice_answer(
    worker: SliceWorker,
    task: str,
    piece: Slice,
    report: Any = lambda rows, errors, read: None,
    retry: Retry = Retry(),
) -> dict[str, Any]:
    """What became of a slice, as a message: its summary, or why it failed; never an exception."""
    try:
        manifest = worker.extract(piece, report, retry) if task == "extract" else worker.count(piece, report)
    except BrokenPipeError:
        raise
    except Exception as error:
        fatal = isinstance(error, OSError) and error.errno in _NO_SPACE
        reason = f"{error}" if str(error) else type(error).__name__
        return {"slice": piece.number, "failed": reason, "fatal": fatal}
    return {"slice": piece.number, "done": manifest.to_dict()}


def _listen(requests: int, messages: queue.Queue[bytes], worker: SliceWorker) -> None:
    """Pass messages on; end the process when the pipe closes, which the main process never does on purpose."""
    while (message := receive(requests)) is not None:
        messages.put(message)
        if not message:
            return
    worker.close()
    os._exit(1)


if __name__ == "__main__":
    main()

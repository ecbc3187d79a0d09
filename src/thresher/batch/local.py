"""The local engine: some worker processes, each doing one slice at a time.

A worker that dies (killed, out of memory) is replaced and its slice done again; after three deaths it has failed.
The main process holds no pages and no rows: it hands out slices and counts.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from thresher.batch.engine import Answer, Task
from thresher.batch.job import Job, WorkerLimits
from thresher.batch.plan import Slice
from thresher.text.log import logger
from thresher.workers.pipes import receive, send
from thresher.workers.process import ONE_THREAD

__all__ = ["run"]

_LOG = logger("thresher.batch")

_MAX_DEATHS = 3
_STARTING = -1  # in place of a slice: deaths in a row of workers that were not up yet


class _Process:
    """A worker and the slice it is on."""

    def __init__(self, config: bytes) -> None:
        self.piece: Slice | None = None
        self.up = False
        self.process = subprocess.Popen(
            [sys.executable, "-m", "thresher.batch.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=os.environ | ONE_THREAD,
        )
        assert self.process.stdin
        assert self.process.stdout
        self._requests, self.answers = self.process.stdin.fileno(), self.process.stdout.fileno()
        self._send(config)

    def give(self, task: Task, piece: Slice) -> None:
        self.piece = piece
        _LOG.info("slice %d started: %s, %s", piece.number, task, piece.kind)
        self._send(json.dumps({"task": task, "slice": piece.to_dict()}).encode())

    def stop(self) -> None:
        """Let it go when it is idle, end it when it is not."""
        if self.piece is None:
            self._send(b"")
        else:
            self.process.terminate()

    def wait(self) -> None:
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def _send(self, message: bytes) -> None:
        with suppress(BrokenPipeError):  # its death shows where its answers are read
            send(self._requests, message)


def run(
    task: Task, pieces: Iterable[Slice], job: Job, limits: WorkerLimits, workers: int, evidence: bool
) -> Iterator[Answer]:
    """Do slices and say what became of each, in the order in which they are ready."""
    waiting = deque(pieces)
    config = json.dumps({"job": job.to_dict(), "limits": limits.to_dict(), "evidence": evidence}).encode()
    deaths: Counter[int] = Counter()
    processes: dict[int, _Process] = {}
    with selectors.DefaultSelector() as selector:
        try:
            for _ in range(min(workers, len(waiting))):
                _add(processes, selector, config).give(task, waiting.popleft())
            while processes:
                for key, _ in selector.select():
                    process = processes[key.fd]
                    message = receive(key.fd)
                    if message == b"{}":
                        process.up = True
                        deaths.pop(_STARTING, None)  # processes do start
                        continue
                    if message is None:
                        yield from _retry_or_fail(process, deaths, waiting)
                        _remove(processes, selector, process)
                        if waiting:
                            _add(processes, selector, config).give(task, waiting.popleft())
                        continue
                    answer = json.loads(message)
                    yield answer
                    if "at" in answer:
                        continue
                    if waiting:
                        process.give(task, waiting.popleft())
                    else:
                        process.piece = None
                        process.stop()
                        _remove(processes, selector, process)
        finally:
            for process in processes.values():
                process.stop()
            for process in processes.values():
                process.wait()


def _retry_or_fail(process: _Process, deaths: Counter[int], waiting: deque[Slice]) -> Iterator[dict[str, Any]]:
    """Put the slice of a dead worker back, or give it up."""
    piece = process.piece
    if piece is None:
        return
    deaths[piece.number if process.up else _STARTING] += 1
    if deaths[_STARTING] >= _MAX_DEATHS:
        yield {"slice": piece.number, "failed": "worker processes do not start", "fatal": True}
    elif deaths[piece.number] < _MAX_DEATHS:
        _LOG.info("slice %d: its worker died, it is done again", piece.number)
        waiting.appendleft(piece)
    else:
        yield {"slice": piece.number, "failed": f"its worker died {_MAX_DEATHS} times", "fatal": False}


def _add(processes: dict[int, _Process], selector: selectors.BaseSelector, config: bytes) -> _Process:
    process = _Process(config)
    processes[process.answers] = process
    selector.register(process.answers, selectors.EVENT_READ)
    return process


def _remove(processes: dict[int, _Process], selector: selectors.BaseSelector, process: _Process) -> None:
    selector.unregister(process.answers)
    del processes[process.answers]
    process.wait()

"""The local engine: some worker processes, each doing one slice at a time.

A worker that dies (killed, out of memory) is replaced and its slice done again, now with a journal: pages that are done
are not done again, and a page at which two workers died gets an error row.  After five deaths without a page done in
between, or sixty in all, the pages that are left get error rows.
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
from pathlib import Path

from thresher.batch.attempt import Retry
from thresher.batch.engine import Answer, Task
from thresher.batch.job import Job, WorkerLimits
from thresher.batch.plan import Slice
from thresher.batch.store import open_store
from thresher.text.log import logger
from thresher.workers.pipes import receive, send
from thresher.workers.process import ONE_THREAD

__all__ = ["run"]

_LOG = logger("thresher.batch")

_MAX_DEATHS = 5  # with no page done in between; a page that kills its worker accounts for three
_MAX_STARTS = 10  # that fail in a row
_MAX_ALL_DEATHS = 60  # of one slice: then it is not a page or two
_STARTING = -1  # in place of a slice: deaths in a row of workers that were not up yet


class _Process:
    """A worker and the slice it is on."""

    def __init__(self, config: bytes) -> None:
        self.piece: Slice | None = None
        self.rows = 0  # of the slice, so far
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

    def give(self, task: Task, piece: Slice, retry: Retry) -> None:
        self.piece, self.rows = piece, 0
        _LOG.info("slice %d started: %s, %s", piece.number, task, piece.kind)
        self._send(json.dumps({"task": task, "slice": piece.to_dict(), "retry": retry.to_dict()}).encode())

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


class _Deaths:
    """Of the workers of each slice, and what the next worker is told of them."""

    def __init__(self, output: str) -> None:
        self._output = output
        self._count: Counter[int] = Counter()
        self._total: Counter[int] = Counter()
        self._rows: Counter[int] = Counter()  # how far workers with a journal came
        self._retries: dict[int, Retry] = {}

    def worker_is_up(self) -> None:
        self._count.pop(_STARTING, None)  # processes do start

    def retry(self, piece: Slice) -> Retry:
        return self._retries.get(piece.number, Retry())

    def forget(self, number: int) -> None:
        """A slice is done, or has failed."""
        retry = self._retries.pop(number, None)
        if retry:
            Path(retry.journal).unlink(missing_ok=True)

    def forget_all(self) -> None:
        for number in list(self._retries):
            self.forget(number)

    def count(self, process: _Process, piece: Slice) -> Answer | None:
        """One more; how the slice has failed, unless it is to be done again."""
        number = piece.number if process.up else _STARTING
        if self.retry(piece).journal and process.rows > self._rows[number]:
            self._rows[number], self._count[number] = process.rows, 0
        self._count[number] += 1
        if self._count[_STARTING] >= _MAX_STARTS:
            return {"slice": piece.number, "failed": "worker processes do not start", "fatal": True}
        self._total[number] += 1
        reason = f"its worker died {self._total[number]} times"
        if self.retry(piece).give_up:
            return {"slice": piece.number, "failed": reason, "fatal": False}
        _LOG.info("slice %d: its worker died, it is done again", piece.number)
        given_up = self._count[piece.number] >= _MAX_DEATHS or self._total[piece.number] >= _MAX_ALL_DEATHS
        journal = self.retry(piece).journal or Path(open_store(self._output).scratch()) / f"{piece.number:06d}.journal"
        self._retries[piece.number] = Retry(str(journal), reason if given_up else "")
        return None


def run(
    task: Task, pieces: Iterable[Slice], job: Job, limits: WorkerLimits, workers: int, evidence: bool
) -> Iterator[Answer]:
    """Do slices and say what became of each, in the order in which they are ready."""
    waiting = deque(pieces)
    config = json.dumps({"job": job.to_dict(), "limits": limits.to_dict(), "evidence": evidence}).encode()
    deaths = _Deaths(job.output)
    processes: dict[int, _Process] = {}

    def give(process: _Process) -> None:
        piece = waiting.popleft()
        process.give(task, piece, deaths.retry(piece))

    with selectors.DefaultSelector() as selector:
        try:
            for _ in range(min(workers, len(waiting))):
                give(_add(processes, selector, config))
            while processes:
                for key, _ in selector.select():
                    process = processes[key.fd]
                    message = receive(key.fd)
                    if message is None:
                        yield from _retry_or_fail(process, deaths, waiting)
                        _remove(processes, selector, process)
                        if waiting:
                            give(_add(processes, selector, config))
                        continue
                    answer = json.loads(message)
                    if not _is_final(answer, process, deaths):
                        yield from [answer] if answer else []
                        continue
                    yield answer
                    if waiting:
                        give(process)
                    else:
                        process.piece = None
                        process.stop()
                        _remove(processes, selector, process)
        finally:
            for process in processes.values():
                process.stop()
            for process in processes.values():
                process.wait()
            deaths.forget_all()


def _is_final(answer: Answer, process: _Process, deaths: _Deaths) -> bool:
    """Take note of an answer; whether the worker is free again."""
    if not answer:
        process.up = True
        deaths.worker_is_up()
    elif "at" in answer:
        process.rows = answer["at"][0]
    else:
        deaths.forget(answer["slice"])
        return True
    return False


def _retry_or_fail(process: _Process, deaths: _Deaths, waiting: deque[Slice]) -> Iterator[Answer]:
    """Put the slice of a dead worker back, or give it up."""
    piece = process.piece
    if piece is None:
        return
    failed = deaths.count(process, piece)
    if failed:
        deaths.forget(piece.number)
        yield failed
    else:
        waiting.appendleft(piece)


def _add(processes: dict[int, _Process], selector: selectors.BaseSelector, config: bytes) -> _Process:
    process = _Process(config)
    processes[process.answers] = process
    selector.register(process.answers, selectors.EVENT_READ)
    return process


def _remove(processes: dict[int, _Process], selector: selectors.BaseSelector, process: _Process) -> None:
    selector.unregister(process.answers)
    del processes[process.answers]
    process.wait()

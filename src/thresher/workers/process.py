"""A function in a process of its own, within bounds: what it does to the process costs one answer.

The process is replaced after so many answers or megabytes, so that nothing that leaks in a native library lasts.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NamedTuple

from thresher.errors import ThresherError
from thresher.workers.child import PATIENCE
from thresher.workers.pipes import TimeUp, is_ready, receive, send, widen

__all__ = ["ONE_THREAD", "Answer", "CannotStart", "Failed", "ProcessBounds", "Worker"]

# The environment of a process with one core: a matrix library would start a thread for each of the machine's.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_START_SECONDS = 120.0  # a loaded machine imports slowly
_START_TRIES = 3
_EXIT_SECONDS = 1.0  # between the last word of a process and its end


class CannotStart(ThresherError):
    """The process does not come up: no page's fault."""


class _KilledEarly(CannotStart):
    """It died without a word: it may come up the next time."""


class Failed(ThresherError):
    """There is no answer; the message says why, as `code: sentence`."""


@dataclass(frozen=True, slots=True)
class ProcessBounds:
    """What one answer may take, and how long a process serves."""

    seconds: float = 30.0  # of the processor; an answer that waits without computing gets three times as long
    megabytes: int = 2048  # that one answer may take beyond what the process has
    recycle_answers: int = 5_000
    recycle_mb: int = 1024


class Answer(NamedTuple):
    """What a process answered, and the CPU seconds that it took."""

    data: bytes
    seconds: float


class Worker:
    """`worker.ask(message)`: what the function that `prepare(settings)` gives makes of a message."""

    def __init__(self, prepare: str, settings: object, bounds: ProcessBounds = ProcessBounds()) -> None:
        self._bounds = bounds
        config = {"prepare": prepare, "settings": settings, "seconds": bounds.seconds, "megabytes": bounds.megabytes}
        self._config = json.dumps(config).encode()
        self._child: subprocess.Popen[bytes] | None = None
        self._answered = 0
        self._spent = 0.0  # seconds of the processor that the process had used at its last word
        self._stopped = False

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_up(self) -> bool:
        return self._child is not None

    def warm_up(self) -> None:
        """Start the process, unless it runs."""
        if not self.is_up:
            self._start()

    def ask(self, *message: bytes, tries: int = 1) -> Answer:
        """The answer to a message, which may be given in parts; Failed when there is none, after so many tries, each in
        a fresh process but the first."""
        cause = ""
        for _ in range(tries):
            try:
                return self._ask(message)
            except Failed as failed:
                if self.is_up:  # the function itself failed; the process is sound
                    raise
                cause = str(failed)
        raise Failed(cause)

    def stop(self) -> None:
        """End what it does, from another thread than the one that asks it."""
        self._stopped = True
        child = self._child  # that thread may take it away at any time
        if child is not None:
            child.kill()

    def close(self) -> None:
        """End the process."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    pipe.close()

    def _ask(self, message: tuple[bytes, ...]) -> Answer:
        child = self._child or self._start()
        head, answer = self._receive(child, message)
        if "failed" in head:
            self.close()
            raise Failed(str(head["failed"]))
        self._answered += 1
        if "error" in head:
            raise Failed(str(head["error"]))
        if self._answered >= self._bounds.recycle_answers or head["mb"] >= self._bounds.recycle_mb:
            self.close()
        return Answer(answer, head["seconds"])

    def _receive(self, child: subprocess.Popen[bytes], message: tuple[bytes, ...]) -> tuple[dict[str, Any], bytes]:
        """Head and answer; the head of a process that died says of what."""
        assert child.stdin
        assert child.stdout
        try:
            send(child.stdin.fileno(), *message)
            if not self._answers(child, child.stdout.fileno()):
                return {"failed": f"time: no result after {self._bounds.seconds:g} s"}, b""
            answer = receive(child.stdout.fileno(), _START_SECONDS)
        except (BrokenPipeError, TimeUp):
            answer = None
        if answer is None:
            return {"failed": _cause(child)}, b""
        line, _, data = answer.partition(b"\n")
        head = json.loads(line)
        self._spent = head["spent"]
        return head, data

    def _answers(self, child: subprocess.Popen[bytes], descriptor: int) -> bool:
        """Wait for an answer as long as the page may take: seconds of the processor, since on a machine that is
        overloaded every page takes long; but not for ever, since a page that hangs need not compute."""
        limit, started = self._bounds.seconds, time.monotonic()
        while not is_ready(descriptor, limit / 4):
            waited = time.monotonic() - started
            if waited >= PATIENCE * limit:
                return False
            if waited >= limit:
                spent = _processor_seconds(child.pid)
                if spent is None or spent - self._spent >= limit:
                    return False
        return True

    def _start(self) -> subprocess.Popen[bytes]:
        """A process that is ready; one that is killed before it is, is started again."""
        self._stopped = False
        for tries_left in reversed(range(_START_TRIES)):
            try:
                return self._start_once()
            except _KilledEarly:
                if self._stopped or not tries_left:
                    raise
        raise AssertionError("the last try returns or raises")

    def _start_once(self) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [sys.executable, "-m", "thresher.workers.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=os.environ | ONE_THREAD,
        )
        assert child.stdin
        assert child.stdout
        self._child, self._answered = child, 0
        widen(child.stdin.fileno())
        try:
            send(child.stdin.fileno(), self._config)
            answer = receive(child.stdout.fileno(), _START_SECONDS)
        except (BrokenPipeError, TimeUp):
            answer = None
        if answer is None or b'"ready"' not in answer:
            reason = json.loads(answer)["failed"] if answer else _cause(child)
            self.close()
            kind = CannotStart if answer else _KilledEarly
            raise kind(f"the process that reads pages does not start: {reason}")
        self._spent = json.loads(answer)["spent"]
        return child


def _processor_seconds(process: int) -> float | None:
    """What a process has used of the processor, where Linux tells."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _cause(child: subprocess.Popen[bytes]) -> str:
    """Why a child is gone."""
    try:
        code = child.wait(_EXIT_SECONDS)
    except subprocess.TimeoutExpired:
        return "crash: the process stopped answering"
    if code >= 0:
        return f"crash: the process ended with code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"crash: the process was ended by {name}" + (", perhaps for want of memory" if code == -9 else "")

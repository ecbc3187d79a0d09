"""Pages in a process of their own: a bad page costs one row.

    record -> child process -> row
              no answer in time, out of memory, crash: once more in a fresh process
              again: an error row with the cause

The child is replaced after so many pages or megabytes, so that nothing that leaks in a native library lasts.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from types import TracebackType
from typing import Any

from thresher.batch.child import PATIENCE, ROW, SIGHT
from thresher.batch.job import Care, Job
from thresher.batch.pipes import TimeUp, is_ready, receive, send, widen
from thresher.batch.record import Record, pack
from thresher.batch.rows import Row, error_row
from thresher.errors import ThresherError

__all__ = ["CannotStart", "Isolated"]

_START_SECONDS = 120.0  # a loaded machine imports slowly


class CannotStart(ThresherError):
    """The child process does not come up: no page's fault."""


class Isolated:
    """Rows of records, whatever these do to the process that makes them."""

    def __init__(self, job: Job, care: Care = Care(), evidence: str | None = None) -> None:
        self._job, self._care = job, care
        self._config = json.dumps({"job": job.to_dict(), "care": care.to_dict(), "evidence": evidence}).encode()
        self._child: subprocess.Popen[bytes] | None = None
        self._served = 0

    def __enter__(self) -> Isolated:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def row(self, record: Record) -> tuple[Row, float]:
        """The row of a record, and the CPU seconds that it took."""
        answer = self._asked(ROW, record)
        if isinstance(answer, str):
            return error_row(record, self._job, answer), 0.0
        found: dict[str, Any] = json.loads(answer)
        self._recycle(found.get("mb", 0))
        if "error" in found:
            return error_row(record, self._job, found["error"]), 0.0
        return found["row"], found["seconds"]

    def sight(self, record: Record) -> bytes:
        """What `evidence.sight` says of a record; nothing for a page that cannot be read."""
        answer = self._asked(SIGHT, record)
        self._recycle(0)
        return b"" if isinstance(answer, str) else answer

    def close(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    pipe.close()

    def _asked(self, task: bytes, record: Record) -> bytes | str:
        """The child's answer, or the cause of two failures."""
        message = task + pack(record)
        cause: bytes | str = ""
        for _ in range(2):
            cause = self._once(message)
            if isinstance(cause, bytes):
                break
            self.close()
        return cause

    def _once(self, message: bytes) -> bytes | str:
        child = self._child or self._start()
        assert child.stdin
        assert child.stdout
        try:
            send(child.stdin.fileno(), message)
            if not self._answers(child, child.stdout.fileno()):
                return f"time: no result after {self._care.page_seconds:g} s"
            answer = receive(child.stdout.fileno(), _START_SECONDS)
        except (BrokenPipeError, TimeUp):
            answer = None
        if answer is None:
            return _cause(child)
        if answer.startswith(b'{"failed"'):
            return str(json.loads(answer)["failed"])
        return answer

    def _answers(self, child: subprocess.Popen[bytes], descriptor: int) -> bool:
        """Wait for an answer as long as the page may take: seconds of the processor, since on a machine that is
        overloaded every page takes long; but not for ever, since a page that hangs need not compute."""
        limit, started = self._care.page_seconds, time.monotonic()
        spent = _processor_seconds(child.pid)
        while not is_ready(descriptor, limit / 4):
            waited = time.monotonic() - started
            if waited >= PATIENCE * limit:
                return False
            if waited >= limit and (spent is None or (_processor_seconds(child.pid) or 0.0) - spent >= limit):
                return False
        return True

    def _start(self) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [sys.executable, "-m", "thresher.batch.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            # One core a worker: a matrix library would start a thread for each.
            env=os.environ | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
        )
        assert child.stdin
        assert child.stdout
        self._child, self._served = child, 0
        widen(child.stdin.fileno())
        try:
            send(child.stdin.fileno(), self._config)
            answer = receive(child.stdout.fileno(), _START_SECONDS)
        except (BrokenPipeError, TimeUp):
            answer = None
        if answer is None or b'"ready"' not in answer:
            reason = json.loads(answer)["failed"] if answer else _cause(child)
            self.close()
            raise CannotStart(f"the process that reads pages does not start: {reason}")
        return child

    def _recycle(self, megabytes: int) -> None:
        self._served += 1
        if self._served >= self._care.recycle_pages or megabytes >= self._care.recycle_mb:
            self.close()


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
        code = child.wait(5)
    except subprocess.TimeoutExpired:
        return "crash: the process stopped answering"
    if code >= 0:
        return f"crash: the process ended with code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"crash: the process was ended by {name}" + (", perhaps for want of memory" if code == -9 else "")

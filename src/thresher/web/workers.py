"""Pages are read in processes of their own, a few of them, behind a bounded queue.

    request -> queue (full: Busy, 429) -> process -> answer
                                          hangs, crashes, fills the memory: this request fails, the process is replaced
                                          whoever asked leaves: the process is replaced, unless it is done soon

A task is a function of the package by its address, `thresher.web.tasks:extracted`; it gets the request (JSON) and the
pages (bytes), and gives JSON.  The processes (`thresher.workers`) are bounded in time and memory, replaced after
so many pages, and nothing but bytes goes between them and us.
"""

from __future__ import annotations

import asyncio
import json
import math
import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from thresher.web.answers import Refused
from thresher.web.settings import ServerSettings
from thresher.workers.process import CannotStart, Failed, ProcessBounds, Worker

__all__ = ["WorkerPool"]

_PREPARE = "thresher.web.tasks:prepare"
_GRACE_SECONDS = 1.0  # seconds to finish a page that nobody waits for any more; most take less than a new process
_STATUS = {"time": 504, "memory": 507, "crash": 500}


class WorkerPool:
    """`await pool.run(task, request, page, …)`.  Made in any thread, used in one event loop."""

    def __init__(self, settings: ServerSettings) -> None:
        self.size = max(settings.workers, 1)
        self.limit = settings.queue
        self.waiting = self.busy = self.replaced = 0  # waiting: those being served among them
        self._pace = 0.05  # seconds that a page takes, of late
        bounds = ProcessBounds(settings.page_seconds, settings.page_mb, settings.recycle_pages)
        self._workers = [Worker(_PREPARE, None, bounds) for _ in range(self.size)]
        self._free: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        self._threads = ThreadPoolExecutor(self.size, "thresher-worker")
        self._starters = ThreadPoolExecutor(self.size, "thresher-start")  # else starts would queue behind requests
        self._closed = False
        self._letting_go = threading.Lock()  # held while a worker comes free, or is stopped

    def start(self) -> None:
        """Start the processes; requests that come before they are up wait."""
        for worker in self._workers:
            self._starters.submit(self._release, worker)

    def close(self) -> None:
        """End the processes, whatever they do."""
        self._closed = True
        for worker in self._workers:
            worker.close()
        for threads in (self._threads, self._starters):
            threads.shutdown(wait=False, cancel_futures=True)
        for _ in self._workers:
            self._free.put(self._workers[0])  # lets go of threads that wait for a process

    @property
    def retry_after(self) -> int:
        """Seconds after which there should be room again."""
        return max(1, math.ceil(self.waiting * self._pace / self.size))

    async def run(self, task: str, request: dict[str, Any], *pages: bytes) -> dict[str, Any]:
        """What the task says of these pages.  Refused: 429 when too many wait, 5xx when the pages break the process."""
        if self.waiting >= self.limit + self.size:
            again = str(self.retry_after)
            raise Refused(429, "busy", f"too many requests; try again in {again} s", {"Retry-After": again})
        head = json.dumps({"task": task, "request": request, "sizes": [len(page) for page in pages]})
        message = b"\n".join((head.encode(), b"".join(pages)))
        self.waiting += 1
        loop, at_work, left = asyncio.get_running_loop(), list[Worker](), threading.Event()
        try:
            answer = await loop.run_in_executor(self._threads, self._serve, message, at_work, left)
        except asyncio.CancelledError:
            left.set()
            loop.call_later(_GRACE_SECONDS, self._let_go, at_work)
            raise
        except (Failed, CannotStart) as error:
            cause = f"crash: {error}" if isinstance(error, CannotStart) else str(error)
            code = cause.partition(":")[0]
            raise Refused(_STATUS.get(code, 500), code, f"the page could not be read: {cause}") from error
        finally:
            self.waiting -= 1
        if "refused" in answer:
            refused = answer["refused"]
            raise Refused(refused["status"], refused["code"], refused["message"])
        return answer

    def _let_go(self, at_work: list[Worker]) -> None:
        """Stop the worker that still reads a page for nobody, if one does."""
        with self._letting_go:
            for worker in at_work:
                worker.stop()

    def _serve(self, message: bytes, at_work: list[Worker], left: threading.Event) -> dict[str, Any]:
        worker = self._free.get()
        if left.is_set():  # before a process was up: nobody waits for this page
            self._free.put(worker)
            raise Failed("crash: the client has left")
        if self._closed:
            raise Failed("crash: the server is stopping")
        self.busy += 1
        started = time.monotonic()
        at_work.append(worker)
        try:
            answer: dict[str, Any] = json.loads(worker.ask(message).data)
            return answer
        finally:
            with self._letting_go:
                at_work.clear()
            self.busy -= 1
            self._pace += 0.1 * (time.monotonic() - started - self._pace)
            if not worker.is_up and not self._closed:
                # Somebody waits for this answer: the new process starts after it is given.
                self.replaced += 1
                self._starters.submit(self._release, worker)
            else:
                self._free.put(worker)

    def _release(self, worker: Worker) -> None:
        """Put a worker where requests find it, with its process up."""
        try:
            if not self._closed:
                worker.warm_up()
        except CannotStart:
            pass  # the next request says so
        finally:
            self._free.put(worker)
            if self._closed:
                worker.close()

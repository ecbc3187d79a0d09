"""A retraining that runs: started, watched, cancelled, and accepted or not.

Nothing of it is in use before `accept`, which alone writes the model where it was wished for.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Literal

from thresher.labelling.retrain import RetrainJob
from thresher.workers.process import ONE_THREAD

__all__ = ["Retraining"]

State = Literal["running", "done", "failed", "cancelled"]
_MAX_SECONDS = 900.0


class Retraining:
    """One retraining in a process of its own.  `folder` is its own, and goes with it."""

    def __init__(self, job: RetrainJob, folder: Path, seconds: float = _MAX_SECONDS) -> None:
        self.job, self.folder = job, folder
        self.state: State = "running"
        self.what, self.share = "starting", 0.0
        self.problem = ""
        self.result: dict[str, Any] | None = None
        self.accepted: Path | None = None
        self._process = subprocess.Popen(
            [sys.executable, "-m", "thresher.labelling.retrain"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | ONE_THREAD,  # labelling goes on beside it
        )
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asdict(job)).encode() + b"\n")
        self._process.stdin.flush()
        self._timer = threading.Timer(seconds, self._time_out, [seconds])
        self._timer.daemon = True
        self._timer.start()
        self._reader = threading.Thread(target=self._read, name="thresher-retraining", daemon=True)
        self._reader.start()

    @staticmethod
    def workplace() -> Path:
        """A folder for a retraining: its data set, its model."""
        return Path(mkdtemp(prefix="thresher-retraining-"))

    def cancel(self) -> None:
        """Stop it; what it has made so far goes."""
        if self.state == "running":
            self.state = "cancelled"
            self._process.kill()

    def wait(self, seconds: float | None = None) -> None:
        self._reader.join(seconds)

    def accept(self, target: Path) -> None:
        """Put the model in its place, in one step."""
        if self.state != "done":
            raise ValueError("there is no model to accept")
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(target.name + ".part")
        shutil.copyfile(self.job.model, draft)
        os.replace(draft, target)
        self.accepted = target

    def close(self) -> None:
        """End the process and take away its folder."""
        self.cancel()
        self._process.kill()
        self._reader.join(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _time_out(self, seconds: float) -> None:
        if self.state == "running":
            self.state, self.problem = "failed", f"it took more than {seconds:g} s; take fewer base pages"
            self._process.kill()

    def _read(self) -> None:
        process = self._process
        assert process.stdout is not None
        assert process.stdin is not None
        for line in process.stdout:
            try:
                self._handle(json.loads(line))
            except (ValueError, KeyError, TypeError):
                continue  # a library that prints
        process.wait()
        self._timer.cancel()
        process.stdin.close()
        process.stdout.close()
        if self.state == "running":
            self.state, self.problem = "failed", self.problem or "the process ended without a result"

    def _handle(self, message: dict[str, Any]) -> None:
        if "result" in message and self.state == "running":
            self.result, self.share, self.state = message["result"], 1.0, "done"
        elif "failed" in message and self.state == "running":
            self.problem, self.state = str(message["failed"]), "failed"
        elif "what" in message:
            self.what, self.share = str(message["what"]), message["done"] / max(message["of"], 1)

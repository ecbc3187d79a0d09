"""Sites that are learned for visitors: a few runs at a time, each a process (`site_job`) that can be stopped.

    run = runs.start(source, options, pages, siblings)     Refused when too many wait
    run.state       waiting, running, done, failed, cancelled
    run.stages      how far each stage is
    runs.cancel(run)

A run that is done has put what it learned beside its page (`sources`): the model, the rendered page and the clusters,
or the siblings.  The last of them are remembered; a folder of a run is gone with its process.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import shutil
import sys
import tempfile
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from thresher import methods
from thresher.site.learning import STAGES
from thresher.web.answers import Refused

if TYPE_CHECKING:
    from thresher.web.options import Options
    from thresher.web.settings import ServerSettings
    from thresher.web.sources import LoadedPage, Sources

__all__ = ["SiteRun", "SiteRuns", "Stage", "learns_looks", "needs_site"]

State = Literal["waiting", "running", "done", "failed", "cancelled"]
_MAX_WAITING = 8  # runs
_MAX_REMEMBERED = 50
_MAX_LEFT_OUT = 20  # pages that are named
_MAX_LINE_BYTES = 1_000_000


def learns_looks(method: str) -> bool:
    """Whether a method learns a site from rendered pages."""
    return methods.needs(method) >= {"layout", "model"}


def needs_site(method: str) -> bool:
    """Whether a method cannot do without other pages of the site, or a model of it."""
    return learns_looks(method) or "siblings" in methods.needs(method)


@dataclass(slots=True)
class Stage:
    """How far one stage of a run is."""

    name: str
    done: int = 0
    total: int = 0
    page: str = ""
    state: Literal["waiting", "running", "done"] = "waiting"

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0.0


@dataclass(slots=True, eq=False)
class SiteRun:
    """One site, learned for one visitor."""

    id: str
    source: LoadedPage
    options: Options
    pages: int
    stages: list[Stage]
    state: State = "waiting"
    problem: str = ""
    left_out: list[tuple[str, str]] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    ended: float | None = None
    task: asyncio.Task[None] | None = None

    @property
    def seconds(self) -> float:
        return (self.ended or time.monotonic()) - self.began

    @property
    def is_over(self) -> bool:
        return self.state not in ("waiting", "running")

    def heard(self, line: dict[str, Any]) -> None:
        """Take in a line of the process."""
        if "failed" in line:
            self.problem = str(line["failed"])[:500]
        elif "left_out" in line:
            self.left_out = [*self.left_out, (str(line["left_out"])[:300], str(line["reason"])[:300])][-_MAX_LEFT_OUT:]
        elif "stage" in line:
            names = [stage.name for stage in self.stages]
            at = names.index(line["stage"])
            for stage in self.stages[:at]:
                stage.state, stage.page = "done", ""
            self.stages[at].done, self.stages[at].total = int(line["done"]), int(line["total"])
            self.stages[at].page = str(line["page"])[:300]
            self.stages[at].state = "running"


class SiteRuns:
    """The runs of a server; used in one event loop."""

    def __init__(self, settings: ServerSettings, sources: Sources) -> None:
        self._settings, self._sources = settings, sources
        self._runs: OrderedDict[str, SiteRun] = OrderedDict()
        self._turns = asyncio.Semaphore(settings.site_runs)

    def start(self, source: LoadedPage, options: Options, pages: int, siblings: Sequence[str] = ()) -> SiteRun:
        """Begin to learn the site of a page; Refused where that cannot be."""
        if not source.url:
            raise Refused(422, "no_address", "a site is learned from its address: say where the page comes from")
        if not 2 <= pages <= self._settings.site_pages:
            raise Refused(400, "bad_request", f"choose 2 to {self._settings.site_pages} pages")
        if sum(not run.is_over for run in self._runs.values()) >= self._settings.site_runs + _MAX_WAITING:
            message = "too many sites are being learned; try again in a minute"
            raise Refused(429, "busy", message, {"Retry-After": "60"})
        looks = learns_looks(options.method)
        if looks:
            from thresher.web.rendering import can_render

            if not can_render():
                raise Refused(501, "no_browser", "rendering needs Chromium, and there is none on this machine")
        names = STAGES if looks else STAGES[:1]
        stages = [Stage(name) for name in (names[1:] if looks and siblings else names)]
        run = SiteRun(secrets.token_urlsafe(16), source, options, pages, stages)
        self._runs[run.id] = run
        for old in [one for one in self._runs.values() if one.is_over][: max(len(self._runs) - _MAX_REMEMBERED, 0)]:
            del self._runs[old.id]
        request = self._request(run, looks, siblings)
        run.task = asyncio.get_running_loop().create_task(self._learn(run, request))
        return run

    def get(self, id: str) -> SiteRun:
        if id not in self._runs:
            raise Refused(410, "gone", "this run is no longer known; start it again")
        return self._runs[id]

    def cancel(self, run: SiteRun) -> None:
        """Stop a run; its process ends at once."""
        if not run.is_over and run.task is not None:
            run.state, run.ended = "cancelled", time.monotonic()
            run.task.cancel()

    async def close(self) -> None:
        """Stop all of them, and wait for their processes to go."""
        tasks = [run.task for run in self._runs.values() if run.task is not None]
        for run in self._runs.values():
            self.cancel(run)
        await asyncio.gather(*tasks, return_exceptions=True)

    def _request(self, run: SiteRun, looks: bool, siblings: Sequence[str]) -> dict[str, Any]:
        return {
            "looks": looks,
            "method": run.options.method,
            "url": run.source.url,
            "encoding": run.source.encoding,
            "pages": run.pages,
            "siblings": list(siblings),
            "allow_hosts": list(self._settings.allow_hosts),
            "delay": self._settings.crawl_delay,
            "user_agent": self._settings.user_agent,
            "timeout": self._settings.fetch_seconds,
            "megabytes": self._settings.site_mb,
        }

    async def _learn(self, run: SiteRun, request: dict[str, Any]) -> None:
        try:
            async with self._turns:
                run.state = "running"
                folder = Path(tempfile.mkdtemp(prefix="thresher-site-"))
                try:
                    message = json.dumps(request).encode() + b"\n" + (b"" if request["looks"] else run.source.data)
                    await asyncio.wait_for(self._process(run, folder, message), self._settings.site_seconds)
                    if not run.problem:
                        run.source = await asyncio.to_thread(_with_result, run.source, folder)
                finally:
                    shutil.rmtree(folder, ignore_errors=True)
        except TimeoutError:
            run.problem = f"it took more than {self._settings.site_seconds:g} s; try fewer pages"
        except asyncio.CancelledError:
            run.state = "cancelled"
            raise
        except Exception as error:
            run.problem = f"the run broke: {type(error).__name__}"
        finally:
            run.ended = time.monotonic()
        run.state = "failed" if run.problem else "done"
        if run.state == "done":
            for stage in run.stages:
                stage.state = "done"
            self._sources.put(run.source)

    async def _process(self, run: SiteRun, folder: Path, message: bytes) -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "thresher.web.site_job", str(folder)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_MAX_LINE_BYTES,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                process.stdin.write(message)
                await process.stdin.drain()
                process.stdin.close()
            async for line in process.stdout:
                run.heard(json.loads(line))
            if await process.wait() and not run.problem:
                run.problem = "its process ended before its time, perhaps for want of memory"
        finally:
            if process.returncode is None:
                process.kill()  # the watchdog of its browser sees to that one
                await process.wait()


def _with_result(source: LoadedPage, folder: Path) -> LoadedPage:
    """The page with what was learned."""
    if (folder / "siblings.json").exists():
        found = json.loads((folder / "siblings.json").read_bytes())
        return replace(source, siblings=tuple((url, html.encode()) for url, html in found), gathered=True)
    return replace(
        source,
        rendered=(folder / "page.json").read_bytes(),
        model=(folder / "model.npz").read_bytes(),
        learned=json.loads((folder / "learned.json").read_bytes()),
    )

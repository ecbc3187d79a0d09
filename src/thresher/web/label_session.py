"""The state of Label: the queue of pages, the store of labels, the retraining that runs.

The pages are scored in the background, one at a time in the processes that read pages, so that the least certain come
first; requests of people go between.
"""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import quote, unquote

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from thresher.labelling.export import finished_pages
from thresher.labelling.queue import Loaded, Missing, Queue, QueuedPage, keep_page, open_queue
from thresher.labelling.retraining import Retraining
from thresher.labelling.store import LabelStore
from thresher.web.answers import Refused
from thresher.web.context import Context
from thresher.web.settings import ServerSettings

__all__ = ["COOKIE", "LabelSession", "clean_name", "cookie_value", "label_session", "labeller_of", "task_request"]

COOKIE = "thresher-labeller"
_MAX_SCORED_PAGES = 2_000  # pages
_FETCH_PAUSE = 0.5  # seconds between two pages that are fetched to be scored
_SORTS_LAST = 3.0  # in place of a confidence: there is nothing to label, and the page comes after all others
_MAX_NAME_LENGTH = 60  # characters of a name
_UNREADABLE = "unreadable"


class LabelSession:
    """One per application that was given pages to label."""

    def __init__(self, settings: ServerSettings) -> None:
        assert settings.label is not None
        path = settings.labels or settings.data / "labels.jsonl"
        self.kept = path.with_name(f"{path.name}.pages")
        self.models = path.parent / "models"
        self.queue: Queue = open_queue(settings.label, self.kept)
        self.store = LabelStore(path)
        self.bases = {base.name or str(base): base for base in settings.bases}
        self.retraining: Retraining | None = None
        self.scored = 0
        self._scoring: asyncio.Task[None] | None = None

    def start(self, here: Context) -> None:
        self._scoring = asyncio.get_running_loop().create_task(self._score(here))

    def close(self) -> None:
        if self._scoring is not None:
            self._scoring.cancel()
        if self.retraining is not None:
            self.retraining.close()

    def entry(self, key: str) -> QueuedPage:
        """The page under a key."""
        page = self.queue.get(key)
        if page is None:
            raise Refused(404, "not_found", "no such page in the queue; it may have changed since the server started")
        return page

    async def load(self, here: Context, entry: QueuedPage) -> Loaded:
        """A page, fetched and kept if it is on the web."""
        try:
            return await run_in_threadpool(entry.load)
        except Missing as missing:
            if missing.url is None:
                raise Refused(422, _UNREADABLE, str(missing)) from None
            return await self._fetch(here, missing.url)

    async def _fetch(self, here: Context, url: str) -> Loaded:
        fetched = await here.sources.fetch(url)
        if fetched.failure:
            raise Refused(502, fetched.failure, f"{url}: {'; '.join(fetched.problems)}")
        page = Loaded(fetched.data, fetched.url, fetched.encoding)
        await run_in_threadpool(keep_page, self.kept, url, page)
        return page

    def done_by(self) -> dict[str, list[str]]:
        """Who has finished or skipped which page."""
        return {
            page: [name for name, state in self.store.status(page).items() if state != "open"]
            for page in self.store.pages()
        }

    def order(self) -> list[QueuedPage]:
        """All pages, the least certain first."""
        return self.queue.order()

    def next_for(self, labeller: str, after: str = "") -> QueuedPage | None:
        """The page that a labeller should see next: not seen by them, and if possible by nobody."""
        done_by = self.done_by()
        for entry in self.queue.order(done_by):
            readable = self.queue.status.get(entry.id) != _UNREADABLE
            if readable and entry.id != after and labeller not in done_by.get(entry.id, ()):
                return entry
        return None

    def progress(self, labeller: str) -> dict[str, Any]:
        """How far everybody and one labeller are."""
        mine = [self.store.status(page).get(labeller) for page in self.store.pages()]
        return {
            "pages": len(self.queue),
            "finished": len(finished_pages(self.queue, self.store)),
            "mine": mine.count("done"),
            "skipped": mine.count("skipped"),
            "scored": self.scored,
            "to_score": min(len(self.queue), _MAX_SCORED_PAGES),
        }

    async def _score(self, here: Context) -> None:
        for entry in self.queue.entries[:_MAX_SCORED_PAGES]:
            confidence = None
            while confidence is None:
                confidence = await self._confidence(here, entry)
            self.queue.confidence[entry.id], self.queue.status[entry.id] = confidence
            self.scored += 1

    async def _confidence(self, here: Context, entry: QueuedPage) -> tuple[float, str] | None:
        """How sure `auto` is of a page, and its status; None when it has to be asked again."""
        try:
            try:
                page = await run_in_threadpool(entry.load)
            except Missing:
                page = await self.load(here, entry)
                await asyncio.sleep(_FETCH_PAUSE)
            result = await here.pool.run("thresher.labelling.tasks:confidence", task_request(page), page.data)
            # Of what is no page at all `auto` is least certain.
            return _SORTS_LAST if result["status"] == "not_html" else result["confidence"], result["status"]
        except Refused as refused:
            if refused.status == 429:
                await asyncio.sleep(1)
                return None
            return _SORTS_LAST, refused.code


def label_session(request: Request) -> LabelSession:
    """The desk of the application; Refused when there is nothing to label."""
    session: LabelSession | None = getattr(request.app.state, "label_session", None)
    if session is None:
        raise Refused(404, "not_found", "there is nothing to label; start the server with --label")
    return session


def task_request(page: Loaded, **more: Any) -> dict[str, Any]:
    """The request to a task of `thresher.labelling`."""
    return {"url": page.url, "encoding": page.encoding, "rendered": page.rendered, **more}


def labeller_of(request: Request) -> str:
    """Who asks, by the name that they gave; nothing if they gave none."""
    return clean_name(unquote(request.cookies.get(COOKIE, "")))


def clean_name(name: str) -> str:
    """A name that can stand in a file of labels."""
    return "".join(c for c in " ".join(name.split()) if c.isprintable())[:_MAX_NAME_LENGTH].strip()


def cookie_value(name: str) -> str:
    return quote(name, safe="")

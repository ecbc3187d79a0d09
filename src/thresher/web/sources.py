"""Pages that were fetched, uploaded or pasted, kept in memory so that options can change without loading them again.

add    a page -> a source under a secret name; the oldest go when there are too many or too large
get    the source of that name; Refused when it is gone
fetch  an address -> a page, through the gate, in one of a few threads
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from thresher.result.inputs import Input, InputError, Reader, is_url
from thresher.web.answers import Refused
from thresher.web.settings import ServerSettings

__all__ = ["LoadedPage", "Sources"]

_MAX_SOURCES = 100  # sources
_MAX_BYTES = 256_000_000  # of all of them
_MAX_FETCHES = 16  # at a time
_MAX_WAITING = 200


@dataclass(frozen=True, slots=True)
class LoadedPage:
    """A page as it came, and what is known of it."""

    name: str  # what people call it: its address or file
    data: bytes = field(repr=False)
    url: str | None = None
    encoding: str | None = None
    problems: tuple[str, ...] = ()
    siblings: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)  # other pages of its site, by address
    rendered: bytes | None = field(default=None, repr=False)  # the same page after a browser had it, as saved
    model: bytes | None = field(default=None, repr=False)  # for methods that use one: learned from its site, or given
    learned: dict[str, Any] | None = field(default=None, repr=False)  # what is told of its site's clusters
    # Pictures and sheets that the page names, by the names under which they are handed out, and no others are.
    resources: dict[str, str] = field(default_factory=dict, repr=False)
    fetched: bool = False  # from `url`, by us
    gathered: bool = False  # the siblings were found by us, not named
    rules: dict[str, Any] | None = field(default=None, repr=False)  # of its site, as JSON
    id: str = ""

    @property
    def size(self) -> int:
        others = sum(len(page) for _, page in self.siblings) + len((self.learned or {}).get("svg", ""))
        return len(self.data) + others + len(self.rendered or b"") + len(self.model or b"")


class Sources:
    """The pages in memory.  Used in one event loop; only fetches run in threads."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._pages: OrderedDict[str, LoadedPage] = OrderedDict()
        self._reader = Reader(settings.allow_hosts, settings.fetch_seconds, settings.cache, settings.user_agent)
        self._threads = ThreadPoolExecutor(_MAX_FETCHES, "thresher-fetch")
        self._waiting = 0

    def add(self, source: LoadedPage) -> LoadedPage:
        """Keep a page; the source with its name."""
        source = replace(source, id=secrets.token_urlsafe(16))
        self.put(source)
        return source

    def put(self, source: LoadedPage) -> None:
        """Keep a source under the name that it has."""
        self._pages[source.id] = source
        self._pages.move_to_end(source.id)
        while len(self._pages) > 1 and (len(self._pages) > _MAX_SOURCES or self._size() > _MAX_BYTES):
            self._pages.popitem(last=False)

    def get(self, id: str) -> LoadedPage:
        """A page that is kept."""
        if id not in self._pages:
            raise Refused(410, "gone", "this page is no longer in memory; load it again")
        self._pages.move_to_end(id)
        return self._pages[id]

    async def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> Input:
        """A page from the web; `headers` are sent along."""
        url = url.strip()
        if not is_url(url):
            raise Refused(400, "bad_url", "an address starts with http:// or https://")
        if self._waiting >= _MAX_WAITING:
            raise Refused(429, "busy", "too many pages are being fetched; try again in 5 s", {"Retry-After": "5"})
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._threads, partial(self._reader.read, url, headers)
            )
        except ValueError as error:
            raise Refused(400, "bad_request", str(error)) from error
        except InputError as error:
            status = {"timeout": 504, "idle_timeout": 504, "bad_url": 400, "missing_extra": 501}.get(error.reason, 502)
            raise Refused(status, error.reason, str(error).removeprefix(f"{error.reason}: ")) from error
        finally:
            self._waiting -= 1

    async def fetch_siblings(self, urls: list[str]) -> tuple[tuple[str, bytes], ...]:
        """Other pages of a site, each under the address that it was asked for by."""
        if len(urls) > self._settings.siblings:
            raise Refused(400, "too_many", f"name {self._settings.siblings} other pages at most")
        pages = await asyncio.gather(*(self.fetch(url) for url in urls))
        return tuple((url, one.data) for url, one in zip(urls, pages, strict=True))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._reader.close()

    def _size(self) -> int:
        return sum(source.size for source in self._pages.values())

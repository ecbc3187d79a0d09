"""Pages of a site to learn from: crawled on the spot, saved as HTML, or saved as rendered.

    saved_pages   of an address (a crawl into a folder that is gone afterwards), of a folder or an archive
    rendered      the same as Chromium shows them

A folder of HTML files is served on this machine while it is rendered, so that its style sheets and pictures load; pages
of a crawl or an archive load theirs from the site itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from thresher.errors import FetchError, NotHtml, RenderError, SiteError
from thresher.result.inputs import is_url

if TYPE_CHECKING:
    from thresher.page import Page
    from thresher.site.archive import SavedPage

__all__ = ["Gathering", "Observer", "SiteProgress", "rendered", "saved_pages", "spread"]

Value = TypeVar("Value")

_RENDERED = (".json", ".json.gz")


class SiteProgress(NamedTuple):
    """How far one stage of a run over a site is."""

    stage: str
    done: int
    total: int
    page: str = ""  # the address of the page that was done last


@dataclass(frozen=True, slots=True)
class Observer:
    """Who hears of a run while it goes on."""

    progress: Callable[[SiteProgress], None] = lambda progress: None
    complaint: Callable[[str, str], None] = lambda page, reason: None  # a page that cannot be had, and why


@dataclass(frozen=True, slots=True)
class Gathering:
    """Where the pages are, how many are wanted, and how they are fetched."""

    source: str  # an address, a folder or an archive
    pages: int
    root: str | None = None  # the address of a folder of HTML files
    allow_hosts: tuple[str, ...] = ()
    delay: float = 1.0
    user_agent: str | None = None
    timeout: float = 30.0  # seconds for a page in the browser


def saved_pages(wanted: Gathering, observer: Observer = Observer()) -> list[SavedPage]:
    """The pages as they came, at most so many, evenly spread over those there are."""
    from thresher.site.archive import pages

    if not is_url(wanted.source):
        return spread(pages(Path(wanted.source), wanted.root), wanted.pages)
    with tempfile.TemporaryDirectory(prefix="thresher-") as folder:
        _crawl(wanted, folder, observer)
        return spread(pages(folder), wanted.pages)


def rendered(wanted: Gathering, observer: Observer = Observer()) -> list[Page]:
    """The pages as Chromium shows them; what cannot be rendered is named and left out."""
    files = _rendered_files(Path(wanted.source)) if not is_url(wanted.source) else []
    if files:
        from thresher.render.saved import load

        return list(_tried(spread(files, wanted.pages), load, observer))
    from thresher.render import BrowserPool, render

    with ExitStack() as stack:
        if not is_url(wanted.source) and Path(wanted.source).is_dir() and not wanted.root:
            root = _served(Path(wanted.source), stack)
            if root:
                wanted = replace(wanted, root=root, allow_hosts=(*wanted.allow_hosts, urlsplit(root).netloc))
        pages = saved_pages(wanted, observer)
        pool = stack.enter_context(BrowserPool())
        changes: dict[str, Any] = {"user_agent": wanted.user_agent} if wanted.user_agent else {}
        changes |= {"allow_hosts": wanted.allow_hosts, "timeout": wanted.timeout}

        def shown(page: SavedPage) -> Page:
            return render(page.html, url=page.url, encoding=page.encoding, pool=pool, **changes)

        return list(_tried(pages, shown, observer))


def spread(values: Iterable[Value], most: int) -> list[Value]:
    """At most so many, evenly spread: every one, then every second, every fourth, … as more and more come."""
    kept: list[Value] = []
    step = 1
    for number, value in enumerate(values):
        if number % step:
            continue
        if len(kept) == most:
            kept, step = kept[::2], 2 * step
            if number % step:
                continue
        kept.append(value)
    return kept


def _crawl(wanted: Gathering, folder: str, observer: Observer) -> None:
    from thresher.crawl import CrawlOptions, CrawlProgress, crawl

    def watch(now: CrawlProgress) -> None:
        observer.progress(SiteProgress("crawl", now.pages, now.wanted, now.url))

    named: dict[str, Any] = {"user_agent": wanted.user_agent} if wanted.user_agent else {}
    done = crawl(
        [wanted.source],
        folder,
        CrawlOptions(pages=wanted.pages, delay=wanted.delay, allow_hosts=wanted.allow_hosts, **named),
        watch=watch,
    )
    if not done.pages:
        why = ", ".join(done.failed_seeds.values()) or "there is no HTML page"
        raise SiteError(f"{wanted.source}: nothing to learn from: {why}")


def _rendered_files(folder: Path) -> list[Path]:
    """The files of a folder that `thresher render -o` may have written."""
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if file.name.endswith(_RENDERED) and file.is_file())


def _served(folder: Path, stack: ExitStack) -> str | None:
    """The address of a folder of HTML files on this machine; None for the folder of a crawl."""
    from thresher.render.serving import serve
    from thresher.site.archive import is_archive

    return None if is_archive(folder) else f"http://{stack.enter_context(serve(folder))}/"


def _tried(values: list[Any], make: Callable[[Any], Page], observer: Observer) -> Iterator[Page]:
    """The pages that can be had; complaints about the others."""
    for done, value in enumerate(values):
        name = str(getattr(value, "url", value))
        observer.progress(SiteProgress("render", done, len(values), name))
        try:
            yield make(value)
        except (FetchError, RenderError, NotHtml, OSError) as error:
            observer.complaint(name, str(error))
    observer.progress(SiteProgress("render", len(values), len(values)))

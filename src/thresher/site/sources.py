"""Where the pages come from that a key page is compared with.

    from_web      the live site, through the gate: what its robots.txt allows, with pauses
    from_folder   a folder that is the root of a web server
    from_archive  WARC files, or the folder of a crawl

All choose as `nset` does, and load no more than five pages for each one wanted.  A page's links are not to be trusted:
only files inside the folder are opened, and what is no HTML page is passed over.
"""

from __future__ import annotations

import gzip
import os
import time
import zlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from thresher.errors import FetchError
from thresher.http.media_types import HTML_TYPES
from thresher.page import Page
from thresher.parse import parse
from thresher.site.archive import PLACEHOLDER_ROOT, SavedPage, is_archive, pages
from thresher.template.distance import by_distance, closeness, hyperlink_distance
from thresher.template.links import Address, address, links
from thresher.template.nset import MAX_LOADS_PER_PAGE, collect, gather, order

if TYPE_CHECKING:
    from thresher.fetch.gate import Gate

__all__ = ["file_at", "from_archive", "from_folder", "from_web", "saved_page_at", "url_of_file"]

_ENDINGS = (".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp")
_INDEXES = ("index.html", "index.htm", "index.xhtml", "index.php", "default.htm", "default.html")
_MAX_PAUSE = 60.0  # seconds; a robots.txt may ask for more


def from_web(
    page: Page,
    gate: Gate,
    n: int,
    *,
    agent: str,
    pause: float = 1.0,
    say: Callable[[str, str], None] = lambda url, why: None,
    loaded: Callable[[str], None] = lambda url: None,
) -> list[Page]:
    """n pages of the live site.  `say` hears of each address that gives no page, and why; `loaded` of the others."""
    from thresher.fetch.robots import RobotsRules, fetch_robots

    own = address(page.url or "")
    if page.url is None or own is None:
        return []
    parts = urlsplit(page.url)
    rules = RobotsRules(fetch_robots(gate, f"{parts.scheme}://{parts.netloc}"), agent)
    wait = max(pause, min(rules.delay, _MAX_PAUSE))
    seen = {own}

    def load(url: str) -> Page | None:
        try:
            if not rules.allows(url):
                raise FetchError("the site's robots.txt does not allow it", "robots")
            time.sleep(wait)
            response = gate.fetch(url)
            place = address(response.url)
            if not response.ok:
                raise FetchError(f"the server answered {response.status}", f"http_{response.status}")
            if response.content_type not in (None, *HTML_TYPES):
                raise FetchError(f"this is {response.content_type}, no page", "not_html")
            if place is None or place.host != own.host:
                raise FetchError("it leads to another site", "outside")
        except FetchError as error:
            say(url, str(error))
            return None
        if place in seen:  # a redirect to the key page, or to one that is there
            return None
        seen.add(place)
        loaded(response.url)
        return _page(response.body, response.url, response.encoding)

    return gather(page, load, n)


def from_folder(page: Page, folder: Path, n: int) -> list[Page]:
    """n pages of a folder: those the key page links to, then those nearest in the directories."""
    own = address(page.url or "")
    if own is None:
        return []
    parts = urlsplit(page.url or "")
    root = f"{parts.scheme}://{parts.netloc}/"
    return collect(page, islice(_nearest_files(page, own, folder, root), MAX_LOADS_PER_PAGE * n), n)


def from_archive(page: Page, path: Path, n: int) -> list[Page]:
    """n pages of an archive.  It is read twice: for the addresses, and for the pages that are wanted."""
    places = [address(saved.url) for saved in pages(path)]
    wanted = {at: rank for rank, at in enumerate(islice(order(page, places), MAX_LOADS_PER_PAGE * n))}
    last = max(wanted, default=-1)
    wanted_pages: dict[int, SavedPage] = {}
    for at, saved in enumerate(pages(path)):
        if at > last:
            break
        if at in wanted:
            wanted_pages[wanted[at]] = saved
    return collect(
        page,
        (
            _page(wanted_pages[rank].html, wanted_pages[rank].url, wanted_pages[rank].encoding)
            for rank in sorted(wanted_pages)
        ),
        n,
    )


def saved_page_at(path: Path, url: str) -> SavedPage | None:
    """The page that an archive or a folder has for an address."""
    wanted = address(url)
    if wanted is None:
        return None
    if is_archive(path):
        return next((saved for saved in pages(path) if address(saved.url) == wanted), None)
    file = file_at(path, wanted)
    data = _read(file) if file is not None else None
    return SavedPage(url, data) if data is not None else None


def url_of_file(file: Path, folder: Path) -> str | None:
    """The address of a file, as if the folder were the root of a server; None for a file outside it."""
    try:
        return PLACEHOLDER_ROOT + quote(os.fsencode(file.resolve().relative_to(folder.resolve()).as_posix()))
    except ValueError:
        return None


def file_at(folder: Path, place: Address) -> Path | None:
    """The file that a server with this root gives for an address; never one outside the folder."""
    name = place.path.lstrip("/")
    names = [f"{name}?{place.query}"] if place.query else []
    names += [name, f"{name.rstrip('/')}.html"] if name else []
    names += [f"{name.rstrip('/')}/{index}".lstrip("/") for index in _INDEXES]
    root = folder.resolve()
    for candidate in names:
        try:
            file = (root / candidate).resolve()
            if file.is_relative_to(root) and file.is_file():
                return file
        except (OSError, ValueError):  # too long a name, or one with a NUL in it
            continue
    return None


def _nearest_files(page: Page, own: Address, folder: Path, root: str) -> Iterator[Page | None]:
    home = folder.resolve()
    known = {link: file for link in links(page) if (file := file_at(folder, link.address)) is not None}
    passed = {file_at(folder, own)}

    def load(file: Path) -> Page | None:
        passed.add(file)
        data = _read(file)
        place = quote(os.fsencode(file.relative_to(home).as_posix()))
        return _page(data, root + place, None) if data is not None else None

    for link in by_distance(page, own, list(known)):
        if known[link] not in passed:
            yield load(known[link])
    # Few of the links may lead to pages that were saved.
    near = []
    for file in home.rglob("*"):
        if file.name.lower().removesuffix(".gz").endswith(_ENDINGS) and file not in passed and file.is_file():
            place = Address(own.host, "/" + file.relative_to(home).as_posix())
            near.append((closeness(hyperlink_distance(own, place)), file))
    for _, file in sorted(near):
        yield load(file)


def _read(file: Path) -> bytes | None:
    try:
        data = file.read_bytes()
        return gzip.decompress(data) if file.suffix == ".gz" else data
    except (OSError, EOFError, zlib.error):
        return None


def _page(html: bytes, url: str, encoding: str | None) -> Page | None:
    page = parse(html, url=url, encoding=encoding)
    return None if any(problem.code == "not_html" for problem in page.problems) else page

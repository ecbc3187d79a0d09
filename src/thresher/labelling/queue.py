"""The pages to label, from a folder, an archive or a list of addresses, the least certain first.

    folder     *.html[.gz] below it, and pages saved by `thresher render` (*.json.gz); a data set that `thresher
               evaluate` knows keeps its own ids, so that labels and data set fit together
    archive    the HTML responses of a WARC file, by address
    addresses  a text file, one a line; fetched through the gate when needed, and kept beside the labels from then on,
               as labels hold for the page that was seen

The order: pages that nobody has finished first, then by the confidence of `auto`, where it is known.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thresher.batch.inputs import find_inputs
from thresher.batch.job import Job
from thresher.batch.plan import Slice
from thresher.batch.sources import open_source
from thresher.errors import DatasetError, ThresherError
from thresher.evaluate.datasets import BrokenRecord, Dataset, open_dataset
from thresher.evaluate.datasets.folder import files_below, page_id
from thresher.evaluate.datasets.record import PAGE_SUFFIXES
from thresher.http.media_types import charset_of
from thresher.parse.limits import LIMITS
from thresher.warc.http import CodingError, decode_body

__all__ = ["Loaded", "Missing", "Queue", "QueuedPage", "keep_page", "open_queue"]

_MAX_PAGES = 100_000  # pages
_SAVED_SUFFIX = ".json.gz"
_MAX_ID_LENGTH = 2_000  # characters of an id


class Missing(ThresherError):
    """A page that is not there: fetch `url` first, if there is one."""

    def __init__(self, message: str, url: str | None = None) -> None:
        super().__init__(message)
        self.url = url


@dataclass(frozen=True, slots=True)
class Loaded:
    """A page as it came."""

    data: bytes = field(repr=False)
    url: str | None = None
    encoding: str | None = None
    rendered: bool = False  # saved by `thresher render`


@dataclass(frozen=True, slots=True)
class QueuedPage:
    """A page of the queue."""

    id: str  # what labels call it
    key: str  # what addresses call it
    load: Callable[[], Loaded] = field(repr=False, compare=False)


@dataclass(slots=True)
class Queue:
    """The pages in the order in which they were found, and what is known about them."""

    name: str
    entries: list[QueuedPage]
    confidence: dict[str, float] = field(default_factory=dict)  # by id
    status: dict[str, str] = field(default_factory=dict)  # what `auto` says of the page, by id
    _by_key: dict[str, QueuedPage] = field(init=False)

    def __post_init__(self) -> None:
        self._by_key = {entry.key: entry for entry in self.entries}

    def __len__(self) -> int:
        return len(self.entries)

    def get(self, key: str) -> QueuedPage | None:
        """The page under this key."""
        return self._by_key.get(key)

    def order(self, finished: Mapping[str, Iterable[str]] | None = None) -> list[QueuedPage]:
        """The least certain first; pages in `finished`, with who finished them, come after all others."""
        finished = finished or {}
        places = {entry.id: place for place, entry in enumerate(self.entries)}
        return sorted(
            self.entries,
            key=lambda one: (bool(finished.get(one.id)), self.confidence.get(one.id, 2.0), places[one.id]),
        )


def open_queue(source: str | Path, kept: Path | None = None) -> Queue:
    """The pages of a folder, an archive or a list of addresses.  `kept` is where pages from the web are kept."""
    path = Path(source)
    if path.is_dir():
        pages = _folder(path)
    else:
        try:
            (one,) = find_inputs((str(path),))
        except (ThresherError, ValueError) as error:
            raise DatasetError(f"{path} cannot be read: {error}") from None
        if one.kind == "warc":
            pages = _archive(path)
        elif one.kind == "urls":
            pages = _addresses(path, kept or path.with_name(f"{path.name}.pages"))
        elif one.kind == "html":
            pages = iter([(path.name, lambda: Loaded(_bytes(path)))])
        else:
            raise DatasetError(f"{path} is no folder of pages, WARC archive or list of addresses")
    entries = [QueuedPage(id, _key(id), load) for id, load in _with_unique_ids(pages)]
    if not entries:
        raise DatasetError(f"{path} holds no pages")
    return Queue(path.name or str(path), entries)


def keep_page(folder: Path, url: str, page: Loaded) -> None:
    """Keep a page from the web under the address that it was asked for by."""
    folder.mkdir(parents=True, exist_ok=True)
    head = json.dumps({"url": page.url, "encoding": page.encoding}).encode()
    target = folder / f"{_key(url)}.page"
    draft = target.with_suffix(".part")
    with open(draft, "wb") as file:
        file.write(head + b"\n" + page.data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, target)


IdsAndLoaders = Iterator[tuple[str, Callable[[], Loaded]]]


def _folder(root: Path) -> IdsAndLoaders:
    try:
        dataset = open_dataset(root)
    except DatasetError:
        dataset = None
    if dataset is not None and dataset.kind in ("wcxb", "sites"):
        for id in dataset.ids():
            yield id, lambda known=dataset, id=id: _record(known, id)  # type: ignore[misc]
        return
    for path in files_below(root):
        name = page_id(root, path, (_SAVED_SUFFIX, *PAGE_SUFFIXES))
        if name is not None and not (page_id(root, path) and (root / f"{name}{_SAVED_SUFFIX}").is_file()):
            yield name, lambda path=path: Loaded(_bytes(path), rendered=path.name.lower().endswith(_SAVED_SUFFIX))  # type: ignore[misc]


def _record(dataset: Dataset, id: str) -> Loaded:
    record = dataset.load(id)
    if isinstance(record, BrokenRecord):
        raise Missing(f"{id}: {record.reason}")
    if record.html is None:
        raise Missing(f"{id}: the data set has no HTML of this page")
    return Loaded(record.html, record.url, record.encoding)


def _archive(path: Path) -> IdsAndLoaders:
    piece = Slice(0, "warc", str(path), 0, path.stat().st_size)
    for record in open_source(piece, Job((), "")).records():
        if record.error is None and record.http_status in (200, None):
            member, _, inner = record.position.partition("+")
            place = int(member), int(inner or 0)
            yield record.url or record.id, lambda place=place: _from_archive(path, place)  # type: ignore[misc]


def _from_archive(path: Path, place: tuple[int, int]) -> Loaded:
    piece = Slice(0, "warc", str(path), place[0], place[0] + 1, begin=place)
    for record in open_source(piece, Job((), "")).records():
        try:
            body, _ = decode_body(record.body, record.codings)
        except CodingError as error:
            raise Missing(str(error)) from None
        return Loaded(body, record.url, charset_of(record.content_type))
    raise Missing(f"the page is no longer in {path.name}")


def _addresses(path: Path, kept: Path) -> IdsAndLoaders:
    for line in _bytes(path).decode("utf-8-sig", "replace").splitlines():
        url = line.strip()
        if url and not url.startswith("#"):
            yield url, lambda url=url: _kept_page(kept, url)  # type: ignore[misc]


def _kept_page(folder: Path, url: str) -> Loaded:
    try:
        head, _, data = (folder / f"{_key(url)}.page").read_bytes().partition(b"\n")
        about: dict[str, Any] = json.loads(head)
        return Loaded(data, about["url"], about["encoding"])
    except FileNotFoundError:
        raise Missing(f"{url} is not fetched yet", url) from None
    except (OSError, ValueError, KeyError) as error:
        raise Missing(f"{url}: what was kept of it cannot be read: {error}", url) from None


def _with_unique_ids(pages: IdsAndLoaders) -> IdsAndLoaders:
    """The first pages, each under a name of its own that labels can have."""
    taken: set[str] = set()
    for number, (id, load) in enumerate(pages):
        if number >= _MAX_PAGES:
            return
        shown = "".join(c if c.isprintable() else "�" for c in id).strip()[: _MAX_ID_LENGTH - 12] or "page"
        name, again = shown, 1
        while name in taken:
            again += 1
            name = f"{shown} ({again})"
        taken.add(name)
        yield name, load


def _key(id: str) -> str:
    return hashlib.sha256(id.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def _bytes(path: Path) -> bytes:
    try:
        with gzip.open(path) if path.suffix.lower() == ".gz" else open(path, "rb") as file:
            return file.read(LIMITS.bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise Missing(f"{path.name}: {getattr(error, 'strerror', None) or error}") from None

"""Labels as a data set: pages and the text that people call content, as `thresher evaluate` and `thresher train` read
them.

    NAME.html       the page, in its own bytes and folders; in UTF-8 where only its server knew the encoding
    NAME.txt        its main content (see `gold`)
    NAME.json.gz    of a rendered page, the page as the browser showed it, boxes and styles with it
    addresses.json  the address of each page that has one
    labels.jsonl    the labels themselves, with these names, for `thresher train seeker --labels`

A page belongs to the data set when a labeller is done with it: what nobody labelled on it is then no content.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from thresher.evaluate.datasets.folder import ADDRESSES
from thresher.evaluate.datasets.record import SAVED_SUFFIX
from thresher.labelling.gold import gold_text
from thresher.labelling.queue import Loaded, Missing, Queue, QueuedPage
from thresher.labelling.store import LabelStore
from thresher.learn.labelfile import Label
from thresher.page import Page
from thresher.parse import parse
from thresher.parse.encoding.decode import decode

__all__ = ["Labelled", "finished_pages", "labelled_pages", "page_of", "write_dataset", "zip_archive"]

_PLAIN = re.compile(r"(?:\w[\w.-]{0,80}/){0,8}\w[\w.-]{0,80}", re.ASCII)  # no part begins with a dot
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A finished page: what the data set holds of it."""

    name: str
    id: str  # its id in the queue
    html: bytes = field(repr=False)
    gold: str = field(repr=False)
    labels: tuple[Label, ...] = field(repr=False)
    url: str | None = None
    rendering: bytes | None = field(default=None, repr=False)  # as `thresher render` saves it, gzipped


def page_of(loaded: Loaded) -> Page:
    """The page that people saw."""
    if loaded.rendered:
        from thresher.render.saved import loads

        return loads(loaded.data)
    return parse(loaded.data, url=loaded.url, encoding=loaded.encoding)


def finished_pages(queue: Queue, store: LabelStore) -> list[QueuedPage]:
    """The pages that somebody is done with, in the order of the queue."""
    done = {page for page in store.pages() if "done" in store.status(page).values()}
    return [entry for entry in queue.entries if entry.id in done]


def labelled_pages(queue: Queue, store: LabelStore) -> Iterator[Labelled]:
    """The finished pages; those that can no longer be read are left out."""
    taken: set[str] = set()
    for entry in finished_pages(queue, store):
        try:
            loaded = entry.load()
        except Missing:
            continue
        labels = store.labels(entry.id)
        page = page_of(loaded)
        name = _name(entry.id, taken)
        renamed = tuple(replace(one, page=name) for one in labels)
        rendering = gzip.compress(loaded.data, 6, mtime=0) if loaded.rendered else None
        url = loaded.url or page.url
        yield Labelled(name, entry.id, _html(loaded, page), gold_text(page, labels), renamed, url, rendering)


def write_dataset(pages: Iterable[Labelled], folder: Path) -> None:
    """Write a data set into a folder."""
    for name, data in _files(pages):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def zip_archive(pages: Iterable[Labelled]) -> bytes:
    """The same as a ZIP file."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in _files(pages):
            target.writestr(_member(name), data)
    return held.getvalue()


def _files(pages: Iterable[Labelled]) -> Iterator[tuple[str, bytes]]:
    """The files of the data set, by name."""
    lines: list[str] = []
    addresses: dict[str, str] = {}
    for one in pages:
        yield f"{one.name}.html", one.html
        yield f"{one.name}.txt", one.gold.encode()
        if one.rendering is not None:
            yield f"{one.name}{SAVED_SUFFIX}", one.rendering
        lines += [_line(label) for label in one.labels]
        if one.url:
            addresses[one.name] = one.url
    yield ADDRESSES, json.dumps(addresses, ensure_ascii=False, indent=0).encode()
    yield "labels.jsonl", "".join(lines).encode()


def _line(label: Label) -> str:
    """A label as a line of a file of labels."""
    return json.dumps(asdict(label), ensure_ascii=False) + "\n"


def _member(name: str) -> zipfile.ZipInfo:
    about = zipfile.ZipInfo(name)  # without the time, so that the same labels give the same bytes
    about.compress_type = zipfile.ZIP_DEFLATED
    about.external_attr = 0o644 << 16
    return about


def _html(loaded: Loaded, page: Page) -> bytes:
    if loaded.rendered:
        return codecs.BOM_UTF8 + page.markup
    if loaded.encoding is None:
        return loaded.data
    return codecs.BOM_UTF8 + decode(loaded.data, loaded.encoding).utf8.removeprefix(codecs.BOM_UTF8)


def _name(id: str, taken: set[str]) -> str:
    """The name of a page with its folders, which are page types; another where that is no plain name."""
    name = id
    if not _PLAIN.fullmatch(id) or id.lower() in taken:
        plain = _NOT_PLAIN.sub("-", id).strip("-.")[:80]
        name = f"{plain or 'page'}-{hashlib.sha256(id.encode()).hexdigest()[:10]}"
    taken.add(name.lower())
    return name

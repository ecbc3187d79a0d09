"""Records as a browser shows them, rendered once and kept on disk in the form of `thresher render`.

    render_missing(dataset, ids, folder)    renders what is not there yet, one page after another, in this process;
                                            without a browser it says so, and the methods that need one are skipped
    with_rendering(record, folder)          the record with its rendering and those of its siblings, if there are; a
                                            rendering that lies beside the page in its data set goes first
    page_of(record)                         the page as it was rendered, else as it is parsed

A record of a small web site is loaded from a server on this machine, under the folder that holds its site, so that
its style sheets and pictures are there; the page keeps its made-up address.  A record of which there is only the HTML
is shown without what it refers to.  No other machine is asked for anything.

Methods that learn a site from rendered pages (`cluster`) are given those siblings that the page is nearest to, by its
links and its address (template.nset).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote, unquote, urlsplit

from thresher.errors import FetchError, MissingProgram, NotHtml, RenderError
from thresher.evaluate.datasets import BrokenRecord, Dataset, DatasetRecord
from thresher.evaluate.datasets.record import read_bytes
from thresher.page import Page
from thresher.parse import parse
from thresher.render.serving import no_host, serve
from thresher.template.nset import choose

if TYPE_CHECKING:
    from thresher.render import BrowserPool

__all__ = [
    "SIBLINGS_TO_LEARN_FROM",
    "RenderedDataset",
    "nearest_siblings",
    "page_of",
    "render_missing",
    "rendering_path",
    "show",
    "with_rendering",
]

SIBLINGS_TO_LEARN_FROM = 8
Announce = Callable[[str], None]


def rendering_path(record: DatasetRecord, folder: Path) -> Path:
    """Where the rendering of a record is kept.  Its name tells the page, not its labels."""
    digest = hashlib.sha256(repr((record.id, record.url, record.encoding)).encode("utf-8", "surrogatepass"))
    digest.update(record.html or b"")
    return folder / f"{digest.hexdigest()[:32]}.json.gz"


def with_rendering(record: DatasetRecord, folder: Path | None, siblings: bool = False) -> DatasetRecord:
    """The record with its rendering, if there is one, and with those of its siblings where they are asked for."""
    if folder is None or (record.page_file is not None and not siblings):
        return record
    rendering = record.page_file or rendering_path(record, folder)
    if not os.path.exists(rendering):
        return record
    others = [rendering_path(sibling, folder) for sibling in nearest_siblings(record)] if siblings else []
    return replace(record, page_file=rendering, sibling_files=tuple(file for file in others if os.path.exists(file)))


def nearest_siblings(record: DatasetRecord) -> list[DatasetRecord]:
    """The siblings that a site is learned from, each as a record of its own."""
    parsed = {}
    for url, file in record.siblings.items():
        html = read_bytes(file)
        parsed[url] = html, parse(html, url=url)
    page = parse(record.html or b"", url=record.url, encoding=record.encoding)
    chosen = choose(page, [sibling for _, sibling in parsed.values()], SIBLINGS_TO_LEARN_FROM)
    # A sibling of two records is rendered once: its name is its address.
    return [
        DatasetRecord(sibling.url or "", parsed[sibling.url or ""][0], sibling.url, files=record.files)
        for sibling in chosen
    ]


class RenderedDataset(Dataset):
    """A data set whose records have the renderings in a folder."""

    kind: ClassVar[str] = "rendered"
    layout: ClassVar[str] = "another data set, rendered"

    def __init__(self, dataset: Dataset, folder: Path) -> None:
        super().__init__(dataset.root)
        self._dataset, self._folder = dataset, folder

    def __reduce__(self) -> tuple[Callable[..., Dataset], tuple[Any, ...]]:
        return RenderedDataset, (self._dataset, self._folder)

    @classmethod
    def recognises(cls, root: Path) -> bool:
        return False

    def ids(self) -> Sequence[str]:
        return self._dataset.ids()

    def read(self, id: str) -> DatasetRecord:
        return with_rendering(self._dataset.read(id), self._folder)


def page_of(record: DatasetRecord) -> Page:
    """The page as a browser showed it where that is known, else as it is parsed; RenderError for a damaged file."""
    if record.page_file is None:
        return parse(record.html or b"", url=record.url, encoding=record.encoding)
    from thresher.render.saved import load

    page = load(record.page_file)
    return replace(page, url=record.url) if record.url else page


def render_missing(
    dataset: Dataset,
    ids: Sequence[str],
    folder: Path,
    announce: Announce = lambda words: None,
    fresh: bool = False,
    siblings: bool = False,
) -> None:
    """Render the records that have no rendering yet, and their siblings where they are asked for.  One that cannot be
    rendered is said, and has none."""
    waiting: dict[Path, DatasetRecord] = {}
    for record in (dataset.load(id) for id in ids):
        if isinstance(record, BrokenRecord) or record.html is None:
            continue
        for page in (record, *(nearest_siblings(record) if siblings else ())):
            target = rendering_path(page, folder)
            if page.page_file is None and (fresh or not os.path.exists(target)):
                waiting.setdefault(target, replace(page, html=None) if page is record else page)
    if not waiting:
        return
    from thresher.render import BrowserPool

    announce(f"rendering {len(waiting):,} pages, once; they are kept in {folder}")
    with BrowserPool(resolver=no_host) as pool:
        for target, waiting_record in waiting.items():
            record = dataset.load(waiting_record.id) if waiting_record.html is None else waiting_record
            if isinstance(record, BrokenRecord):
                continue
            try:
                _keep(show(record, pool), target)
            except MissingProgram as reason:
                announce(str(reason))
                return
            except (FetchError, RenderError, NotHtml) as reason:
                announce(f"{record.id}: not rendered, {reason}")
            except OSError as reason:
                announce(f"renderings cannot be kept: {reason}; --cache FOLDER keeps them elsewhere")
                return


def _keep(page: Page, target: Path) -> None:
    """Write the page, whole or not at all."""
    from thresher.render.saved import save

    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"part-{target.name}")
    save(page, partial)
    partial.replace(target)


def show(record: DatasetRecord, pool: BrowserPool) -> Page:
    """One record in the browser."""
    from thresher.render import render

    if record.files is None:
        return render(record.html or b"", url=record.url, encoding=record.encoding, offline=True, pool=pool)
    with serve(record.files) as host:
        path = quote(unquote(urlsplit(record.url or "").path))
        page = render(f"http://{host}{path}", allow_hosts=(host,), pool=pool)
    return replace(page, url=record.url)

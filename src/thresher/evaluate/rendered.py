"""Records as a browser shows them, rendered once and kept on disk in the form of `thresher render`.

    make(dataset, ids, folder)      renders what is not there yet, one page after another, in this process; without a
                                    browser it says so, and the methods that need one are skipped
    attached(record, folder)        the record with its rendering, if there is one

A record of a small web site is loaded from a server on this machine, under the folder that holds its site, so that
its style sheets and pictures are there; the page keeps its made-up address.  A record of which there is only the HTML
is shown without what it refers to.  No other machine is asked for anything.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from thresher.errors import FetchError, MissingProgram, NotHtml, RenderError
from thresher.evaluate.datasets import BrokenRecord, Dataset, DatasetRecord
from thresher.evaluate.serving import serve
from thresher.page import Page

if TYPE_CHECKING:
    from thresher.render import BrowserPool

__all__ = ["render_missing", "rendering_path", "show", "with_rendering"]

Announce = Callable[[str], None]


def rendering_path(record: DatasetRecord, folder: Path) -> Path:
    """Where the rendering of a record is kept.  Its name tells the page, not its labels."""
    digest = hashlib.sha256(repr((record.id, record.url, record.encoding)).encode("utf-8", "surrogatepass"))
    digest.update(record.html or b"")
    return folder / f"{digest.hexdigest()[:32]}.json.gz"


def with_rendering(record: DatasetRecord, folder: Path | None) -> DatasetRecord:
    """The record with its rendering, if there is one."""
    if folder is None:
        return record
    rendering = rendering_path(record, folder)
    return replace(record, page_file=rendering) if os.path.exists(rendering) else record


def render_missing(
    dataset: Dataset, ids: Sequence[str], folder: Path, announce: Announce = lambda words: None, fresh: bool = False
) -> None:
    """Render the records that have no rendering yet.  One that cannot be rendered is said, and has none."""
    records = (dataset.load(id) for id in ids)
    waiting = [
        record.id
        for record in records
        if not isinstance(record, BrokenRecord)
        and record.html is not None
        and (fresh or not os.path.exists(rendering_path(record, folder)))
    ]
    if not waiting:
        return
    from thresher.render import BrowserPool

    announce(f"rendering {len(waiting):,} pages, once; they are kept in {folder}")
    with BrowserPool(resolver=_nobody) as pool:
        for id in waiting:
            record = dataset.load(id)
            if isinstance(record, BrokenRecord):
                continue
            try:
                _keep(show(record, pool), rendering_path(record, folder))
            except MissingProgram as reason:
                announce(str(reason))
                return
            except (FetchError, RenderError, NotHtml) as reason:
                announce(f"{id}: not rendered, {reason}")
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


def _nobody(host: str, port: int) -> list[tuple[int, tuple[object, ...]]]:
    """A name server that knows no host."""
    raise OSError(f"{host}:{port} is not asked in an evaluation")

"""A page and others of its site as Chromium shows them, for methods that compare looks.

from_crawl   the page at an address, and others that a crawl finds from there
from_files   pages that were saved: of a folder with the style sheets and pictures beside them, of an archive bare;
             nothing is fetched
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from thresher.errors import FetchError, NotHtml, RenderError, SiteError
from thresher.site.gathering import Gathering, Observer, SiteProgress, rendered
from thresher.site.learning import page_at

if TYPE_CHECKING:
    from thresher.page import Page

__all__ = ["from_crawl", "from_files"]


def from_crawl(wanted: Gathering, observer: Observer = Observer()) -> tuple[Page, list[Page]]:
    """The page at the address, and the others; SiteError where the page itself cannot be had."""
    pages = rendered(wanted, observer)
    page = page_at(pages, wanted.source)
    if page is None:
        raise SiteError(f"{wanted.source}: it could not be rendered")
    return page, [other for other in pages if other is not page]


def from_files(
    page: Page, siblings: Sequence[Page], folder: Path | None, observer: Observer = Observer()
) -> tuple[Page, list[Page]]:
    """The page and its siblings, which were read from a folder that is the root of their site, or from elsewhere."""
    from thresher.render import BrowserPool, render
    from thresher.render.serving import no_host, serve

    with ExitStack() as stack:
        host = stack.enter_context(serve(folder)) if folder is not None else None
        pool = stack.enter_context(BrowserPool(resolver=no_host))

        def shown(one: Page) -> Page:
            if host is None:
                return render(one.markup, url=one.url, encoding="utf-8", offline=True, pool=pool)
            place = urlsplit(one.url or "").path or "/"
            made = render(one.markup, url=f"http://{host}{place}", encoding="utf-8", allow_hosts=(host,), pool=pool)
            return replace(made, url=one.url)

        try:
            key = shown(page)
        except (FetchError, RenderError, NotHtml) as error:
            raise SiteError(f"the page could not be rendered: {error}") from error
        others = []
        for done, sibling in enumerate(siblings):
            observer.progress(SiteProgress("render", done, len(siblings), sibling.url or ""))
            try:
                others.append(shown(sibling))
            except (FetchError, RenderError, NotHtml) as error:
                observer.complaint(sibling.url or "", str(error))
        return key, others

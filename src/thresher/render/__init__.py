"""Headless Chromium -> Page with boxes and styles.

    page = thresher.render("https://example.org/")                      an address
    page = thresher.render(html, url="https://example.org/a")           HTML that we have; its url may be made up
    shot = thresher.render.with_screenshot(source, …)                   shot.page and shot.png, the whole page as PNG
    page.box, page.style                                                (n, 4) x y width height; ComputedStyles
    saved.save(page, "page.json.gz"); saved.load("page.json.gz")

settings     RenderSettings: viewport, wait, scroll, timeout, …
chromium     find, start and end the browser (watchdog: the process that leaves none behind)
cdp          the browser's protocol over two pipes
proxy        the browser's only way to the network, with the rules of fetch
pool         BrowserPool: warm browsers, one page at a time each
render_page  one page from address to Page, within a timeout
tab          one page in a context of its own (waiting: until it is done)
capture      snapshot -> Page (frames: the pages in a page's frames; serialise: the browser's tree as HTML)
painted      which texts are painted where a reader can get to see them (pixels: two screenshots compared)
styles       ComputedStyles: computed styles as columns
declarations all computed properties of elements with text, as far as they are not the default
saved        a rendered page as a file
serving      the files of a site on this machine, for a browser to load them

`Settings`, `Pool` and `Styles` of this package are short names of RenderSettings, BrowserPool and ComputedStyles.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from thresher.errors import MissingProgram, RenderError
from thresher.page import Page
from thresher.render.pool import BrowserPool
from thresher.render.settings import RenderSettings
from thresher.render.styles import ComputedStyles

__all__ = [
    "BrowserPool",
    "ComputedStyles",
    "MissingProgram",
    "Pool",
    "RenderError",
    "RenderSettings",
    "Screenshot",
    "Settings",
    "Styles",
    "render",
    "with_screenshot",
]

Pool, Settings, Styles = BrowserPool, RenderSettings, ComputedStyles

_URL = re.compile(r"\s*https?:[/\\][^\s<>]+\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Screenshot:
    """A rendered page and its picture; one pixel of it is one of `page.box`."""

    page: Page
    png: bytes


def render(
    source: str | bytes,
    *,
    url: str | None = None,
    allow_hosts: Iterable[str] = (),
    encoding: str | None = None,
    settings: RenderSettings = RenderSettings(),
    pool: BrowserPool | None = None,
    **changes: Any,
) -> Page:
    """The Page that a browser shows: after its scripts ran, with `box` and `style`.

    source       an address (http or https), or HTML as text or bytes
    url          of HTML: where it comes from; any name will do, what it refers to is asked for there
    allow_hosts  `HOST` or `HOST:PORT`: private addresses that may be asked all the same
    encoding     of bytes: what the transport said
    settings     see Settings; **changes are changes to it, such as wait="load" or viewport=(400, 800)
    pool         browsers of your own; unless given, one is kept warm until the program ends

    Raises FetchError (the network), RenderError (the browser), NotHtml (a PDF, a picture) and MissingProgram.
    """
    return _shown(source, url, allow_hosts, encoding, settings, pool, changes, picture=False).page


def with_screenshot(
    source: str | bytes,
    *,
    url: str | None = None,
    allow_hosts: Iterable[str] = (),
    encoding: str | None = None,
    settings: RenderSettings = RenderSettings(),
    pool: BrowserPool | None = None,
    **changes: Any,
) -> Screenshot:
    """As `render`, with a picture of the whole page."""
    return _shown(source, url, allow_hosts, encoding, settings, pool, changes, picture=True)


def _shown(
    source: str | bytes,
    url: str | None,
    allow_hosts: Iterable[str],
    encoding: str | None,
    settings: RenderSettings,
    pool: BrowserPool | None,
    changes: dict[str, Any],
    picture: bool,
) -> Screenshot:
    from thresher.errors import NotHtml
    from thresher.parse.encoding.decode import decode
    from thresher.parse.kind import PLAIN_TEXT, not_html
    from thresher.render.pool import default_pool
    from thresher.render.render_page import render_page

    hosts = (allow_hosts,) if isinstance(allow_hosts, str) else tuple(allow_hosts)
    settings = replace(settings, allow_hosts=(*settings.allow_hosts, *hosts), **changes)
    address = isinstance(source, str) and _URL.fullmatch(source) is not None
    html = None
    if not address:
        kind = not_html(source)
        if kind not in (None, PLAIN_TEXT):
            raise NotHtml(f"this is {kind}, not an HTML page")
        html = decode(source, encoding).utf8 if isinstance(source, bytes) else source.encode("utf-8", "replace")
    page, png = render_page(str(source) if address else url, html, settings, pool or default_pool(), picture)
    return Screenshot(page, png)


class _Package(ModuleType):
    """`thresher.render` is a package and yet `thresher.render(url)` renders."""

    __call__ = staticmethod(render)


__signature__ = inspect.signature(render)  # of calls, for `help` and editors
sys.modules[__name__].__class__ = _Package

"""thresher site extract: the main content of a page, seen from other pages of its site."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.options import delay_option, known_method, page_options, web_options
from thresher.cli.results import ExtractedInput, extract_all, result_options
from thresher.errors import FetchError, MissingExtra, MissingProgram, SiteError
from thresher.result.inputs import Input, InputError, Reader, is_url
from thresher.text.printing import plain

if TYPE_CHECKING:
    from thresher.page import Page

__all__ = ["command"]

_PAGES, _RENDERED_PAGES = 4, 20  # pages to compare with: of site methods, of cluster


@click.command("extract", context_settings={"max_content_width": 100})
@click.argument("source", metavar="KEY_URL_OR_FILE")
@click.option(
    "--pages",
    type=click.IntRange(min=1),
    help=f"Pages of the site to compare with.  [default: {_PAGES}; {_RENDERED_PAGES} with cluster]",
)
@click.option(
    "-m",
    "--method",
    default="auto",
    show_default=True,
    callback=known_method,
    help="How to extract: auto, site, site_plus, temex, sst, rtdm, iwptd, rbmtd use the other pages; cluster learns "
    "from them as Chromium shows them.",
)
@click.option(
    "--root",
    type=click.Path(exists=True, path_type=Path),
    metavar="DIR",
    help="Where the other pages are: a folder that is the server's root, a crawl's folder or a WARC file.",
)
@delay_option("Between two requests to the site; more if its robots.txt asks for it.")
@result_options
@page_options
@web_options
def command(
    source: str,
    pages: int | None,
    method: str,
    root: Path | None,
    delay: float,
    focus: str,
    hidden: str,
    url: str | None,
    encoding: str | None,
    reader: Reader,
    **wishes: Any,
) -> None:
    """Take the main content out of a page with the help of other pages of its site.

    What all pages of a site have in the same place is its template; what a page puts there of its own is content.  The
    other pages are those the key page links to, the nearest in the site's directories first; copies of the key page
    (a print view, another address of the same thread) are left out.

    \b
    A live page; the other pages are fetched as robots.txt allows:
      thresher site extract https://example.org/news/17
    A saved site:
      thresher site extract mirror/news/17.html --root mirror
    A page of a crawl, as Markdown:
      thresher site crawl https://example.org/ -o crawl
      thresher site extract https://example.org/news/17 --root crawl -f markdown
    As paper 002 has it, with eight pages:
      thresher site extract https://example.org/news/17 -m site --pages 8

    With --root nothing is fetched.  Without it a file is compared with the files around it.

    With `-m cluster` the site is crawled from the page on, its pages are rendered, their blocks clustered and
    labelled, and a classifier is trained that chooses the page's content (docs/cluster.md); `thresher site learn -m
    cluster` keeps it.

    \b
      thresher site extract https://example.org/news/17 -m cluster -f table

    Exit: 0 done, 1 the page or its site could not be read, 2 wrong usage, 3 nothing extracted, 4 held back
    (--min-confidence, --language).
    """
    from thresher import methods
    from thresher.result.extraction import extract

    looks = "layout" in methods.needs(method)  # rendered pages are compared
    pages = methods.split(method)[1].get("pages", pages) or (_RENDERED_PAGES if looks else _PAGES)

    def extracted(source: str) -> ExtractedInput:
        if looks and is_url(source) and root is None:
            page_input, page, siblings = _crawled(source, pages, delay, reader)
        else:
            page_input, page = _key_page(source, root, url, encoding, reader)
            if page_input.failure:
                raise InputError(page_input.problems[0], page_input.failure)
            with _watched(pages):
                siblings = _siblings(source, page, root, pages, delay, reader)
            if looks and siblings:
                page, siblings = _rendered(source, page, siblings, root)
        if not siblings:
            raise InputError(
                "no other page of the site was found that is no copy of this one; "
                "name the folder that is the root of the site with --root, or fetch more: thresher site crawl",
                "no_siblings",
            )
        # A made-up address served to find the siblings; nobody wants to see it.
        shown = replace(page, url=None) if url is None and page_input.url is None and not is_url(source) else page
        wanted: dict[str, Any] = {"focus": focus, "hidden": hidden, "options": _count(method, pages)}
        result = extract(shown, method=method, siblings=siblings, **wanted)
        return ExtractedInput(page_input, result, {"siblings": [_shown(sibling) for sibling in siblings]})

    extract_all((source,), extracted, **wishes)


def _crawled(source: str, pages: int, delay: float, reader: Reader) -> tuple[Input, Page, list[Page]]:
    """The page at an address and others of its site, crawled and rendered."""
    from thresher.cli.site.cluster import observed
    from thresher.site.gathering import Gathering
    from thresher.site.rendering import from_crawl

    wanted = Gathering(source, pages + 1, delay=delay, **reader.browser_settings())
    try:
        with observed() as observer:
            page, siblings = from_crawl(wanted, observer)
    except (SiteError, FetchError, MissingExtra, MissingProgram) as error:
        raise InputError(str(error)) from error
    return Input(page.markup), page, siblings


def _rendered(source: str, page: Page, siblings: list[Page], root: Path | None) -> tuple[Page, list[Page]]:
    """Pages that were saved, as Chromium shows them."""
    from thresher.cli.site.cluster import observed
    from thresher.site.archive import is_archive
    from thresher.site.rendering import from_files

    folder = None if root is not None and is_archive(root) else _folder(source, root)
    try:
        with observed() as observer:
            return from_files(page, siblings, folder, observer)
    except (SiteError, MissingExtra, MissingProgram) as error:
        raise InputError(str(error)) from error


def _key_page(
    source: str, root: Path | None, url: str | None, encoding: str | None, reader: Reader
) -> tuple[Input, Page]:
    """The page to extract from, with an address in its site."""
    from thresher.parse import parse
    from thresher.site.archive import PLACEHOLDER_ROOT
    from thresher.site.sources import saved_page_at, url_of_file

    if is_url(source) and root is not None:
        try:
            saved = saved_page_at(root, source)
        except (SiteError, MissingExtra) as error:
            raise InputError(str(error)) from error
        if saved is None:
            raise InputError(f"{root} has no page of this address", "not_found")
        return Input(saved.html), parse(saved.html, url=saved.url, encoding=encoding or saved.encoding)
    page_input = reader.read(source)
    place = url or page_input.url
    if place is None:
        place = url_of_file(Path(source), _folder(source, root)) if source != "-" else PLACEHOLDER_ROOT
    if place is None:
        raise InputError(f"it is not inside {root}; say where it stands in the site with --url", "outside")
    return page_input, parse(page_input.data, url=place, encoding=encoding or page_input.encoding)


def _siblings(source: str, page: Page, root: Path | None, pages: int, delay: float, reader: Reader) -> list[Page]:
    from thresher.site.archive import is_archive
    from thresher.site.sources import from_archive, from_folder, from_web

    try:
        if root is not None and is_archive(root):
            return from_archive(page, root, pages)
        if root is not None or not is_url(source):
            return from_folder(page, _folder(source, root), pages)
        return from_web(page, reader.gate, pages, agent=reader.agent, pause=delay, say=_complain)
    except (SiteError, MissingExtra) as error:
        raise InputError(str(error)) from error


def _folder(source: str, root: Path | None) -> Path:
    """The folder that is the root of the site: the one named, or the one the file is in."""
    if root is not None:
        return root
    if source == "-":
        raise InputError("a page from standard input has no other pages around it; name their folder with --root")
    return Path(source).parent


def _count(method: str, pages: int) -> dict[str, int]:
    """The number of pages for methods that choose among those they are given."""
    from thresher import methods

    return {"pages": pages} if "pages" in methods.split(method)[0].Options.__dataclass_fields__ else {}


def _shown(sibling: Page) -> str:
    """Where a sibling came from: its address, or its path below the root of a folder."""
    from thresher.site.archive import PLACEHOLDER_ROOT

    return (sibling.url or "").removeprefix(PLACEHOLDER_ROOT)


def _watched(pages: int) -> AbstractContextManager[object]:
    """A word on stderr for those who wait."""
    from rich.console import Console

    console = Console(stderr=True)
    return console.status(f"looking for {pages} other pages of the site") if console.is_terminal else nullcontext()


def _complain(url: str, why: str) -> None:
    click.echo(f"{plain(url)}: left out, {plain(why)}", err=True)

"""Saved pages of a site, read back: from the folder of a crawl, any crawler's WARC files, a folder of HTML files.

    for saved in pages("crawl"):              or "crawl/pages-00000.warc.gz", or "mirror/"
        page = thresher.parse(saved.html, url=saved.url, encoding=saved.encoding)

Of an archive come the HTML pages that were answered with 2xx, in the order in which they were saved, with their
transfer and content encodings undone.  An archive that ends in the middle of a record (a crawl was killed, or is still
running) gives what is whole, and of a folder come the files that can be read.
"""

from __future__ import annotations

import gzip
import os
import warnings
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from thresher.errors import SiteError
from thresher.http.media_types import HTML_TYPES, charset_of, media_type
from thresher.parse.kind import not_html
from thresher.warc import ENDINGS
from thresher.warc.http import CodingError, decode_body, parse_response
from thresher.warc.members import open_stream
from thresher.warc.reader import Headers, WarcReader, WarcRecord

__all__ = ["PLACEHOLDER_ROOT", "SavedPage", "is_archive", "pages"]

_HTML_ENDINGS = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz", ".xhtml.gz")
PLACEHOLDER_ROOT = "http://site.invalid/"  # a folder does not say where its pages come from
_PAGE_RECORDS = frozenset({"response", "resource"})


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A page as it was fetched: its address, its bytes, and the charset that came with it."""

    url: str
    html: bytes = field(repr=False)
    encoding: str | None = None


def pages(path: str | Path, root: str | None = None) -> Iterator[SavedPage]:
    """The pages in a crawl's folder, a WARC file (plain, gzip, Zstandard), or a folder of HTML files.

    `root` is the address of a folder of HTML files: `a/b.html` in it comes from `root` + `a/b.html`.
    SiteError if there is nothing of the kind.
    """
    path = Path(path)
    if path.is_file():
        return _pages_of_archive(path)
    if not path.is_dir():
        raise SiteError(f"there is no file or folder {path}")
    if is_archive(path):
        return (page for archive in sorted(_archives(path)) for page in _pages_of_archive(archive))
    files = sorted(file for file in path.rglob("*") if file.name.lower().endswith(_HTML_ENDINGS) and file.is_file())
    if not files:
        raise SiteError(f"{path} holds neither WARC files nor HTML files")
    return _pages_of_files(path, files, root or PLACEHOLDER_ROOT)


def is_archive(path: Path) -> bool:
    """Whether a path is a WARC file or a folder with some; other folders hold pages as files."""
    return path.is_file() or any(_archives(path))


def _archives(folder: Path) -> Iterator[Path]:
    return (file for file in folder.iterdir() if file.name.endswith(ENDINGS))


def _pages_of_files(folder: Path, files: list[Path], root: str) -> Iterator[SavedPage]:
    for file in files:
        name = file.relative_to(folder).as_posix()
        packed = name.lower().endswith(".gz")
        name = name[:-3] if packed else name
        try:
            data = gzip.decompress(file.read_bytes()) if packed else file.read_bytes()
        except (OSError, EOFError, zlib.error) as error:
            warnings.warn(f"{file} cannot be read ({error}); going on without it", stacklevel=2)
            continue
        yield SavedPage(root.rstrip("/") + "/" + quote(os.fsencode(name)), data)


def _pages_of_archive(path: Path) -> Iterator[SavedPage]:
    with path.open("rb") as file:
        size = path.stat().st_size
        stream = open_stream(file, size, path.name)
        if size and stream.name == "plain" and not file.peek(5).startswith(b"WARC/"):
            raise SiteError(f"{path} is no WARC file; to extract from a page, use: thresher extract {path.name}")
        reader = WarcReader(stream)
        for record in reader.records(_may_be_page):
            page = _page(record)
            if page is not None:
                yield page
    for damage in reader.damage:
        if damage.stop < size:  # and not just the end of a file that was cut off
            warnings.warn(
                f"{path} is damaged after byte {damage.start:,} ({damage.reason}); going on behind it", stacklevel=2
            )


def _may_be_page(headers: Headers, start: bytes = b"") -> bool:
    return headers.get("warc-type", "").lower() in _PAGE_RECORDS and _url(headers).startswith(("http://", "https://"))


def _url(headers: Headers) -> str:
    return headers.get("warc-target-uri", "").strip("<> ")


def _page(record: WarcRecord) -> SavedPage | None:
    """The page in a record that is whole: an answer as it went over the line, or the page alone."""
    whole = record.problem is None or record.problem.code == "length"
    if not whole or not _may_be_page(record.headers):
        return None
    response = parse_response(record.content)
    if response.body_at and not 200 <= (response.status or 0) < 300:
        return None
    content_type = (response.headers if response.body_at else record.headers).get("content-type")
    if media_type(content_type) not in {"", *HTML_TYPES}:
        return None
    body = record.content[response.body_at :]
    # An unknown coding may be there in name only, as many archives hold decoded bodies under the headers of the
    # encoded ones; and a PDF is no page, even if its header says so.
    with suppress(CodingError):
        body, _ = decode_body(body, response.codings)
    return None if not_html(body) else SavedPage(_url(record.headers), body, charset_of(content_type))

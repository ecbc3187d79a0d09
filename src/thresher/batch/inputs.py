"""What the user named -> files of a known kind: paths, folders, globs, fsspec URLs, addresses."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from thresher.batch.files import expand, is_folder, is_remote, local, open_binary, size_of, walk
from thresher.batch.job import Kind
from thresher.errors import ThresherError

__all__ = ["BatchInputError", "InputFile", "find_inputs", "host_of", "is_address"]

_ENDINGS: tuple[tuple[str, Kind], ...] = (
    (r"\.warc(?:\.gz|\.zst)?", "warc"),
    (r"\.(?:x?html?|xht)(?:\.gz)?", "html"),
    (r"\.(?:jsonl|ndjson|jsonlines)(?:\.gz|\.zst)?|\.json\.(?:gz|zst)", "jsonl"),
    (r"\.(?:parquet|pq)", "parquet"),
    (r"\.(?:txt|urls|lst|list)(?:\.gz)?", "urls"),
)
_KINDS = tuple((re.compile(rf".*(?:{ending})", re.IGNORECASE | re.DOTALL), kind) for ending, kind in _ENDINGS)
_DOCUMENT = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


class BatchInputError(ThresherError):
    """An input that does not exist, or is of no kind we read."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """One file, or one address to fetch."""

    path: str
    kind: Kind
    size: int


def find_inputs(named: tuple[str, ...], kind: Kind | None = None) -> list[InputFile]:
    """The files behind the names, each once, in the order of the names, and sorted within a folder or pattern."""
    files: dict[str, InputFile] = {}
    for name in named:
        here = [InputFile(path, kind_of_file, size) for path, kind_of_file, size in _files(name, kind)]
        if not here:
            raise BatchInputError(f"nothing to read in {name!r}")
        for each in here:
            files.setdefault(_file_identity(each), each)
    return list(files.values())


def _file_identity(file: InputFile) -> str:
    """One spelling for a file: `a.warc`, `./a.warc` and a link to it are the same pages."""
    return file.path if is_address(file.path) or is_remote(file.path) else os.path.realpath(file.path)


def is_address(name: str) -> bool:
    """Whether it starts with http:// or https://."""
    return _ADDRESS.match(name) is not None


def host_of(url: str | None) -> str | None:
    """The host a page belongs to."""
    try:
        return urlsplit(url or "").hostname or None
    except ValueError:
        return None


def _files(name: str, kind: Kind | None) -> Iterator[tuple[str, Kind, int]]:
    if is_address(name):
        yield _at_address(name, kind)
        return
    for path in expand(local(name)):
        try:
            if is_folder(path):
                yield from _files_in_folder(path, kind)
            else:
                size = size_of(path)  # first of all, is it there?
                yield path, kind or _kind_by_name(path) or _sniff_kind(path), size
        except OSError as error:
            raise _cannot_read(path, error) from None


def _at_address(address: str, kind: Kind | None) -> tuple[str, Kind, int]:
    """An archive or a table that is opened where it is; anything else is a page to fetch."""
    kind = kind or _kind_by_name(urlsplit(address).path)
    if kind not in ("warc", "jsonl", "parquet"):
        return address, "urls", 0
    try:
        return address, kind, size_of(address)
    except OSError as error:
        raise _cannot_read(address, error) from None


def _cannot_read(path: str, error: OSError) -> BatchInputError:
    return BatchInputError(f"cannot read {path!r}: {(error.strerror or str(error)).lower()}")


def _files_in_folder(folder: str, kind: Kind | None) -> Iterator[tuple[str, Kind, int]]:
    """In a folder only what is named as we know it, and pages that mirrors save under names such as `index.php?id=17`;
    text files are no URL lists unless that was said."""
    for path in walk(folder):
        named_kind = _kind_by_name(path) or (None if kind else _page_by_content(path))
        if kind and (named_kind == kind or named_kind is None):
            yield path, kind, size_of(path)
        elif not kind and named_kind and named_kind != "urls":
            yield path, named_kind, size_of(path)


def _kind_by_name(path: str) -> Kind | None:
    return next((kind for pattern, kind in _KINDS if pattern.fullmatch(path)), None)


def _page_by_content(path: str) -> Kind | None:
    """HTML that its name does not tell.  Far away one does not look: it would be a request for each file."""
    if is_remote(path) or not os.path.isfile(path):  # a pipe would keep us waiting
        return None
    with suppress(OSError), open_binary(path) as file:
        return "html" if _DOCUMENT.match(file.read(1024)) else None
    return None


def _sniff_kind(path: str) -> Kind:
    """The kind of a file whose name says nothing."""
    with open_binary(path) as file:
        head = file.read(4096)
    if head.startswith(b"\x1f\x8b\x08"):
        with suppress(zlib.error):  # a broken one is taken for an archive, and reported
            head = zlib.decompressobj(wbits=31).decompress(head, 4096)
    if head.startswith((b"WARC/", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd")) or head[1:4] == b"\x2a\x4d\x18":
        return "warc"
    if head.startswith(b"filedesc:"):
        raise BatchInputError(f"{path!r} is an ARC file; convert it to WARC first, with: warcio recompress")
    if head.startswith(b"PAR1"):
        return "parquet"
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{"):
        return "jsonl"
    if start.startswith(b"<"):
        return "html"
    if _ADDRESS.match(start[:8].decode("ascii", "replace")):
        return "urls"
    raise BatchInputError(
        f"{path!r} is no WARC file, no HTML, JSON lines or Parquet, and no list of addresses; if it is one of these, "
        "say which with --input-format"
    )

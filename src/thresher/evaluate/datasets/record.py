"""One labelled page, a page that could not be read, and the interface of a data set.

A data set knows its ids at once and reads a page when asked for it: 1,497 pages of 230 KB do not fit every
machine, and worker processes are sent an id, not a page.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from thresher.errors import DatasetError

UNREADABLE = (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError)
"""What a damaged file can raise on its way to a record (JSON and Unicode errors are ValueErrors)."""


PAGE_SUFFIXES = (".html.gz", ".htm.gz", ".xhtml.gz", ".html", ".htm", ".xhtml")
SAVED_SUFFIX = ".json.gz"  # of pages that `thresher render` saved

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class DatasetRecord:
    """One page with what is known of its main content."""

    id: str
    html: bytes | None  # None where only a rendering was kept
    url: str | None = None
    encoding: str | None = None  # the charset that the data set vouches for
    gold: str | None = None  # None: an unlabelled page, company for the labelled ones
    page_type: str = "page"
    site: str = ""  # whose page it is, where the data set says so better than the address
    language: str = ""  # a code such as "en", where the data set knows it
    gold_selectors: tuple[str, ...] = ()
    exclude_selectors: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    siblings: Mapping[str, Path] = field(default_factory=dict)  # other pages of the site: url -> file
    rendering_file: Path | None = None
    files: Path | None = None  # the folder that the page's site is served from, with style sheets and pictures
    page_file: Path | None = None  # the page as `thresher render` saves it
    sibling_files: tuple[Path, ...] = ()  # other pages of the site, saved likewise

    def __post_init__(self) -> None:
        """Labels come from files that people write."""
        for name in ("url", "gold", "page_type", "site", "language"):
            if not isinstance(getattr(self, name), str | None):
                raise DatasetError(f"the {name} of its label is no text: {getattr(self, name)!r:.80}")

    @property
    def rendering(self) -> dict[str, Any] | None:
        """What a browser made of the page (text blocks with boxes and styles), read when asked for."""
        if self.rendering_file is None:
            return None
        loaded: dict[str, Any] = json.loads(read_bytes(self.rendering_file))
        return loaded

    def digest(self) -> str:
        """A fingerprint of everything a score can depend on.

        Siblings count by name and size: reading twenty files to notice a change in one would cost more than
        the extraction.
        """
        parts = [
            repr((self.id, self.url, self.encoding, self.gold, self.gold_selectors, self.exclude_selectors)),
            repr((self.wanted, self.unwanted)),
            repr([(url, file.stat().st_size) for url, file in sorted(self.siblings.items())]),
        ]
        digest = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass"))
        digest.update(self.html or b"")
        for file in (self.rendering_file, self.page_file, *self.sibling_files):
            if file is not None:
                digest.update(file.read_bytes())
        return digest.hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A record that could not be read, and why.  It is reported and counted; the run goes on."""

    id: str
    reason: str


def or_broken(id: str, work: Callable[[], Result]) -> Result | BrokenRecord:
    """What is made of a record, or why that cannot be."""
    try:
        return work()
    except DatasetError as reason:
        return BrokenRecord(id, str(reason))
    except UNREADABLE as reason:
        return BrokenRecord(id, f"{type(reason).__name__}: {reason}")


class Dataset(ABC):
    """A folder of labelled pages.  Pickled as its path: a worker process opens it again."""

    kind: ClassVar[str]
    layout: ClassVar[str]  # one line that tells a user what such a folder looks like

    def __init__(self, root: Path) -> None:
        self.root = root

    def __reduce__(self) -> tuple[Callable[..., Dataset], tuple[Any, ...]]:
        return type(self), (self.root,)

    @classmethod
    @abstractmethod
    def recognises(cls, root: Path) -> bool:
        """Does this folder look like a data set of this kind?  Looks at names only."""

    @abstractmethod
    def ids(self) -> Sequence[str]:
        """Every record's id, in a fixed order, the broken ones among them."""

    @abstractmethod
    def read(self, id: str) -> DatasetRecord:
        """The record, or any of UNREADABLE or a DatasetError."""

    def load(self, id: str) -> DatasetRecord | BrokenRecord:
        """The record, or the reason why there is none."""
        return or_broken(id, lambda: self.read(id))

    def __len__(self) -> int:
        return len(self.ids())

    def __iter__(self) -> Iterator[DatasetRecord | BrokenRecord]:
        return map(self.load, self.ids())


def text_list(value: object) -> tuple[str, ...]:
    """A list of texts in a label, none where there is none."""
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise DatasetError(f"its label should have a list of texts, not {value!r:.80}")
    return tuple(value)


def rendering_beside(page: Path) -> Path | None:
    """The rendering of a page that lies beside its HTML, as `thresher render` saves it: NAME.json.gz for NAME.html, or
    page.json.gz for the only page of its folder; None where there is none."""
    own = page.with_name(without_page_suffix(page.name) + SAVED_SUFFIX)
    if own.is_file():
        return own
    common = page.with_name(f"page{SAVED_SUFFIX}")
    if not common.is_file():
        return None
    pages = [file for file in page.parent.iterdir() if without_page_suffix(file.name) != file.name]
    return common if pages == [page] else None


def without_page_suffix(name: str) -> str:
    """The name of a file without the ending that makes it a page; the whole name where it has none."""
    suffix = next((suffix for suffix in PAGE_SUFFIXES if name.lower().endswith(suffix)), "")
    return name[: -len(suffix)] if suffix else name


def read_bytes(path: Path) -> bytes:
    """The file's contents, decompressed when its name ends in .gz."""
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def read_text(path: Path) -> str:
    """The file as text without a byte order mark: UTF-8, or UTF-16 where such a mark says so."""
    data = read_bytes(path)
    try:
        return data.decode("utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError as reason:
        raise DatasetError(f"{path.name} is not in UTF-8 (byte {reason.start:,})") from None

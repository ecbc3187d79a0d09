"""From a method's name to a function of a record: our methods, peers, and the floors timed beside them.

`accb` is one of ours, `peer:trafilatura` another extractor, and `auto+siblings` one of ours that is given the other
pages of the site wherever the record has some, to see what they add.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

import thresher
from thresher import methods
from thresher.decode import decode
from thresher.errors import NeedsEvidence, NeedsSiblings, UnknownMethod
from thresher.evaluate import peers
from thresher.evaluate.datasets import Broken, Dataset, Record
from thresher.evaluate.datasets.record import read_bytes
from thresher.evaluate.results import FLOOR
from thresher.page import Page

if TYPE_CHECKING:
    from thresher import Extraction

PEER = peers.PREFIX
FLOORS = (FLOOR + "lexbor parse", FLOOR + "thresher.parse")
SIBLINGS = "+siblings"


@dataclass(frozen=True, slots=True)
class Extract:
    """What a method took from a page; the extraction where it is one of ours."""

    text: str
    extraction: Extraction | None = None


Prepared = Callable[[], Extract]
"""The timed part: nothing to read or decode any more."""


def check(wanted: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The methods that can run here, and for each missing peer what to install.  Raises UnknownMethod."""
    known = {*methods.names(), *peers.names()}
    for method in wanted:
        if method.removesuffix(SIBLINGS) not in known:
            raise UnknownMethod(f"no method {method!r}; choose among: {', '.join(sorted(known))}")
    missing = {
        method: f"{method} is not installed and left out: pip install 'thresher[bench]'"
        for method in wanted
        if method.startswith(PEER) and not peers.version(method)
    }
    return [method for method in wanted if method not in missing], missing


def prepare(method: str) -> Callable[[Record], Prepared]:
    """Load what the method needs once; then, for a record, give the function to time."""
    if method.startswith(PEER):
        return _peer(method)
    if method.startswith(FLOOR):
        return _floor(method)
    return _ours(method.removesuffix(SIBLINGS), with_siblings=method.endswith(SIBLINGS))


def reader(dataset: Dataset) -> Callable[[str, str], tuple[str, str, str] | None]:
    """(record id, method) -> url, gold and extract, made again: cheaper than keeping every extract on disk.

    None where that fails, which can only be when pages or code have changed since the run.
    """
    loaded: dict[str, Callable[[Record], Prepared]] = {}

    def read(id: str, method: str) -> tuple[str, str, str] | None:
        record = dataset.load(id)
        if isinstance(record, Broken):
            return None
        try:
            if method not in loaded:
                loaded[method] = prepare(method)
            return record.url or "", record.gold or "", loaded[method](record)().text
        except Exception:
            return None

    return read


def _ours(method: str, with_siblings: bool) -> Callable[[Record], Prepared]:
    """The other pages are given when asked for in the name, or when the method refuses to work without."""

    def prepared(record: Record) -> Prepared:
        html = _html(record)

        def run(siblings: Sequence[Page]) -> Extract:
            found = thresher.extract(html, method=method, url=record.url, encoding=record.encoding, siblings=siblings)
            return Extract(found.text, found)

        def alone() -> Extract:
            try:
                return run(())
            except NeedsSiblings:
                if not record.siblings:
                    raise
                return run(_siblings(record))

        return (lambda: run(_siblings(record))) if with_siblings and record.siblings else alone

    return prepared


def _peer(method: str) -> Callable[[Record], Prepared]:
    extract = peers.load(method)

    def prepared(record: Record) -> Prepared:
        html = decode(_html(record), record.encoding).text
        return lambda: Extract(extract(html, record.url))

    return prepared


def _floor(method: str) -> Callable[[Record], Prepared]:
    """Parsing alone: what lexbor takes, and what our columns take."""
    parse: Callable[[bytes], object] = LexborHTMLParser if method == FLOORS[0] else thresher.parse

    def prepared(record: Record) -> Prepared:
        html = _html(record)

        def run() -> Extract:
            parse(html)
            return Extract("")

        return run

    return prepared


def _html(record: Record) -> bytes:
    if record.html is None:
        raise NeedsEvidence("the record has no HTML, only a rendering")
    return record.html


def _siblings(record: Record) -> list[Page]:
    return [thresher.parse(read_bytes(file), url=url) for url, file in record.siblings.items()]

"""From a method's name to a function of a record: our methods, peers, and the floors timed beside them."""

from __future__ import annotations

from collections.abc import Callable

from selectolax.lexbor import LexborHTMLParser

import thresher
from thresher.decode import decode
from thresher.errors import NeedsEvidence, NeedsSiblings, UnknownMethod
from thresher.evaluate import elements, peers
from thresher.evaluate.datasets import Record
from thresher.evaluate.datasets.record import read_bytes
from thresher.evaluate.results import FLOOR

Prepared = Callable[[], str]
"""The timed part: nothing to read or decode any more."""

PEER = peers.PREFIX
FLOORS = (FLOOR + "lexbor parse", FLOOR + "thresher.parse")


def check(methods: list[str]) -> tuple[list[str], dict[str, str]]:
    """The methods that can run here, and for each missing peer what to install.  Raises UnknownMethod."""
    known = {*thresher.methods.names(), *peers.names()}
    for method in methods:
        if method not in known:
            raise UnknownMethod(f"no method {method!r}; choose among: {', '.join(sorted(known))}")
    missing = {
        method: f"{method} is not installed and left out: pip install 'thresher[bench]'"
        for method in methods
        if method.startswith(peers.PREFIX) and not peers.version(method)
    }
    return [method for method in methods if method not in missing], missing


def prepare(method: str) -> Callable[[Record], Prepared]:
    """Load what the method needs once; then, for a record, give the function to time."""
    if method.startswith(peers.PREFIX):
        peer = peers.load(method)

        def other(record: Record) -> Prepared:
            html = decode(_html(record), record.encoding).text
            return lambda: peer(html, record.url)

        return other
    if method.startswith(FLOOR):
        return _floor(method)

    def ours(record: Record) -> Prepared:
        html = _html(record)
        return lambda: _extract(html, method, record)

    return ours


def kept(method: str, record: Record) -> elements.Mask | None:
    """The elements that one of our methods takes from the page; peers do not tell."""
    if method.startswith((peers.PREFIX, FLOOR)):
        return None
    page = thresher.parse(_html(record), url=record.url, encoding=record.encoding)
    chooses = getattr(thresher.methods.module(method), "elements", None)
    if chooses is not None:
        mask: elements.Mask = chooses(page)
        return mask
    return elements.kept_elements(page, thresher.methods.get(method)(page))


def gold(record: Record) -> elements.Mask | None:
    """The gold elements of the page, where the record has selectors."""
    if not record.gold_selectors or record.html is None:
        return None
    page = thresher.parse(record.html, url=record.url, encoding=record.encoding)
    return elements.gold_elements(page, record.gold_selectors, record.exclude_selectors)


def _html(record: Record) -> bytes:
    if record.html is None:
        raise NeedsEvidence("the record has no HTML, only a rendering")
    return record.html


def _extract(html: bytes, method: str, record: Record) -> str:
    """The method's text, with the other pages of the site where it asks for them and the record has some."""
    source = {"url": record.url, "encoding": record.encoding}
    try:
        return str(thresher.extract(html, method=method, **source).text)
    except NeedsSiblings:
        if not record.siblings:
            raise
    pages = [thresher.parse(read_bytes(file), url=url) for url, file in record.siblings.items()]
    return str(thresher.extract(html, method=method, siblings=pages, **source).text)


def _floor(method: str) -> Callable[[Record], Prepared]:
    """Parsing alone: what lexbor takes, and what our columns take."""

    parse: Callable[[bytes], object] = LexborHTMLParser if method == FLOORS[0] else thresher.parse

    def floor(record: Record) -> Prepared:
        html = _html(record)

        def run() -> str:
            parse(html)
            return ""

        return run

    return floor

"""From a method's name to a function of a record: our methods, peers, and the floors timed beside them.

`accb` is one of ours, `peer:trafilatura` another extractor.  `auto+siblings` is one of ours that is given the other
pages of the site wherever the record has some, `auto+rendered` one that is given the page as a browser shows it, to
see what they add.  A method that refuses to work without gets them unasked.  `seeker:lbs` and
`lqf:quota=0.75` are methods with options (see `methods`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

import thresher
from thresher import methods
from thresher.errors import NeedsEvidence, NeedsLayout, NeedsModel, UnknownMethod, installable
from thresher.evaluate import peers
from thresher.evaluate.datasets import BrokenRecord, Dataset, DatasetRecord
from thresher.evaluate.datasets.record import read_bytes
from thresher.evaluate.rendered import with_rendering
from thresher.evaluate.results import FLOOR
from thresher.page import Page
from thresher.parse.encoding.decode import decode

if TYPE_CHECKING:
    from thresher import Extraction

PEER = peers.PREFIX
FLOORS = (FLOOR + "lexbor parse", FLOOR + "thresher.parse")
SIBLINGS, RENDERED = "+siblings", "+rendered"


@dataclass(frozen=True, slots=True)
class ExtractorOutput:
    """What a method took from a page; the extraction where it is one of ours."""

    text: str
    extraction: Extraction | None = None


Prepared = Callable[[], ExtractorOutput]
"""The timed part: nothing to read or decode any more."""


def check(names: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The methods that can run here, and for each missing peer what to install.  Raises UnknownMethod and
    WrongOption."""
    available = {*methods.names(), *peers.names()}
    for method in names:
        name = method.removesuffix(RENDERED).removesuffix(SIBLINGS)
        if name.partition(":")[0] in methods.names():
            _check_model(name)
        elif name not in available:
            raise UnknownMethod(f"no method {method!r}; choose among: {', '.join(sorted(available))}")
    missing = {
        method: installable(f"{method} is not installed and left out: pip install 'thresher[bench]'")
        for method in names
        if method.startswith(PEER) and not peers.version(method)
    }
    return [method for method in names if method not in missing], missing


def _check_model(name: str) -> None:
    """Read a model of one's own: else every page would say that it is none."""
    try:
        methods.check_model(name)
    except NeedsModel as error:
        raise UnknownMethod(str(error)) from None


def prepare(method: str) -> Callable[[DatasetRecord], Prepared]:
    """Load what the method needs once; then, for a record, give the function to time."""
    if method.startswith(PEER):
        return _peer(method)
    if method.startswith(FLOOR):
        return _floor(method)
    name = method.removesuffix(RENDERED)
    return _ours(name.removesuffix(SIBLINGS), name.endswith(SIBLINGS), rendered=reads_rendering(method))


@cache
def reads_rendering(method: str) -> bool:
    """Whether a method is given the rendered page: asked for in the name, or because it cannot do without."""
    if method.startswith((PEER, FLOOR)):
        return False
    name = method.removesuffix(RENDERED)
    if name != method:
        return True
    return "layout" in _needs(name.removesuffix(SIBLINGS))


@cache
def learns_from_siblings(method: str) -> bool:
    """Whether a method is given the rendered siblings: it learns the site from them, having no model of it."""
    if method.startswith((PEER, FLOOR)):
        return False
    return _needs(method.removesuffix(RENDERED).removesuffix(SIBLINGS)) >= {"layout", "model"}


def _needs(name: str) -> frozenset[methods.Need]:
    """What a method cannot do without; nothing for a name that is none of ours, which says so when it is asked."""
    return methods.needs(name) if name.partition(":")[0] in methods.names() else frozenset()


def reader(dataset: Dataset, renderings: Path | None = None) -> Callable[[str, str], tuple[str, str, str] | None]:
    """(record id, method) -> url, gold and extract, made again: cheaper than keeping every extract on disk.

    None where that fails, which can only be when pages or code have changed since the run.
    """
    loaded: dict[str, Callable[[DatasetRecord], Prepared]] = {}

    def read(id: str, method: str) -> tuple[str, str, str] | None:
        record = dataset.load(id)
        if isinstance(record, BrokenRecord):
            return None
        record = with_rendering(record, renderings, learns_from_siblings(method))
        try:
            if method not in loaded:
                loaded[method] = prepare(method)
            return record.url or "", record.gold or "", loaded[method](record)().text
        except Exception:
            return None

    return read


def _ours(name: str, with_siblings: bool, rendered: bool = False) -> Callable[[DatasetRecord], Prepared]:
    """The other pages are given when asked for in the name, or when the method cannot do without."""

    def prepared(record: DatasetRecord) -> Prepared:
        html = _rendered(record) if rendered else _html(record)

        def run(siblings: Sequence[Page]) -> ExtractorOutput:
            extraction = thresher.extract(
                html, method=name, url=record.url, encoding=record.encoding, siblings=siblings
            )
            return ExtractorOutput(extraction.text, extraction)

        if learns_from_siblings(name):
            return lambda: run(_rendered_siblings(record))
        compares = record.siblings and (with_siblings or "siblings" in _needs(name))
        return lambda: run(_siblings(record) if compares else ())

    return prepared


def _peer(method: str) -> Callable[[DatasetRecord], Prepared]:
    extract = peers.load(method)

    def prepared(record: DatasetRecord) -> Prepared:
        html = decode(_html(record), record.encoding).text
        return lambda: ExtractorOutput(extract(html, record.url))

    return prepared


def _floor(method: str) -> Callable[[DatasetRecord], Prepared]:
    """Parsing alone: what lexbor takes, and what our columns take."""
    parse: Callable[[bytes], object] = LexborHTMLParser if method == FLOORS[0] else thresher.parse

    def prepared(record: DatasetRecord) -> Prepared:
        html = _html(record)

        def run() -> ExtractorOutput:
            parse(html)
            return ExtractorOutput("")

        return run

    return prepared


def _html(record: DatasetRecord) -> bytes:
    if record.html is None:
        raise NeedsEvidence("the record has no HTML, only a rendering")
    return record.html


def _rendered(record: DatasetRecord) -> Page:
    """The page as a browser showed it, read again for each run: a page remembers what was computed of it."""
    from thresher.render.saved import load

    if record.page_file is None:
        raise NeedsLayout("there is no rendering of this record")
    return load(record.page_file)


def _siblings(record: DatasetRecord) -> list[Page]:
    return [thresher.parse(read_bytes(file), url=url) for url, file in record.siblings.items()]


def _rendered_siblings(record: DatasetRecord) -> list[Page]:
    from thresher.render.saved import load

    return [load(file) for file in record.sibling_files]

"""Other extractors under our measures: `thresher evaluate … --methods auto,peer:trafilatura`.

Each peer runs as its authors recommend for plain text, on the page decoded by us, so that a wrong charset is
nobody's fault.  `load` imports the library and prepares what it reuses from page to page (stop lists), so the
time measured afterwards is that of the extraction alone.

Measured so (bow F1 and CPU ms per page over the 1,497 pages of WCXB): trafilatura 2.3.1 0.823 (64 ms; with
comments 0.818, favouring precision 0.761, recall 0.803), resiliparse 1.1.0 0.785 (4 ms), boilerpy3 1.0.7 0.721
(23 ms; its article extractor 0.669), readability-lxml 0.9 0.703 (59 ms), newspaper4k 0.9.6 0.700 (215 ms),
justext 3.0.2 0.691 (36 ms; with the stop lists of all languages 0.714).
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module, metadata

from thresher.errors import MissingExtra, UnknownMethod

PREFIX = "peer:"

Extractor = Callable[[str, "str | None"], str]
"""html, url -> text."""

# lxml gives the text of <p>a</p><p>b</p> as "ab": each of these tags begins a new line.
BLOCK_TAG = re.compile(
    r"<(?=/?(?:p|div|br|hr|h[1-6]|[uod]l|li|d[dt]|table|t[rdh]|pre|blockquote|fig\w+|article|section|header|main)\b)"
)


def names() -> list[str]:
    """Every peer's name with its prefix, installed or not."""
    return sorted(PREFIX + name for name in _PEERS)


def load(name: str) -> Extractor:
    """The peer of this name, ready to run; UnknownMethod or MissingExtra when it cannot be."""
    prepare, distribution = _peer(name)
    try:
        return prepare()
    except ImportError as missing:
        raise MissingExtra(
            f"{name} needs {distribution}, which is not installed: pip install 'thresher[bench]'"
        ) from missing


def version(name: str) -> str:
    """Name and version of the library behind a peer, for the head of a report; empty when not installed."""
    _, distribution = _peer(name)
    try:
        return f"{distribution} {metadata.version(distribution)}"
    except metadata.PackageNotFoundError:
        return ""


def _peer(name: str) -> tuple[Callable[[], Extractor], str]:
    try:
        return _PEERS[name.removeprefix(PREFIX)]
    except KeyError:
        raise UnknownMethod(f"no peer {name!r}; choose one of: {', '.join(names())}") from None


def _trafilatura(**options: bool) -> Callable[[], Extractor]:
    """trafilatura.extract; comments off unless asked for, since they are no main content in our data sets."""

    def prepare() -> Extractor:
        extract = import_module("trafilatura").extract
        settings = {"include_comments": False, **options}
        return lambda html, url: extract(html, url=url, **settings) or ""

    return prepare


def _resiliparse() -> Extractor:
    extract = import_module("resiliparse.extract.html2text").extract_plain_text

    def run(html: str, url: str | None) -> str:
        return str(extract(html, main_content=True, alt_texts=False, preserve_formatting=True))

    return run


def _readability() -> Extractor:
    """readability-lxml answers with HTML; its text is taken with line ends around blocks."""
    document, parse = import_module("readability").Document, import_module("lxml.html").fromstring

    def run(html: str, url: str | None) -> str:
        summary = document(html, url=url).summary(html_partial=True)
        return str(parse(BLOCK_TAG.sub("\n<", summary)).text_content()) if summary.strip() else ""

    return run


def _justext(every_language: bool = False) -> Callable[[], Extractor]:
    """Paragraphs that are no boilerplate, by the English stop list or by those of all languages in one."""

    def prepare() -> Extractor:
        library = import_module("justext")
        languages = library.get_stoplists() if every_language else ["English"]
        stop_list: frozenset[str] = frozenset().union(*map(library.get_stoplist, languages))

        def run(html: str, url: str | None) -> str:
            paragraphs = library.justext(html, stop_list)
            return "\n".join(p.text for p in paragraphs if not p.is_boilerplate)

        return run

    return prepare


def _boilerpy3(extractor: str) -> Callable[[], Extractor]:
    def prepare() -> Extractor:
        library = import_module("boilerpy3.extractors")
        # It warns about each nested link, thousands of times on some pages.
        logging.getLogger("boilerpy3").setLevel(logging.ERROR)
        extract = getattr(library, extractor)(raise_on_failure=False).get_content
        return lambda html, url: extract(html) or ""

    return prepare


def _newspaper4k() -> Extractor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on import it misses nltk, which only its summaries use
        article = import_module("newspaper").Article

    def run(html: str, url: str | None) -> str:
        page = article(url or "http://localhost/", fetch_images=False)
        page.download(input_html=html)
        page.parse()
        return str(page.text)

    return run


_PEERS: Mapping[str, tuple[Callable[[], Extractor], str]] = {
    "trafilatura": (_trafilatura(), "trafilatura"),
    "trafilatura-comments": (_trafilatura(include_comments=True), "trafilatura"),
    "trafilatura-precision": (_trafilatura(favor_precision=True), "trafilatura"),
    "trafilatura-recall": (_trafilatura(favor_recall=True), "trafilatura"),
    "resiliparse": (_resiliparse, "resiliparse"),
    "readability": (_readability, "readability-lxml"),
    "justext": (_justext(), "justext"),
    "justext-all": (_justext(every_language=True), "justext"),
    "boilerpy3": (_boilerpy3("DefaultExtractor"), "boilerpy3"),
    "boilerpy3-article": (_boilerpy3("ArticleExtractor"), "boilerpy3"),
    "newspaper4k": (_newspaper4k, "newspaper4k"),
}

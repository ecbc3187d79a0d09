"""Thresher takes the main content out of web pages and leaves the chaff.

    page = thresher.parse(html, url="https://example.org/")        bytes or str -> Page
    result = thresher.extract(html)                                Extraction: text, markdown, html, metadata, blocks
    result = thresher.extract_url("https://example.org/")          fetched and extracted (aextract_url in event loops)
    results = thresher.extract_many(pages)                         many pages, several processes, in order
    table = thresher.arrow.extract(table)                          a table of pages, for batch engines
    response = thresher.fetch("https://example.org/")              Response: url, status, headers, body, encoding
    page = thresher.render("https://example.org/")                 Page with boxes and styles, from headless Chromium
    keep = thresher.methods.get("bte")(page)                       Page -> bool array over page.text

Names load on first use, so `import thresher` costs next to nothing.  `thresher.compiled` says whether the inner loops
run compiled (`thresher.kernels`).
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from thresher.kernels import use_sources

if TYPE_CHECKING:
    from thresher import arrow as arrow
    from thresher import methods as methods
    from thresher.fetch import fetch as fetch
    from thresher.page import Page as Page
    from thresher.parse import parse as parse
    from thresher.parse.limits import Limits as Limits
    from thresher.render import render as render
    from thresher.result.addresses import aextract_url as aextract_url
    from thresher.result.addresses import afetch as afetch
    from thresher.result.addresses import extract_url as extract_url
    from thresher.result.blocks import Block as Block
    from thresher.result.extraction import Extraction as Extraction
    from thresher.result.extraction import extract as extract
    from thresher.result.many import extract_many as extract_many
    from thresher.result.similarity import similar as similar

    compiled: bool

__version__ = "0.2.0"

__all__ = [
    "Block",
    "Extraction",
    "Limits",
    "Page",
    "__version__",
    "aextract_url",
    "afetch",
    "arrow",
    "compiled",
    "extract",
    "extract_many",
    "extract_url",
    "fetch",
    "methods",
    "parse",
    "render",
    "similar",
]

_HOME = {
    "Block": "result.blocks",
    "Extraction": "result.extraction",
    "Limits": "parse.limits",
    "Page": "page",
    "aextract_url": "result.addresses",
    "afetch": "result.addresses",
    "extract": "result.extraction",
    "extract_many": "result.many",
    "extract_url": "result.addresses",
    "parse": "parse",
    "similar": "result.similarity",
}


use_sources()

# The threads of OpenBLAS, behind numpy, wait for work by spinning: 2^26 cycles, a tenth of a second of CPU time for
# nothing when a process has just loaded it.  2^20 cycles are enough between two products; who set it knows better.
if "numpy" not in sys.modules:
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "20")


def __getattr__(name: str) -> Any:
    if name == "compiled":
        return import_module("thresher.kernels").compiled()
    if name in ("arrow", "fetch", "methods", "render"):
        return import_module(f"thresher.{name}")
    if name in _HOME:
        value = getattr(import_module(f"thresher.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'thresher' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """`thresher.parse` is the function, although a module of that name exists: importing a submodule would put the
    module in its place."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

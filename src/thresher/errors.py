"""What Thresher raises on purpose.

    ThresherError
    ├── NotHtml          the input is something else: a PDF, an image, JSON, a feed
    ├── UnknownMethod    no method of that name; the message lists those that exist
    ├── WrongOption      an option that the method lacks or a value it cannot take; the message says what it takes
    ├── NeedsEvidence    the method reads evidence this page lacks; the message names the command that adds it
    │   ├── NeedsLayout      element boxes
    │   ├── NeedsSiblings    other pages of the site
    │   └── NeedsModel       trained weights
    ├── MissingExtra     an optional dependency is not installed; the message names the extra
    ├── MissingProgram   a program that we start is not installed; the message has the command that installs it
    ├── RenderError      a page could not be rendered; `.reason` is one word that says why
    ├── FetchError       a page could not be fetched; `.reason` is one word that says why
    ├── RulesError       a file of site rules that cannot be read or written; the message says where
    ├── SiteError        a crawl that cannot start or go on, or a place that holds no pages
    └── DatasetError     a folder that is no data set we know

An empty page is no error: its verdict keeps nothing, and the result says why.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = [
    "DatasetError",
    "FetchError",
    "MissingExtra",
    "MissingProgram",
    "NeedsEvidence",
    "NeedsLayout",
    "NeedsModel",
    "NeedsSiblings",
    "NotHtml",
    "RenderError",
    "RulesError",
    "SiteError",
    "ThresherError",
    "UnknownMethod",
    "WrongOption",
    "installable",
]


class ThresherError(Exception):
    """Everything raised on purpose."""


class NotHtml(ThresherError):
    """The input is not an HTML page; the message says what it seems to be."""


class UnknownMethod(ThresherError, KeyError):
    """No method of that name; the message lists those that exist."""

    def __str__(self) -> str:
        # KeyError would print the repr of its message.
        return str(self.args[0]) if self.args else ""


class WrongOption(ThresherError, ValueError):
    """The method has no option of that name, or cannot take its value; the message says what it takes."""


class NeedsEvidence(ThresherError):
    """The method reads evidence this page lacks; the message names the command that adds it."""


class NeedsLayout(NeedsEvidence):
    """The method reads element boxes, and this page was not rendered."""


class NeedsSiblings(NeedsEvidence):
    """The method compares pages of one site, and there is only one."""


class NeedsModel(NeedsEvidence):
    """The method needs trained weights."""


class MissingExtra(ThresherError, ImportError):
    """An optional dependency is not installed; the message names the extra to install, as it is to be had here."""

    def __str__(self) -> str:
        return installable(super().__str__())


class FetchError(ThresherError):
    """A page could not be fetched.  `reason` is one word a program can act on (docs/fetching.md lists them), `url`
    the address at which it happened: of a redirect, the one that failed."""

    def __init__(self, message: str, reason: str, url: str | None = None) -> None:
        super().__init__(message, reason, url)  # all three, so that the error survives pickling
        self.reason = reason
        self.url = url

    def __str__(self) -> str:
        return str(self.args[0])


class MissingProgram(ThresherError):
    """A program that we start is not installed; the message has the command that installs it."""


class RenderError(ThresherError):
    """The browser could not show a page.  `reason` is one word a program can act on (docs/rendering.md lists them).
    What the network is to blame for is a FetchError."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message, reason)  # both, so that the error survives pickling
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[0])


class RulesError(ThresherError):
    """A file of site rules that cannot be read or written; the message says what is wrong, and where."""


class SiteError(ThresherError):
    """A crawl that cannot start or go on, or a folder or archive that holds no pages; the message says what to do."""


class DatasetError(ThresherError):
    """A folder that is no data set we know, or a record of one that cannot be read."""


def installable(message: str) -> str:
    """A message with extras as they are to be had here: `'thresher[fetch]'` when we came from an index, `'.[fetch]'`
    in a checkout and when we were installed from one."""
    return message.replace("'thresher[", "'.[") if _is_of_a_checkout() else message


@cache
def _is_of_a_checkout() -> bool:
    from importlib.metadata import PackageNotFoundError, distribution  # only who lacks an extra comes here

    folder = Path(__file__).resolve().parents[1]
    if folder.name == "src" and (folder.parent / "pyproject.toml").exists():
        return True
    try:
        # pip writes this file for what it did not take from an index (PEP 610).
        return distribution("thresher").read_text("direct_url.json") is not None
    except PackageNotFoundError:
        return False

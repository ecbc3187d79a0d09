"""What Thresher raises on purpose.

    ThresherError
    ├── NotHtml          the input is something else: a PDF, an image, JSON, a feed
    ├── UnknownMethod    no method of that name; the message lists those that exist
    ├── NeedsEvidence    the method reads evidence this page lacks; the message names the command that adds it
    │   ├── NeedsLayout      element boxes
    │   ├── NeedsSiblings    other pages of the site
    │   └── NeedsModel       trained weights
    ├── MissingExtra     an optional dependency is not installed; the message names the extra
    └── DatasetError     a folder that is no data set we know

An empty page is no error: its verdict keeps nothing, and the result says why.
"""

from __future__ import annotations

__all__ = [
    "DatasetError",
    "MissingExtra",
    "NeedsEvidence",
    "NeedsLayout",
    "NeedsModel",
    "NeedsSiblings",
    "NotHtml",
    "ThresherError",
    "UnknownMethod",
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


class NeedsEvidence(ThresherError):
    """The method reads evidence this page lacks; the message names the command that adds it."""


class NeedsLayout(NeedsEvidence):
    """The method reads element boxes, and this page was not rendered."""


class NeedsSiblings(NeedsEvidence):
    """The method compares pages of one site, and there is only one."""


class NeedsModel(NeedsEvidence):
    """The method needs trained weights."""


class MissingExtra(ThresherError, ImportError):
    """An optional dependency is not installed; the message names the extra to install."""


class DatasetError(ThresherError):
    """A folder that is no data set we know, or a record of one that cannot be read."""

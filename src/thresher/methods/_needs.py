"""What a method needs beyond the page, as its module declares in `NEEDS`, and the error that says where to get it."""

from __future__ import annotations

from typing import Literal

from thresher.errors import NeedsEvidence, NeedsLayout, NeedsModel, NeedsSiblings

__all__ = ["Need", "missing"]

Need = Literal["siblings", "layout", "model"]


def missing(method: str, need: Need) -> NeedsEvidence:
    """The error of a method that was called without what it needs; it names the command which provides it."""
    if need == "siblings":
        return NeedsSiblings(
            f"{method} compares pages of one site and was given one page; "
            f"run: thresher site extract PAGE --method {method}"
        )
    if need == "layout":
        return NeedsLayout(
            f"{method} reads the boxes of a rendered page and this one has none; run: "
            "thresher render PAGE -o page.json.gz, and give it that file; or thresher extract PAGE --render always"
        )
    return NeedsModel(
        f"{method} needs a model of the site, or rendered pages of it as siblings; "
        f"run: thresher site learn URL --method {method} -o model.npz"
    )

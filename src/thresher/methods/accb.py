"""ACCB: adapted content code blurring, blind to links.  Gottron, "Content code blurring", DEXA workshops 2008.

CCB over a vector in which the tags of `a` elements are left out: they are neither content nor code, and what stands
before and after them is adjacent.  For a link does not mean to change the format of its text (section III-C).

    v⁰ = the content code vector without <a …> and </a>          characters(page, anchors=False)

All else is CCB's (see `ccb` and `_blur`), departures included; `unit=word` is the paper as printed.

Weakness.  A menu is a list of links, and without the tags of its links it has half its code left.  Menus with little
markup besides, `<br>` or `|` between the links, become text.
"""

from __future__ import annotations

from dataclasses import dataclass

from thresher.methods import _source
from thresher.methods._blur import Blur, keep_words, settle
from thresher.methods._tokens import characters
from thresher.page import Page
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "READS_SOURCE", "Options", "judge"]


NEEDS: frozenset[str] = frozenset()
READS_SOURCE = {"unit": "word"}


@dataclass(frozen=True, slots=True)
class Options(Blur):
    """The paper's: a range of 40 characters, a threshold of 0.75."""


def judge(page: Page, options: Options = Options()) -> Verdict:
    """Keep the texts, or words, that stay content after blurring."""
    if options.unit == "word":
        return keep_words(page, _source.characters(page, anchors=False), options)
    return Verdict(page, settle(characters(page, anchors=False), options) & readable(page))

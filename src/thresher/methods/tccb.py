"""TCCB: content code blurring over tokens.  Gottron, "Content code blurring", DEXA workshops 2008.

CCB with one entry per word and one per tag, so that a long tag weighs no more than a short one and the vector is
shorter by an order of magnitude:

    v⁰ = 1 for each word, 0 for each tag          tokens
    vⁱ_k = Σ_{j = -r..r} g_j vⁱ⁻¹_{k+j}           settle          r = 25, until the extract settles
    content = { k : v_k > 0.75 }

The choices that the paper leaves open are in `_blur`, those about tokens in `_tokens`.  `unit=word` is the paper as
printed: words are kept, until the extracted text no longer changes, and scripts and styles are code (`_source`).

Departures, without it.  Scripts and styles are no tokens, nor is text that no reader sees.  Whole texts are kept, where
the paper keeps tokens, and the iteration ends when few change.

Weakness.  Content in the smallest of pieces (a product's table, cards, the short texts of a service page) has as many
tags as words and is lost; of the three variants this one loses the most.
"""

from __future__ import annotations

from dataclasses import dataclass

from thresher.methods import _source
from thresher.methods._blur import Blur, keep_words, settle
from thresher.methods._options import Count, option
from thresher.methods._tokens import tokens
from thresher.page import Page
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "READS_SOURCE", "Options", "judge"]


NEEDS: frozenset[str] = frozenset()
READS_SOURCE = {"unit": "word"}


@dataclass(frozen=True, slots=True)
class Options(Blur):
    """The paper's: a range of 25 tokens, a threshold of 0.75."""

    range: Count = option(25, "tokens on either side that a pass looks at")


def judge(page: Page, options: Options = Options()) -> Verdict:
    """Keep the texts, or words, that stay content after blurring."""
    if options.unit == "word":
        return keep_words(page, _source.tokens(page), options)
    return Verdict(page, settle(tokens(page), options) & readable(page))

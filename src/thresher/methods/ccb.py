"""CCB: content code blurring over characters.  Gottron, "Content code blurring", DEXA workshops 2008.

Main text is long and plainly formatted, the rest is short and full of tags.  So give every character of the page's
source a 1 if it is content and a 0 if it is code, blur this vector as one blurs an image, and keep what stays bright:

    v⁰ = 1 for each character of text, 0 for each of code          characters
    vⁱ_k = Σ_{j = -r..r} g_j vⁱ⁻¹_{k+j}                            settle          r = 40, until the extract settles
    content = { k : v_k > 0.75 }

The choices that the paper leaves open are in `_blur`, those about characters in `_tokens`.  `unit=word` is the paper as
printed: words are kept, until the extracted text no longer changes, and scripts and styles are code (`_source`).

Departures, without it.  The vector runs over the canonical markup: scripts and styles are not in it, comments are, and
a run of code counts as eight ranges at the most.  White space is counted as a browser shows it.  Text that no reader
sees is code.  Whole texts are kept, where the paper keeps whole words, and the iteration ends when few change.

Weaknesses, as the paper says.  Headlines and other short texts among tags are lost.  Long comments below a short
article are as homogeneous as any article and are kept (tests/pages/short-news-long-comments).  Links in the text tear
it up (tests/pages/links-in-text); ACCB mends that.  Today's code is longer than that of 2008 (half of the runs
between two texts are longer than 140 bytes), so lists and product pages fall apart more than the paper's pages did.
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
        return keep_words(page, _source.characters(page), options)
    return Verdict(page, settle(characters(page), options) & readable(page))

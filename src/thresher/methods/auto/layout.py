"""What a rendering says about each block: does it stand in the column of the main content?

    logit p_b  ←  logit p_b + 1.5 v c_b - 5 (1 - c_b)
    v          =  min(1, 10 u)

c_b is the share of block b's texts in the main content column (methods.layout), u the share of the page's words outside
of it.  Where little is outside, being inside says little: v.

On a journal article (journal) the column is what paper 003 is about: of the words in it, 0.96 are the article.  Inside
of it, the evidence is log(0.96 / 0.04) in place of 1.5 v; and from the title to the end of the references

    p_b        ←  p_b + 0.96 c_b (1 - p_b)

that is, a block is content if the column is right about it or else if the network is.  The network alone takes the
references, the authors and their affiliations for what they are at the end of other pages.

The column is believed only where the network sees at least half of the content in it, Σ p_b n_b c_b ≥ ½ Σ p_b n_b with
n_b the words of b: a column found by mistake, an author's note or a cookie notice, moves nothing.

The numbers are from the rendered key pages of 27 sites (docs/layout.md has the figures).  Font sizes, the distance from
the centre of the window and whether a block is seen without scrolling were tried as well, and added nothing to the
column.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from thresher.page.types import Bools, Floats

__all__ = ["moved"]


_INSIDE, _OUTSIDE = 1.5, 5.0
_RISE = 10.0  # how v grows with what is outside
_BELIEVED = 0.5
_PRECISION = 0.96  # of the column on journal articles: paper 003, Table 1


def moved(p: Floats, words: NDArray[np.floating], inside: Floats, article: Bools | None = None) -> Floats:
    """The probabilities of blocks, moved by where these stand; see above.  `article`: the blocks of a journal article
    from its title to the end of its references, None for other pages."""
    expected = p * words
    if float(expected @ inside) < _BELIEVED * float(expected.sum()):
        return p
    if article is None:
        outside = 1 - float(words @ inside) / max(float(words.sum()), 1e-9)
        gain = _INSIDE * min(1.0, _RISE * max(outside, 0.0))
    else:
        gain = log(_PRECISION / (1 - _PRECISION))
    logit = np.log(p / (1 - p)) + gain * inside - _OUTSIDE * (1 - inside)
    shifted: Floats = 1 / (1 + np.exp(-logit))
    if article is not None:
        shifted = shifted + _PRECISION * article * inside * (1 - shifted)
    return np.clip(shifted, 1e-9, 1 - 1e-9)

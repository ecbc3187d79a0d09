"""What a rendering says about each block: does it stand in the column of the main content?

    logit p_b  ←  logit p_b + 1.5 v c_b - 5 (1 - c_b)
    v          =  min(1, 1/4 + 10 u)

c_b is the share of block b's texts in the main content column (methods.layout), u the share of the page's words outside
of it.  Where nothing is outside, being inside says less: v.

The column is believed only where the network sees at least half of the content in it, Σ p_b n_b c_b ≥ ½ Σ p_b n_b with
n_b the words of b: a column found by mistake, an author's note or a cookie notice, moves nothing.

The numbers are from the rendered key pages of 27 sites (docs/layout.md has the figures).  Font sizes, the distance from
the centre of the window and whether a block is seen without scrolling were tried as well, and added nothing to the
column.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.page.types import Floats

__all__ = ["moved"]


_INSIDE, _OUTSIDE = 1.5, 5.0
_ALONE, _RISE = 0.25, 10.0  # v without anything outside, and how it grows with that
_BELIEVED = 0.5


def moved(p: Floats, words: NDArray[np.floating], inside: Floats) -> Floats:
    """The probabilities of blocks, moved by where these stand; see above."""
    expected = p * words
    if float(expected @ inside) < _BELIEVED * float(expected.sum()):
        return p
    outside = 1 - float(words @ inside) / max(float(words.sum()), 1e-9)
    telling = min(1.0, _ALONE + _RISE * outside)
    logit = np.log(p / (1 - p)) + _INSIDE * telling * inside - _OUTSIDE * (1 - inside)
    shifted: Floats = np.clip(1 / (1 + np.exp(-logit)), 1e-9, 1 - 1e-9)
    return shifted

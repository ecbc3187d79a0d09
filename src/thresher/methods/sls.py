"""SLS: string length smoothing.  Louvan, "Extracting the Main Content from HTML Documents" (paper 000), 2.3.2.

Walk through a segment and write down the length of every string; at every tag that makes structure (`div`, `tr`,
`td`, `table`, `ul`, `li`) write down an empty element, 0.  Short strings among long ones are content as well, so
smooth the array s with a radius r (Equation 1) and keep the strings that stand out:

    e_k = Σ s_i / (2r + 1) over i = k-r … k+r, with s_i = 0 beyond the ends     smoothed
    keep string k  ⟺  e_k ≥ σ, the standard deviation of e                      smoothed_strings

Choices.  The paper does not give its radius; r = 2 is that of the work it takes the equation from (Weninger, Hsu, TIR
2008), and 1 to 4 score the same within 0.01.  "Such as DIV, TR, …" leaves the list open: STRUCTURAL has the other
lists and table cells as well, and the sectioning elements that stand today where `div` stood then; paragraphs and
headings are not in it, as in the paper.  Lengths are characters a reader sees, and texts he does not see are left
out.  σ is that of the smoothed array with its empty elements, the red line of the paper's figure 3.

Used alone, the segment is the body.  `smoothed_strings` takes the row of a segment, for a classifier of segments to
call.

It fails on long strings that are no content, as in a footer with legal notes, and on content in short strings far
from long ones: tables, lists, one-line posts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.data.tags import group
from thresher.methods._options import Whole, option
from thresher.methods._segments import body, seen_chars, shown
from thresher.page import Page
from thresher.page.types import Bools, Floats, Rows
from thresher.page.verdict import Verdict
from thresher.visible.readable import readable

__all__ = ["NEEDS", "STRUCTURAL", "Options", "judge", "smoothed", "smoothed_strings", "string_lengths"]


STRUCTURAL = frozenset(
    """
    div tr td th table ul ol li dl dt dd article section main aside nav header footer form fieldset figure details
    """.split()
)
_STRUCTURAL = group(STRUCTURAL)


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    radius: Whole = option(2, "neighbours on either side that share in a string's length")


def string_lengths(page: Page, segment: int) -> tuple[Floats, Rows, Rows]:
    """The array s of a segment, the texts in it, and the place of each in s.

    A text's place is the number of texts and structural tags before it, so both are found by counting.
    """
    texts = np.arange(page.first[segment], page.last[segment])
    texts = texts[readable(page)[texts]]
    rows = np.arange(segment, page.end[segment])
    rows = rows[_STRUCTURAL[page.tag[rows]] & shown(page)[rows]]
    place = np.arange(len(texts)) + np.searchsorted(page.tag_start[rows], page.position[texts])
    s = np.zeros(len(texts) + len(rows))
    s[place] = seen_chars(page)[texts]
    return s, texts, place


def smoothed(s: Floats, radius: int) -> Floats:
    """e_k = Σ_{i = k-r … k+r} s_i / (2r + 1): a difference of running sums."""
    running = np.concatenate(([0.0], np.cumsum(s)))
    k = np.arange(len(s))
    total: Floats = running[np.minimum(k + radius + 1, len(s))] - running[np.maximum(k - radius, 0)]
    return total / (2 * radius + 1)


def smoothed_strings(page: Page, segment: int, options: Options = Options()) -> Bools:
    """The texts of a segment whose smoothed length reaches the standard deviation."""
    keep = np.zeros(len(page.start), bool)
    s, texts, place = string_lengths(page, segment)
    if s.any():
        e = smoothed(s, options.radius)
        keep[texts] = e[place] >= e.std()
    return keep


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The strings of the body that stand out after smoothing."""
    return Verdict(page, smoothed_strings(page, body(page), options) & readable(page))

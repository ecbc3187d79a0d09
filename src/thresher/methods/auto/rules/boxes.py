"""Boxes in or around the text that are none of it, however likely:

dialog          lies over the page, unless the page is in one
orphan_heading  the heading of a box that is dropped: "People also read" says nothing without its links
sign_up         a small box around a field for an e-mail address
"""

from __future__ import annotations

import numpy as np

from thresher.methods.auto.kernels import columns as col
from thresher.methods.auto.rules.rule import Evidence, among, candidates
from thresher.methods.auto.rules.sections import is_numbered
from thresher.methods.auto.signs import marked
from thresher.page.columns import chars
from thresher.page.tree import within
from thresher.page.types import Bools

__all__ = ["dialog", "orphan_heading", "sign_up"]

_MAX_EMAIL_FIELDS = 5
_MAX_SIGN_UP_CHARS = 300
_MIN_WORDS_BEFORE_SIGN_UP = 100


def dialog(evidence: Evidence, chosen: Bools) -> Bools | None:
    """The blocks in dialogs, unless half of what is expected of the page or more stands there: some show all in one."""
    page, opinion, p, *_ = evidence
    is_dialog = np.zeros(len(page), bool)
    is_dialog[marked(page).dialogs] = True
    inside: Bools = within(page, is_dialog)[opinion.blocks.at]
    expected = p * opinion.words
    return inside if 2 * expected[inside].sum() < expected.sum() else None


def orphan_heading(evidence: Evidence, chosen: Bools) -> Bools | None:
    """The chosen headings of boxes that have other text and none of it chosen, but for those of numbered figures.  A
    subtitle with the author's name under it stands before the text; how much of that comes before is expected, not
    chosen, so that the verdicts stay nested."""
    if chosen is not evidence.likely:  # other text may stand under a heading
        marks, _ = candidates(evidence.page, evidence.opinion, evidence.p, chosen)
        evidence = evidence._replace(marks=marks)
    orphans = [block for block in evidence.candidates(col.ORPHAN, chosen) if not is_numbered(evidence, block)]
    return among(orphans, len(chosen)) if orphans else None


def sign_up(evidence: Evidence, chosen: Bools) -> Bools | None:
    """All of the small boxes around fields for an address, behind some text: one at the top is what a page is about."""
    page, opinion, *_ = evidence
    boxes = np.zeros(len(chosen), bool)
    for row in marked(page).fields[:_MAX_EMAIL_FIELDS].tolist():
        box = row
        for above in page.ancestors(row):
            if chars(page)[page.first[above] : page.last[above]].sum() > _MAX_SIGN_UP_CHARS:
                break
            box = above
        begin, stop = opinion.blocks.first.searchsorted((page.first[box], page.last[box]))
        if opinion.words[:begin] @ chosen[:begin] >= _MIN_WORDS_BEFORE_SIGN_UP:
            boxes[begin:stop] = True
    return boxes & chosen

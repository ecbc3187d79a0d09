"""Boxes in or around the text that are none of it, however likely:

dialog          lies over the page, unless the page is in one
orphan_heading  the heading of a box that is dropped: "People also read" says nothing without its links
sign_up         a small box around a field for an e-mail address
"""

from __future__ import annotations

import numpy as np

from thresher.methods.auto.kernels.decision import orphans
from thresher.methods.auto.rules.rule import Evidence, flags
from thresher.methods.auto.rules.sections import SECTION, is_numbered
from thresher.page import attributes
from thresher.page.columns import chars
from thresher.page.parts import Parts, with_part
from thresher.page.spans import is_among
from thresher.page.tree import within
from thresher.page.types import Bools

__all__ = ["dialog", "orphan_heading", "sign_up"]

_DIALOG, _EMAIL = Parts(b"dialog"), Parts(b"email")
_DIALOG_ROLES = (b"dialog", b"alertdialog")
_MIN_BOX_WORDS = 4  # in a box besides its heading
_MIN_WORDS_BEFORE_ORPHAN = 20  # expected to be content
_MAX_EMAIL_FIELDS = 5
_MAX_SIGN_UP_CHARS = 300
_MIN_WORDS_BEFORE_SIGN_UP = 100


def dialog(evidence: Evidence, chosen: Bools) -> Bools | None:
    """The blocks in dialogs, unless half of what is expected of the page or more stands there: some show all in one."""
    page, opinion, p = evidence
    if not with_part(page, "role", _DIALOG):
        return None
    rows, code, roles = attributes.distinct_bytes(page, "role")
    dialogs = [number for number, role in enumerate(roles) if role.strip().lower() in _DIALOG_ROLES]
    if not dialogs:
        return None
    is_dialog = np.zeros(len(page), bool)
    is_dialog[rows[is_among(code, np.array(dialogs))]] = True
    inside: Bools = within(page, is_dialog)[opinion.blocks.at]
    expected = p * opinion.words
    return inside if 2 * expected[inside].sum() < expected.sum() else None


def orphan_heading(evidence: Evidence, chosen: Bools) -> Bools | None:
    """The chosen headings of boxes that have other text and none of it chosen, but for those of numbered figures.  A
    subtitle with the author's name under it stands before the text; how much of that comes before is expected, not
    chosen, so that the verdicts stay nested."""
    page, opinion, p = evidence
    orphan = np.empty(len(chosen), bool)
    count = orphans(
        opinion.words,
        flags(chosen),
        flags(opinion.heading),
        flags(opinion.title),
        p,
        opinion.blocks.begin[SECTION],
        opinion.blocks.stop[SECTION],
        _MIN_BOX_WORDS,
        _MIN_WORDS_BEFORE_ORPHAN,
        np.empty((3, len(chosen) + 1)),
        flags(orphan),
    )
    if not count:
        return None
    for block in orphan.nonzero()[0].tolist():
        orphan[block] = not is_numbered(page, opinion, block)
    return orphan


def sign_up(evidence: Evidence, chosen: Bools) -> Bools | None:
    """All of the small boxes around fields for an address, behind some text: one at the top is what a page is about."""
    page, opinion, _ = evidence
    if not with_part(page, "type", _EMAIL):
        return None
    rows, code, types = attributes.distinct_bytes(page, "type")
    if b"email" not in types:
        return None
    boxes = np.zeros(len(chosen), bool)
    for row in rows[code == types.index(b"email")][:_MAX_EMAIL_FIELDS].tolist():
        box = row
        for above in page.ancestors(row):
            if chars(page)[page.first[above] : page.last[above]].sum() > _MAX_SIGN_UP_CHARS:
                break
            box = above
        begin, stop = opinion.blocks.first.searchsorted((page.first[box], page.last[box]))
        if opinion.words[:begin] @ chosen[:begin] >= _MIN_WORDS_BEFORE_SIGN_UP:
            boxes[begin:stop] = True
    return boxes & chosen

"""Hidden panels that a click would show: tabs, accordions, "read more" boxes.

They hold real content as often as not.  By default they are apart, in `result.hidden`; with focus="recall" they come
back, and also where the page is made of them: a list of questions whose answers are all closed, a handbook of folded
chapters.  But an instruction hidden in the page must not come with them.  So a hidden element is a panel only if

    widgets hide like this    by `hidden`, `aria-hidden`, display, visibility, a box of no height; never by a place off
                              the screen, a colour, a font size, a clip, a class for screen readers, opacity alone
    it is a box of text       a block element (no paragraph, no span) with some forty characters at least
    something seen opens it   and it is no menu or popup (openers.py)

and its text is recovered only where the text seen around it was kept, and nothing else hides it.  A page is made of
panels if three or more of them come back, with a third as much text as was kept of what can be seen, or more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.data.tags import UNREAD, group
from thresher.page import Page, Problem, memoised
from thresher.page.columns import chars, chars_in
from thresher.page.tree import text_sum, texts_within, within
from thresher.page.types import Bools, Longs, Rows
from thresher.text.log import logger
from thresher.visible.hidden import hidden, hiding, own_text_hidden
from thresher.visible.openers import MIN_ALIKE_PANELS, MIN_PANEL_CHARS, Openers
from thresher.visible.readable import readable, sizes

__all__ = ["Closed", "closed", "labels", "panels", "recovered"]

_LOG = logger("thresher.visible")


_BY_WIDGETS = frozenset({"hidden attribute", "aria-hidden", "class d-none"})
_PROPERTIES = frozenset({"display", "visibility", "height", "max-height", "content-visibility"})
_BOXES = group(tuple("div section article ul ol dl dd li table tbody tr figure details main".split()))
_OUTSIDE = group(tuple("nav header footer aside form dialog menu".split()))
_UNREAD = group(UNREAD)
_MAX_ANCESTORS = 4  # elements from a panel to what stands around it, beside the label that opens it
_MAX_PANELS = 2_000  # panels of a page
_MAX_PANEL_NESTING = 3  # panels in each other
_MIN_PANEL_SHARE = 0.33  # text of the panels of which a page is made, for each character kept


class Closed(NamedTuple):
    """Texts of closed panels beside kept text, and whether they stay out of the result."""

    texts: Bools
    left_out: bool

    def problem(self, strict: bool) -> Problem:
        count = f"{np.count_nonzero(self.texts):,} texts of closed tabs or accordions"
        if strict:
            return Problem("closed", f"{count} are not part of the result; hidden='strict' leaves them out")
        if self.left_out:
            return Problem("closed", f"{count} are not part of the result; focus='recall' reads them")
        return Problem("recovered", f"{count}, which readers see only after a click, are part of the result")


def closed(page: Page, keep: Bools, kept_chars: int, always: bool) -> Closed | None:
    """What is closed beside kept text, and whether it comes back: always, or where the page is made of it.

    None if there is nothing, or too little for a page made of panels.
    """
    least = 0 if always else _MIN_PANEL_SHARE * kept_chars
    if not always and (least == 0 or least > sizes(page).unseen or not _may_be_made(page, least)):
        return None
    texts = recovered(page, keep)
    if not texts.any():
        return None
    rows = np.flatnonzero(panels(page))
    before = np.append(0, np.cumsum(texts))
    opened = np.count_nonzero(before[page.last[rows]] > before[page.first[rows]])
    left_out = not always and bool(opened < MIN_ALIKE_PANELS or chars_in(page, texts) < least)
    _LOG.info("%d texts of closed panels %s", np.count_nonzero(texts), "left out" if left_out else "recovered")
    return Closed(texts, left_out)


def _may_be_made(page: Page, least: float) -> bool:
    """Whether panels may hold so many characters, told without looking for what opens them."""
    rows, lengths = _boxes(page)
    return len(rows) >= MIN_ALIKE_PANELS and int(lengths.sum()) >= least


class _Panels(NamedTuple):
    panel: Bools  # hidden elements that are panels
    label: Bools  # what is seen right before a panel and opens it


def panels(page: Page) -> Bools:
    """Which hidden elements are panels."""
    return _panels(page).panel


def labels(page: Page) -> Bools:
    """Which texts stand in labels that open the panels behind them: questions above their answers."""
    texts: Bools = within(page, _panels(page).label)[page.owner] & readable(page)
    return texts


@memoised
def _panels(page: Page) -> _Panels:
    panel, label = np.zeros((2, len(page)), bool)
    rows = _boxes(page)[0]
    if not len(rows):
        return _Panels(panel, label)
    how = hiding(page, rows)
    left = [row for row in rows.tolist() if _as_widgets_do(how[row])]
    openers = Openers(page, left)
    for _ in range(_MAX_PANEL_NESTING):
        opened = [row for row in left if openers.opens(row)]
        if not opened:
            break
        panel[opened] = True
        label[[openers.before(row) for row in opened if openers.follows_label(row)]] = True
        left = [row for row in left if not panel[row]]
        if left:
            openers.look(panel)
    return _Panels(panel, label)


@memoised
def _boxes(page: Page) -> tuple[Rows, Longs]:
    """The hidden elements that may be panels by their size and place; and how many characters are in each, seen or not,
    but for scripts and the like."""
    rows = (hidden(page) & _BOXES[page.tag]).nonzero()[0]
    if not len(rows):
        return rows, rows
    before = np.zeros(len(page.start) + 1, np.int64)
    np.cumsum(chars(page) * ~texts_within(page, _UNREAD[page.tag]), out=before[1:])
    lengths = before[page.last[rows]] - before[page.first[rows]]
    fit = lengths >= MIN_PANEL_CHARS
    if fit.any():
        fit &= ~within(page, _OUTSIDE[page.tag])[rows]
    return rows[fit][:_MAX_PANELS], lengths[fit][:_MAX_PANELS]


def recovered(page: Page, keep: Bools) -> Bools:
    """Which texts come back: those of panels whose surroundings were kept, half of the text seen in them or more, and
    the labels of such panels, which methods take for buttons.  What was kept is not among them."""
    chosen, label = _panels(page)
    none = np.zeros(len(page.start), bool)
    if not chosen.any() or not keep.any():
        return none
    seen = chars(page) * (readable(page) & ~labels(page))
    total, kept = text_sum(page, seen), text_sum(page, seen * keep)
    wanted = np.zeros(len(page), bool)
    back = 0  # where the last panel that comes back ends
    for row in np.flatnonzero(chosen).tolist():
        if row < back:
            wanted[row] = True
            continue
        around = row
        for _ in range(_MAX_ANCESTORS):
            around = int(page.parent[around])
            if around < 0 or total[around] >= MIN_PANEL_CHARS:
                break
        wanted[row] = around >= 0 and 2 * kept[around] >= total[around] > 0
        back = int(page.end[row]) if wanted[row] else back
    # A panel in a panel comes back with it, if it is one itself; what else is hidden inside stays so.
    shut = within(page, (hidden(page) & ~wanted) | _UNREAD[page.tag]) | own_text_hidden(page)
    texts: Bools = within(page, wanted | _before(page, label, wanted))[page.owner] & ~shut[page.owner] & ~keep
    return texts


def _before(page: Page, label: Bools, wanted: Bools) -> Bools:
    """The labels right before wanted panels: a label ends where its panel begins."""
    rows = np.flatnonzero(label)
    chosen = np.zeros(len(page), bool)
    chosen[rows[np.append(wanted, False)[page.end[rows]]]] = True
    return chosen


def _as_widgets_do(how: frozenset[str]) -> bool:
    """Whether all that hides an element is what scripts of tabs and accordions use."""
    reasons = how - {"opacity"}  # on its way: what is closed by another property may be transparent besides
    return bool(reasons) and all(reason in _BY_WIDGETS or reason in _PROPERTIES for reason in reasons)

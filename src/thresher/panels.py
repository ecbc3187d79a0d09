"""Hidden panels that a click would show: tabs, accordions, "read more" boxes.

They hold real content as often as not.  By default they are apart, in `result.hidden`; with focus="recall" they come
back, and also where the page is made of them: a list of questions whose answers are all closed, a handbook of folded
chapters.  But an instruction hidden in the page must not come with them.  So a hidden element is a panel only if

    widgets hide like this    by `hidden`, `aria-hidden`, display, visibility, a box of no height; never by a place off
                              the screen, a colour, a font size, a clip, a class for screen readers, opacity alone
    it is a box of text       a block element (no paragraph, no span) with some forty characters at least
    something seen opens it   a control that names it (`aria-controls`, `data-bs-target`, the `href` of a tab); a header
                              before it that can be expanded, or is named as that of an accordion, or can be clicked
                              as those of others like it can; a sibling of the same class that is open, where names
                              speak of tabs
    it is no menu or popup    by tag, role and name

and its text is recovered only where the text seen around it was kept, and nothing else hides it.  A page is made of
panels if three or more of them come back, with half as much text as was kept of what can be seen, or more.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.columns import chars
from thresher.data.tags import UNREAD, group
from thresher.page import Page, Problem, memoised
from thresher.readable import readable
from thresher.tree import subtree_sum, text_sum, within
from thresher.visibility import hidden, hiding, veiled

__all__ = ["Closed", "closed", "labels", "panels", "recovered"]

Bools = NDArray[np.bool_]

_BY_WIDGETS = frozenset({"hidden attribute", "aria-hidden", "class d-none"})
_PROPERTIES = frozenset({"display", "visibility", "height", "max-height", "content-visibility"})
_BOXES = group(tuple("div section article ul ol dl dd li table tbody tr figure details main".split()))
_CONTROLS = group(tuple("a button summary label h1 h2 h3 h4 h5 h6 dt li div span".split()))
_BUTTONS = group(("button", "summary"))
_OUTSIDE = group(tuple("nav header footer aside form dialog menu".split()))
_UNREAD = group(UNREAD)
_LEAST, _LABEL = 40, 200  # characters of a panel, at least; of the text that opens it, at most
_UP = 4  # elements from a panel to what stands around it, beside the label that opens it
_MOST = 2_000  # panels of a page
_NESTED = 3  # panels in each other
_SEVERAL, _SHARE = 3, 0.5  # of how many panels a page is made, with how much text for each character kept

_WIDGET = re.compile(
    r"tab(?:s|bed|panel|content|list|-|_|\b)|pane\b|panel|accordion|collaps|faq|toggle|expand", re.IGNORECASE
)
_NO_CONTENT = re.compile(
    r"""modal|popup|pop-up|popover|dropdown|drop-down|menu|\bnav|cookie|consent|gdpr|tooltip|overlay|offcanvas|off-canvas
    |lightbox|toast|newsletter|subscri|login|log-in|sign-?(?:in|up)|search|share|social|sidebar|banner|alert|spinner|loader
    |error|template|prompt|sr-only|visually|screen-reader""",
    re.IGNORECASE | re.VERBOSE,
)
_STATES = frozenset(
    """active show shown in open opened current selected hidden hide closed collapsed collapse fade is-active is-open
    is-hidden is-selected is-current active-tab tab-active""".split()
)
_OPENING_ROLES = frozenset({"tab", "button"})
_OPENING_TOGGLES = frozenset({"tab", "pill", "collapse", "tabs", "accordion"})


class Closed(NamedTuple):
    """Texts of closed panels beside kept text, and whether they stay out of the result."""

    texts: Bools
    left_out: bool

    def problem(self) -> Problem:
        count = f"{np.count_nonzero(self.texts):,} texts of closed tabs or accordions"
        if self.left_out:
            return Problem("closed", f"{count} are not part of the result; focus='recall' reads them")
        return Problem("recovered", f"{count}, which readers see only after a click, are part of the result")


def closed(page: Page, keep: Bools, always: bool) -> Closed | None:
    """What is closed beside kept text, and whether it comes back: always, or where the page is made of it.

    None if there is nothing, or too little for a page made of panels.
    """
    size = chars(page)
    least = 0 if always else _SHARE * int(size @ keep)
    if not always and (least == 0 or least > int(size @ ~readable(page)) or not _may_be_made(page, least)):
        return None
    texts = recovered(page, keep)
    if not texts.any():
        return None
    rows = np.flatnonzero(panels(page))
    before = np.append(0, np.cumsum(texts))
    opened = np.count_nonzero(before[page.last[rows]] > before[page.first[rows]])
    return Closed(texts, left_out=not always and bool(opened < _SEVERAL or int(size @ texts) < least))


def _may_be_made(page: Page, least: float) -> bool:
    """Whether panels may hold so many characters, told without looking for what opens them."""
    rows = _boxes(page)
    return len(rows) >= _SEVERAL and int(_sizes(page)[rows].sum()) >= least


class _Found(NamedTuple):
    panel: Bools  # hidden elements that are panels
    label: Bools  # what is seen right before a panel and opens it


def panels(page: Page) -> Bools:
    """Which hidden elements are panels."""
    return _found(page).panel


def labels(page: Page) -> Bools:
    """Which texts stand in labels that open the panels behind them: questions above their answers."""
    texts: Bools = within(page, _found(page).label)[page.owner] & readable(page)
    return texts


@memoised
def _found(page: Page) -> _Found:
    found, label = np.zeros((2, len(page)), bool)
    rows = _boxes(page)
    if not len(rows):
        return _Found(found, label)
    how = hiding(page)
    left = [row for row in rows.tolist() if _as_widgets_do(how[row])]
    signs = _Signs(page, left)
    for _ in range(_NESTED):
        opened = [row for row in left if signs.opens(row)]
        if not opened:
            break
        found[opened] = True
        label[[signs.before[row] for row in opened if signs.follows_label(row)]] = True
        left = [row for row in left if not found[row]]
        if left:
            signs.look(found)
    return _Found(found, label)


def _boxes(page: Page) -> NDArray[np.intp]:
    """The hidden elements that may be panels by their size and place."""
    rows = np.flatnonzero(hidden(page) & _BOXES[page.tag])
    if not len(rows):
        return rows
    rows = rows[_sizes(page)[rows] >= _LEAST]
    return rows[~within(page, _OUTSIDE[page.tag])[rows]][:_MOST] if len(rows) else rows


def _sizes(page: Page) -> NDArray[np.int64]:
    """The characters in each element, seen or not, but for scripts and the like."""
    return text_sum(page, chars(page) * ~within(page, _UNREAD[page.tag])[page.owner])


def recovered(page: Page, keep: Bools) -> Bools:
    """Which texts come back: those of panels whose surroundings were kept, half of the text seen in them or more, and
    the labels of such panels, which methods take for buttons.  What was kept is not among them."""
    chosen, label = _found(page)
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
        for _ in range(_UP):
            around = int(page.parent[around])
            if around < 0 or total[around] >= _LEAST:
                break
        wanted[row] = around >= 0 and 2 * kept[around] >= total[around] > 0
        back = int(page.end[row]) if wanted[row] else back
    # A panel in a panel comes back with it, if it is one itself; what else is hidden inside stays so.
    shut = within(page, (hidden(page) & ~wanted) | _UNREAD[page.tag]) | veiled(page)
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
    faded = how - {"opacity"}  # on its way: what is closed by another property may be transparent besides
    return bool(faded) and all(reason in _BY_WIDGETS or reason in _PROPERTIES for reason in faded)


class _Signs:
    """What on a page says that something opens."""

    def __init__(self, page: Page, rows: list[int]) -> None:
        self.page = page
        self.names = {name: attributes.values(page, name) for name in ("id", "class", "role", "aria-expanded")}
        expands = _mask(page, list(self.names["aria-expanded"]))
        clicks = self._clickable()
        self.boxes = subtree_sum(page, _mask(page, rows))
        self.expands, self.clicks = subtree_sum(page, expands), subtree_sum(page, clicks)
        self.control = within(page, expands | clicks)[page.owner]  # the texts of what can be used
        self.look(np.zeros(len(page), bool))
        place = np.flatnonzero(page.parent >= 0)
        order = place[np.argsort(page.parent[place], kind="stable")]
        same = np.flatnonzero(page.parent[order[1:]] == page.parent[order[:-1]])
        self.before = dict(zip(order[same + 1].tolist(), order[same].tolist(), strict=True))
        self.alike = Counter(self._pair(row) for row in rows)  # hidden boxes, and what stands before them

    def look(self, opened: Bools) -> None:
        """See the page as it is when some panels are open."""
        page = self.page
        closed = hidden(page) & ~opened
        shut = within(page, closed | _UNREAD[page.tag]) | veiled(page)
        seen = chars(page) * ~shut[page.owner]
        self.seen, self.used = text_sum(page, seen), text_sum(page, seen * self.control)
        self.controlled = self._controlled()

    def _clickable(self) -> Bools:
        """Which elements are buttons, or made to be used like ones."""
        roles = (row for row, role in self.names["role"].items() if role.lower() in _OPENING_ROLES)
        turned = (row for row, value in attributes.values(self.page, "tabindex").items() if value.strip() == "0")
        return _mask(self.page, [*roles, *turned]) | _BUTTONS[self.page.tag]

    def _controlled(self) -> set[str]:
        """The ids that seen controls say they open."""
        page = self.page
        ids: set[str] = set()
        toggles = attributes.values(page, "data-toggle") | attributes.values(page, "data-bs-toggle")
        for name in ("aria-controls", "data-target", "data-bs-target", "data-tab", "href"):
            for row, value in attributes.values(page, name).items():
                opens = name != "href" or (
                    value.startswith("#")
                    and (
                        self.names["role"].get(row, "").lower() in _OPENING_ROLES
                        or toggles.get(row, "").lower() in _OPENING_TOGGLES
                        or _WIDGET.search(self.names["class"].get(row, "")) is not None
                    )
                )
                if opens and _CONTROLS[page.tag[row]] and 0 < self.seen[row] <= _LABEL:
                    ids.update(value.lstrip("#.").split())
        labelled = attributes.values(page, "aria-labelledby")
        rows = {name: row for row, name in self.names["id"].items()}
        for row, value in labelled.items():
            label = next((rows[name] for name in value.split() if name in rows), None)
            if label is not None and self.names["role"].get(row) == "tabpanel" and 0 < self.seen[label] <= _LABEL:
                ids.add(self.names["id"].get(row, "") or f"row {row}")
        return ids

    def opens(self, row: int) -> bool:
        """Whether something seen opens this element."""
        name = self._name(row)
        if _NO_CONTENT.search(name) or _NO_CONTENT.search(self._name(int(self.page.parent[row]))):
            return False
        if self.names["id"].get(row, f"row {row}") in self.controlled:
            return True
        return self.follows_label(row) or self._has_open_sibling(row)

    def follows_label(self, row: int) -> bool:
        """A label right before it opens it: it, or something in it, can be expanded, or the names say so."""
        header = self.before.get(row, -1)
        if header < 0 or not 0 < self.seen[header] <= _LABEL or self.boxes[header]:  # it opens the box that is in it
            return False
        seen, used = self.seen[header], self.used[header]
        is_label = 2 * used >= seen or (
            used == 0 and seen <= _LABEL // 2
        )  # most of it is the control, or that is a sign
        if is_label and (self.expands[header] or (self.clicks[header] and self.alike[self._pair(row)] >= _SEVERAL)):
            return True
        return _WIDGET.search(self._name(row) + " " + self._name(int(self.page.parent[row]))) is not None and (
            _WIDGET.search(self._name(header)) is not None
            or "button" in (self.page.name(header), self.names["role"].get(header))
        )

    def _has_open_sibling(self, row: int) -> bool:
        """A sibling of the same class that is seen, where the class or the element around speaks of tabs."""
        page = self.page
        above = int(page.parent[row])
        own = self._kind(row)
        if not own[1] or not _WIDGET.search(self._name(row) + " " + self._name(above)):
            return False
        sibling = self.before.get(row, -1)
        for _ in range(_NEAR):
            if sibling < 0:
                break
            if self.seen[sibling] >= _LEAST and self._kind(sibling) == own:
                return True
            sibling = self.before.get(sibling, -1)
        behind = int(page.end[row])
        for _ in range(_NEAR):
            if behind >= len(page) or page.parent[behind] != above:
                break
            if self.seen[behind] >= _LEAST and self._kind(behind) == own:
                return True
            behind = int(page.end[behind])
        return False

    def _pair(self, row: int) -> tuple[object, object]:
        return self._kind(row), self._kind(self.before.get(row, 0))

    def _kind(self, row: int) -> tuple[int, frozenset[str]]:
        tokens = self.names["class"].get(row, "").lower().split()
        return int(self.page.tag[row]), frozenset(token for token in tokens if token not in _STATES)

    def _name(self, row: int) -> str:
        """Class, id and role of an element."""
        if row < 0:
            return ""
        return " ".join(self.names[name].get(row, "") for name in ("class", "id", "role"))


_NEAR = 12  # siblings looked at on either side


def _mask(page: Page, rows: list[int]) -> Bools:
    mask = np.zeros(len(page), bool)
    mask[rows] = True
    return mask

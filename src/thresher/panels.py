"""Hidden panels that a click would show: tabs, accordions, "read more" boxes.

They hold real content as often as not.  By default they are apart, in `result.hidden`; with focus="recall" they come
back.  But an instruction hidden in the page must not come with them.  So a hidden element is a panel only if

    widgets hide like this    by `hidden`, `aria-hidden`, display, visibility, a box of no height; never by a place off
                              the screen, a colour, a font size, opacity, a clip, a class for screen readers
    it is a box of text       a block element (no paragraph, no span) with some forty characters at least
    something seen opens it   a control that names it (`aria-controls`, `data-bs-target`, the `href` of a tab); a header
                              before it that can be expanded, or is named as that of an accordion; a sibling of the
                              same class that is open, where names speak of tabs
    it is no menu or popup    by tag, role and name

and its text is recovered only where the text seen around it was kept, and nothing else hides it.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.columns import chars, column, readable
from thresher.data.tags import UNREAD, group
from thresher.page import Page
from thresher.tree import subtree_sum, text_sum, within
from thresher.visibility import hiding, veiled

__all__ = ["panels", "recovered"]

Bools = NDArray[np.bool_]

_BY_WIDGETS = frozenset({"hidden attribute", "aria-hidden", "class d-none"})
_PROPERTIES = frozenset({"display", "visibility", "height", "max-height", "content-visibility"})
_BOXES = group(tuple("div section article ul ol dl dd li table tbody tr figure details main".split()))
_CONTROLS = group(tuple("a button summary label h1 h2 h3 h4 h5 h6 dt li div span".split()))
_OUTSIDE = group(tuple("nav header footer aside form dialog menu".split()))
_UNREAD = group(UNREAD)
_LEAST, _LABEL = 40, 200  # characters of a panel, at least; of the text that opens it, at most
_UP = 4  # elements from a panel to what stands around it, beside the label that opens it
_MOST = 2_000  # panels of a page

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


@column
def panels(page: Page) -> Bools:
    """Which hidden elements are panels."""
    found = np.zeros(len(page), bool)
    rows = np.array([row for row, how in hiding(page).items() if _as_widgets_do(how)], np.intp)
    if not len(rows):
        return found
    size = text_sum(page, chars(page) * ~within(page, _UNREAD[page.tag])[page.owner])
    outside = within(page, _OUTSIDE[page.tag])
    rows = rows[_BOXES[page.tag[rows]] & (size[rows] >= _LEAST) & ~outside[rows]][:_MOST]
    if len(rows):
        signs = _Signs(page)
        found[[row for row in rows.tolist() if signs.opens(row)]] = True
    return found


def recovered(page: Page, keep: Bools) -> Bools:
    """Which unread texts stand in panels whose surroundings were kept: half of the text seen in them, or more."""
    chosen = panels(page)
    none = np.zeros(len(page.start), bool)
    if not chosen.any() or not keep.any():
        return none
    seen = chars(page) * readable(page)
    total, kept = text_sum(page, seen), text_sum(page, seen * keep)
    wanted = chosen.copy()
    for row in np.flatnonzero(chosen).tolist():
        around = row
        for _ in range(_UP):
            around = int(page.parent[around])
            if around < 0 or total[around] >= _LEAST:
                break
        wanted[row] = around >= 0 and 2 * kept[around] >= total[around] > 0
    # A panel in a panel comes back with it, if it is one itself; what else is hidden inside stays so.
    closed = np.zeros(len(page), bool)
    closed[list(hiding(page))] = True
    shut = within(page, (closed & ~wanted) | _UNREAD[page.tag]) | veiled(page)
    texts: Bools = (within(page, wanted) & ~shut)[page.owner] & ~readable(page)
    return texts


def _as_widgets_do(how: frozenset[str]) -> bool:
    """Whether all that hides an element is what scripts of tabs and accordions use."""
    return all(reason in _BY_WIDGETS or reason in _PROPERTIES for reason in how)


class _Signs:
    """What on a page says that something opens."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.seen = text_sum(page, chars(page) * readable(page))
        self.names = {name: attributes.values(page, name) for name in ("id", "class", "role", "aria-expanded")}
        self.controlled = self._controlled()
        self.inside = subtree_sum(page, _mask(page, self.names["aria-expanded"]))
        place = np.flatnonzero(page.parent >= 0)
        order = place[np.argsort(page.parent[place], kind="stable")]
        same = np.flatnonzero(page.parent[order[1:]] == page.parent[order[:-1]])
        self.before = dict(zip(order[same + 1].tolist(), order[same].tolist(), strict=True))

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
        return self._follows_header(row) or self._has_open_sibling(row)

    def _follows_header(self, row: int) -> bool:
        """A closed header right before it: it, or something in it, can be expanded, or the names say so."""
        header = self.before.get(row, -1)
        if header < 0 or not 0 < self.seen[header] <= _LABEL:
            return False
        if self.inside[header] > 0:
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

    def _kind(self, row: int) -> tuple[int, frozenset[str]]:
        tokens = self.names["class"].get(row, "").lower().split()
        return int(self.page.tag[row]), frozenset(token for token in tokens if token not in _STATES)

    def _name(self, row: int) -> str:
        """Class, id and role of an element."""
        if row < 0:
            return ""
        return " ".join(self.names[name].get(row, "") for name in ("class", "id", "role"))


_NEAR = 12  # siblings looked at on either side


def _mask(page: Page, values: dict[int, str]) -> Bools:
    mask = np.zeros(len(page), bool)
    mask[list(values)] = True
    return mask

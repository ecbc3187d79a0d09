"""What on a page opens a hidden box: tabs, buttons, the headers of an accordion.

    a control that names it        `aria-controls`, `data-bs-target`, the `href` of a tab
    a label right before it        that can be expanded, or is named as that of an accordion, or can be clicked as those
                                   of others like it can
    an open sibling                of the same class, where names speak of tabs

Whatever opens it must be seen itself, and short.  Menus, popups and the like are told by their names and opened by
nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import UNREAD, group
from thresher.page import Page, attributes, unescape
from thresher.page.columns import chars
from thresher.page.tree import texts_within
from thresher.page.types import Bools, Longs, Rows
from thresher.text.patterns import compile_later
from thresher.visible.hidden import hidden, is_own_text_hidden, own_text_hidden

__all__ = ["MIN_ALIKE_PANELS", "MIN_PANEL_CHARS", "Openers"]


MIN_PANEL_CHARS = 40  # characters of a panel
MIN_ALIKE_PANELS = 3  # panels that are alike, or of which a page is made
_MAX_LABEL_CHARS = 200  # characters of what opens one, at most
_MAX_SIBLINGS = 12  # siblings looked at on either side
_UNREAD = group(UNREAD)
_CONTROLS = group(tuple("a button summary label h1 h2 h3 h4 h5 h6 dt li div span".split()))
_BUTTONS = group(("button", "summary"))
_WIDGET = compile_later(
    r"tab(?:s|bed|panel|content|list|-|_|\b)|pane\b|panel|accordion|collaps|faq|toggle|expand", re.IGNORECASE
)
_NO_CONTENT = compile_later(
    r"""modal|popup|pop-up|popover|dropdown|drop-down|menu|\bnav|cookie|consent|gdpr|tooltip|overlay|offcanvas|off-canvas
    |lightbox|toast|newsletter|subscri|login|log-in|sign-?(?:in|up)|search|share|social|sidebar|banner|alert|spinner|loader
    |error|template|prompt|sr-only|visually|screen-reader""",
    re.IGNORECASE | re.VERBOSE,
)
_STATES = frozenset(
    """active show shown in open opened current selected hidden hide closed collapsed collapse fade is-active is-open
    is-hidden is-selected is-current active-tab tab-active""".split()
)
_LOOKED_UP = ("class", "id", "role", "data-toggle", "data-bs-toggle")
_OPENING_ROLES = frozenset({"tab", "button"})
_OPENING_TOGGLES = frozenset({"tab", "pill", "collapse", "tabs", "accordion"})


class Openers:
    """What on a page opens some of its hidden boxes."""

    def __init__(self, page: Page, rows: list[int]) -> None:
        self.page = page
        self._lookups = {name: attributes.Lookup(page, name) for name in _LOOKED_UP}
        self._names: dict[int, str] = {}
        self._widgets: dict[str, bool] = {}
        self._others: dict[str, bool] = {}
        self._kinds: dict[int, tuple[int, frozenset[str]]] = {}
        self._before: dict[int, int] = {}  # the sibling before each child of the elements that were looked at
        self._looked_at: set[int] = set()
        expands, clicks = attributes.rows_with(page, "aria-expanded"), self._clickable()
        self.boxes, self.expands, self.clicks = map(_summed, (_mask(page, rows), expands, clicks))
        self.control = texts_within(page, expands | clicks)  # what can be used
        self.look(np.zeros(len(page), bool))
        self.alike = Counter(self._pair(row) for row in rows)  # hidden boxes, and what stands before them

    def look(self, opened: Bools) -> None:
        """See the page as it is when some panels are open."""
        page = self.page
        closed = hidden(page) & ~opened
        shut = texts_within(page, closed | _UNREAD[page.tag])
        if is_own_text_hidden(page):
            shut |= own_text_hidden(page)[page.owner]
        seen = chars(page) * ~shut
        self.texts_seen, self.texts_used = _summed(seen), _summed(seen * self.control)
        self.controlled = self._controlled()

    def seen(self, row: int) -> int:
        """How many characters are seen in an element."""
        return int(self.texts_seen[self.page.last[row]] - self.texts_seen[self.page.first[row]])

    def used(self, row: int) -> int:
        """How many of these stand in what can be used."""
        return int(self.texts_used[self.page.last[row]] - self.texts_used[self.page.first[row]])

    def holds(self, before: Longs, row: int) -> bool:
        """Whether any of some elements is this one or stands in it; given is how many stand before each."""
        return bool(before[self.page.end[row]] > before[row])

    def before(self, row: int) -> int:
        """The sibling before an element; -1 for the first."""
        page, above = self.page, int(self.page.parent[row])
        if above not in self._looked_at and above >= 0:
            self._looked_at.add(above)
            ends, child, behind = page.end.data, above + 1, int(page.end[above])
            while (following := ends[child] if child < behind else behind) < behind:
                self._before[following] = child
                child = following
        return self._before.get(row, -1)

    def _clickable(self) -> Bools:
        """Which elements are buttons, or made to be used like ones."""
        clicks = _BUTTONS[self.page.tag]
        clicks[_rows_where(self.page, "role", lambda role: role.lower() in _OPENING_ROLES)] = True
        clicks[_rows_where(self.page, "tabindex", lambda value: value.strip() == "0")] = True
        return clicks

    def _controlled(self) -> set[str]:
        """The ids that seen controls say they open."""
        page = self.page
        ids: set[str] = set()
        for name in ("aria-controls", "data-target", "data-bs-target", "data-tab", "href"):
            for row, value in (_fragments(page) if name == "href" else attributes.values(page, name)).items():
                opens = _CONTROLS[page.tag[row]] and (name != "href" or self._is_opening_link(row))
                if opens and self._is_label_size(row):
                    ids.update(value.lstrip("#.").split())
        panels = _rows_where(page, "role", lambda role: role == "tabpanel")
        labelled = attributes.values_of_rows(page, "aria-labelledby", panels)
        rows = {name: row for row, name in attributes.values(page, "id").items()} if labelled else {}
        for row, value in labelled.items():
            label = next((rows[name] for name in value.split() if name in rows), None)
            if label is not None and self._is_label_size(label):
                ids.add(self._said("id", row) or f"row {row}")
        return ids

    def _is_opening_link(self, row: int) -> bool:
        """Whether a link is made to open what it leads to."""
        toggles = self._lookups["data-bs-toggle"].get(row)
        toggles = self._said("data-toggle", row) if toggles is None else toggles
        return (
            self._said("role", row).lower() in _OPENING_ROLES
            or toggles.lower() in _OPENING_TOGGLES
            or self._is_widget(self._said("class", row))
        )

    def _is_label_size(self, row: int) -> bool:
        """Whether some text is seen in an element, and no more than a label has."""
        return 0 < self.seen(row) <= _MAX_LABEL_CHARS

    def opens(self, row: int) -> bool:
        """Whether something seen opens this element."""
        name = self._name(row)
        if self._is_no_content(name) or self._is_no_content(self._name(int(self.page.parent[row]))):
            return False
        own = self._lookups["id"].get(row)
        if (f"row {row}" if own is None else own) in self.controlled:
            return True
        return self.follows_label(row) or self._has_open_sibling(row)

    def follows_label(self, row: int) -> bool:
        """A label right before it opens it: it, or something in it, can be expanded, or the names say so."""
        header = self.before(row)
        if header < 0 or not self._is_label_size(header) or self.holds(self.boxes, header):
            return False  # it opens the box that is in it
        seen, used = self.seen(header), self.used(header)
        # Most of it is the control, or that is a sign without words.
        is_label = 2 * used >= seen or (used == 0 and seen <= _MAX_LABEL_CHARS // 2)
        if is_label and (
            self.holds(self.expands, header)
            or (self.holds(self.clicks, header) and self.alike[self._pair(row)] >= MIN_ALIKE_PANELS)
        ):
            return True
        return self._is_widget(self._name(row) + " " + self._name(int(self.page.parent[row]))) and (
            self._is_widget(self._name(header)) or "button" in (self.page.name(header), self._said("role", header))
        )

    def _has_open_sibling(self, row: int) -> bool:
        """A sibling of the same class that is seen, where the class or the element around speaks of tabs."""
        page = self.page
        above = int(page.parent[row])
        own = self._kind(row)
        if not own[1] or not self._is_widget(self._name(row) + " " + self._name(above)):
            return False
        sibling = self.before(row)
        for _ in range(_MAX_SIBLINGS):
            if sibling < 0:
                break
            if self.seen(sibling) >= MIN_PANEL_CHARS and self._kind(sibling) == own:
                return True
            sibling = self.before(sibling)
        behind = int(page.end[row])
        for _ in range(_MAX_SIBLINGS):
            if behind >= len(page) or page.parent[behind] != above:
                break
            if self.seen(behind) >= MIN_PANEL_CHARS and self._kind(behind) == own:
                return True
            behind = int(page.end[behind])
        return False

    def _pair(self, row: int) -> tuple[object, object]:
        return self._kind(row), self._kind(max(self.before(row), 0))

    def _kind(self, row: int) -> tuple[int, frozenset[str]]:
        if row not in self._kinds:
            tokens = self._said("class", row).lower().split()
            self._kinds[row] = int(self.page.tag[row]), frozenset(token for token in tokens if token not in _STATES)
        return self._kinds[row]

    def _said(self, name: str, row: int) -> str:
        return self._lookups[name].get(row) or ""

    def _name(self, row: int) -> str:
        """Class, id and role of an element."""
        if row < 0:
            return ""
        if row not in self._names:
            self._names[row] = " ".join(self._said(name, row) for name in ("class", "id", "role"))
        return self._names[row]

    def _is_widget(self, name: str) -> bool:
        """Whether a name speaks of tabs, accordions and the like; those of siblings are the same."""
        if name not in self._widgets:
            self._widgets[name] = _WIDGET.search(name) is not None
        return self._widgets[name]

    def _is_no_content(self, name: str) -> bool:
        """Whether a name speaks of menus, popups and the like."""
        if name not in self._others:
            self._others[name] = _NO_CONTENT.search(name) is not None
        return self._others[name]


def _summed(x: NDArray[Any]) -> Longs:
    """The sums of what stands before each place, and of all."""
    sums = np.zeros(len(x) + 1, np.int64)
    np.cumsum(x, out=sums[1:])
    return sums


def _fragments(page: Page) -> dict[int, str]:
    """The targets of links within the page, by row; of most pages few among many links."""
    row, code, start, stop = attributes.numbered(page, "href")
    links = np.flatnonzero((np.frombuffer(page.markup, np.uint8)[start] == ord("#"))[code])
    number = code[links]
    spans = zip(row[links].tolist(), start[number].tolist(), stop[number].tolist(), strict=True)
    return {link: unescape(page.markup[first:last].decode()) for link, first, last in spans}


def _rows_where(page: Page, name: str, says: Callable[[str], bool]) -> Rows:
    """The elements of which an attribute says something."""
    rows, code, values = attributes.distinct(page, name)
    chosen: Rows = rows[np.array(list(map(says, values)), bool)[code]]
    return chosen


def _mask(page: Page, rows: list[int]) -> Bools:
    mask = np.zeros(len(page), bool)
    mask[rows] = True
    return mask

"""hidden(page): attributes, class names, inline styles and the page's own rules, cascaded.

For each element and each key (declarations.KEYS) the strongest declaration decides: important before not, inline before
rules, then specificity, then order.  Many pages hide themselves until a script runs; what a reader would see then is
what counts, so `html` and `body` are never hidden, and neither is an element that holds nearly all there is, if only a
style hides it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.columns import chars, column
from thresher.data.tags import NUMBER, UNREAD, group
from thresher.page import Page
from thresher.tree import text_sum, within
from thresher.unseen.declarations import hiding, parse, plain, showing
from thresher.unseen.selector import Index
from thresher.unseen.sheet import Sheet

__all__ = ["causes", "hidden"]

Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]

# Classes by which style sheets everywhere hide text that is meant for screen readers only.
_SCREEN_READER = frozenset(
    """
    sr-only visually-hidden visuallyhidden screen-reader-text screenreader-only u-visually-hidden a11y-hidden
    hide-accessible
    """.split()
)
_MOST_TEXT, _MOST_ELEMENTS = 0.9, 0.8  # of the body's: what holds more is the page itself
_SHOWN_AGAIN = ("display", "visibility", "opacity")  # keys that pages hide with one rule and show with another
_INLINE = 1_000_000  # specificity of a style attribute
_IMPORTANT = 10_000_000
_SELECTORS = 3_000  # matched per page at the most; a bound for hostile sheets
_ROOTS = group(("html", "body"))
_UNREAD = group(UNREAD)
_DIALOG, _BODY = NUMBER["dialog"], NUMBER["body"]


class _Claim(NamedTuple):
    """A declaration that hides or shows some rows, and how strong it is."""

    strength: int
    order: int
    hides: bool
    rows: Rows
    words: str


class _Reasons(NamedTuple):
    """What hides, in words, and the rows it hides."""

    by_attribute: dict[str, Rows]
    by_style: dict[str, Rows]


@column
def hidden(page: Page) -> Bools:
    """Elements hidden by themselves, with all they hold; those inside them are not marked for it."""
    by_attribute, by_style = (_mask(page, reasons) for reasons in _reasons(page))
    return (by_attribute & ~_ROOTS[page.tag]) | (by_style & ~_shown_later(page, by_style))


def causes(page: Page) -> dict[int, str]:
    """Why each hidden element is so, in a few words: `display by rule .popup`."""
    unseen = hidden(page)
    reasons = _reasons(page).by_attribute | _reasons(page).by_style
    return {row: words for words, rows in reasons.items() for row in rows.tolist() if unseen[row]}


def _reasons(page: Page) -> _Reasons:
    memo = page._memo
    if "unseen" not in memo:
        memo["unseen"] = _Reasons(_by_attribute(page), _by_style(page))
    reasons: _Reasons = memo["unseen"]
    return reasons


def _mask(page: Page, reasons: dict[str, Rows]) -> Bools:
    mask = np.zeros(len(page), bool)
    for rows in reasons.values():
        mask[rows] = True
    return mask


def _by_attribute(page: Page) -> dict[str, Rows]:
    found = {}
    for name, shows in (("hidden", "until-found"), ("aria-hidden", "false")):
        rows, code, values = attributes.distinct(page, name)
        hides = [value.strip().lower() not in (shows, "") or (name == "hidden" and not value) for value in values]
        if any(hides):
            found[f"{name} attribute"] = rows[np.array(hides)[code]]
    dialogs = page.tag == _DIALOG
    if dialogs.any():
        found["a closed dialog"] = np.flatnonzero(dialogs & ~attributes.rows_with(page, "open"))
    rows, code, values = attributes.distinct(page, "class")
    named = [not _SCREEN_READER.isdisjoint(value.lower().split()) if "r" in value else False for value in values]
    if any(named):
        found["a class for screen readers"] = rows[np.array(named)[code]]
    return found


def _by_style(page: Page) -> dict[str, Rows]:
    """The rows that the strongest declaration of some key hides.

    First everything that hides is matched, then, for the rows in question only, what may show them again.
    """
    index, sheet = Index(page), _sheet(page)
    claims = _inline_claims(page)
    budget = _SELECTORS
    for rule in sheet.hiding(index.names()) if len(sheet.colons) else ():
        named = [selector for selector in rule.selectors.split(",") if index.may_name(selector)]
        for key, important in hiding(parse(rule.body)).items() if named else ():
            budget -= _add(claims, key, rule.order, named[:budget], important, True, index)
    found: dict[str, Rows] = {}
    for key, made in claims.items():
        hit = [claim.rows for claim in made if claim.hides]
        if not hit:
            continue
        # What shows an element again names it by class or id, for a bare tag is too weak; what shows a part of it, too.
        hit_rows = None if key == "visibility" else np.unique(np.concatenate(hit))
        wanted = index.names(hit_rows) if key in _SHOWN_AGAIN else frozenset()
        for rule in sheet.setting(key, wanted) if wanted else ():
            said = showing(parse(rule.body))
            if key in said:
                named = [selector for selector in rule.selectors.split(",") if index.may_name(selector)]
                budget -= _add(claims, key, rule.order, named[:budget], said[key], False, index)
        found.update(_winners(page, key, made))
    return found


def _add(
    claims: dict[str, list[_Claim]],
    key: str,
    order: int,
    selectors: list[str],
    important: bool,
    hides: bool,
    index: Index,
) -> int:
    """Enter a rule under a key for each of its selectors that names something; how many selectors were matched."""
    for selector in selectors:
        found = index.match(selector)
        if found is not None and len(found[0]):
            strength = found[1] + _IMPORTANT * important
            words = f"{key} by rule {selector.strip()}"
            claims.setdefault(key, []).append(_Claim(strength, order, hides, found[0], words))
    return len(selectors)


def _sheet(page: Page) -> Sheet:
    """All style elements of the page as one sheet."""
    return Sheet([island.text for island in page.islands if island.tag == "style"])


def _inline_claims(page: Page) -> dict[str, list[_Claim]]:
    """What style attributes say, by key."""
    rows, code, values = attributes.distinct(page, "style")
    claims: dict[str, list[_Claim]] = {}
    for number, value in enumerate(values):
        declared = parse(plain(value))
        for said, hides in ((hiding(declared), True), (showing(declared), False)):
            for key, important in said.items():
                strength = _INLINE + _IMPORTANT * important
                members = rows[code == number]
                claims.setdefault(key, []).append(_Claim(strength, 0, hides, members, f"{key} by its style attribute"))
    return claims


def _winners(page: Page, key: str, claims: list[_Claim]) -> dict[str, Rows]:
    """The rows that a key hides when all has been said, by what hides them."""
    winner = np.full(len(page), -1)
    ranked = sorted(claims, key=lambda claim: (claim.strength, claim.order))
    for number, claim in enumerate(ranked):
        winner[claim.rows] = number
    hides = np.array([claim.hides for claim in ranked])
    rows = np.flatnonzero((winner >= 0) & hides[winner])
    if key == "visibility" and len(rows):
        rows = _uncovered(page, rows, np.flatnonzero((winner >= 0) & ~hides[winner]))
        winner = np.maximum.accumulate(np.where(np.isin(np.arange(len(page)), rows), winner, -1))
    result: dict[str, list[int]] = {}
    for row in rows.tolist():
        result.setdefault(ranked[int(winner[row])].words, []).append(row)
    return {words: np.array(members, np.intp) for words, members in result.items()}


def _uncovered(page: Page, rows: Rows, shown: Rows) -> Rows:
    """`visibility` is inherited, and a descendant that says `visible` shows.  So where a hidden element holds such a
    descendant, the parts without one are hidden in its place."""
    holders = np.zeros(len(page), bool)
    holders[rows] = True
    inside = within(page, holders)
    again = np.zeros(len(page), bool)
    again[shown] = True
    again &= inside
    if not again.any():
        return rows
    holds_shown = np.cumsum(np.append(0, again))[page.end] - np.cumsum(np.append(0, again))[:-1] > 0
    return np.flatnonzero(inside & ~holds_shown & ~within(page, again))


def _shown_later(page: Page, mask: Bools) -> Bools:
    """Elements that the page will show once its script has run: its roots, and whatever holds nearly all there is."""
    later: Bools = _ROOTS[page.tag] & mask
    rows = np.flatnonzero(mask & ~later)
    if not len(rows):
        return later
    size = chars(page) * ~within(page, _UNREAD[page.tag])[page.owner]
    body = int(np.argmax(page.tag == _BODY))
    elements = int(page.end[body]) - body - 1
    later[rows] = text_sum(page, size)[rows] > _MOST_TEXT * int(size.sum())
    later[rows] &= page.end[rows] - rows >= _MOST_ELEMENTS * elements
    return later

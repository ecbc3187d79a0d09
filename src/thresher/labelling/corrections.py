"""From what a reader corrects on one page to rules that hold on the next page of its site.

A reader says of some elements that they are content, or are not.  For each a CSS selector is looked for that names
elements like it, and nothing that contradicts what is kept on this page:

    right    the texts of this page after the corrections: kept, or not
    harm     of a selector: readable characters below the elements it matches that are not as the rule says
    chosen   the first selector without harm; ids and classes with several figures, which name one page only
             (post-1234), come after the others, paths from a named ancestor after those
    else     what is dropped: its text, as a rule `drop_text`; what is kept: its path by places (:nth-child)

Without the second page nobody knows whether a class is on it.  Rules can be read and changed (docs/site-rules.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from thresher.page import Page
from thresher.page.columns import chars
from thresher.page.types import Bools
from thresher.rules.rules import SiteRule, SiteRules
from thresher.rules.ruling import matching_rows
from thresher.rules.selectors import ElementSelectors
from thresher.text.invisible import without_invisible
from thresher.visible.readable import readable

__all__ = ["Correction", "learned_rules", "with_rules"]

_PAGE_NAME = re.compile(r"\d{3,}|[0-9a-f]{8,}")  # post-1234, css-1q2w3e4r
_EXAMPLE_CHARS = 60
_MIN_TEXT_RULE_CHARS = 4
_MAX_TEXT_RULE_CHARS = 400
_MAX_RULES = 200  # of the reader's own, for one site


@dataclass(frozen=True, slots=True)
class Correction:
    """An element, and whether it is content."""

    row: int
    keep: bool


def learned_rules(page: Page, keep: Bools, corrections: Sequence[Correction]) -> list[SiteRule]:
    """Rules that make these corrections on this page, and on others like it.  `keep` is what the page has without."""
    right = keep.copy()
    for one in sorted(corrections, key=lambda one: one.row):  # inner elements have the last word
        right[page.first[one.row] : page.last[one.row]] = one.keep
    names = ElementSelectors(page)
    rules = [_rule(page, names, right, one) for one in corrections]
    return list(dict.fromkeys(rule for rule in rules if rule is not None))


def with_rules(site: SiteRules | None, host: str, rules: Iterable[SiteRule]) -> SiteRules:
    """The rules of a site with further ones, which come last and so decide; older ones about the same go."""
    new = list(rules)
    about = {rule.value for rule in new}
    old = [rule for rule in (site.rules if site else ()) if rule.value not in about]
    learned = [rule for rule in old if rule.seen is not None]
    own = [rule for rule in old if rule.seen is None]
    kept = (*learned, *[*own, *new][-_MAX_RULES:])
    if site is None:
        return SiteRules(kept, site=host)
    return SiteRules(kept, site.site or host, site.learned, site.pages, site.thresher)


def _rule(page: Page, names: ElementSelectors, right: Bools, one: Correction) -> SiteRule | None:
    """The rule for one correction; None where the element has no text."""
    texts = slice(int(page.first[one.row]), int(page.last[one.row]))
    seen = readable(page)
    words = without_invisible(" ".join(page.cut(np.flatnonzero(seen[texts]) + texts.start)))
    example = " ".join(words.split())
    if not example:
        return None
    kind = "keep" if one.keep else "drop"
    about = {"example": example[:_EXAMPLE_CHARS], "note": f"corrected in the browser, {date.today().isoformat()}"}
    size = chars(page) * seen
    for selector in _selectors(names, one.row):
        rows = matching_rows(page, selector)
        if one.row in rows and not _harm(page, rows, size * (right != one.keep)):
            return SiteRule(kind, selector, **about)  # type: ignore[arg-type]
    if not one.keep and _MIN_TEXT_RULE_CHARS <= len(example) <= _MAX_TEXT_RULE_CHARS:
        return SiteRule("drop_text", example, note=about["note"])
    return SiteRule(kind, _by_places(page, one.row), **about)  # type: ignore[arg-type]


def _selectors(names: ElementSelectors, row: int) -> Iterator[str]:
    """Those that other pages may have first."""
    every = names.all(row)
    own = set(names.own(row))
    return iter(sorted(every, key=lambda one: (_PAGE_NAME.search(one) is not None, one not in own)))


def _harm(page: Page, rows: Iterable[int], wrong: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    """How many characters below these rows are not as the rule would have them."""
    below = np.zeros(len(wrong), bool)
    for row in rows:
        below[page.first[row] : page.last[row]] = True
    return int(wrong[below].sum())


def _by_places(page: Page, row: int) -> str:
    """The element by its place: `body > div:nth-child(2) > p:nth-child(1)`."""
    steps = []
    while row >= 0 and page.name(row) != "body":
        above = int(page.parent[row])
        if above < 0:
            break
        place = int(np.count_nonzero(page.parent[above + 1 : row + 1] == above))
        steps.append(f"{page.name(row)}:nth-child({place})")
        row = above
    return " > ".join(["body", *reversed(steps)])

"""Site memory: what repeats on the pages of a site, as a few rules that people can read and change.

    rules = learn(pages)                     SiteRules; rules.save("site.json"), SiteRules.load("site.json")
    thresher.extract(html, site=rules)       the rules decide first, the method about the rest

With N pages, copies of each other left out, a block repeats when ⌈0.3 N⌉ pages have its words, two at least; what does
not repeat is a page's own.  Over the elements i of a page

    T_i = readable characters;   O_i = those of its own blocks;   K_i = those that the method keeps

drop        A selector that matches on as many pages as a block needs to repeat, and only elements that hold whole
            blocks; O ≤ 0.2 T over all its matches; and on every single page next to nothing of the page's own: O ≤ 0.03
            O_page, or 30 characters.  Short ones (under 40 characters a match) that the method mostly keeps are labels
            in the content and stay.  Selectors are proposed by the outermost elements of this kind (`selectors`) and
            taken greedily, the one that covers most characters first, until one adds less than 0.5 %.
drop_text   A block of 25 characters or more that repeats on half of the pages, where no selector covers it.
keep        The element that the content stands in: a selector that matches once a page, on half of the pages or more;
            on nine of ten of these at least 95 % of it and half of all that is kept on the page; the largest such one.

So a rule never rests on a name, and no page that was compared loses its content by a drop rule.  A single page with the
same class on its article is enough to stop a rule.  The numbers were chosen on the pages of `sites`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil
from typing import NamedTuple

import numpy as np

from thresher import __version__, methods
from thresher.errors import RulesError
from thresher.page import Page
from thresher.page.columns import chars, tag_mask
from thresher.page.tree import block_first, block_sum, text_sum, within
from thresher.page.types import Bools, Rows
from thresher.rules.rules import SiteRule, SiteRules
from thresher.rules.ruling import matching_rows, site_host, whole_blocks, word_key
from thresher.rules.selectors import ElementSelectors
from thresher.template.fingerprint import Keys, mixed, text_keys
from thresher.template.nset import copies
from thresher.text.invisible import without_invisible
from thresher.visible.readable import readable

__all__ = ["MIN_PAGES", "SiteRules", "learn"]


MIN_PAGES = 3  # from which rules can be learned

_MIN_REPEATED_SHARE = 0.3  # of the pages
_MIN_REPEATED_TEXT = 0.8  # of the text that a drop rule matches
_MAX_OWN_SHARE, _MAX_OWN_CHARS = 0.03, 30  # of a page's own text that a drop rule may take
_MIN_GAIN = 0.005  # of the repeated text that a further rule has to cover
_MAX_DROP_RULES, _MAX_TEXT_RULES = 40, 15
_MAX_LABEL_CHARS, _MIN_LABEL_KEPT = 40, 0.5  # characters a match, and share of them kept, of a label in the content
_MIN_TEXT_RULE_CHARS = 25  # of a block that is a rule by itself
_MIN_SHARE_OF_PAGES, _MIN_KEPT, _MIN_HELD, _MIN_FITTING = 0.5, 0.95, 0.5, 0.9  # of a keep rule
_EXAMPLE_CHARS = 60


@dataclass(frozen=True, slots=True, eq=False)
class _Compared:
    """A page compared with its siblings."""

    page: Page
    names: ElementSelectors
    size: Rows  # readable characters of each text
    repeated: Bools  # over texts
    total: Rows  # T, over elements
    own: Rows  # O
    kept: Rows  # K
    whole: Bools  # elements that hold whole blocks


class _Candidate(NamedTuple):
    """A selector, where it matches, and the texts it covers, numbered through all pages."""

    selector: str
    matches: list[tuple[int, int]]  # page and row
    texts: Rows

    @property
    def seen(self) -> int:
        return len({page for page, _ in self.matches})


def learn(pages: Iterable[Page], method: str = "auto", today: date | None = None) -> SiteRules:
    """The rules of the site that some pages come from.  `method` says where the content stands on most pages."""
    different = _different(pages)
    number = len(different)
    if number < MIN_PAGES:
        raise RulesError(f"rules are learned from {MIN_PAGES} different pages of a site or more; there are {number}")
    least = max(2, ceil(_MIN_REPEATED_SHARE * number))
    compared = _compared(different, least, method)
    drops, covered = _drop_rules(compared, least)
    rules = (*_keep_rule(compared), *drops, *_text_rules(compared, covered, least))
    hosts = Counter(name for page in different if (name := site_host(page.url)))
    return SiteRules(
        rules=rules,
        site=hosts.most_common(1)[0][0] if hosts else None,
        learned=(today or date.today()).isoformat(),
        pages=number,
        thresher=__version__,
    )


def _different(pages: Iterable[Page]) -> list[Page]:
    """The pages without copies of ones before them, and without those that have nothing to read."""
    different: list[Page] = []
    for page in pages:
        if readable(page).any() and not (different and copies(page, different).any()):
            different.append(page)
    return different


def _compared(pages: Sequence[Page], least: int, method: str) -> list[_Compared]:
    common = Counter(key for page in pages for key in set(_block_keys(page)[readable(page)].tolist()))
    repeating = np.array(sorted(key for key, count in common.items() if count >= least), np.uint64)
    judge = methods.get(method)
    compared = []
    for page in pages:
        size = chars(page) * readable(page)
        repeated = np.isin(_block_keys(page), repeating)
        total, kept = text_sum(page, size), text_sum(page, size * judge(page))
        own = total - text_sum(page, size * repeated)
        compared.append(_Compared(page, ElementSelectors(page), size, repeated, total, own, kept, _whole(page)))
    return compared


def _block_keys(page: Page) -> Keys:
    """For each text a number for the words of the block it stands in: Σ mixed(words of the text, its place)."""
    if not len(page.block):
        return np.zeros(0, np.uint64)
    first = block_first(page)
    place = np.arange(len(page.block)) - first[page.block]
    placed = mixed(text_keys(page), place.astype(np.uint64)) * readable(page)
    return np.add.reduceat(placed, first)[page.block]


def _whole(page: Page) -> Bools:
    """Elements whose first text begins a block and whose last one ends one: a rule about them tears nothing apart."""
    block = np.concatenate(([-1], page.block, [-2]))
    has_text = page.last > page.first
    first, last = np.where(has_text, page.first, 0), np.where(has_text, page.last, 0)
    whole: Bools = has_text & (block[first] != block[first + 1]) & (block[last] != block[last + 1])
    return whole


# ---- drop ----------------------------------------------------------------------------------------------------


def _drop_rules(compared: Sequence[_Compared], least: int) -> tuple[list[SiteRule], list[Bools]]:
    """The rules, and which texts of each page they cover."""
    size = np.concatenate([one.size for one in compared])
    candidates = [
        candidate for selector in _proposed(compared, least) if (candidate := _candidate(compared, selector, least))
    ]
    covered = np.zeros(len(size), bool)
    enough = max(20, _MIN_GAIN * int(size[np.concatenate([one.repeated for one in compared])].sum()))
    rules: list[SiteRule] = []
    while candidates and len(rules) < _MAX_DROP_RULES:
        gain = [int(size[candidate.texts[~covered[candidate.texts]]].sum()) for candidate in candidates]
        # Of equal gains the shorter name, and then the alphabet decides: the same pages give the same file.
        best = min(range(len(gain)), key=lambda k: (-gain[k], len(candidates[k].selector), candidates[k].selector))
        if gain[best] < enough:
            break
        candidate = candidates[best]
        rules.append(SiteRule("drop", candidate.selector, candidate.seen, len(compared), _example(compared, candidate)))
        covered[candidate.texts] = True
        candidates = [
            one for one, left in zip(candidates, gain, strict=True) if left >= enough and one is not candidate
        ]
    return rules, np.split(covered, np.cumsum([len(one.size) for one in compared])[:-1])


def _proposed(compared: Sequence[_Compared], least: int) -> list[str]:
    """Selectors of the outermost elements that hold repeated text only, found on enough pages."""
    count: Counter[str] = Counter()
    for one in compared:
        page = one.page
        pure = one.whole & (one.total > 0) & (page.depth > 1)
        pure &= (one.own <= (1 - _MIN_REPEATED_TEXT) * one.total) & (one.own <= _own_limit(one))
        outer = np.flatnonzero(pure & ~pure[page.parent]).tolist()
        count.update({selector for row in outer for selector in one.names.all(row)})
    return sorted(selector for selector, pages in count.items() if pages >= least)


def _candidate(compared: Sequence[_Compared], selector: str, least: int) -> _Candidate | None:
    """Where a selector matches; None where that is too much, or too seldom."""
    matches: list[tuple[int, int]] = []
    texts = []
    own = total = kept = start = 0
    for number, one in enumerate(compared):
        page = one.page
        rows = matching_rows(page, selector)
        rows = rows[one.total[rows] > 0]
        if len(rows):
            if not one.whole[rows].all():
                return None
            mask = np.zeros(len(page), bool)
            mask[rows] = True
            inside = np.flatnonzero(within(page, mask)[page.owner])
            taken = int(one.size[inside[~one.repeated[inside]]].sum())
            if taken > _own_limit(one):
                return None
            own, total, kept = own + taken, total + int(one.size[inside].sum()), kept + int(one.kept[rows].sum())
            matches += [(number, row) for row in rows.tolist()]
            texts.append(inside + start)
        start += len(one.size)
    if len(texts) < least or own > (1 - _MIN_REPEATED_TEXT) * total:
        return None
    if total < _MAX_LABEL_CHARS * len(matches) and kept > _MIN_LABEL_KEPT * total:
        return None
    return _Candidate(selector, matches, np.concatenate(texts))


def _own_limit(one: _Compared) -> float:
    return max(_MAX_OWN_CHARS, _MAX_OWN_SHARE * int(one.own[0]))


def _example(compared: Sequence[_Compared], candidate: _Candidate) -> str:
    number, row = candidate.matches[0]
    return _beginning(compared[number].page, row)


def _beginning(page: Page, row: int) -> str:
    """The first words of an element."""
    first, last = page.block[page.first[row]], page.block[page.last[row] - 1]
    text = " ".join(without_invisible(" ".join(whole_blocks(page)[first : last + 1])).split())
    return text if len(text) <= _EXAMPLE_CHARS else text[:_EXAMPLE_CHARS].rpartition(" ")[0].rstrip() + " …"


# ---- drop_text -----------------------------------------------------------------------------------------------


def _text_rules(compared: Sequence[_Compared], covered: Sequence[Bools], least: int) -> Iterator[SiteRule]:
    """Long blocks that repeat where no other rule covers them."""
    count: Counter[str] = Counter()
    text_of: dict[str, str] = {}
    for one, dropped in zip(compared, covered, strict=True):
        page = one.page
        size = block_sum(page, one.size)
        open_ = block_sum(page, one.size * (one.repeated & ~dropped)) == size
        blocks = whole_blocks(page)
        blocks_here = {
            word_key(blocks[block]): blocks[block] for block in np.flatnonzero(open_ & (size >= _MIN_TEXT_RULE_CHARS))
        }
        count.update(blocks_here.keys())
        text_of = blocks_here | text_of
    common = [key for key, pages in count.items() if pages >= max(least, _MIN_SHARE_OF_PAGES * len(compared))]
    for key in sorted(common, key=lambda key: (-count[key], key))[:_MAX_TEXT_RULES]:
        yield SiteRule("drop_text", " ".join(without_invisible(text_of[key]).split()), count[key], len(compared))


# ---- keep ----------------------------------------------------------------------------------------------------


def _keep_rule(compared: Sequence[_Compared]) -> Iterator[SiteRule]:
    """The element in which the content stands, if there is one that says so on most pages."""
    count: Counter[str] = Counter()
    for one in compared:
        holds = (one.kept >= _MIN_HELD * max(int(one.kept[0]), 1)) & ~tag_mask(one.page, "html", "body")
        count.update({selector for row in np.flatnonzero(holds).tolist() for selector in one.names.own(row)})
    least = max(MIN_PAGES, ceil(_MIN_SHARE_OF_PAGES * len(compared)))
    best: tuple[int, int, str] | None = None
    for selector in (selector for selector, pages in count.items() if pages >= least):
        held, single, fits, pages = 0, True, 0, 0
        for one in compared:
            rows = matching_rows(one.page, selector)
            rows = rows[one.total[rows] > 0]
            single &= len(rows) <= 1
            for row in rows.tolist():
                pages += 1
                kept = int(one.kept[row])
                fits += kept >= _MIN_KEPT * one.total[row] and kept >= _MIN_HELD * one.kept[0]
                held += kept
        if single and fits >= _MIN_FITTING * pages:
            best = min(best or (0, 0, ""), (-held, len(selector), selector))
    if best:
        first = next(
            (one, row) for one in compared for row in matching_rows(one.page, best[2]).tolist() if one.total[row]
        )
        pages = sum(len(matching_rows(one.page, best[2])) > 0 for one in compared)
        yield SiteRule("keep", best[2], pages, len(compared), _beginning(first[0].page, first[1]))

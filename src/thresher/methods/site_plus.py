"""Site plus: the places of a site's template that a page fills with text of its own.  Ours, after paper 002 (`site`).

`site` looks for the content in the largest branch that holds something of the page's own, and takes that branch whole.
Here every text belongs to a slot: the innermost box around it that other pages of the site have, too, at the same
place.  A blog has a slot for the title, one for the date, one for the text, one for tags, for comments, for what to
read next.  Which slot holds the content is seen from what the page puts there:

    own words     words that no other page has at this place, outside links       own
    slots         by the kinds of elements from the root: all posts of a forum thread are pieces of one slot
    main slot     the one with most own words
    branch        the smallest element with 85 % of all own words

    kept          what stands in the branch, but no slot that most pages have and that holds
                    links: more of its words linked than not
                    a line: less than ten own words a piece, and a fifth of what the main slot has
                  and, wherever it stands, the heading that the page's title repeats

    left out      what the page itself calls comments, when a fifth of its own words stands elsewhere

A page without own words is a gallery: its content are the pictures and videos that no other page shows.

Where the main slot has less than 30 words a piece there is no running text: the page lists goods or links, and links
and lines are what it is made of.  So the two rules are off.  In a slot that is mostly the page's own, what it shares
with others (a heading "Details", the numbers of code lines) is kept, too.

What differs from `site`, step by step.  Pages: of those given, the `pages` ones laid out most like the key page, copies
left out.  Mapping: elements are equal when they are of one kind, since classes and ids carry the number, the category
or the name of a page.  Algorithm 3: branches are weighed by the page's own text, not by the number of nodes.  Algorithm
4: several branches may stay.  Algorithm 5: nothing is taken in because it stands between candidates.

The numbers are round ones.  With the branch at 70 to 95 %, and the others half as large or half as large again, the
words F1 on `sites` stays between 0.955 and 0.964 (docs/site.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import HEADINGS, NUMBER, group
from thresher.methods._needs import missing
from thresher.methods._options import Amount, Count, Share, option
from thresher.methods._segments import nearest
from thresher.methods._template import content_elements, on_nodes
from thresher.page import Page, attributes
from thresher.page.columns import chars, in_link, tag_mask, words
from thresher.page.tree import text_sum, within
from thresher.page.types import Bools, Floats, Rows
from thresher.page.verdict import Verdict
from thresher.template.mapping import mapped, paths_by_kind
from thresher.template.media import own_media
from thresher.template.nodes import nodes
from thresher.template.nset import alike
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "judge"]


NEEDS: frozenset[str] = frozenset({"siblings"})


@dataclass(frozen=True, slots=True)
class Options:
    siblings: Sequence[Page] = ()
    pages: Count = option(4, "siblings to compare with")
    branch: Share = option(0.85, "share of the page's own words that the branch holds")
    line: Amount = option(10, "own words a piece: a slot with fewer is a line (a date, an author)")
    prose: Amount = option(30, "own words a piece: a main slot with fewer holds no running text")


_MIN_SHARE_OF_MAIN = 0.2  # a line has less of the main slot's words; what is no comment has more of the page's words
_LINKED_PAGE = 0.1  # of the own words outside links: with fewer the page is made of links, and they count
_SECTIONS = group(("html", "body", "main", "article", "section", "aside", "header", "footer", "nav", "form"))
_BOXES = group(set("div table tbody tr td th ul ol dl li dt dd fieldset blockquote center figure".split()))
_HEADINGS = group(HEADINGS)
_COMMENTS = re.compile(r"(?<![a-z])(?:comments?|commentlist|disqus|respond|replies)(?![a-z])", re.IGNORECASE)
_WORD = re.compile(r"\w+")


class _Slots(NamedTuple):
    """The slots of a page, numbered, and what they hold.  Texts m, slots k."""

    box: Rows  # (n,)  the row of the slot around each element
    number: Rows  # (m,)  the slot of each text; the pieces of one slot have one number
    own: Bools  # (m,)  texts that no other page has at this place
    comment: Bools  # (m,)  texts in comments
    weights: Floats  # (m,)  own words that count: those outside links
    weight: Floats  # (k,)  their sum
    a_piece: Floats  # (k,)  and the same in the mean piece
    mostly_own: Bools  # (k,)  slots with more words of the page's own than others
    linked: Bools  # (k,)  slots with more own words in links than outside
    common: Bools  # (k,)  slots that most pages with the main slot have
    main: int  # number of the main slot


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable texts that are kept."""
    if not options.siblings:
        raise missing("site_plus", "siblings")
    others = alike(page, options.siblings, options.pages)
    keep, branch, box = _compared(page, others, options)
    if others and not keep.any():  # a gallery, or nothing
        template = on_nodes(page, ~own_media(page, others), ~keep)
        return Verdict(page, keep, elements=content_elements(page, template))
    return Verdict(page, keep, elements=_elements(page, keep, branch, box))


def _elements(page: Page, keep: Bools, branch: int, box: Rows) -> Bools:
    """The elements with kept text, and those without text where they stand among it: in the branch or the title."""
    holds = text_sum(page, keep) > 0
    empty = text_sum(page, readable(page)) == 0
    filled = np.zeros(len(page), bool)
    filled[box[page.owner[keep]]] = True
    inside = np.zeros(len(page), bool)
    inside[branch : page.end[branch]] = True
    title = within(page, _HEADINGS[page.tag] & holds)
    mask: Bools = (inside & (holds | (empty & filled[box]))) | (title & (holds | empty))
    return mask


def _compared(page: Page, others: Sequence[Page], options: Options) -> tuple[Bools, int, Rows]:
    """Which texts are kept, the branch, and the slot around each element."""
    seen = readable(page)
    if not others or not seen.any():  # nothing is known to be template
        return seen.copy(), 0, np.zeros(len(page), np.intp)
    slots = _slots(page, others)
    if not slots.weight.any():
        return np.zeros(len(seen), bool), 0, slots.box
    held = text_sum(page, slots.weights)
    branch = int(np.flatnonzero(held >= options.branch * held[0])[-1])  # nested, so the last is the smallest
    keep = (page.owner >= branch) & (page.owner < page.end[branch])
    keep &= slots.own | slots.mostly_own[slots.number]
    keep &= ~_chaff(page, slots, options)
    keep |= _title(page, slots.own)
    return keep & seen & ~slots.comment, branch, slots.box


def _slots(page: Page, others: Sequence[Page]) -> _Slots:
    table = nodes(page)
    mapped_nodes = np.stack([mapped(page, other, "kind") for other in others])
    own: Bools = np.logical_not(mapped_nodes[:, table.text].any(axis=0))
    known = mapped_nodes[:, table.element]
    box = nearest(page, _boxes(page) & known.any(axis=0))
    row = box[page.owner]
    kinds, number = np.unique(paths_by_kind(page)[table.element[row]], return_inverse=True)

    def total(x: NDArray[Any]) -> Floats:
        return np.bincount(number, x, len(kinds)).astype(np.float64)

    comment = _comments(page, own)
    size = words(page) * (readable(page) & ~comment)
    in_links = total(size * own * in_link(page))
    weights = (size * own * ~in_link(page)).astype(np.float64)
    if weights.sum() < _LINKED_PAGE * (size * own).sum():
        weights = (size * own).astype(np.float64)
    weight = total(weights)
    main = int(np.argmax(weight))
    pieces = np.bincount(np.unique(np.column_stack((number, row))[size > 0], axis=0)[:, 0], minlength=len(kinds))
    has = np.stack([total(there[row]) > 0 for there in known])  # a page has a slot if it has any piece of it
    kin = has[has[:, main]]
    return _Slots(
        box=box,
        number=number,
        own=own,
        comment=comment,
        weights=weights,
        weight=weight,
        a_piece=weight / np.maximum(pieces, 1),
        mostly_own=total(size * own) >= total(size) / 2,
        linked=in_links > total(size * own) / 2,
        common=kin.sum(axis=0) > len(kin) / 2,
        main=main,
    )


def _boxes(page: Page) -> Bools:
    """Elements that can be slots: sections, headings, and boxes with a name."""
    named = attributes.rows_with(page, "class") | attributes.rows_with(page, "id")
    boxes: Bools = _SECTIONS[page.tag] | _HEADINGS[page.tag] | (_BOXES[page.tag] & named)
    return boxes


def _chaff(page: Page, slots: _Slots, options: Options) -> Bools:
    """Texts in slots of the template that hold links or lines."""
    full = slots.a_piece[slots.main]
    if full < options.prose:
        return np.zeros(len(slots.number), bool)
    line = slots.a_piece < min(options.line, _MIN_SHARE_OF_MAIN * full)
    in_main = np.zeros(len(page), bool)
    in_main[slots.box[page.owner[slots.number == slots.main]]] = True
    in_text = within(page, in_main)[page.owner] | _HEADINGS[page.tag[slots.box[page.owner]]]
    chaff: Bools = slots.common[slots.number] & (slots.number != slots.main)
    chaff &= slots.linked[slots.number] | (line[slots.number] & ~in_text)
    return chaff


def _title(page: Page, own: Bools) -> Bools:
    """Headings of the page's own whose words the title repeats."""
    mask = np.zeros(len(own), bool)
    title = np.flatnonzero(page.tag == NUMBER["title"])[:1]
    if not len(title):
        return mask
    size = text_sum(page, chars(page))
    title_words = _plain(page.inner_text(int(title[0])))
    for row in np.flatnonzero(_HEADINGS[page.tag] & (size <= size[title]) & (text_sum(page, own) > 0)).tolist():
        heading = _plain(page.inner_text(row))
        if heading.strip() and heading in title_words:
            mask[page.first[row] : page.last[row]] = True
    return mask


def _plain(text: str) -> str:
    """Words with a blank on either side."""
    return f" {' '.join(_WORD.findall(text.lower()))} "


def _comments(page: Page, own: Bools) -> Bools:
    """Texts in boxes that are called comments, unless most of what the page has of its own stands there."""
    called = np.zeros(len(page), bool)
    for name in ("class", "id"):
        rows, code, values = attributes.distinct(page, name)
        if values:
            called[rows] |= np.array([bool(_COMMENTS.search(value)) for value in values])[code]
    called &= _boxes(page) & ~tag_mask(page, "html", "body")
    inside = within(page, called)[page.owner]
    size = words(page) * (readable(page) & own & ~in_link(page))
    return inside & bool(size[~inside].sum() >= _MIN_SHARE_OF_MAIN * size.sum())

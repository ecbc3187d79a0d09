"""The area in which a byline may stand: around the heading, outside comments, teasers and navigation.

Elements are found by the words in their class and rel.  What an element lies in is judged when it is asked for: a
walk up to the elements that hold the heading, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from thresher.data.tags import NUMBER, group
from thresher.metadata.clean import text_of
from thresher.page import Page, attributes, memoised_by_name
from thresher.page.parts import Parts, with_part
from thresher.page.types import Bools
from thresher.text.patterns import compile_later
from thresher.text.plain import same_words, words_of
from thresher.visible.readable import readable

__all__ = [
    "BylineArea",
    "byline_area",
    "elements_named",
    "in_other_content",
]

_MAX_TEXTS_BEFORE, _MAX_TEXTS_AFTER = 12, 30  # readable texts before and after the heading that may belong to a byline
_MAX_TEASER_TEXTS = 6  # between the heading of a teaser and its byline
_MAX_NAMED_ELEMENTS = 2_000  # elements found by name
_MAX_HEADINGS = 100
_MAX_EXTRA_BYTES = 40  # bytes of white space and punctuation that a heading may have beyond the title
_MAX_CLASS_BYTES = 500  # bytes of a class

_NAMING_ATTRIBUTES = ("class", "rel")
_WORD = compile_later(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_OTHER_CONTENT_WORDS = frozenset(
    """comment comments commentlist related sidebar recommended recommendation recommendations reply replies popular
    trending carousel teaser teasers testimonial testimonials""".split()
)
# What all these words contain: a glance at the tag spares reading its attributes.
_OTHER_CONTENT_PARTS = compile_later(rb"omment|elated|idebar|repl|opular|rending|arousel|easer|estimonial")
_OTHER_CONTENT_TAGS = frozenset(NUMBER[name] for name in ("nav", "blockquote", "select", "button"))
_ASIDE_TAGS = frozenset(NUMBER[name] for name in ("aside", "footer"))
_HEADINGS, _TEASERS = group({"h1", "h2", "h3"}), group({"h2", "h3", "h4"})
_LATER_HEADINGS = group({"h1", "h2", "h3", "h4"})  # some themes give every teaser an h1
_H1, _A = NUMBER["h1"], NUMBER["a"]
_ITEMS = frozenset(NUMBER[name] for name in ("li", "article", "tr"))
_MAX_ITEM_LINKS = 5  # of a list item
_MAX_TEASER_BYTES = 600  # bytes of a list item with a title, a line or two and a date
_MIN_TITLE_WORDS = 4  # a link with so many words is a title; names of people and sections have fewer


@dataclass(frozen=True, slots=True, eq=False)
class BylineArea:
    """The area around the heading in which bylines are looked for."""

    page: Page
    seen: Bools  # texts a reader sees
    heading: int  # row; -1 when there is none
    first: int  # rows around the heading
    last: int
    _around: frozenset[int]  # the heading and what holds it
    _known: dict[int, str] = field(default_factory=dict)

    def near(self, row: int) -> bool:
        """Close to the heading, in nothing that belongs to something else."""
        return self.first <= row < self.last and self._within(row) != "other content"

    def far(self, row: int, aside: bool = False) -> bool:
        """Away from the heading, in the main column or, if asked for, beside it."""
        return not self.first <= row < self.last and self._within(row) in (("", "aside") if aside else ("",))

    def beside(self, row: int) -> bool:
        """In a side column or a footer that the heading is not in."""
        return self._within(row) == "aside"

    def in_teaser(self, row: int) -> bool:
        """Whether an element follows close upon a heading that is a link: it belongs to the page that leads to."""
        page = self.page
        for heading in _TEASERS[page.tag[:row]].nonzero()[0][-1:].tolist():
            close = page.first[row] - page.last[heading] <= _MAX_TEASER_TEXTS
            return bool(page.end[heading] <= row and close) and _linked(page, heading)
        return False

    def in_linked_item(self, row: int) -> bool:
        """Whether an element shares a short item of a list with a link that reads like a title: a teaser, too."""
        page = self.page
        holders = (above for above in page.ancestors(row) if page.tag[above] in _ITEMS)
        item = next(holders, -1)
        if (
            item < 0
            or item in self._around
            or page.stop[page.last[item] - 1] - page.start[page.first[item]] > _MAX_TEASER_BYTES
        ):
            return False
        links = ((page.tag[item : page.end[item]] == _A).nonzero()[0] + item)[:_MAX_ITEM_LINKS].tolist()
        others = [link for link in links if not link <= row < page.end[link]]
        return any(len(words_of(text_of(page, link))) >= _MIN_TITLE_WORDS for link in others)

    def _within(self, row: int) -> str:
        """What an element lies in, judged by the elements around it up to those that hold the heading, too:
        "other content" (comments, teasers, navigation), "aside" (side column, footer) or ""."""
        path = []
        verdict = ""
        while row >= 0 and row not in self._around:
            if row in self._known:
                verdict = self._known[row]
                break
            path.append(row)
            row = int(self.page.parent[row])
        for row in reversed(path):
            if verdict != "other content":
                verdict = _kind(self.page, row) or verdict
            self._known[row] = verdict
        return verdict


def in_other_content(page: Page, row: int) -> bool:
    """Whether an element lies in comments, teasers or navigation."""
    return any(_kind(page, above) == "other content" for above in (row, *page.ancestors(row)))


def _kind(page: Page, row: int) -> str:
    """What an element is by itself: "other content", "aside" or ""."""
    tag = int(page.tag[row])
    if tag in _OTHER_CONTENT_TAGS:
        return "other content"
    if _OTHER_CONTENT_PARTS.search(page.markup, int(page.tag_start[row]), int(page.tag_stop[row])):
        own = page.attributes(row)
        if not words(own.get("class", "") + " " + own.get("id", "")).isdisjoint(_OTHER_CONTENT_WORDS):
            return "other content"
    return "aside" if tag in _ASIDE_TAGS else ""


def byline_area(page: Page, title: str) -> BylineArea:
    """The surroundings of what says the title: a heading, else any text; else of the first h1."""
    seen = readable(page)
    heading = _heading(page, title, seen)
    if heading is None:
        return BylineArea(page, seen, -1, 0, 0, frozenset())
    texts = seen.nonzero()[0]
    low = int(np.searchsorted(texts, page.first[heading]))
    high = int(np.searchsorted(texts, page.last[heading]))
    first = int(page.owner[texts[max(0, low - _MAX_TEXTS_BEFORE)]])
    last = int(page.owner[texts[min(len(texts) - 1, high + _MAX_TEXTS_AFTER)]]) + 1
    around = frozenset([heading, *page.ancestors(heading)])
    return BylineArea(page, seen, heading, first, min(last, _next_teaser(page, heading, last, title)), around)


def _heading(page: Page, title: str, seen: Bools) -> int | None:
    """The row of what says the title, h1 before h2 and h3 before any other element; else the first h1 a reader sees."""
    heads = (_HEADINGS[page.tag] & (page.first < page.last)).nonzero()[0][:_MAX_HEADINGS]
    lengths = page.stop[page.last[heads] - 1] - page.start[page.first[heads]]
    sized = list(zip(heads.tolist(), page.tag[heads].tolist(), lengths.tolist(), strict=True))
    bytes_ = len(title.encode("utf-8", "replace"))
    least, most = bytes_ // 2, 2 * bytes_ + _MAX_EXTRA_BYTES  # others cannot say the same
    alike = [row for row, _, size in sorted(sized, key=lambda one: one[1] != _H1) if least <= size <= most]
    key = "".join(words_of(title))
    with_title = (row for row in alike if _is_seen(page, row, seen) and _says(page, row, key))
    first = (row for row, tag, _ in sized if tag == _H1 and _is_seen(page, row, seen))
    return next(chain(with_title, _rows_with_title(page, title, seen), first), None)


def _says(page: Page, row: int, key: str) -> bool:
    """Whether an element says what these letters do."""
    return key != "" and "".join(words_of(text_of(page, row))) == key


def _is_seen(page: Page, row: int, seen: Bools) -> bool:
    return bool(np.count_nonzero(seen[page.first[row] : page.last[row]]))


def _rows_with_title(page: Page, title: str, seen: Bools) -> Iterator[int]:
    """Elements that hold the title and nothing else: old forums put it in a <strong>."""
    needle = title.encode("utf-8", "replace")
    at = page.utf8.find(needle) if needle else -1
    for _ in range(_MAX_HEADINGS):
        if at < 0:
            return
        text = int(np.searchsorted(page.start, at, side="right")) - 1
        if text >= 0 and seen[text] and page.utf8[page.start[text] : page.stop[text]].strip() == needle:
            yield int(page.owner[text])
        at = page.utf8.find(needle, at + len(needle))


def _next_teaser(page: Page, heading: int, last: int, title: str) -> int:
    """The row of the next heading with a link in it: there begins something else, on a list of articles the first."""
    behind = int(page.end[heading])
    rows = _LATER_HEADINGS[page.tag[behind:last]].nonzero()[0] + behind
    for row in rows.tolist():
        # A forum repeats the title over each post.
        if _linked(page, row) and not same_words(text_of(page, row).removeprefix("Re: "), title):
            return int(row)
    return len(page)


def _linked(page: Page, row: int) -> bool:
    """Whether a heading holds a link or stands in one."""
    return bool(page.tag[page.parent[row]] == _A) or _A in page.tag[row : page.end[row]].tolist()


def words(value: str) -> set[str]:
    """The words a class is made of: postAuthor and post-author both hold "author"."""
    return {word.lower() for word in _WORD.findall(value[:500])}


def elements_named(
    page: Page, parts: Parts, wanted: frozenset[str], first: int = 0, last: int | None = None
) -> dict[int, set[str]]:
    """The elements from row `first` up to `last` whose class or rel, or own name, has one of the wanted words, and all
    words found there.

    `parts` are such that every wanted word contains one: a glance spares taking a value apart, and each different value
    is looked at once.
    """
    last = len(page) if last is None else last
    result: dict[int, set[str]] = {}
    for attribute in _NAMING_ATTRIBUTES:
        values = attributes.numbered(page, attribute)
        known = _words_of_values(page, attribute)
        chosen: dict[int, frozenset[str]] = {}
        for number in with_part(page, attribute, parts):
            if number not in known:
                known[number] = _words_of_value(page, values, number)
            if not known[number].isdisjoint(wanted):
                chosen[number] = known[number]
        if chosen:
            is_chosen = np.zeros(len(values.start), bool)
            is_chosen[list(chosen)] = True
            hits = (is_chosen[values.code] & (values.row >= first) & (values.row < last)).nonzero()[0]
            hits = hits[:_MAX_NAMED_ELEMENTS]
            for row, number in zip(values.row[hits].tolist(), values.code[hits].tolist(), strict=True):
                result.setdefault(row, set()).update(chosen[number])
    for row in ((page.tag[first:last] == 0).nonzero()[0][:_MAX_NAMED_ELEMENTS] + first).tolist():
        named = words(page.name(row))  # of a custom element: <relative-time>
        if not named.isdisjoint(wanted):
            result.setdefault(row, set()).update(named)
    return dict(sorted(result.items()))


@memoised_by_name
def _words_of_values(page: Page, name: str) -> dict[int, frozenset[str]]:
    """The words of the values of an attribute by their numbers, as far as somebody asked for them."""
    return {}


def _words_of_value(page: Page, values: attributes.Numbered, number: int) -> frozenset[str]:
    start, stop = int(values.start[number]), int(values.stop[number])
    return frozenset(words(page.markup[start : min(stop, start + _MAX_CLASS_BYTES)].decode("utf-8", "replace")))

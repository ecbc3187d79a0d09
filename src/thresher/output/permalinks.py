"""Links of a page to the very place where they stand, as documentation has them beside its headings.

    <h2 id="x">Title<a href="#x">¶</a></h2>      <h2 id="x"><a href="#x">Title</a></h2>
    <div><h2 id="x">Title</h2><a href="#x">Permalink to “Title”</a></div>

Who reads an extract has no use for them.  They are recognised by structure, not by names.  A link belongs to the
heading that it stands in or, with no text between, beside.  It leads *here* if the element that has its fragment as id
or name is itself, around it, in or around its heading, or an empty one right beside that.  Then a link

    without a word (no letter, no digit)    is dropped if it leads here, or nowhere, or stands inside the heading
    with all the words of its heading       is printed as text if it leads here, or elsewhere in the page
    with words beside those of its heading  is dropped if it leads here and repeats the heading, says that it is a link
                                            or says what most such links of the page say; else it is text if it leads
                                            here
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

import numpy as np

from thresher.data.tags import HEADINGS, NUMBER, TAGS
from thresher.output.fragments import fragment_links
from thresher.output.walk_kernels import find_heading_links
from thresher.page import Page, attributes, memoised, unescape
from thresher.page.types import Bools
from thresher.text.patterns import compile_later

__all__ = ["Permalinks", "find", "unprinted_texts"]

_LINK = NUMBER["a"]
_KINDS = bytes((name == "a") + 2 * (name in HEADINGS) for name in TAGS)
_MAX_SIGN_BYTES = 16  # bytes of a text without a word
_MAX_LINKS = 5_000  # links; real pages have hundreds
_MAX_HEADING_BYTES = 2_000  # bytes of a heading's text
_MIN_REPEATED_LABELS = 3  # links that say the same and lead elsewhere in the page: "top"
_PERMALINK_LABEL = compile_later(
    r"\W*(?:(?:copy|direct|permanent|anchor|heading|section)[\s-]*)?(?:link|permalink|anchor)"
    r"(?: (?:to|for) (?:this|the) \w+)?\W*",
    re.IGNORECASE,
)


class Permalinks(NamedTuple):
    """What is not printed."""

    texts: Bools | None  # texts, None for the many pages without any
    links: tuple[int, ...]  # links, with all that is in them
    plain: frozenset[int]  # the address of these; their text is


class _Link(NamedTuple):
    """A link to a fragment."""

    row: int
    fragment: str
    inside: bool  # a heading
    here: bool  # it leads to where it stands
    lost: bool  # it leads nowhere, and stands in or beside a heading: a script may make the place
    text: str
    rest: str  # of the heading that it stands in or beside
    outermost: bool  # no other text of the heading stands before it, or none after it


def unprinted_texts(page: Page) -> Bools | None:
    """The texts that are not printed; None if there are none.  Each stands in a link to a fragment, and is a sign or
    stands in or right beside a heading: whether there are such texts is cheap to tell (survey_kernels)."""
    return find(page).texts


@memoised
def find(page: Page) -> Permalinks:
    """The permalinks of a page.  Whether they are kept plays no part in it."""
    links = _links(page) if fragment_links(page)[0] else []
    if not links:
        return Permalinks(None, (), frozenset())
    labels: dict[str, int] = {}  # how often links beside headings say the same
    for link in links:
        if (link.here or link.inside) and _has_word(link.rest) and _has_word(link.text):
            labels[link.text] = labels.get(link.text, 0) + 1
    usual, count = max(labels.items(), key=lambda item: item[1], default=("", 0))
    if count < 2 or 2 * count <= sum(labels.values()):
        usual = ""
    texts = np.zeros(len(page.start), bool)
    dropped: list[int] = []
    plain: set[int] = set()
    for link in links:
        if not _has_word(link.text):
            drop = link.here or link.lost or link.inside
        elif _has_word(link.rest):
            says_as_most = link.text == usual and (link.here or (link.inside and count >= _MIN_REPEATED_LABELS))
            drop = link.outermost and (says_as_most or (link.here and _is_label(link)))
        else:
            drop = False
        if drop:
            texts[page.first[link.row] : page.last[link.row]] = True
            if link.here:
                dropped.append(link.row)
        elif link.inside and (link.here or not _has_word(link.rest)):
            plain.add(link.row)
    return Permalinks(texts if texts.any() else None, tuple(dropped), frozenset(plain))


def _links(page: Page) -> list[_Link]:
    """The links to fragments that stand in or beside headings, and all others in the page that are no more than a
    sign."""
    row, start, stop = attributes.columns(page, "href")
    found = np.empty((4, len(row)), np.int32)
    count = find_heading_links(
        page.markup,
        row,
        start,
        stop,
        _KINDS,
        page.tag,
        page.end,
        page.first,
        page.last,
        page.start,
        page.stop,
        page.utf8,
        _MAX_LINKS,
        _MAX_SIGN_BYTES,
        _MAX_HEADING_BYTES,
        np.empty((2, len(page.start) + 1), np.int32),
        found,
    )
    links: list[_Link] = []
    for place, heading, mark, within in found[:, :count].T.tolist():
        link, near = int(row[place]), bool(mark == start[place])
        first, last = int(page.first[link]), int(page.last[link])
        fragment = unescape(page.markup[mark + 1 : stop[place]].decode())
        target = _target(page, fragment)
        here = _leads_here(page, target, link, heading)
        if near or here:
            lost = target < 0 and heading >= 0
            rest, outermost = _rest_of_heading(page, heading, first, last)
            links.append(_Link(link, fragment, bool(within), here, lost, _line(page, first, last), rest, outermost))
    return links


def _target(page: Page, fragment: str) -> int:
    """The element that a fragment names; -1 if there is none."""
    targets, name = _targets(page), fragment.encode()
    return targets.get(name, targets.get(unquote_to_bytes(name), -1)) if name else -1


@memoised
def _targets(page: Page) -> dict[bytes, int]:
    """The elements that fragments may name, by their names."""
    targets: dict[bytes, int] = {}
    for attribute in ("id", "name"):
        row, code, values = attributes.distinct_bytes(page, attribute)
        for element, number in zip(row.tolist(), code.tolist(), strict=True):
            if attribute == "id" or page.tag[element] == _LINK:
                targets.setdefault(values[number], element)
    return targets


def _leads_here(page: Page, target: int, link: int, heading: int) -> bool:
    if target < 0:
        return False
    if target <= link < page.end[target]:
        return True
    if heading < 0:
        return False
    if heading <= target < page.end[heading]:
        return True
    span, around = (page.first[target], page.last[target]), (page.first[heading], page.last[heading])
    return bool(span == around) or bool(span[0] == span[1] and span[0] in around)


def _rest_of_heading(page: Page, heading: int, first: int, last: int) -> tuple[str, bool]:
    """What a heading says besides the texts of a link, and whether those stand at one end of it."""
    if heading < 0:
        return "", False
    begin, end = int(page.first[heading]), int(page.last[heading])
    if last <= begin or first >= end:
        return _line(page, begin, end), True
    return f"{_line(page, begin, first)} {_line(page, last, end)}".strip(), first == begin or last == end


def _line(page: Page, first: int, last: int) -> str:
    """Texts as one line."""
    if first >= last:
        return ""
    return " ".join(page.utf8[page.start[first] : page.stop[last - 1]].replace(b"\0", b"").decode().split())


def _has_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def _is_label(link: _Link) -> bool:
    """Whether a link repeats its heading, spells its own address, or says that it leads there."""
    label = link.text.casefold()
    address = link.text.strip("#¶§ ") == link.fragment
    return address or link.rest.casefold() in label or _PERMALINK_LABEL.fullmatch(label) is not None

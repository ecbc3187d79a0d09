"""The n-SET: the n pages of a site that a key page is compared with (paper 002, 2.1).

The key page's links to its site are sorted by hyperlink distance and DOM distance (`distance`), and their targets are
taken in that order, from wherever pages come from:

    choose      from pages that are there already
    gather      one by one through a function that loads an address: from a live site, a folder or an archive
    at_random   from pages that are there already, by lot: what the paper compares with
    alike       from pages that are there already, those with most of the key page's layout (not the paper's)

Copies of the key page do not enter.  A print view, or another address of the same thread, repeats all of the content,
so that all of it looks like template.  With the words of the key page that stand outside links,

    whole_s   the share of them that page s has, too
    own_s     the same share among the texts which at most half of the other pages have: the content of the key page,
              as far as the pages tell
    a copy    whole_s > 1/2 and own_s > 1/2

Both count.  A short text in a large template has a high whole_s with every page of the site, but a low own_s; and when
the pages at hand are few and one of them is a bare print view, the template looks like content, own_s is high for every
other page, but whole_s is low.  Where nothing tells what is the page's own (there is one other page only, or hardly a
word is: all pages are copies, or none is), a copy is what has the same title, or every text of the page, those in links
too, and its pictures and videos: more than half of those that at most half of the other pages show (`media`).
Galleries have every text of each other, and some have one title for all: where all pages have all of the little text,
the title does not count, the pictures do.  On pages with much text it does: a forum shows other faces each time.

Archives, tags and front pages that carry the whole text count as copies, and so do mails that quote all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random

import numpy as np

from thresher.data.tags import NUMBER
from thresher.page import Page
from thresher.page.columns import column, in_link, words
from thresher.page.types import Bools
from thresher.template.distance import by_distance, closeness, hyperlink_distance
from thresher.template.fingerprint import Keys, text_keys
from thresher.template.links import Address, address, links
from thresher.template.mapping import mapped
from thresher.template.media import shared_media
from thresher.template.nodes import nodes
from thresher.visible.readable import readable

__all__ = ["MAX_LOADS_PER_PAGE", "alike", "at_random", "choose", "collect", "copies", "gather", "order", "shared"]


_COPY_SHARE = 0.5  # of a page's words: a page that has more of them, too, is a copy
_MIN_OWN_SHARE = 0.05  # of the page's words: with fewer of its own a page cannot be told from its copies by them
_MIN_WORDS = 100  # outside links: where all pages share fewer, they may be galleries rather than copies
MAX_LOADS_PER_PAGE = 5  # pages loaded for each page wanted, before the search ends


def copies(page: Page, siblings: Sequence[Page]) -> Bools:
    """Which of the siblings are copies of the page."""
    return _are_copies(page, siblings, [_shared_units(page, sibling) for sibling in siblings])


def collect(page: Page, candidates: Iterable[Page | None], n: int) -> list[Page]:
    """The first n candidates that are no copies of the page.

    Every new page tells more about what is the key page's own, so all are judged again each time.
    """
    pool: list[Page] = []
    has: list[Bools] = []
    chosen: list[Page] = []
    for candidate in candidates:
        if candidate is None:
            continue
        pool.append(candidate)
        has.append(_shared_units(page, candidate))
        if len(pool) >= n:
            chosen = _selected(pool, ~_are_copies(page, pool, has))
            if len(chosen) >= n:
                return chosen[:n]
    return _selected(pool, ~_are_copies(page, pool, has))


def choose(page: Page, siblings: Sequence[Page], n: int) -> list[Page]:
    """n of the pages: those the key page links to in the order of the links, then those nearest in the site's
    directories, then those without an address, as given."""
    places = [address(sibling.url or "") for sibling in siblings]
    return collect(page, (siblings[at] for at in order(page, places)), n)


def at_random(page: Page, siblings: Sequence[Page], n: int, seed: int = 0) -> list[Page]:
    """n of the pages, drawn by lot: the same ones every time for a seed."""
    return collect(page, Random(seed).sample(siblings, len(siblings)), n)


def alike(page: Page, siblings: Sequence[Page], n: int) -> list[Page]:
    """The n pages, copies left out, in which most elements of the page have a partner of their kind."""
    others = _selected(siblings, ~copies(page, siblings))
    element = nodes(page).element
    share = np.array([mapped(page, other, "kind")[element].mean() for other in others])
    return [others[at] for at in np.argsort(-share, kind="stable")[:n].tolist()]


def gather(page: Page, load: Callable[[str], Page | None], n: int) -> list[Page]:
    """n pages that the key page links to.  `load` gives the page at an address, None where there is none; it is asked
    for five pages for each one wanted, at most."""
    own = address(page.url or "")
    if own is None:
        return []
    nearest = islice(by_distance(page, own, links(page)), MAX_LOADS_PER_PAGE * n)
    return collect(page, (load(link.url) for link in nearest), n)


def order(page: Page, places: Sequence[Address | None]) -> Iterator[int]:
    """In which order to take pages at these addresses: those the key page links to, those near it, the others."""
    own = address(page.url or "")
    left = dict.fromkeys(range(len(places)))
    if own is not None:
        left = {at: None for at in left if places[at] != own}
        known = {place: at for at in left if (place := places[at]) is not None}
        # A saved page has lost its query when the server's addresses became names of files.
        plain = {place._replace(query=""): at for place, at in known.items()}
        leads = {
            link: at
            for link in links(page)
            if (at := known.get(link.address, plain.get(link.address._replace(query="")))) is not None
        }
        for link in by_distance(page, own, list(leads)):
            if leads[link] in left:
                del left[leads[link]]
                yield leads[link]
        near = [(hyperlink_distance(own, place), at) for place, at in known.items() if place.host == own.host]
        for _, at in sorted(near, key=lambda pair: (closeness(pair[0]), pair[1])):
            if at in left:
                del left[at]
                yield at
    yield from left


def shared(page: Page, sibling: Page) -> Bools:
    """Which texts of the page the sibling has, too, anywhere."""
    known, key = _text_set(sibling), text_keys(page)
    if not len(known):
        return np.zeros(len(key), bool)
    return np.asarray(known[np.minimum(np.searchsorted(known, key), len(known) - 1)] == key)


def _are_copies(page: Page, siblings: Sequence[Page], has: Sequence[Bools]) -> Bools:
    if not siblings:
        return np.zeros(0, bool)
    shared_texts, shows = np.split(np.stack(has), [len(text_keys(page))], axis=1)
    weight = (words(page) * (readable(page) & ~in_link(page))).astype(np.float64)
    whole = shared_texts @ weight / max(float(weight.sum()), 1)
    others = shared_texts.sum(axis=0) - shared_texts
    content = weight * (others <= _COPY_SHARE * (len(siblings) - 1))
    size = content.sum(axis=1)
    own = (shared_texts * content).sum(axis=1) / np.maximum(size, 1)
    same_title = np.array([_title(sibling) == _title(page) for sibling in siblings], bool)
    has_all = shared_texts[:, readable(page) & (words(page) > 0)].all(axis=1)
    decisive = (size >= _MIN_OWN_SHARE * weight.sum()) & (len(siblings) > 1)
    undecided = np.where(has_all, _show_the_same(shows), same_title)
    tells_nothing = weight.sum() < _MIN_WORDS and bool((whole >= 1 - _MIN_OWN_SHARE).all())
    if not tells_nothing:
        undecided |= same_title
    return (whole > _COPY_SHARE) & np.where(decisive, own > _COPY_SHARE, undecided)


def _show_the_same(shows: Bools) -> Bools:
    """Which siblings show more than half of the pictures and videos that at most half of the others show; all of them
    where there is none such.  `shows` is over siblings and the media of the key page."""
    others = shows.sum(axis=0) - shows
    own = others <= _COPY_SHARE * (len(shows) - 1)
    size = own.sum(axis=1)
    return np.asarray(((shows & own).sum(axis=1) > _COPY_SHARE * size) | (size == 0))


def _shared_units(page: Page, sibling: Page) -> Bools:
    """Which texts of the page, and then which of its pictures and videos, the sibling has, too."""
    return np.concatenate((shared(page, sibling), shared_media(page, sibling)))


def _selected(pages: Sequence[Page], chosen: Bools) -> list[Page]:
    return [pages[at] for at in np.flatnonzero(chosen).tolist()]


@column
def _text_set(page: Page) -> Keys:
    return np.unique(text_keys(page))


def _title(page: Page) -> list[int]:
    """The words of the page's title, as numbers."""
    row = int(np.argmax(page.tag == NUMBER["title"]))
    is_title = page.tag[row] == NUMBER["title"]
    title: list[int] = text_keys(page)[page.first[row] : page.last[row]].tolist() if is_title else []
    return title

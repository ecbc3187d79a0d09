"""Claims as evidence: what a page says of itself in its head and its address, as sums of learned vectors.

    meta    og:type, the generator, the types of its JSON-LD and microdata items
    url     the words of its host and path, and how deep the path is

A product page often says that it is one, a forum often has `thread` in its address.  Both are hints about the page
type, and both may be missing: training leaves each out now and then.
"""

from __future__ import annotations

from itertools import islice
from zlib import crc32

import numpy as np

from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.kernels.vectors import sum_claims
from thresher.page import Page, attributes, memoised
from thresher.page.parts import Parts, rows_saying_only
from thresher.page.types import Rows, Singles
from thresher.text.patterns import compile_later

__all__ = ["KINDS", "claim_sums", "claims"]

KINDS = ("meta", "url")

_TYPE = compile_later(r'\s*:\s*"([A-Za-z:/.]+)"')
_WORD = compile_later(r"[a-z]+")
_HEAD = (("property", Parts(b"og:type"), "og", 4), ("name", Parts(b"generator"), "ge", 2))
_MOST_TYPES = 40
_MOST_WORDS = 14
_DEEPEST = 6


@memoised
def claims(page: Page) -> tuple[Rows, Rows]:
    """The buckets of each kind, each once."""
    return _buckets(_meta(page)), _buckets(_address(page.url or ""))


def claim_sums(page: Page, table: Singles) -> Singles:
    """Σ vectors / √count of each kind, side by side; the first half of a table row is for `meta`, the second for
    `url`."""
    sums = np.empty(table.shape[1], np.float32)
    sum_claims(*claims(page), table, sums)
    return sums


def _meta(page: Page) -> list[str]:
    claimed_words = []
    for attribute, name, kind, most in _HEAD:
        for row in rows_saying_only(page, attribute, name):
            content = attributes.value_at(page, row, "content")
            claimed_words += [kind + word for word in _WORD.findall(content.lower())[:most]]
    for island in page.islands:
        if "ld+json" in island.type:
            kinds = filter(None, map(_TYPE.match, island.text.split('"@type"')[1:]))
            claimed_words += ["ld" + kind[1].lower() for kind in islice(kinds, _MOST_TYPES)]
    for value in attributes.distinct(page, "itemtype")[2]:
        claimed_words.append("it" + value.rstrip("/").rsplit("/", 1)[-1].lower())
    return claimed_words


def _address(url: str) -> list[str]:
    host, *path = url.split("://")[-1].split("?")[0].split("/")
    words = ["p" + word for part in path for word in _WORD.findall(part.lower())]
    depth = [f"depth{min(1 + len(path), _DEEPEST)}"] if url else []
    return ["h" + word for word in _WORD.findall(host.lower())] + words[:_MOST_WORDS] + depth


def _buckets(words: list[str]) -> Rows:
    return np.array(sorted({crc32(word.encode()) % BUCKETS for word in words}), np.intp)

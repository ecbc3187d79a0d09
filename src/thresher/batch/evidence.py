"""Template evidence from the archive itself: which texts of a page recur on the other pages of its host?

Paper 002 fetches a few pages of the same site, and what they share with a page is its template.  An archive has these
pages already, often many more.  A first pass counts texts, the second looks them up:

    n     pages of the host        k_t   of which have text t        c   of which are copies of this page
    share_t = (k_t - c) / (n - c)

Copies (the same texts under another address) say nothing about templates, so they are taken out of both counts; and a
text must stand on two other pages at least, since one may be a print view.  The counts are in a sketch of fixed size,
no page is kept.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np

from thresher import methods
from thresher.batch.inputs import host_of
from thresher.batch.job import Job
from thresher.batch.record import PageRecord
from thresher.batch.sketch import Sketch
from thresher.http.media_types import charset_of
from thresher.page import Page, Problem
from thresher.page.columns import chars, words
from thresher.page.tree import block_sum
from thresher.page.types import Floats, Longs
from thresher.parse import parse
from thresher.result.extraction import Extraction, extract
from thresher.template.fingerprint import Keys, mixed, text_keys
from thresher.visible.readable import readable
from thresher.warc.http import CodingError, decode_body

__all__ = ["HostEvidence", "KeyCounts", "page_keys", "record_keys"]


_TEMPLATE_SHARE = 0.25  # of the host's other pages; a text on more is template (measured in docs/batch.md)
_MIN_OTHER_PAGES_WITH_TEXT = 2  # beside this one, for a text to recur at all
_MIN_PAGES_OF_HOST = 4  # beside this one, before it also counts that a text does not recur


def page_keys(page: Page, host: str) -> Keys:
    """A key for each text on this host; 0 for texts without words and those that nobody reads."""
    keys = mixed(text_keys(page), _number(host))
    return np.where(readable(page) & (words(page) > 0), keys, np.uint64(0))


def record_keys(record: PageRecord, job: Job) -> bytes:
    """What the first pass counts of a page: the keys of its texts, of the host's pages, and of copies of this page."""
    host = host_of(record.url)
    if host is None or record.error:
        return b""
    try:
        body, _ = decode_body(record.body, record.codings)
    except CodingError:
        return b""
    keys = _distinct_keys(page_keys(parse(body, record.url, charset_of(record.content_type)), host))
    return np.concatenate((keys, _page_and_copy(host, keys))).tobytes()


class KeyCounts:
    """Keys of many pages, each once, with its count."""

    def __init__(self) -> None:
        self._waiting: list[Keys] = []
        self._size = 0
        self._keys = np.zeros(0, np.uint64)
        self._counts = np.zeros(0, np.int64)

    def add(self, keys: bytes) -> None:
        self._waiting.append(np.frombuffer(keys, np.uint64))
        self._size += len(self._waiting[-1])
        if self._size > max(1 << 18, len(self._keys)):
            self._merge()

    def to_arrays(self) -> tuple[Keys, Longs]:
        self._merge()
        return self._keys, self._counts

    def _merge(self) -> None:
        keys = np.concatenate([self._keys, *self._waiting])
        counts = np.concatenate([self._counts, np.ones(self._size, np.int64)])
        self._keys, inverse = np.unique(keys, return_inverse=True)
        self._counts = np.bincount(inverse, weights=counts, minlength=len(self._keys)).astype(np.int64)
        self._waiting, self._size = [], 0


class HostEvidence:
    """The counts of all pages, ready to judge one."""

    def __init__(self, sketch: Sketch) -> None:
        self._sketch = sketch

    @classmethod
    def load(cls, path: str) -> HostEvidence:
        return cls(Sketch.load(path))

    def shares(self, page: Page) -> Floats:
        """For each text, on which share of the host's other pages it stands."""
        return self._shares_and_pages(page)[0]

    def extract(self, page: Page, job: Job) -> Extraction:
        """The page judged with this evidence: by the method, if it knows how, else by the share alone."""
        shares, others = self._shares_and_pages(page)
        if others >= _MIN_PAGES_OF_HOST and "shared" in methods.split(job.method)[0].Options.__dataclass_fields__:
            return extract(page, job.method, focus=job.focus, hidden=job.hidden, options={"shared": shares})
        return without_common(extract(page, job.method, focus=job.focus, hidden=job.hidden), shares)

    def _shares_and_pages(self, page: Page) -> tuple[Floats, int]:
        """The shares, and of how many other pages."""
        host = host_of(page.url)
        if host is None or not len(page.start):
            return np.zeros(len(page.start)), 0
        keys = page_keys(page, host)
        pages, copies = self._sketch.counts(_page_and_copy(host, _distinct_keys(keys))).tolist()
        others = max(pages - copies, 0)
        recurs = np.where(keys != 0, self._sketch.counts(keys) - copies, 0)
        share: Floats = np.where(recurs >= _MIN_OTHER_PAGES_WITH_TEXT, recurs / max(others, 1), 0.0)
        return np.minimum(share, 1.0), others


def without_common(result: Extraction, shares: Floats) -> Extraction:
    """The result without the blocks that are common on the host; all of them stay if nothing else would."""
    page = result.page
    shares = np.append(shares, np.zeros(len(page.start) - len(shares)))  # text added from JSON-LD is the page's own
    size = chars(page) * readable(page)
    common = block_sum(page, size * shares) >= _TEMPLATE_SHARE * np.maximum(block_sum(page, size), 1)
    keep = result.keep & ~common[page.block]
    dropped = np.unique(page.block[result.keep & ~keep]).size
    if not dropped or not keep.any():
        return result
    problem = Problem("template", f"{dropped} blocks stand on many other pages of the host and were left out")
    return replace(result, verdict=replace(result.verdict, keep=keep), problems=(*result.problems, problem))


def _distinct_keys(keys: Keys) -> Keys:
    return np.unique(keys[keys != 0])


def _page_and_copy(host: str, keys: Keys) -> Keys:
    """The number that all pages of a host share, and the one that only copies of a page share."""
    digest = hashlib.blake2b(keys.tobytes(), digest_size=8).hexdigest()
    return np.array([_number(f"{host}\nevery page"), _number(f"{host}\n{digest}")], np.uint64)


def _number(text: str) -> np.uint64:
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
    number: np.uint64 = np.uint64(int.from_bytes(digest, "little"))
    return number

"""How often was this seen?  Counts of 64-bit keys in a fixed amount of memory: a count-min sketch.

    c_r[h_r(key)] += count   for each of four rows r            count(key) = min_r c_r[h_r(key)]

A count is never too low; it is too high only where a key shares its counter in all four rows.  Counters stop at 65,535.
Addition is commutative, so the sketch of many slices does not depend on who counted which first.
(Cormode & Muthukrishnan 2005, doi:10.1016/j.jalgor.2003.12.001.)
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thresher.page.types import Longs, Rows
from thresher.template.fingerprint import Keys, mixed

__all__ = ["Sketch"]

_ROWS = 4
_ODD = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F], np.uint64)


class Sketch:
    """Counters for any number of keys."""

    def __init__(self, counters: NDArray[np.uint16]) -> None:
        self.counters = counters  # (4, a power of two)
        self._shift = np.uint64(64 - int(counters.shape[1]).bit_length() + 1)

    @classmethod
    def of_size(cls, megabytes: int) -> Sketch:
        width = 1 << ((megabytes << 20) // (_ROWS * 2)).bit_length() - 1
        return cls(np.zeros((_ROWS, max(width, 1024)), np.uint16))

    @classmethod
    def load(cls, path: Path | str) -> Sketch:
        """Shared by all processes of a machine that read it."""
        return cls(np.load(path, mmap_mode="r"))

    def to_bytes(self) -> bytes:
        file = io.BytesIO()
        np.save(file, self.counters)
        return file.getvalue()

    def add(self, keys: Keys, counts: Longs) -> None:
        """Count keys."""
        for row, places in zip(self.counters, self._places(keys), strict=True):
            place, inverse = np.unique(places, return_inverse=True)
            total = row[place] + np.bincount(inverse, weights=counts).astype(np.int64)
            row[place] = np.minimum(total, 65_535)

    def counts(self, keys: Keys) -> Longs:
        """How often each key was counted, or a little more."""
        counters = [row[places] for row, places in zip(self.counters, self._places(keys), strict=True)]
        least: Longs = np.min(counters, axis=0).astype(np.int64)
        return least

    @property
    def error_rate(self) -> float:
        """The chance that a key that was never counted seems to have been: the product of the rows' fill."""
        return float(np.prod([(row > 0).mean() for row in self.counters]))

    def _places(self, keys: Keys) -> Rows:
        places: Rows = (mixed(keys)[None, :] * _ODD[:, None] >> self._shift).astype(np.intp)
        return places

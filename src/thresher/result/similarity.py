"""How alike two results are, by the fingerprints of their texts."""

from __future__ import annotations

from thresher.result.extraction import Extraction
from thresher.text.simhash import BITS, differing_bits, simhash

__all__ = ["similar"]


def similar(one: Extraction | str, other: Extraction | str) -> float:
    """How alike two results, texts or fingerprints are: 1 for the same wording, about 0 for unrelated texts.

    A string of 16 hexadecimal digits is a fingerprint (`result.fingerprint`).  Near-duplicates, such as copies with
    another date line, have 0.7 and more.
    """
    same = 1 - 2 * differing_bits(_fingerprint(one), _fingerprint(other)) / BITS
    return max(same, 0.0)


def _fingerprint(of: Extraction | str) -> int:
    if isinstance(of, Extraction):
        return int(of.fingerprint, 16)
    if len(of) == BITS // 4 and all(digit in "0123456789abcdef" for digit in of):
        return int(of, 16)
    return simhash(of)

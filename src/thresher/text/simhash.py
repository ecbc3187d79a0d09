"""A fingerprint of a text: texts that share most of their wording have fingerprints that differ in few bits.

Simhash (M. Charikar, Similarity estimation techniques from rounding algorithms, 2002), 64 bits:

    shingles        every three words that follow one another, in small letters, without punctuation; of scripts
                    without spaces every four characters.  A text shorter than that is one shingle
    h(shingle)      64 bits of BLAKE2b of its UTF-8, words joined by a space
    bit k           1 if more of the distinct shingles have bit k set than not

Two texts of one origin (another date line, a correction, other boilerplate left over) share nearly all shingles, and
differ in 0 to 10 bits; unrelated texts differ in about 32.
"""

from __future__ import annotations

import re
from hashlib import blake2b

import numpy as np

__all__ = ["BITS", "differing_bits", "simhash"]

BITS = 64
_WORDS, _CHARACTERS = 3, 4  # of a shingle
# Letters and numbers; of scripts without spaces (Han, kana, Thai, Lao, Khmer, Burmese) one by one.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")


def simhash(text: str) -> int:
    """The fingerprint of a text; 0 for one without letters and numbers."""
    shingles = _shingles(text)
    if not shingles:
        return 0
    digests = b"".join(blake2b(shingle.encode(), digest_size=BITS // 8).digest() for shingle in sorted(shingles))
    bits = np.unpackbits(np.frombuffer(digests, np.uint8).reshape(-1, BITS // 8), axis=1)
    majority = 2 * bits.sum(axis=0, dtype=np.int64) > len(shingles)
    return int.from_bytes(np.packbits(majority).tobytes(), "big")


def differing_bits(one: int, other: int) -> int:
    """In how many bits two fingerprints differ."""
    return bin(one ^ other).count("1")


def _shingles(text: str) -> set[str]:
    tokens = _TOKEN.findall(text.lower())
    if not tokens:
        return set()
    unspaced = 2 * sum(1 for token in tokens if _IS_UNSPACED.match(token)) > len(tokens)
    length = min(_CHARACTERS if unspaced else _WORDS, len(tokens))
    return {" ".join(tokens[at : at + length]) for at in range(len(tokens) - length + 1)}

"""Words to bucket numbers.

    h(word) = ((Σ_k code_k · P^min(k, 64) mod 2⁶⁴) · Q  mod 2⁶⁴) >> 52    code_k: the k-th byte in lower case, plus one

Two words share one of the 4,096 buckets with a chance of 1 in 4,096; training learns to live with it.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["BUCKETS", "codes"]

BUCKETS = 1 << 12


def codes(is_letter: Callable[[int], bool]) -> bytes:
    """The code of every byte that is a letter, 0 for the others."""
    lower = [byte + 0x20 if 0x41 <= byte <= 0x5A else byte for byte in range(256)]
    # 255 stands in no UTF-8, so that one more than a letter is a byte again
    return bytes((lower[byte] + 1) % 256 if is_letter(byte) else 0 for byte in range(256))

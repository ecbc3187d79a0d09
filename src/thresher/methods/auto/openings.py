"""Which labels a line may open with, told by the two bytes with which its first word begins.

Loops ask this of every line (kernels/lines.py), so that few are looked at word by word.  Where two bytes do not
tell letters from signs, as in most scripts whose letters take three, a line may open with anything.
"""

from __future__ import annotations

from functools import cache

from thresher.methods.auto.kernels import columns as col
from thresher.text.phrases import phrases

__all__ = ["openings"]

_KINDS = {
    "by": col.OPENS_BY,
    "label": col.OPENS_BY,
    "published": col.OPENS_PUBLISHED,
    "modified": col.OPENS_PUBLISHED,
    "also": col.OPENS_ALSO,
    "advert": col.OPENS_ADVERT,
    "comments": col.OPENS_COMMENTS,
}
_ANY = col.OPENS_BY | col.OPENS_PUBLISHED | col.OPENS_ALSO | col.OPENS_ADVERT | col.OPENS_COMMENTS
_COUNTERS = "件の条條則篇个개의"  # may stand before "comments", as numbers may
_OTHER_CAPITALS = {"k": "\u212a", "å": "\u212b", "ω": "\u2126"}  # signs that are letters: Kelvin, Ångström, Ohm
_SPACES = bytes((*range(0x21), 0xC2, 0xE1, 0xE2, 0xE3))  # with which white space begins


@cache
def openings() -> bytes:
    """The bits of the labels (columns.py) that begin with two bytes, the number of both; NO_WORD where no word does."""
    table = bytearray()
    for lead in range(256):
        if 0xC2 <= lead < 0xE0 or lead in (0xE3, 0xE4, 0xEA, 0xED):  # the second byte counts
            table += bytes(_unlisted(lead, tail) for tail in range(0x80, 0xC0)).rjust(192, b"\0").ljust(256, b"\0")
        else:
            table += bytes([_unlisted(lead)]) * 256
    bits: dict[int, int] = {}
    for kind, bit in _KINDS.items():
        for first in {phrase[:2] for phrase in phrases(kind)}:
            for pair in _first_bytes(first.removesuffix("*")):
                bits[pair] = bits.get(pair, 0) | bit
    for counter in _COUNTERS:
        pair = int.from_bytes(counter.encode()[:2], "big")
        bits[pair] = bits.get(pair, 0) | col.OPENS_COMMENTS
    for pair, bit in bits.items():
        table[pair] = _ANY if table[pair] == col.NO_WORD else table[pair] | bit
    return bytes(table)


def _unlisted(lead: int, tail: int = 0x80) -> int:
    """The bits of two bytes with which no label begins."""
    if lead < 0xE0:
        letter = chr(lead) if lead < 0x80 else bytes((lead, tail)).decode(errors="replace")
        if letter.isdecimal():
            return col.OPENS_COMMENTS
        return 0 if letter.isalnum() or letter == "_" else col.NO_WORD
    if lead == 0xE2 or lead >= 0xEE or (lead, tail) in ((0xE3, 0x80), (0xE4, 0xB7)):  # signs for the most part
        return col.NO_WORD
    if lead in (0xE0, 0xE1) or (lead == 0xE3 and tail < 0x90) or (lead == 0xEA and tail < 0xB0):
        return _ANY
    if lead >= 0xEA:  # a name in Korean may stand before what makes it a byline
        return col.OPENS_BY
    return 0


def _first_bytes(phrase: str) -> set[int]:
    """The first two bytes of a phrase, as a number, in capitals or not."""
    first, second = (
        {one.encode() for one in (*_cases(letter), _OTHER_CAPITALS.get(letter, letter))} if letter else {b"\0"}
        for letter in (phrase[:1], phrase[1:2])
    )
    if phrase[1:2] == " ":
        second = {bytes([space]) for space in _SPACES}
    return {int.from_bytes((one + other)[:2], "big") for one in first for other in second}


def _cases(letter: str) -> set[str]:
    """A letter, and the capitals of it that are one letter, too."""
    return {one for one in (letter, letter.upper(), letter.title()) if len(one) == 1}

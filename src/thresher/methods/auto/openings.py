"""Which labels a line may open with, told by the two bytes with which its first word begins.

Loops ask this of every line (kernels/lines.py), so that few are looked at word by word.  Where two bytes do not
tell letters from signs, as in most scripts whose letters take three, a line may open with anything.
"""

from __future__ import annotations

from collections.abc import Iterator
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
            table += bytes(128) + bytes(_unlisted(lead, tail) for tail in range(0x80, 0xC0)) + bytes(64)
        else:
            table += bytes([_unlisted(lead)]) * 256
    bits: dict[str, int] = dict.fromkeys(_COUNTERS, col.OPENS_COMMENTS)
    for kind, bit in _KINDS.items():
        for phrase in phrases(kind):
            beginning = phrase[:2] if phrase[0] < "\x80" else phrase[0]  # both are in two bytes
            bits[beginning] = bits.get(beginning, 0) | bit
    for beginning, bit in bits.items():
        for pair in _first_bytes(beginning):
            table[pair] = _ANY if table[pair] == col.NO_WORD else table[pair] | bit
    return bytes(table)


def _unlisted(lead: int, tail: int = 0x80) -> int:
    """The bits of two bytes with which no label begins."""
    if lead < 0xE0:
        letter = chr(lead if lead < 0xC2 else (lead & 0x1F) << 6 | tail & 0x3F)
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


def _first_bytes(beginning: str) -> Iterator[int]:
    """The first two bytes, as a number, of a letter beyond ASCII, or of one and what is behind it; and of capitals."""
    behind = beginning[1:]
    seconds = _SPACES if behind == " " else {byte for letter in _cases(behind) for byte in letter.encode()[:1]}
    for letter in _cases(beginning[0]):
        first = letter.encode()
        if len(first) > 1:
            yield first[0] << 8 | first[1]
        else:
            yield from (first[0] << 8 | second for second in seconds)


def _cases(letter: str) -> tuple[str, ...]:
    """A letter, and the capitals of it that are one letter, too."""
    capital = letter.upper()
    if capital == letter or len(capital) > 1:
        return (letter,)
    return letter, capital, _OTHER_CAPITALS.get(letter, capital)

"""The tags of canonical markup: where each stands, which element it names, whether it opens or closes.

The markup is a sequence of tags `<name …>` and `</name>`, comments and declarations, with text between them; `<` and
`>` stand nowhere else, but `<` in malformed names and both in comments.  One loop over its bytes finds all tags.

A name of up to 16 bytes is read as two 64-bit words and looked up in a hash table that holds both words, so a stranger
that falls on a taken slot is still a stranger.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.data.tags import BLOCK, NUMBER, RAW, TAGS, VOID, group
from thresher.page.kernels import count_byte
from thresher.page.types import Bytes, Ints, Tags, Words
from thresher.parse.kernels import SLOTS, TRAITS, find_tags, hash_slot

__all__ = ["TRAITS_OF_TAGS", "MarkupTags", "markup_tags"]


class MarkupTags(NamedTuple):
    """The tags, in the order of the markup: tag k is markup[start[k]:stop[k]]."""

    start: Ints
    stop: Ints
    tag: Tags  # index into TAGS; 0 = a name not in the table, or no name
    kind: Bytes  # OPENS, CLOSES, STANDS_ALONE or OTHER (kernels.py)


def markup_tags(markup: bytes) -> MarkupTags:
    """All tags of canonical markup."""
    if len(markup) >= 1 << 31:
        raise ValueError("markup of 2 GB and more cannot be read")
    most = count_byte(markup, ord("<"))
    span, tag, kind = np.empty((2, most), np.int32), np.empty(most, np.int16), np.empty(most, np.uint8)
    number = find_tags(markup, _SLOT_WORDS, _SLOT_TAGS, TRAITS_OF_TAGS, span, tag, kind)
    return MarkupTags(span[0, :number], span[1, :number], tag[:number], kind[:number])


def _hash_table() -> tuple[Words, Tags]:
    """By slot: the two words of a name, and its number; 0 where the slot is free.  Under a third of them are taken.

    svg's names come out of the parser in camel case.
    """
    words, numbers = np.zeros((SLOTS, 2), np.uint64), np.zeros(SLOTS, np.int16)
    camel = {name: NUMBER[name.lower()] for name in ("foreignObject", "linearGradient", "radialGradient", "clipPath")}
    for name, number in {**{name: NUMBER[name] for name in TAGS if name}, **camel}.items():
        first, second = (int.from_bytes(name.encode()[at : at + 8], "little") for at in (0, 8))
        slot = hash_slot(first, second)
        while numbers[slot]:
            slot = (slot + 1) % SLOTS
        words[slot], numbers[slot] = (first, second), number
    return words, numbers


def _traits() -> bytes:
    traits = np.zeros(len(TAGS), np.uint8)
    groups: dict[str, frozenset[str] | set[str]] = {
        "void": VOID,
        "block": BLOCK,
        "keeps space": {"pre", "textarea", "listing", "xmp", "plaintext", "thresher-tex"},
        "br": {"br"},
        "raw": RAW,
        "foreign": {"svg", "math"},
        "plaintext": {"plaintext"},
    }
    for trait, names in groups.items():
        traits[group(names)] |= TRAITS[trait]
    return traits.tobytes()


_WORDS, _NUMBERS = _hash_table()
_SLOT_WORDS, _SLOT_TAGS = _WORDS.data, _NUMBERS.data
TRAITS_OF_TAGS = _traits()

"""A difference between gold and extract that a person can read.

Words are aligned along their longest common subsequence.  That alignment alone is confetti: inside a long
stretch of boilerplate every "the" finds a partner.  So equal stretches of fewer than three words are given
up, and long stretches of either kind are shown by their ends, with the number of words between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from thresher.evaluate.measures import TOKEN
from thresher.text.lcs import lcs_pairs

Kind = Literal["same", "missed", "extra", "gap"]

MAX_COMPARED_WORDS = 5000  # words of each side that are aligned; the rest of a longer text is counted, not shown
MIN_SAME_WORDS = 3  # words
SHOWN_WORDS = 25  # words shown at each end of a long stretch
MAX_PIECES = 120  # a page with more stretches is cut here

LINES = re.compile(r"\s*\n\s*")


@dataclass(frozen=True, slots=True)
class Piece:
    """Text in both (same), only in the gold (missed), only in the extract (extra), or not shown (gap)."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class _Word:
    key: str  # what is compared: lower case
    shown: str  # with the white space and punctuation after it


def diff(gold: str, extract: str) -> list[Piece]:
    """The pieces from top to bottom; what was missed comes before what was put in its place."""
    a, b = _words(gold), _words(extract)
    unseen = max(0, len(a) - MAX_COMPARED_WORDS), max(0, len(b) - MAX_COMPARED_WORDS)
    a, b = a[:MAX_COMPARED_WORDS], b[:MAX_COMPARED_WORDS]
    pieces: list[Piece] = []
    i = j = 0
    for start_a, start_b, length in [*_same(a, b), (len(a), len(b), 0)]:
        pieces += _shorten("missed", a[i:start_a])
        pieces += _shorten("extra", b[j:start_b])
        pieces += _shorten("same", a[start_a : start_a + length])
        i, j = start_a + length, start_b + length
    if len(pieces) > MAX_PIECES:
        pieces = [*pieces[:MAX_PIECES], Piece("gap", f"{len(pieces) - MAX_PIECES} more stretches")]
    if any(unseen):
        rest = f"{unseen[0]:,} more words in the gold, {unseen[1]:,} in the extract"
        pieces.append(Piece("gap", f"not compared: {rest}"))
    return pieces


def _words(text: str) -> list[_Word]:
    """The tokens of a text, each with what stands between it and the next."""
    matches = list(TOKEN.finditer(text))
    starts = [match.start() for match in matches]
    spans = zip(starts, [*starts[1:], len(text)], strict=False)  # no words: no spans, whatever the text
    shown = [LINES.sub("\n", text[start:stop]) for start, stop in spans]
    return [_Word(match.group().lower(), text) for match, text in zip(matches, shown, strict=True)]


def _same(a: Sequence[_Word], b: Sequence[_Word]) -> Iterator[tuple[int, int, int]]:
    """(start in a, start in b, length) of the equal stretches that are worth showing as such."""
    pairs = lcs_pairs([w.key for w in a], [w.key for w in b])
    shortest = min(MIN_SAME_WORDS, len(a), len(b))
    start = 0
    for k in range(1, len(pairs) + 1):
        if k < len(pairs) and pairs[k] == (pairs[k - 1][0] + 1, pairs[k - 1][1] + 1):
            continue
        if k - start >= shortest:
            yield (*pairs[start], k - start)
        start = k


def _shorten(kind: Kind, words: Sequence[_Word]) -> list[Piece]:
    """The stretch as one piece, or its two ends around a gap."""
    if not words:
        return []
    if len(words) <= 2 * SHOWN_WORDS + 10:
        return [Piece(kind, _join(words))]
    return [
        Piece(kind, _join(words[:SHOWN_WORDS])),
        Piece("gap", f"{len(words) - 2 * SHOWN_WORDS:,} words"),
        Piece(kind, _join(words[-SHOWN_WORDS:])),
    ]


def _join(words: Sequence[_Word]) -> str:
    return "".join(word.shown for word in words)

"""Labels that pages use, in the languages of data/phrases.txt: "By", "Published", "Comments"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["alternatives", "find_phrase", "may_open", "openings", "phrases"]

_DATA = Path(__file__).parents[1] / "data"
_LETTER = re.compile(r"\w")
_WORD = re.compile(r"\w+")
_FEW_WORDS = 10_000  # characters of a text whose words are made a set
_FIRST_UNSPACED = 0x0E00  # scripts below put spaces between words; in Thai, Chinese, Japanese a word ends anywhere


@cache
def phrases(kind: str, file: str = "phrases.txt") -> tuple[str, ...]:
    """All phrases of one kind in a file of data/, the longest first."""
    listed = dict.fromkeys(phrase.strip() for line in _lines(file).get(kind, ()) for phrase in line.split(","))
    return tuple(sorted(listed, key=lambda phrase: (-len(phrase), phrase)))


@cache
def _lines(file: str) -> dict[str, list[str]]:
    """The lines of each kind, as they list their phrases."""
    lines: dict[str, list[str]] = {}
    for line in (_DATA / file).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            kind, _, listed = line.split("|")
            lines.setdefault(kind.strip(), []).append(listed)
    return lines


@cache
def alternatives(kind: str, file: str = "phrases.txt") -> str:
    """A regular expression that matches any phrase of one kind, as whole words where the script has words.

    Whether a word begins is asked once for all phrases; of one that does, the first letter tells most of them apart.
    """
    known = phrases(kind, file)
    words = "|".join(_pattern(phrase) for phrase in known if _begins_word(phrase))
    others = [_pattern(phrase) for phrase in known if not _begins_word(phrase)]
    return "(?:" + "|".join(([rf"(?<!\w)(?:{words})"] if words else []) + others) + ")"


def _begins_word(phrase: str) -> bool:
    return ord(phrase[0]) < _FIRST_UNSPACED and phrase[0].isalnum()


def _pattern(phrase: str) -> str:
    stem = phrase.removesuffix("*")
    body = re.escape(stem).replace(r"\ ", r"\s+")
    behind = r"\w*" if stem != phrase else r"(?!\w)" if ord(stem[-1]) < _FIRST_UNSPACED and stem[-1].isalnum() else ""
    return body + behind


def find_phrase(kind: str, text: str, file: str = "phrases.txt") -> slice | None:
    """Where the first phrase of one kind stands in a text, which is in small letters and has single spaces; the longest
    of those that begin there.  The same as a search for all alternatives, but nothing is compiled."""
    first: slice | None = None
    known = _with_words_of(text, kind, file) if text.isascii() and len(text) <= _FEW_WORDS else phrases(kind, file)
    for phrase in known:
        place = _place(phrase, text)
        if place is not None and (first is None or place.start < first.start):
            first = place
    return first


def _with_words_of(text: str, kind: str, file: str) -> Iterator[str]:
    """The phrases of one kind of which a text has the first word, those with the same one longest first; and those that
    go on in other letters."""
    known = _by_first_word(kind, file)
    for word in known.keys() & {"", *_WORD.findall(text)}:
        yield from known[word]


@cache
def _by_first_word(kind: str, file: str) -> dict[str, list[str]]:
    """The phrases of one kind by the word they begin with; those that go on in other letters by none."""
    known: dict[str, list[str]] = {}
    for phrase in phrases(kind, file):
        word = _WORD.match(phrase)
        known.setdefault(word[0] if word and not phrase.endswith("*") else "", []).append(phrase)
    return known


def _place(phrase: str, text: str) -> slice | None:
    """Where a phrase first stands as whole words."""
    stem = phrase.removesuffix("*")
    at = text.find(stem)
    if at < 0:
        return None
    begins, ends = _begins_word(stem), ord(stem[-1]) < _FIRST_UNSPACED and stem[-1].isalnum()
    while at >= 0:
        end = at + len(stem)
        if not (begins and at and _is_letter(text[at - 1])):
            while stem != phrase and end < len(text) and _is_letter(text[end]):
                end += 1
            if stem != phrase or not (ends and end < len(text) and _is_letter(text[end])):
                return slice(at, end)
        at = text.find(stem, at + 1)
    return None


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    goes_on: bool  # other letters may follow
    whole: bool  # none may follow, as the script has spaces between words


class _Listed(NamedTuple):
    """Phrases with the same first letter."""

    words: tuple[str, ...]  # with which they begin
    phrases: list[_Phrase]


def may_open(kinds: tuple[str, ...], text: str) -> bool:
    """Whether a text opens with the first word of a phrase of some kinds, or with a longer word, whatever marks stand
    before it."""
    first = _LETTER.search(text)
    words = _first_words(kinds).get(first[0].lower()) if first else None
    return words is not None and first is not None and _lower(text).startswith(words, first.start())


@cache
def _first_words(kinds: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The first words of all phrases of some kinds, by their first letters."""
    words: dict[str, tuple[str, ...]] = {}
    for kind in kinds:
        for letter, listed in _by_first_letter(kind).items():
            words[letter] = (*words.get(letter, ()), *listed.words)
    return words


def openings(kind: str, text: str) -> list[int]:
    """Where each phrase of one kind ends with which a text opens, whatever marks stand before it; the longest first.

    The same as a search for all alternatives, but nothing is compiled: of most texts the first letter tells.
    """
    first = _LETTER.search(text)
    if first is None or (listed := _by_first_letter(kind).get(first[0].lower())) is None:
        return []
    small, at = _lower(text), first.start()
    if not small.startswith(listed.words, at):
        return []
    return [end for phrase in listed.phrases if (end := _end_of(phrase, small, at)) >= 0]


def _end_of(phrase: _Phrase, text: str, at: int) -> int:
    """Where a phrase ends that stands in a text in small letters; -1 if another stands there."""
    for number, word in enumerate(phrase.words):
        if number:
            between = at
            while at < len(text) and text[at].isspace():
                at += 1
            if at == between:
                return -1
        if not text.startswith(word, at):
            return -1
        at += len(word)
    if phrase.goes_on:
        while at < len(text) and _is_letter(text[at]):
            at += 1
    elif phrase.whole and at < len(text) and _is_letter(text[at]):
        return -1
    return at


def _lower(text: str) -> str:
    """In small letters, and as long as before."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(one.lower() if len(one.lower()) == 1 else one for one in text)


@cache
def _by_first_letter(kind: str) -> dict[str, _Listed]:
    listed: dict[str, list[_Phrase]] = {}
    for phrase in phrases(kind):
        stem = phrase.removesuffix("*")
        whole = stem == phrase and ord(stem[-1]) < _FIRST_UNSPACED and stem[-1].isalnum()
        listed.setdefault(stem[0].lower(), []).append(_Phrase(tuple(stem.lower().split()), stem != phrase, whole))
    return {letter: _Listed(tuple({one.words[0] for one in some}), some) for letter, some in listed.items()}

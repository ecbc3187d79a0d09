"""Does an English sentence hold a verb?  A list of verbs and rules for endings, offline.  Paper 003, section 3.3.

The paper asks a tagger.  A sentence of running text nearly always shows its verb in the open; what has to be told
apart are the labels, captions, addresses and references around it.  A word is a verb when it is

    sure        an auxiliary, a contraction, a past tense of an irregular verb: is, hasn't, they'll, wrote
    plain       a form of a verb that is hardly ever a noun: provide, provides, provided, providing
    -ed         of three letters or more before the ending, and not in the list of exceptions
    ambiguous   a form that may be a noun (report, studies, test) behind a cue: a pronoun, `to`, a modal

The lists are in data/verbs/en.txt; how often the test is right is in docs/layout.md.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

__all__ = ["has_verb"]

_WORD = re.compile(r"[a-z]+(?:['\u2019][a-z]+)?")
_VOWELS = frozenset("aeiou")


class _Lists(NamedTuple):
    sure: frozenset[str]  # every form that is a verb by itself
    ambiguous: frozenset[str]
    exceptions: frozenset[str]
    cues: frozenset[str]


def has_verb(sentence: str) -> bool:
    """Whether one of the words of an English sentence is taken for a verb."""
    lists = _lists()
    small = sentence.lower()
    if not lists.sure.isdisjoint(small.split()):  # most sentences end here, and splitting is cheap
        return True
    words = _WORD.findall(small.replace("\u2019", "'"))
    if not lists.sure.isdisjoint(words):
        return True
    if any(word.endswith("ed") and len(word) > 4 and word not in lists.exceptions for word in words):
        return True
    return any(word in lists.ambiguous and before in lists.cues for before, word in pairwise(words))


@cache
def _lists() -> _Lists:
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for line in files("thresher").joinpath("data/verbs/en.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            current = sections.setdefault(line.strip("[] "), [])
        elif not line.startswith("#"):
            current += line.split()
    exceptions = frozenset(sections["not"])
    plain = {form for verb in sections["plain"] for form in (verb, _third(verb), _past(verb), _participle(verb))}
    pasts = {_past(verb) for verb in sections["ambiguous"]}
    sure = frozenset(sections["sure"]) | ((plain | pasts) - exceptions)
    ambiguous = {form for verb in sections["ambiguous"] for form in (verb, _third(verb), _participle(verb))}
    return _Lists(sure, frozenset(ambiguous), exceptions, frozenset(sections["cue"]))


def _third(verb: str) -> str:
    """carries, passes, goes, says"""
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def _past(verb: str) -> str:
    """carried, used, planned, passed"""
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return verb[:-1] + "ied"
    return verb + "d" if verb.endswith("e") else _doubled(verb) + "ed"


def _participle(verb: str) -> str:
    """carrying, using, planning, seeing"""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    return verb[:-1] + "ing" if verb.endswith("e") and not verb.endswith("ee") else _doubled(verb) + "ing"


def _doubled(verb: str) -> str:
    """plan -> plann, refer -> referr: a short verb doubles its consonant behind one vowel; so do some stressed ends."""
    ends = verb[-1] not in _VOWELS | set("wxy") and verb[-2:-1] in _VOWELS and verb[-3:-2] not in _VOWELS
    short = sum(letter in _VOWELS for letter in verb) == 1
    return verb + verb[-1] if ends and (short or verb.endswith(_STRESSED)) else verb


_STRESSED = ("mit", "fer", "cur", "pel", "gret", "bed")

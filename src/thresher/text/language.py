"""Which language a text is in: its script first, then clues.  Offline, a fraction of a millisecond.

Most scripts belong to one language, and then the letters alone decide.  Latin, Cyrillic, Arabic, Devanagari and
Hebrew letters are shared; there each language L adds up the clues it knows,

    score(L) = Σ_{clue c of L} w · √n_c · log(1 + N / k_c)       _scores, _values

where n_c is how often c was seen, k_c how many of the N languages of the script know it, and w what its kind is worth:
function words most, then letters outside the common alphabet, then the endings of longer words.  So a clue that all
share says little, and the root keeps forty "Read more" buttons from outvoting the paragraph above them.

The clues are data, read when first needed: data/stopwords/<code>.txt and data/stopwords/languages.txt.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from math import exp, log, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from thresher.text.patterns import compile_later

__all__ = ["detect", "normalise", "stopwords"]

DATA = Path(__file__).parents[1] / "data" / "stopwords"

SAMPLE = 3000  # characters; the verdict on ordinary prose is settled after some three hundred
_MAX_CODES = 1 << 16  # beyond these are few characters
PIECES = 4  # the sample is spread over the text, which may open with menus or a cookie notice
MIN_LETTERS = 20

# An ideograph says as much as a short word.  Latin counts less than half: brand names, code and untranslated buttons
# are Latin on pages of every language, while an English page seldom holds another script.
LETTER_WEIGHT = {"LATIN": 0.4, "CJK": 3.0, "KANA": 2.0, "HANGUL": 2.0}
# Japanese prose has more kana than ideographs; a Chinese page may quote a name.
MIN_KANA_PER_IDEOGRAPH = 0.08

WORD_WEIGHT, LETTER_CLUE_WEIGHT, ENDING_WEIGHT = 1.0, 0.8, 0.4
ENDING = 3  # letters; counted on words longer than ENDING + 1
# English stands on pages of every language for the same reason as Latin does.  At 0.7 a third of English
# buttons no longer hides the language of a page, and the 1,400 English pages of WCXB keep theirs.
LANGUAGE_WEIGHT = {"en": 0.7}

MARGIN = 4.0  # about one clue that only one language knows
FULL_COVERAGE = 0.1  # function words per word; in program messages Kazakh has 0.12, Turkish 0.14, English 0.43

NO_LANGUAGE = {"und", "mul", "mis", "zxx"}  # ISO 639-2: undetermined, multiple, uncoded, no linguistic content

# Runs of letters with their marks; \w would cut a word at each Indic vowel sign.  A dot between letters joins, so that
# the "com" of example.com is no Portuguese word.
_LETTERS = r"[^\s!-@\[-`{-¿×÷‐-⁞،؛؟۔।॥]+"
WORD = compile_later(rf"{_LETTERS}(?:\.{_LETTERS})*")


class Language(NamedTuple):
    """A line of languages.txt."""

    code: str
    scripts: tuple[str, ...]
    names: tuple[str, ...]
    letters: tuple[str, ...]
    endings: tuple[str, ...]


Values = dict[str, tuple[float, tuple[int, ...]]]  # clue -> its value, and for which languages


class Clues(NamedTuple):
    """What speaks for which language of one script, the languages given as positions in `codes`."""

    codes: tuple[str, ...]
    words: Values
    letters: Values
    endings: Values


def detect(text: str) -> tuple[str | None, float]:
    """The ISO 639-1 code of the language most of `text` is in, and how sure that is, from 0 to 1.

    (None, 0.0) when there are too few letters, an unknown script or no clue.  A code with confidence near 0 is a guess
    without a function word, or a tie of close relatives: a short text may be Croatian as well as Serbian.
    """
    sample = _sample(text)
    characters = _characters(sample)
    script, share = _main_script(characters)
    languages = _languages_of(script)
    if not languages:
        return None, 0.0
    if len(languages) == 1:
        return languages[0].code, share
    words = Counter(WORD.findall(sample))
    code, certainty = _most_likely(words, characters, _clues(script))
    return code, certainty * share


@lru_cache(maxsize=256)
def normalise(tag: str | None) -> str | None:
    """The base code of a lang attribute, or None: "en_US", "EN-gb " and "english" are "en"; "pt-BR, en" is "pt".

    Codes are not looked up in the registry: one that we have no words for does no harm.
    """
    for part in re.split(r"[\s,;\"']+", (tag or "").lower()):
        base = re.split(r"[-_.]", part)[0]
        code = _codes_by_name().get(base, base)
        if re.fullmatch(r"[a-z]{2,3}", code) and code not in NO_LANGUAGE:
            return code
    return None


@lru_cache(maxsize=256)
def stopwords(code: str) -> frozenset[str]:
    """The function words of a language in lower case; empty when we have no list."""
    if code not in _table():
        return frozenset()
    try:
        return frozenset(" ".join(_lines(DATA / f"{code}.txt")).split())
    except FileNotFoundError:  # the script alone decides, as for Thai
        return frozenset()


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]


@cache
def _table() -> dict[str, Language]:
    rows = [line.split("|") for line in _lines(DATA / "languages.txt")]
    return {
        code.strip(): Language(code.strip(), *(tuple(column.split()) for column in columns)) for code, *columns in rows
    }


@cache
def _codes_by_name() -> dict[str, str]:
    return {name: language.code for language in _table().values() for name in language.names}


@lru_cache(maxsize=64)
def _languages_of(script: str) -> tuple[Language, ...]:
    return tuple(language for language in _table().values() if script in language.scripts)


@lru_cache(maxsize=64)
def _clues(script: str) -> Clues:
    languages = _languages_of(script)
    return Clues(
        tuple(language.code for language in languages),
        _values(script, WORD_WEIGHT, [stopwords(language.code) for language in languages]),
        _values(script, LETTER_CLUE_WEIGHT, [language.letters for language in languages]),
        _values(script, ENDING_WEIGHT, [language.endings for language in languages]),
    )


def _values(script: str, weight: float, clues: list[Collection[str]]) -> Values:
    """w · log(1 + N / k_c) and the languages of every clue, given the clues of each of the N languages.

    Serbian has clues in two scripts; those of the other one would only find stray foreign words.
    """
    known_to: defaultdict[str, list[int]] = defaultdict(list)
    for position, of_language in enumerate(clues):
        for clue in of_language:
            if _script(clue[0]) in ("", script):
                known_to[clue].append(position)
    value = [weight * log(1 + len(clues) / max(1, known)) for known in range(len(clues) + 1)]
    return {clue: (value[len(who)], tuple(who)) for clue, who in known_to.items()}


def _sample(text: str) -> str:
    """At most SAMPLE characters, from PIECES places, in lower case and composed as the word lists are."""
    if len(text) > SAMPLE:
        starts = range(0, len(text), -(-len(text) // PIECES))
        text = " ".join(text[start : start + SAMPLE // PIECES] for start in starts)
    return unicodedata.normalize("NFC", text).lower()


def _characters(sample: str) -> dict[str, int]:
    """How often each character stands in a sample, in the order of their codes."""
    codes = np.frombuffer(sample.encode("utf-32-le", "replace"), np.uint32)
    if codes.max(initial=0) >= _MAX_CODES:
        return dict(sorted(Counter(sample).items()))
    counts = np.bincount(codes)
    present = counts.nonzero()[0]
    return dict(zip(map(chr, present.tolist()), counts[present].tolist(), strict=True))


@lru_cache(maxsize=8192)
def _script(character: str) -> str:
    """The script of a letter, the first word of its Unicode name (CYRILLIC SMALL LETTER A); "" if it is no letter.

    Marks count as letters: two in five characters of Indic text are vowel signs.
    """
    if unicodedata.category(character)[0] not in "LM":
        return ""
    script = unicodedata.name(character, "").partition(" ")[0]
    return "KANA" if script in ("HIRAGANA", "KATAKANA") else script


def _main_script(characters: Mapping[str, int]) -> tuple[str, float]:
    """The script that carries most of the text, and its share; ("", 0.0) when there are too few letters."""
    letters: dict[str, float] = {}
    for character, count in characters.items():
        if script := _script(character):
            letters[script] = letters.get(script, 0) + count
    if letters.get("KANA", 0) > MIN_KANA_PER_IDEOGRAPH * letters.get("CJK", 0):
        letters["KANA"] += letters.pop("CJK", 0)
    if sum(count * max(1, LETTER_WEIGHT.get(script, 1)) for script, count in letters.items()) < MIN_LETTERS:
        return "", 0.0
    carried = {script: count * LETTER_WEIGHT.get(script, 1) for script, count in letters.items()}
    script = max(carried, key=carried.__getitem__)
    return script, carried[script] / sum(carried.values())


def _most_likely(words: Counter[str], characters: dict[str, int], clues: Clues) -> tuple[str | None, float]:
    """The language with the highest score, and a certainty that grows with its lead over the second.

        certainty = (1 - exp(-(best - second) / MARGIN)) · min(1, coverage / FULL_COVERAGE)

    Coverage is the share of the words that are function words of the language.  A language we do not know shares
    stray words with many, and so has little.  Of 5,500 program messages of 300 characters in 68 languages all
    verdicts above 0.8 were right, of those from 0.4 to 0.8 97 %, of those below 0.4 64 %.
    """
    score = _scores(words, characters, clues)
    best, second = sorted(range(len(score)), key=score.__getitem__, reverse=True)[:2]
    if not score[best]:
        return None, 0.0
    code = clues.codes[best]
    coverage = sum(words[word] for word in words.keys() & stopwords(code)) / words.total()
    lead = 1 - exp((score[second] - score[best]) / MARGIN)
    return code, lead * min(1.0, coverage / FULL_COVERAGE)


def _scores(words: Counter[str], characters: dict[str, int], clues: Clues) -> list[float]:
    known_words = clues.words
    endings: dict[str, int] = {}
    for word in words:
        if len(word) > ENDING + 1 and word not in known_words:
            ending = word[-ENDING:]
            endings[ending] = endings.get(ending, 0) + 1
    score = [0.0] * len(clues.codes)
    for seen, values in ((words, known_words), (characters, clues.letters), (endings, clues.endings)):
        for clue in filter(values.__contains__, seen):
            value, known_to = values[clue]
            value *= sqrt(seen[clue])
            for position in known_to:
                score[position] += value
    return [value * LANGUAGE_WEIGHT.get(code, 1.0) for code, value in zip(clues.codes, score, strict=True)]

"""Where sentences end, in any script.  Paper 003, section 3.3.

    . ! ? …            before white space, when what follows does not go on in small letters; closing quotes, brackets
                       and the numbers of notes behind the mark belong to the sentence
    。！？ । ؟ ። ។ …    anywhere: these scripts need no white space behind them
    Thai and Lao       have no such marks; a space ends a phrase there, and a phrase of ten letters counts

A dot behind an abbreviation, an initial or a number at the start ends nothing.  A sentence has three words or more
(five letters in Chinese, Japanese and Korean writing); in English it also has a verb (`verbs.has_verb`).  For other
languages there is no verb test here; instead their last sentence must have its mark too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from thresher.layout.verbs import has_verb

__all__ = ["count", "sentences"]

_CLOSING = "\"'”’»)\\]›」』）"
_LATIN = ".!?…"
# One set of characters to begin with: the search skips to the next of them.
_STOP = re.compile(rf"[{_LATIN}。！？｡．।॥؟۔።፧។။։]+[{_CLOSING}]*(?:\[[\d,\s–-]+\])*")
_SPACE = re.compile(r"(?<=[\u0e00-\u0eff])\s+(?=[\u0e00-\u0eff])")
_LAST_WORD = re.compile(r"(?:\w\.)*[\w-]+$")
_NEXT = re.compile(r"(?:\s+|$)[\"'“‘«(\[‹]*(\w?)")
_WORD = re.compile(r"\w+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_THAI = re.compile(r"[\u0e00-\u0eff]")
_ENDED = re.compile(rf"[.!?…:。！？｡．।॥؟۔።፧។။։][{_CLOSING}]*(?:\[[\d,\s–-]+\])*\s*$")
_ABBREVIATIONS = frozenset(
    """
    mr mrs ms dr prof st sr jr vs etc e.g i.e cf al fig figs eq eqs no nos vol vols pp p ed eds rev sec ch approx dept
    inc ltd co corp univ jan feb mar apr jun jul aug sep sept oct nov dec ca resp tab ref refs z.b d.h bzw
    u.a usw nr abs bd hrsg art núm pág sig av ej ud uds sra dott ecc pag г ул т.е т.д т.п руб стр им см др
    """.split()
)
_WORDS, _LETTERS, _PHRASE = 3, 5, 10


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, the last one also where it has no mark at its end."""
    start = 0
    for match in _SPACE.finditer(text) if not text.isascii() and _THAI.search(text) else _STOP.finditer(text):
        if match[0][0] in _LATIN and not _ends(text, start, match):
            continue
        yield text[start : match.end()]
        start = match.end()
    if text[start:].strip():
        yield text[start:]


def count(text: str, english: bool, enough: int = 2) -> int:
    """The number of sentences of a text; counting stops when there are enough."""
    found = 0
    for sentence in sentences(text):
        found += _is_sentence(sentence, english)
        if found == enough:
            break
    return found


def _is_sentence(sentence: str, english: bool) -> bool:
    if english:
        return len(sentence.split()) >= _WORDS and has_verb(sentence)
    if _THAI.search(sentence):
        return len(_THAI.findall(sentence)) >= _PHRASE
    if not _ENDED.search(sentence):
        return False
    return len(_WIDE.findall(sentence)) >= _LETTERS or len(_WORD.findall(sentence)) >= _WORDS


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether dots, marks of surprise or of a question end a sentence."""
    follows = _NEXT.match(text, match.end())
    if follows is None or follows[1].islower():
        return False
    if match[0] != ".":  # more marks than one, or a quotation ends with it
        return True
    word = _LAST_WORD.search(text, max(start, match.start() - 20), match.start())
    if word is None:
        return True
    last = word[0].lower()
    initial = len(last) == 1 and last.isalpha() and word[0].isupper()
    numbered = last.isdigit() and not text[start : word.start()].strip()
    return not (initial or numbered or last in _ABBREVIATIONS)

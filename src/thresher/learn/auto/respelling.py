"""A page as it would be in another script, so that training sees more than Latin letters.

The labelled pages are nearly all English.  Words, capitals, lengths, sentence ends differ in other scripts, the markup
does not.  So the words of a page are spelled anew, each always alike, and its labels stay what they are:

    ideographs   a third as many characters, no spaces, full stops 。           Chinese, Japanese
    unspaced     as many letters, spaces only after punctuation, no stops       Thai, Lao, Khmer
    spaced       letter by letter, without capitals                             Arabic, Hebrew, Hindi, Cyrillic
"""

from __future__ import annotations

import re
from collections.abc import Callable
from zlib import crc32

__all__ = ["SCRIPTS", "respelled"]

_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’][A-Za-z\u00c0-\u024f]+)*")
# What is no text: elements whose content is code, comments, tags, character references.
_MARKUP = re.compile(
    r"<(script|style|title|textarea|noscript)\b.*?</\1\s*>|<!--.*?-->|<[^<>]*>|&#?\w+;", re.IGNORECASE | re.DOTALL
)
_HAN, _THAI, _ARABIC = 0x4E00, 0x0E01, 0x0627
_FREQUENT, _CONSONANTS, _LETTERS = 2_400, 46, 26
_SPACES = re.compile(r"(?<=[\u0e01-\u0e2e\u3001-\u9fff\uff01-\uff1f]) +(?=[\u0e01-\u0e2e\u4e00-\u9fff])")
_FULL_WIDTH = {", ": "，", ". ": "。", "? ": "？", "! ": "！", ": ": "："}


def respelled(html: str, script: str) -> str:
    """The source of a page with its words in another script, one of SCRIPTS; tags and code stay."""
    spell = SCRIPTS[script]
    pieces: list[str] = []
    at = 0
    for match in _MARKUP.finditer(html):
        pieces += spell(html[at : match.start()]), match[0]
        at = match.end()
    pieces.append(spell(html[at:]))
    return "".join(pieces)


def _ideographs(text: str) -> str:
    text = _WORD.sub(lambda word: _spelled(word[0], -(-len(word[0]) // 3), _HAN, _FREQUENT), text)
    for mark, wide in _FULL_WIDTH.items():
        text = text.replace(mark, wide)
    text = text.rstrip(".") + "。" if text.endswith(".") else text
    return _SPACES.sub("", text)


def _unspaced(text: str) -> str:
    text = _WORD.sub(lambda word: _spelled(word[0], len(word[0]), _THAI, _CONSONANTS), text)
    return _SPACES.sub("", text).replace(".", " ").replace(",", " ")


def _spaced(text: str) -> str:
    return _WORD.sub(lambda word: _spelled(word[0], len(word[0]), _ARABIC, _LETTERS), text)


def _spelled(word: str, length: int, first: int, letters: int) -> str:
    """So many characters from first … first + letters - 1, the same for the same word in any case."""
    seed = crc32(word.lower().encode())
    result = []
    for _ in range(length):
        seed = (seed * 1_103_515_245 + 12_345) % (1 << 31)
        result.append(chr(first + (seed >> 8) % letters))
    return "".join(result)


SCRIPTS: dict[str, Callable[[str], str]] = {"ideographs": _ideographs, "unspaced": _unspaced, "spaced": _spaced}

"""Text -> sentences, in any script, without a dictionary of the language.

A line end always ends a sentence: in extracted text it is the end of a block.  Within a line there are three kinds of
scripts:

    stops of their own    。 ！ ？ । ॥ ؟ ۔ ። ។ ။ ։ ། end a sentence wherever they stand
    . ! ? …               end one before white space, unless what follows starts with a small letter, or the dot
                          belongs to an initial ("J. Smith"), an abbreviation ("Dr."), a number at the start
                          ("2. Methods") or, in languages that write ordinals so, any ("am 3. Oktober")
    no stops at all       Thai and Lao put a space between sentences and clauses: pieces are taken together until they
                          are as long as a short sentence

Quotation marks and brackets that close, and the numbers of notes (`[12]`), stay with the sentence they stand behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

__all__ = ["sentence_pieces", "sentences"]

_CLOSERS = "\"'”’»›）)】」』》〉］\\]"
_OWN_STOPS = "。！？｡．।॥؟۔።፧។៕။։།"
_STOPS = ".!?…\u037e"
# A row of stops that ends nothing is tried from its start only.
_NOTES = r"(?:\[[\d,\s–-]+\])*"
_END = re.compile(rf"[{_OWN_STOPS}]+[{_CLOSERS}]*{_NOTES}\s*|(?<![{_STOPS}])[{_STOPS}]+[{_CLOSERS}]*{_NOTES}(?:\s+|$)")
_NO_STOPS = re.compile("[\u0e01-\u0edf]")  # Thai and Lao
_CLAUSES = re.compile(r"\S+\s*")
_MIN_UNSPACED_SENTENCE = 60  # characters of Thai or Lao that make a sentence
_TOKEN = re.compile(r"[^\s(\[{\"'“„«‘]+$")  # what stands before a stop
_MAX_TOKEN_LENGTH = 24  # characters of it
# Languages in which a dot behind a number makes it an ordinal.
_ORDINALS = frozenset("cs da de et fi fo hr hu is lb lv nb nn no pl sk sl sr tr".split())
_ABBREVIATIONS = frozenset(
    """
    abs adm akad al approx apr art asst aug av ave bd bldg blvd brig bzgl bzw ca cap capt cf ch cia co col corp cpl
    d.h dec dept det dir dott dr dra e.g ecc ed eds eg ej eq eqs esp est etc ev evtl ex exc excl feb fig figs fr ft
    g.p gal geb gen ggf gov gr ha hon hr hrsg i.e i.v ibid inc incl ing inkl insp jan jr jul jun kap lic lt ltd m.a
    maj mar max md mgr min mio misc mlle mm mme mmes mon mr mrd mrs ms mt n.b no nos nov nr núm núms oct okt op p
    p.s pag par pfc pgs ph.d phd pl pp pres prof pt pvt pág rd red ref refs rep resp rev s.a s.o sec sen sep sept
    sgt sig sog sr sra srta st sta ste str tab tel u.a u.s ud uds univ usw v.a v.chr vgl vol vols vs z.b zzgl
    г гг ул д др им пр проф руб см стр т.д т.е т.п тел тыс млн млрд в вв напр обл
    """.split()
)


def sentences(text: str, language: str | None = None, most: int | None = None) -> list[str]:
    """The sentences of a text, white space collapsed; at most so many.

    `language` is an ISO 639-1 code, if it is known; it matters for numbers with a dot only.
    """
    collapsed = (" ".join(piece.split()) for piece in sentence_pieces(text, language))
    return list(islice(filter(None, collapsed), most))


def sentence_pieces(text: str, language: str | None = None) -> Iterator[str]:
    """The text, cut where a sentence ends."""
    for line in text.splitlines(keepends=True):
        for piece in _by_stops(line, language or ""):
            yield from _by_spaces(piece) if _NO_STOPS.search(piece) else (piece,)


def _by_stops(line: str, language: str) -> Iterator[str]:
    start = 0
    for match in _END.finditer(line):
        if _ends(line, start, match, language):
            yield line[start : match.end()]
            start = match.end()
    if start < len(line):
        yield line[start:]


def _ends(line: str, start: int, match: re.Match[str], language: str) -> bool:
    """Whether a stop ends the sentence that begins at `start`."""
    if match[0][0] in _OWN_STOPS or match.end() == len(line):
        return True
    following = line[match.end() : match.end() + 1]
    if following.islower():
        return False
    if not re.fullmatch(r"\.\s+", match[0]):  # more than a dot, or one that a quotation mark follows
        return True
    before = _TOKEN.search(line, max(start, match.start() - _MAX_TOKEN_LENGTH), match.start())
    if before is None:
        return True
    word = before[0]
    if len(word) == 1 and word.isalpha() and word.isupper():
        return False
    if word.isdigit() and len(word) <= 2 and (language in _ORDINALS or not line[start : before.start()].strip()):
        return False
    return word.lower() not in _ABBREVIATIONS


def _by_spaces(piece: str) -> Iterator[str]:
    """Clauses of a script without stops, taken together until they make a sentence."""
    start = size = 0
    for clause in _CLAUSES.finditer(piece):
        size += len(clause[0].rstrip())
        if size >= _MIN_UNSPACED_SENTENCE:
            yield piece[start : clause.end()]
            start, size = clause.end(), 0
    if start < len(piece):
        yield piece[start:]

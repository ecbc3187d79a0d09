"""Bytes to text, in the order of the WHATWG standards, but believing the bytes before what is said of them.

    1  byte order mark                                          source "bom"
    2  the caller's charset, from the HTTP header               "transport"
    3  <meta charset>, or the XML declaration                   "meta"
    4  well-formed UTF-8                                        "utf-8"
    5  the pattern of NUL bytes, JIS escapes, words, cchardet   "detector"
    6  windows-1252                                             "fallback"

Decoders follow https://encoding.spec.whatwg.org (decoders.py), the search for a meta follows HTML (prescan.py).

A browser obeys the first declaration it meets, and shows rubbish where that was wrong.  Departures, to keep
the text:

- A page that is well-formed UTF-8 with characters beyond ASCII is UTF-8, whatever it declares.  Others do not
  get there by accident: each lead byte needs exactly its number of continuation bytes after it, and in legacy
  text a word or two breaks that.  (A page whose only foreign text is one or two GBK characters can.)
- A declared encoding that damages the text, with U+FFFD in more than a few places, is passed over.  So is one in which
  it reads like no language, if it does in another (legible.py): Russian that says ISO-8859-1, Big5 that says GB2312.
- A transport label of ISO-8859-1 or ASCII comes after the meta: it was the default of HTTP (RFC 2616, 3.7.1),
  and servers and libraries still say it when nobody told them anything.
- ISO 8859 gives way to the Windows code page built on it where the page has bytes 80–9F, in ISO 8859 control
  characters.  The standard does the same to ISO-8859-1, -9 and -11.
- A label of the replacement encoding (hz-gb-2312, iso-2022-kr …), whose pages browsers refuse since markup can hide
  there, makes the page one U+FFFD, as the standard has it, unless the page is well-formed UTF-8 as above.
- UTF-32 is known, and the labels of GBK mean gb18030, which extends it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from thresher.parse.encoding.codecs import ESCAPE, convert, utf8
from thresher.parse.encoding.declared import WIDE, encoding_named, encoding_of, prescan
from thresher.parse.encoding.guess import guess_encoding, is_misread

__all__ = ["Decoded", "decode", "wide"]

Source = Literal["bom", "transport", "meta", "utf-8", "detector", "fallback"]
Claim = tuple[Source, str]  # who says so, and the encoding

_SAMPLE = 65_536  # bytes a verdict on an encoding is based on
_NUL_SAMPLE = 4096  # bytes in which NULs are counted
_MIN_NULS = 20  # one byte in so many is NUL in UTF-16, whatever the language, for tags are ASCII
_ASCII, _HIGH = bytes(range(0x80)), bytes(range(0x80, 0x100))
_REFUSED = "replacement"
_STATEFUL = WIDE | {"iso-2022-jp"}  # cannot be read from the middle
_BOMS = (  # UTF-32LE begins like UTF-16LE, so it comes first
    (b"\xff\xfe\0\0", "utf-32le"),
    (b"\0\0\xfe\xff", "utf-32be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16le"),
    (b"\xfe\xff", "utf-16be"),
)


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page as UTF-8, which is what parsers read, and how it was read."""

    utf8: bytes
    encoding: str  # WHATWG name in lower case
    source: Source
    replaced: int  # U+FFFD that stand for invalid bytes; those the page itself contains do not count

    @property
    def text(self) -> str:
        return self.utf8.decode()


def decode(data: bytes | bytearray | memoryview, transport: str | None = None) -> Decoded:
    """Decode a page; `transport` is the charset of its HTTP header.  Never raises; the BOM is not in the text."""
    data = bytes(data)
    mark, encoding = next((bom for bom in _BOMS if data.startswith(bom[0])), (b"", "utf-8"))
    body = data[len(mark) :]
    if encoding in WIDE:
        return _decoded(body, encoding, "bom")
    claims: list[Claim] = [("bom", "utf-8")] if mark else []
    claims += _claims(body, transport)
    if claims and claims[0][1] == _REFUSED and (body.isascii() or not _is_utf8(body)):
        return Decoded("\ufffd".encode() if body else b"", _REFUSED, claims[0][0], len(body[:1]))
    hidden = wide(body) or (_escaped(body, claims) if body.isascii() else None)
    if hidden:
        return _decoded(body, hidden, next((source for source, name in claims if name == hidden), "detector"))
    return _well_formed(body, claims) if _is_utf8(body) else _doubtful(body, claims)


def _is_utf8(body: bytes) -> bool:
    """Whether the bytes are UTF-8 without an error.

    Decoding answers that.  Only what is beyond ASCII can be wrong, so of all words of eight bytes only those with such
    bytes are decoded, each with the word behind it, which keeps what is in it apart from the next.
    """
    if body.isascii():
        return True
    words = np.frombuffer(body, np.uint64, len(body) // 8)
    beyond = (words & _TOP_BITS) != 0
    kept = beyond.copy()
    kept[1:] |= beyond[:-1]
    try:
        (words[kept].tobytes() + body[8 * len(words) :]).decode()
    except UnicodeDecodeError:
        return False
    return True


_TOP_BITS = np.uint64(0x8080808080808080)


def _well_formed(body: bytes, claims: list[Claim]) -> Decoded:
    """UTF-8 without an error.  Pure ASCII is the same in whatever the page declares, so let it be that."""
    ascii_only = body.isascii()
    for source, encoding in claims:
        if encoding == "utf-8" or (ascii_only and encoding not in WIDE):
            return Decoded(body, encoding, source, 0)
    return Decoded(body, "utf-8", "utf-8", 0)


def _doubtful(body: bytes, claims: list[Claim]) -> Decoded:
    """Not quite UTF-8, or not at all: a cut download, a page in two encodings, a legacy encoding.

    UTF-8 with one error to twenty characters: no other encoding has so many well-formed sequences.  With one
    to one it still saves more than any other reading, if the page says so.  A cut last character is no error.
    """
    text, errors, cut = utf8(body)
    multibyte = len(text) - errors - cut - len(body.translate(None, _HIGH))
    if 0 < multibyte >= 20 * errors:
        source: Source = next((source for source, name in claims if name == "utf-8"), "utf-8")
        return Decoded(text.encode(), "utf-8", source, errors + cut)
    prose = _prose(body)
    for source, declared in claims:
        encoding = _windows(declared, body)
        if encoding == "utf-8":
            if errors <= multibyte:
                return Decoded(text.encode(), "utf-8", source, errors + cut)
        elif _believable(body[:_SAMPLE] if encoding in _STATEFUL else prose, encoding):
            other = None if encoding in _STATEFUL else is_misread(prose, encoding)
            if other and _believable(prose, other):
                return _decoded(body, _windows(other, body), "detector")
            return _decoded(body, encoding, source)
    guess = _detect(prose)
    return _decoded(body, guess, "detector") if guess else _decoded(body, "windows-1252", "fallback")


# What is said of the page


def _claims(body: bytes, transport: str | None) -> Iterator[Claim]:
    """The declarations, the most trusted first."""
    given, declared = encoding_named(transport) if transport else None, prescan(body)
    by_default = given == "windows-1252" and "1252" not in (transport or "")
    if given and not by_default:
        yield "transport", given
    if declared:
        yield "meta", declared
    if given and by_default:
        yield "transport", given


# What the bytes show


def wide(body: bytes) -> str | None:
    """UTF-16 or UTF-32 without a BOM.  Markup is ASCII, so one byte in two of it is NUL, or three in four."""
    head = body[:_NUL_SAMPLE]
    if head.count(0) < 2:
        return None
    first, second, third, fourth = (head[i::4].count(0) for i in range(4))
    even, odd = first + third, second + fourth
    quads = len(head) // 4
    if fourth >= quads > first and third >= 0.9 * quads:
        encoding = "utf-32le"
    elif first >= quads > fourth and second >= 0.9 * quads:
        encoding = "utf-32be"
    elif max(even, odd) >= max(0.1 * len(head), 10 * min(even, odd)):
        encoding = "utf-16le" if odd > even else "utf-16be"
    else:
        return None
    return encoding if _believable(head, encoding) else None


def _escaped(body: bytes, claims: list[Claim]) -> str | None:
    """ISO-2022-JP: seven bits, so well-formed UTF-8; ESC $ B switches to kanji, ESC ( B back to ASCII.

    Logs of terminals have ESC ( B too: against a declaration, only kanji without an error count.
    """
    if b"\x1b" not in body or not (escapes := ESCAPE.findall(body)):
        return None
    name = "iso-2022-jp"
    if not claims or any(encoding == name for _, encoding in claims):
        return name
    kanji = any(escape.startswith(b"$") for escape in escapes)
    return name if kanji and convert(body, name)[1] == 0 else None


# Those whose letters are nearly all at the same places; in Cyrillic and Arabic they are not.
_BUILT_ON = {
    "iso-8859-2": "windows-1250",
    "iso-8859-7": "windows-1253",
    "iso-8859-8": "windows-1255",
    "iso-8859-8-i": "windows-1255",
    "iso-8859-13": "windows-1257",
    "iso-8859-15": "windows-1252",
}


def _windows(encoding: str, body: bytes) -> str:
    """The Windows code page built on an ISO 8859 encoding, if the page has bytes that are text only there."""
    if encoding in _BUILT_ON and re.search(rb"[\x80-\x9f]", body):
        return _BUILT_ON[encoding]
    return encoding


def _prose(body: bytes) -> bytes:
    """What to judge an encoding by: stretches between tags that are not ASCII, within 64 KB of the first.

    A page can begin with 100 KB of scripts, or be 20 MB of something else.  Tags can be cut out before
    decoding because no multi-byte encoding of the standard has < or > inside a character.
    """
    first = re.search(rb"[\x80-\xff]", body)
    start = first.start() if first else 0
    runs = re.split(rb"[<>]", body[start : start + _SAMPLE])
    return b"\n".join(run for run in runs if not run.isascii())


def _believable(sample: bytes, encoding: str) -> bool:
    """Whether an encoding leaves the text nearly whole.  The end of a sample is cut: one error is nothing."""
    if encoding in WIDE and _MIN_NULS * sample.count(0) < len(sample):
        return False  # 8-bit markup reads as Chinese in UTF-16, without an error
    text, errors = convert(sample, encoding)
    return errors <= 1 + _beyond_ascii(text) // 10


def _beyond_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


# The detector's names that are not labels.  KOI8-U is KOI8-R with Ukrainian letters for some of the boxes.
_DETECTOR_NAMES = {"uhc": "euc-kr", "maccyrillic": "x-mac-cyrillic", "koi8-r": "koi8-u"}


def _detect(prose: bytes) -> str | None:
    """The encoding in which the text reads like a language, else cchardet's; None where windows-1252 is better."""
    high = len(prose.translate(None, _ASCII))
    if high < 8:
        return None  # two Chinese characters are "KOI8-R, confidence 1.0"
    import cchardet  # most pages never need it

    detected = cchardet.detect(prose)
    label = (detected["encoding"] or "").lower()
    name = encoding_of(_DETECTOR_NAMES.get(label, label))
    legible = guess_encoding(prose, name)
    if legible and _believable(prose, legible):
        return _windows(legible, prose)
    if name is None or name == "utf-8" or name in WIDE or (detected["confidence"] or 0) < 0.5:
        return None
    encoding = _windows(name, prose)
    return encoding if _plausible(*convert(prose, encoding)) else None


def _plausible(text: str, errors: int) -> bool:
    """Whether prose, decoded, is in a language for which the detector's answer matters.

    English with a few accents, currency signs and curly quotes is "windows-1250, confidence 0.8" to cchardet.
    Where the encoding is needed, other scripts come in whole words, more than one Latin letter in fifty has a
    diacritic, and there are at least three different ones (Slovene has č, š and ž; jalapeño has only one).
    Of 627 pages (nearly all English) turned into windows-1252, this leaves 3 misread.
    """
    controls = len(re.findall("[\x80-\x9f]", text))
    if 50 * (errors + controls) > _beyond_ascii(text):
        return False
    letters = [character for character in text if character.isalpha()]
    latin = [letter for letter in letters if "\x7f" < letter < "\u0370"]
    other = [letter for letter in letters if letter >= "\u0370"]
    if len({*latin, *other}) < 3:
        return False
    if len(latin) >= len(other):
        return 50 * len(latin) > len(letters)
    return sum(map(len, re.findall("[\u0370-\U0010ffff]{2,}", text))) > 0.8 * len(other)


def _decoded(body: bytes, encoding: str, source: Source) -> Decoded:
    text, errors = convert(body, encoding)
    return Decoded(text.encode(), encoding, source, errors)

"""Text from bytes in one known encoding, as the WHATWG's decoders read it, where Python's codecs differ.

Decoders follow https://encoding.spec.whatwg.org.  Which encoding a page is in is decode.py's question.
"""

from __future__ import annotations

import codecs
from functools import cache

from thresher.text.patterns import compile_later

__all__ = ["ESCAPE", "convert", "utf8"]

ESCAPE = compile_later(rb"\x1b(\$[@B]|\([BIJ])")  # the escapes of ISO-2022-JP
_ASCII, _HIGH = bytes(range(0x80)), bytes(range(0x80, 0x100))
_MARK = "\udfff"  # stands for an error until errors are counted: no decoder yields half a surrogate pair
_CODECS = {
    "gb18030": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc-jp": "euc_jp",
    "euc-kr": "cp949",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "utf-32le": "utf-32-le",
    "utf-32be": "utf-32-be",
}
_CODECS_OF_PAIRS = frozenset({"gb18030", "big5hkscs", "cp932", "euc_jp", "cp949"})
_LEADS = frozenset(range(0x81, 0xFF))
_EUC_JP_LEADS = frozenset({0x8E, 0x8F, *range(0xA1, 0xFF)})
_SINGLE_BYTE = {  # Python's names, where the standard's are not known to it
    "iso-8859-8-i": "iso-8859-8",
    "x-mac-cyrillic": "mac_cyrillic",
    "windows-874": "cp874",
    "x-user-defined": "ascii",
}
_AMENDED = {  # where the standard's index has a character and Python's table another or none
    "koi8-u": {0xAE: "ў", 0xBE: "Ў"},
    "windows-1255": {0xCA: "\u05ba"},
    "x-user-defined": {byte: chr(0xF700 + byte) for byte in _HIGH},
}
_RESPELLED = {  # punctuation as Python reads it, and as Windows and the standard do
    "big5": ("•､‾∼♁☉¥¢£", "‧﹑¯～⊕⊙￥￠￡"),
    "euc-jp": ("〜‖−¢£¬", "～∥－￠￡￢"),
    "iso-2022-jp": ("〜‖−¢£¬", "～∥－￠￡￢"),
}
_TO_EUC = bytes(byte | 0x80 if 0x21 <= byte <= 0x7E else byte for byte in range(0x100))


def utf8(body: bytes) -> tuple[str, int, int]:
    """Text with U+FFFD for errors, their number, and 1 if the end cuts a character (also U+FFFD), else 0."""
    text, used = codecs.utf_8_decode(body, "replace", False)
    # The page's own U+FFFD is EF BF BD; EF starts a sequence wherever it stands, so counting bytes is exact.
    errors = text.count("\ufffd") - body.count(b"\xef\xbf\xbd")
    cut = int(used < len(body))
    return text + "\ufffd" * cut, errors, cut


def convert(body: bytes, encoding: str) -> tuple[str, int]:
    """Text with U+FFFD for errors, and their number, in any encoding but UTF-8."""
    if encoding == "iso-2022-jp":
        text = _iso_2022_jp(body)
    elif encoding in _CODECS:
        text = body.decode(_CODECS[encoding], "thresher-mark")
    else:
        text = codecs.charmap_decode(body, "thresher-mark", _table(encoding))[0]
    for python, standard in zip(*_RESPELLED.get(encoding, ("", "")), strict=True):
        text = text.replace(python, standard)
    errors = text.count(_MARK)
    return (text.replace(_MARK, "\ufffd") if errors else text), errors


@cache
def _table(encoding: str) -> str:
    """The 256 characters of a single-byte encoding; U+FFFE, "undefined" to charmap_decode, where it has none.

    Bytes 80–9F that a Windows code page leaves undefined are C1 controls in the standard, errors in Python.
    """
    table = list((_ASCII + _HIGH).decode(_SINGLE_BYTE.get(encoding, encoding), "replace"))
    for byte, character in enumerate(table):
        if character == "\ufffd":
            table[byte] = chr(byte) if byte < 0xA0 else "\ufffe"
    for byte, character in _AMENDED.get(encoding, {}).items():
        table[byte] = character
    return "".join(table)


def _iso_2022_jp(body: bytes) -> str:
    """Runs between escapes, each in the set that its escape names: ASCII, JIS X 0201, JIS X 0208."""
    first, *rest = ESCAPE.split(body)
    runs = [first.decode("ascii", "thresher-mark")]
    for escape, run in zip(rest[::2], rest[1::2], strict=True):
        if escape.startswith(b"$"):
            text = run.translate(_TO_EUC).decode("euc_jp", "thresher-mark")
        elif escape == b"(I":
            text = run.translate(_TO_EUC).decode("cp932", "thresher-mark")
        else:
            text = run.decode("ascii", "thresher-mark")
        runs.append(text.replace("\\", "¥").replace("~", "‾") if escape == b"(J" else text)
    return "".join(runs)


def _mark_error(error: UnicodeError) -> tuple[str, int]:
    """Codec error handler: the character, where the standard has one and Python none; else `_MARK`.

    Python steps over one byte of a bad pair, and then reads the rest of the line one byte out of step.  The
    standard takes the pair, unless the second byte is ASCII: that may be the < of a tag.
    """
    if not isinstance(error, UnicodeDecodeError):
        raise error
    codec, start = error.encoding, error.start
    lead, *trail = error.object[start : start + 3]
    if codec == "gb18030" and lead == 0x80:
        return "€", start + 1
    leads = _EUC_JP_LEADS if codec == "euc_jp" else _LEADS
    if codec not in _CODECS_OF_PAIRS or lead not in leads or not trail or trail[0] < 0x80:
        return _MARK, error.end
    if codec == "big5hkscs" and (lead, trail[0]) == (0xA3, 0xE1):
        return "€", start + 2
    if codec == "euc_jp" and lead == 0x8F:  # JIS X 0212, three bytes
        return _MARK, start + 3 if len(trail) == 2 and trail[1] >= 0x80 else start + 2
    return (_extended_jis(lead, trail[0]) if codec == "euc_jp" else _MARK), start + 2


def _extended_jis(lead: int, trail: int) -> str:
    """①, ㈱, 髙: the NEC and IBM rows of JIS X 0208, which Python's EUC-JP lacks, by way of Shift_JIS.

    Shift_JIS has two rows of 94 behind each lead byte; its leads skip A0–DF, its trails 7F.
    """
    row, cell = lead - 0xA1, trail - 0xA1
    if not (0 <= row < 94 and 0 <= cell < 94):
        return _MARK
    row, cell = divmod(94 * row + cell, 188)
    shifted = bytes((row + (0x81 if row < 31 else 0xC1), cell + (0x40 if cell < 63 else 0x41)))
    return shifted.decode("cp932", "replace").replace("\ufffd", _MARK)[0]


codecs.register_error("thresher-mark", _mark_error)

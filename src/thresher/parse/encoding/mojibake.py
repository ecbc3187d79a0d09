"""UTF-8 that somebody read as windows-1252 and saved again: "weâ€™re" is "we’re".

The page's own bytes are sound, so no decoder can help: the damage is in the text.  A run of characters that
windows-1252 has beyond ASCII, written in windows-1252 again, is the UTF-8 that it once was.

    "â€" and a third character     no language writes that, so it is undone wherever it stands
    other runs ("Ã©", "Ð¿")        are undone where the page has three or more, and nine in ten of its letters from
                                   Â to ô begin one

A page on programming that shows the damage has it in quotation marks: where one run in three stands behind one, all
stay.
"""

from __future__ import annotations

import re

from thresher.parse.survey import Survey, survey
from thresher.text.patterns import compile_later

__all__ = ["repaired"]

_MIN_RUNS = 3
_MIN_SHARE = 0.9
_PUNCTUATION = "â€"  # what begins quotation marks, dashes and ellipses, read so

# Windows-1252 for the bytes 80 to 9F; five of them have no character, and stay the control characters they are.
_HIGH = bytes(range(0x80, 0xA0)).decode("windows-1252", "ignore") + "\x81\x8d\x8f\x90\x9d"
# All that follows looks at UTF-8: the lead of a run, a letter from Â to ô, begins with C3, which is soon found.
_BEHIND = b"(?:" + b"|".join(re.escape(letter.encode()) for letter in _HIGH) + rb"|\xc2[\xa0-\xbf])"
_RUN = compile_later(rb"\xc3(?:[\x82-\x9f]%b|[\xa0-\xaf]%b{2}|[\xb0-\xb4]%b{3})" % (_BEHIND, _BEHIND, _BEHIND))
_LEAD = compile_later(rb"\xc3[\x82-\xb4]")
_SHORT_RUN = compile_later(rb"\xc3[\x82-\xb4]%b" % _BEHIND)


def repaired(source: bytes, seen: Survey | None = None) -> tuple[bytes, int]:
    """A page in UTF-8 with such runs undone, and how many there were; most pages have none, as a survey tells."""
    if not survey(source, seen).may_be_misread:
        return source, 0
    runs = [run for run in _RUN.findall(source) if _undone(run) != run]
    if not runs or 3 * sum(map(_is_quoted, _SHORT_RUN.finditer(source))) >= len(runs):
        return source, 0
    if len(runs) < _MIN_RUNS or len(runs) < _MIN_SHARE * len(_LEAD.findall(source)):
        runs = [run for run in runs if run.startswith(_PUNCTUATION.encode())]
    kinds = set(runs)
    return _RUN.sub(lambda run: _undone(run[0]) if run[0] in kinds else run[0], source), len(runs)


def _is_quoted(run: re.Match[bytes]) -> bool:
    return run.string[run.start() - 1 : run.start()] in (b'"', b"'")


def _undone(run: bytes) -> bytes:
    """The UTF-8 that a run once was; the run itself where it was none."""
    once = b"".join(map(_byte, run.decode()))
    try:
        once.decode()
    except UnicodeDecodeError:
        return run
    return once


def _byte(character: str) -> bytes:
    return bytes([ord(character)]) if ord(character) < 0x100 else character.encode("windows-1252")

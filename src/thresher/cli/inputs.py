"""Inputs of the command line: files, gzipped files, standard input."""

from __future__ import annotations

import gzip
import re
import sys
import zlib
from pathlib import Path

from thresher.errors import ThresherError

__all__ = ["InputError", "plain", "read"]

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class InputError(ThresherError):
    """An input that cannot be read."""


def read(source: str) -> bytes:
    """The bytes of a file, or of standard input for `-`; a name that ends in .gz is unpacked."""
    if re.match(r"https?://", source, re.IGNORECASE):
        raise InputError("fetching from the web is not built in yet: save the page and name the file, with --url URL")
    try:
        if source == "-":
            return sys.stdin.buffer.read()
        data = Path(source).read_bytes()
        return gzip.decompress(data) if source.endswith(".gz") else data
    except IsADirectoryError:
        raise InputError("this is a folder; name the files in it") from None
    except OSError as error:
        raise InputError((error.strerror or str(error)).lower()) from None
    except (EOFError, zlib.error):
        raise InputError("the gzip data is cut off or broken") from None


def plain(text: str) -> str:
    """Text that is safe to print on a terminal: names and messages may carry control characters."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)

"""Where scripts and styles stood in a page, and how long they were, for methods that read its source."""

from __future__ import annotations

import re

import numpy as np

from thresher.page.types import Ints
from thresher.text.patterns import compile_later

__all__ = ["removed_code"]

# A comment, or a script or style with its closing tag: nothing else in canonical markup holds their tags.
_CODE = compile_later(rb"<!--.*?-->|<(script|style)(?: [^>]*)?>.*?</\1>", re.DOTALL)
_TAGS = 2  # of each


def removed_code(whole: bytes, markup: bytes) -> Ints:
    """(k, 3) place in `markup`, characters, words and tags of the scripts and styles that only `whole` has.

    None are told where the two differ in something else, too: a formula that stood in a script, or markup in a frame.
    """
    spans = [match.span() for match in _CODE.finditer(whole) if match[1]]
    cuts = [0, *(edge for span in spans for edge in span), len(whole)]
    if b"".join(whole[a:b] for a, b in zip(cuts[::2], cuts[1::2], strict=True)) != markup:
        return np.zeros((0, 3), np.int32)
    rows, gone = [], 0
    for start, stop in spans:
        code = whole[start:stop]
        inside = code[code.index(b">") + 1 : code.rindex(b"<")]
        rows.append((start - gone, len(code.decode("utf-8", "replace")), len(inside.split()) + _TAGS))
        gone += stop - start
    return np.array(rows, np.int32).reshape(-1, 3)

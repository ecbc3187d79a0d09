"""The text of a source without its tags: for what follows where very many elements nest too deep."""

from __future__ import annotations

import re

from thresher.data.tags import BLOCK
from thresher.parse.budget.source_tags import RAW_TEXT
from thresher.text.patterns import compile_later

__all__ = ["flatten"]

# Comments, declarations, elements with raw text.
_NO_TEXT = compile_later(
    rb"<!--(?:-?>|.*?(?:--!?>|\Z))|<(?:[!?]|/[^a-z])[^>]*+(?:>|\Z)"
    rb"|<(" + b"|".join(sorted(RAW_TEXT)) + rb")(?=[\s/>]).*?(?:</\1(?=[\s/>])[^>]*+>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_REST_OF_TAG = rb"(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|))*+(?:>|\Z)"
_BLOCK_NAMES = "|".join(sorted(BLOCK, reverse=True)).encode()
_BLOCK_TAGS = compile_later(
    rb"(?:</?(?:" + _BLOCK_NAMES + rb")(?:>|(?=[\s/])" + _REST_OF_TAG + rb")\s*)+", re.IGNORECASE
)
_ANY_TAG = compile_later(rb"<(?!br>)/?[a-z]" + _REST_OF_TAG, re.IGNORECASE)


def flatten(source: bytes) -> tuple[bytes, int]:
    """The text, with a line break for each row of tags that has a block; and about how many elements there were."""
    source = _NO_TEXT.sub(b" ", source)
    elements = source.count(b"<") - source.count(b"</")
    return _ANY_TAG.sub(b" ", _BLOCK_TAGS.sub(b"<br>", source)), elements

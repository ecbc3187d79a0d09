"""What names say: class names, ids and roles that speak for content or against it.

Not in the paper, which has "etc." there.  A name is looked at once per page, however many elements have it.
"""

from __future__ import annotations

import re

import numpy as np

from thresher.page import Page, attributes
from thresher.page.types import Bools

__all__ = ["CUES", "cues"]

CUES = {
    "content": r"article|content|post|entry|story|body|text|main|prose|markdown|message|copy",
    "noise": r"nav|menu|side|foot|head(?!ing|line)|bread|crumb|share|social|relat|recommend|promo|banner|advert|sponsor"
    r"|(?:^|[\s_-])ads?(?:$|[\s_-])|widget|cookie|consent|newsletter|subscri|signup|login|search|pag(?:er|ination)|popular|trending"
    r"|tags?(?:$|[\s_-])|categor|archive|copyright|legal|toolbar|button|btn|modal|popup|toc|skip|rating|author|byline|meta|date|time",
    "discussion": r"comment|respon|repl(?:y|ies)|discuss|disqus|thread|topic|forum|post|message|question|answer",
    "person": r"author|byline|avatar|user|profile|member|signature|poster",
}
_PATTERNS = tuple(re.compile(pattern) for pattern in CUES.values())


def cues(page: Page) -> Bools:
    """(n, len(CUES)): which cues the class, id and role of each element give."""
    matches = np.zeros((len(page), len(CUES)), bool)
    for name in ("class", "id", "role"):
        row, code, values = attributes.distinct(page, name)
        if len(row):
            low = [value[:_MAX_NAME_LENGTH].lower() for value in values]
            table = np.array([[bool(pattern.search(value)) for pattern in _PATTERNS] for value in low])
            np.logical_or.at(matches, row, table[code])
    return matches


_MAX_NAME_LENGTH = 300  # characters; utility class names can run on for thousands

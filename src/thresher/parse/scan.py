"""Canonical markup -> columns.

The tags of the markup are found first (`markup_tags`).  Text nodes are the spans between them, gathered into one
buffer and unescaped; a walk over the tags with the open element at hand gives parents, ends and depths.  The loops
are those of `kernels`; everything is O(bytes).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher.data.tags import VOID, group
from thresher.page import Page
from thresher.page.types import Numbers
from thresher.parse.kernels import CLOSES, OPENS, OTHER, STANDS_ALONE, gather_texts, holds_raw_text, nest
from thresher.parse.markup_tags import TRAITS_OF_TAGS, MarkupTags, markup_tags

__all__ = ["scan"]

# Rows of the tables that the loops fill.
_ELEMENT_COLUMNS = ("parent", "end", "depth", "first", "last", "tag_start", "tag_stop")
_TEXT_COLUMNS = ("start", "stop", "position", "block", "owner")


def scan(markup: bytes, escaped: bool = False, **known: Any) -> Page | None:
    """The columns of canonical markup, as a Page, with what else is `known` of it.

    None when raw text stands in it whose `<` and `>` could be taken for tags, unless the caller has escaped it.
    """
    tags = markup_tags(markup)
    if not escaped and holds_raw_text(tags.start, tags.stop, tags.tag, tags.kind, TRAITS_OF_TAGS):
        return None
    columns = _columns(markup, tags)
    if columns is None:
        columns = _columns(markup, _paired_by_hand(markup, tags))
        assert columns is not None, "hand-made pairs are consistent"
    return Page(**columns, markup=markup, **known)


def _columns(markup: bytes, tags: MarkupTags) -> dict[str, Any] | None:
    """All columns; None where the tags do not pair up."""
    start, stop, tag, kind = (column.data for column in tags)
    size = len(tags.kind)
    texts, spaced, before = np.empty((5, size), np.int32), np.empty(size, np.bool_), np.empty(size + 1, np.int32)
    utf8 = np.empty(len(markup), np.uint8)
    used = gather_texts(markup, start, stop, tag, kind, TRAITS_OF_TAGS, utf8, texts, spaced.view(np.uint8), before)
    if used < 0:
        raise ValueError("markup in canonical form has no escapes but &lt; &gt; &amp; and &nbsp;")
    elements, names = np.empty((7, size), np.int32), np.empty(size, np.int16)
    rows = nest(start, stop, tag, kind, before, elements, names, texts)
    if rows < 0:
        return None
    count = before[-1]
    frozen = dict(zip(_ELEMENT_COLUMNS, _frozen(elements[:, :rows]), strict=True))
    frozen |= zip(_TEXT_COLUMNS, _frozen(texts[:, :count]), strict=True)
    return {**frozen, "tag": _frozen(names[:rows]), "spaced": _frozen(spaced[:count]), "utf8": utf8[:used].tobytes()}


def _frozen(column: Numbers) -> Numbers:
    """A copy, no larger than it must be, that is not to be written to, nor is any row of it."""
    copy = column.copy()
    copy.setflags(write=False)
    return copy


def _paired_by_hand(markup: bytes, tags: MarkupTags) -> MarkupTags:
    """The tags with kinds that pair up, found with a stack from the last tag to the first.

    In svg and math an element with a void name (`<svg><input>x</input></svg>`) has a closing tag.  Seen from
    the right, such an opening tag finds its own closing tag on top of the stack; a truly void one does not.
    An opening tag without a closing one stands alone, a closing tag without an opening one counts for nothing.
    """
    kind = tags.kind.copy()
    spans = zip((tags.start + 1 + (kind == CLOSES)).tolist(), (tags.stop - 1).tolist(), strict=True)
    names = [markup[a:b].split(b" ", 1)[0] for a, b in spans]
    stack: list[int] = []
    waiting: dict[bytes, int] = {}
    for k in (kind != OTHER).nonzero()[0][::-1].tolist():
        name = names[k]
        if kind[k] == CLOSES:
            stack.append(k)
            waiting[name] = waiting.get(name, 0) + 1
        elif stack and names[stack[-1]] == name:
            waiting[name] -= 1
            stack.pop()
            kind[k] = OPENS
        elif _IS_VOID[tags.tag[k]] or not waiting.get(name):
            kind[k] = STANDS_ALONE
        else:
            kind[k] = OPENS
            while stack:
                top = stack.pop()
                waiting[names[top]] -= 1
                if names[top] == name:
                    break
                kind[top] = OTHER
    kind[stack] = OTHER
    return tags._replace(kind=kind)


_IS_VOID = group(VOID)

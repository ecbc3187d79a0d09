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
from thresher.parse.kernels import (
    CLOSES,
    DONE,
    OPENS,
    OTHER,
    STANDS_ALONE,
    UNKNOWN_ESCAPE,
    UNPAIRED,
    holds_raw_text,
    read_columns,
)
from thresher.parse.markup_tags import TRAITS_OF_TAGS, MarkupTags, markup_tags

__all__ = ["scan"]

# Rows of the tables that the loops fill.
_ELEMENT_COLUMNS = ("parent", "end", "depth", "first", "last", "tag_start", "tag_stop")
_TEXT_COLUMNS = ("start", "stop", "position", "block", "owner")


def scan(markup: bytes, escaped: bool = False, tags: MarkupTags | None = None, **known: Any) -> Page | None:
    """The columns of canonical markup, as a Page, with what else is `known` of it.

    None when raw text stands in it whose `<` and `>` could be taken for tags, unless the caller has escaped it or knows
    from its tags that there is none.
    """
    if tags is None:
        tags = markup_tags(markup)
        if not escaped and holds_raw_text(*tags, TRAITS_OF_TAGS):
            return None
    result, columns = _columns(markup, tags)
    if result == UNPAIRED:
        result, columns = _columns(markup, _paired_by_hand(markup, tags))
        assert result != UNPAIRED, "hand-made pairs are consistent"
    if result == UNKNOWN_ESCAPE:
        raise ValueError("markup in canonical form has no escapes but &lt; &gt; &amp; and &nbsp;")
    return Page(**columns, markup=markup, **known)


def _columns(markup: bytes, tags: MarkupTags) -> tuple[int, dict[str, Any]]:
    """All columns, if nothing is wrong (`read_columns`)."""
    start, stop, tag, kind = tags
    size = len(kind)
    elements, texts = np.empty((7, size), np.int32), np.empty((5, size), np.int32)
    names, spaced, utf8 = np.empty(size, np.int16), np.empty(size, np.bool_), np.empty(len(markup), np.uint8)
    sizes = np.empty(3, np.int32)
    result = read_columns(
        markup, start, stop, tag, kind, TRAITS_OF_TAGS, utf8, elements, names, texts, spaced.view(np.uint8),
        sizes,
    )  # fmt: skip
    if result != DONE:
        return result, {}
    rows, count, used = sizes.tolist()
    columns = dict(zip(_ELEMENT_COLUMNS, _frozen(elements[:, :rows]), strict=True))
    columns |= zip(_TEXT_COLUMNS, _frozen(texts[:, :count]), strict=True)
    columns |= {"tag": _frozen(names[:rows]), "spaced": _frozen(spaced[:count]), "utf8": utf8[:used].tobytes()}
    return result, columns


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

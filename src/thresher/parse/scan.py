"""Canonical markup -> columns: the arithmetic behind `parse`.

The markup is a sequence of tags `<name …>` and `</name>` with text between them, `<` and `>` nowhere else (but
`<` in malformed names).  With e tags:

    level_k  = Σ_{j ≤ k} (+1 open, -1 close, 0 void)         one running sum
    depth    = level before the opening tag

One stable sort by level brings together all tags that leave us inside the same element, in their order: its opening
tag, the void tags in it, the closing tags of its children.  So, in this order,

    holder   = the last opening tag up to here: the element a text behind this tag belongs to
    parent   = the holder of the tag before the opening one
    end      = the closing tag is the one behind the last of these tags

Text nodes are the spans between tags.  Everything is O(e) in C.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from thresher.data.tags import BLOCK, NUMBER, RAW, TAGS, VOID, group
from thresher.page import Page
from thresher.page.spans import outside
from thresher.page.types import Bools, Bytes, Rows, Tags
from thresher.parse.tagnames import tag_numbers

__all__ = ["scan"]

_LESS_THAN, _SLASH, _BANG, _QUESTION, _DASH, _AMPERSAND, _SPACE = b"</!?-& "
_NBSP_LEAD, _NBSP = "\xa0".encode()
# The escapes of canonical text, by the letter behind the ampersand.
_SMALL_A, _SMALL_N = b"an"
_MEANING = np.zeros(256, np.uint8)
for _letter, _meaning in zip(b"lgan", (*b"<>&", _NBSP_LEAD), strict=True):
    _MEANING[_letter] = _meaning
_ZERO, _NONE = np.array([[0], [-1]], np.intp)
_PLAINTEXT = NUMBER["plaintext"]
# What the scan asks of elements, by their numbers: one bit for each trait.
_VOID, _BLOCK, _RAW, _KEEPS_SPACE, _BR, _FOREIGN = (np.uint8(1 << bit) for bit in range(6))
_TRAITS = np.zeros(len(TAGS), np.uint8)
for _trait, _names in (
    (_VOID, VOID),
    (_BLOCK, BLOCK),
    (_RAW, RAW),
    (_KEEPS_SPACE, {"pre", "textarea", "listing", "xmp", "plaintext", "thresher-tex"}),
    (_BR, {"br"}),
    (_FOREIGN, {"svg", "math"}),
):
    _TRAITS[group(_names)] |= _trait


def scan(markup: bytes, escaped: bool = False, **known: Any) -> Page | None:
    """The columns of canonical markup, as a Page, with what else is `known` of it.

    None when raw text stands in it whose `<` and `>` could be taken for tags, unless the caller has escaped it.
    """
    buffer = np.frombuffer(markup, np.uint8)
    start, stop, second = _tag_spans(markup, buffer)
    gaps = (start[1:] > stop[:-1]).nonzero()[0]
    piece_position = stop.take(gaps)
    piece_length = start.take(gaps + 1) - piece_position

    # Comments and declarations separate texts and do nothing else.
    is_tag = (second != _BANG) & (second != _QUESTION)
    tags = is_tag.nonzero()[0]
    others = (~is_tag).nonzero()[0]
    after = gaps - others.searchsorted(gaps, "right")  # the tag each piece of text follows
    start, stop = start.take(tags), stop.take(tags)
    closing = second.take(tags) == _SLASH
    tag = tag_numbers(buffer, start + closing + 1)
    traits = _TRAITS.take(tag)
    if not escaped and _raw_text(tag, traits, closing, start, stop):
        return None
    void = (traits & _VOID > 0) & ~closing
    nested = _nest(tag, closing, void)
    if nested is None:
        kept, void = _pair_by_hand(markup, start, stop, closing, tag)
        after = (np.cumsum(kept) - 1)[after]
        start, stop, closing, void = start[kept], stop[kept], closing[kept], void[kept]
        tag, traits = tag[kept], traits[kept]
        nested = _nest(tag, closing, void)
        assert nested is not None, "hand-made pairs are consistent"

    utf8, piece_start, piece_stop, inked = _pieces(buffer, piece_position, piece_length)
    is_text = solid = np.logical_or.reduceat(inked, piece_start) if len(inked) else inked
    keeps_space = traits & _KEEPS_SPACE > 0
    if keeps_space.any():
        is_text = solid | _inside(nested, keeps_space, after)
    texts = is_text.nonzero()[0]
    follows = after.take(texts)
    text_start, text_stop = piece_start.take(texts), piece_stop.take(texts)
    texts_before = np.cumsum(np.bincount(follows + 1, minlength=len(tag) + 1))  # before each tag
    opener, closer = nested.opener, nested.closer
    columns = {
        "parent": nested.parent,
        "end": nested.end,
        "depth": nested.depth,
        "first": texts_before.take(opener),
        "last": texts_before.take(closer),
        "tag_start": start.take(opener),
        "tag_stop": stop.take(opener),
        "start": text_start,
        "stop": text_stop,
        "owner": nested.holder.take(follows),
        "position": piece_position.take(texts),
        "block": _blocks(traits, follows, after, solid),
    }
    frozen: dict[str, Any] = {name: column.astype(np.int32) for name, column in columns.items()}
    frozen["tag"] = tag.take(opener)
    frozen["spaced"] = _spaced(inked, text_start, text_stop, texts)
    for column in frozen.values():
        column.setflags(write=False)
    return Page(**frozen, markup=markup, utf8=utf8, **known)


def _tag_spans(markup: bytes, buffer: Bytes) -> tuple[Rows, Rows, Bytes]:
    """Where each tag, comment or declaration starts, where the text after it starts, and its second byte.

    Mostly `<` and `>` alternate, one pair for each.  Comments may hold both: what stands inside one is left out.
    Then every `>` ends a tag, which started at the first `<` after the `>` before (malformed names hold some).
    """
    angles = ((buffer & 0xFD) == _LESS_THAN).nonzero()[0]  # "<" is 3C, ">" is 3E
    kinds = buffer.take(angles)
    if kinds.tobytes() == b"<>" * (len(angles) // 2):
        starts, ends = angles.reshape(-1, 2).T.copy()
        second = buffer.take(starts + 1)
        if _comments_end(buffer, starts, ends, second):
            return starts, ends + 1, second
    opening = kinds == _LESS_THAN
    starts, ends = angles[opening], angles[~opening]
    comments = _comments(markup, starts[buffer[starts + 1] == _BANG].tolist())
    if comments:
        from_, to = np.array(comments).T
        starts = outside(starts, from_ + 1, to)
        ends = outside(ends, from_, to - 1)
    before = np.concatenate(([-1], ends[:-1]))
    starts = starts[np.minimum(np.searchsorted(starts, before), len(starts) - 1)]
    return starts, ends + 1, buffer[starts + 1]


def _comments_end(buffer: Bytes, starts: Rows, ends: Rows, second: Bytes) -> bool:
    """Whether each comment ends at the first `>` in it, behind two dashes."""
    bangs = (second == _BANG).nonzero()[0]
    first, last = starts.take(bangs), ends.take(bangs)
    ended = (buffer.take(last - 1) == _DASH) & (buffer.take(last - 2) == _DASH) & (last - first > 5)
    return bool((ended | (buffer.take(first + 2) != _DASH)).all())


def _comments(markup: bytes, candidates: list[int]) -> list[tuple[int, int]]:
    """The spans of all comments; a candidate inside an earlier comment or inside a tag's name starts none."""
    spans = []
    done = 0
    for here in candidates:
        if here < done or not markup.startswith(b"<!--", here):
            continue
        if markup.rfind(b"<", done, here) <= markup.rfind(b">", done, here):
            done = markup.find(b"-->", here + 4) + 3
            if done < 3:
                done = len(markup)
            spans.append((here, done))
    return spans


def _raw_text(tag: Tags, traits: Bytes, closing: Bools, start: Rows, stop: Rows) -> bool:
    """Whether a raw-text element holds anything; empty ones (most iframes) do no harm.

    Two only seem empty: a plaintext holds the rest of the page, its own closing tags included; and in svg or math
    the inside of a raw-text name may forge the closing tag.
    """
    raw = ((traits & _RAW > 0) & ~closing).nonzero()[0]
    if not len(raw):
        return False
    foreign = np.cumsum((traits & _FOREIGN > 0) * np.where(closing, -1, 1))
    if (tag[raw] == _PLAINTEXT).any() or foreign[raw].any():
        return True
    following = np.minimum(raw + 1, len(tag) - 1)
    empty = closing[following] & (tag[following] == tag[raw]) & (start[following] == stop[raw])
    return not empty.all()


class _Nested(NamedTuple):
    """Who stands in whom."""

    # For each element
    opener: Rows  # its opening tag
    closer: Rows  # its closing tag; the same for void elements
    depth: Rows
    parent: Rows
    end: Rows
    # For each tag
    holder: Rows  # the element that holds a text right behind it


def _nest(tag: Tags, closing: Bools, void: Bools) -> _Nested | None:
    """None when the tags do not pair up; canonical markup does but where svg holds elements with void names."""
    opens = ~(closing | void)
    level = (opens.astype(np.intp) - closing).cumsum()
    if not len(level) or level[-1] or level.min() < 0:
        return None
    deepest = level.max()
    small = np.int8 if deepest < 1 << 7 else np.int16 if deepest < 1 << 15 else np.intp
    order = level.astype(small).argsort(kind="stable")  # small numbers are sorted by radix
    is_first = opens.take(order)
    groups = is_first.nonzero()[0]
    first = order.take(groups)
    last = np.concatenate((order.take(groups[1:] - 1), order[-1:])) + 1
    if (tag.take(first) != tag.take(last)).any():
        return None
    mate = np.arange(len(tag))
    mate[first] = last

    opener = (~closing).nonzero()[0]
    closer = mate.take(opener)
    opened: Rows = (~closing).cumsum()  # elements up to each tag, so that the row of an opening one is one less
    holder = np.empty(len(tag), np.intp)
    holder[order] = np.concatenate((_NONE, opened.take(first) - 1)).take(is_first.cumsum())
    parent = holder.take(opener - 1)  # before the root the last tag, which is in nothing
    return _Nested(opener, closer, level.take(opener) - opens.take(opener), parent, opened.take(closer), holder)


def _pair_by_hand(markup: bytes, start: Rows, stop: Rows, closing: Bools, tag: Tags) -> tuple[Bools, Bools]:
    """Which tags to keep, and which of all tags are void, found with a stack from the last tag to the first.

    In svg and math an element with a void name (`<svg><input>x</input></svg>`) has a closing tag.  Seen from
    the right, such an opening tag finds its own closing tag on top of the stack; a truly void one does not.
    An opening tag without a closing one counts as void, a closing tag without an opening one is dropped.
    """
    void = np.zeros(len(tag), bool)
    kept = np.ones(len(tag), bool)
    spans = zip((start + 1 + closing).tolist(), (stop - 1).tolist(), strict=True)
    names = [markup[a:b].split(b" ", 1)[0] for a, b in spans]
    stack: list[int] = []
    waiting: dict[bytes, int] = {}
    for k in range(len(tag) - 1, -1, -1):
        name = names[k]
        if closing[k]:
            stack.append(k)
            waiting[name] = waiting.get(name, 0) + 1
            continue
        if stack and names[stack[-1]] == name:
            waiting[name] -= 1
            stack.pop()
        elif _TRAITS[tag[k]] & _VOID or not waiting.get(name):
            void[k] = True
        else:
            while stack:
                top = stack.pop()
                waiting[names[top]] -= 1
                if names[top] == name:
                    break
                kept[top] = False
    kept[stack] = False
    return kept, void


def _pieces(buffer: Bytes, position: Rows, length: Rows) -> tuple[bytes, Rows, Rows, Bools]:
    """The pieces of text between tags: their bytes, unescaped, a NUL after each; where each starts and stops there; and
    which bytes leave ink: all but white space and the NULs.

    A piece and the `<` behind it are gathered by one index array, then each `<` becomes the NUL.
    """
    if not len(position):
        return b"", position, position, np.zeros(0, bool)
    ends = np.cumsum(length + 1)
    index = np.repeat(position - (ends - length - 1), length + 1)
    index += np.arange(len(index))
    array = buffer.take(index)
    array[ends - 1] = 0
    escapes = (array == _AMPERSAND).nonzero()[0]
    if len(escapes):
        array, ends = _unescaped(array, ends, escapes)
    starts = np.concatenate((_ZERO, ends[:-1]))
    inked = array > _SPACE
    nbsp = (array == _NBSP).nonzero()[0]
    nbsp = nbsp[array.take(nbsp - 1) == _NBSP_LEAD]
    inked[nbsp] = inked[nbsp - 1] = False
    return array.tobytes(), starts, ends - 1, inked


def _unescaped(array: Bytes, ends: Rows, escapes: Rows) -> tuple[Bytes, Rows]:
    """The bytes with each escape reduced to what it stands for, and the ends of pieces where they are then."""
    letter = array.take(escapes + 1)
    is_nbsp = letter == _SMALL_N
    meaning = _MEANING.take(letter)
    if not meaning.all():
        raise ValueError("markup in canonical form has no escapes but &lt; &gt; &amp; and &nbsp;")
    array[escapes] = meaning
    array[escapes[is_nbsp] + 1] = _NBSP
    first = escapes + 1 + is_nbsp  # of the bytes that go: three of `&lt;`, four of `&amp;` and `&nbsp;`
    long = is_nbsp | (letter == _SMALL_A)
    kept = np.ones(len(array), bool)
    kept[first] = kept[first + 1] = kept[first + 2] = False
    kept[first[long] + 3] = False
    gone = np.concatenate((_ZERO, np.cumsum(long + 3)))
    return array[kept], ends - gone.take(escapes.searchsorted(ends))


def _inside(nested: _Nested, chosen: Bools, after: Rows) -> Bools:
    """Which pieces lie inside one of the chosen elements, given for each tag."""
    elements = chosen.take(nested.opener)
    step = np.zeros(len(chosen), np.int32)
    np.add.at(step, nested.opener[elements], 1)
    np.add.at(step, nested.closer[elements], -1)
    inside: Bools = np.cumsum(step).take(after) > 0
    return inside


def _blocks(traits: Bytes, follows: Rows, after: Rows, solid: Bools) -> Rows:
    """The number of the block each text lies in: texts with no block boundary between them share one.

    Tags of block elements are boundaries, and so is a `br` that follows another with no ink between:
    two line breaks make a paragraph, one only a line.
    """
    boundary = traits & _BLOCK > 0
    line_break = traits & _BR > 0
    if line_break.any():
        blank = np.ones(len(traits), bool)
        blank[after[solid]] = False
        boundary[1:] |= line_break[1:] & line_break[:-1] & blank[:-1]
    passed = boundary.nonzero()[0].searchsorted(follows, "right")
    new = np.zeros(len(passed), bool)
    np.not_equal(passed[1:], passed[:-1], out=new[1:])
    return np.cumsum(new)


def _spaced(inked: Bools, start: Rows, stop: Rows, texts: Rows) -> Bools:
    """Whether white space stands between each text and the one before: at the edge of either, or on its own."""
    spaced: Bools = ~inked.take(start)
    spaced[1:] |= ~inked.take(stop[:-1] - 1) | (texts[1:] - texts[:-1] > 1)
    return spaced

"""Canonical markup -> columns: the arithmetic behind `parse`.

The markup is a sequence of tags `<name …>` and `</name>` with text between them, `<` and `>` nowhere else (but
`<` in malformed names).  With e tags:

    level_k  = Σ_{j ≤ k} (+1 open, -1 close, 0 void)         one running sum
    depth    = level before the tag
    parent   = the last element one level up that was opened before: one search in (depth, row) keys
    end      = the k-th opening and the k-th closing tag of a level belong together, for on one level they
               alternate; so sorting both by level pairs them all

Text nodes are the spans between tags.  Everything is O(e) or O(e log e) in C; Python loops only where pieces of
text are cut out of the buffer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import BLOCK, NUMBER, RAW, VOID, group
from thresher.page import Page
from thresher.spans import outside
from thresher.tagnames import tag_numbers

__all__ = ["scan"]

_LESS_THAN, _GREATER_THAN, _SLASH, _BANG, _QUESTION, _DASH, _AMPERSAND, _SPACE = b"<>/!?-& "
_NBSP_LEAD, _NBSP = "\xa0".encode()
# The escapes of canonical text, by the letter after the ampersand.
_SMALL_A = ord("a")
_ENTITIES = {
    ord("l"): (b"&lt;", b"<"),
    ord("g"): (b"&gt;", b">"),
    ord("n"): (b"&nbsp;", b"\xc2\xa0"),
    _SMALL_A: (b"&amp;", b"&"),
}
_IS_VOID = group(VOID)
_IS_BLOCK = group(BLOCK)
_IS_RAW = group(RAW)
_KEEPS_SPACE = group({"pre", "textarea", "listing", "xmp", "plaintext", "thresher-tex"})
_BR = NUMBER["br"]
_PIECE = 1 << 15
_PLAINTEXT = NUMBER["plaintext"]
_IS_FOREIGN = group({"svg", "math"})

Bools = NDArray[np.bool_]
Tags = NDArray[np.int16]
Rows = NDArray[np.intp]  # positions and indices on the way; numpy indexes with its own word size twice as fast


def scan(markup: bytes, escaped: bool = False) -> Page | None:
    """The columns of canonical markup, as a Page that knows nothing else yet.

    None when raw text stands in it whose `<` and `>` could be taken for tags, unless the caller has escaped it.
    """
    buffer = np.frombuffer(markup, np.uint8)
    start, stop = _tag_spans(markup, buffer)
    gaps = np.flatnonzero(start[1:] > stop[:-1])
    piece_position, piece_length = stop[gaps], start[gaps + 1] - stop[gaps]

    # Comments and declarations separate texts and do nothing else.
    second = buffer[start + 1]
    is_tag = (second != _BANG) & (second != _QUESTION)
    after = (np.cumsum(is_tag) - 1)[gaps]  # the tag each piece of text follows
    tags = np.flatnonzero(is_tag)
    start, stop = start[tags], stop[tags]
    closing = second[tags] == _SLASH
    tag = tag_numbers(buffer, start + 1 + closing)
    if not escaped and _raw_text(tag, closing, start, stop):
        return None
    void = ~closing & _IS_VOID.take(tag)
    paired = _pair(tag, closing, void)
    if paired is None:
        kept, void = _pair_by_hand(markup, start, stop, closing, tag)
        after = (np.cumsum(kept) - 1)[after]
        start, stop, closing, tag, void = start[kept], stop[kept], closing[kept], tag[kept], void[kept]
        paired = _pair(tag, closing, void)
        assert paired is not None, "hand-made pairs are consistent"
    opener, closer, depth = paired
    parent = _parents(depth)

    utf8, piece_start, piece_stop, inked = _pieces(buffer, piece_position, piece_length)
    solid = np.logical_or.reduceat(inked, piece_start) if len(inked) else inked
    is_text = solid | _inside(opener, closer, _KEEPS_SPACE.take(tag[opener]), after, len(tag))
    texts = np.flatnonzero(is_text)
    follows = after[texts]
    texts_before = np.concatenate(([0], np.cumsum(np.bincount(follows, minlength=len(tag)))))
    columns = {
        "parent": parent,
        "end": np.cumsum(~closing)[closer],
        "depth": depth,
        "first": texts_before[opener],
        "last": texts_before[closer],
        "tag_start": start[opener],
        "tag_stop": stop[opener],
        "start": piece_start[texts],
        "stop": piece_stop[texts],
        "owner": _holders(parent, opener, closer)[follows],
        "position": piece_position[texts],
        "block": _blocks(tag, follows, after[solid]),
    }
    frozen: dict[str, Any] = {name: column.astype(np.int32) for name, column in columns.items()}
    frozen["tag"] = tag[opener]
    frozen["spaced"] = _spaced(inked, piece_start, piece_stop, texts)
    for column in frozen.values():
        column.setflags(write=False)
    return Page(**frozen, markup=markup, utf8=utf8)


def _tag_spans(markup: bytes, buffer: NDArray[np.uint8]) -> tuple[Rows, Rows]:
    """Where each tag, comment or declaration starts, and where the text after it starts.

    Mostly `<` and `>` alternate, one pair for each.  Comments may hold both: what stands inside one is left out.
    Then every `>` ends a tag, which started at the first `<` after the `>` before (malformed names hold some).
    """
    angles = _angles(buffer)
    starts, ends = angles[::2], angles[1::2]
    if len(starts) != len(ends) or not _alternate(buffer, starts, ends):
        opening = buffer[angles] == _LESS_THAN
        starts, ends = angles[opening], angles[~opening]
        comments = _comments(markup, starts[buffer[starts + 1] == _BANG].tolist())
        if comments:
            from_, to = np.array(comments).T
            starts = outside(starts, from_ + 1, to)
            ends = outside(ends, from_, to - 1)
        before = np.concatenate(([-1], ends[:-1]))
        starts = starts[np.minimum(np.searchsorted(starts, before), len(starts) - 1)]
    return starts, ends + 1


def _angles(buffer: NDArray[np.uint8]) -> Rows:
    """Where `<` and `>` stand; piece by piece, so that the work stays in the processor's cache."""
    pieces = range(0, len(buffer), _PIECE)
    # "<" is 3C, ">" is 3E
    return np.concatenate([np.flatnonzero((buffer[at : at + _PIECE] & 0xFD) == _LESS_THAN) + at for at in pieces])


def _alternate(buffer: NDArray[np.uint8], starts: Rows, ends: Rows) -> bool:
    """Whether each of these is a `<` with the `>` that ends its tag; a comment must end with two dashes."""
    if (buffer[starts] != _LESS_THAN).any() or (buffer[ends] != _GREATER_THAN).any():
        return False
    comment = (buffer[starts + 1] == _BANG) & (buffer[starts + 2] == _DASH)
    last = ends[comment]
    return bool(((buffer[last - 1] == _DASH) & (buffer[last - 2] == _DASH) & (last - starts[comment] > 5)).all())


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


def _raw_text(tag: Tags, closing: Bools, start: Rows, stop: Rows) -> bool:
    """Whether a raw-text element holds anything; empty ones (most iframes) do no harm.

    Two only seem empty: a plaintext holds the rest of the page, its own closing tags included; and in svg or math
    the inside of a raw-text name may forge the closing tag.
    """
    raw = np.flatnonzero(_IS_RAW.take(tag) & ~closing)
    if not len(raw):
        return False
    foreign = np.cumsum(_IS_FOREIGN[tag] * np.where(closing, -1, 1))
    if (tag[raw] == _PLAINTEXT).any() or foreign[raw].any():
        return True
    following = np.minimum(raw + 1, len(tag) - 1)
    empty = closing[following] & (tag[following] == tag[raw]) & (start[following] == stop[raw])
    return not empty.all()


def _pair(tag: Tags, closing: Bools, void: Bools) -> tuple[Rows, Rows, Rows] | None:
    """For each element its opening tag, its closing tag (the same for void elements) and its depth.

    None when the tags do not pair up; canonical markup does but where svg holds elements with void names.
    """
    level = np.cumsum(_STEP[closing * 2 + void])
    opener = np.flatnonzero(~closing)
    closer = opener.copy()
    is_void = void[opener]
    depth = level[opener] - 1 + is_void
    solid = np.flatnonzero(~is_void)
    ends = np.flatnonzero(closing)
    if len(solid) != len(ends) or not len(opener):
        return None
    closer[_sorted_by(solid, depth[solid])] = _sorted_by(ends, level[ends])
    if (tag[opener] != tag[closer]).any() or (closer < opener).any():
        return None
    return opener, closer, depth


_STEP = np.array([1, 0, -1], np.intp)  # what an opening, a void and a closing tag do to the level


def _sorted_by(rows: Rows, key: Rows) -> Rows:
    """Rows in the order of their small keys; numpy sorts 16-bit integers by radix, five times faster."""
    small = key.astype(np.int16) if key.max(initial=0) < 1 << 15 else key
    return rows[np.argsort(small, kind="stable")]


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
        elif _IS_VOID[tag[k]] or not waiting.get(name):
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


def _parents(depth: Rows) -> Rows:
    """The last row before each that is one level higher: it is still open, for siblings of it would be later.

    Rows sorted by (depth, row) make one ascending key; the parent is the last key below (depth - 1, row).
    """
    n = len(depth)
    rows = np.arange(n)
    key = depth * n + rows
    order = _sorted_by(rows, depth)
    parent = order[np.maximum(np.searchsorted(key[order], key - n) - 1, 0)]
    parent[depth == 0] = -1
    return parent


def _holders(parent: Rows, opener: Rows, closer: Rows) -> Rows:
    """For each tag the element that holds a text right after it.

    After an opening tag that is the element itself, after the end of an element its parent.
    """
    holder = np.empty(int(closer.max()) + 1, np.intp)
    holder[opener] = np.arange(len(opener))
    holder[closer] = parent
    return holder


def _pieces(buffer: NDArray[np.uint8], position: Rows, length: Rows) -> tuple[bytes, Rows, Rows, Bools]:
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
    utf8 = array.tobytes()
    escapes = np.flatnonzero(array == _AMPERSAND)
    if len(escapes):
        initials = set(array[escapes + 1].tolist())
        for initial in sorted(initials, key=_SMALL_A.__eq__):  # the ampersand itself comes last
            utf8 = utf8.replace(*_ENTITIES[initial])
        array = np.frombuffer(utf8, np.uint8)
        ends = np.flatnonzero(array == 0) + 1
    starts = np.concatenate(([0], ends[:-1]))
    inked = array > _SPACE
    nbsp = np.flatnonzero(array == _NBSP)
    nbsp = nbsp[array[nbsp - 1] == _NBSP_LEAD]
    inked[nbsp] = inked[nbsp - 1] = False
    return utf8, starts, ends - 1, inked


def _inside(opener: Rows, closer: Rows, chosen: Bools, after: Rows, tags: int) -> Bools:
    """Which pieces lie inside one of the chosen elements."""
    if not chosen.any():
        return np.zeros(len(after), bool)
    step = np.zeros(tags + 1, np.int32)
    np.add.at(step, opener[chosen], 1)
    np.add.at(step, closer[chosen], -1)
    inside: Bools = np.cumsum(step)[after] > 0
    return inside


def _blocks(tag: Tags, follows: Rows, inked: Rows) -> Rows:
    """The number of the block each text lies in: texts with no block boundary between them share one.

    Tags of block elements are boundaries, and so is a `br` that follows another with no ink between:
    two line breaks make a paragraph, one only a line.
    """
    boundary = _IS_BLOCK.take(tag)
    line_break = tag == _BR
    if line_break.any():
        blank = np.ones(len(tag), bool)
        blank[inked] = False
        boundary[1:] |= line_break[1:] & line_break[:-1] & blank[:-1]
    passed = np.cumsum(boundary)[follows]
    new = np.zeros(len(passed), np.intp)
    new[1:] = passed[1:] != passed[:-1]
    return np.cumsum(new)


def _spaced(inked: Bools, start: Rows, stop: Rows, texts: Rows) -> Bools:
    """Whether white space stands between each text and the one before: at the edge of either, or on its own."""
    spaced: Bools = ~inked[start[texts]]
    spaced[1:] |= ~inked[stop[texts[:-1]] - 1] | (np.diff(texts) > 1)
    return spaced

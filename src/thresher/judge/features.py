"""Numbers as evidence: what the columns of a page say about each block, one row a block, one column a feature.

    own        length, words, links, punctuation, capitals, digits, how it begins and ends, its tag
    container  for each of six containers around it: share of the page's text and prose, link density, sentences,
               text per block, children, images, controls, and where the block stands in it
    repeats    how many blocks have the same path of names and tags, and how much of the text they hold
    place      position in the page, distance to headings, likeness to the title
    page       the page as a whole

Counts go through log1p, so that no unit of length matters much.  Nothing here depends on the language; words that are
counted are counted in any script.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.columns import capitals, chars, digits, in_link, punctuation, readable, sentence_ends, words
from thresher.data.tags import HEADINGS, NUMBER, group
from thresher.judge.blocks import LEVELS, Blocks, blocks
from thresher.page import Page
from thresher.tree import along_path, child_count

__all__ = ["FEATURES", "INSIDE", "features"]

Floats = NDArray[np.float32]

_PROSE_LINKS = 0.35  # link density above which a block is no prose
_SUMS = ("chars", "linked", "ends", "words", "punctuation", "digits", "capitals", "emphasis", "prose")
CHARS, LINKED, ENDS, WORDS, PUNCTUATION, DIGITS, CAPITALS, EMPHASIS, PROSE = range(len(_SUMS))

_EMPHASIS = group({"b", "strong", "em", "i", "mark", "u"})
_IMAGES = group({"img", "picture", "video", "figure", "svg"})
_CONTROLS = group({"input", "button", "select", "textarea", "label"})
_HEADING = np.zeros(len(group(HEADINGS)), np.int8)
for _k, _name in enumerate(HEADINGS):
    _HEADING[NUMBER[_name]] = 6 - _k
_MARKS = np.stack((_IMAGES, _CONTROLS, _HEADING > 0)).astype(np.float32)
INSIDE = {
    "link": ("a",),
    "heading": HEADINGS,
    "main heading": ("h1",),
    "paragraph": ("p",),
    "list item": ("li", "dd", "dt"),
    "table cell": ("td", "th"),
    "code": ("pre", "code", "samp", "kbd"),
    "quotation": ("blockquote", "q"),
    "caption": ("figcaption", "caption"),
    "navigation": ("nav", "menu"),
    "footer": ("footer",),
    "aside": ("aside",),
    "header": ("header",),
    "form": ("form", "button", "label", "fieldset", "legend"),
    "article": ("article",),
    "main": ("main",),
    "section": ("section",),
    "time": ("time",),
    "address": ("address",),
}
_BITS = np.arange(len(INSIDE))
_GROUPS = np.stack([group(names) for names in INSIDE.values()], axis=1) @ (1 << _BITS)  # a bit per group, by tag

_OWN = (
    "size words word_length linked sentences punctuation digits capitals emphasis begins_capital begins_digit "
    "begins_other ends_sentence ends_colon ends_question texts beyond_ascii few_words heading_rank"
).split()
_CONTAINER = (
    "size share linked sentences text_per_block blocks share_of_blocks children prose images controls headings "
    "place digits"
).split()
_REPEATS = "same_path same_path_text same_place same_place_text same_words".split()
_PLACE = (
    "place text_before text_after depth since_heading to_heading from_main_heading title_words gap_before gap_after"
).split()
_PAGE = "size blocks linked prose text_per_block articles headings controls images items cells paragraphs".split()

FEATURES: tuple[str, ...] = (
    *(f"own {name}" for name in _OWN),
    *(f"in {name}" for name in INSIDE),
    *(f"level {level} {name}" for level in range(LEVELS) for name in _CONTAINER),
    *_REPEATS,
    *(f"at {name}" for name in _PLACE),
    *(f"page {name}" for name in _PAGE),
)


def features(page: Page) -> Floats:
    """x: one row per block of `blocks(page)`, one column per name in FEATURES."""
    found = blocks(page)
    if not len(found):
        return np.zeros((0, len(FEATURES)), np.float32)
    sums = _running_sums(page, found)
    own = (sums.take(found.last + 1, axis=0) - sums.take(found.first, axis=0)).astype(np.float32)
    containers = _containers(page, found, sums)
    inside = _inside(page, found)
    x = np.empty((len(found), len(FEATURES)), np.float32)
    at = 0
    for part in (
        _own(page, found, own, inside),
        inside,
        containers,
        _repeats(page, found, own),
        _place(page, found, sums, inside),
        _whole(page, found, sums, inside),
    ):
        x[:, at : at + part.shape[-1]] = part
        at += part.shape[-1]
    return x


def _inside(page: Page, found: Blocks) -> NDArray[np.bool_]:
    """Which of the INSIDE groups stand on the path to each block."""
    bits = along_path(page, _GROUPS.take(page.tag), np.bitwise_or)[found.at]
    inside: NDArray[np.bool_] = (bits[:, None] >> _BITS & 1).astype(bool)
    return inside


def _running_sums(page: Page, found: Blocks) -> NDArray[np.float64]:
    """Sums of the text columns over the texts before each, readable texts only, one column per name in _SUMS."""
    seen = readable(page)
    table = np.empty((len(seen) + 1, len(_SUMS)))
    table[0] = 0
    body = table[1:]
    size = chars(page)
    body[:, CHARS] = size
    body[:, LINKED] = size * in_link(page)
    body[:, ENDS] = sentence_ends(page)
    body[:, WORDS] = words(page)
    body[:, PUNCTUATION] = punctuation(page)
    body[:, DIGITS] = digits(page)
    body[:, CAPITALS] = capitals(page)
    body[:, EMPHASIS] = size * _EMPHASIS[page.tag[page.owner]]
    body[:, PROSE] = 0
    body *= seen[:, None]
    start, stop = found.first, found.last + 1
    running = np.cumsum(table[:, :PROSE], axis=0)
    own = running[stop] - running[start]
    prose = (own[:, ENDS] > 0) & (own[:, LINKED] < _PROSE_LINKS * own[:, CHARS])
    body[found.first, PROSE] = (own[:, CHARS] - own[:, LINKED]) * prose
    table[:, :PROSE] = running
    table[:, PROSE] = np.cumsum(table[:, PROSE])
    return table


def _own(page: Page, found: Blocks, own: NDArray[Any], inside: NDArray[np.bool_]) -> NDArray[Any]:
    size = np.maximum(own[:, CHARS], 1)
    utf8 = np.frombuffer(page.utf8, np.uint8)
    begins = utf8[page.start[found.first]]
    ends = utf8[np.maximum(page.stop[found.last] - 1, 0)]
    length = page.stop[found.last] - page.start[found.first]
    stopped = (ends == 0x2E) | (ends == 0x21) | (ends == 0x3F) | (ends == 0x82) | (ends == 0x22)
    capital = (begins >= 0x41) & (begins <= 0x5A)
    digit = (begins >= 0x30) & (begins <= 0x39)
    other = ~capital & ~digit & (begins < 0x61)
    rank = _HEADING[page.tag[found.level[0]]]
    return np.stack(
        (
            np.log1p(size),
            np.log1p(own[:, WORDS]),
            np.minimum(size / np.maximum(own[:, WORDS], 1), 20) / 5,
            own[:, LINKED] / size,
            np.log1p(own[:, ENDS]),
            own[:, PUNCTUATION] / size * 10,
            own[:, DIGITS] / size,
            own[:, CAPITALS] / size * 2,
            own[:, EMPHASIS] / size,
            capital, digit, other, stopped, ends == 0x3A, ends == 0x3F,
            np.log1p(found.last - found.first),
            np.maximum(length / size - 1.2, 0).clip(0, 2),
            own[:, WORDS] <= 3,
            rank / 3,
        ),
        axis=1,
    )  # fmt: skip


def _containers(page: Page, found: Blocks, sums: NDArray[Any]) -> NDArray[Any]:
    """The _CONTAINER features of each level, level after level."""
    rows = found.level.ravel()
    held = (sums.take(page.last[rows], axis=0) - sums.take(page.first[rows], axis=0)).astype(np.float32).T
    total = np.maximum(sums[-1], 1).astype(np.float32)
    size = np.maximum(held[CHARS], 1)
    count = np.maximum(found.stop - found.begin, 1).ravel().astype(np.float32)
    marks = np.zeros((3, len(page) + 1), np.float32)
    np.cumsum(_MARKS.take(page.tag, axis=1), axis=1, out=marks[:, 1:])
    images, controls, headings = marks.take(page.end[rows], axis=1) - marks.take(rows, axis=1)
    table = np.empty((len(_CONTAINER), len(rows)), np.float32)
    np.log1p(size, out=table[0])
    np.divide(size, total[CHARS], out=table[1])
    np.divide(held[LINKED], size, out=table[2])
    np.minimum(held[ENDS] / size * 100, 4, out=table[3])
    np.log1p(size / count, out=table[4])
    np.log1p(count, out=table[5])
    np.divide(count, max(len(found), 1), out=table[6])
    np.log1p(child_count(page)[rows], out=table[7])
    np.divide(held[PROSE], total[PROSE], out=table[8])
    np.log1p(images, out=table[9])
    np.log1p(controls, out=table[10])
    np.minimum(headings / count, 1, out=table[11])
    np.divide((np.arange(len(found)) - found.begin + 0.5).ravel(), count, out=table[12])
    np.divide(held[DIGITS], size, out=table[13])
    flat: NDArray[Any] = table.reshape(len(_CONTAINER), LEVELS, len(found)).transpose(2, 1, 0).reshape(len(found), -1)
    return flat


def _repeats(page: Page, found: Blocks, own: NDArray[Any]) -> NDArray[Any]:
    """How many blocks are built alike, how much text they hold, and how many blocks have the same words."""
    columns = []
    total = max(own[:, CHARS].sum(), 1)
    for group_of in (found.alike, found.beside):
        count = np.bincount(group_of)
        held = np.bincount(group_of, weights=own[:, CHARS])
        columns += [np.log1p(count)[group_of], (held / total)[group_of]]
    text = ((own[:, CHARS] * 1009 + own[:, PUNCTUATION]) * 1009 + own[:, CAPITALS]) * 1009 + own[:, WORDS]
    _, group_of, count = np.unique(text, return_inverse=True, return_counts=True)
    columns.append(np.log1p(count)[group_of])
    return np.stack(columns, axis=1)


def _place(page: Page, found: Blocks, sums: NDArray[Any], inside: NDArray[np.bool_]) -> NDArray[Any]:
    number = np.arange(len(found))
    total = max(sums[-1, CHARS], 1)
    before = sums[found.first, CHARS] / total
    heading = inside[:, 1]
    main = np.flatnonzero(inside[:, 2])
    anchor = main[0] if len(main) else 0
    last_heading = np.maximum.accumulate(np.where(heading, number, -1))
    next_heading = np.minimum.accumulate(np.where(heading, number, 2 * len(found))[::-1])[::-1]
    gap = np.log1p(np.diff(found.at, prepend=found.at[:1], append=len(page)).clip(0))
    away = number - anchor
    return np.stack(
        (
            number / max(len(found), 1),
            before,
            1 - sums[found.last + 1, CHARS] / total,
            np.minimum(page.depth[found.at], 40) / 20,
            np.log1p(number - last_heading),
            np.log1p(next_heading - number),
            np.sign(away) * np.log1p(np.abs(away)) * (len(main) > 0),
            _title_words(page, found, heading),
            gap[:-1],
            gap[1:],
        ),
        axis=1,
    )


def _title_words(page: Page, found: Blocks, heading: NDArray[np.bool_]) -> NDArray[Any]:
    """For headings, the share of their words that the page's title has."""
    share = np.zeros(len(found))
    titles = np.flatnonzero(page.tag == NUMBER["title"])
    if not len(titles):
        return share
    title = frozenset(page.inner_text(int(titles[0])).lower().split())
    utf8 = page.utf8
    for block in np.flatnonzero(heading)[:_HEADINGS_COMPARED].tolist():
        words = utf8[page.start[found.first[block]] : page.stop[found.last[block]]].replace(b"\0", b" ")
        said = words.decode().lower().split()
        share[block] = len(title.intersection(said)) / max(len(said), 1)
    return share


_HEADINGS_COMPARED = 12


def _whole(page: Page, found: Blocks, sums: NDArray[Any], inside: NDArray[np.bool_]) -> NDArray[Any]:
    total = sums[-1]
    size = max(float(total[CHARS]), 1)
    count = max(len(found), 1)
    mean = inside.mean(axis=0) if len(found) else np.zeros(len(INSIDE))
    name = list(INSIDE)
    return np.array(
        [
            np.log1p(size),
            np.log1p(count),
            total[LINKED] / size,
            total[PROSE] / size,
            np.log1p(size / count),
            np.log1p(np.count_nonzero(page.tag == NUMBER["article"])),
            mean[1],
            np.log1p(np.count_nonzero(_CONTROLS[page.tag])),
            np.log1p(np.count_nonzero(_IMAGES[page.tag])),
            mean[name.index("list item")],
            mean[name.index("table cell")],
            mean[name.index("paragraph")],
        ]
    )

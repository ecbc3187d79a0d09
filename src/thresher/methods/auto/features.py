"""Numbers as evidence: what the columns of a page say about each block, one row a block, one column a feature.

    own        length, words, links, punctuation, capitals, digits, how it begins and ends, its tag
    container  for each of six containers around it: share of the page's text and prose, link density, sentences,
               text per block, children, images, controls, and where the block stands in it
    repeats    how many blocks have the same path of names and tags, and how much of the text they hold
    place      position in the page, distance to headings, likeness to the title
    page       the page as a whole
    prose      where the longest run of prose stands, and the container with most of it (prose.py)
    unit       the units that repeat around the block (units.py)
    vocabulary words in common with the title and the prose (vocabulary.py)
    sign       dates, prices, comments, dialogs, sign-up boxes (signs.py)
    described  what the page's own data says of its text (described.py)

Counts go through log1p, so that no unit of length matters much.  Nothing here depends on the language; words that are
counted are counted in any script, and what only letters and capitals tell is left open without them (script.py).
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import log1p

import numpy as np
from numpy.typing import NDArray

from thresher.data.tags import HEADINGS, NUMBER, group
from thresher.methods.auto.blocks import LEVELS, Blocks, blocks, numbered
from thresher.methods.auto.counts import (
    CAPITALS,
    CHARS,
    DIGITS,
    EMPHASIS,
    ENDS,
    LINKED,
    PUNCTUATION,
    WORDS,
    counts,
)
from thresher.methods.auto.described import DESCRIBED, described_columns
from thresher.methods.auto.prose import PROSE, longest_run, prose_columns
from thresher.methods.auto.script import is_foreign
from thresher.methods.auto.signs import SIGNS, dates, sign_columns
from thresher.methods.auto.units import UNITS, unit_columns
from thresher.methods.auto.vocabulary import VOCABULARY, vocabulary_columns
from thresher.page import Page
from thresher.page.tree import along_path, child_count
from thresher.page.types import Floats, Ints, Rows, Singles

__all__ = ["FEATURES", "INSIDE", "INSIDE_AT", "PAGE_AT", "PROSE_AT", "features"]


_PROSE_LINKS = np.float64(0.35)  # link density above which a block is no prose

_IMAGES = group({"img", "picture", "video", "figure", "svg"})
_CONTROLS = group({"input", "button", "select", "textarea", "label"})
_HEADING_RANK = np.zeros(len(group(HEADINGS)), np.float32)
for _k, _name in enumerate(HEADINGS):
    _HEADING_RANK[NUMBER[_name]] = (6 - _k) / 3
_MARKS = np.stack((_IMAGES, _CONTROLS, _HEADING_RANK > 0)).astype(np.float32)
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
_BITS = 1 << np.arange(len(INSIDE), dtype=np.uint32)
_GROUPS = np.stack([group(names) for names in INSIDE.values()], axis=1) @ _BITS  # a bit per group, by tag
_INSIDE_HEADING, _INSIDE_MAIN_HEADING = _BITS[1:3]

_OWN = (
    "size words word_length linked sentences punctuation digits capitals emphasis begins_capital begins_digit "
    "begins_other ends_sentence ends_colon ends_question texts beyond_ascii few_words heading_rank"
).split()
_CONTAINER = (
    "size share linked sentences text_per_block blocks share_of_blocks children prose images controls headings "
    "place digits"
).split()
_PLACE_IN = _CONTAINER.index("place")
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
    *(f"prose {name}" for name in PROSE),
    *(f"unit {name}" for name in UNITS),
    *(f"vocabulary {name}" for name in VOCABULARY),
    *(f"sign {name}" for name in SIGNS),
    *(f"described {name}" for name in DESCRIBED),
)
# What the columns about letters are on the mean of pages in Latin ones.
_USUAL = {"capitals": 0.28, "begins_capital": 0.73, "begins_other": 0.17, "beyond_ascii": 0.18}
_SPELLING_AT, _USUAL_SPELLING = [_OWN.index(name) for name in _USUAL], list(_USUAL.values())
# The columns of each kind
_PARTS = (_OWN, INSIDE, LEVELS * _CONTAINER, _REPEATS, _PLACE, _PAGE, PROSE, UNITS, VOCABULARY, SIGNS, DESCRIBED)
(
    _OWN_AT, INSIDE_AT, _CONTAINERS_AT, _REPEATS_AT, _PLACE_AT, PAGE_AT, PROSE_AT, _UNITS_AT, _VOCABULARY_AT, _SIGNS_AT,
    _DESCRIBED_AT,
) = (slice(*bounds) for bounds in pairwise(accumulate(map(len, _PARTS), initial=0)))  # fmt: skip
# How a block begins and ends, by its first and last byte
_BYTES = [chr(byte) for byte in range(256)]
_BEGINNINGS_AT = slice(_OWN.index("begins_capital"), _OWN.index("ends_sentence"))
_ENDINGS_AT = slice(_OWN.index("ends_sentence"), _OWN.index("texts"))
_BEGINNINGS = np.array(
    [("A" <= c <= "Z", "0" <= c <= "9", c < "0" or "9" < c < "A" or "Z" < c < "a") for c in _BYTES], np.float32
)
_ENDINGS = np.array([(c in '.!?"\x82', c == ":", c == "?") for c in _BYTES], np.float32)


def features(page: Page, out: Singles | None = None) -> Singles:
    """x: one row per block of `blocks(page)`, one column per name in FEATURES; written to `out` if that is given."""
    page_blocks = blocks(page)
    x = np.empty((len(page_blocks), len(FEATURES)), np.float32) if out is None else out
    if not len(page_blocks):
        return x
    counted = counts(page)
    sums, own = counted.sums, counted.own
    is_prose = (own[ENDS] > 0) & (own[LINKED] < _PROSE_LINKS * own[CHARS])
    prose = np.zeros(len(page_blocks) + 1)
    ((own[CHARS] - own[LINKED]) * is_prose).cumsum(out=prose[1:])
    marks = np.zeros((len(_MARKS), len(page) + 1), np.float32)
    _MARKS.take(page.tag, axis=1).cumsum(axis=1, out=marks[:, 1:])
    inside = along_path(page, _GROUPS.take(page.tag), np.bitwise_or)[page_blocks.at]
    _own(page, page_blocks, own, x[:, _OWN_AT])
    np.not_equal(inside[:, None] & _BITS, 0, out=x[:, INSIDE_AT], casting="unsafe")
    _containers(page, page_blocks, sums, prose, marks, x[:, _CONTAINERS_AT])
    _repeats(page, page_blocks, own, x[:, _REPEATS_AT])
    _place(page, page_blocks, sums[CHARS], inside, x[:, _PLACE_AT])
    x[:, PAGE_AT] = _whole(page, sums[:, -1], prose[-1], marks[:, -1], x[:, INSIDE_AT])
    run, dated = longest_run(counted), dates(counted)
    prose_columns(page, page_blocks, counted, run, x[:, PROSE_AT])
    unit_columns(page, page_blocks, counted, dated, x[:, _UNITS_AT])
    vocabulary_columns(page, page_blocks, counted, run, x[:, _VOCABULARY_AT])
    sign_columns(page, page_blocks, counted, dated, x[:, _SIGNS_AT])
    described_columns(page, page_blocks, counted, x[:, _DESCRIBED_AT])
    return x


def _own(page: Page, page_blocks: Blocks, own: Singles, out: Singles) -> None:
    (
        size, words, word_length, linked, sentences, punctuation, digits, capitals, emphasis, *_,
        texts, beyond_ascii, few_words, heading_rank,
    ) = out.T  # fmt: skip
    start, stop = page.start[page_blocks.first], page.stop[page_blocks.last]
    chars = np.maximum(own[CHARS], 1)
    np.log1p(chars, out=size)
    np.log1p(own[WORDS], out=words)
    np.minimum(chars / np.maximum(own[WORDS], 1), 20, out=word_length)
    word_length /= 5
    np.divide(own[LINKED], chars, out=linked)
    np.log1p(own[ENDS], out=sentences)
    np.divide(own[PUNCTUATION], chars / 10, out=punctuation)
    np.divide(own[DIGITS], chars, out=digits)
    np.divide(own[CAPITALS], chars / 2, out=capitals)
    np.divide(own[EMPHASIS], chars, out=emphasis)
    utf8 = np.frombuffer(page.utf8, np.uint8)
    out[:, _BEGINNINGS_AT] = _BEGINNINGS.take(utf8.take(start), axis=0)
    out[:, _ENDINGS_AT] = _ENDINGS.take(utf8.take(stop - 1), axis=0)
    np.log1p(page_blocks.last - page_blocks.first, out=texts)
    np.maximum((stop - start) / chars - 1.2, 0, out=beyond_ascii)
    np.minimum(beyond_ascii, 2, out=beyond_ascii)
    few_words[:] = own[WORDS] <= 3
    heading_rank[:] = _HEADING_RANK.take(page.tag.take(page_blocks.level[0]))
    if is_foreign(page):
        out[:, _SPELLING_AT] = _USUAL_SPELLING


def _containers(page: Page, page_blocks: Blocks, sums: Ints, prose: Floats, marks: Singles, out: Singles) -> None:
    """The _CONTAINER features of each level, level after level: what is said of a container is computed once for all
    blocks in it, but for their places."""
    among = np.zeros(len(page), bool)
    among[page_blocks.level] = True
    rows = among.nonzero()[0]
    which = (among.cumsum() - 1).take(page_blocks.level.T)
    begin, stop = np.empty((2, len(rows)), np.intp)
    begin[which], stop[which] = page_blocks.begin.T, page_blocks.stop.T
    held = (sums.take(page.last.take(rows), axis=1) - sums.take(page.first.take(rows), axis=1)).astype(np.float32)
    images, controls, headings = marks.take(page.end.take(rows), axis=1) - marks.take(rows, axis=1)
    count = np.maximum(stop - begin, 1).astype(np.float32)
    chars = np.maximum(held[CHARS], 1)
    table = np.empty((len(rows), len(_CONTAINER)), np.float32)
    (
        size, share, linked, sentences, text_per_block, blocks_, share_of_blocks, children, of_prose, with_images,
        with_controls, with_headings, _, digits,
    ) = table.T  # fmt: skip
    np.log1p(chars, out=size)
    np.divide(chars, np.float32(max(sums[CHARS, -1], 1)), out=share)
    np.divide(held[LINKED], chars, out=linked)
    np.minimum(held[ENDS] / chars * 100, 4, out=sentences)
    np.log1p(chars / count, out=text_per_block)
    np.log1p(count, out=blocks_)
    np.divide(count, len(page_blocks), out=share_of_blocks)
    np.log1p(child_count(page).take(rows), out=children)
    np.divide(prose.take(stop) - prose.take(begin), max(prose[-1], 1), out=of_prose)
    np.log1p(images, out=with_images)
    np.log1p(controls, out=with_controls)
    np.minimum(headings / count, 1, out=with_headings)
    np.divide(held[DIGITS], chars, out=digits)
    each = table.take(which, axis=0)
    each[:, :, _PLACE_IN] = (np.arange(0.5, len(page_blocks))[:, None] - page_blocks.begin.T) / count.take(which)
    out[:] = each.reshape(out.shape)


def _repeats(page: Page, page_blocks: Blocks, own: Singles, out: Singles) -> None:
    """How many blocks are built alike, how much text they hold, and how many blocks have the same words."""
    same_path, same_path_text, same_place, same_place_text, same_words = out.T
    chars = own[CHARS]
    total = max(float(np.add.reduce(chars)), 1)
    for group_of, same, text in (
        (page_blocks.alike, same_path, same_path_text),
        (page_blocks.beside, same_place, same_place_text),
    ):
        np.log1p(np.bincount(group_of).take(group_of), out=same)
        np.divide(np.bincount(group_of, weights=chars).take(group_of), total, out=text)
    length = page.stop[page_blocks.last] - page.start[page_blocks.first] if is_foreign(page) else chars
    shape = ((length * 1009 + own[PUNCTUATION]) * 1009 + own[CAPITALS]) * 1009 + own[WORDS]
    group_of = numbered(shape.astype(np.float64))
    np.log1p(np.bincount(group_of).take(group_of), out=same_words)


def _place(page: Page, page_blocks: Blocks, before: Ints, inside: NDArray[np.uint32], out: Singles) -> None:
    (
        place, text_before, text_after, depth, since_heading, to_heading, from_main_heading, title_words, gap_before,
        gap_after,
    ) = out.T  # fmt: skip
    number = np.arange(len(page_blocks))
    total = max(before[-1], 1)
    heading = (inside & _INSIDE_HEADING).astype(bool)
    main = (inside & _INSIDE_MAIN_HEADING).nonzero()[0]
    np.divide(number, len(page_blocks), out=place)
    np.divide(before.take(page_blocks.first), total, out=text_before)
    np.subtract(1, before.take(page_blocks.last + 1) / total, out=text_after)
    np.minimum(page.depth.take(page_blocks.at) / 20, 2, out=depth)
    last_heading = np.maximum.accumulate(np.where(heading, number, -1))
    next_heading = np.minimum.accumulate(np.where(heading, number, 2 * len(page_blocks))[::-1])[::-1]
    np.log1p(number - last_heading, out=since_heading)
    np.log1p(next_heading - number, out=to_heading)
    if len(main):
        away = number - main[0]
        np.multiply(np.sign(away), np.log1p(np.abs(away)), out=from_main_heading)
    else:
        from_main_heading[:] = 0
    title_words[:] = 0
    headings = heading.nonzero()[0][:_HEADINGS_COMPARED]
    if len(headings):
        title_words[headings] = _title_words(page, page_blocks, headings)
    gap_before[0] = 0
    np.log1p(np.maximum(page_blocks.at[1:] - page_blocks.at[:-1], 0), out=gap_before[1:])
    gap_after[:-1] = gap_before[1:]
    gap_after[-1] = log1p(len(page) - int(page_blocks.at[-1]))


def _title_words(page: Page, page_blocks: Blocks, headings: Rows) -> list[float]:
    """The share of the words of some headings that the page's title has."""
    start, stop = page.start[page_blocks.first[headings]], page.stop[page_blocks.last[headings]]
    heading_words = [_words(page, a, b) for a, b in zip(start.tolist(), stop.tolist(), strict=True)]
    title: set[str] = set()
    for row in (page.tag == NUMBER["title"]).nonzero()[0][:1].tolist():
        first, last = int(page.first[row]), int(page.last[row])
        title.update(_words(page, page.start[first], page.stop[last - 1]) if first < last else ())
    return [len(title.intersection(words)) / max(len(words), 1) for words in heading_words]


def _words(page: Page, start: int, stop: int) -> list[str]:
    """The words of a stretch of texts, in lower case."""
    return page.utf8[start:stop].replace(b"\0", b" ").decode().lower().split()


_HEADINGS_COMPARED = 12


def _whole(page: Page, total: Ints, prose: float, marks: Singles, inside: Singles) -> list[float]:
    """The _PAGE features, the same for all blocks."""
    size = max(float(total[CHARS]), 1)
    count = len(inside)
    mean = dict(zip(INSIDE, (np.full(count, 1 / count, np.float32) @ inside).tolist(), strict=True))
    images, controls, _ = marks.tolist()
    return [
        log1p(size),
        log1p(count),
        float(total[LINKED]) / size,
        prose / size,
        log1p(size / count),
        log1p(np.count_nonzero(page.tag == NUMBER["article"])),
        mean["heading"],
        log1p(controls),
        log1p(images),
        mean["list item"],
        mean["table cell"],
        mean["paragraph"],
    ]

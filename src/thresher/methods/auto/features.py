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

from thresher.data.tags import HEADINGS, NUMBER, group
from thresher.methods.auto.blocks import LEVELS, SECRET, Blocks, blocks, slots
from thresher.methods.auto.counts import CHARS, INSIDE, LINKED, Counts, Elements, counts, elements
from thresher.methods.auto.described import DESCRIBED, described_columns
from thresher.methods.auto.kernels.containers import sum_prose, write_containers
from thresher.methods.auto.kernels.own import write_own, write_place, write_repeats
from thresher.methods.auto.prose import PROSE, longest_run, prose_columns
from thresher.methods.auto.script import is_foreign
from thresher.methods.auto.signs import SIGNS, sign_columns, signs
from thresher.methods.auto.units import UNITS, unit_columns
from thresher.methods.auto.vocabulary import VOCABULARY, title_span, vocabulary_columns
from thresher.page import Page
from thresher.page.types import Floats, Rows, Singles

__all__ = ["FEATURES", "INSIDE", "INSIDE_AT", "PAGE_AT", "PROSE_AT", "features"]


_HEADING_RANK = np.zeros(len(group(HEADINGS)), np.float32)
for _k, _name in enumerate(HEADINGS):
    _HEADING_RANK[NUMBER[_name]] = (6 - _k) / 3
_HEADING, _MAIN_HEADING = (1 << list(INSIDE).index(name) for name in ("heading", "main heading"))

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
# How a block begins and ends, by its first and last byte, a bit each: begins_capital … ends_question
_CHARACTERS = [chr(byte) for byte in range(256)]
_SHAPES_OF_BYTES = (
    ["A" <= c <= "Z" for c in _CHARACTERS],
    ["0" <= c <= "9" for c in _CHARACTERS],
    [c < "0" or "9" < c < "A" or "Z" < c < "a" for c in _CHARACTERS],
    [c in '.!?"\x82' for c in _CHARACTERS],
    [c == ":" for c in _CHARACTERS],
    [c == "?" for c in _CHARACTERS],
)
_SHAPES = bytes(sum(is_so << bit for bit, is_so in enumerate(shapes)) for shapes in zip(*_SHAPES_OF_BYTES, strict=True))
_HEADINGS_COMPARED = 12


def features(page: Page, out: Singles | None = None) -> Singles:
    """x: one row per block of `blocks(page)`, one column per name in FEATURES; written to `out` if that is given."""
    page_blocks = blocks(page)
    x = np.empty((len(page_blocks), len(FEATURES)), np.float32) if out is None else out
    if not len(page_blocks):
        return x
    counted, page_elements = counts(page), elements(page)
    prose = np.empty(len(page_blocks) + 1)
    sum_prose(counted.own, prose)
    _own(page, page_blocks, counted, x[:, _OWN_AT])
    share = _place(page, page_blocks, counted, page_elements, x[:, INSIDE_AT], x[:, _PLACE_AT])
    _containers(page, page_blocks, counted, page_elements, prose, x[:, _CONTAINERS_AT])
    _repeats(page, page_blocks, counted, x[:, _REPEATS_AT])
    x[:, PAGE_AT] = _whole(counted, page_elements, float(prose[-1]), share)
    run, page_signs = longest_run(counted), signs(page, page_blocks, counted)
    prose_columns(page, page_blocks, counted, page_elements, run, x[:, PROSE_AT])
    unit_columns(page, page_blocks, counted, page_elements, page_signs.dated, x[:, _UNITS_AT])
    vocabulary_columns(page, page_blocks, counted, run, x[:, _VOCABULARY_AT])
    sign_columns(page, page_blocks, counted, page_signs, x[:, _SIGNS_AT])
    described_columns(page, page_blocks, counted, x[:, _DESCRIBED_AT])
    return x


def _own(page: Page, page_blocks: Blocks, counted: Counts, out: Singles) -> None:
    write_own(
        page.utf8, page.start, page.stop, page_blocks.first, page_blocks.last, counted.own,
        _SHAPES, out,
    )  # fmt: skip
    out[:, -1] = _HEADING_RANK.take(page.tag.take(page_blocks.level[0]))
    if is_foreign(page):
        out[:, _SPELLING_AT] = _USUAL_SPELLING


def _containers(
    page: Page, page_blocks: Blocks, counted: Counts, page_elements: Elements, prose: Floats, out: Singles
) -> None:
    """The _CONTAINER features of each level, level after level."""
    known = np.empty(len(page), np.intp)
    write_containers(
        page_blocks.level, page_blocks.begin, page_blocks.stop, page.first, page.last,
        page.end, counted.sums, prose, page_elements.marks, page_elements.children, known,
        out,
    )  # fmt: skip


def _repeats(page: Page, page_blocks: Blocks, counted: Counts, out: Singles) -> None:
    """How many blocks are built alike, how much text they hold, and how many blocks have the same words."""
    count = len(page_blocks)
    lengths = np.zeros(0, np.int32)
    if is_foreign(page):
        lengths = page.stop.take(page_blocks.last) - page.start.take(page_blocks.first)
    key, room, held = np.empty(count, np.uint64), np.empty(count, np.float32), np.empty((2, count))
    write_repeats(
        page_blocks.alike, page_blocks.beside, counted.own, lengths, SECRET, slots(count),
        key, room, held, out,
    )  # fmt: skip


def _place(
    page: Page, page_blocks: Blocks, counted: Counts, page_elements: Elements, inside: Singles, out: Singles
) -> Floats:
    """The columns named in _PLACE, and in INSIDE; the share of the blocks in each of the latter."""
    share = np.empty(len(INSIDE))
    headings = write_place(
        page_blocks.at, page.depth, page_blocks.first, page_blocks.last, counted.sums[CHARS],
        page_elements.inside, _HEADING, _MAIN_HEADING, inside, share,
        out,
    )  # fmt: skip
    if headings:
        compared = inside[:, list(INSIDE).index("heading")].nonzero()[0][:_HEADINGS_COMPARED]
        out[compared, _PLACE.index("title_words")] = _title_words(page, page_blocks, compared)
    return share


def _title_words(page: Page, page_blocks: Blocks, headings: Rows) -> list[float]:
    """The share of the words of some headings that the page's title has."""
    begin, end = title_span(page)
    start, stop = page.start.take(page_blocks.first[headings]), page.stop.take(page_blocks.last[headings])
    spans = ((begin, end), *zip(start.tolist(), stop.tolist(), strict=True))
    lines = b"\0".join([page.utf8[a:b].replace(b"\0", b" ") for a, b in spans]).decode().lower().split("\0")
    title, *heading_words = map(str.split, lines)
    known = frozenset(title)
    return [len(known.intersection(words)) / max(len(words), 1) for words in heading_words]


def _whole(counted: Counts, page_elements: Elements, prose: float, share: Floats) -> list[float]:
    """The _PAGE features, the same for all blocks; `share` as `_place` gives it."""
    sums = counted.sums[:, -1].tolist()
    images, controls, _, _, articles, *_ = page_elements.marks[:, -1].tolist()
    size, count = max(float(sums[CHARS]), 1), counted.own.shape[1]
    mean = dict(zip(INSIDE, share.tolist(), strict=True))
    return [
        log1p(size),
        log1p(count),
        sums[LINKED] / size,
        prose / size,
        log1p(size / count),
        log1p(articles),
        mean["heading"],
        log1p(controls),
        log1p(images),
        mean["list item"],
        mean["table cell"],
        mean["paragraph"],
    ]

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

from thresher.methods.auto.blocks import LEVELS, SECRET, Blocks, blocks, slots
from thresher.methods.auto.counts import counts
from thresher.methods.auto.described import DESCRIBED, described_columns
from thresher.methods.auto.elements import FACTS, INSIDE, elements, forget_elements
from thresher.methods.auto.kernels.containers import write_containers
from thresher.methods.auto.kernels.own import write_own
from thresher.methods.auto.kernels.prose import write_prose
from thresher.methods.auto.kernels.repeats import write_repeats
from thresher.methods.auto.prose import PROSE
from thresher.methods.auto.script import is_foreign
from thresher.methods.auto.signs import SIGNS, sign_columns
from thresher.methods.auto.units import UNITS, unit_columns
from thresher.methods.auto.vocabulary import VOCABULARY, title_words, vocabulary_columns
from thresher.page import Page
from thresher.page.types import Floats, Singles

__all__ = ["FEATURES", "INSIDE", "INSIDE_AT", "PAGE_AT", "PROSE_AT", "features"]


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
_TITLE_WORDS_AT = FEATURES.index("at title_words")
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
_LOGS: Floats = np.array([log1p(number) for number in range(1024)])  # of one more than 0, 1, …
_LOGS.setflags(write=False)


def features(page: Page, out: Singles | None = None) -> Singles:
    """x: one row per block of `blocks(page)`, one column per name in FEATURES; written to the first columns of `out` if
    that is given."""
    page_blocks = blocks(page)
    x = np.empty((len(page_blocks), len(FEATURES)), np.float32) if out is None else out
    if len(page_blocks):
        _write(page, page_blocks, x)
    return x


def _write(page: Page, page_blocks: Blocks, x: Singles) -> None:
    """Column by column; the loops share their room."""
    counted = counts(page, page_blocks)
    table, sums, own, walked = page_blocks.table, counted.sums, counted.own, elements(page)
    size = max(table.shape[1], len(walked))
    room, ints, reals = slots(size), np.empty((5, size + 1), np.int32), np.empty((7, size + 1))
    headings, run = np.empty((_HEADINGS_COMPARED, 3), np.int32), np.empty(2, np.intp)
    found = write_own(
        page.utf8, page.start, page.stop, _SHAPES, FACTS, table, sums, own, walked,
        _LOGS, headings, x, _OWN_AT.start, _PLACE_AT.start,
    )  # fmt: skip
    if is_foreign(page):
        x[:, _SPELLING_AT] = _USUAL_SPELLING
    title_words(page, headings[:found], x, _TITLE_WORDS_AT)
    write_containers(table, sums, own, walked, ints, reals, _LOGS, x, _CONTAINERS_AT.start)
    write_repeats(
        table, page.start, page.stop, own, is_foreign(page), SECRET, room, reals, _LOGS, x, _REPEATS_AT.start
    )  # fmt: skip
    write_prose(table, sums, own, walked, reals, _LOGS, run, x, PROSE_AT.start)
    sign_columns(page, page_blocks, counted, reals, _LOGS, x, _SIGNS_AT.start)
    unit_columns(page, page_blocks, counted, room, ints, _SIGNS_AT.start, x, _UNITS_AT.start)
    vocabulary_columns(page, page_blocks, counted, run, reals, _LOGS, x, _VOCABULARY_AT.start)
    described_columns(page, page_blocks, counted, x, _DESCRIBED_AT.start)
    forget_elements(page)

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

from itertools import accumulate
from math import log1p

import numpy as np

from thresher.methods.auto.blocks import LEVELS, SECRET, Blocks, blocks, slots
from thresher.methods.auto.described import DESCRIBED, described_columns
from thresher.methods.auto.elements import FACTS, INSIDE, elements, forget_elements
from thresher.methods.auto.hashing import BUCKETS
from thresher.methods.auto.kernels.features import write_features
from thresher.methods.auto.prose import PROSE
from thresher.methods.auto.script import is_foreign
from thresher.methods.auto.signs import SIGNS, marked, sign_marks
from thresher.methods.auto.units import FEWEST, LINK, NO_PAGE, OF_UNITS, UNITS
from thresher.methods.auto.vocabulary import VOCABULARY, rarity, title_words
from thresher.methods.auto.wording import first_words
from thresher.page import Page, attributes
from thresher.page.columns import in_link, text_counts
from thresher.page.textcounts import COUNTED
from thresher.page.types import Floats, Ints, Singles
from thresher.visible.readable import readable

__all__ = ["FEATURES", "INSIDE", "INSIDE_AT", "SUMS", "features"]

SUMS = (*COUNTED, "linked", "emphasis")  # what is counted of each text and each block
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
_BOUNDS = [*accumulate(map(len, _PARTS), initial=0)]
_PARTS_AT: Ints = np.array(_BOUNDS, np.int32)
INSIDE_AT, _DESCRIBED_AT = slice(*_BOUNDS[1:3]), _BOUNDS[-2]
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
    """Write all columns: one loop, with room for what it counts, and what there is only on some pages."""
    table, walked, markup = page_blocks.table, elements(page), page.markup
    _, _, class_start, class_stop = attributes.numbered(page, "class")
    links = attributes.numbered(page, "href")
    blocks_or_elements = max(table.shape[1], len(walked))
    sums = np.empty((len(page.start) + 1, len(SUMS)), np.int32)
    own = np.empty((len(page_blocks), len(SUMS)), np.float32)
    headings = np.empty((_HEADINGS_COMPARED, 3), np.int32)
    found = write_features(
        page.utf8, page.start, page.stop, page.owner, page.tag, text_counts(page), readable(page).view(np.uint8),
        in_link(page).view(np.uint8), is_foreign(page), markup, *links, class_start, class_stop, marked(page).fields,
        sign_marks(page), *first_words(page), _SHAPES, FACTS, _LOGS, rarity((len(page_blocks) + 1).bit_length()),
        NO_PAGE, LINK, SECRET, table, walked, sums, own, headings, np.empty(2, np.intp), slots(blocks_or_elements),
        np.empty((5, blocks_or_elements + 1), np.int32), np.empty((7, blocks_or_elements + 1)),
        np.empty((3, len(links.row)), np.int32), np.empty(len(class_start), np.uint64),
        np.empty((len(walked) // FEWEST, len(OF_UNITS) + 1)), np.empty((BUCKETS, 4), np.int32), x, _PARTS_AT,
    )  # fmt: skip
    if is_foreign(page):
        x[:, _SPELLING_AT] = _USUAL_SPELLING
    title_words(page, headings[:found], x, _TITLE_WORDS_AT)
    described_columns(page, page_blocks, own, x, _DESCRIBED_AT)
    forget_elements(page)

"""The kernels of visible: compiled or not, the same results, and those of slow and obvious versions."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel_arguments import assert_source_gives_the_same
from tests.kernels import FUZZED, both
from tests.reference import visible as naive
from tests.strategies import pages
from thresher.data.tags import TAGS
from thresher.page import Page
from thresher.page.columns import chars
from thresher.visible import until_script

KERNELS = both("thresher.visible.kernels")
COLOURS = both("thresher.visible.colour_kernels")
WORDS = both("thresher.visible.word_kernels")
MODULES = {"visible": KERNELS, "colours": COLOURS, "words": WORDS}
# As in kernel_arguments: N elements, M texts, K attributes or entries, B blocks, U bytes.
SHAPES = {
    "colours.find_vanishing": "N N N M N N N N N N K K 9 - 8,N 2,N",
    "visible.mark_entries": "N K",
    "visible.mark_rows": "N - N",
    "visible.pass_on": "N N N N N N N N",
    "visible.read_texts": "N N N N M 9 M M M B+4",
    "visible.survey": "N N N N N M 9 - N 2",
    "words.mark_saying": "U K K K 1 - N - N",
    "words.squeeze_texts": "U M M M 41",
}


@pytest.mark.parametrize("name", SHAPES)
def test_no_numbers_make_a_loop_read_or_write_outside_of_its_arrays(name: str) -> None:
    module, function = name.split(".")
    assert_source_gives_the_same(MODULES[module], function, SHAPES[name], range(FUZZED))


def test_every_loop_of_visible_is_compared() -> None:
    assert {f"{name}.{one}" for name, modules in MODULES.items() for one in modules[1].__all__} == set(SHAPES)


def some(chance: random.Random, count: int, share: float = 0.2) -> np.ndarray:
    return np.array([chance.random() < share for _ in range(count)], bool)


@settings(max_examples=100, deadline=None)
@given(page=pages(), seed=st.integers(0, 1000), by_elements=st.booleans())
def test_texts_are_seen_unless_something_around_them_is_not(page: Page, seed: int, by_elements: bool) -> None:
    chance, count = random.Random(seed), len(page.start)
    kinds = np.array([chance.choice([0, 0, 0, 1, 2, 4]) for _ in TAGS], np.uint8)
    hidden, closed = some(chance, len(page) * by_elements), some(chance, count * (not by_elements))
    told = naive.read(page.parent.tolist(), page.owner.tolist(), hidden, closed, kinds[page.tag].tolist())
    length, block = chars(page).tolist(), page.block.tolist()
    is_seen = [not (unread or fallback) for unread, fallback, _ in told]
    blocks = max(block, default=-1) + 1
    expected = [sum(length[k] for k in range(count) if is_seen[k] and block[k] == b) for b in range(blocks)]
    expected.append(sum(length[k] for k in range(count) if is_seen[k]))
    expected.append(sum(length[k] for k in range(count) if is_seen[k] and not told[k][2]))
    expected.append(sum(length[k] for k in range(count) if not is_seen[k]))
    expected.append(sum(length[k] for k in range(count) if told[k][1] and not told[k][0]))
    for module in KERNELS:
        seen, sums = np.empty(count, np.uint8), np.empty(blocks + 4, np.int64)
        module.read_texts(
            page.tag, page.first, page.last, hidden.view(np.uint8), closed.view(np.uint8), kinds, page.block,
            chars(page), seen, sums,
        )  # fmt: skip
        assert seen.tolist() == is_seen
        assert sums.tolist() == expected


@settings(max_examples=100, deadline=None)
@given(page=pages(), seed=st.integers(0, 1000))
def test_rows_that_may_be_opened_are_surveyed(page: Page, seed: int) -> None:
    chance = random.Random(seed)
    told = {name: some(chance, len(page)) for name in ("display", "aria-hidden", "color")}
    by_attribute, opened = some(chance, len(page)), some(chance, len(page), 0.05)
    html, unread, main = (chance.choices([0, 1], [9, 1], k=len(TAGS)) for _ in range(3))
    kinds = np.array([a | b << 1 | c << 2 for a, b, c in zip(html, unread, main, strict=True)], np.uint8)
    kind = kinds[page.tag]
    hides = np.logical_or.reduce(list(told.values()))
    shown = hides & ((kind & 1 > 0) | opened)
    closed = hides & ~shown
    large = page.end - np.arange(len(page)) >= 3
    candidates = closed & ~told["color"] & ~by_attribute & (~told["aria-hidden"] | large)
    parent, path = page.parent.tolist(), [naive.up(page.parent.tolist(), row) for row in page.owner.tolist()]
    length = chars(page).tolist()
    total = sum(size for size, around in zip(length, path, strict=True) if not (kind[around] & 2).any())
    outside = sum(
        size
        for size, around in zip(length, path, strict=True)
        if not (kind[around] & 2).any() and not closed[around].any()
    )
    mains = np.flatnonzero(kind & 4)[:20].tolist()
    holds = any(candidates[naive.up(parent, row)].any() for row in mains)
    expected = 1 * shown.any() | 2 * candidates.any() | 4 * holds
    reasons, marks = until_script.marked(page, told)
    assert [*reasons] == [name for name, rows in told.items() if rows.any()]
    for module in KERNELS:
        own, still, sizes = marks.copy(), np.empty(len(page), np.uint8), np.empty(2, np.int64)
        assert module.mark_rows(by_attribute.view(np.uint8), 4, own) == by_attribute.sum()
        module.mark_rows((opened & hides).view(np.uint8), 16, own)
        assert expected == module.survey(
            own, page.tag, page.end, page.first, page.last, chars(page), kinds, 3, still, sizes
        )
        assert still.tolist() == closed.tolist()
        assert (own & 32 > 0).tolist() == candidates.tolist()
        assert sizes.tolist() == [total, outside]


@settings(max_examples=150, deadline=None)
@given(page=pages(), seed=st.integers(0, 10_000), external=st.booleans())
def test_colours_are_those_of_the_nearest_element_that_has_any(page: Page, seed: int, external: bool) -> None:
    chance = random.Random(seed)
    entries, size = chance.randrange(2, 12), len(page)
    levels = [-1, -1, -1, -1, 0xFFFFFF, 0xFFFEFC, 0x000000, 0x040400]
    number = np.array([0, *chance.choices(range(len(levels)), k=entries - 1)], np.int32)
    traits = np.array([0, *chance.choices(range(4), k=entries - 1)], np.uint8)
    winners = [
        np.array(chance.choices(range(entries), [entries, *[1] * (entries - 1)], k=size * is_there), np.int32)
        for is_there in (1, *chance.choices([0, 1], k=5))
    ]
    colours = naive.Colours(
        page.parent.tolist(),
        [winner.tolist() for winner in winners],
        number.tolist(),
        traits.tolist(),
        levels,
        external,
    )
    own = [page.owner.tolist().count(row) == page.last[row] - page.first[row] for row in range(size)]
    expected = [colours.vanishes(row, own[row]) for row in range(size)]
    declared = [
        expected[row]
        and (any(len(winner) and winner[row] > 0 for winner in winners[:2]) or _paints(colours, row, external))
        for row in range(size)
    ]
    for module in COLOURS:
        vanishes = np.empty((2, size), np.uint8)
        module.find_vanishing(
            page.parent, page.first, page.last, page.owner, *winners, number, traits, np.array(levels, np.int32),
            external, np.empty((8, size), np.int32), vanishes,
        )  # fmt: skip
        assert vanishes.tolist() == [expected, declared]


@settings(max_examples=100, deadline=None)
@given(page=pages(), seed=st.integers(0, 1000), by_colour=st.booleans())
def test_what_hides_goes_on_until_something_shows_again(page: Page, seed: int, by_colour: bool) -> None:
    chance, size = random.Random(seed), len(page)
    rows, again = some(chance, size), some(chance, size * chance.choice([0, 1]) * (not by_colour))
    unseen = some(chance, size * by_colour, 0.8)
    parent = page.parent.tolist()
    expected = []
    for row in range(size):
        told = next((one for one in naive.up(parent, row) if rows[one] or (len(again) and again[one])), None)
        expected.append(bool(told is not None and rows[told] and (not by_colour or unseen[row])))
    whole = [all(expected[row : page.end[row]]) for row in range(size)]
    outermost = [whole[row] and not (parent[row] >= 0 and whole[parent[row]]) for row in range(size)]
    veiled = [expected[row] and not whole[row] for row in range(size)]
    for module in KERNELS:
        hidden, shows, mask, veil = np.zeros((4, size), np.uint8)
        arrays = (column.view(np.uint8) for column in (rows, again, unseen))
        assert module.pass_on(page.parent, *arrays, hidden, shows, mask, veil) == sum(veiled)
        assert hidden.tolist() == expected
        assert mask.tolist() == outermost
        assert veil.tolist() == veiled


def _paints(colours: naive.Colours, row: int, external: bool) -> bool:
    if external:
        return colours.has(colours.background, row, 1)
    return bool(len(colours.background) and colours.background[row] > 0)


@pytest.mark.parametrize("module", WORDS)
@pytest.mark.parametrize(
    ("value", "stripped", "told"),
    [
        (b"true", True, True), (b" \tTRUE\n", True, True), (b" true", False, False), (b"trUE", False, True),
        (b"", True, False), (b"truth", True, False), (b"tru", True, False), (b"true true", True, False),
    ],
)  # fmt: skip
def test_an_attribute_says_a_word_or_not(module, value: bytes, stripped: bool, told: bool) -> None:
    row, start, stop = (np.array([at], np.int32) for at in (1, 0, len(value)))
    for only, expected in ((-1, told), (7, told), (8, False)):
        chosen = np.zeros(3, np.uint8)
        count = module.mark_saying(
            value, row, start, stop, b"true", stripped, np.array([8, 7, 8], np.int16), only, chosen
        )
        assert chosen.tolist() == [0, expected, 0]
        assert count == expected


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.text("ab é漢 \n\t\x0b\x1c\x1f\x85\xa0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\u200b"), st.booleans()
        )
    )
)
def test_white_space_is_squeezed_as_words_are_split(texts: list[tuple[str, bool]]) -> None:
    pieces = [text.encode() for text, _ in texts]
    stop = np.cumsum([len(piece) + 1 for piece in pieces]).astype(np.int32) - np.int32(1)
    start = stop - np.array(list(map(len, pieces)), np.int32)
    left_out = np.array([is_left_out for _, is_left_out in texts], np.uint8)
    expected = " ".join(" ".join(text for text, is_left_out in texts if not is_left_out).split()).encode()
    utf8 = b"".join(piece + b"\0" for piece in pieces)
    for module in WORDS:
        out = np.empty(len(utf8) + 1, np.uint8)
        size = module.squeeze_texts(utf8, start, stop, left_out, out)
        assert out[:size].tobytes() == expected

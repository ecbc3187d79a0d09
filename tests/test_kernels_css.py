"""css kernels: compiled or not, the same results; no bytes make one read or write outside of its buffers."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels import FUZZED, both
from tests.strategies import pages
from thresher.css import selector_table
from thresher.css.properties import HIDING_FIRST, HIDING_KINDS, NAMES, PROPERTIES, ROLES
from thresher.css.selector_table import PageSelectors, Results, SelectorTable, table_room
from thresher.css.structure import Structure
from thresher.css.winners import ENTRY_COLUMNS, LAYER, LEVEL, ORDER, SPECIFICITY
from thresher.page import Page
from thresher.page.types import Rows
from thresher.parse import parse

TOKENISERS, SUSPECTS = (both(f"thresher.css.{name}") for name in ("tokeniser", "suspects"))
PROPERTIES_OF = [module.Properties(NAMES, HIDING_FIRST, HIDING_KINDS) for module in TOKENISERS]
READERS, PAGE_NAMES, MATCHERS, WINNERS, RULES = (
    both(f"thresher.css.{name}") for name in ("selector_reader", "names", "row_match", "winners", "rule_kernels")
)

_PIECES = [
    "{", "}", ";", ":", ",", "\n", " ", "/*", "*/", '"', "'", "\\", "(", ")", "url(", "@media x", "@layer a", "--x:1",
    "@scope", "@import x", "if(", ".a", "#b", "p", "*", ">", "+", "~", ":hover", ":root", "[x]", "&", ":not(",
    ".a\\:b", ".b{", "display:none", "opacity:.4", "margin:-99px",
    "color:#fff0", "color:var(--x)", "background:red", "!important", "left:100%", "é", "P", ".A",
]  # fmt: skip
_SELECTORS = st.lists(
    st.sampled_from(["p", "div", ".a", ".b", "#c", "*", " ", " > ", "+", " ~ ", "A", ".B", "[x]", ":not(p)", ".\\61"])
)


def random_sheet(seed: int) -> bytes:
    chance = random.Random(seed)
    if chance.random() < 0.2:
        return bytes(chance.choices(range(256), k=chance.randrange(80)))
    return "".join(chance.choices(_PIECES, k=chance.randrange(40))).encode()


def tokens(which: int, sheets: list[bytes]) -> list[list[list[int]]]:
    sheets = [sheet + b"\n;" for sheet in sheets]
    text, sizes = b"".join((*sheets, b"\0")), list(map(len, sheets))
    tokeniser = TOKENISERS[which].Tokeniser
    read, features = tokeniser(text, PROPERTIES_OF[which]).read(sizes)
    declared = tokeniser(text, PROPERTIES_OF[which]).read_attributes(sizes)
    return [*(columns.tolist() for columns in (*read, declared)), [[features]]]


def test_random_sheets_are_read_alike():
    for seed in range(FUZZED):
        sheets = [random_sheet(seed), random_sheet(-seed)]
        fast, slow = (tokens(which, sheets) for which in (0, 1))
        assert fast == slow
        size = sum(map(len, sheets)) + 5
        places = (*fast[0], *fast[3], *fast[4][2:5])
        assert all(-1 <= number < size for column in places for number in column)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60), st.integers(0, len(ROLES) - 1))
def test_values_may_hide_alike(value: bytes, name: int) -> None:
    fast, slow = (TOKENISERS[which].may_hide(value, name, PROPERTIES_OF[which]) for which in (0, 1))
    assert fast == slow
    fast, slow = (module.may_be_clear(value) for module in SUSPECTS)
    assert fast == slow


def test_suspects_are_alike():
    for seed in range(FUZZED):
        structure = Structure([random_sheet(seed)], PROPERTIES)
        for external in (False, True):
            fast, slow = (module.suspects(structure, ROLES, external).tolist() for module in SUSPECTS)
            assert fast == slow


@settings(max_examples=60, deadline=None)
@given(pages(), st.booleans(), _SELECTORS.map("".join), st.integers())
def test_names_are_matched_alike(page: Page, fold: bool, selector: str, seed: int) -> None:
    compare_names(page, fold, selector.encode(), seed)


SMALL_PAGE = (
    "<!DOCTYPE html><div class='a b' id=c><p class=A>x<p class='a a' id=B>y</p></div><p>z<b class=b>t</b><i></i>"
)


def test_random_selectors_are_matched_alike():
    page = parse(SMALL_PAGE)
    for seed in range(FUZZED):
        compare_names(page, seed % 2 == 0, random_sheet(seed)[:40], seed)


def compare_names(page: Page, fold: bool, selector: bytes, seed: int) -> None:
    structure = Structure([selector + b"{top:0}" + random_sheet(seed)], PROPERTIES)
    fast, slow = (names_of(page, fold, structure, seed, which) for which in (0, 1))
    assert fast == slow


def names_of(page: Page, fold: bool, structure: Structure, seed: int, which: int) -> object:
    """All that the kernels, compiled (0) or not (1), tell of a sheet on a page."""
    chance = np.random.default_rng(seed % (1 << 32))
    names = PAGE_NAMES[which].PageNames(page, fold)
    table, kinds, around = table_of(structure, which)
    matcher, selector_table.RowMatcher = selector_table.RowMatcher, MATCHERS[which].RowMatcher
    try:
        selectors = PageSelectors(table, names, page.parent, lambda text, _: some_rows(page, len(text)))
        bits = chance.integers(0, 4, len(page)).astype(np.uint64)
        reach = [selectors.reach(len(kinds), asked).tolist() for asked in (None, bits)]
        everything = np.arange(len(table.block), dtype=np.int32)
        small = [result_of(results) for results in selectors.match(everything, 3_000)]
        results = list(selectors.match(everything, 1 << 40))
    finally:
        selector_table.RowMatcher = matcher
    entered = [entered_by(page, table, part, len(kinds), seed, which) for part in results]
    return kinds, around, reach, names.rows_with(b".", b"a").tolist(), small, list(map(result_of, results)), entered


def some_rows(page: Page, seed: int) -> Rows:
    return np.flatnonzero(np.random.default_rng(seed).random(len(page)) < 0.5)


def table_of(structure: Structure, which: int) -> tuple[SelectorTable, list[int], object]:
    open_, prelude, parent, _ = structure.blocks
    kinds, around = np.ones(len(open_), np.uint8), np.zeros(len(open_), np.int32)
    room = table_room(len(structure.text) + len(open_) + 1)
    bounds, is_free = np.zeros((2, len(open_)), np.int32), np.zeros(len(open_), np.uint8)
    counts = READERS[which].read_preludes(
        structure.text, prelude.data, open_.data, parent.data, around.data, kinds.data, bounds.data, is_free.data,
        room.data,
    )  # fmt: skip
    assert max(counts) < room.shape[1]
    table = SelectorTable(structure.text, room, counts, lambda _: b":is(p)")
    return table, kinds.tolist(), [around.tolist(), bounds.tolist(), is_free.tolist()]


def result_of(results: Results) -> object:
    columns = results.columns[:, : results.size].tolist()
    return (
        columns,
        [results.rows[first:last].tolist() for first, last in zip(*columns[2:], strict=True)],
        results.budget,
    )


def entered_by(page: Page, table: SelectorTable, results: Results, blocks: int, seed: int, which: int) -> object:
    """What is entered of random declarations, and the rows in focus behind it."""
    chance = np.random.default_rng(seed % (1 << 32))
    count = chance.integers(0, 3, blocks)
    last = np.cumsum(count).astype(np.int32)
    first = last - count.astype(np.int32)
    given = chance.integers(0, 5, (5, int(count.sum()))).astype(np.int32)
    entries = np.zeros((ENTRY_COLUMNS, int(chance.integers(1, 40))), np.int32)
    winner, marks = np.zeros((5, len(page)), np.int32), np.zeros((2, len(page)), np.uint64)
    focused = chance.integers(0, 32, len(page) * int(chance.integers(0, 2))).astype(np.uint64)
    textless, marked = (page.first == page.last).view(np.uint8), np.zeros(5, np.uint8)
    state = np.array([1, int(chance.integers(1, 400)), 0], np.int64)
    WINNERS[which].enter_results(
        results.columns.data, results.size, table.block.data, results.rows.data, given.data, first.data, last.data,
        focused.data, textless.data, 0b101, marked.data, entries.data, winner.data, marks.data, 2,
        state.data,
    )  # fmt: skip
    room = WINNERS[which].entries_of(results.columns.data, results.size, table.block.data, first.data, last.data)
    attributes, size = int(chance.integers(1, 6)), int(chance.integers(0, entries.shape[1]))
    declared = chance.integers(0, 5, (size, 4)).astype(np.int32)
    declared[:, 0] = np.sort(declared[:, 0] % attributes)
    of_rows = chance.integers(0, attributes, len(page)).astype(np.int32)
    entered = WINNERS[which].enter_attributes(
        declared.data, 3, np.arange(len(page), dtype=np.int32).data, of_rows.data,
        np.zeros(attributes + 1, np.int32).data, textless.data, 0b101, entries.data, 1, winner.data, marks.data, 2,
    )  # fmt: skip
    answers, bits = chance.integers(0, 32, (2, 5)).astype(np.uint64), np.zeros((2, len(page)), np.uint64)
    WINNERS[which].focus(marks.data, page.parent.data, answers[0].data, 0b110, answers[1].data, seed % 2, bits.data)
    return room, entered, [array.tolist() for array in (entries, winner, marks, marked, state, bits)]


def test_declarations_are_chosen_alike():
    for seed in range(FUZZED):
        fast, slow = (chosen_of(np.random.default_rng(seed), module) for module in RULES)
        assert fast == slow


def chosen_of(chance: np.random.Generator, module) -> object:
    """What the loops over the declarations of a sheet choose and write, of random ones."""
    blocks, count = chance.integers(1, 6, 2).tolist()
    block, property = chance.integers(0, blocks, count), chance.integers(0, 60, count)
    of_blocks = chance.integers(0, 3, blocks).cumsum()
    block, property, flags, chosen, strength, first, last = (
        column.astype(np.int32)
        for column in (
            block, property, chance.integers(0, 8, count), np.zeros(count), chance.integers(0, 9, blocks),
            np.append(0, of_blocks[:-1]), of_blocks,
        )
    )  # fmt: skip
    marked, important, state = (chance.integers(0, 2, size).astype(np.uint8) for size in (count, count, blocks))
    numbers = np.flatnonzero(chance.integers(0, 2, count)).astype(np.int32)
    reach = chance.integers(0, 1 << 60, blocks).astype(np.uint64)
    answers = []
    for is_set in (True, False):
        answers.append(module.answering(property.data, flags.data, marked.data, 0x5555555555, is_set, chosen.data))
        answers.append(chosen.tolist())
        answers.append(
            module.reaching(numbers.data, block.data, property.data, reach.data, is_set, state.data, chosen.data)
        )
        answers.append(chosen.tolist())
    decided = np.zeros(blocks, np.int32)
    answers.append(module.deciding(numbers.data, block.data, marked.data, important.data, decided.data, chosen.data))
    bounds, given = np.zeros((2, blocks), np.int32), np.zeros((5, len(numbers)), np.int32)
    selectors = np.zeros(int(of_blocks[-1]), np.int32)
    answers.append(
        module.grouped(
            numbers.data,
            block.data,
            property.data,
            marked.data,
            important.data,
            strength.data,
            (1, 3),
            first.data,
            last.data,
            bounds[0].data,
            bounds[1].data,
            given.data,
            selectors.data,
        )
    )
    return answers, [array.tolist() for array in (chosen, decided, bounds, given, selectors)]


@given(st.data())
def test_the_entry_with_precedence_wins(data: st.DataObject) -> None:
    """As in entries sorted by precedence, of which the last stays."""
    size = data.draw(st.integers(1, 6))
    entries, rows = np.zeros((ENTRY_COLUMNS, 9), np.int32), []
    winner, marks = np.zeros((1, size), np.int32), np.zeros((2, size), np.uint64)
    textless = np.zeros(0, np.uint8)
    for entry in range(1, 9):
        entries[1:4, entry] = data.draw(st.lists(st.integers(0, 2), min_size=3, max_size=3))
        entries[SPECIFICITY, entry] = data.draw(st.integers(0, 2))
        rows.append(np.array(sorted(data.draw(st.sets(st.integers(0, size - 1)))), np.intp))
        WINNERS[0].enter_rows(entries.data, entry, rows[-1].data, textless.data, winner.data, marks.data, 2)
    expected = np.zeros(size, np.int32)
    by_precedence = sorted(range(1, 9), key=lambda entry: entries[[LEVEL, LAYER, SPECIFICITY, ORDER], entry].tolist())
    for entry in by_precedence:
        expected[rows[entry - 1]] = entry
    assert winner[0].tolist() == expected.tolist()

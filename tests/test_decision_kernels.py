"""The loops of the decision and its rules: compiled or not, what numpy says in more words."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels import both
from thresher.methods.auto.kernels import columns

MODULES = both("thresher.methods.auto.kernels.decision")
CANDIDATES = both("thresher.methods.auto.kernels.candidates")
SECTION, COLUMN = 1, 3  # levels of containers


class Case:
    """Random blocks: words, probabilities, kinds, and the containers around them."""

    def __init__(self, seed: int, size: int) -> None:
        chance = np.random.default_rng(seed)
        self.words = chance.integers(0, 30, size).astype(np.float32)
        self.p = chance.random(size)
        self.chosen = chance.random(size) < 0.5
        self.kinds = chance.random((5, size)) < chance.choice([0.1, 0.5])
        self.table = np.zeros((columns.BLOCK_ROWS, size), np.int32)
        self.begin = self.table[columns.BEGIN : columns.BEGIN + columns.LEVELS]
        self.stop = self.table[columns.STOP : columns.STOP + columns.LEVELS]
        for block in range(size):
            self.begin[:, block] = chance.integers(0, block + 1, columns.LEVELS)
            self.stop[:, block] = chance.integers(block + 1, size + 1, columns.LEVELS)

    def inside(self, counted: np.ndarray, block: int, level: int) -> float:
        """The words of counted blocks in a block's container."""
        span = slice(self.begin[level, block], self.stop[level, block])
        return float((self.words * counted)[span].sum())

    def marked(self, kernels: ModuleType) -> tuple[np.ndarray, int]:
        """What each block may be, and what there is."""
        marks = np.zeros(len(self.p), np.int32)
        room = np.empty((3, len(self.p) + 1)).data
        given_columns = (self.table.data, self.p.data, self.words.data, flags(self.chosen), flags(self.kinds))
        return marks, kernels.mark_chosen(*given_columns, room, marks.data)


def flags(mask: np.ndarray) -> memoryview:
    return mask.view(np.uint8).data


cases = st.builds(Case, st.integers(0, 10_000), st.integers(1, 12))


@pytest.mark.parametrize("kernels", MODULES)
@settings(max_examples=60, deadline=None)
@given(case=cases)
def test_the_best_choice_has_the_highest_expected_f1(kernels, case: Case) -> None:
    order = np.argsort(-case.p, kind="stable")
    expected, block, words = kernels.best_choice(case.p.data, case.words.data, order.data)
    assert words == pytest.approx(case.words.sum())
    slow = []
    for last in case.p[order]:
        chosen = case.p >= last
        slow.append(kernels.expected_hits(case.p.data, case.words.data, flags(chosen)))
        whole = case.p @ case.words + case.words[chosen].sum()
        assert slow[-1] == pytest.approx(2 * (case.p * case.words)[chosen].sum() / whole if whole else 0)
    assert expected == pytest.approx(max(slow), abs=1e-6)
    assert slow[order.tolist().index(block)] == pytest.approx(max(slow), abs=1e-6)


@pytest.mark.parametrize("kernels", CANDIDATES)
@settings(max_examples=60, deadline=None)
@given(case=cases)
def test_blocks_of_a_kind_stand_in_kept_text(kernels, case: Case) -> None:
    heading, listing, caption = case.kinds[2:]
    marks, found = case.marked(kernels)
    for kind, without, least, level, bit in (
        (heading, caption, 0.3, SECTION, columns.HEADING),
        (listing, caption, 0.1, COLUMN, columns.CODE),
        (caption, case.chosen, 0, COLUMN, columns.CAPTION),
    ):
        for block in range(len(case.p)):
            kept = case.inside(case.chosen & ~kind, block, level)
            candidate = kind[block] and not without[block] and not case.chosen[block] and case.p[block] >= least
            slow = candidate and kept > 0 and kept >= 0.6 * case.inside(~kind, block, level)
            assert bool(marks[block] & bit) == bool(slow)
        assert bool(found & bit) == bool((marks & bit).any())


@pytest.mark.parametrize("kernels", CANDIDATES)
@settings(max_examples=60, deadline=None)
@given(case=cases)
def test_orphans_are_headings_of_text_that_is_not_chosen(kernels, case: Case) -> None:
    title, _, heading, *_ = case.kinds
    marks, found = case.marked(kernels)
    for block in range(len(case.p)):
        before = (case.p * case.words * ~heading)[: case.begin[SECTION, block]].sum()
        slow = heading[block] and not title[block] and case.inside(case.chosen & ~heading, block, SECTION) == 0
        slow = slow and case.inside(~heading, block, SECTION) >= 4 and before >= 20
        assert bool(marks[block] & columns.ORPHAN) == bool(slow)
    assert bool(found & columns.ORPHAN) == bool((marks[case.chosen] & columns.ORPHAN).any())


@pytest.mark.parametrize("kernels", CANDIDATES)
@settings(max_examples=100, deadline=None)
@given(case=cases)
def test_a_title_stands_before_the_text_if_any_does(kernels, case: Case) -> None:
    title, verbatim, heading, *_ = case.kinds
    marks, found = case.marked(kernels)
    text = case.words * ((case.p >= 0.5) & ~heading)
    begins = next((block for block in range(len(text)) if text[:block].sum() >= 20), len(text))
    untitled = None
    for kind, bit in ((title, columns.TITLE), (verbatim, columns.PHRASE)):
        titles = np.flatnonzero(kind)
        slow = titles[titles < begins] if (titles < begins).any() else titles
        if slow.size and untitled is None:
            untitled = not case.chosen[slow].any()
        expected = [] if case.chosen[slow].any() else slow.tolist()
        assert np.flatnonzero(marks & bit).tolist() == expected
    assert bool(found & columns.UNTITLED) == bool(untitled)
    enough = min(20, 0.5 * case.words[case.chosen].sum())
    for block in np.flatnonzero(marks & (columns.TITLE | columns.PHRASE)) if untitled else ():
        around, behind = case.inside(case.chosen, block, COLUMN), (case.words * case.chosen)[block:].sum()
        assert bool(marks[block] & columns.TITLED) == bool((behind if verbatim[block] else around) >= enough)


@pytest.mark.parametrize("kernels", MODULES)
@settings(max_examples=60, deadline=None)
@given(case=cases, seed=st.integers(0, 1000))
def test_texts_have_the_verdict_of_their_block_or_of_its_bundle(kernels, case: Case, seed: int) -> None:
    chance = np.random.default_rng(seed)
    block = np.sort(chance.integers(0, 6, 9)).astype(np.int32)
    chars, readable = chance.integers(0, 3, 6), chance.random(9) < 0.7
    number = np.flatnonzero(chance.random(6) < 0.6)[: len(case.p)].astype(np.int32)
    keep = np.empty(9, bool)
    kernels.spread_texts(
        flags(case.chosen[: len(number)].copy()), number.data, block.data, flags(readable), chars.data, flags(keep)
    )
    for text in range(9):
        bundle = [place for place, first in enumerate(number.tolist()) if first <= block[text]]
        slow = bool(bundle) and case.chosen[bundle[-1]] and readable[text] and chars[block[text]] > 0
        assert keep[text] == bool(slow)

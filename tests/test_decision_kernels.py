"""The loops of the decision and its rules: compiled or not, what numpy says in more words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels import both

MODULES = both("thresher.methods.auto.kernels.decision")


class Case:
    """Random blocks: words, probabilities, kinds, and the containers around them."""

    def __init__(self, seed: int, size: int) -> None:
        chance = np.random.default_rng(seed)
        self.words = chance.integers(0, 30, size).astype(np.float32)
        self.p = chance.random(size)
        self.linked = chance.choice([0, 0.5, 0.9, 1], (size, 2)).astype(np.float32)[:, 0]  # not contiguous, as features
        self.chosen, self.kind, self.other = chance.random((3, size)) < 0.5
        self.begin = np.array([chance.integers(0, block + 1) for block in range(size)], np.intp)
        self.stop = np.array([chance.integers(block + 1, size + 1) for block in range(size)], np.intp)

    def inside(self, counted: np.ndarray, block: int) -> float:
        """The words of counted blocks in a block's container."""
        span = slice(self.begin[block], self.stop[block])
        return float((self.words * counted)[span].sum())


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


@pytest.mark.parametrize("kernels", MODULES)
@settings(max_examples=60, deadline=None)
@given(case=cases, least=st.sampled_from([0.0, 0.3]))
def test_blocks_of_a_kind_stand_in_kept_text(kernels, case: Case, least: float) -> None:
    inside = np.empty(len(case.p), bool)
    sums = np.empty((2, len(case.p) + 1)).data
    columns = (case.words.data, flags(case.chosen), flags(case.kind), flags(case.other), case.p.data, least)
    count = kernels.in_kept_text(*columns, case.begin.data, case.stop.data, 0.6, sums, flags(inside))
    for block in range(len(case.p)):
        kept, around = case.inside(case.chosen & ~case.kind, block), case.inside(~case.kind, block)
        candidate = case.kind[block] and not case.other[block] and not case.chosen[block] and case.p[block] >= least
        assert inside[block] == bool(candidate and kept > 0 and kept >= 0.6 * around)
    assert count == inside.sum()


@pytest.mark.parametrize("kernels", MODULES)
@settings(max_examples=60, deadline=None)
@given(case=cases)
def test_orphans_are_headings_of_text_that_is_not_chosen(kernels, case: Case) -> None:
    orphan = np.empty(len(case.p), bool)
    sums = np.empty((3, len(case.p) + 1)).data
    columns = (case.words.data, flags(case.chosen), flags(case.kind), flags(case.other), case.p.data)
    count = kernels.orphans(*columns, case.begin.data, case.stop.data, 4, 20, sums, flags(orphan))
    for block in range(len(case.p)):
        before = (case.p * case.words * ~case.kind)[: case.begin[block]].sum()
        slow = case.chosen[block] and case.kind[block] and not case.other[block]
        slow = slow and case.inside(case.chosen & ~case.kind, block) == 0 and case.inside(~case.kind, block) >= 4
        assert orphan[block] == bool(slow and before >= 20)
    assert count == orphan.sum()


@pytest.mark.parametrize("kernels", MODULES)
@settings(max_examples=60, deadline=None)
@given(case=cases)
def test_blocks_are_found_by_words_and_links(kernels, case: Case) -> None:
    rows = np.empty(len(case.p), np.intp)
    columns = (flags(case.chosen), flags(case.kind), case.words.data, 4, 20, case.linked.data, 0.5)
    count = kernels.choose_blocks(*columns, rows.data)
    enough = (case.words >= 4) & (case.words <= 20) & (case.linked >= 0.5)
    assert rows[:count].tolist() == np.flatnonzero(case.chosen & ~case.kind & enough).tolist()
    assert kernels.choose_blocks(*columns, rows[:0].data) == count
    count = kernels.labels_above_links(
        flags(case.chosen), case.words.data, 8, case.linked.data, float(np.float32(0.9)), rows.data
    )
    link = case.linked >= np.float32(0.9)
    slow = [
        block
        for block in range(len(case.p) - 1)
        if not link[block] and link[block + 1] and case.words[block] <= 8 and case.chosen[block : block + 2].any()
    ]
    assert rows[:count].tolist() == slow
    begins = kernels.text_begins(case.p.data, case.words.data, flags(case.kind), 0.5, 20)
    text = case.words * ((case.p >= 0.5) & ~case.kind)
    assert [text[:block].sum() < 20 for block in range(len(text))] == [block < begins for block in range(len(text))]


@pytest.mark.parametrize("kernels", MODULES)
@settings(max_examples=60, deadline=None)
@given(case=cases, seed=st.integers(0, 1000))
def test_texts_have_the_verdict_of_their_block_or_of_its_bundle(kernels, case: Case, seed: int) -> None:
    chance = np.random.default_rng(seed)
    block = np.sort(chance.integers(0, 6, 9)).astype(np.int32)
    chars, readable = chance.integers(0, 3, 6), chance.random(9) < 0.7
    number = np.flatnonzero(chance.random(6) < 0.6)[: len(case.p)]
    keep = np.empty(9, bool)
    kernels.spread_texts(
        flags(case.chosen[: len(number)].copy()), number.data, block.data, flags(readable), chars.data, flags(keep)
    )
    for text in range(9):
        bundle = [place for place, first in enumerate(number.tolist()) if first <= block[text]]
        slow = bool(bundle) and case.chosen[bundle[-1]] and readable[text] and chars[block[text]] > 0
        assert keep[text] == bool(slow)

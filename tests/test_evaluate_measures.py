"""Measures: by hand, against the blackboard versions, and at the edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.clock import at_most
from tests.reference import measures as naive
from thresher.evaluate import measures
from thresher.evaluate.measures import Score, Snippets
from thresher.text import lcs as lcs_module
from thresher.text.lcs import lcs_length

# Few letters, so that overlaps are long and repeated.
texts = st.text(alphabet="abc. \n中", max_size=60)


def test_bags_of_words_by_hand():
    # Overlap: the, cat, sat, once each; 6 extracted words, 4 gold words.
    score = measures.bow("The cat sat down.", "the THE cat; sat on it")
    assert score == Score(precision=3 / 6, recall=3 / 4, f1=2 * 3 / 10)


def test_the_order_counts_for_the_subsequence_and_not_for_the_bag():
    assert measures.bow("a b c d", "d c b a").f1 == 1
    assert measures.lcs("a b c d", "d c b a") == Score(0.25, 0.25, 0.25)


def test_the_subsequence_may_have_gaps():
    # gold is wholly inside an extract with two words more
    assert measures.lcs("one two three", "one x two y three") == Score(3 / 5, 1, 2 * 3 / 8)


def test_characters_count_case_and_one_space_for_any_white_space():
    assert measures.lcs_chars("a  b\n\nc", "a b c").f1 == 1
    assert measures.lcs_chars("Abc", "abc") == Score(2 / 3, 2 / 3, 2 / 3)


def test_runs_of_five_tokens_by_hand():
    # gold runs: abcde bcdef; extract runs: abcde bcdex: one of two each
    assert measures.rouge5("a b c d e f", "a b c d e x") == Score(0.5, 0.5, 0.5)


def test_a_repeated_run_counts_only_as_often_as_in_the_gold():
    # extract: abcde bcdea cdeab deabc eabcd abcde
    assert measures.rouge5("a b c d e", "a b c d e a b c d e") == Score(1 / 6, 1, 2 / 7)


def test_texts_shorter_than_five_tokens_are_one_run():
    assert measures.rouge5("hello world", "hello world").f1 == 1
    assert measures.rouge5("hello world", "hello").f1 == 0


def test_chinese_is_tokenised_by_the_character_and_korean_by_the_word():
    assert measures.tokens("我爱北京 ABC안녕 カナ") == ["我", "爱", "北", "京", "abc안녕", "カ", "ナ"]
    assert measures.words("我爱北京 ABC") == ["我爱北京", "abc"]


def test_nodes_by_hand():
    gold = np.array([True, True, True, False])
    extract = np.array([False, True, True, True])
    assert measures.nodes(gold, extract) == Score(2 / 3, 2 / 3, 2 / 3)


def test_masks_of_two_pages_do_not_compare():
    with pytest.raises(ValueError, match="different pages"):
        measures.nodes(np.zeros(3, bool), np.zeros(4, bool))


def test_snippets_ignore_white_space_and_respect_case():
    found = measures.snippets(["a big\n cat", "a dog"], ["Home", "Login", "Menu"], "A home for a big cat. Login")
    assert found == Snippets(wanted=0.5, unwanted=1 / 3)
    assert found.score() == Score(pytest.approx(2 / 3), 0.5, pytest.approx(4 / 7))


def test_no_snippets_are_all_found_and_none_is_unwanted():
    assert measures.snippets([], [], "x") == Snippets(wanted=1, unwanted=0)
    assert Snippets(wanted=0, unwanted=1).score() == Score(0, 0, 0)


@pytest.mark.parametrize("measure", measures.TEXT_MEASURES.values())
@pytest.mark.parametrize(
    ("gold", "extract", "expected"),
    [("", "", 1), (" \n", "\t", 1), ("", "words", 0), ("words", "", 0), ("alpha", "123", 0)],
)
def test_edges(measure, gold, extract, expected):
    assert measure(gold, extract) == Score(expected, expected, expected)


def test_edges_of_nodes():
    none, some = np.zeros(2, bool), np.array([True, False])
    assert measures.nodes(none, none).f1 == 1
    assert measures.nodes(some, none) == measures.nodes(none, some) == Score(0, 0, 0)


@pytest.mark.parametrize("measure", measures.TEXT_MEASURES.values())
@given(gold=texts, extract=texts)
def test_every_measure_is_bounded_and_precision_mirrors_recall(measure, gold, extract):
    score, mirror = measure(gold, extract), measure(extract, gold)
    assert 0 <= score.precision <= 1
    assert 0 <= score.recall <= 1
    assert score.f1 == pytest.approx(naive.f1(score.precision, score.recall))
    assert (score.precision, score.recall) == (mirror.recall, mirror.precision)
    assert measure(gold, gold).f1 == 1


@given(texts, texts)
def test_bags_agree_with_the_blackboard(gold, extract):
    a, b = measures.words(gold), measures.words(extract)
    assert measures.bow(gold, extract) == measures.ratio(naive.bag_overlap(a, b), len(b), len(a))


@given(texts, texts)
def test_runs_agree_with_the_blackboard(gold, extract):
    a, b = measures.tokens(gold), measures.tokens(extract)
    if min(len(a), len(b)) >= 5:
        runs_a, runs_b = naive.runs(a, 5), naive.runs(b, 5)
        expected = measures.ratio(naive.bag_overlap(runs_a, runs_b), len(runs_b), len(runs_a))
        assert measures.rouge5(gold, extract) == expected


@given(st.lists(st.integers(0, 6), max_size=40), st.lists(st.integers(0, 6), max_size=40))
def test_subsequence_of_lists_agrees_with_the_table(a, b):
    assert lcs_length(a, b) == naive.lcs_length(a, b)


@given(texts, texts)
def test_subsequence_of_characters_agrees_with_the_table_with_and_without_rapidfuzz(a, b):
    assert lcs_length(a, b) == naive.lcs_length(a, b)
    assert lcs_module._bit_vector(a, "".join(x for x in b if x in a)) == naive.lcs_length(a, b)


def test_characters_do_without_rapidfuzz(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rapidfuzz.distance", None)
    assert lcs_length("xaybzc", "1a2b3c") == 3


def test_five_thousand_words_each_take_well_under_a_tenth_of_a_second():
    random = np.random.default_rng(0)
    # word frequencies of natural text: the r-th word has a share of about 1/r
    a, b = (list(map(str, random.zipf(1.3, 5000) % 3000)) for _ in range(2))
    with at_most(0.1):
        lcs_length(a, b)

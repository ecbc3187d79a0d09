"""Fingerprints: the same for the same words, close for copies, far for other texts."""

from __future__ import annotations

import random

import thresher
from thresher.text.simhash import differing_bits, simhash

WORDS = [f"word{number}" for number in range(2_000)]


def text(seed: int, words: int = 400) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def test_only_words_count():
    assert simhash("A boat, in the harbour!") == simhash("a BOAT in\nthe harbour")
    assert simhash("") == simhash(" … ") == 0


def test_copies_are_close_and_other_texts_far():
    for seed in range(20):
        one = text(seed)
        copy = one.replace("word7 ", "another ") + " posted on 3 May 2024 by the editors of the paper"
        assert differing_bits(simhash(one), simhash(copy)) <= 12
        assert differing_bits(simhash(one), simhash(text(seed + 100))) >= 16


def test_scripts_without_spaces_have_shingles_of_characters():
    one = "港に船が並んでいる。" * 3 + "風は西から吹いている。波は静かだ。漁師は朝早く海へ出る。" * 5
    assert differing_bits(simhash(one), simhash(one + "以上。")) <= 12
    assert differing_bits(simhash(one), simhash("東京の天気は晴れで、気温は二十度まで上がる見込みです。" * 6)) >= 16


def test_similar_takes_results_texts_and_fingerprints():
    page = f"<title>A</title><article><h1>A</h1><p>{text(1)}</p></article>"
    one, other = thresher.extract(page), thresher.extract(page.replace("word1 ", "word1 and "))
    assert thresher.similar(one, one.fingerprint) == thresher.similar(one, one.text) == 1.0
    assert thresher.similar(one, other) > 0.7
    assert thresher.similar(one, text(2)) < 0.5
    assert len(one.fingerprint) == 16

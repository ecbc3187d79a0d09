"""Sentences in many scripts, and summaries of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.clock import at_most
from thresher.text.sentences import sentences
from thresher.text.summary import _rank, summarise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Dr. Smith met J. Doe at 3.5 p.m. on May 5. He left.",
            ["Dr. Smith met J. Doe at 3.5 p.m. on May 5.", "He left."],
        ),
        ('"Why?" she asked. “Because.” He left…', ['"Why?" she asked.', "“Because.”", "He left…"]),
        ("今天天气很好。我们去公园玩！“好的。”他说。", ["今天天气很好。", "我们去公园玩！", "“好的。”", "他说。"]),
        ("これは文です。次の文「はい。」それから。", ["これは文です。", "次の文「はい。」", "それから。"]),
        ("यह पहला वाक्य है। यह दूसरा है।", ["यह पहला वाक्य है।", "यह दूसरा है।"]),
        ("هذه جملة. هل هذه جملة؟ نعم.", ["هذه جملة.", "هل هذه جملة؟", "نعم."]),
        ("یہ جملہ ہے۔ یہ دوسرا ہے۔", ["یہ جملہ ہے۔", "یہ دوسرا ہے۔"]),
        ("ይህ ዓረፍተ ነገር ነው። ሌላ ነው።", ["ይህ ዓረፍተ ነገር ነው።", "ሌላ ነው።"]),
        ("Это г. Москва. Он т.е. она.", ["Это г. Москва.", "Он т.е. она."]),
        ("A heading\nA line.  Another\n\n", ["A heading", "A line.", "Another"]),
    ],
)
def test_sentences_end_where_their_script_ends_them(text, expected):
    assert sentences(text) == expected


def test_a_number_with_a_dot_is_an_ordinal_in_some_languages():
    assert sentences("Am 3. Oktober war es. Ja.", "de") == ["Am 3. Oktober war es.", "Ja."]
    assert sentences("He was number 3. Nobody knew.", "en") == ["He was number 3.", "Nobody knew."]


def test_thai_is_cut_at_spaces_into_pieces_of_some_length():
    clause = "ประเทศไทยมีประชากรจำนวนมากอาศัยอยู่"
    found = sentences(" ".join([clause] * 6))
    assert len(found) == 3
    assert all(len(piece) >= 60 for piece in found)


@settings(deadline=None)
@given(st.text(alphabet=st.sampled_from("aB1 .!?…。।ก\n\"'")))
def test_no_character_is_lost_between_sentences(text):
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


STORY = (
    "Vaccine trial\n\nA new vaccine against malaria gave strong protection in a small trial. The weather was fine. "
    "The trial of the malaria vaccine had forty volunteers. Volunteers with high doses of the vaccine were protected "
    "against malaria best. Somebody had coffee. Health leaders are optimistic about the vaccine, and more trials "
    "against malaria will follow.\n"
)
STRANGE = ["Dr. " * 1_000_000, "a" * 5_000_000, "." * 1_000_000, "ก " * 1_000_000, STORY * 5_000]


def test_the_summary_has_whole_sentences_in_their_order():
    found = summarise(STORY, sentences=3)
    assert len(sentences(found)) == 3
    assert [sentence for sentence in sentences(STORY) if sentence in found] == sentences(found)
    assert "coffee" not in found
    assert found.startswith("A new vaccine")
    assert "Vaccine trial" not in found


def test_its_length_is_an_option_and_a_short_text_gives_what_it_has():
    assert len(sentences(summarise(STORY, sentences=1))) == 1
    assert summarise("Only one sentence is here.", sentences=5) == "Only one sentence is here."
    assert summarise("") == ""
    with pytest.raises(ValueError, match="at least one"):
        summarise("x", sentences=0)


def test_what_is_said_twice_is_printed_once():
    twice = "The trial of the new vaccine was a great success in Kenya. "
    varied = "The trial of the new vaccine was a great success in Kenya, too. "
    found = summarise(twice + varied + twice + "Nobody had expected such numbers from so few people.", sentences=2)
    assert found.count("success") == 1


@pytest.mark.parametrize(
    "text",
    [
        "研究人员公布了新疫苗的试验结果。天气很好。疫苗试验有四十名志愿者参加。新疫苗的试验结果令研究人员乐观。",
        "नई वैक्सीन का परीक्षण सफल रहा। मौसम अच्छा था। वैक्सीन के परीक्षण में चालीस लोग थे। वैक्सीन से लोग खुश हैं।",
        "วัคซีนใหม่ป้องกันมาลาเรียได้ดีในการทดลองขนาดเล็กเมื่อปีที่แล้ว อากาศดี "
        "การทดลองวัคซีนมีอาสาสมัครสี่สิบคนเข้าร่วมตลอดทั้งปีที่ผ่านมา วัคซีนป้องกันมาลาเรียได้ดีมากในการทดลองครั้งที่สอง",
    ],
)
def test_scripts_without_spaces_or_dots_are_summarised(text):
    found = summarise(text, sentences=1)
    assert 0 < len(found) < len(text) / 1.5
    assert found in " ".join(text.split())


def test_the_ranks_are_the_fixed_point_that_the_docstring_prints():
    rng = np.random.default_rng(1)
    similarity = rng.random((6, 6))
    similarity = similarity + similarity.T
    np.fill_diagonal(similarity, 0)
    start = 1 / np.arange(1, 7)
    start /= start.sum()
    moves = similarity / similarity.sum(axis=1, keepdims=True)
    solved = np.linalg.solve(np.eye(6) - 0.85 * moves.T, 0.15 * start)
    np.testing.assert_allclose(_rank(similarity), solved, atol=1e-8)


@pytest.mark.parametrize(
    "text", ["Dr. " * 1_000_000, "a" * 5_000_000, "." * 1_000_000, "ก " * 1_000_000, STORY * 5_000]
)
def test_long_and_strange_texts_take_bounded_time(text):
    with at_most(3):
        assert len(summarise(text)) < 2_000


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(1, 4))
def test_every_text_has_a_summary_and_always_the_same(text, count):
    found = summarise(text, sentences=count)
    assert found == summarise(text, sentences=count)
    assert bool(found) == bool(sentences(text))


def test_a_result_has_its_summary():
    html = "<html lang=en><article><h1>Trial</h1>" + "".join(f"<p>{line}</p>" for line in sentences(STORY))
    result = thresher.extract(html, method="plain")
    assert result.summary(3) == summarise(STORY, sentences=3)
    assert result.summary(1) in result.summary(3)

"""Sentences in any script, verbs in English, and which zones are paragraphs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rendered import rendered
from thresher.methods.layout.paragraphs import count, paragraphs
from thresher.methods.layout.verbs import has_verb
from thresher.methods.layout.zones import zones
from thresher.text.sentences import sentence_pieces


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("One is here. Two is there.", 2),
        ("He said “No.” Then he left!", 2),
        ("Really? Yes. Go…", 3),
        ("Dr. Smith et al. showed this in Fig. 3 of vol. 2.", 1),
        ("J. R. Smith wrote it. It sold well.", 2),
        ("The value was 3.14 at v1.2 of example.org and rose.", 1),
        ("This was shown.[12] That was not.[3, 4]", 2),
        ("He stopped... and went on.", 1),
        ("今日は晴れです。明日は雨でしょう。", 2),
        ("这是第一句。这是第二句！", 2),
        ("यह पहला वाक्य है। यह दूसरा है।", 2),
        ("هل هذا صحيح؟ نعم هذا صحيح.", 2),
        ("Это первое предложение. Это второе предложение.", 2),
        ("ประเทศไทยเป็นประเทศที่สวยงามและอบอุ่น มีนักท่องเที่ยวมากมายเดินทางมาทุกปี อาหารไทยก็มีชื่อเสียงไปทั่วโลก", 2),
        ("no mark at all", 1),
        ("", 0),
    ],
)
def test_sentences_end_where_their_script_ends_them(text: str, number: int) -> None:
    assert len(list(sentence_pieces(text))) == number


@settings(deadline=None)
@given(st.text(alphabet='ab .!?。\n")[1]…A', max_size=60))
def test_sentences_are_the_text_cut_in_pieces(text: str) -> None:
    assert "".join(sentence_pieces(text)) == text


@pytest.mark.parametrize(
    "sentence",
    [
        "The method was tested on three data sets.",
        "We report results.",
        "It doesn't work.",
        "They’re gone.",
        "Studies suggest otherwise.",
        "She wrote two books about it.",
        "Patients received the drug daily.",
        "Values vary.",
        "You have to test it first.",
    ],
)
def test_sentences_with_a_verb(sentence: str) -> None:
    assert has_verb(sentence)


@pytest.mark.parametrize(
    "label",
    [
        "Department of Biology, University of Oxford.",
        "Related articles and further reports.",
        "Volume 12, Issue 3, March 2018, pages 10-20.",
        "Home. News. Sport. Weather.",
        "Table of contents.",
        "Smith J, Jones A. Journal of Medicine. 2018;12(3).",
        "All things bright in the morning.",
        "A hundred red apples.",
    ],
)
def test_labels_without_a_verb(label: str) -> None:
    assert not has_verb(label)


def test_english_sentences_need_a_verb_and_others_a_mark() -> None:
    labels = "Department of Biology, Oxford. Institute of Physics, Cambridge."
    assert count(labels, english=True) == 0
    assert count(labels, english=False) == 2
    assert count("Ein Satz mit Punkt. Noch einer ohne", english=False) == 1
    assert count("Der Satz: einer. Der zweite auch.", english=False) == 2


PROSE = "The first sentence is here to be read. The second one follows it and says more."


def test_paragraphs_are_leaf_zones_of_two_sentences() -> None:
    page = rendered(f"<h1>A title of words</h1><p>{PROSE}</p><p>This has only one sentence in it.</p><p>{PROSE}</p>")
    assert paragraphs(page, zones(page)).tolist() == [False, True, False, True]


def test_where_paragraphs_are_rare_one_sentence_is_enough() -> None:
    lines = "".join(f"<p>Programme item number {k} begins at the hour of {k} in the hall.</p>" for k in range(30))
    page = rendered(f"<h1>Programme</h1>{lines}<p>{PROSE}</p>")
    found = paragraphs(page, zones(page)).tolist()
    assert found == [False] + [True] * 31


def test_without_any_sentence_every_zone_counts() -> None:
    page = rendered("<p>Home</p><p>About</p>")
    assert paragraphs(page, zones(page)).tolist() == [True, True]


def test_headlines_that_are_links_outweigh_no_short_report() -> None:
    headlines = "<p><a href=/>The mayor opens the new mill by the old bridge</a></p>" * 20
    page = rendered("<p>The mill burned down last night. Nobody was hurt.</p><p>It was old.</p>" + headlines)
    assert paragraphs(page, zones(page)).tolist() == [True, True] + [False] * 20

"""Pages in other scripts: how they are made for training, and that they are judged like those in Latin letters."""

from __future__ import annotations

import numpy as np
import pytest

import thresher
from thresher.learn.auto.respelling import SCRIPTS, respelled
from thresher.methods.auto.blocks import blocks
from thresher.methods.auto.features import FEATURES, features
from thresher.methods.auto.script import is_foreign
from thresher.methods.auto.wording import first_words

PAGE = """<!doctype html><title>Threshing by hand</title><style>.x{color:red}</style>
<ul class=menu><li><a href=/a>Home</a><li><a href=/b>News of the day</a><li><a href=/c>About us</a></ul>
<main><h1>Threshing by hand</h1>
<p>The flail loosens the grain from the ear, and the wind carries the chaff away. Two people work in turn.</p>
<p>It takes a dry floor &amp; a steady wind; the strokes never meet, and nobody hurries. So it was done for ages.</p>
</main>
<footer><p>Copyright, imprint, privacy</p></footer>"""


@pytest.mark.parametrize("script", SCRIPTS)
def test_words_change_and_markup_does_not(script: str) -> None:
    other = respelled(PAGE, script)
    assert "<style>.x{color:red}</style>" in other
    assert "<title>Threshing by hand</title>" in other
    assert other.count("<p>") == PAGE.count("<p>")
    assert "class=menu" in other
    assert "&amp;" in other
    assert "flail" not in other
    assert respelled(PAGE, script) == other
    assert len(blocks(thresher.parse(other))) == len(blocks(thresher.parse(PAGE)))


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_features_of_a_page_hardly_change_with_its_script(script: str) -> None:
    page, other = thresher.parse(PAGE), thresher.parse(respelled(PAGE, script))
    assert is_foreign(other)
    assert not is_foreign(page)
    assert not len(first_words(other, blocks(other))[0])
    alike = [k for k, name in enumerate(FEATURES) if name.endswith((" size", " share", " linked", " blocks", " words"))]
    assert np.abs(features(page)[:, alike] - features(other)[:, alike]).max() < 0.8


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("Řeka teče přes město a lidé žijí vedle ní už dlouho, jak říkají staré příběhy.", False),
        ("Der große Fluß fließt über die Ebene, und später hört man schöne Märchen.", False),
        ("Dòng sông chảy qua thành phố và người dân sống bên bờ nước từ lâu, các câu chuyện cổ kể lại.", False),
        ("“Quoted — twice” … 😀😀😀 → and so on, said the €5 sign", False),
        ("Ο ποταμός περνά μέσα από την πόλη και οι άνθρωποι ζουν κοντά στο νερό.", True),
        ("แม่น้ำไหลผ่านเมืองและผู้คนอาศัยอยู่ริมน้ำมานานแล้ว", True),
        ("ქალაქში მდინარე გადის და ხალხი დიდი ხანია წყალთან ცხოვრობს.", True),
        ("Река течёт через город, и люди давно живут у воды, говорят старые рассказы.", True),
        ("河流穿过城市，人们世世代代住在水边，古老的故事这样说。", True),
        ("النهر يمر عبر المدينة ويعيش الناس قرب الماء منذ زمن بعيد كما تقول القصص.", True),
    ],
)
def test_which_script_is_another(text: str, foreign: bool) -> None:
    assert is_foreign(thresher.parse(f"<p>{text}</p>")) is foreign

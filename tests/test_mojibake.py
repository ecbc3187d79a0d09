"""Text that was UTF-8 once, read as windows-1252: undone where the page is full of it, left where it is quoted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher.parse.encoding.mojibake import repaired

SENTENCES = ["We’re here — “now”…", "Café déjà vu, naïve façade", "Größe über alles", "Привет, мир", "日本語の文章です"]


def misread(text: str) -> str:
    """What windows-1252 makes of UTF-8; its five gaps are control characters."""
    gaps = b"\x81\x8d\x8f\x90\x9d"
    return "".join(chr(byte) if byte in gaps else bytes([byte]).decode("windows-1252") for byte in text.encode())


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_misread_page_is_put_right(sentence):
    page = f"<p>{misread(sentence)}</p>" * 3
    assert repaired(page.encode())[0].decode() == f"<p>{sentence}</p>" * 3


SOUND = ["NÃO É NÃO, diz a canção", "Âge, château, Ärger", "5 Â°C", "Ã©", "à\xa0« côté »", "L’été, «\xa0là\xa0»"]


@pytest.mark.parametrize("sentence", [*SENTENCES, *SOUND])
def test_what_is_right_stays(sentence):
    assert repaired(f"<p>{sentence}</p>".encode()) == (f"<p>{sentence}</p>".encode(), 0)


def test_a_page_that_explains_it_stays():
    code = """<pre>text.replace("â€™", "'").replace("â€œ", '"').replace("Ã©", "é")</pre>""".encode()
    assert repaired(code) == (code, 0)
    page = "<p>Why does é become Ã© and ü become Ã¼?  À la carte: NÃO, Âge, Ãgua.</p>".encode()
    assert repaired(page) == (page, 0)


def test_punctuation_is_put_right_beside_sound_letters():
    source, runs = repaired("<p>Weâ€™re in a café, Señor; déjà vu.</p>".encode())
    assert (source.decode(), runs) == ("<p>We’re in a café, Señor; déjà vu.</p>", 1)


def test_the_result_says_so():
    page = "<title>Boats</title><article><h1>Boats</h1>" + "<p>Weâ€™re in the harbour, and so are the boats.</p>" * 6
    result = thresher.extract(page.encode())
    assert "We’re in the harbour" in result.text
    assert [warning for warning in result.warnings if warning.startswith("repaired: 6 characters")]
    assert result.status == "ok"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_stays_text(text):
    source, runs = repaired(text.encode())
    source.decode()
    assert runs or source == text.encode()

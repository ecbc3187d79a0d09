"""Chunks: slices of the Markdown that lose nothing, end where they should, and know their headings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from thresher.result.chunks import chunks

PAGE = """<title>Boats</title><article><h1>Boats</h1><p>{prose}</p><h2>Rowing</h2><p>{prose}</p>
<pre><code>row(1)

row(2)
row(3)</code></pre><h3>Oars</h3><table><tr><th>Oar</th><th>Length</th></tr>{rows}</table><p>{prose}</p>
<h2>Sailing</h2><p>{prose}</p></article>""".format(
    prose="A boat lies in the harbour and waits. The wind comes from the west today. " * 4,
    rows="".join(f"<tr><td>number {k}</td><td>{k} feet</td></tr>" for k in range(20)),
)


def test_chunks_are_slices_in_order_and_lose_nothing():
    result = thresher.extract(PAGE)
    for limit in (1, 7, 40, 200, 10_000):
        pieces = result.chunks(limit)
        assert all(result.markdown[piece.start : piece.stop] == piece.text for piece in pieces)
        assert "".join("".join(piece.text.split()) for piece in pieces) == "".join(result.markdown.split())
        assert [piece.start for piece in pieces] == sorted(piece.start for piece in pieces)
    (whole,) = result.chunks(10_000)
    assert whole.headings == ("Boats",)


def test_tables_and_code_stay_whole_and_the_rest_within_the_limit():
    pieces = thresher.extract(PAGE).chunks(30)
    (table,) = (piece for piece in pieces if "| number 0 |" in piece.text)
    assert "| number 19 |" in table.text
    (code,) = (piece for piece in pieces if "row(1)" in piece.text)
    assert "row(3)\n```" in code.text
    assert all(piece.tokens <= 30 for piece in pieces if piece not in (table, code))


def test_a_chunk_knows_the_headings_above_it_and_none_ends_with_one():
    pieces = thresher.extract(PAGE).chunks(60)
    path = {piece.headings for piece in pieces}
    assert path == {("Boats",), ("Boats", "Rowing"), ("Boats", "Rowing", "Oars"), ("Boats", "Sailing")}
    assert not any(piece.text.splitlines()[-1].startswith("#") for piece in pieces)


def test_tokens_are_those_of_the_tokenizer():
    class Words:
        def encode(self, text: str) -> list[str]:
            return text.split()

    result = thresher.extract(PAGE)
    for tokenizer in (Words(), str.split, lambda text: len(text.split())):
        pieces = result.chunks(20, tokenizer)
        assert [piece.tokens for piece in pieces] == [len(piece.text.split()) for piece in pieces]
    with pytest.raises(TypeError, match="tokenizer is a function"):
        result.chunks(20, 3)
    with pytest.raises(ValueError, match="from 1 on"):
        result.chunks(0)


LINES = st.sampled_from(
    ["", "# One", "### Two", "```", "~~~~", "| a | b |", "| --- | --- |", "A word. Or two.", "- item"]
)


@given(st.lists(LINES | st.text("ab .\n#`", max_size=30)).map("\n".join), st.integers(1, 40))
def test_no_text_is_lost_whatever_it_looks_like(markdown, limit):
    pieces = chunks(markdown, limit)
    assert "".join("".join(piece.text.split()) for piece in pieces) == "".join(markdown.split())
    assert all(markdown[piece.start : piece.stop] == piece.text for piece in pieces)

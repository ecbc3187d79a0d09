"""A result says so when much text was left out of it."""

from __future__ import annotations

import thresher

PROSE = "The flail loosens the grain from the ear, and the wind of the open door carries the chaff away. "


def _codes(inside: str) -> set[str]:
    article = f"<article><h1>Threshing by hand</h1>{f'<p>{PROSE * 2}</p>' * 4}</article>"
    html = f"<!doctype html><title>Threshing by hand</title><body>{article}{inside}</body>"
    return {problem.code for problem in thresher.extract(html).problems}


def test_much_hidden_prose_is_told() -> None:
    assert "hidden_text" in _codes(f"<div style='display:none'>{f'<p>{PROSE * 2}</p>' * 8}</div>")
    assert "hidden_text" not in _codes(f"<div style='display:none'><p>{PROSE}</p></div>")


def test_hidden_menus_are_not_told() -> None:
    menu = "".join(f'<li><a href="/{k}">{PROSE}</a></li>' for k in range(20))
    assert "hidden_text" not in _codes(f"<ul style='display:none'>{menu}</ul>")


def test_many_comments_are_told() -> None:
    one = "<li class=comment><b>Ann</b><p>I have seen this before and it did not end well, says my aunt.</p></li>"
    for number, told in ((2, False), (16, True)):
        comments = f"<section id=comments><h2>{number} comments</h2><ol>{one * number}</ol></section>"
        assert ("comments_apart" in _codes(comments)) == told

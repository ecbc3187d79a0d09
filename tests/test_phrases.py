"""Phrases found in a text without a regular expression: where one would find them."""

from __future__ import annotations

import random
import re

import pytest

from thresher.text.phrases import alternatives, find_phrase, phrases

KINDS = [(f"{status} text", "walls.txt") for status in ("blocked", "login", "consent", "unavailable", "not_found")]
KINDS += [("keys", "walls.txt"), ("published", "phrases.txt"), ("also", "phrases.txt"), ("role", "phrases.txt")]


def texts(kind: str, file: str) -> list[str]:
    """Phrases and their beginnings in a row, with and without letters around them."""
    chance = random.Random(kind)
    known = [phrase.removesuffix("*") for phrase in phrases(kind, file)]
    found = []
    for _ in range(400):
        pieces = [
            chance.choice(("", "x", "_", "年"))
            + phrase[: chance.choice((2, 99, 99))]
            + chance.choice(("", "s", ".", "é"))
            for phrase in chance.choices(known, k=chance.randint(0, 6))
        ]
        found.append(" ".join(chance.choice((" ", "-", "")).join(pieces).split()))
    return found


@pytest.mark.parametrize(("kind", "file"), KINDS)
def test_a_phrase_is_found_where_a_search_for_all_alternatives_finds_it(kind: str, file: str) -> None:
    pattern, hits = re.compile(alternatives(kind, file)), 0
    for text in texts(kind, file):
        match, place = pattern.search(text), find_phrase(kind, text, file)
        assert (match.span() if match else None) == ((place.start, place.stop) if place else None), text
        hits += match is not None
    assert hits > 30

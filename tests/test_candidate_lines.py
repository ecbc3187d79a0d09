"""A few bytes tell which lines are read word by word: whatever tells a rule, or comments, is among them."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels import both
from thresher.methods.auto.kernels import columns
from thresher.methods.auto.openings import openings
from thresher.methods.auto.rules.notices import _COPYRIGHT
from thresher.text import dates, names
from thresher.text.phrases import openings as opened
from thresher.text.phrases import phrases

MODULES = both("thresher.methods.auto.kernels.lines")
KINDS = {
    "by": columns.BYLINE,
    "label": columns.BYLINE,
    "published": columns.PUBLISHED,
    "modified": columns.PUBLISHED,
    "also": columns.RELATED,
    "advert": columns.ADVERT,
}
A_DAY = " 12.11.2024"  # what makes "published" one that counts


def marked(kernels: ModuleType, lines: list[str], words: int = 4, linked: float = 1.0) -> np.ndarray:
    """What the lines may be that stand beside a title each, links of so many words."""
    count = 2 * len(lines)
    table = np.zeros((columns.BLOCK_ROWS, count), np.int32)
    table[columns.NUMBER] = table[columns.FIRST] = table[columns.LAST] = np.arange(count)
    texts = [text for line in lines for text in (b"\0", line.encode())]
    stop = np.cumsum([len(text) for text in texts]).astype(np.int32)
    start = np.concatenate([[0], stop[:-1]]).astype(np.int32)
    kinds = np.zeros((columns.KINDS, count), np.uint8)
    kinds[columns.KIND_TITLE, ::2] = 1
    marks = np.empty(count, np.int32)
    kernels.mark_lines(
        b"".join(texts), start.data, stop.data, table.data, np.full(count, 9).data,
        np.full(count, words, np.float32).data, np.full(count, linked, np.float32).data, kinds.data, openings(),
        marks.data,
    )  # fmt: skip
    return marks[1::2]


def has_heading(kernels: ModuleType, text: str) -> bool:
    """Whether a heading is one that may say comments."""
    one, length = np.ones(1, np.int32).data, np.array([len(text.encode())], np.int32).data
    row = np.zeros((3, 1), np.int32).data
    return bool(
        kernels.find_headings(
            np.zeros(1, np.int16).data, b"\1", np.zeros(1, np.int32).data, one, np.zeros(1, np.int32).data, length,
            text.encode(), openings(), 100, row,
        )
    )  # fmt: skip


@pytest.mark.parametrize("kernels", MODULES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_label_is_found_in_small_letters_and_capitals_behind_marks(kernels: ModuleType, kind: str) -> None:
    stems = [phrase.removesuffix("*") for phrase in phrases(kind)]
    for before in ("", " \n", "» ", "👉 ", "【", "– ", "\u3000・"):
        lines = [before + case(stem) + A_DAY for stem in stems for case in (str, str.upper, str.title)]
        found = [line for line, marks in zip(lines, marked(kernels, lines), strict=True) if marks & KINDS[kind]]
        assert found == lines


@pytest.mark.parametrize("kernels", MODULES)
def test_a_label_above_links_counts_and_marks_them(kernels: ModuleType) -> None:
    marks = np.empty(3, np.int32)
    table = np.zeros((columns.BLOCK_ROWS, 3), np.int32)
    table[columns.FIRST] = table[columns.LAST] = np.arange(3)
    bounds = np.array([0, 8, 16, 24], np.int32)
    linked, words = np.array([0, 1, 1], np.float32), np.array([2, 1, 1], np.float32)
    kernels.mark_lines(
        b"See alsoOats herRye ther", bounds[:3].data, bounds[1:].data, table.data, np.full(3, 8).data, words.data,
        linked.data, np.zeros((columns.KINDS, 3), np.uint8).data, openings(), marks.data,
    )  # fmt: skip
    assert [bool(mark & columns.RELATED) for mark in marks] == [True, True, False]


def test_any_sign_may_stand_before_a_label() -> None:
    signs = [chr(code) for code in range(1, 0x30000) if not 0xD800 <= code < 0xE000]
    lines = [sign + "oleh Jane" for sign in signs]
    marks = marked(MODULES[0], lines)
    missed = [line for line, mark in zip(lines, marks, strict=True) if not mark & columns.BYLINE]
    assert not [line for line in missed if opened("by", line) or opened("label", line)]
    assert len(missed) > 1000, "a letter before it makes another word"


def test_any_capital_of_a_label_is_found() -> None:
    for kind in KINDS:
        of_letter: dict[str, set[str]] = {}
        for phrase in phrases(kind):
            of_letter.setdefault(phrase[0], set()).add(phrase.removesuffix("*"))
        letters = [chr(code) for code in range(1, 0x30000) if chr(code).lower() in of_letter]
        lines = [letter + one[1:] + A_DAY for letter in letters for one in sorted(of_letter[letter.lower()])]
        found = marked(MODULES[0], lines)
        assert all(mark & KINDS[kind] for mark, line in zip(found, lines, strict=True) if opened(kind, line))


@pytest.mark.parametrize("kernels", MODULES)
@pytest.mark.parametrize(
    "line", ["Oats by the sack", "Rye: reviewed by Jane Roe, MD", "Rye, edited\xa0By Jane", "김철수 기자"]
)
def test_somebody_may_be_named_behind_other_words(kernels: ModuleType, line: str) -> None:
    assert marked(kernels, [line])[0] & columns.BYLINE


@pytest.mark.parametrize("kernels", MODULES)
@pytest.mark.parametrize("line", ["Oats and rye", "Nearby barns", "2 min read", "Überall Hafer"])
def test_other_lines_are_read_no_further(kernels: ModuleType, line: str) -> None:
    assert not marked(kernels, [line])[0] & ~columns.AUTHOR


@pytest.mark.parametrize("kernels", MODULES)
@settings(max_examples=300, deadline=None)
@given(line=st.text("0127./ :-年月aก٢۴२０,by", max_size=14))
def test_whatever_has_a_sign_of_a_year_may_be_a_day(kernels: ModuleType, line: str) -> None:
    if dates._DIGIT.search(line) and dates._SIGN_OF_YEAR.search(line):
        assert marked(kernels, [line])[0] & columns.DAY
    if names._other_tasks().search(line):
        assert marked(kernels, [line])[0] & columns.BYLINE


@pytest.mark.parametrize("kernels", MODULES)
@pytest.mark.parametrize("space", ["", "  ", "\xa0", "\u2003", "\u3000", "\0"])
def test_a_copyright_notice_is_found(kernels: ModuleType, space: str) -> None:
    lines = [f"{space}{sign}2025" for sign in _COPYRIGHT] + ["©", "ⓒ"]
    assert all(mark & columns.COPYRIGHT for mark in marked(kernels, lines))
    assert not any(mark & columns.COPYRIGHT for mark in marked(kernels, ["Oats", "Rye (c)", "(a) rye", ""]))


@pytest.mark.parametrize("kernels", MODULES)
@settings(max_examples=200, deadline=None)
@given(name=st.text("ab ", max_size=9), line=st.text("ab ", max_size=30))
def test_who_opens_with_the_line_before_may_be_the_author(kernels: ModuleType, name: str, line: str) -> None:
    table = np.zeros((columns.BLOCK_ROWS, 2), np.int32)
    table[columns.FIRST] = table[columns.LAST] = (0, 1)
    bounds, marks = np.cumsum([0, len(name), len(line)]).astype(np.int32), np.empty(2, np.int32)
    kinds = np.zeros((columns.KINDS, 2), np.uint8)
    kinds[columns.KIND_TITLE] = 1
    kernels.mark_lines(
        (name + line).encode(), bounds[:2].data, bounds[1:].data, table.data, np.full(2, 99).data,
        np.full(2, 9, np.float32).data, np.zeros(2, np.float32).data, kinds.data, openings(), marks.data,
    )  # fmt: skip
    said = name.strip()
    assert bool(marks[1] & columns.AUTHOR) == (5 <= len(said) <= 60 and said in line[: len(said) + 12])


@pytest.mark.parametrize("kernels", MODULES)
def test_headings_that_may_say_comments_are_found(kernels: ModuleType) -> None:
    for phrase in phrases("comments"):
        for text in (phrase, phrase.upper(), f"4 {phrase}", f"（4件の{phrase}）", f"٤ {phrase}", f"# {phrase.title()}"):
            assert has_heading(kernels, text)
    assert not any(has_heading(kernels, text) for text in ("Oats", "", "§", "Über Hafer", "x" * 101))

"""The kernels of output: compiled or not, the same results, and those of slow and obvious versions."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel_arguments import assert_source_gives_the_same
from tests.kernels import FUZZED, both
from tests.reference import output as naive
from tests.strategies import pages
from thresher.output import build, containers, events, fragments, media, permalinks, printed, tables, to_text
from thresher.output import collapse as collapsing
from thresher.page import Page
from thresher.parse import parse
from thresher.text.characters import collapse
from thresher.text.invisible import BOUNDS, KINDS, LEADS
from thresher.visible.readable import readable

BYTES = both("thresher.output.kernels")
GAPS = both("thresher.output.gap_kernels")
SURVEY = both("thresher.output.survey_kernels")
TABLES = both("thresher.output.table_kernels")
TREE = both("thresher.page.tree_kernels")
LINES = both("thresher.output.line_kernels")
WALK = both("thresher.output.walk_kernels")
MODULES = {
    "kernels": BYTES, "gap_kernels": GAPS, "survey_kernels": SURVEY, "table_kernels": TABLES, "tree_kernels": TREE,
    "line_kernels": LINES, "walk_kernels": WALK,
}  # fmt: skip
# As in kernel_arguments: M texts, N elements, B kept texts, K links or headings, U bytes.
SHAPES = {
    "gap_kernels.separate": "M M M M M M M M U 256 N N N N N 9 - N 6,N M",
    "kernels.mark_fragment_links": "U K K K N - N N M",
    "kernels.write_texts": "U M M M 10 B B+1 U 256 5 6 60 7 60",
    "survey_kernels.survey": "N N N N N N M M M U U M M 9 M 3,9",
    "table_kernels.find_data_tables": "N N N N N M M M 9 - - 5,N+1 M+1 N",
    "tree_kernels.count_tags": "N M",
    "tree_kernels.mark_texts": "N N N M",
    "tree_kernels.mark_within": "N N N",
    "tree_kernels.nearest_marked": "N N - N",
    "tree_kernels.sum_where": "N N",
    "line_kernels.has_invisible_row": "U 256 B B+1",
    "line_kernels.note_lines": "U M M N - 256 U N",
    "walk_kernels.find_heading_links": "U K K K 9 N N N N M M U - - - 2,M+1 4,K",
    "walk_kernels.mark_content": "N N N M M M M 2,M+1 N",
    "walk_kernels.order_events": "N N N N N N N N 9 B M M+1 N+1 20",
}
SIGNS = {"\t": b"\xfa", "\n": b"\xf9", "\n\n": b"\xf8\xf8"}
# What the loop looks at: white space, East Asian and Thai letters, marks, and characters that show nothing.
ALPHABET = "a \t\n\r\f\x01漢字、。—“ก\u200bက\u200d\u200c\ufe0f\xad\xa0\u3000\u2028é🌾\U000e0041\u200e"


def collapsed(text: bytes) -> list[tuple[bytes, bool]]:
    """What each version makes of the bytes, as a page's only text; and whether invisible characters may stand in a
    row."""
    results = []
    start, stop, gap = np.array([0], np.int32), np.array([len(text)], np.int32), np.zeros(1, np.int8)
    for module in BYTES:
        words, out = np.empty(len(text) // 8 + 1, np.uint64), bytearray(len(text) + 8)
        room = (LEADS, BOUNDS, KINDS, words.view(np.uint8).data, words.data, out)
        nothing = np.zeros(0, np.int32).data
        length = module.write_texts(text, start.data, stop.data, gap.data, b"", nothing, start.data, b"", *room)
        results.append((bytes(out[: length if length >= 0 else -1 - length]), length < 0))
    return results


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["", *SIGNS]), st.text(ALPHABET, max_size=8)), max_size=6))
def test_white_space_is_collapsed_between_signs(pieces: list[tuple[str, str]]) -> None:
    """Each piece is collapsed by itself; between two that print something stands the strongest sign."""
    text, expected, waiting = b"", "", ""
    for sign, piece in pieces:
        text += SIGNS.get(sign, b" ") + piece.strip(" \t\n\r\f").encode()
        waiting = max(waiting or " ", sign, key=[" ", "\t", "\n", "\n\n", ""].index) if sign else waiting or " "
        line = naive_line(piece)
        if line.strip():
            expected += (waiting if expected else "") + line
            waiting = ""
    compiled, source = collapsed(text)
    assert compiled == source
    if not source[1]:
        assert re.sub(" ?([\n\t]+) ?", r"\1", source[0].decode()) == re.sub(" ?([\n\t]+) ?", r"\1", expected)


def naive_line(piece: str) -> str:
    return collapse(piece.strip(" \t\n\r\f"))


@settings(max_examples=200, deadline=None)
@given(st.text("abc. \x7f\n\té", max_size=80))
def test_eight_bytes_at_a_time_are_what_they_are_one_by_one(text: str) -> None:
    assert [one.decode() for one, _ in collapsed(text.encode())] == [collapse(text)] * 2


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(ALPHABET + "\x0b\x1c\x85", max_size=8), max_size=6))
def test_the_lines_of_all_texts_are_those_of_each(texts: list[str]) -> None:
    page = parse("<i>|</i>".join(texts))
    kept = np.arange(0, len(page.start), 2)
    lines, notes = collapsing.lines(page, kept, bytes(4 * (byte == ord("a")) for byte in range(256)))
    assert lines == [collapse(text) for text in page.text[::2]] or lines == [""]
    assert [bool(note & 4) for note in notes] == ["a" in text for text in page.text[::2]]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(ALPHABET + "\x85\x1c\u1680\u2003\u205fя"), max_size=6))
def test_white_space_at_the_ends_of_texts_is_told(texts: list[str]) -> None:
    page = parse("".join(f"<p>{text}</p>" for text in texts))
    _, notes = collapsing.lines(page, np.arange(len(page.start)), bytes(256))
    assert [bool(note & collapsing.BEGINS_WHITE) for note in notes] == [text[:1].isspace() for text in page.text]
    assert [bool(note & collapsing.ENDS_WHITE) for note in notes] == [text[-1:].isspace() for text in page.text]


def test_any_bytes_collapse_to_the_same():
    for seed in range(FUZZED):
        chance = random.Random(seed)
        some = chance.choice([bytes(range(256)), ALPHABET.encode() + b"\xf8\xf9\xfa\xfb\xfd", b"\xf8\xe2\x80\x8b a"])
        compiled, source = collapsed(bytes(chance.choices(some, k=chance.randrange(40))))
        assert compiled == source


@pytest.mark.parametrize("name", SHAPES)
def test_no_numbers_make_a_loop_read_or_write_outside_of_its_arrays(name: str) -> None:
    module, function = name.split(".")
    assert_source_gives_the_same(MODULES[module], function, SHAPES[name], range(FUZZED))


def test_every_loop_of_output_is_compared() -> None:
    assert {f"{name}.{one}" for name, modules in MODULES.items() for one in modules[1].__all__} == set(SHAPES)


@pytest.mark.parametrize("module", BYTES)
def test_what_there_is_no_room_for_is_not_written(module) -> None:
    start, stop = np.array([0, 9, 6, 0], np.int32), np.array([5, 0, 9, 2], np.int32)
    gap, out, nothing = np.ones(4, np.int8), bytearray(9), np.zeros(0, np.int32).data
    added = (nothing, np.zeros(1, np.int32).data, b"")
    room = (LEADS, BOUNDS, KINDS, bytearray(out), np.zeros(0, np.uint64).data, out)
    signs = b"\0\0_\0"
    length = module.write_texts(b"flail and chaff", start.data, stop.data, gap.data, signs, *added, *room)
    assert bytes(out[:length]) == b"_flail___"


@pytest.mark.parametrize("module", BYTES)
def test_pieces_are_put_before_signs_between_signs_and_texts_and_behind(module) -> None:
    start, stop, gap = np.array([0, 2, 4], np.int32), np.array([1, 3, 5], np.int32), np.array([1, -1, 9], np.int8)
    places, edges = np.array([0, 2, 4, 6, 7, 9], np.int32), np.array([0, 1, 2, 3, 4, 5, 6], np.int32)
    out = bytearray(20)
    columns = (start.data, stop.data, gap.data, b"\0\0_\0", places.data, edges.data, b"123456")
    room = (LEADS, BOUNDS, KINDS, bytearray(out), np.zeros(0, np.uint64).data, out)
    length = module.write_texts(b"a b c", *columns, *room)
    assert bytes(out[:length]) == b"1_a234_56"


def test_a_zero_width_space_behind_a_space_is_left_out():
    assert collapsed("ก \u200bก ก\u200bก".encode()) == [("ก ก ก\u200bก".encode(), False)] * 2


def test_characters_in_a_row_that_show_nothing_are_told():
    assert all(in_rows for _, in_rows in collapsed("a\u200d\u200db".encode()))
    assert all(in_rows for _, in_rows in collapsed("a\u200d\x01\x01\x01\x01\u200db".encode()))
    assert not any(in_rows for _, in_rows in collapsed("a\u200db c\u200dd".encode()))


@settings(max_examples=60, deadline=None)
@given(page=pages(), seed=st.integers(0, 1000), source=st.booleans())
def test_text_is_what_a_slow_reader_copies_compiled_or_not(page: Page, seed: int, source: bool) -> None:
    keep = readable(page) & (np.random.default_rng(seed).random(len(page.start)) < 0.67)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(printed, "survey", SURVEY[source].survey)
        patch.setattr(containers, "separate", GAPS[source].separate)
        patch.setattr(tables, "find_data_tables", TABLES[source].find_data_tables)
        patch.setattr(collapsing, "write_texts", BYTES[source].write_texts)
        assert to_text(page, keep) == naive.to_text(page, keep)


@settings(max_examples=60, deadline=None)
@given(page=pages(), seed=st.integers(0, 1000), source=st.booleans())
def test_a_walk_meets_in_order_what_a_slow_reader_finds(page: Page, seed: int, source: bool) -> None:
    chance = np.random.default_rng(seed)
    keep, media = chance.random(len(page.start)) < 0.5, chance.random(len(page)) < 0.1
    wanted = chance.choice([0, 0, 0, events.ALWAYS, events.WITH_TEXT], len(page)).astype(np.uint8)
    builder = build._Builder(page, keep, True, True, None, {})
    builder.kept, builder.is_media = keep.nonzero()[0], media.view(np.uint8).data
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(events, "order_events", WALK[source].order_events)
        patch.setattr(build._Builder, "_wanted", lambda _: wanted if seed % 3 else wanted[:0])
        expected = naive.events(page, keep, media, wanted if seed % 3 else np.zeros(len(page), np.uint8))
        assert builder._events() == expected


@settings(max_examples=60, deadline=None)
@given(page=pages(), seed=st.integers(0, 1000), source=st.booleans())
def test_an_element_is_content_if_half_of_what_it_says_is(page: Page, seed: int, source: bool) -> None:
    keep = readable(page) & (np.random.default_rng(seed).random(len(page.start)) < 0.67)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(media, "mark_content", WALK[source].mark_content)
        content = media.in_content(page, keep)
    assert content.tolist() == [naive.in_content(page, keep, row) for row in range(len(page))]


@settings(max_examples=60, deadline=None)
@given(page=pages(), source=st.booleans())
def test_tables_of_data_are_those_of_a_slow_reader(page: Page, source: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "find_data_tables", TABLES[source].find_data_tables)
        found = tables.data_tables.__wrapped__(page)
    assert found.tolist() == [naive.is_data_table(page, row) for row in range(len(page))]


@settings(max_examples=60, deadline=None)
@given(page=pages(), seed=st.integers(0, 1000))
def test_a_survey_misses_no_permalink(page: Page, seed: int) -> None:
    keep = np.random.default_rng(seed).random(len(page.start)) < 0.67
    unprinted = permalinks.find(page).texts
    assert unprinted is None or not (printed.printed_texts(page, keep) & unprinted).any()


@pytest.mark.parametrize("module", BYTES + GAPS + SURVEY + TABLES + TREE + LINES + WALK)
def test_columns_of_other_lengths_are_refused(module) -> None:
    few, rows, table = np.zeros(1, np.int32).data, np.zeros(3, np.intp).data, np.zeros((6, 1), np.int32).data
    few_tables, words = (LEADS, BOUNDS, KINDS), np.zeros(2, np.uint64).data
    tag, gap = np.zeros(1, np.int16).data, np.zeros(1, np.int8).data
    calls = {
        "write_texts": (b"abc", few, few, gap, b"", few, few, b"", *few_tables, bytearray(9), words, bytearray(9)),
        "separate": (b"\0\0", *[few] * 5, b"\0", b"\0", b"abc", bytes(256), tag, *[few] * 5, 1, b"", table, gap),
        "survey": (tag, *[few] * 8, b"abc", b"abc", b"\0", b"\0", few, bytearray(1), table),
        "find_data_tables": (tag, *[few] * 8, 3, 1000, table, np.zeros(3, np.int64).data, bytearray(1)),
        "nearest_marked": (b"\0\0", few, -1, few),
        "note_lines": (b"abc", few, few, rows, 0, b"", bytearray(9), bytearray(3)),
        "has_invisible_row": (b"abc", b"", np.zeros(1, np.uint32).data, b"\0"),
        "find_heading_links": (
            b"",
            *[few] * 3,
            b"\0",
            np.zeros(1, np.int16).data,
            few,
            few,
            few,
            few,
            few,
            b"",
            1,
            1,
            1,
            np.zeros((2, 2), np.int32).data,
            np.zeros((4, 0), np.int32).data,
        ),
        "mark_content": (few, few, few, rows, b"\0", b"\0", b"", np.zeros((2, 4), np.int64).data, bytearray(1)),
        "order_events": (np.zeros(1, np.int16).data, *[few] * 5, b"\0", b"\0\0", b"", rows, *[few] * 4),
    }
    for name, arguments in calls.items():
        if hasattr(module, name):
            with pytest.raises(ValueError, match=r"lengths|mismatch|no such"):
                getattr(module, name)(*arguments)


@pytest.mark.parametrize("source", [False, True])
@settings(max_examples=60, deadline=None)
@given(page=pages())
def test_texts_in_links_to_fragments_are_marked(source: bool, page: Page) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fragments, "mark_fragment_links", BYTES[source].mark_fragment_links)
        count, mark = fragments.fragment_links.__wrapped__(page)
    links = [(row, page.attribute(row, "href") or "") for row in range(len(page)) if page.name(row) == "a"]
    links = [(row, address) for row, address in links if "#" in address]
    slow = [0] * len(page.start)
    for row, address in links:
        for text in range(page.first[row], page.last[row]):
            slow[text] = fragments.IN_PAGE if address.startswith("#") else 1
    assert (count, mark.tolist()) == (len(links), slow)

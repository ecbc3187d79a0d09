"""kernels: compiled or not, the same results; no bytes make one read or write outside of its buffers."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from dataclasses import fields
from itertools import pairwise
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.kernel_arguments import assert_source_gives_the_same
from tests.kernels import FUZZED, both, from_source, stale
from tests.strategies import pages, soup
from thresher import kernels
from thresher.page import Page, textcounts
from thresher.page.page import _ATTRIBUTE
from thresher.parse import markup_tags, parse, scan, survey
from thresher.parse.budget import nesting
from thresher.parse.budget.kernels import COUNTED

PAGE = both("thresher.page.kernels")
SHAPES = {  # as in kernel_arguments
    "page.index_attributes": "U 5,M - 64 M 6,M 2,M+2 40",
    "page.number_spans": "U M M - 64 M M",
}
MODULES = {"page": PAGE}
PARSE = both("thresher.parse.kernels")
BUDGET = both("thresher.parse.budget.kernels")


def random_bytes(seed: int) -> bytes:
    """Short strings of few different bytes or of all; what kernels look for is frequent in them."""
    chance = random.Random(seed)
    alphabet = chance.choice(
        [bytes(range(256)), b'<>/!-"= &;lgtampnbs\xc2\xa0', b"<p></p><br> a", b"a.! \xe3\x80\x82\xd8"]
    )
    return bytes(chance.choices(alphabet, k=chance.randrange(60)))


def test_every_kernel_is_a_module_with_a_source():
    assert all(kernels.source(name).is_file() for name in kernels.KERNELS)


def test_no_compiled_kernel_is_older_than_its_source():
    assert not stale(), "run: python setup.py build_ext --inplace"


def test_the_source_of_a_kernel_loads_beside_the_compiled_one():
    assert from_source("thresher.page.kernels").__file__.endswith(".py")


def test_without_cython_the_sources_run_as_they_stand(tmp_path):
    """Who has no compiler has no Cython either: what it offers is stood in for."""
    (tmp_path / "cython.py").write_text("raise ImportError")
    code = "import thresher; print(thresher.compiled, thresher.extract('<article><p>Some grain.</article>').text)"
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    environment = {**os.environ, kernels.PURE: "1", "PYTHONPATH": path}
    answer = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert answer.stdout.strip() == "False Some grain.", answer.stderr


@pytest.mark.parametrize(("value", "expected"), [("1", "False .py"), ("0", None)])
def test_the_environment_can_ask_for_the_sources(value, expected):
    code = "import thresher, thresher.page.kernels as t; print(thresher.compiled, t.__file__[-3:])"
    answer = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, kernels.PURE: value},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    compiled = all(map(kernels._is_built, kernels.KERNELS))
    assert answer == (expected or ("True .so" if compiled else "False .py"))


def test_version_says_which_one_runs():
    answer = subprocess.run([sys.executable, "-m", "thresher", "--version"], capture_output=True, text=True, check=True)
    which = "compiled" if thresher.compiled else "not compiled"
    assert answer.stdout.strip() == f"thresher {thresher.__version__} ({which})"


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_counts_of_any_text(text: str) -> None:
    compare_counts(text.encode("utf-8", "replace"), [0, len(text.encode("utf-8", "replace"))])


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=40), st.lists(st.integers(-5, 50), min_size=2, max_size=8))
def test_counts_of_any_bytes_and_bounds(utf8: bytes, bounds: list[int]) -> None:
    compare_counts(utf8, bounds)


def test_counts_of_random_bytes():
    for seed in range(FUZZED):
        compare_counts(random_bytes(seed), random.Random(seed).choices(range(-3, 64), k=6))


def compare_counts(utf8: bytes, bounds: list[int]) -> None:
    results = [counts_of(utf8, bounds, module) for module in PAGE]
    assert results[0] == results[1]
    assert all(number >= 0 for row in results[0] for number in row)


def counts_of(utf8: bytes, bounds: list[int], loops: ModuleType) -> list[list[int]]:
    start, stop = np.array(bounds[:-1], np.int32), np.array(bounds[1:], np.int32)
    count = np.zeros((6, len(start)), np.int64)
    loops.count_texts(utf8, start.data, stop.data, textcounts._OF_BYTE, textcounts._KINDS, count.data)
    return count.tolist()


@settings(max_examples=60, deadline=None)
@given(pages())
def test_columns_are_the_same_from_the_source(page: Page) -> None:
    compare_columns(page.markup)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_columns_of_any_bytes(markup: bytes) -> None:
    compare_columns(markup)


def test_columns_of_random_bytes():
    for seed in range(FUZZED):
        compare_columns(random_bytes(seed))


def compare_columns(markup: bytes) -> None:
    results = [columns_of(markup, module) for module in PARSE]
    assert results[0] == results[1]


def columns_of(markup: bytes, loops: ModuleType) -> object:
    """What `scan` makes of any bytes with these loops: each column, or what it raises."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markup_tags, "find_tags", loops.find_tags)
        for name in ("holds_raw_text", "read_columns"):
            patch.setattr(scan, name, getattr(loops, name))
        try:
            page = scan.scan(markup)
        except ValueError as problem:
            return str(problem)
    if page is None:
        return None
    values = (getattr(page, field.name) for field in fields(page) if field.name != "_memo")
    return [value.tolist() if isinstance(value, np.ndarray) else value for value in values]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_surveys_of_any_bytes(source: bytes) -> None:
    compare_surveys(source)


@settings(max_examples=200, deadline=None)
@given(soup())
def test_no_page_is_deeper_than_the_survey_says(html: str) -> None:
    compare_surveys(html.encode())
    waiting = surveys(html.encode(), BUDGET[0])[len(COUNTED) + 2]
    assert int(parse(html).depth.max(initial=0)) <= nesting._IMPLIED * (waiting + 1)


def test_surveys_of_random_bytes():
    for seed in range(FUZZED):
        compare_surveys(random_bytes(seed))


def compare_surveys(source: bytes) -> None:
    assert surveys(source, BUDGET[0]) == surveys(source, BUDGET[1])


def surveys(source: bytes, loops: ModuleType) -> list[int]:
    """All that the surveys tell of any bytes."""
    counted, most = np.zeros(len(COUNTED) + 2, np.int64), np.zeros(2, np.int64)
    stack = np.empty(source.count(b"<") + 1, np.int32)
    words = memoryview(source)[: len(source) & -8].cast("Q")
    loops.survey_source(source, words, survey.LIKE.data, len(source) % 3, counted.data)
    loops.survey_nesting(source, nesting._SLOT_WORDS.data, nesting._SLOT_BITS.data, stack.data, most.data)
    found = [loops.find_start_tag(source, b"b", start) for start in (-1, 0, 1, 9, len(source))]
    return [*counted.tolist(), *most.tolist(), loops.next_long_stretch(source, -1, 8), *found]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*"<>/ nà.", "<noScript", "â€", "Ã©", "â€™", "é"]), max_size=30).map("".join))
def test_a_survey_counts_what_patterns_find(text: str) -> None:
    source = text.encode()
    seen = survey.survey(source)
    places = [match.start() for match in re.finditer(rb"(?i)<noscript(?=[\s/>])", source)]
    high = b"(?:\xc2[\x80-\xbf]|[\xc5\xc6\xcb].|\xe2[\x80\x82\x84].)"
    misread = re.findall(rb"\xc3(?:[\x82-\x9f]%b|[\xa0-\xb4]%b{2})" % (high, high), source)
    marks = any(run.startswith("â€".encode()) for run in misread)
    accents = source.count(b"\xc3")
    assert (seen.tags, seen.noscripts, seen.first_noscripts) == (source.count(b"<"), len(places), places)
    assert seen.may_be_misread == (marks or (bool(misread) and len(misread) >= 0.9 * accents))
    assert list(survey.noscripts(seen)) == places if places else not seen.noscripts


def test_a_survey_goes_on_where_noscripts_are_too_many_to_write_down() -> None:
    source = b"<p>.<noscript>" * 250
    assert list(survey.noscripts(survey.survey(source))) == [14 * k + 4 for k in range(250)]


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="<bBi/> \t.", max_size=40), st.integers(0, 40), st.integers(0, 200))
def test_a_start_tag_is_found_where_a_pattern_finds_it(source: str, start: int, before: int) -> None:
    source = "." * before + source
    expected = re.compile(rb"<bi(?=[\s/>])", re.IGNORECASE).search(source.encode(), start)
    found = [loops.find_start_tag(source.encode(), b"bi", start) for loops in BUDGET]
    assert found == [expected.start() if expected else -1] * 2


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab='\" \x0b\n<>/", max_size=40), st.integers(0, 5))
def test_what_a_long_tag_holds_is_what_patterns_say(tag: str, start: int) -> None:
    compare_long_tags(tag.encode(), start)


def test_what_random_bytes_hold_as_long_tags():
    for seed in range(FUZZED):
        compare_long_tags(random_bytes(seed), seed % 7)


def compare_long_tags(source: bytes, start: int) -> None:
    tag = source[start:]
    values = re.compile(rb"=\s*(?:\"[^\"]*\"|'[^']*')")
    rest = values.sub(b" ", tag)
    between = values.split(tag)
    expected = max(len(rest.replace(b"/", b" ").split()), rest.count(b"=")), b">" in b"".join(between[1:-1] or between)
    assert [long_tag_of(source, start, loops) for loops in BUDGET] == [expected, expected]


def long_tag_of(source: bytes, start: int, loops: ModuleType) -> tuple[int, bool]:
    stop = len(source)
    return loops.count_attributes(source, start, stop), loops.has_tag_end(source, start, stop)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='ab=" <>/', max_size=40))
def test_attributes_of_any_tags_are_those_of_the_pattern(tag: str) -> None:
    compare_attributes(tag.encode())


def test_attributes_of_random_bytes():
    for seed in range(FUZZED):
        compare_attributes(random_bytes(seed))


def compare_attributes(markup: bytes) -> None:
    """All of it as one tag, and its halves as two."""
    for bounds in ([0, len(markup)], [0, len(markup) // 2, len(markup)]):
        rows = [attributes_of(markup, bounds, module) for module in PAGE]
        assert rows[0] == rows[1]
        text = markup.decode("latin-1")
        pattern = [m.groups() for a, b in pairwise(bounds) for m in _ATTRIBUTE.finditer(text[a:b])]
        assert [(text[a:b], text[c:d]) for _, a, b, c, d in rows[0]] == pattern


def attributes_of(markup: bytes, bounds: list[int], loops: ModuleType) -> list[list[int]]:
    start, stop = np.array(bounds[:-1], np.int32), np.array(bounds[1:], np.int32)
    table = np.zeros((5, markup.count(b'"') // 2), np.int32)
    count = loops.find_attributes(markup, start.data, stop.data, table.data)
    return table[:, :count].T.tolist()


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=3), max_size=12))
def test_equal_spans_have_equal_numbers(parts: list[bytes]) -> None:
    stop = np.cumsum([0, *map(len, parts)]).astype(np.int32)
    results = []
    for module in PAGE:
        code, first = np.zeros((2, len(parts)), np.int32)
        slots = np.full(32, -1, np.int32)
        begin = stop[:-1].copy()
        count = module.number_spans(
            b"".join(parts), begin.data, stop[1:].data, 0x9E3779B97F4A7C15, slots.data, code.data, first.data
        )
        results.append((code.tolist(), first[:count].tolist()))
    known = list(dict.fromkeys(parts))
    assert results[0] == results[1] == ([known.index(part) for part in parts], [parts.index(part) for part in known])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["a", "b", "longer-name", "c=", ""]), st.binary(max_size=3)), max_size=20))
def test_attributes_are_put_together_by_their_names(attributes: list[tuple[str, bytes]]) -> None:
    parts = [part for name, value in attributes for part in (name.encode(), value)]
    data, stop = b"".join(parts), np.cumsum([0, *map(len, parts)]).astype(np.int32)
    size = len(attributes)
    spans = np.array([range(size), stop[:-1:2], stop[1::2], stop[1::2], stop[2::2]], np.int32)
    expected: dict[str, list[tuple[int, bytes]]] = {}
    for row, (name, value) in enumerate(attributes):
        expected.setdefault(name, []).append((row, value))
    for module in PAGE:
        code, ordered, bounds = (
            np.empty(size, np.int32),
            np.empty((6, size), np.int32),
            np.empty((2, size + 2), np.int32),
        )
        slots, names = np.empty(64, np.int32), np.empty(len(data) + size, np.uint8)
        used = module.index_attributes(
            data, spans.data, 0x9E3779B97F4A7C15, slots.data, code.data, ordered.data, bounds.data,
            names.data,
        )  # fmt: skip
        assert names[:used].tobytes().decode() == "".join(f"{name} " for name in expected)
        row, start, stops, number, begins, ends = ordered.tolist()
        for n, pairs in enumerate(expected.values()):
            first, behind, count = bounds[0, n], bounds[0, n + 1], bounds[1, n]
            assert [(row[k], data[start[k] : stops[k]]) for k in range(first, behind)] == pairs
            known = list(dict.fromkeys(value for _, value in pairs))
            assert [data[begins[first + c] : ends[first + c]] for c in range(count)] == known
            assert [known[number[k]] for k in range(first, behind)] == [value for _, value in pairs]


@pytest.mark.parametrize("name", SHAPES)
def test_columns_that_point_anywhere_give_the_same(name: str) -> None:
    module, function = name.split(".")
    assert_source_gives_the_same(MODULES[module], function, SHAPES[name], range(max(FUZZED // 10, 1)))


@pytest.mark.parametrize("size", [1, 7, 8, 9, 15, 16, 17, 40])
def test_long_spans_that_differ_in_one_byte_have_different_numbers(size: int) -> None:
    spans = [b"a" * k + b"b" + b"a" * (size - k - 1) for k in range(size)] + [b"a" * size, b"a" * (size - 1)]
    stop = np.cumsum([0, *map(len, spans + spans)]).astype(np.int32)
    for module in PAGE:
        code, first = np.zeros((2, 2 * len(spans)), np.int32)
        slots = np.empty(256, np.int32)
        begin = stop[:-1].copy()
        data = b"".join(spans + spans)
        count = module.number_spans(
            data, begin.data, stop[1:].data, 0x9E3779B97F4A7C15, slots.data, code.data, first.data
        )
        assert count == len(spans)
        assert code.tolist() == 2 * list(range(len(spans)))


def test_values_that_differ_in_any_byte_are_spread_over_the_slots() -> None:
    """Else a page of many names would take quadratic time."""
    places = 1 << 12
    spans = [b"%08d%08x" % (7 * k, 5 * k) for k in range(places)]
    data = b"".join(spans)
    start = np.arange(0, len(data), 16, dtype=np.int32)
    code, first = np.zeros((2, places), np.int32)
    slots = np.empty(4 * places, np.int32)
    stop = start + np.int32(16)
    PAGE[0].number_spans(data, start.data, stop.data, 0x9E3779B97F4A7C15, slots.data, code.data, first.data)
    taken = (slots >= 0).reshape(64, -1).sum(axis=1)
    assert taken.min() > 30
    assert taken.max() < 100

"""Parts of attribute values: one pass over the values tells which of all parts each has."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels import both
from thresher import parse
from thresher.page import attributes
from thresher.page.parts import Parts, _states, with_part

PAGE = both("thresher.page.kernels")
WORDS = st.text(alphabet="abCD-", min_size=1, max_size=4)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=3), min_size=1, max_size=4), st.lists(WORDS, max_size=6))
def test_values_have_the_parts_that_stand_in_them(kinds: list[list[str]], values: list[str]) -> None:
    known, Parts.known = Parts.known, []
    try:
        wanted = [Parts(*(part.lower().encode() for part in parts)) for parts in kinds]
        _states.cache_clear()
        page = parse("".join(f'<p class="{value}">' for value in values))
        numbered = attributes.numbered(page, "class")
        found = [with_part(page, "class", parts) for parts in wanted]
    finally:
        Parts.known = known
        _states.cache_clear()
    distinct = list(dict.fromkeys(values))
    assert len(numbered.start) == len(distinct)
    for parts, numbers in zip(wanted, found, strict=True):
        held = [any(part in value.lower().encode() for part in parts.parts) for value in distinct]
        assert numbers == np.flatnonzero(held).tolist()


def test_parts_made_after_a_page_was_looked_at_are_found_on_it():
    page = parse('<p class="one"><p class="two">')
    assert with_part(page, "class", ONE) == [0]
    known = Parts.known
    Parts.known = list(known)
    try:
        assert with_part(page, "class", Parts(b"tw")) == [1]
    finally:
        Parts.known = known
        _states.cache_clear()


def test_an_attribute_that_no_element_has_has_no_parts():
    assert with_part(parse("<p>"), "class", ONE) == []


ONE = Parts(b"one")


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=20),
    st.lists(st.tuples(st.integers(-3, 25), st.integers(-3, 25)), max_size=4),
    st.lists(st.integers(0, 9), min_size=6, max_size=6),
    st.binary(min_size=256, max_size=256),
)
def test_no_table_leads_outside_of_itself(
    data: bytes, spans: list[tuple[int, int]], table: list[int], letter: bytes
) -> None:
    start, stop = (np.array([span[end] for span in spans], np.int32) for end in (0, 1))
    states, marks = np.array(table, np.uint16).reshape(3, 2), np.array([0, 1, 2], np.uint64)
    results = []
    for module in PAGE:
        marked = np.zeros(len(spans), np.uint64)
        union = module.mark_spans(data, start.data, stop.data, letter, states.data, marks.data, marked.data)
        results.append((union, marked.tolist()))
    assert results[0] == results[1]


@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS, max_size=6), WORDS)
def test_values_that_contain_a_part(values: list[str], part: str) -> None:
    page = parse("".join(f'<p class="{value}">' for value in values))
    found = attributes.containing(page, attributes.numbered(page, "class"), part.lower().encode())
    distinct = list(dict.fromkeys(values))
    assert found == [number for number, value in enumerate(distinct) if part.lower() in value.lower()]

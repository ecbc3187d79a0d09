"""css kernels: compiled or not, the same results; no bytes make one read or write outside of its buffers."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels import FUZZED, both
from tests.strategies import pages
from thresher.css.hiding import PROPERTIES, ROLES
from thresher.css.structure import Structure
from thresher.page import Page
from thresher.parse import parse

TOKENISERS, SUSPECTS = (both(f"thresher.css.{name}") for name in ("tokeniser", "suspects"))
READERS, NAMES, MATCHERS, CHOICES = (
    both(f"thresher.css.{name}") for name in ("selector_names", "names", "plain_match", "rule_choice")
)
for user in (MATCHERS[1], CHOICES[1]):  # sources read with sources
    for name in vars(user).keys() & {"read_lists", "read_plain", "read_preludes", "read_selector"}:
        setattr(user, name, getattr(READERS[1], name))

_PIECES = [
    "{", "}", ";", ":", ",", "\n", " ", "/*", "*/", '"', "'", "\\", "(", ")", "url(", "@media x", "@layer a", "--x:1",
    ".a", "#b", "p", "*", ">", "+", "~", ":hover", ":root", "[x]", "&", "display:none", "opacity:.4", "margin:-99px",
    "color:#fff0", "color:var(--x)", "background:red", "!important", "left:100%", "é", "P", ".A",
]  # fmt: skip
_SELECTORS = st.lists(st.sampled_from(["p", "div", ".a", ".b", "#c", "*", " ", " > ", "+", " ~ ", "A", ".B", "[x]"]))


def random_sheet(seed: int) -> bytes:
    chance = random.Random(seed)
    if chance.random() < 0.2:
        return bytes(chance.choices(range(256), k=chance.randrange(80)))
    return "".join(chance.choices(_PIECES, k=chance.randrange(40))).encode()


def tokens(module, sheets: list[bytes]) -> list[list[list[int]]]:
    sheets = [sheet + b"\n;" for sheet in sheets]
    properties = module.Properties(PROPERTIES.names)
    properties.first, properties.kind = PROPERTIES.first, PROPERTIES.kind
    read = module.Tokeniser(b"".join((*sheets, b"\0")), properties).read(list(map(len, sheets)))
    return [columns.tolist() for columns in read]


def test_random_sheets_are_read_alike():
    for seed in range(FUZZED):
        sheets = [random_sheet(seed), random_sheet(-seed)]
        fast, slow = (tokens(module, sheets) for module in TOKENISERS)
        assert fast == slow
        size = sum(map(len, sheets)) + 5
        assert all(-1 <= number < size for table in (fast[0], fast[3]) for column in table for number in column)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60), st.integers(0, len(ROLES) - 1))
def test_values_may_hide_alike(value: bytes, name: int) -> None:
    fast, slow = (module.may_hide(value, name, PROPERTIES) for module in TOKENISERS)
    assert fast == slow
    fast, slow = (module.may_be_clear(value) for module in SUSPECTS)
    assert fast == slow


def test_suspects_are_alike():
    for seed in range(FUZZED):
        structure = Structure([random_sheet(seed)], PROPERTIES)
        for external in (False, True):
            fast, slow = (module.suspects(structure, ROLES, external).tolist() for module in SUSPECTS)
            assert fast == slow


@settings(max_examples=60, deadline=None)
@given(pages(), st.booleans(), _SELECTORS.map("".join), st.integers())
def test_names_are_matched_alike(page: Page, fold: bool, selector: str, seed: int) -> None:
    compare_names(page, fold, selector.encode(), seed)


SMALL_PAGE = (
    "<!DOCTYPE html><div class='a b' id=c><p class=A>x<p class='a a' id=B>y</p></div><p>z<b class=b>t</b><i></i>"
)


def test_random_selectors_are_matched_alike():
    page = parse(SMALL_PAGE)
    for seed in range(FUZZED):
        compare_names(page, seed % 2 == 0, random_sheet(seed)[:40], seed)


def compare_names(page: Page, fold: bool, selector: bytes, seed: int) -> None:
    structure = Structure([random_sheet(seed)], PROPERTIES)
    fast, slow = (names_of(page, fold, selector, structure, seed, which) for which in (0, 1))
    assert fast == slow


def names_of(page: Page, fold: bool, selector: bytes, structure: Structure, seed: int, which: int) -> object:
    """All that the kernels, compiled (0) or not (1), tell of a selector and a sheet on a page."""
    numbers = np.arange(len(structure.declared.block), dtype=np.int32)
    bits = np.random.default_rng(seed % (1 << 32)).integers(0, 4, len(page)).astype(np.uint32)
    names = NAMES[which].PageNames(page, fold)
    plain = MATCHERS[which].PlainMatcher(names, page.parent)
    matched = plain.match(selector)
    return (
        None if matched is None else (matched[0].tolist(), matched[1]),
        rules_of(plain, structure, 1 << 40),
        rules_of(plain, structure, 3_000),
        CHOICES[which].has_names(names, selector),
        names.rows_with(b".", b"a").tolist(),
        CHOICES[which].choose(names, structure, numbers, None, None).tolist(),
        CHOICES[which].choose(names, structure, numbers, None, bits).tolist(),
    )


def rules_of(plain, structure: Structure, budget: int) -> object:
    """All that is matched of the rules of a sheet within a budget."""
    blocks = np.arange(len(structure.blocks.open), dtype=np.int32)
    kinds = np.zeros(len(blocks), np.uint8)
    rules = []
    for left, selectors in plain.match_rules(structure, blocks, kinds, 1_000, budget):
        for *known, rows in selectors:
            rules.append((left, known, None if rows is None else rows.tolist()))
            if rows is not None:
                alone = plain.match(structure.text[known[1] : known[2]])
                assert alone is not None
                assert (alone[0].tolist(), alone[1]) == (rows.tolist(), known[3])
    return rules, kinds.tolist()

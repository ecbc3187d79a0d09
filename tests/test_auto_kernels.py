"""Kernels of auto: compiled or not, the same results; no numbers make one read or write outside of its arrays."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.kernels import FUZZED, both
from tests.reference import network as reference
from thresher.methods.auto import names, wording

GROUPS, HASHING, NETWORK, UNITS, VECTORS, VOCABULARY = (
    both(f"thresher.methods.auto.kernels.{name}")
    for name in ("groups", "hashing", "network", "units", "vectors", "vocabulary")
)
SEEDS = range(max(FUZZED // 10, 1))
WIDTH = 4  # of vectors


def random_text(chance: np.random.Generator) -> bytes:
    alphabet = ["a", "b", "Z", " ", "-", "ä", "编", "辑", "カ", "."]
    return "".join(chance.choice(alphabet, int(chance.integers(60)))).encode()


def numbers(chance: np.random.Generator, size: int, kind: type = np.intp, most: int = 12) -> NDArray[np.intp]:
    """Some of them too low or too high."""
    return chance.integers(-3, most, size).astype(kind)


def vectors(chance: np.random.Generator, rows: int, width: int = WIDTH) -> NDArray[np.float32]:
    return chance.standard_normal((rows, width)).astype(np.float32)


def first_words(module: ModuleType, chance: np.random.Generator) -> list[object]:
    text = random_text(chance)
    start, stop = numbers(chance, 6, np.int32, 70), numbers(chance, 6, np.int32, 70)
    piece, bucket = np.zeros((2, int(chance.integers(40))), np.intp)
    count = module.hash_first_words(text, start.data, stop.data, wording._CODES, 48, piece.data, bucket.data)
    return [count, piece[:count].tolist(), bucket[:count].tolist()]


def names_of(module: ModuleType, chance: np.random.Generator) -> list[object]:
    text = random_text(chance) + b"\xff" + random_text(chance) + b"\xff"
    stop, bucket = np.zeros(int(chance.integers(4)), np.intp), np.zeros(int(chance.integers(40)), np.intp)
    return [module.hash_names(text, names._CODES, stop.data, bucket.data), stop.tolist(), bucket.tolist()]


def keys(module: ModuleType, chance: np.random.Generator) -> list[object]:
    key, number = chance.integers(0, 9, 20).astype(np.uint64), np.zeros(20, np.intp)
    module.number_keys(key.data, 12345, np.full(32, -1, np.int32).data, number.data)
    known = list(dict.fromkeys(key.tolist()))
    assert number.tolist() == [known.index(one) for one in key.tolist()]
    return number.tolist()


def sums_of_words(module: ModuleType, chance: np.random.Generator) -> list[object]:
    block, bucket = np.sort(numbers(chance, 20)), numbers(chance, 20, most=4096)
    out, chosen = np.zeros((9, WIDTH), np.float32), chance.integers(0, 2, 9).astype(np.uint8)
    module.sum_words(block.data, bucket.data, vectors(chance, 4096).data, chosen.data, out.data)
    return out.round(4).tolist()


def shares(module: ModuleType, chance: np.random.Generator) -> list[object]:
    block, bucket = np.sort(numbers(chance, 30)), numbers(chance, 30)
    share, stamp, rarity = np.zeros((2, 9)), np.zeros((3, 4096), np.int32), 1 / np.arange(1.0, 11)
    begin, stop = numbers(chance, 2).tolist()
    title = chance.integers(0, 2, 4096).astype(np.uint8)
    module.overlap(block.data, bucket.data, title.data, begin, stop, rarity.data, stamp.data, share.data)
    return share.round(6).tolist()


def paths(module: ModuleType, chance: np.random.Generator) -> list[object]:
    row, code = numbers(chance, (2, 20))
    stop, bucket = np.sort(numbers(chance, 5)), numbers(chance, 9, most=4096)
    path, out = vectors(chance, 11), np.zeros((7, 4 * WIDTH), np.float32)
    module.add_values(row.data, code.data, stop.data, bucket.data, vectors(chance, 4096).data, path.data)
    parent, ends = numbers(chance, 10, np.int32), numbers(chance, (4, 7), most=14)
    module.path_sums(parent.data, ends.data, 2.0, path.data, out.data)
    return [path.round(3).tolist(), out.round(3).tolist()]


def classes(module: ModuleType, chance: np.random.Generator) -> list[object]:
    text = b"\xff".join([random_text(chance), b" a1 b", b"a2", random_text(chance), b""])
    number = np.zeros(int(chance.integers(6)), np.uint64)
    module.hash_first_classes(text, number.data)
    return number.tolist()


def kinds(module: ModuleType, chance: np.random.Generator) -> list[object]:
    parent, first, last, end = numbers(chance, (4, 20), np.int32)
    tag, number = numbers(chance, 20, np.int16), chance.integers(0, 3, 20).astype(np.uint64)
    slots, size, kind = np.full(64, -1, np.int32), np.zeros(20, np.int32), np.zeros(20, np.int32)
    inline = chance.integers(0, 2, 9).astype(np.uint8)
    count = module.number_kinds(
        parent.data, first.data, last.data, tag.data, inline.data, number.data, 12345, slots.data, kind.data, size.data
    )
    slots[:] = -1
    link, address, leads_to = np.sort(numbers(chance, 9)), numbers(chance, 9), np.zeros(20, np.intp)
    held, table = numbers(chance, (6, 20), np.int32), np.zeros((5, 8))
    module.count_units(
        kind.data,
        size.data,
        1,
        end.data,
        link.data,
        address.data,
        12345,
        slots.data,
        leads_to.data,
        held.data,
        table.data,
    )
    inner, outer = np.zeros((2, 20), np.intp)
    module.nearest_units(kind.data, parent.data, inline.data, inner.data, outer.data)
    return [count, kind.tolist(), size.tolist(), table.tolist(), inner.tolist(), outer.tolist()]


def links(module: ModuleType, chance: np.random.Generator) -> list[object]:
    begin, stop = np.sort(numbers(chance, 9, np.int32, 30)), numbers(chance, 9, np.int32, 30)
    first, last, out = np.sort(numbers(chance, 6)), np.sort(numbers(chance, 6)), np.zeros((2, 6))
    to_page, chars = chance.integers(0, 2, 9).astype(np.uint8), np.sort(numbers(chance, 20, np.int32, 90))
    module.chars_in_links(begin.data, stop.data, to_page.data, chars.data, first.data, last.data, out.data)
    return out.tolist()


def test_first_classes_are_told_apart_without_their_digits():
    number = np.zeros(5, np.uint64)
    UNITS[0].hash_first_classes(b"post-12 a\xff post-7\xffpost\xff\xff12 post\xff", number.data)
    assert number[0] == number[1] != number[2]
    assert number[3] == number[4] != number[2]


def around(module: ModuleType, chance: np.random.Generator) -> list[object]:
    h, pooled = vectors(chance, 9), vectors(chance, 9, 2)
    begin, stop = numbers(chance, (2, 3, 9))
    alike, distance, start = numbers(chance, 9), int(chance.integers(0, 12)), int(chance.integers(0, 5))
    running, groups, seen = np.zeros((10, 2)), np.zeros((5, 3)), np.zeros((4, 3 * WIDTH + 4 * 2), np.float32)
    module.add_up(pooled.data, alike.data, running.data, groups.data)
    module.surroundings(
        h.data, start, distance, begin.data, stop.data, alike.data, running.data, groups.data, seen.data
    )  # fmt: skip
    expected = reference.surroundings(h, pooled, distance, begin, stop, alike, len(groups))
    np.testing.assert_allclose(seen, expected[start : start + 4], atol=1e-5)
    return seen.round(4).tolist()


def layer(module: ModuleType, chance: np.random.Generator) -> list[object]:
    step, before, weight = vectors(chance, 9), vectors(chance, 9)[: 9 * chance.integers(2)], vectors(chance, 1, 9)[0]
    page, types, own = vectors(chance, 1, 3)[0], vectors(chance, 1, 2)[0], vectors(chance, 1)[0]
    of_page, of_types = vectors(chance, 3), vectors(chance, 2)
    bias, mean = np.zeros((2, WIDTH), np.float32)
    module.page_bias(page.data, of_page.data, types.data, of_types.data, own.data, bias.data)
    np.testing.assert_allclose(bias, page @ of_page + types @ of_types + own, atol=1e-5)
    expected = np.maximum(step + bias, 0) + (before if len(before) else 0)
    module.activate(step.data, bias.data, before.data, weight.data, mean.data)
    np.testing.assert_allclose(step, expected, atol=1e-5)
    np.testing.assert_allclose(mean, weight @ expected, atol=1e-5)
    return [step.round(4).tolist(), mean.round(4).tolist()]


CASES = [
    (GROUPS, keys),
    (HASHING, first_words),
    (HASHING, names_of),
    (NETWORK, around),
    (NETWORK, layer),
    (UNITS, classes),
    (UNITS, kinds),
    (UNITS, links),
    (VECTORS, sums_of_words),
    (VECTORS, paths),
    (VOCABULARY, shares),
]


@pytest.mark.parametrize(("modules", "of"), CASES, ids=[of.__name__ for _, of in CASES])
def test_the_source_gives_the_same(modules, of):
    for seed in SEEDS:
        results = [of(module, np.random.default_rng(seed)) for module in modules]
        assert results[0] == results[1]

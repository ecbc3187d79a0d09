"""Kernels of auto: compiled or not, the same results; no numbers make one read or write outside of its arrays."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.kernels import FUZZED, both
from thresher.methods.auto import names, wording

MODULES = both("thresher.methods.auto.kernels")
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


def around(module: ModuleType, chance: np.random.Generator) -> list[object]:
    h, pooled = vectors(chance, 9), vectors(chance, 9, 2)
    begin, stop = numbers(chance, (2, 3, 9))
    seen = np.zeros((9, 3 * WIDTH + 4 * 2), np.float32)
    running, groups = np.zeros((10, 2)), np.zeros((5, 3))
    distance = int(chance.integers(0, 12))
    module.surroundings(
        h.data, pooled.data, distance, begin.data, stop.data, numbers(chance, 9).data, running.data, groups.data,
        seen.data,
    )  # fmt: skip
    return seen.round(4).tolist()


@pytest.mark.parametrize(
    "of", [first_words, names_of, sums_of_words, shares, paths, around], ids=lambda of: of.__name__
)
def test_the_source_gives_the_same(of):
    for seed in SEEDS:
        results = [of(module, np.random.default_rng(seed)) for module in MODULES]
        assert results[0] == results[1]

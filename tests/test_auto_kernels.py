"""Kernels of auto: compiled or not, the same results; no numbers make one read or write outside of its arrays."""

from __future__ import annotations

import re
from types import ModuleType

import numpy as np
import pytest

from tests.kernel_arguments import assert_source_gives_the_same
from tests.kernels import FUZZED, both
from tests.reference import network as reference
from thresher import kernels
from thresher.methods.auto import elements, features, names, network, wording
from thresher.methods.auto.blocks import LEVELS
from thresher.methods.auto.kernels import columns

# As in kernel_arguments: M texts, N elements, B blocks, K values, U bytes.
SHAPES = {
    "blocks.find_blocks": "M M 3,M",
    "blocks.place_blocks": "M 9 - 9 N+1,19 - 64 B 5,24 25,B",
    "candidates.mark_chosen": "25,B B B B 5,B 3,B+1 B",
    "containers.write_containers": "25,B M+1,8 B,8 N+1,19 1,N 1,B+1 5 B,90 -",
    "counts.count_foreign": "U",
    "counts.sum_texts": "6,M M M M N 9 - 25,B M+1,8 B,8",
    "decision.best_choice": "B B B",
    "decision.expected_hits": "B B B",
    "decision.spread_texts": "B B M M 9 M",
    "described.begin_as": "U M M 25,B B,8 - 256 5 B,5 -",
    "described.begin_in": "U M M B B 256 U 64 B B B,65 B",
    "elements.walk_elements": "N N N N N N K K 9 N+1,19",
    "features.write_features": (
        "U M M M N 6,M M M - U K K 5 5 5 5 3 N 9 9 4 256 9 5 B+1 U - - 25,B N+1,19 M+1,8 B,8 5,3 2 64 5,N+1 7,24 3,8 "
        "5 K,9 4096,4 B,120 11"
    ),
    "hashing.collect": "9 9 - 9 9",
    "hashing.hash_first_words": "U M M 25,B - - 256 - 2,40 2",
    "hashing.hash_names": "U K K 2,3 - 256 2,K 40",
    "lines.find_headings": "N 9 N N M M U 65536 - 3,N",
    "lines.mark_lines": "U M M 25,B 9 B B 5,B 65536 B",
    "links.write_links": "U K K 5 5 - U 25,B M+1,8 N+1,19 3,8 B,6 -",
    "means.find_ranges": "6,B 6,B - B 11,B+1",
    "means.means": "B,2 11,B+1 17,2 4,5,2",
    "network.agree": "B B B 2,K 2,B",
    "network.close_layer": "B,4 4,K,4 4,3,4 4,9 2 7,4 B 4 4 4,K,4 - - -",
    "network.open_layer": "B,4 3 2 6,4 B 4 4 4,K,4 -",
    "network.write_logits": "B,6 2 3,7 7 B",
    "own.write_own": "U M M 256 9 25,B M+1,8 B,8 N+1,19 5 5,3 B,44 - -",
    "page_type.limit": "B,4 3 3 - B",
    "page_type.look": "B,12 7 2,B 5,B",
    "page_type.put_together": "B,4 B - - 5,4",
    "page_type.tell_type": "9 9 9 - 9,4 K 9,4 B 9,4 N 9,4 M 9,4 4 4",
    "prose.write_prose": "25,B M+1,8 B,8 N+1,19 7,24 5 2 B,20 -",
    "repeats.write_repeats": "25,B M M B,8 - - 64 7,B 5 B,9 -",
    "signs.write_signs": "U M M 25,B M+1,8 B,8 N+1,19 3 N 2,B+1 5 B,16 -",
    "title.share_title_words": "U - - 3,3 - - 64 64 B,4 -",
    "units.write_units": "U 5 5 9 3,K - 25,B M+1,8 N+1,19 - 64 5,N+1 5 K,9 - B,20 -",
    "vectors.sum_claims": "K M 4096,4 4",
    "vectors.write_names": "N+1,19 5 5 2,3 2,5 9 4108,4 - 25,B N+1 N+1,4 B,18 -",
    "vectors.write_wording": "9 9 4096,4 B,9 - - -",
    "vocabulary.write_vocabulary": "9 9 4 2 B+1 4096,4 25,B B,8 3,B+1 5 B,9 -",
}
MODULES = {name: both(f"thresher.methods.auto.kernels.{name}") for name in {one.split(".")[0] for one in SHAPES}}
SEEDS = range(max(FUZZED // 10, 1))


@pytest.mark.parametrize("name", SHAPES)
def test_the_source_gives_the_same(name: str) -> None:
    module, function = name.split(".")
    assert_source_gives_the_same(MODULES[module], function, SHAPES[name], SEEDS)


def test_every_loop_of_auto_is_compared() -> None:
    public = {f"{name}.{one}" for name, modules in MODULES.items() for one in modules[1].__all__}
    assert public == set(SHAPES)


def test_the_compiler_knows_the_columns_as_they_are() -> None:
    declared = re.findall(
        r"^    ([A-Z_]+) = (\d+)$", kernels.source(f"{columns.__name__}").with_suffix(".pxd").read_text(), re.M
    )
    assert {name: int(value) for name, value in declared} == {k: v for k, v in vars(columns).items() if k.isupper()}
    assert (len(features.SUMS), len(elements._OF_ELEMENTS), LEVELS) == (
        columns.SUMS,
        columns.ELEMENT_COLUMNS,
        columns.LEVELS,
    )


@pytest.mark.parametrize("module", MODULES["means"])
def test_the_containers_around_a_block_and_the_blocks_like_it(module: ModuleType) -> None:
    for seed in SEEDS:
        chance = np.random.default_rng(seed)
        pooled, alike = chance.standard_normal((9, 2)).astype(np.float32), chance.integers(-3, 12, 9, np.int32)
        begin, stop = chance.integers(-3, 12, (2, 4, 9), np.int32)
        ranges, far = np.zeros((11, 10), np.int32), np.full((4, 10, 2), 7, np.float32)
        most = module.find_ranges(begin.data, stop.data, 1, alike.data, ranges.data)
        module.means(pooled.data, ranges.data, np.full((10 + most, 2), 7.0).data, far.data)
        assert most == max(ranges[:4, 9].tolist()) < 10
        expected = reference.surroundings(pooled, pooled, 1, begin[1:], stop[1:], alike, 9)[:, 6:]
        found = np.concatenate([far[k, ranges[k, :9]] for k in range(4)], axis=1)
        np.testing.assert_allclose(found, expected, atol=1e-5)
        assert not far[:, most:].any()


@pytest.mark.parametrize("module", MODULES["network"])
def test_a_layer_adds_what_is_above_zero(module: ModuleType) -> None:
    for seed in SEEDS:
        chance = np.random.default_rng(seed)
        blocks, distance, further = chance.integers(1, 12), int(chance.integers(1, 5)), int(chance.integers(1, 5))
        weights = {
            "layer.w": chance.standard_normal((3 * 4 + 4 * 2, 4)), "layer.pool": np.zeros((4, 2)),
            "layer.b": chance.standard_normal(4), "layer.page": chance.standard_normal((4, 4)),
            "layer.types": chance.standard_normal((2, 4)),
        }  # fmt: skip
        layer = network._Layer({name: array.astype(np.float32) for name, array in weights.items()}, "layer")
        h, around = (chance.standard_normal((blocks, width)).astype(np.float32) for width in (4, 4 * 2))
        weight, page, types = (chance.standard_normal(size).astype(np.float32) for size in (blocks, 3, 2))
        given, (bias, mean) = h.copy(), np.zeros((2, 4), np.float32)
        aside = chance.standard_normal((6, 4)).astype(np.float32)
        tiles, ranges = np.zeros((4, 12, 4), np.float32), np.zeros((11, blocks + 1), np.int32)
        ranges[:4, :-1] = chance.permuted(np.tile(np.arange(blocks), (4, 1)), axis=1)
        module.open_layer(
            h.data, page.data, types.data, aside.data, weight.data, bias.data, mean.data, tiles.data, distance
        )
        np.testing.assert_allclose(bias, aside[0] + page @ aside[1:4] + types @ aside[4:], atol=1e-5)
        np.testing.assert_allclose(h, np.maximum(given + bias, 0), atol=1e-5)
        np.testing.assert_allclose(mean, weight @ h, atol=1e-5)
        nowhere = np.zeros((0, blocks), np.intp)
        beside = reference.surroundings(h, h[:, :0], distance, nowhere, nowhere, np.full(blocks, -1), 0)
        c = weights["layer.b"] + mean @ weights["layer.page"] + types @ weights["layer.types"]
        expected = h + np.maximum(np.concatenate((beside, around), axis=1) @ weights["layer.w"] + c, 0)
        far = np.zeros((4, blocks + 1, 4), np.float32)
        for k in range(4):
            far[k, ranges[k, :-1]] = np.matmul(around[:, 2 * k : 2 * k + 2], layer.far[k])
        some = 12 // distance * distance if seed % 2 else distance  # of the tiles at a time
        tiles = tiles[:, :some].copy()
        for first in range(0, -(-int(blocks) // (2 * distance)) * distance, some):
            numbers = np.ascontiguousarray(ranges[:4, 2 * first :])
            module.close_layer(
                h.data, np.matmul(tiles, layer.near).data, far.data, numbers.data, types.data, layer.aside.data,
                weight.data, bias.data, mean.data, tiles.data, first, distance, further,
            )  # fmt: skip
        np.testing.assert_allclose(h, expected, atol=1e-3)
        np.testing.assert_allclose(mean, weight @ h, atol=1e-4)


@pytest.mark.parametrize("module", MODULES["network"])
def test_the_last_weights_are_those_of_the_types(module: ModuleType) -> None:
    chance = np.random.default_rng(0)
    h, types, weights = (chance.standard_normal(shape).astype(np.float32) for shape in ((9, 6), 2, (3, 7)))
    last, logit = np.zeros(7, np.float32), np.zeros(9, np.float32)
    module.write_logits(h.data, types.data, weights.data, last.data, logit.data)
    mixed = weights[0] + types @ weights[1:]
    np.testing.assert_allclose(logit, h @ mixed[:6] + mixed[6], atol=1e-5)


@pytest.mark.parametrize("module", MODULES["network"])
def test_what_stands_or_falls_together_has_one_logit(module: ModuleType) -> None:
    logit, weight = np.array([3, -1, 8, 5, 40], np.float32), np.array([1, 3, 2, 0, 1], np.float32)
    group, p = np.array([1, 1, 0, 2, -1], np.int32), np.zeros((2, 5), np.float32)
    module.agree(logit.data, group.data, weight.data, np.zeros((2, 3)).data, p.data)
    agreed = np.array([0, 0, 8, 5, 30])  # without weight or a group, its own
    np.testing.assert_allclose(p, 1 / (1 + np.exp(-np.array([agreed, np.minimum(logit, 30)]))), atol=1e-7)


@pytest.mark.parametrize("module", MODULES["hashing"])
def test_names_are_cut_into_words(module: ModuleType) -> None:
    data = b"postBody entry-content x|entry|a&amp;b"
    start, stop = np.array([7, 0, 25, 31], np.int32), np.array([7, 24, 30, 38], np.int32)
    bounds, words, bucket = (
        np.array([[1, 3, 2], [3, 4, 1]], np.int32),
        np.zeros((2, 4), np.int32),
        np.zeros(20, np.intp),
    )
    given = start.data, stop.data, bounds.data
    assert module.hash_names(data, *given, True, names._CODES, words.data, bucket.data) == -1
    assert module.hash_names(data, *given, False, names._CODES, words.data, bucket.data) == 6
    assert words[:, 1:].tolist() == [[0, 4, 5], [4, 5, 6]]
    assert bucket[2] == bucket[4]
    assert len({*bucket[:4].tolist()}) == 4
    found, tag = np.zeros(5000, np.intp), np.array([7, 9, 7], np.int16)
    count = module.collect(bucket[:6].data, tag.data, 4096, np.zeros(5000, np.uint8).data, found.data)
    assert found[:count].tolist() == [*dict.fromkeys(bucket[:6].tolist()), 4103, 4105]


@pytest.mark.parametrize("module", MODULES["title"])
def test_headings_have_words_of_the_title(module: ModuleType) -> None:
    title, headings = "By  hand: 1 and 1\u2003É", ["BY HAND\0by\u00a0Flail", "1", "", "\u2019"]
    text = "".join([title, *headings]).encode()
    sizes = [len(one.encode()) for one in (title, *headings)]
    ends = np.cumsum(sizes)
    spans = np.array([(k, ends[k], ends[k + 1]) for k in range(4)], np.int32)
    keys, seen, x = np.zeros(64, np.uint64), np.zeros(64, np.int32), np.full((4, 2), 7, np.float32)
    given = spans.data, False, 12345, keys.data, seen.data, x.data, 1
    assert not module.share_title_words(text, 0, sizes[0], *given), "É may be a capital"
    assert x[:, 1].tolist() == [7, 7, 7, 7]
    assert module.share_title_words(text, 0, sizes[0] - 2, *given)
    assert x.tolist() == [[7, 0.25], [7, 1], [7, 0], [7, 0]], "of BY HAND by Flail only by, for the title says hand:"


@pytest.mark.parametrize("module", MODULES["described"])
def test_blocks_that_begin_with_something_of_a_body_are_found(module: ModuleType) -> None:
    texts = [
        b"The flail loosens",
        b"the flail",
        b"loosens the grain",
        b"Chaff, and the wind!",
        b"the-flail: loosens it",
    ]
    stop = np.cumsum([len(text) for text in texts]).astype(np.int32)
    start, block = np.append(np.int32(0), stop[:-1]), np.arange(5, dtype=np.int32)
    letters = bytes(0 if not chr(byte).isalnum() else ord(chr(byte).lower()) for byte in range(128)) + bytes(128)
    slots, following, key = np.zeros(16, np.int32), np.zeros(5, np.int32), np.zeros(5, np.uint64)
    begins, inside = np.zeros((5, 65), np.uint8), np.zeros(5, np.uint8)
    count = module.begin_in(
        b"".join(texts), start.data, stop.data, block.data, block.data, letters,
        b"theflailloosensthegrainchaffandthewind", slots.data, following.data, key.data, begins.data, inside.data,
    )  # fmt: skip
    assert (count, inside.tolist()) == (3, [1, 0, 1, 1, 0])


def test_words_of_a_text_fit_their_room() -> None:
    for module in MODULES["hashing"]:
        words, counts, blocks = np.zeros((2, 3), np.intp), np.zeros(2, np.intp), np.zeros((25, 1), np.int32)
        span = np.array([0], np.int32), np.array([11], np.int32)
        module.hash_first_words(
            b"a b c d e f", span[0].data, span[1].data, blocks.data, 0, 11, wording._CODES, 48, words.data, counts.data
        )
        assert counts.tolist() == [3, 0]


@pytest.mark.parametrize("module", MODULES["page_type"])
def test_the_type_of_a_page_is_told_from_numbers_and_bags(module: ModuleType) -> None:
    chance = np.random.default_rng(0)
    numbers, middle = chance.standard_normal((2, 9)).astype(np.float32)
    spread, own = chance.random(9).astype(np.float32) + 0.1, chance.standard_normal(3).astype(np.float32)
    of_numbers, *tables = chance.standard_normal((5, 9, 3)).astype(np.float32)
    bags = [chance.permutation(9)[:size] for size in (0, 1, 4, 9)]
    types = np.zeros(3, np.float32)
    pairs = [one.data for pair in zip(bags, tables, strict=True) for one in pair]
    module.tell_type(
        numbers.data, middle.data, spread.data, 4, of_numbers.data, *pairs, own.data, types.data
    )  # fmt: skip
    logit = np.clip((numbers - middle) / spread, -4, 4) @ of_numbers + own
    logit += sum(table[bag].sum(axis=0) / max(len(bag), 1) ** 0.5 for bag, table in zip(bags, tables, strict=True))
    np.testing.assert_allclose(types, np.exp(logit) / np.exp(logit).sum(), atol=1e-5)

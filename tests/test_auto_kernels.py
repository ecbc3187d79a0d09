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
from thresher.methods.auto import counts, elements, names, wording
from thresher.methods.auto.blocks import LEVELS
from thresher.methods.auto.kernels import columns

# As in kernel_arguments: M texts, N elements, B blocks, K values, U bytes.
SHAPES = {
    "blocks.find_blocks": "M M 3,M",
    "blocks.place_blocks": "M 9 - 9 N+1,19 - 64 B 5,24 25,B",
    "candidates.mark_chosen": "25,B B B B B B B B B 3,B+1 B",
    "containers.write_containers": "25,B M+1,8 B,8 N+1,19 1,N 1,B+1 5 B,90 -",
    "counts.count_foreign": "U",
    "counts.sum_texts": "6,M M M M N 9 - 25,B M+1,8 B,8",
    "decision.best_choice": "B B B",
    "decision.expected_hits": "B B B",
    "decision.spread_texts": "B B M M 9 M",
    "described.begin_as": "U M M 25,B B,8 - 256 5 B,5 -",
    "described.begin_in": "U M M B B 256 U 64 B B B,65 B",
    "elements.walk_elements": "N N N N N N K K 9 N+1,19",
    "hashing.hash_first_words": "U K K 256 - 40 40",
    "hashing.hash_names": "U K K - 256 K 40",
    "lines.find_headings": "N 9 N N M M U 65536 - 3,N",
    "lines.mark_lines": "U M M 25,B 9 B B B B 65536 B",
    "links.write_links": "U K K 5 5 - U 25,B M+1,8 N+1,19 3,8 B,6 -",
    "network.activate": "B,4 4 B,4 B 4",
    "network.add_near": "3,K,4 - - B,4",
    "network.agree": "B B B 2,K B",
    "network.means": "B,2 B 3,B 3,B B+1,2 5,3 B,8",
    "network.page_bias": "3 3,4 2 2,4 4 4",
    "network.write_logistic": "B B",
    "own.write_own": "U M M 256 9 25,B M+1,8 B,8 N+1,19 5 5,3 B,44 - -",
    "page_type.add_bag": "K 9,4 4",
    "page_type.limit": "B,4 4 4",
    "page_type.put_together": "B,4 B - - 5,4",
    "prose.write_prose": "25,B M+1,8 B,8 N+1,19 7,24 5 2 B,20 -",
    "repeats.write_repeats": "25,B M M B,8 - - 64 7,B 5 B,9 -",
    "signs.write_signs": "U M M 25,B M+1,8 B,8 N+1,19 3 N 2,B+1 5 B,16 -",
    "title.share_title_words": "U - - 3,3 - - 64 64 B,4 -",
    "units.write_units": "U 5 5 9 3,K - 25,B M+1,8 N+1,19 - 64 5,N+1 5 K,9 - B,20 -",
    "vectors.add_values": "5 5 K 9 4096,4 N,4",
    "vectors.path_sums": "N 4,B - N+1,4 B,16",
    "vectors.sum_words": "9 9 4096,4 B B,4",
    "vocabulary.write_vocabulary": "9 9 4 2 B+1 4,4096 25,B B,8 3,B+1 5 B,9 -",
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
    assert (len(counts.SUMS), len(elements._OF_ELEMENTS), LEVELS) == (
        columns.SUMS,
        columns.ELEMENT_COLUMNS,
        columns.LEVELS,
    )


@pytest.mark.parametrize("module", MODULES["network"])
def test_what_stands_around_a_block(module: ModuleType) -> None:
    for seed in SEEDS:
        chance = np.random.default_rng(seed)
        h, pooled = (chance.standard_normal((9, width)).astype(np.float32) for width in (4, 2))
        begin, stop = chance.integers(-3, 12, (2, 3, 9))
        alike, distance, start = chance.integers(-3, 12, 9), int(chance.integers(12)), int(chance.integers(5))
        running, groups, out = np.zeros((10, 2)), np.zeros((5, 3)), np.zeros((9, 4 * 2), np.float32)
        module.means(pooled.data, alike.data, begin.data, stop.data, running.data, groups.data, out.data)
        expected = reference.surroundings(h, pooled, distance, begin, stop, alike, len(groups))
        np.testing.assert_allclose(out, expected[:, 3 * 4 :], atol=1e-5)
        near, step = np.stack([h, 2 * h, 3 * h]), np.zeros((4, 4), np.float32)
        module.add_near(near.data, start, distance, step.data)
        parts = expected[start : start + 4, : 3 * 4].reshape(-1, 3, 4)
        np.testing.assert_allclose(step, np.einsum("bpc,p->bc", parts, [1, 2, 3]), atol=1e-4)


@pytest.mark.parametrize("module", MODULES["network"])
def test_what_stands_or_falls_together_has_one_logit(module: ModuleType) -> None:
    logit, weight = np.array([3, -1, 8, 5, 40], np.float32), np.array([1, 3, 2, 0, 1], np.float32)
    group, out, p = np.array([1, 1, 0, 2, -1]), np.zeros(5, np.float32), np.zeros(5, np.float32)
    module.agree(logit.data, group.data, weight.data, np.zeros((2, 3)).data, out.data)
    assert out.tolist() == [0, 0, 8, 5, 40], "without weight or a group, its own"
    module.write_logistic(out.data, p.data)
    np.testing.assert_allclose(p, 1 / (1 + np.exp(-np.minimum(out, 30))), atol=1e-7)


@pytest.mark.parametrize("module", MODULES["network"])
def test_a_layer_adds_what_is_above_zero(module: ModuleType) -> None:
    chance = np.random.default_rng(0)
    step, before = chance.standard_normal((2, 9, 4)).astype(np.float32)
    weight, page, types = (chance.standard_normal(size).astype(np.float32) for size in (9, 3, 2))
    of_page, of_types, own = (chance.standard_normal(size).astype(np.float32) for size in ((3, 4), (2, 4), 4))
    bias, mean = np.zeros((2, 4), np.float32)
    module.page_bias(page.data, of_page.data, types.data, of_types.data, own.data, bias.data)
    np.testing.assert_allclose(bias, page @ of_page + types @ of_types + own, atol=1e-5)
    expected = np.maximum(step + bias, 0) + before
    module.activate(step.data, bias.data, before.data, weight.data, mean.data)
    np.testing.assert_allclose(step, expected, atol=1e-5)
    np.testing.assert_allclose(mean, weight @ expected, atol=1e-5)


@pytest.mark.parametrize("module", MODULES["hashing"])
def test_names_are_cut_into_words(module: ModuleType) -> None:
    data = b"postBody entry-content x|entry|a&amp;b"
    start, stop = np.array([0, 25, 31], np.int32), np.array([24, 30, 38], np.int32)
    words, bucket = np.zeros(3, np.intp), np.zeros(20, np.intp)
    assert module.hash_names(data, start.data, stop.data, True, names._CODES, words.data, bucket.data) == -1
    assert module.hash_names(data, start.data, stop.data, False, names._CODES, words.data, bucket.data) == 6
    assert words.tolist() == [4, 5, 6]
    assert bucket[2] == bucket[4]
    assert len({*bucket[:4].tolist()}) == 4


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
    start, block = np.append(np.int32(0), stop[:-1]), np.arange(5)
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
        piece, bucket = np.zeros((2, 3), np.intp)
        span = np.array([0], np.int32), np.array([11], np.int32)
        count = module.hash_first_words(
            b"a b c d e f", span[0].data, span[1].data, wording._CODES, 48, piece.data, bucket.data
        )
        assert count == 3

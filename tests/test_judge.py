"""The judge: blocks and containers, bags of names and words, page types, the network and its training."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example as instance
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("torch")

import torch

import thresher
from tests.strategies import soup
from thresher import errors
from thresher.learn.auto.batch import batched
from thresher.learn.auto.examples import Bags, Example, example
from thresher.learn.auto.fit import Settings, fit, start
from thresher.learn.auto.name_bags import name_bags
from thresher.learn.auto.page_types import fit_types, out_of_fold_types, types_of
from thresher.learn.auto.perturb import as_it_is
from thresher.learn.auto.predict import gather, inputs_of, predict
from thresher.learn.auto.torch_network import logits, loss
from thresher.methods.auto.blocks import LEVELS, blocks
from thresher.methods.auto.features import FEATURES, features
from thresher.methods.auto.hashing import codes
from thresher.methods.auto.kernels import columns
from thresher.methods.auto.kernels.hashing import hash_first_words
from thresher.methods.auto.model import TYPES, opinion, weights, within_range, write
from thresher.methods.auto.names import ROWS, name_sums
from thresher.methods.auto.network import Network
from thresher.methods.auto.page_type import BAGS_OF_PAGE
from thresher.methods.auto.wording import first_words
from thresher.visible.readable import readable

ARTICLE = """<html><head><title>Threshing by hand</title></head><body>
<nav class="main-menu"><ul><li><a href="/a">Home</a></li><li><a href="/b">News</a></li></ul></nav>
<main><article class="post"><h1>Threshing by hand</h1>
<p>The flail loosens the grain from the ear, and the wind carries the chaff away.</p>
<p>Two people work in turn, so that the strokes never meet, and the floor stays dry.</p></article></main>
<footer class="site-footer"><p>Copyright, imprint, privacy</p></footer></body></html>"""


@settings(max_examples=150, deadline=None)
@given(soup())
def test_every_block_has_texts_and_containers_that_grow(html: str) -> None:
    page = thresher.parse(html)
    found = blocks(page)
    seen = readable(page)
    for block in range(len(found)):
        texts = np.flatnonzero(seen & (page.block == found.number[block]))
        assert (found.first[block], found.last[block]) == (texts[0], texts[-1])
        rows = found.level[:, block].tolist()
        assert rows[0] == found.at[block] or rows[0] in page.ancestors(int(found.at[block]))
        for lower, upper in pairwise(rows):
            assert upper == 0 or upper in page.ancestors(lower)
        for level in range(LEVELS):
            assert found.begin[level, block] <= block < found.stop[level, block]


@settings(max_examples=150, deadline=None)
@given(soup())
def test_features_are_finite_for_any_page(html: str) -> None:
    page = thresher.parse(html)
    x = features(page)
    assert x.shape == (len(blocks(page)), len(FEATURES))
    assert np.isfinite(x).all()


@settings(max_examples=100, deadline=None)
@given(soup())
def test_name_sums_add_up_the_bags_that_training_sees(html: str) -> None:
    page = thresher.parse(html)
    found = blocks(page)
    table = np.random.default_rng(0).standard_normal((ROWS, 3)).astype(np.float32)
    bags = gather(table, Bags(*name_bags(page, found)), 4 * len(found)).reshape(len(found), 12)
    sums = np.empty((len(found), 12), np.float32)
    name_sums(page, found, table, sums, 0)
    assert np.allclose(sums, bags, atol=1e-3)


def test_words_have_the_same_bucket_wherever_they_stand_and_however_they_are_written() -> None:
    page = thresher.parse("<p>Share this page</p><p>now: SHARE</p><p>ÄÖ share!</p>")
    block, bucket, _ = first_words(page)
    of = [bucket[block == k].tolist() for k in range(3)]
    assert of[0][0] == of[1][1] == of[2][1]
    assert len({*of[0]}) == 3


@settings(deadline=None)
@given(st.lists(st.text("Aaz", min_size=1, max_size=80), min_size=1, max_size=9), st.integers(0, 9))
@instance(["Ab", "abc"], 0)
@instance(["a" * 17_000, "b"], 1)
def test_hashing_matches_its_formula(words: list[str], gap: int) -> None:
    text = (" " * gap + " ".join(words)).encode()
    spans = [match.span() for match in re.finditer(rb"\w+", text)]
    piece, bucket = _hashed(text, spans)
    assert piece == list(range(len(words)))
    assert bucket == _hashed(text, [(0, len(text))])[1]
    for word, found in zip(words, bucket, strict=True):
        powers = [0x100000001B3 ** min(k + 1, 64) for k in range(len(word))]
        value = sum((c + 1) * power for c, power in zip(word.lower().encode(), powers, strict=True)) % 2**64
        assert found == (value * 0x9E3779B97F4A7C15 % 2**64) >> 52


def test_pieces_of_a_text_are_hashed_as_if_each_were_alone() -> None:
    piece, bucket = _hashed(b"ab cdcd ab  abc", [(0, 5), (5, 10), (10, 15)])
    assert piece == [0, 0, 1, 1, 2]
    alone = [_hashed(row, [(0, 5)])[1] for row in (b"ab cd", b"cd ab", b"  abc")]
    assert bucket == [*alone[0], *alone[1], *alone[2]]
    assert bucket[:2] == bucket[3:1:-1]


def _hashed(text: bytes, spans: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Piece and bucket of the words in some pieces of a text."""
    start, stop = np.array(spans, np.int32).reshape(-1, 2).T.copy()
    words, counts, pieces = (
        np.zeros((2, len(text) + 1), np.intp),
        np.zeros(2, np.intp),
        np.zeros((25, len(spans)), np.int32),
    )
    pieces[[columns.FIRST, columns.LAST]] = np.arange(len(spans))
    table = codes(lambda byte: chr(byte).isalpha())
    hash_first_words(text, start, stop, pieces, 0, 0, table, len(text), words, counts)
    piece, bucket = words[:, : counts[0]].tolist()
    return piece, bucket


def _shown(count: int = 12, kind: str = "article") -> list[Example]:
    """Small pages of as many sites, and what is content on them."""
    gold = "Threshing by hand{k} The flail loosens the grain from the ear, and the wind carries the chaff away. " \
        "Two people work in turn, so that the strokes never meet, and the floor stays dry."  # fmt: skip
    shown = []
    for k in range(count):
        page = thresher.parse(ARTICLE.replace("hand", f"hand{k}"), url=f"https://site{k}.example/")
        one = example(page, gold.format(k=k), str(k), kind, dataset=f"set{k % 2}")
        assert one is not None
        shown.append(one)
    return shown


def test_the_network_in_pytorch_is_the_one_at_run_time(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = _shown(3)
    model = fit(pages, Settings(width=8, epochs=1, batch=2))
    seen = [replace(as_it_is(page), x=within_range(page.x, model)) for page in pages]
    given = [inputs_of(model, page, as_it_is(page)) for page in pages]
    batch = batched(pages, seen, np.array([one.types for one in given]))
    tensors = {name: torch.from_numpy(np.asarray(value)) for name, value in model.items()}
    fast = np.concatenate([Network(model).forward(one) for one in given])
    assert np.allclose(logits(tensors, batch).numpy(), fast, atol=1e-4)
    monkeypatch.setattr("thresher.methods.auto.network.MANY_BLOCKS", 2)  # which take a layer in pieces
    monkeypatch.setattr("thresher.methods.auto.network._SOME_BLOCKS", 8)
    assert np.allclose(np.concatenate([Network(model).forward(one) for one in given]), fast, atol=1e-5)


def test_a_large_page_is_judged_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = opinion(thresher.parse(ARTICLE))
    monkeypatch.setattr("thresher.methods.auto.model.MANY_BLOCKS", 1)
    parts = opinion(thresher.parse(ARTICLE))
    for one, other in zip(whole[1:-1], parts[1:-1], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)
    assert parts.types == whole.types


def test_what_a_data_set_does_not_speak_of_costs_nothing() -> None:
    page = _shown(1)[0]
    title = page.said == 0
    assert np.count_nonzero(title) == 1, "the heading that says the title"
    batch = batched([page], [as_it_is(page)], np.full((1, len(TYPES)), 1 / len(TYPES), np.float32))
    logit = torch.zeros(len(page.size))
    moved = logit + 5 * torch.from_numpy(title)
    assert torch.equal(loss(logit, batch, 1.0), loss(moved, batch, 1.0))
    assert not torch.equal(loss(logit, batch, 1.0), loss(logit + 5, batch, 1.0))


def test_page_types_are_told_from_what_pages_have_and_not_from_one_kind_of_it() -> None:
    posts = "".join(f"<div class=post><b>user{k}</b><p>I agree with all of that, and more.</p></div>" for k in range(9))
    shown = [*_shown(20), *_forum(20, posts)]
    within = {"low": np.full(len(FEATURES), -99, np.float32), "high": np.full(len(FEATURES), 99, np.float32)}
    model = fit_types(shown[:15] + shown[20:35], within) | within
    right = [TYPES.index("article")] * 5 + [TYPES.index("forum")] * 5
    unseen = shown[15:20] + shown[35:]
    assert types_of(model, unseen).argmax(axis=1).tolist() == right
    nothing = [replace(page, of_page=tuple(bag[:0] for bag in page.of_page)) for page in unseen]
    assert types_of(model, nothing).argmax(axis=1).tolist() == right
    assert np.allclose(out_of_fold_types(shown, within).sum(axis=1), 1, atol=1e-5)


def _forum(count: int, posts: str) -> list[Example]:
    pages = [thresher.parse(f"<title>Thread {k}</title>{posts}", url=f"https://f{k}.example/t") for k in range(count)]
    shown = [example(page, "I agree", str(k), "forum") for k, page in enumerate(pages)]
    return [one for one in shown if one is not None]


def test_where_no_type_is_known_all_are_equally_likely() -> None:
    pages = _shown(4, kind="")
    within = {"low": np.full(len(FEATURES), -99, np.float32), "high": np.full(len(FEATURES), 99, np.float32)}
    assert np.allclose(types_of(fit_types(pages, within) | within, pages), 1 / len(TYPES))


def test_training_learns_what_it_is_shown() -> None:
    shown = _shown()
    model = fit(shown[:10], Settings(width=16, epochs=25, batch=4))
    for one in shown[10:]:
        p, types = predict(model, one)
        assert one.f1(p >= 0.5) > 0.9
        assert TYPES[int(types.argmax())] == "article"


def test_the_same_seed_gives_the_same_weights() -> None:
    page = thresher.parse(ARTICLE, url="https://site.example/")
    one = example(page, "The flail loosens the grain from the ear")
    assert one is not None
    a, b = (fit([one] * 4, Settings(width=8, epochs=2, batch=2)) for _ in range(2))
    assert all(np.array_equal(a[name], b[name]) for name in a)


def test_the_network_at_run_time_is_the_one_that_was_trained() -> None:
    page = thresher.parse(ARTICLE, url="https://site.example/")
    one = example(page, "The flail loosens")
    assert one is not None
    p, types = predict(dict(weights()), one)
    assert np.allclose(p, opinion(page).probability, atol=1e-4)
    assert np.allclose(types, list(opinion(page).types.values()), atol=1e-4)


def test_the_shipped_model_is_small_and_knows_its_features() -> None:
    from importlib.resources import files

    assert len(files("thresher").joinpath("data/auto.npz").read_bytes()) < 3_000_000
    model = weights()
    vector = model["names"].shape[1]
    assert len(model["in.w"]) == len(FEATURES) + 6 * vector
    assert (np.diff(model["observed"]) > 0).all()
    assert model["high"][FEATURES.index("in code")] == 1  # one page in ten has some
    beside = {"typical", "typical.page", "typical.types", "low", "high", "expected", "observed"}
    beside |= {f"type.{name}" for name in ("numbers", "middle", "spread", "b", *BAGS_OF_PAGE)}
    fitted = {name for name in start(Settings(), 1, np.random.default_rng(0)) if ".sets" not in name}
    assert fitted | beside == model.keys()


def test_a_wider_focus_keeps_all_that_a_narrower_one_keeps() -> None:
    page = thresher.parse(ARTICLE)
    kept = [thresher.extract(page, focus=focus).keep for focus in ("precision", "balanced", "recall")]
    assert (kept[0] <= kept[1]).all()
    assert (kept[1] <= kept[2]).all()


def test_a_verdict_has_reasons_in_words_and_a_confidence() -> None:
    result = thresher.extract(ARTICLE)
    assert "The flail" in result.text
    assert "imprint" not in result.text
    assert 0 < result.confidence <= 1
    for block in result.blocks:
        assert block.reasons
        assert all(reason.startswith(("for: ", "against: ")) for reason in block.reasons)
    assert result.metadata.page_type in TYPES
    assert 0 < (result.metadata.page_type_probability or 0) <= 1


def test_reasons_say_what_a_person_sees() -> None:
    links = "".join(f"<li><a href=/{n}>Another story number {n}</a></li>" for n in range(12))
    notice = "<div class='cookie-banner'><p>We use cookies on this site.</p><button>Accept</button></div>"
    page = ARTICLE.replace("</body>", f"{notice}<aside><ul>{links}</ul></aside></body>")
    assert page != ARTICLE
    told = {block.text: block.reasons for block in thresher.extract(page).blocks}
    said = " ".join(reason for text, reasons in told.items() if text.startswith("Another") for reason in reasons)
    assert "in the sidebar" in said
    assert "cookie notice (named “cookie-banner”)" in " ".join(told["Accept"])
    assert not re.search(r"%|\bblocks\b|logit|its tags", " ".join(chain(*told.values())))


def test_reasons_never_name_another_kind_of_page_than_the_result() -> None:
    claim = '<script type="application/ld+json">{"@type": "Product", "name": "The flail"}</script>'
    result = thresher.extract(ARTICLE.replace("</head>", f"{claim}</head>"))
    assert result.metadata.page_type == "product"
    assert "article)" not in str([block.reasons for block in result.blocks])


BOX = "<div><p>Our weekly letter brings you the best of farming, every Friday, for free.</p></div>"
BOXED = ARTICLE.replace("</article>", f"</article>{BOX}")
SIBLINGS = [
    thresher.parse(
        f"<title>{word}</title><main><article><h1>{word}</h1><p>{word} grows where it is warm and the soil is deep."
        f"</p></article>{BOX if word != 'Oats' else ''}</main>"
    )
    for word in ("Wheat", "Barley", "Rye", "Oats")
]


def test_pages_of_the_site_move_the_verdict() -> None:
    result = thresher.extract(BOXED, siblings=SIBLINGS)
    assert "weekly letter" not in result.text
    assert "The flail" in result.text


def test_pages_that_share_nothing_with_the_page_speak_for_none_of_it() -> None:
    # They lack the letter and the copyright as they lack the article: that says nothing about either.
    page = thresher.parse(BOXED)
    copy = thresher.parse(BOXED.replace("Copyright", "Copyrights"))
    stranger = thresher.parse("<title>Index</title><ul><li><a href=/a>Spades</a><li><a href=/b>Ploughs</a></ul>")
    alone = thresher.extract(page)
    for siblings in ([copy], [stranger], [copy, stranger]):
        result = thresher.extract(page, siblings=siblings)
        assert result.text == alone.text
        assert all(now.score <= before.score + 1e-9 for now, before in zip(result.blocks, alone.blocks, strict=True))


def test_siblings_may_be_html_and_are_several() -> None:
    pages = ["<title>A</title><p>Barley grows", b"<title>B</title><p>Rye grows", SIBLINGS[0]]
    parsed = [page if isinstance(page, thresher.Page) else thresher.parse(page) for page in pages]
    assert thresher.extract(BOXED, siblings=pages).to_dict() == thresher.extract(BOXED, siblings=parsed).to_dict()
    for one in (BOXED, BOXED.encode(), thresher.parse(BOXED)):
        with pytest.raises(ValueError, match="several pages"):
            thresher.extract(BOXED, siblings=one)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["auto", "site", "site_plus"])
def test_siblings_that_are_all_copies_are_told(method: str) -> None:
    page = thresher.parse(BOXED)
    assert any("copies" in said for said in thresher.extract(page, method, siblings=[page, page]).warnings)
    assert not any("copies" in said for said in thresher.extract(page, method, siblings=[page, *SIBLINGS]).warnings)


def reasons(result: thresher.Extraction, start: str) -> tuple[str, ...]:
    return next(block.reasons for block in result.blocks if block.text.startswith(start))


def test_the_pages_of_the_site_are_among_the_reasons() -> None:
    page = thresher.parse(BOXED)
    copy = thresher.parse(BOXED.replace("Copyright", "Copyrights"))
    alone, result = thresher.extract(page), thresher.extract(page, siblings=[*SIBLINGS, copy])
    compared = "site_plus, which compares the pages of the site,"
    assert reasons(result, "Our weekly")[:2] == (
        "against: stands on 3 of 4 other pages of the site",
        f"against: {compared} drops it",
    )
    assert reasons(result, "The flail")[:2] == (
        "for: stands on 0 of 4 other pages of the site",
        f"for: {compared} keeps it",
    )
    title = "for: it is the title of the page"  # for which a title that is likely enough needs no rule
    own = [[reason for reason in block.reasons if reason != title] for block in alone.blocks]
    assert [[reason for reason in block.reasons[2:] if reason != title] for block in result.blocks] == own
    assert not any("of the site" in reason for block in alone.blocks for reason in block.reasons)
    only_copies = thresher.extract(page, siblings=[copy])
    assert [block.reasons for block in only_copies.blocks] == [block.reasons for block in alone.blocks]


def test_shares_of_a_whole_archive_are_among_the_reasons() -> None:
    page = thresher.parse(ARTICLE)
    result = thresher.extract(page, options={"shared": np.full(len(page.start), 0.8)})
    assert all(block.reasons[0] == "against: stands on 80% of the other pages of the site" for block in result.blocks)


def test_the_reasons_are_those_of_the_model_that_judged(tmp_path: Path) -> None:
    # A model that says the opposite of the shipped one has for it what the other has against.
    model = tmp_path / "opposite.npz"
    np.savez(model, **weights() | {name: -weights()[name] for name in ("out.w", "out.b", "out.types", "out.types_b")})
    page = thresher.parse(ARTICLE)
    shipped, opposite = thresher.extract(page), thresher.extract(page, options={"model": str(model)})
    turned = {"for": "against", "against": "for"}

    def judged(block: thresher.Block) -> list[str]:
        return [reason for reason in block.reasons if reason != "for: it is the title of the page"]

    for one, other in zip(shipped.blocks, opposite.blocks, strict=True):
        said = [reason.split(": ", 1) for reason in judged(one)]
        assert judged(other) == [f"{turned[sign]}: {words}" for sign, words in said]
        assert said


def test_a_model_of_ones_own_is_read_from_its_file(tmp_path: object) -> None:
    with pytest.raises(errors.NeedsModel, match="thresher train auto"):
        thresher.extract(ARTICLE, options={"model": f"{tmp_path}/none.npz"})
    write(Path(f"{tmp_path}/old.npz"), {**weights(), "type.numbers": weights()["type.numbers"][:64]})
    with pytest.raises(errors.NeedsModel, match="an earlier version"):
        thresher.extract(ARTICLE, options={"model": f"{tmp_path}/old.npz"})


@pytest.mark.parametrize("tag", ["div", "span", "section", "blockquote", "b"])
@pytest.mark.parametrize("depth", [30, 300, 2900])
def test_wrappers_around_wrappers_do_not_outweigh_the_text(tag: str, depth: int) -> None:
    sentences = [
        "The flail loosens the grain from the ear, and the wind carries the chaff away from the floor.",
        "Two people work in turn, so that the strokes never meet, and the floor stays dry all winter long.",
        "When the grain has been beaten out it is winnowed, and what is left is stored in the barn.",
    ]
    menu = "".join(f"<li><a href=/{k}>Section {k}</a></li>" for k in range(8))
    text = "".join(f"<p>{sentence}</p>" for sentence in sentences)
    html = f"<title>Threshing</title><nav><ul>{menu}</ul></nav>{f'<{tag}>' * depth}<h1>Threshing</h1>{text}"
    result = thresher.extract(html)
    assert all(sentence in result.text for sentence in sentences)
    assert "Section 3" not in result.text


@pytest.mark.parametrize("count", [1_000, 6_000])
def test_a_long_page_is_content_to_its_end(count: int) -> None:
    random = np.random.default_rng(3)
    words = np.array("grain flail barn wind chaff winter floor straw ear wheat oats barley scythe field mill".split())
    texts = [
        f"The {' '.join(random.choice(words, 24))}, and {' '.join(random.choice(words, 9))}." for _ in range(count)
    ]
    body = "".join(f"<p>{text}</p>" for text in texts)
    result = thresher.extract(f"<title>Barns</title><nav><a href=/>Home</a></nav><main><h1>Barns</h1>{body}</main>")
    assert sum(text in result.text for text in texts[-100:]) > 95
    assert len(result.text) > 0.95 * sum(map(len, texts))


def test_a_page_of_ten_thousands_of_paragraphs_keeps_them_all() -> None:
    line = "The flail loosens the grain from the ear, and the wind carries the chaff of field {} away."
    body = "".join(f"<p>{line.format(k)}</p>" for k in range(25_000))
    text = thresher.extract(f"<article><h1>Threshing by hand</h1>{body}</article>").text
    assert text.count("The flail loosens") == 25_000


def test_of_several_titles_the_likeliest_is_kept() -> None:
    """The heading of the site says words of the title, too."""
    text = "<p>" + "The committee met on Tuesday to discuss the plan for the old harbour of the town. " * 3 + "</p>"
    html = (
        "<title>A plan for the harbour - Town News</title><body><div><div id=top><h1><a href=/>Town News</a></h1></div>"
        f"<div class=entry><h1>A plan for the harbour</h1>{text * 4}</div></div>"
    )
    result = thresher.extract(html).text
    assert result.startswith("A plan for the harbour")
    assert "Town News" not in result


def test_a_page_of_menus_alone_is_empty_and_says_what_to_try() -> None:
    menus = "".join(
        f"<ul class=footer-links><li><a href=/{k}>Shipping {k}</a></li><li><a href=/r{k}>Returns {k}</a></li></ul>"
        for k in range(40)
    )
    result = thresher.extract(f"<title>Shop</title><header><nav>{menus}</nav></header><footer>{menus}</footer>")
    assert result.text == ""
    assert result.status == "empty"
    assert any("render" in warning for warning in result.warnings)


def test_a_small_page_is_never_empty_for_want_of_a_likely_block() -> None:
    assert thresher.extract("<footer><a href=/x>Home</a></footer>").text == "Home"

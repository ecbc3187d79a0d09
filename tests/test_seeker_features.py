"""What the seeker sees: stop words, candidates, features, segments, page types."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import seeker as naive
from tests.strategies import pages, tidy
from thresher.methods._segments import shown
from thresher.methods.seeker.features import FEATURES, features
from thresher.methods.seeker.segments import candidates, holders, leaves, outermost
from thresher.methods.seeker.stopwords import common_words, language, stop_words
from thresher.methods.seeker.surroundings import _core, _signs
from thresher.methods.seeker.types import article_type, detect, of_label
from thresher.page import Page
from thresher.parse import parse

some = settings(max_examples=60, deadline=None)
few = settings(max_examples=25, deadline=None)
anything = pages() | tidy().map(parse)

SENTENCES = {
    "en": ("It was the best of times, and it was the worst of times for all of them.", 13),
    "de": ("Es war die beste aller Zeiten, und es war die schlimmste Zeit von allen.", 8),
    "fr": ("C'était le meilleur des temps, et c'était aussi le pire de tous les temps.", 7),
    "es": ("Era el mejor de los tiempos, y era también el peor de todos los tiempos.", 8),
    "it": ("Era il migliore dei tempi, ed era anche il peggiore di tutti i tempi.", 6),
    "pt": ("Era o melhor dos tempos, e foi também o pior de todos os tempos para nós.", 7),
    "nl": ("Het was de beste van alle tijden, en het was ook de slechtste van alle.", 8),
    "sv": ("Det var den bästa av alla tider, och det var också den sämsta av alla.", 8),
    "pl": ("To był najlepszy z czasów, ale to był także najgorszy ze wszystkich.", 5),
    "ru": ("Это было лучшее из всех времён, и это было худшее из всех времён для нас.", 6),
    "tr": ("Bu en iyi zamanlar için bir gün daha ve bu en kötü zaman gibi bir gün.", 6),
    "hi": ("यह एक किताब है और मैं उसको पढ़ता हूँ लेकिन वह नहीं है", 6),
}


def column(page: Page, name: str) -> dict[int, float]:
    return dict(zip(candidates(page).tolist(), features(page)[:, FEATURES.index(name)].tolist(), strict=True))


# ---- stop words ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", SENTENCES)
def test_stop_words_are_counted_in_many_languages(code: str) -> None:
    sentence, least = SENTENCES[code]
    page = parse(f"<p>{sentence}</p><p><a href='/'>Xyzzy</a> Qwrtz Pfff</p>")
    assert language(page) == code
    assert stop_words(page)[0] >= least
    assert stop_words(page)[-1] == 0


def test_a_language_without_a_list_has_no_count_but_its_own_frequent_words() -> None:
    page = parse("<p>我的书是他的，这是一本很好的书，你的书也是我的。</p><p>導航</p>")
    assert np.isnan(stop_words(page)).all()
    assert common_words(page)[0] > common_words(page)[1]
    assert np.isnan(list(column(page, "stop_words").values())).all()


def test_words_end_at_quotation_marks_apostrophes_and_dashes() -> None:
    page = parse("<p>The cat’s “and”—the dog's… it is the one that they had with them.</p>")
    # the, s, and, the, s, it, is, the, one, that, they, had, with, them
    assert stop_words(page).tolist() == [14]


# ---- candidates and segments ---------------------------------------------------------------------------------


@some
@given(anything)
def test_candidates_are_the_structural_elements_with_text(page: Page) -> None:
    seen = shown(page).tolist()
    assert candidates(page).tolist() == [row for row in range(len(page)) if naive.is_candidate(page, row, seen)]


@some
@given(anything, st.randoms(use_true_random=False))
def test_segments_are_those_of_the_depth_first_walk(page: Page, random: object) -> None:
    rows = candidates(page)
    good = np.array([random.random() < 0.4 for _ in rows], bool)  # type: ignore[attr-defined]
    walked = naive.walk(page, dict(zip(rows.tolist(), good.tolist(), strict=True)))
    assert rows[outermost(page, rows, good)].tolist() == walked


@some
@given(anything)
def test_holders_and_leaves_are_those_of_the_tree(page: Page) -> None:
    rows = candidates(page).tolist()
    above = holders(page, candidates(page)).tolist()
    leaf = leaves(page, candidates(page)).tolist()
    for k, row in enumerate(rows):
        around = [r for r in page.ancestors(row) if r in set(rows)]
        assert above[k] == (rows.index(around[0]) if around else -1)
        assert leaf[k] == (not any(row < r < page.end[row] for r in rows))


# ---- features ------------------------------------------------------------------------------------------------


@few
@given(anything)
def test_counts_and_heights_are_those_of_a_recursion(page: Page) -> None:
    for row, value in column(page, "height").items():
        assert value == naive.height(page, row)
    for name, tags in (("links", ("a",)), ("items", ("li", "dt", "dd")), ("cells", ("td", "th")), ("forms", ("form",))):
        for row, value in column(page, name).items():
            assert np.expm1(value) == pytest.approx(naive.count(page, row, *tags), abs=1e-4)
    for row, value in column(page, "text").items():
        assert np.expm1(value) == pytest.approx(naive.text_size(page, row), rel=1e-4)


@some
@given(anything)
def test_features_are_finite_but_where_there_is_nothing_to_tell(page: Page) -> None:
    x = features(page)
    assert x.shape == (len(candidates(page)), len(FEATURES))
    assert not np.isinf(x).any()
    may_lack = ("layout", "stop_", "from_heading", "core")
    for k, name in enumerate(FEATURES):
        assert name.startswith(may_lack) or not np.isnan(x[:, k]).any(), name


def test_layout_is_told_in_shares_of_the_document_once_there_are_boxes() -> None:
    page = parse("<body><div>Left</div><div>Right side</div></body>")
    assert np.isnan(list(column(page, "layout x").values())).all()
    box = np.full((len(page), 4), np.nan, np.float32)
    left, right = np.flatnonzero([page.name(row) == "div" for row in range(len(page))]).tolist()
    box[left], box[right] = (0, 0, 250, 100), (250, 100, 750, 100)
    rendered = replace(page, box=box)
    assert [column(rendered, f"layout {name}")[right] for name in ("x", "y", "width", "height")] == [
        0.25,
        0.5,
        0.75,
        0.5,
    ]
    assert np.isnan(column(rendered, "layout x")[candidates(page)[0]])


def test_digits_in_class_names_do_not_tell_posts_apart() -> None:
    page = parse('<div class="post-1">a</div><div class="post-27">b</div><div class="box">c</div>')
    signs = [_signs(page)[row] for row in candidates(page)[1:]]
    assert signs[0] == signs[1] != signs[2]


@few
@given(anything)
def test_the_levels_to_the_core_are_counted_along_its_chain(page: Page) -> None:
    rows = candidates(page)
    if not len(rows):
        return
    text = np.array([naive.text_size(page, row) for row in rows.tolist()], float)
    held = np.zeros((len(rows), 11))
    held[:, -1] = text
    total = np.full(11, max(text.max(), 1))
    found = _core(page, rows, held, total, 0.55)
    chain = [row for row in rows.tolist() if held[rows.tolist().index(row), -1] >= 0.55 * total[-1]]
    if not chain:
        assert np.isnan(found).all()
        return
    for k, row in enumerate(rows.tolist()):
        around = {row, *page.ancestors(row)}
        assert found[k, 2] == len(chain) - len(around.intersection(chain))
        assert (found[k, 0] == 0) == (chain[-1] in around)


# ---- types ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "url", "expected"),
    [
        ('<script type="application/ld+json">{"@type": "NewsArticle"}</script>', "https://a.example/blog/x", "news"),
        ('<script type="application/ld+json">{"@type":["BlogPosting"]}</script>', "https://a.example/news/x", "blog"),
        ('<div itemscope itemtype="https://schema.org/BlogPosting">x</div>', None, "blog"),
        ("<p>x</p>", "https://blog.example/2020/x", "blog"),
        ("<p>x</p>", "https://someone.substack.com/p/x", "blog"),
        ("<p>x</p>", "https://example.com/news/blog-of-the-year", "news"),
        ('<meta name="Generator" content="WordPress 6.1">', "https://example.com/x", "blog"),
        ("<p>x</p>", "https://example.com/2020/x", "news"),
        ("<p>x</p>", None, "news"),
        ("<p>x</p>", "http://[bad/", "news"),
    ],
)
def test_news_and_blogs_are_told_apart_by_the_rule(html: str, url: str | None, expected: str) -> None:
    assert article_type(parse(html, url=url)) == expected


def test_the_type_of_a_label_and_of_a_page_that_says_what_it_is() -> None:
    page = parse('<script type="application/ld+json">{"@type": "QAPage"}</script><p>Why?</p>')
    assert detect(page) == "forum"
    assert [of_label(page, label) for label in ("forum", "blog", "article", "product")] == [
        "forum",
        "blog",
        "news",
        "other",
    ]

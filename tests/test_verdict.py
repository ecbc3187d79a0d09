"""From probabilities to verdicts: what stands or falls together, the threshold, and what belongs to kept text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.strategies import soup
from thresher.methods.auto.blocks import LEVELS, Blocks, blocks
from thresher.methods.auto.decision import decide
from thresher.methods.auto.kernels.decision import best_choice
from thresher.methods.auto.model import Opinion, opinion
from thresher.methods.auto.network import Inputs, probabilities
from thresher.methods.auto.page_type import TYPES
from thresher.methods.auto.rules import Evidence
from thresher.methods.auto.rules.contents import contents
from thresher.methods.auto.threshold import expected_f1, likely, threshold
from thresher.page import Page

Scored = list[tuple[float, int]]
SCORED = st.lists(st.tuples(st.floats(0.001, 0.999), st.integers(1, 90)), min_size=1, max_size=25)

PROSE = "The flail loosens the grain from the ear, and the wind of the open door carries the chaff away. "
LISTING = "<pre><code>for sheaf in barn:\n    thresh(sheaf)\n    winnow(sheaf, wind=2)</code></pre>"


def article(*parts: str) -> str:
    body = "".join(f"<p>{PROSE * 2}</p>{part}" for part in (*parts, "", ""))
    menu = "".join(f"<li><a href=/{k}>Topic {k}</a></li>" for k in range(9))
    return (
        f"<!doctype html><html><head><title>Threshing by hand</title></head><body><nav><ul>{menu}</ul></nav>"
        f"<main><article><h1>Threshing by hand</h1>{body}</article></main>"
        "<footer><p>Imprint, privacy, contact</p></footer></body></html>"
    )


def kept_together(page: Page, found: Blocks, block: int, other: int) -> bool:
    """The naive reading: the same innermost list or table of data, and in a list the same depth and last four tags."""
    if block == other:
        return True

    def gathers(row: int) -> bool:
        inside = {page.name(below) for below in range(row + 1, int(page.end[row]))}
        return page.name(row) in ("ul", "ol", "dl") or (
            page.name(row) == "table" and not inside & {"table", "div", "form"}
        )

    def key(at: int) -> tuple[int, object]:
        row = int(found.level[0, at])
        path = [row, *page.ancestors(row)]
        around = next((above for above in path if gathers(above)), -1)
        like = None if around < 0 or page.name(around) == "table" else (len(path), [page.name(x) for x in path[:4]])
        return around, like

    mine = key(block)
    size = np.bincount(page.block, weights=[len("".join(text.split())) for text in page.text])
    group = [at for at in range(len(found)) if key(at) == mine]
    return mine[0] >= 0 and other in group and all(size[found.number[at]] <= 400 for at in group)


@settings(max_examples=100, deadline=None)
@given(soup())
def test_items_of_a_list_and_cells_of_a_table_stand_or_fall_together(html: str) -> None:
    page = thresher.parse(html)
    found = blocks(page)
    for block in range(len(found)):
        for other in range(block):
            together = found.together[block] == found.together[other]
            assert together == kept_together(page, found, block, other)


def test_a_long_item_makes_a_list_one_of_single_texts() -> None:
    page = thresher.parse(f"<ul><li>Wheat<li>Oats<li>Rye</ul><ul><li>Wheat<li>{PROSE * 6}<li>Rye</ul>")
    short, long = np.split(blocks(page).together, 2)
    assert len(set(short.tolist())) == 1
    assert len(set(long.tolist())) == 3


def test_a_table_that_lays_a_page_out_is_none_of_data() -> None:
    cells = "<tr><td>{}</td><td>Wheat</td></tr><tr><td>Oats</td><td>Rye</td></tr>"
    page = thresher.parse(f"<table>{cells.format('Plot')}</table><table>{cells.format('<div>Plot</div>')}</table>")
    data, layout = np.split(blocks(page).together, 2)
    assert len(set(data.tolist())) == 1
    assert len(set(layout.tolist())) == 4


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(-9, 9), st.floats(0.1, 5)), min_size=1, max_size=40))
def test_blocks_that_stand_together_get_the_mean_of_their_logits(scored: list[tuple[int, float, float]]) -> None:
    number, logit, weight = (np.array(column) for column in zip(*scored, strict=True))
    none = np.zeros((LEVELS, len(scored)), np.int32)
    group = np.unique(number, return_inverse=True)[1].astype(np.int32)
    weights = weight.astype(np.float32)
    x = np.zeros((len(scored), 1), np.float32)
    given = Inputs(x, x[0], x[0], weights, none, none, group, group)
    p, alone = probabilities(logit.astype(np.float32), given)
    assert np.allclose(alone, 1 / (1 + np.exp(-logit)), atol=1e-6)
    for which, found in zip(number, p, strict=True):
        others = [(value, share) for one, value, share in scored if one == which]
        expected = sum(value * share for value, share in others) / sum(share for _, share in others)
        assert found == pytest.approx(1 / (1 + np.exp(-expected)), abs=1e-5)


def columns(scored: Scored) -> tuple[np.ndarray, np.ndarray]:
    """The probabilities, and the words."""
    return np.array([p for p, _ in scored]), np.array([words for _, words in scored], np.float32)


@given(SCORED)
def test_no_threshold_promises_more_than_the_best(scored: Scored) -> None:
    p, words = columns(scored)
    most, block, _ = best_choice(p, words, (-p).argsort(kind="stable"))
    least = p[block]
    assert most == pytest.approx(max(expected_f1(p, words, p >= t) for t in p))
    assert expected_f1(p, words, p >= least) == pytest.approx(most)
    assert least >= most / 2 - 1e-6  # where the best threshold lies


@given(SCORED, st.floats(0, 1))
def test_what_a_narrower_focus_keeps_a_wider_one_keeps(scored: Scored, article: float) -> None:
    p, words = columns(scored)
    precise, balanced, wide = (likely(p, words, article, focus) for focus in ("precision", "balanced", "recall"))
    assert (precise <= balanced).all()
    assert (balanced <= wide).all()


def test_a_sure_page_is_cut_higher_than_an_unsure_one_of_its_kind() -> None:
    sure, unsure = (threshold("balanced", 0.0, best) for best in (0.9, 0.4))
    assert sure > unsure
    assert sure == pytest.approx((0.15 * 0.45) ** 0.5)


def test_listings_of_code_stay_in_the_text_they_stand_in() -> None:
    result = thresher.extract(article(LISTING, LISTING.replace("barn", "field")))
    assert "    thresh(sheaf)" in result.text
    assert "for sheaf in field:" in result.markdown


def test_a_table_is_kept_whole_with_its_caption() -> None:
    rows = "".join(f"<tr><td>Plot {k}</td><td>{k}7 sacks</td><td>{k}</td></tr>" for k in range(1, 6))
    caption = "<caption>Table 1: What each plot gave</caption>"
    head = "<tr><th>Plot</th><th>Yield</th><th>Days</th></tr>"
    text = thresher.extract(article(f"<table>{caption}{head}{rows}</table>")).text
    for words in ("What each plot gave", "Yield", "Days", "Plot 1", "37 sacks", "Plot 5"):
        assert words in text


@pytest.mark.parametrize("label", ["Figure 3: ", "Fig. 2. ", "Abb. 4: ", "Figure&nbsp;1. ", "Рис. 5. ", "图 1："])
def test_captions_of_numbered_figures_stay(label: str) -> None:
    figure = f"<figure><img src=a.png alt=''><figcaption>{label}A flail, its handle and swipple</figcaption></figure>"
    assert "swipple" in thresher.extract(article(figure)).text


def test_a_section_that_is_kept_keeps_its_heading() -> None:
    parts = [f"<h2>{word}</h2>" for word in ("Tools", "Weather", "Storage")]
    markdown = thresher.extract(article(*parts)).markdown
    for part in ("## Tools", "## Weather", "## Storage"):
        assert part in markdown


def test_that_a_list_moved_a_verdict_is_among_the_reasons() -> None:
    page = thresher.parse(article("<ul><li>Oats</li><li>Share this page on social media</li><li>Rye</li></ul>"))
    from thresher.methods.auto.model import opinion

    found = opinion(page)
    moved = np.flatnonzero(np.abs(found.probability - found.alone) >= 0.1)
    told = {block.xpath for block in thresher.extract(page).blocks if any("list or table" in r for r in block.reasons)}
    assert len(told) == len(moved)


def test_the_name_of_the_site_is_no_title() -> None:
    html = article().replace("<h1>Threshing by hand</h1>", '<div><h1><a href="/">Farm Notes</a></h1></div>')
    html = html.replace("<title>Threshing by hand</title>", "<title>Farm Notes: Threshing by hand</title>")
    assert "Farm Notes" not in thresher.extract(html, url="https://farm.example/a/b").text
    of_a_page = html.replace('href="/"', 'href="/a/b"')
    assert thresher.extract(of_a_page, url="https://farm.example/a/b").text.startswith("Farm Notes")


@pytest.mark.parametrize("head", ["", "<title>Farm Notes</title>", "<title>Flails: what to know in 2024</title>"])
@pytest.mark.parametrize("heading", ["<h1>Threshing by hand</h1>", "<header><h1>Threshing by hand</h1></header>"])
def test_the_only_main_heading_is_the_title_whatever_the_head_says(head: str, heading: str) -> None:
    html = f"{head}<body><article>{heading}<p>{PROSE}</p><p>{PROSE * 2}</p></article></body>"
    assert thresher.extract(html).text.startswith("Threshing by hand\n")


@pytest.mark.parametrize("body", ["<p>World</p>", "<ul><li>one</li><li>two</li></ul>"])
def test_a_page_of_a_few_words_keeps_its_heading(body: str) -> None:
    assert thresher.extract(f"<h1>Hello</h1>{body}").markdown.startswith("# Hello\n")


def test_of_several_main_headings_none_is_the_title_by_its_rank_alone() -> None:
    html = article().replace("<title>Threshing by hand</title>", "").replace("<nav>", "<h1>Pulse!</h1><nav>")
    assert not thresher.extract(html).text.startswith("Pulse!")


def test_the_title_of_a_post_may_be_a_heading_of_another_level_and_a_link() -> None:
    """Blogs have their own name in the main heading."""
    html = article().replace("<h1>Threshing by hand</h1>", '<h2><a href="/2020/hand">Threshing by hand</a></h2>')
    html = html.replace("<body>", '<body><h1><a href="/">Farm Notes</a></h1>')
    found = thresher.extract(html, url="https://farm.example/2020/hand").markdown
    assert found.startswith("## [Threshing by hand](https://farm.example/2020/hand)\n")


def test_a_title_above_all_columns_is_kept() -> None:
    hero = "<div class=hero><div><div><div><h1>Threshing by hand</h1></div></div></div></div>"
    html = article().replace("<h1>Threshing by hand</h1>", "").replace("<nav>", f"{hero}<nav>")
    assert thresher.extract(html).text.startswith("Threshing by hand\n")
    behind = article().replace("<h1>Threshing by hand</h1>", "").replace("</body>", f"{hero}</body>")
    assert "Threshing by hand" not in thresher.extract(behind).text


def test_what_is_kept_for_what_it_belongs_to_says_so() -> None:
    """The score of a title may be low, for gold texts leave titles out; a verdict without a word would be a riddle."""
    text = f"<p>{PROSE}</p><p>{PROSE * 2}</p>"
    page = thresher.parse(f"<title>Flails</title><article><h1>Threshing by hand</h1>{text}</article>")
    found = opinion(page)
    p = found.probability.astype(np.float64)
    p[0] = 0.05
    decision = decide(page, found, p, "balanced")
    assert decision.kept[0]
    assert next(decision.reasons(0)) == "for: it is the title of the page"
    assert not any("title of the page" in reason for block in (1, 2) for reason in decision.reasons(block))


BOX = '<div class="promo"><h4>People are also reading</h4><ul>{}</ul></div>'.format(
    "".join(f'<li><a href="/{k}">Wrestlers take place {k} at the county fair</a></li>' for k in range(4))
)


def test_the_heading_of_a_box_goes_with_the_box() -> None:
    html = article("", BOX, "<h2>The open door</h2>")
    page = thresher.parse(html)
    found = opinion(page)._replace(types={**dict.fromkeys(TYPES, 0.0), "article": 1.0})
    p = found.probability.astype(np.float64)
    p[found.heading] = 0.9  # as likely as the one of a section
    p[["county fair" in text for text in texts(page, found)]] = 0.01
    for focus in ("precision", "balanced", "recall"):
        chosen = decide(page, found, p, focus).kept
        said = [text for text, stays in zip(texts(page, found), chosen, strict=True) if stays]
        assert "The open door" in said
        assert "Threshing by hand" in said
        assert "People are also reading" not in said


def test_a_subtitle_stays_without_the_byline_under_it() -> None:
    html = article().replace("</h1>", "</h1><div><h2>What the flail is for</h2><p>by Ann Barn, 5 min read</p></div>")
    page = thresher.parse(html)
    found = opinion(page)._replace(types={**dict.fromkeys(TYPES, 0.0), "article": 1.0})
    p = found.probability.astype(np.float64)
    p[found.heading] = 0.9
    p[["Ann Barn" in text for text in texts(page, found)]] = 0.01
    chosen = decide(page, found, p, "balanced").kept
    assert "What the flail is for" in np.array(texts(page, found))[chosen]


def texts(page: Page, found: Opinion) -> list[str]:
    spans = zip(found.blocks.first.tolist(), found.blocks.last.tolist(), strict=True)
    return ["".join(page.text[first : last + 1]) for first, last in spans]


NAMES = ("The flail", "The floor", "The wind")
PARTS = [f"<h2 id=s{k}>{k}. {name}</h2>" for k, name in enumerate(NAMES, 1)]


@pytest.mark.parametrize(
    "table",
    [
        "<div><h2>Contents</h2><ul>{}</ul></div>",
        '<div class="toc"><p><b>In this article</b></p><ol>{}</ol></div>',
        "<ul>{}</ul>",
    ],
)
@pytest.mark.parametrize("number", ["", "{}. ", "<a href=#s{0}>{0}</a>. ", "<a id=t{} href=#s1></a>"])
def test_the_table_of_contents_is_left_out(table: str, number: str) -> None:
    items = "".join(f"<li>{number.format(k)}<a href=#s{k}>{name}</a></li>" for k, name in enumerate(NAMES, 1))
    page = thresher.parse(article(*PARTS).replace("</h1>", f"</h1>{table.format(items)}"))
    found = opinion(page)
    sure = np.full(len(found.words), 0.9)
    for focus in ("precision", "balanced", "recall"):
        said = np.array(texts(page, found))[decide(page, found, sure, focus).kept].tolist()
        assert [text for text in said if PROSE not in text and "Imprint" not in text and "Topic" not in text] == [
            "Threshing by hand",
            *(f"{k}. {name}" for k, name in enumerate(NAMES, 1)),
        ]


@pytest.mark.parametrize(
    "items",
    [
        "<li><a href=#s1>The flail</a></li><li><a href=#s2>The floor</a></li>",  # too few
        "<li><a href=#s1>1</a></li><li><a href=#s2>2</a></li><li><a href=#s3>3</a></li>",
        '<li><a href="/1">The flail</a></li><li><a href="/2">The floor</a></li><li><a href="/3">The wind</a></li>',
        "<li><a href=#s1>The flail</a>, which hits</li><li><a href=#s2>The floor</a>, which bears</li><li>Air</li>",
        "".join(f"<li><a href=#{k}>{name}</a></li>" for k, name in enumerate(("The flail", "Ears", "Straw", "Hay"))),
    ],
)
def test_other_lists_are_no_table_of_contents(items: str) -> None:
    page = thresher.parse(article(*PARTS, "<h2>1902</h2>").replace("</h1>", f"</h1><ul>{items}</ul>"))
    found = opinion(page)
    all_, marks = np.ones(len(found.words), bool), np.zeros(len(found.words), np.int32)
    blocks = contents(Evidence(page, found, found.probability.astype(float), all_, marks), all_)
    assert blocks is None or not blocks.any()


def test_that_it_is_the_table_of_contents_is_among_the_reasons() -> None:
    items = "".join(f"<li><a href=#s{k}>{name}</a></li>" for k, name in enumerate(NAMES, 1))
    result = thresher.extract(article(*PARTS).replace("</h1>", f"</h1><ul>{items}</ul>"))
    entry = next(block for block in result.blocks if block.text == "The floor")
    assert not entry.kept
    assert "against: the table of contents" in entry.reasons


def test_a_heading_in_the_text_with_words_of_the_title_is_not_the_title() -> None:
    page = thresher.parse(article("<h1>Threshing, wind</h1>"))
    found = opinion(page)
    p = np.full(len(found.words), 0.9)
    p[[text == "Threshing by hand" for text in texts(page, found)]] = 0.05
    said = np.array(texts(page, found))[decide(page, found, p, "balanced").kept].tolist()
    assert "Threshing by hand" in said
    assert "Threshing, wind" in said


def test_a_list_of_sources_that_is_left_out_takes_its_heading_along() -> None:
    sources = "<section><h2>References</h2><ol><li>1. Straw, A. On the flail. Barn Press, 1902.</li></ol></section>"
    page = thresher.parse(article("", "", sources))
    found = opinion(page)
    p = np.full(len(found.words), 0.9)
    p[["Barn Press" in text for text in texts(page, found)]] = 0.01
    assert "References" not in np.array(texts(page, found))[decide(page, found, p, "balanced").kept]


@pytest.mark.parametrize("role", ["dialog", "alertdialog"])
def test_what_a_dialog_says_is_not_kept(role: str) -> None:
    asks = (
        f"<div role={role}><div><h2>Your choice</h2><p>We value the wind and use it to remember you by.</p></div></div>"
    )
    page = thresher.parse(article().replace("</main>", f"</main>{asks}"))
    found = opinion(page)
    sure = np.full(len(found.words), 0.9)
    said = np.array(texts(page, found))[decide(page, found, sure, "recall").kept].tolist()
    assert "Threshing by hand" in said
    assert not any("value the wind" in text or "choice" in text for text in said)
    asked = next(block for block in thresher.extract(page).blocks if "value the wind" in block.text)
    assert "against: a dialog that lies over the page" in asked.reasons


def test_a_page_that_is_one_dialog_is_read() -> None:
    page = thresher.parse(article().replace("<main>", "<main role=dialog>"))
    found = opinion(page)
    sure = np.full(len(found.words), 0.9)
    assert "Threshing by hand" in np.array(texts(page, found))[decide(page, found, sure, "balanced").kept]

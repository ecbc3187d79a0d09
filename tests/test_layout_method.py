"""The layout method, rendered `semantic`, what is seen, and layout as evidence, on hand-made renderings."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher
from tests.rendered import in_boxes, rendered
from tests.strategies import pages
from thresher.errors import NeedsLayout
from thresher.methods import layout, semantic
from thresher.methods.auto.layout import moved
from thresher.methods.layout.column_tree import Columns
from thresher.methods.layout.main_column import main_column
from thresher.parse import parse
from thresher.render.styles import ComputedStyles
from thresher.visible.readable import readable

PROSE = "The first sentence is here to be read. The second one follows it and says more about it."
MENU = "".join(f'<li data-box="0 {60 + 20 * k} 200 20"><a>Link {k}</a></li>' for k in range(40))


def two_columns(article: str = "", extra: str = "") -> str:
    paragraphs = "".join(f'<p data-box="220 {100 + 60 * k} 560 50">{k}: {PROSE}</p>' for k in range(6))
    return f"""
    <body data-box="0 0 1000 900">
    <header data-box="0 0 1000 50"><p>Site name</p><p>Slogan</p></header>
    <ul data-box="0 60 200 800 block float:left">{MENU}</ul>
    <div data-box="220 60 560 700 block float:left"><h1 data-box="220 60 560 30">Title</h1>{article or paragraphs}</div>
    <div data-box="800 60 200 700 block float:left"><p>Aside one</p><p>Aside two</p>{extra}</div>
    <footer data-box="0 860 1000 40"><p>Imprint</p><p>Contact</p></footer></body>"""


def kept(page: thresher.Page, keep: np.ndarray) -> str:
    return " ".join(" ".join(page.cut(np.flatnonzero(keep))).split())


def test_the_column_with_the_paragraphs_is_kept_and_nothing_else() -> None:
    page = rendered(two_columns())
    text = kept(page, layout.judge(page).keep)
    assert text.startswith("Title 0: The first")
    assert text.endswith("says more about it.")
    for other in ("Link", "Aside", "Site name", "Imprint"):
        assert other not in text


def test_a_sidebar_longer_than_the_article_is_left_out() -> None:
    long = "".join(
        f'<p data-box="800 {100 + 20 * k} 200 18">A teaser of seven words, number {k}</p>' for k in range(60)
    )
    page = rendered(two_columns(extra=long))
    text = kept(page, layout.judge(page).keep)
    assert "teaser" not in text
    assert "5: The first" in text


def test_without_boxes_it_says_which_command_gives_them() -> None:
    with pytest.raises(NeedsLayout, match="thresher render"):
        layout.judge(parse(two_columns()))
    with pytest.raises(NeedsLayout, match="thresher render"):
        thresher.extract(two_columns(), method="layout")


@pytest.mark.parametrize("name", ["auto", "semantic", "layout"])
@settings(max_examples=25, deadline=None)
@given(page=pages())
def test_any_page_in_boxes_can_be_read(name: str, page: thresher.Page) -> None:
    boxed = in_boxes(page)
    result = thresher.extract(boxed, method=name)
    assert not (result.keep & ~readable(boxed)).any()
    assert not (readable(boxed) & ~readable(page)).any()


def test_a_rendering_without_the_styles_is_no_rendering() -> None:
    page = rendered(two_columns())
    page = replace(page, style=ComputedStyles.make({"color": ["red"] * len(page)}))
    with pytest.raises(NeedsLayout):
        layout.judge(page)
    assert readable(page).all()
    assert thresher.extract(page).text == thresher.extract(parse(two_columns())).text
    assert not semantic.judge(page).keep.any()


def test_an_empty_page_gives_nothing() -> None:
    assert not layout.judge(rendered("<body></body>")).keep.any()
    assert thresher.extract(rendered("<p data-box=none>hidden</p>"), method="layout").text == ""


def test_the_elements_are_those_whose_text_is_all_kept() -> None:
    page = rendered(two_columns())
    names = [page.name(int(row)) for row in np.flatnonzero(layout.judge(page).elements)]
    assert names == ["div", "h1", *["p"] * 6]


@pytest.mark.parametrize(("delta", "wanted"), [(0.3, 1), (0.05, 0), (0.9, 3)])
def test_the_search_ends_before_a_step_that_loses_more_than_delta(delta: float, wanted: int) -> None:
    tree = Columns(np.array([-1, 0, 0, 1, 1]), np.zeros(5), np.ones(5), np.zeros(0, np.intp))
    assert main_column(tree, np.array([1.0, 0.9, 0.1, 0.5, 0.4]), delta) == wanted


def test_the_search_takes_the_path_with_the_highest_score() -> None:
    tree = Columns(np.array([-1, 0, 0, 2]), np.zeros(4), np.ones(4), np.zeros(0, np.intp))
    assert main_column(tree, np.array([1.0, 0.2, 0.8, 0.7])) == 3


def test_semantic_searches_the_zone_tree_of_a_rendered_page() -> None:
    # In the page the article is the less deep of the two; in the zone tree main is, whose wrappers break no line.
    html = f"""<div data-box="contents"><div data-box="contents">
    <main><p>{PROSE}</p><p>More text.</p></main></div></div>
    <section><p>A heading</p><article><p>Teaser</p><p>Another</p></article></section>"""
    page = rendered(html)
    assert kept(page, semantic.judge(page).keep).startswith("The first")
    assert kept(page, semantic.judge(page, semantic.Options(tag="article")).keep) == "Teaser Another"
    assert "Teaser" in kept(parse(html), semantic.judge(parse(html)).keep)
    assert not semantic.judge(rendered("<p>No such element</p>")).keep.any()


def test_semantic_takes_the_whole_line_an_inline_element_stands_in() -> None:
    page = rendered('<div>Before <article data-box="0 0 9 9 inline">inside</article> after</div><p>Other</p>')
    assert kept(page, semantic.judge(page).keep) == "Before inside after"


@pytest.mark.parametrize(
    "box",
    [
        "none",
        "0 0 90 20 visibility:hidden",
        "0 0 90 20 font-size:0px",
        "-500 0 90 20",
        "0 -500 90 20",
        "0 0 1 1 overflow-x:hidden overflow-y:hidden",
        "0 0 90 20 clip-path:inset(50%)",
        "0 0 90 20 opacity:0",
    ],
)
def test_what_the_browser_does_not_show_is_not_read(box: str) -> None:
    html = f'<p>{PROSE}</p><div data-box="{box}">unseen</div>'
    page = rendered(html)
    assert [text for text, seen in zip(page.text, readable(page), strict=True) if seen] == [PROSE]
    assert readable(parse(html)).all()


def test_what_can_be_opened_is_read_unless_it_is_hidden_with_its_handle() -> None:
    panel = '<details><summary>More</summary><div data-box="none">inside</div></details>'
    assert readable(rendered(panel)).all()
    assert not readable(rendered(f'<div data-box="none">{panel}</div>')).any()


def test_a_page_that_shows_nothing_was_waiting_for_a_script() -> None:
    hidden = (
        f'<main data-box="0 0 600 50 visibility:hidden"><p data-box="0 0 600 50 visibility:hidden">{PROSE}</p></main>'
    )
    assert readable(rendered(hidden)).all()
    assert not readable(rendered(f"<p>Shown</p>{hidden}"))[1:].any()
    assert not readable(rendered(f'<div data-box="none">{PROSE}</div>')).any()


def test_a_formula_may_be_clipped_and_a_page_may_fade_in() -> None:
    clipped = 'data-box="0 0 1 1 overflow-x:hidden overflow-y:hidden"'
    page = rendered(f"<p>x</p><span {clipped}><math><mi>y</mi></math></span>")
    assert readable(page).all()
    page = rendered(f'<p>Title</p><div data-box="0 0 90 20 opacity:0">{PROSE}</div>')
    assert readable(page).all()


probabilities = st.lists(st.floats(0.001, 0.999), min_size=1, max_size=8).map(np.array)


@settings(max_examples=50, deadline=None)
@given(probabilities, st.data())
def test_layout_moves_blocks_outside_of_the_column_down_and_those_inside_up(p, data) -> None:
    size = len(p)
    words = np.array(data.draw(st.lists(st.integers(1, 50), min_size=size, max_size=size)), np.float32)
    inside = np.array(data.draw(st.lists(st.sampled_from([0.0, 1.0]), min_size=size, max_size=size)))
    shifted = moved(p, words, inside)
    if (p * words) @ inside < 0.5 * (p * words).sum():
        assert (shifted == p).all()
    elif inside.all():  # a page of one column: it says nothing
        assert shifted == pytest.approx(p)
    else:
        assert (shifted[inside == 1] > p[inside == 1]).all()
        assert (shifted[inside == 0] < p[inside == 0]).all()


def test_auto_reads_the_layout_when_there_is_one() -> None:
    # No name and no tag tells menu, text and teasers apart: only their places do.
    column = '<div data-box="{} 0 {} 900 block float:left">{}</div>'
    text = "".join(f'<div data-box="250 {60 * k} 500 50">{k}: {PROSE}</div>' for k in range(6))
    teasers = "".join(
        f'<div data-box="780 {60 * k} 200 50">{k}. Teaser of another page, with a comma.</div>' for k in range(9)
    )
    html = column.format(250, 500, text) + column.format(780, 200, teasers)
    static, seen = thresher.extract(html), thresher.extract(rendered(html))
    assert seen.text.count("Teaser") < static.text.count("Teaser")
    reasons = {block.text[:6]: block.reasons[0] for block in seen.blocks}
    assert reasons["0: The"].startswith("for: stands in the column")
    assert reasons["8. Tea"].startswith("against: stands outside")
    assert seen.text.count("The first sentence") == 6


def test_overlays_draw_over_the_picture() -> None:
    image = pytest.importorskip("PIL.Image", reason="overlays need Pillow: pip install 'thresher[render]'")
    from thresher.methods.layout.overlay import draw, shapes

    page = rendered(two_columns())
    out = BytesIO()
    image.new("RGB", (1000, 900), "white").save(out, "PNG")
    pictures = {kind: image.open(BytesIO(draw(page, out.getvalue(), kind))) for kind in ("zones", "columns", "content")}
    for picture in pictures.values():
        assert picture.size == (1000, 900)
    assert pictures["content"].getpixel((500, 125))[2] < 200  # yellow over the text
    assert pictures["content"].getpixel((100, 500)) == (255, 255, 255)  # not over the menu
    assert pictures["columns"].getpixel((221, 300)) == (0, 82, 204)  # the main column's left edge
    assert len(list(shapes(page, "zones"))) == 40 + 2 + 7 + 2 + 2
    with pytest.raises(ValueError, match="one of zones"):
        draw(page, out.getvalue(), "tables")  # type: ignore[arg-type]
    with pytest.raises(NeedsLayout):
        draw(parse("<p>x"), out.getvalue(), "zones")

"""Journal articles in `auto`: found by their references, and taken whole where a browser shows their column."""

from __future__ import annotations

import numpy as np
import pytest

import thresher
from tests.rendered import rendered
from thresher.methods.auto.journal import article_blocks
from thresher.methods.auto.layout import moved
from thresher.methods.auto.model import opinion
from thresher.parse import parse

PROSE = "We measured the length of every sentence in this text. It was found to be about as long as expected [1]."
ENTRIES = [f"{name}, A., Other, B.: On the length of texts. Journal of Length 12 ({year})" for name, year in zip(
    ("Adams", "Baker", "Clark", "Davis", "Evans", "Frank"), range(1994, 2000), strict=True)]  # fmt: skip


def journal(heading: str = "References", abstract: str = "<h2>Abstract</h2>", entries: list[str] = ENTRIES) -> str:
    """A page in boxes: a menu beside the column of an article."""
    sections = "".join(f"<h2>{k}. Section</h2><p>{PROSE}</p><p>{PROSE}</p>" for k in range(1, 5))
    cited = "".join(f'<li id="ref-{k}">{entry}</li>' for k, entry in enumerate(entries))
    menu = "".join(f"<li><a href='/{k}'>Issue {k}</a></li>" for k in range(12))
    return f"""<title>On texts</title><body data-box="0 0 1000 900">
    <ul data-box="0 0 180 900 block float:left">{menu}</ul>
    <div data-box="200 0 600 900 block float:left"><h1>On texts</h1><p>Ada Adams and Bob Baker</p>
    <p>Institute of Text, University of Words, Town</p>{abstract}<p>{PROSE}</p>{sections}
    <h2>{heading}</h2><ol>{cited}</ol><p>Contact the journal</p></div></body>"""


def blocks_of(html: str) -> list[str] | None:
    page = parse(html)
    view = opinion(page)
    article = article_blocks(page, view)
    if article is None:
        return None
    return [" ".join(page.cut(np.arange(view.blocks.first[k], view.blocks.last[k] + 1))) for k in article.nonzero()[0]]


@pytest.mark.parametrize(
    "heading", ["References", "6. References", "VI. REFERENCES:", "Bibliography", "参考文献", "Literatur"]
)
def test_an_article_reaches_from_its_title_to_the_end_of_its_references(heading: str) -> None:
    article = blocks_of(journal(heading))
    assert article is not None
    assert (article[0], article[-1]) == ("On texts", ENTRIES[-1])


@pytest.mark.parametrize(
    "abstract", ["<h2>Abstract</h2>", "<p><b>Abstract.</b> We show that texts are long.</p>", "<p>Zusammenfassung</p>"]
)
def test_an_abstract_makes_a_page_with_references_a_journal_article(abstract: str) -> None:
    assert blocks_of(journal(abstract=abstract)) is not None


def test_references_alone_do_not() -> None:
    assert blocks_of(journal(abstract="")) is None


@pytest.mark.parametrize(
    "sign",
    [
        '<meta name="citation_doi" content="10.1/2">',
        '<script type="application/ld+json">{"@type": "ScholarlyArticle"}</script>',
        '<div typeof="schema:ScholarlyArticle"></div>',
        "".join(f'<a href="#ref-{k}">[{k}]</a>' for k in range(5)),
    ],
)
def test_what_citation_indexes_read_and_citations_in_the_text_do(sign: str) -> None:
    html = journal(abstract="")
    place = "<h1>" if sign.startswith(("<div", "<a")) else "<title>"
    assert blocks_of(html.replace(place, sign + place)) is not None


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<p>References</p>",
        journal(heading="Related articles"),
        journal(entries=ENTRIES[:4]),
        journal(entries=["See the page of another author for more on this"] * 8),
    ],
)
def test_other_pages_are_none(html: str) -> None:
    assert blocks_of(html) is None


def test_a_rendered_journal_article_keeps_its_authors_and_references() -> None:
    result = thresher.extract(rendered(journal()))
    assert "University of Words" in result.text
    for entry in ENTRIES:
        assert entry in result.text
    assert "Issue 3" not in result.text


def test_a_block_of_the_article_is_content_if_the_column_is_right_or_else_if_the_network_is() -> None:
    p, words = np.array([0.9, 0.001, 0.001, 0.001]), np.full(4, 10.0)
    inside, article = np.array([1.0, 1.0, 0.0, 1.0]), np.array([True, True, True, False])
    shifted = moved(p, words, inside, article)
    odds = 0.001 / 0.999 * 0.96 / 0.04
    alone = odds / (1 + odds)
    assert shifted[1] == pytest.approx(alone + 0.96 * (1 - alone))
    assert shifted[2] < p[2]  # outside of the column
    assert shifted[3] == pytest.approx(alone)  # behind the references
    assert (moved(p, words, 1 - inside, article) == p).all()  # a column without the content is not believed

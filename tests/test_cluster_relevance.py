"""Which cluster is content: Algorithm 1 as printed, the variant per page, and what stands in for descriptions."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rendered_site import article, rendered
from thresher.methods.cluster import learning
from thresher.methods.cluster.blocks import of_pages
from thresher.methods.cluster.claims import Claim, best, of_page
from thresher.methods.cluster.relevance import NO_CLAIM, by_page, by_site, grown, labelled, relevance


def lcs(a, b):
    """The textbook's table."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = row
        row = [0]
        for j, y in enumerate(b):
            row.append(before[j] + 1 if x == y else max(before[j + 1], row[-1]))
    return row[-1]


def algorithm_1(blocks, number):
    score = defaultdict(float)
    for block, cluster in enumerate(number):
        if cluster >= 0:
            claims = best(blocks.pages[blocks.page[block]].claims)[1]
            score[cluster] += max(lcs(blocks.text[block], claim) for claim in claims)
    content = max(sorted(score), key=lambda cluster: score[cluster])
    return [cluster == content for cluster in number]


@pytest.fixture(scope="module")
def site():
    return of_pages([article(seed, replies=2) for seed in range(5)])


@settings(deadline=None)
@given(st.randoms(use_true_random=False))
def test_algorithm_1_is_as_printed_for_any_clusters(random):
    blocks = of_pages(
        [
            rendered(
                "<meta name=description content='the first words of the story'><p>the first<p>to be or not<p>xyz of it"
            )
        ]
    )
    number = np.array([random.randrange(-1, 2) for _ in range(len(blocks))])
    if (number >= 0).any():
        assert by_site(blocks, number).content.tolist() == algorithm_1(blocks, number)


def test_the_best_cluster_of_a_site_is_its_body_text(site):
    clustered = learning.cluster(site)
    for measure in ("subsequence", "pieces"):
        labels = by_site(site, clustered.number, measure)
        assert {site.path[k] for k in np.flatnonzero(labels.content)} == {("main", "article", "p")}
        assert np.count_nonzero(labels.content) == 30
        assert labels.sources == {"description": 5}
    assert by_site(site, clustered.number).content.tolist() == algorithm_1(site, clustered.number)


def test_comments_win_on_a_page_and_not_on_the_site():
    pages = [article(seed) for seed in range(6)] + [article(99, replies=60)]
    blocks = of_pages(pages)
    number = learning.cluster(blocks).number
    whole, local = by_site(blocks, number), by_page(blocks, number)
    last = blocks.of(6)
    assert {blocks.path[k][-1] for k in last[whole.content[last]]} == {"p"}
    assert {blocks.path[k][-1] for k in last[local.content[last]]} == {"blockquote"}


def test_grown_labels_have_what_stands_in_the_content_s_element(site):
    found = labelled(site, learning.cluster(site).number, "pieces", "grown")
    assert {site.path[k] for k in np.flatnonzero(found.content)} == {
        ("main", "article", "p"),
        ("main", "article", "h1"),
    }


def test_labels_do_not_grow_by_what_every_page_has():
    page = (
        "<meta name=description content='text {0} of the page'><main><p>Text {0} of the page</p><p>Text {0} goes on</p>"
        "<h2>Share this</h2><h3>Note {0}</h3></main>"
    )
    pages = [rendered(page.format(name)) for name in ("one", "two", "three")]
    blocks = of_pages(pages)
    number = np.array([0 if path[-1] == "p" else -1 for path in blocks.path])
    found = grown(blocks, by_site(blocks, number))
    assert {blocks.path[k][-1] for k in np.flatnonzero(found.content)} == {"p", "h3"}


def test_noise_is_never_content(site):
    assert not by_site(site, np.full(len(site), -1)).content.any()
    assert not by_page(site, np.full(len(site), -1)).content.any()


@pytest.mark.parametrize(
    ("head", "source", "text"),
    [
        (
            "<title>T</title><meta name=Description content='A description of it all'>",
            "description",
            "A description of it all",
        ),
        (
            "<meta property=og:description content='An open graph description'>",
            "og:description",
            "An open graph description",
        ),
        (
            '<script type="application/ld+json">{"@graph": [{"description": "Said in linked data here"}]}</script>',
            "json-ld",
            "Said in linked data here",
        ),
        ("<title>Only a title</title><meta name=description content=Blog>", "title", "Only a title"),
        ("", "", None),
    ],
)
def test_what_a_page_says_of_itself_comes_from_the_best_source(head, source, text):
    found, said = best(of_page(rendered(f"{head}<p>x")))
    assert found == source
    assert said == ((text,) if text else ())


def test_without_any_claim_the_longest_cluster_wins_and_the_result_says_so():
    blocks = of_pages([rendered("<p>a long paragraph of text<p>another paragraph of text<li>x")])
    found, sources = relevance(blocks)
    assert sources == {NO_CLAIM: 1}
    assert found.tolist() == [len(text) for text in blocks.text]


def test_several_claims_of_one_source_are_all_compared():
    assert best([Claim("title", "b"), Claim("title", "a"), Claim("title", "b")]) == ("title", ("b", "a"))


def test_a_description_that_pages_share_is_the_site_s_and_not_theirs():
    head = "<title>Page {0}</title><meta name=description content='All about the site and its people'>"
    blocks = of_pages([rendered(head.format(n) + "<p>Some text of page") for n in ("one", "two", "three")])
    assert relevance(blocks)[1] == {"title": 3}


def test_a_cluster_on_one_page_does_not_outweigh_that_of_all_pages():
    head = "<meta name=description content='the story of malaria number {0}'>"
    body = "<p>The story of malaria number {0} is told</p>"
    pages = [rendered(head.format(n) + body.format(n)) for n in range(4)]
    table = "".join(f"<li>The story of malaria number 9, row {n}</li>" for n in range(6))
    blocks = of_pages([*pages, rendered(head.format(9) + body.format(9) + f"<ul>{table}</ul>")])
    number = np.array([0 if path[-1] == "p" else 1 for path in blocks.path])
    assert by_site(blocks, number).cluster == 1  # as the paper adds up
    assert by_site(blocks, number, "pieces").cluster == 0

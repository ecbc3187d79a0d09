"""The detectors of templates: SST, RTDM, IWPTD, RBMTD, and the trees they compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clock import at_most
from tests.data import DATA, needs
from tests.reference import iwptd as naive_iwptd
from tests.reference import rbmtd as naive_rbmtd
from tests.reference import rtdm as naive_rtdm
from tests.reference import sst as naive_sst
from tests.reference import templates as naive
from tests.strategies import pages as any_pages
from thresher import extract, methods
from thresher.errors import NeedsSiblings
from thresher.methods import _template, rtdm, sst
from thresher.output import to_text
from thresher.page import Page
from thresher.parse import parse
from thresher.template.nodes import nodes
from thresher.template.style_tree import style_tree
from thresher.template.subtrees import positions, subtrees
from thresher.visible.readable import readable

NAMES = ["iwptd", "rbmtd", "rtdm", "sst"]
some = settings(max_examples=40, deadline=None)
few = settings(max_examples=12, deadline=None)


def rows(mask: np.ndarray) -> set[int]:
    return set(np.flatnonzero(mask).tolist())


# ---- pages of a small site -----------------------------------------------------------------------------------

MENU = "<ul class=menu><li><a href=/>Home</a></li><li><a href=/news>All the news</a></li></ul>"
FOOT = "<div class=foot>The harbour office, open from nine to five.</div>"
PLACES = ["Aden", "Brest", "Cork", "Dover", "Esbjerg", "Fowey", "Genoa", "Hull"]


def article(place: str, extra: str = "") -> Page:
    """A page of the site; what is its own says the place in every text."""
    body = f"<h1>{place} reopens</h1><p>The harbour of {place} has reopened after a storm.</p>"
    body += f"<p>Ships may enter {place} <b>from Monday on</b>.</p>" * (1 + PLACES.index(place) % 3)
    return parse(f"<title>{place}</title>{MENU}<div class=main>{extra}{body}</div>{FOOT}", url=f"http://x.test/{place}")


SITE = [article(place) for place in PLACES]


@pytest.mark.parametrize("name", NAMES)
def test_what_all_pages_have_is_template_and_the_rest_is_content(name: str) -> None:
    result = extract(SITE[0], method=name, siblings=SITE[1:])
    assert "The harbour of Aden has reopened" in result.text
    assert "Aden reopens" in result.text
    assert "All the news" not in result.text
    assert "open from nine to five" not in result.text
    assert result.elements is not None
    assert not result.elements[SITE[0].tag == 0].any()


@pytest.mark.parametrize("name", NAMES)
def test_copies_of_the_page_do_not_make_it_template(name: str) -> None:
    copies = [parse(SITE[0].markup.decode(), url=f"http://x.test/print/{k}") for k in range(3)]
    alone = extract(SITE[0], method=name, siblings=SITE[1:]).text
    assert extract(SITE[0], method=name, siblings=[*copies, *SITE[1:]]).text == alone
    # With nothing but copies nothing is known, and nothing is thrown away.
    assert extract(SITE[0], method=name, siblings=copies).keep.sum() == readable(SITE[0]).sum()


def test_one_page_more_of_the_same_kind_shifts_positions_but_not_mappings() -> None:
    # An advertisement before the menu of one page moves everything after it.
    moved = [parse(page.markup.decode().replace("<ul", "<p>Buy nets!</p><ul", 1), url=page.url) for page in SITE[1:4]]
    assert "All the news" in extract(SITE[0], method="rbmtd", siblings=moved).text
    for name in ("rtdm", "iwptd"):
        assert "All the news" not in extract(SITE[0], method=name, siblings=moved).text


def test_a_changed_wrapper_hides_what_is_below_it_from_a_top_down_mapping_only() -> None:
    wrapped = [
        parse(f'<div class="page-{k}">{page.markup.decode()}</div>', url=page.url) for k, page in enumerate(SITE[:4])
    ]
    assert "All the news" in extract(wrapped[0], method="rtdm", siblings=wrapped[1:]).text
    assert "All the news" not in extract(wrapped[0], method="rbmtd", siblings=wrapped[1:]).text


def test_support_is_five_pages_where_there_are_enough() -> None:
    def page(k: int, said: bool) -> Page:
        advert = "<div>Nets at half the price this week</div>" if said else ""
        return parse(f"{advert}<div>{' '.join(f'word{k}{n}' for n in range(30))}</div>")

    for on, template in ((4, False), (5, True)):
        site = [page(k, k < on) for k in range(12)]
        assert ("half the price" not in extract(site[0], method="iwptd", siblings=site[1:]).text) is template


# ---- the contract --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_page_without_siblings_is_told_which_command_brings_some(name: str) -> None:
    with pytest.raises(NeedsSiblings, match=f"thresher site extract PAGE --method {name}"):
        extract(SITE[0], method=name)


@pytest.mark.parametrize("name", NAMES)
@given(pages=st.lists(any_pages(), min_size=2, max_size=4))
@few
def test_kept_texts_stand_in_chosen_elements(name: str, pages: list[Page]) -> None:
    module = methods.module(name)
    options = module.Options(siblings=tuple(pages[1:]))
    keep, chosen = module.judge(pages[0], options).keep, module.judge(pages[0], options).elements
    assert chosen[pages[0].owner[keep]].all()


@pytest.mark.parametrize("name", NAMES)
def test_a_deep_page_is_read_without_recursion(name: str) -> None:
    deep = [parse("<div>" * 1500 + f"<p>{page.text[-2]} {page.url}</p>" + "</div>" * 1500) for page in SITE[:3]]
    assert extract(deep[0], method=name, siblings=deep[1:]).keep.any()


# ---- against naive twins -------------------------------------------------------------------------------------

_LEAVES = ["Home", "News", "A sentence.", "Another one", "<br>", "<img src=a.png>", "<img src=b.png>", "x y", "x z"]
_OPEN = ["<div>", "<div class=a>", "<p>", "<b>", "<ul>", '<a href="/1">', '<a href="/2">', "<section id=s>"]


def _closed(opening: str, inside: str) -> str:
    return f"{opening}{inside}</{opening[1:-1].split()[0]}>"


_block = st.recursive(
    st.sampled_from(_LEAVES),
    lambda inner: st.builds(_closed, st.sampled_from(_OPEN), st.lists(inner, max_size=4).map("".join)),
    max_leaves=8,
)


@st.composite
def sites(draw: Any, least: int = 2) -> list[Page]:
    """Pages put together from the same few pieces, so that they share some."""
    pieces = draw(st.lists(_block, min_size=1, max_size=5))
    choice = st.lists(st.sampled_from(pieces) | _block, max_size=6).map("".join)
    return [parse(html) for html in draw(st.lists(choice, min_size=least, max_size=4))]


Naive = Callable[[Page, Sequence[Page]], set[int]]


@given(st.one_of(sites(), st.lists(any_pages(), min_size=2, max_size=2)))
@some
def test_equal_numbers_mean_equal_subtrees_and_positions(pages: list[Page]) -> None:
    whole: dict[int, set[Any]] = {}
    places: dict[int, set[Any]] = {}
    for page in pages:
        tree = naive.tree(page)
        path = naive_rbmtd.places(tree)
        for v in range(len(tree.node)):
            whole.setdefault(int(subtrees(page)[v]), set()).add(tree.whole(v))
            places.setdefault(int(positions(page)[v]), set()).add(path[v])
    for found in (whole, places):
        assert all(len(values) == 1 for values in found.values())
        assert len(found) == len(set.union(*found.values()))


@given(sites())
@some
def test_nodes_are_elements_and_texts_in_document_order(site: list[Page]) -> None:
    page, tree = site[0], naive.tree(site[0])
    made = nodes(page)
    assert [tree.node[v] for v in made.element] == [("element", row) for row in range(len(page))]
    assert [tree.node[v] for v in made.text] == [("text", k) for k in range(len(page.text))]
    assert [sorted(np.flatnonzero(made.parent == v)) for v in range(len(made))] == tree.children
    assert [list(range(v, made.end[v])) for v in range(len(made))] == [tree.branch(v) for v in range(len(made))]


@pytest.mark.parametrize("name", NAMES)
@given(site=sites())
@some
def test_a_detector_agrees_with_its_twin(name: str, site: list[Page]) -> None:
    page, others = site[0], site[1:]
    twins: dict[str, Naive] = {
        "iwptd": lambda page, others: naive_iwptd.template(page, others, 5, 0.9),
        "rbmtd": naive_rbmtd.template,
        "rtdm": lambda page, others: set.intersection(*(naive_rtdm.retained(page, other) for other in others)),
        "sst": lambda page, others: naive_sst.template(page, others, 0.2, 0.9),
    }
    expected = twins[name](page, others)
    with pytest.MonkeyPatch.context() as patch:  # all siblings, whatever the n-SET would be
        patch.setattr(methods.module(name), "compared", lambda name, page, siblings, most: list(siblings))
        module = methods.module(name)
        options = module.Options(siblings=tuple(others))
        assert rows(module.template(page, options)) == expected
        assert module.judge(page, options).keep.tolist() == naive.content_texts(page, expected)
        assert rows(module.judge(page, options).elements) == naive.content_elements(page, expected)


@given(sites())
@some
def test_our_mapping_is_no_cheaper_than_the_cheapest_one(site: list[Page]) -> None:
    page, other = site[:2]
    cost, _ = naive_rtdm.cheapest(page, other)
    assert len(nodes(page)) + len(nodes(other)) - 2 * int(rtdm.retained(page, other).sum()) >= cost


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=12), st.sampled_from(_OPEN))
@some
def test_what_two_pages_share_is_retained_whatever_stands_between(
    blocks: list[tuple[bool, bool]], opening: str
) -> None:
    """Blocks with a text of their own, each on one page, on both or on none."""
    ours, theirs = (
        parse("".join(_closed(opening, f"text {k}") for k, on in enumerate(blocks) if on[side])) for side in (0, 1)
    )
    kept = rtdm.retained(ours, theirs)[nodes(ours).text]
    shared = {f"text {k}" for k, on in enumerate(blocks) if all(on)}
    assert {text for text, retained in zip(ours.text, kept, strict=True) if retained} == shared


@given(sites())
@few
def test_a_page_mapped_to_itself_is_retained_whole(site: list[Page]) -> None:
    assert rtdm.retained(site[0], parse(site[0].markup)).all()


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=12, unique_by=lambda pair: pair[0]))
@some
def test_the_heaviest_chain_is_the_heaviest(pairs: list[tuple[int, int]]) -> None:
    values, weights = [value for value, _ in pairs], [weight for _, weight in pairs]
    chain = rtdm._heaviest_chain(values, weights)
    assert [values[k] for k in chain] == sorted(values[k] for k in chain)
    best = naive_rtdm.heaviest(list(enumerate(values)), weights)
    assert sum(weights[k] for k in chain) == sum(weights[k] for k, _ in best)


@given(sites())
@some
def test_the_importance_of_a_place_is_a_share(site: list[Page]) -> None:
    tree = style_tree(site)
    composite, largest = sst.composite_importance(tree, site, 0.9)
    for values in (sst.node_importance(tree), sst.leaf_importance(tree, site), composite):
        assert (values >= -1e-9).all()
        assert (values <= 1 + 1e-9).all()
    assert (largest >= composite).all()
    assert (tree.pages <= len(site)).all()
    np.testing.assert_array_equal(np.bincount(tree.owner, tree.used), tree.pages)


# ---- cost ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_wide_pages_of_strange_siblings_are_compared_in_time(name: str) -> None:
    """Ten thousand list items in another order, each with its own text: a table of them would have 10⁸ cells."""
    order = np.random.default_rng(1).permutation(10_000)
    first = parse("<ul>" + "".join(f"<li>Item {k}</li>" for k in range(10_000)) + "</ul>")
    second = parse("<ul>" + "".join(f"<li>Item {k}</li>" for k in order.tolist()) + "<li>One more</ul>")
    module = methods.module(name)
    with at_most(2), pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "compared", lambda name, page, siblings, most: list(siblings))
        module.judge(first, module.Options(siblings=(second,)))


# ---- the pages of `sites` ------------------------------------------------------------------------------------


@needs("sites")
@pytest.mark.parametrize(
    ("name", "words", "nodes_"),
    [("iwptd", 0.93, 0.82), ("sst", 0.92, 0.79), ("rbmtd", 0.91, 0.73), ("rtdm", 0.89, 0.74)],
)
def test_scores_on_real_sites_do_not_fall(name: str, words: float, nodes_: float, real_sites: list[Any]) -> None:
    from thresher.evaluate.elements import gold_elements
    from thresher.evaluate.measures import TEXT_MEASURES
    from thresher.evaluate.measures import nodes as node_measure

    by_words, by_nodes = [], []
    for record, page, siblings in real_sites:
        module = methods.module(name)
        template = module.template(page, module.Options(siblings=siblings))
        gold = gold_elements(page, record.gold_selectors, record.exclude_selectors)
        by_words.append(TEXT_MEASURES["bow"](record.gold, to_text(page, _template.content_texts(page, template))).f1)
        by_nodes.append(node_measure(gold, _template.content_elements(page, template)).f1)
    assert np.mean(by_words) >= words
    assert np.mean(by_nodes) >= nodes_


@pytest.fixture(scope="module")
def real_sites() -> list[Any]:
    from thresher.evaluate.datasets import open_dataset
    from thresher.evaluate.datasets.record import read_bytes

    parsed: dict[Any, Page] = {}
    found = []
    dataset = open_dataset(DATA / "sites")
    for record in map(dataset.read, dataset.ids()[::2]):  # one key page of most sites
        for url, file in record.siblings.items():
            if file not in parsed:
                parsed[file] = parse(read_bytes(file), url=url)
        if record.siblings:
            page = parse(record.html, url=record.url)
            found.append((record, page, tuple(parsed[file] for file in record.siblings.values())))
    return found

"""The rules after the network: one table; each can be named, switched off and explained."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

import thresher
from thresher.cli import main
from thresher.errors import WrongOption
from thresher.methods.auto.decision import decide
from thresher.methods.auto.model import opinion
from thresher.methods.auto.rules import NAMES, RULES

PROSE = "The flail loosens the grain from the ear, and the wind of the open door carries the chaff away. "
TEXT = f"<p>{PROSE * 2}</p>" * 3
LINK = '<a href="/other">Old flails found in a barn near here</a>'
ITEMS = "".join(f"<li><a href=#s{k}>Part {k} of it</a></li>" for k in range(4))
SECTIONS = "".join(f"<h2 id=s{k}>Part {k} of it</h2>{TEXT}" for k in range(4))

# By rule: what stands in the article, the text to look for, and how likely the network finds it.
CASES = {
    "title": ("", "Threshing by hand", 0.01),
    "heading": (f"<section><h2>The open door</h2>{TEXT}</section>", "The open door", 0.35),
    "code": (f"<pre><code>thresh(sheaf)</code></pre>{TEXT}", "thresh(sheaf)", 0.12),
    "caption": (f"<figure><figcaption>Figure 3: A flail</figcaption></figure>{TEXT}", "Figure 3: A flail", 0.01),
    "contents": (f"<ul>{ITEMS}</ul>{SECTIONS}", "Part 2 of it", 0.9),
    "dialog": (f"{TEXT}<div role=dialog><p>We value the wind</p></div>", "We value the wind", 0.9),
    "orphan": (f"{TEXT}<div><h4>In the barn</h4><p class=low>A few other words</p></div>", "In the barn", 0.9),
    "comments": (f"{TEXT}<div class=comments><p>I saw it happen.</p></div>", "I saw it happen.", 0.9),
    "related": (f"{TEXT}<p>Lesen Sie auch: {LINK}</p>{TEXT}", "Lesen Sie auch: Old flails", 0.9),
    "byline": (f"<p>Von Katharina Brandl</p>{TEXT}", "Von Katharina Brandl", 0.9),
    "author": (
        f"<p>Von Katharina Brandl</p>{TEXT}"
        "<div><b>Katharina Brandl</b><p>Katharina Brandl hat als Kind gedroschen</p></div>",
        "Katharina Brandl hat als Kind gedroschen",
        0.9,
    ),
    "advert": (f"{TEXT}<div>Anzeige</div>{TEXT}", "Anzeige", 0.9),
    "signup": (f"{TEXT}<div><p>Jeden Morgen Post</p><input type=email></div>{TEXT}", "Jeden Morgen Post", 0.9),
    "copyright": (f"{TEXT}<p>© 2024 Der Kurier</p>", "© 2024 Der Kurier", 0.9),
}


def page_of(inside: str) -> thresher.Page:
    return thresher.parse(
        "<!doctype html><html lang=de><title>Threshing by hand</title>"
        f"<body><article><h1>Threshing by hand</h1>{TEXT}{inside}</article></body></html>"
    )


def test_names_are_distinct_and_every_rule_is_tried_below() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert set(CASES) == set(NAMES)


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_each_rule_can_be_switched_off(rule) -> None:
    inside, sought, probability = CASES[rule.name]
    page = page_of(inside)
    found = opinion(page)
    texts = ["".join(page.text[a : b + 1]) for a, b in zip(found.blocks.first, found.blocks.last, strict=True)]
    block = next(at for at, text in enumerate(texts) if text.startswith(sought))
    p = np.full(len(texts), 0.9)
    p[block] = probability
    p[[text == "A few other words" for text in texts]] = 0.01
    ruled, free = (decide(page, found, p, "balanced", without) for without in ((), (rule.name,)))
    assert bool(ruled.kept[block]) == (rule.action == "keep")
    assert bool(free.kept[block]) != ruled.kept[block]
    said = f"{'for' if rule.action == 'keep' else 'against'}: {rule.reason}"
    assert said in [*ruled.reasons(block)]
    assert said not in [*free.reasons(block)]


def test_rules_are_switched_off_by_the_name_of_the_method() -> None:
    page = page_of(f"<p>Von Katharina Brandl</p><ul>{ITEMS}</ul>{SECTIONS}")
    byline = "Von Katharina Brandl"
    assert byline not in thresher.extract(page).text
    assert byline not in thresher.extract(page, method="auto:without=contents").text
    assert byline in thresher.extract(page, method="auto:without=byline").text
    assert byline in thresher.extract(page, method="auto:without=contents+byline").text


def test_an_unknown_rule_is_refused_with_the_list_of_rules() -> None:
    with pytest.raises(WrongOption, match=r"title, heading, .*byline.*, not 'bylines'"):
        thresher.extract("<p>A page", method="auto:without=bylines")
    result = CliRunner().invoke(main, ["evaluate", ".", "-m", "auto:without=contents+bylines"])
    assert result.exit_code == 2
    assert "author" in result.output


def test_what_a_narrower_focus_keeps_a_wider_one_keeps_without_any_rule_too() -> None:
    page = page_of("".join(inside for inside, _, _ in CASES.values()))
    for without in ("", *NAMES):
        method = f"auto:without={without}" if without else "auto"
        narrow, usual, wide = (
            thresher.extract(page, method=method, focus=focus).keep for focus in ("precision", "balanced", "recall")
        )
        assert (narrow <= usual).all()
        assert (usual <= wide).all()

"""Closed tabs and accordions: apart by default, part of the result on request and where the page is made of them."""

from __future__ import annotations

import pytest

import thresher

WORDS = "The {} answer takes the time it needs, and says in some forty words of plain prose what a flail is good for."
INTRO = "<h1>Questions about threshing</h1><p>Here we answer what people ask us most often about threshing by hand.</p>"
ARTICLE = "".join(
    f"<p>{WORDS.format(f'visible {n}')} It stands there for all to read, and is longer.</p>" for n in range(12)
)
NUMBERS = ("first", "second", "third", "fourth", "fifth")


def page(body: str, style: str = "") -> str:
    return f"<!doctype html><title>Questions</title><style>{style}</style><body><main>{body}</main>"


def accordion(header: str, box: str, numbers: tuple[str, ...] = NUMBERS) -> str:
    return "".join(
        f"<div>{header.format(n=n)}{box.format(n=n, text=f'<p>{WORDS.format(n)}</p>')}</div>" for n in numbers
    )


EXPANDED = "<h3><button aria-expanded=false aria-controls=a-{n}>The {n} question?</button></h3>"
NAMED = (
    "<h3 class=accordion-title>The {n} question?</h3>",
    "<div class=accordion-body style='display:none'>{text}</div>",
)
BOXES = {
    "hidden": (EXPANDED, "<div id=a-{n} hidden>{text}</div>"),
    "no height": (EXPANDED, "<div id=a-{n} style='max-height:0;overflow:hidden'>{text}</div>"),
    "closing": (EXPANDED, "<div id=a-{n} style='display:none;opacity:0;height:0;overflow:hidden'>{text}</div>"),
    "clickable": (
        "<div class=x><div tabindex=0 role=button>The {n} question?</div></div>",
        "<div class=y style='display:none'>{text}</div>",
    ),
    "named": NAMED,
    "questions": (
        "<p class=faq-question>The {n} question?</p>",
        "<div class=faq-answer style='display:none'>{text}</div>",
    ),
    "region": (
        "<div role=button aria-expanded=false><p>The {n} question?</p></div>",
        "<div style='height:0;overflow:hidden;visibility:hidden'><div><div role=region>{text}</div></div></div>",
    ),
    "tab panels in a row": (
        "<h3 role=tab aria-controls=p-{n} aria-expanded=false tabindex=0>The {n} question?</h3>",
        "<div id=p-{n} role=tabpanel aria-hidden=true style='display:none'>{text}</div>",
    ),
    "list": ("<dl><dt role=button tabindex=0>The {n} question?</dt>", "<dd hidden>{text}</dd></dl>"),
    "table": (
        "<table><tr><td><button aria-expanded=false>The {n} question?</button></td></tr>",
        "<tr style='display:none'><td>{text}</td></tr></table>",
    ),
}


def codes(result: thresher.Extraction) -> set[str]:
    return {warning.partition(":")[0] for warning in result.warnings}


@pytest.mark.parametrize("kind", BOXES)
def test_a_page_made_of_closed_answers_has_them(kind: str) -> None:
    html = page(INTRO + accordion(*BOXES[kind]))
    result = thresher.extract(html)
    assert all(WORDS.format(n) in result.text for n in NUMBERS)
    assert all(f"The {n} question?" in result.text for n in NUMBERS)
    assert "recovered" in codes(result)
    assert WORDS.format("first") not in thresher.extract(html, focus="precision").text


@pytest.mark.parametrize("kind", BOXES)
def test_a_page_with_an_article_keeps_them_apart(kind: str) -> None:
    html = page(INTRO + ARTICLE + accordion(*BOXES[kind]))
    result = thresher.extract(html)
    assert not any(WORDS.format(n) in result.text for n in NUMBERS)
    assert all(WORDS.format(n) in result.hidden for n in NUMBERS)
    assert all(WORDS.format(n) in thresher.extract(html, focus="recall").text for n in NUMBERS)


def test_two_closed_answers_are_no_page_but_are_told() -> None:
    alone = "<div hidden><p>Nothing opens this box of some forty characters, and it stays closed.</p></div>"
    html = page(INTRO + accordion(*BOXES["hidden"], numbers=NUMBERS[:2]) + alone)
    result = thresher.extract(html)
    assert WORDS.format("first") not in result.text
    assert "closed" in codes(result)
    recalled = thresher.extract(html, focus="recall").text
    assert WORDS.format("first") in recalled
    assert "Nothing opens" not in recalled


def test_blocks_say_why_answers_and_questions_are_there() -> None:
    blocks = thresher.extract(page(INTRO + accordion(*BOXES["hidden"]))).blocks
    why = {block.text: block.reasons for block in blocks if block.kept}
    assert why[WORDS.format("second")] == ("for: a hidden panel that the page itself can open (tab, accordion)",)
    assert why["The second question?"] == ("for: the label of a hidden panel that was recovered",)


@pytest.mark.parametrize("focus", ["balanced", "recall"])
@pytest.mark.parametrize(
    ("header", "box"),
    [
        ("<p>The {n} paragraph stands here.</p>", "<div style='display:none'>{text}</div>"),
        ("<h3>The {n} heading</h3>", "<div class=note hidden>{text}</div>"),
        (EXPANDED, "<div id=a-{n} style='position:absolute;left:-9999px'>{text}</div>"),
        (EXPANDED, "<div id=a-{n} style='opacity:0'>{text}</div>"),
        (EXPANDED, "<div id=a-{n} style='display:none;font-size:0'>{text}</div>"),
        (EXPANDED, "<div id=modal-{n} class=popup hidden>{text}</div>"),
    ],
)
def test_what_nothing_opens_or_no_widget_hides_stays_out(header: str, box: str, focus: str) -> None:
    result = thresher.extract(page(INTRO + accordion(header, box)), focus=focus)  # type: ignore[arg-type]
    assert not any(WORDS.format(n) in result.text for n in NUMBERS)


def test_an_accordion_in_a_closed_tab_comes_back_with_it() -> None:
    tab = "<button role=tab aria-controls=t>All answers</button>"
    inner = accordion(*NAMED)
    html = page(f"{INTRO}{tab}<section id=t role=tabpanel hidden>{inner}</section>")
    result = thresher.extract(html, focus="recall")
    assert all(WORDS.format(n) in result.text and f"The {n} question?" in result.text for n in NUMBERS)


def test_other_methods_say_what_the_paper_says() -> None:
    html = page(INTRO + accordion(*BOXES["hidden"]))
    assert WORDS.format("first") not in thresher.extract(html, method="plain").text

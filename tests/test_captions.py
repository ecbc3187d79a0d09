"""A caption goes with its picture, in every form, and can be left out."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import thresher
from thresher.cli import main

PROSE = "The flail loosens the grain from the ear, and the wind of the open door carries the chaff away. "
CAPTION = "The barn of my grandparents in the summer of the flood"
FIGURES = {
    "figcaption": f"<figure><img src=/barn.jpg alt=Barn><figcaption>{CAPTION}</figcaption></figure>",
    "before": f"<figure><figcaption>{CAPTION}</figcaption><img src=/barn.jpg alt=Barn></figure>",
    "class": f'<div class="wp-caption"><img src=/barn.jpg alt=Barn><p class="wp-caption-text">{CAPTION}</p></div>',
}


def _page(figure: str, lang: str = "en") -> str:
    text = f"<p>{PROSE * 2}</p>" * 3
    return (
        f"<!doctype html><html lang={lang}><title>Threshing by hand</title><body><article><h1>Threshing by hand</h1>"
        f"{text}{figure}{text}</article></body></html>"
    )


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_a_caption_follows_its_picture(figure: str) -> None:
    result = thresher.extract(_page(figure), url="https://farm.example/a")
    assert CAPTION in result.text
    for form in (result.markdown, result.html, result.xml):
        assert 0 < form.index("/barn.jpg") < form.index(CAPTION)
    (image,) = result.images
    assert image == ("Barn", "https://farm.example/barn.jpg", CAPTION)


@pytest.mark.parametrize("form", ["text", "markdown", "html", "xml"])
@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_captions_are_left_out_on_request_and_the_verdict_is_the_same(figure: str, form: str) -> None:
    result = thresher.extract(_page(figure))
    keep = result.keep.copy()
    written = result.render(form, captions=False)  # type: ignore[arg-type]
    assert CAPTION not in written
    assert "grain from the ear" in written
    assert ("barn.jpg" in written) == (form != "text")
    assert (result.keep == keep).all()


def test_the_command_line_leaves_captions_out() -> None:
    page = _page(FIGURES["figcaption"])
    assert CAPTION in CliRunner().invoke(main, ["extract", "-"], input=page).stdout
    assert CAPTION not in CliRunner().invoke(main, ["extract", "-", "--no-captions"], input=page).stdout


def test_the_caption_of_a_teaser_stays_out_with_its_picture() -> None:
    teaser = (
        '<li><a href="/{0}"><figure><img src=/{0}.jpg><figcaption>Teaser {0}</figcaption></figure>More {0}</a></li>'
    )
    html = _page("").replace("</article>", f"</article><ul class=related>{''.join(map(teaser.format, 'abcdef'))}</ul>")
    assert "Teaser" not in thresher.extract(html).text


def test_what_explains_no_picture_is_no_caption() -> None:
    quote = f"<figure><blockquote>{PROSE}</blockquote><figcaption>Figure 3: A proverb</figcaption></figure>"
    assert "A proverb" in thresher.extract(_page(quote)).render(captions=False)


def test_links_have_text_and_url() -> None:
    result = thresher.extract(_page('<p>See <a href="/b">the <b>barn</b></a>.</p>'), url="https://farm.example/a")
    assert [(link.text, link.url) for link in result.links] == [("the barn", "https://farm.example/b")]

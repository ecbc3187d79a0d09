"""Shortcodes that a content system left in a page are in no form of it; brackets that an author wrote are."""

from __future__ import annotations

import pytest

from thresher.output import to_html, to_markdown, to_text, to_xml
from thresher.parse import parse
from thresher.visible.readable import readable


def text_of(html: str) -> str:
    page = parse(html)
    return to_text(page, readable(page))


@pytest.mark.parametrize(
    "html",
    [
        "<p>[vc_row][vc_column]</p><p>Boats.</p><p>[/vc_column][/vc_row]</p>",
        '<p>[vc_row css=".vc_custom_1{margin: 0 !important;}" full_width="stretch_row"]Boats.[/vc_row]</p>',
        "<p>[et_pb_section bb_built=”1″ admin_label=”section”]Boats.[/et_pb_section]</p>",
        '<p>[adthrive-in-post-video-player video-id="aBc" upload-date="2020-01-01" name="Boats"]</p><p>Boats.</p>',
        "<p>[adthrive-in-post-video-player]</p><p>Boats.</p>",
        '<p>[caption id="attachment_1" align="alignnone" width="300"]Boats.[/caption]</p>',
        "<p>[caption]Boats.[/caption]</p>",
        "<p>[gallery ids='1,2' link=none /]</p><p>Boats.</p>",
        "<p>[my_plugin_box]</p><div>Boats.</div>",
        '<p>[button&nbsp;href="/x"]Boats.[/button]</p>',
    ],
)
def test_a_shortcode_is_not_printed(html):
    page = parse(html)
    keep = readable(page)
    assert to_text(page, keep) == "Boats."
    assert to_markdown(page, keep) == "Boats."
    for written in (to_html(page, keep), to_xml(page, keep)):
        assert "Boats." in written
        assert "[" not in written


@pytest.mark.parametrize(
    "text",
    [
        "As shown [1], [sic], [citation needed], [ ] and [x].",
        "The [co-founder] of [non-fiction] said so in the [mid-1990s].",
        "Dear [first_name], we write to you.",
        "[sci-fi]",
        'See a[href_of] and [type="text"] and [[page_name]] and [foo_bar](/x).',
        "[b]bold[/b] and [url=http://a.example]here[/url] and [quote]so[/quote]",
        'The shortcode [gallery ids="1,2"] shows pictures.',
        "\\[x_i\\] is a formula",
        "A slash: [/etc] and [and/or].",
    ],
)
def test_other_brackets_stay(text):
    assert text_of(f"<p>{text}</p>") == text


@pytest.mark.parametrize("name", ["pre", "code", "kbd"])
def test_code_stays(name):
    line = '[vc_row css="x"]y[/vc_row]'
    assert line in text_of(f"<p>[vc_row]Boats.[/vc_row]</p><{name}>{line}</{name}><p>[vc_row]</p>")
    assert text_of(f"<{name}>{line}</{name}><p>[vc_row]Boats.</p>").endswith("Boats.")
    assert "[vc_row]" not in text_of(f"<{name}>{line}</{name}><p>[vc_row]Boats.</p>")


def test_attributes_stay():
    page = parse('<p title="[/vc_row]">[/vc_row]Boats.</p>')
    assert page.attribute(int(page.owner[0]), "title") == "[/vc_row]"


def test_many_of_them_and_of_those_that_do_not_end():
    assert text_of(f"<p>Boats.{'[vc_row]' * 100_000}</p>") == "Boats."
    hostile = '[a_b c="' * 20_000 + "[a_b c='x' " * 20_000 + '[ab c="[ab c=" c="' * 2_000
    assert text_of(f"<p>{hostile}</p>")

"""Notes, tips and warnings are GitHub's alerts in Markdown."""

from __future__ import annotations

import pytest

from thresher.output import to_html, to_markdown, to_text
from thresher.parse import parse
from thresher.visible.readable import readable


def markdown_of(html: str) -> str:
    page = parse(html)
    return to_markdown(page, readable(page))


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ('<div class="admonition note"><p class="admonition-title">Note</p><p>Mind the gap.</p></div>', "NOTE"),
        ('<div class="admonition"><p>Mind the gap.</p></div>', "NOTE"),
        ('<div class="admonition danger"><p class="admonition-title">Danger</p>Mind the gap.</div>', "CAUTION"),
        (
            '<div class="theme-admonition theme-admonition-tip alert"><div class="admonitionHeading_x">tip</div>'
            '<div class="admonitionContent_x"><p>Mind the gap.</p></div></div>',
            "TIP",
        ),
        (
            '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p>'
            "<p>Mind the gap.</p></div>",
            "WARNING",
        ),
        ('<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>Mind the gap.</p></div>', "TIP"),
        (
            '<blockquote class="blockquote-tag blockquote-tag-caution"><p class="blockquote-tag-title"><svg></svg>'
            "Caution</p><p>Mind the gap.</p></blockquote>",
            "CAUTION",
        ),
        (
            '<aside class="starlight-aside starlight-aside--tip"><p class="starlight-aside__title">Tip</p>'
            '<div class="starlight-aside__content"><p>Mind the gap.</p></div></aside>',
            "TIP",
        ),
        (
            '<div class="admonitionblock important"><table><tr><td class="icon"><div class="title">Important</div></td>'
            '<td class="content">Mind the gap.</td></tr></table></div>',
            "IMPORTANT",
        ),
        ('<div class="seealso"><p class="admonition-title">TIP</p><p>Mind the gap.</p></div>', "NOTE"),
        ('<aside class="important">Mind the gap.</aside>', "IMPORTANT"),
        ('<div role="note"><b>Note:</b><p>Mind the gap.</p></div>', "NOTE"),
    ],
)
def test_an_admonition_keeps_its_marking(html, kind):
    assert markdown_of(f"<p>One.</p>{html}<p>Two.</p>") == f"One.\n\n> [!{kind}]\n> Mind the gap.\n\nTwo."


def test_a_title_of_its_own_and_several_blocks_stay():
    html = '<div class="admonition tip"><p>Read on</p><p>One.</p><ul><li>Two</li></ul><pre>three\n\nfour</pre></div>'
    expected = "> [!TIP]\n> Read on\n>\n> One.\n>\n> - Two\n>\n> ```\n> three\n>\n> four\n> ```"
    assert markdown_of(html) == expected


def test_other_forms_have_the_blocks():
    page = parse('<div class="admonition note"><p>Note</p><p>Mind the gap.</p></div>')
    assert to_text(page, readable(page)) == "Note\n\nMind the gap."
    assert to_html(page, readable(page)) == "<p>Note</p>\n<p>Mind the gap.</p>"


@pytest.mark.parametrize(
    "html",
    [
        '<div class="note big">Mind the gap.</div>',
        '<div role="note" class="hatnote navigation-not-searchable">Mind the gap.</div>',
        '<p class="note">Mind the gap.</p>',
        '<p class="admonition-title">Mind the gap.</p>',
        '<div class="admonition note"></div>Mind the gap.',
    ],
)
def test_others_are_plain(html):
    assert markdown_of(html) == "Mind the gap."


def test_one_in_a_cell_leaves_the_table_as_it_is():
    cells = '<tr><th>a</th><th>b</th></tr><tr><td><div class="note">x</div></td><td>y</td></tr>'
    assert markdown_of(f"<table>{cells}</table>") == "| a | b |\n| --- | --- |\n| x | y |"


def test_nothing_but_a_title_is_a_paragraph():
    assert markdown_of('<div class="admonition note"><p>Note</p></div>') == "Note"

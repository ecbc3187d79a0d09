"""Programs of which each line is an element are one listing, or nothing."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.output import to_html, to_markdown, to_text
from thresher.parse import parse

CODE = "def f(x):\n    return x\nprint(f(1))"


def lines(form: str) -> str:
    return "".join(form.format(number=number, line=line) for number, line in enumerate(CODE.split("\n"), 1))


HIGHLIGHT = lines('<div class="line"><span class="ln">{number}</span>{line}</div>')
NUMBERS = lines("<div class='cm-gutterElement'>{number}</div>")
PAGES = {
    "highlight": f'<div class="highlight" data-lang="python">{HIGHLIGHT}</div>',
    "codemirror 5": '<div class="CodeMirror" data-lang="python"><div class="CodeMirror-code">'
    + lines(
        '<div><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber">{number}</div></div>'
        '<pre class=" CodeMirror-line "><span>{line}</span></pre></div>'
    )
    + "</div></div>",
    "codemirror 6": f'<div class="cm-editor"><div class="cm-gutters">{NUMBERS}</div><div class="cm-content" '
    f"data-language='python'>{lines('<div class=cm-line>{line}</div>')}</div></div>",
    "monaco": f'<div class="monaco-editor" data-mode-id="python"><div class="margin">{NUMBERS}</div>'
    f"<div class='view-lines'>{lines('<div class=view-line><span>{line}</span></div>').replace(' ' * 4, '&nbsp;' * 4)}"
    "</div></div>",
    "ace": f'<div class="ace_editor"><div class="ace_gutter">{NUMBERS}</div><div class="ace_text-layer" '
    f"data-lang='python'>{lines('<div class=ace_line>{line}</div>')}</div></div>",
    "code": f"<code class='language-python'>{lines('<div class=line>{line}</div>')}</code>",
    "react": "<pre><code class='language-python'>"
    + lines('<span class="react-syntax-highlighter-line-number">{number}\n</span>{line}\n')
    + "</code></pre>",
}


@pytest.mark.parametrize("name", PAGES)
def test_lines_are_one_listing_without_numbers(name: str) -> None:
    page = parse(f"<p>Before.</p>{PAGES[name]}<p>After.</p>")
    keep = np.ones(len(page.start), bool)
    assert to_markdown(page, keep) == f"Before.\n\n```python\n{CODE}\n```\n\nAfter."
    assert to_text(page, keep) == f"Before.\n\n{CODE}\n\nAfter."
    assert f"<pre><code>{CODE}</code></pre>" in to_html(page, keep)


@pytest.mark.parametrize("count", [1, 2])
def test_lines_are_printed_whole_or_not_at_all(count: int) -> None:
    page = parse(f"<p>Before.</p>{PAGES['codemirror 6']}<p>After.</p>")
    keep = np.array(
        [text in ("Before.", "After.", *CODE.split("\n")[-count:]) for text in page.cut(range(len(page.start)))]
    )
    printed = to_text(page, keep)
    assert printed == ("Before.\n\nAfter." if count == 1 else f"Before.\n\n{CODE}\n\nAfter.")


def test_lines_of_prose_are_no_program() -> None:
    page = parse('<div class="poem"><div class="line">Roses are red,</div><div class="line">violets blue.</div></div>')
    assert to_markdown(page, np.ones(len(page.start), bool)) == "Roses are red,\n\nviolets blue."

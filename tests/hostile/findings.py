"""Inputs that once broke something, found by fuzzing or by hand; each with what it broke."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hostile.case import SENTENCES, Case, article

__all__ = ["cases"]

FINDINGS: dict[str, bytes] = {
    # The name of an unknown element went into the XPath of its block as it stood.
    "an escape in an element's name": b"<p-\x1b$B$3$l$OJ8V/noS@layer>font-size and more of it, a sentence.</p-\x1b$B>",
    "a control in an element's name": b"<t\x05d><p>Words of a paragraph, which is long enough to be read by all.</p>",
    # JSON leaves DEL and C1 controls as they are, and the texts of blocks were not cleaned.
    "a delete in a block": b"<p>words \x7f of a paragraph \xc2\x9d with controls \xc2\x8b in it, some of them.</p>",
    # The label of a date was looked for in the text behind it, where the page had ended.
    "a date behind all text": (
        b"<p>A claim that is made here, and a second one, which goes on for some words.</p><p>none"
        b"<time datetime=2024-03-05></time></p>"
    ),
    # Two joiners in a row are a code, not writing.
    "joiners in a row": b"<p>&copy2&zwnj;&zwj;&shy;&ZeroWidthSpace; words of a paragraph, some more of them.</p>",
    # Sixty kilobytes that the parser turned into 130 MB: formatting is opened anew in every paragraph.
    "formatting that multiplies": "".join(f"<b id={k}><p>x" for k in range(500)).encode(),
    # An end tag that the parser ignores was taken for the end of the element: the page seemed flat, and hung it.
    "ends that end nothing": b"<span><div></span></div>" * 15_000,
    # Code that begins like a fence but is none: the crude reader of Markdown took what came after it for prose.
    "code that begins like a fence": b"<p><code>2 return `x` &lt; 3 ```</code></p><p><code>Ctrl&lt;b&gt;</code></p>",
    # Two million equals signs in a tag took a regular expression eight gigabytes.
    "equals signs in a tag": b"<p " + b"=" * 300_000 + b">words",
    # What looked like the attribute of a link was the end of the value of another one.
    "a relation in another value": b"<link title=' rel=' canonical=''><p>words of a paragraph, some more of them.</p>",
    # A page of no text at all but in its JSON-LD raised.
    "all text in JSON-LD": (
        b'<script type="application/ld+json">{"@type": "NewsArticle", "articleBody": "'
        + b"The wheat lay on the floor of the barn for weeks, and nobody came to thresh it. " * 12
        + b'"}</script>'
    ),
}


def cases() -> Iterator[Case]:
    for name, data in FINDINGS.items():
        yield Case(f"finding: {name}", data)
        yield Case(f"finding in an article: {name}", article(data.decode()), shows=SENTENCES[:1])

"""Addresses that run or load something, led through every place of a page that takes an address, or a text."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hostile.case import ARTICLE, SENTENCES, Case, article, page
from tests.hostile.properties import assert_inert_once_read, assert_leads_nowhere
from thresher.result.extraction import Extraction

__all__ = ["cases"]

ADDRESSES = {
    "a script": "javascript:alert(1)",
    "a script with a tab": "JaVa\tScRiPt:alert(1)",
    "a script in entities": "&#x6a;&#97;vascript&colon;alert(1)",
    "a script on two lines": "java&NewLine;script&Tab;:alert(1)",
    "a script behind a control": " &#1; javascript:alert(1)",
    "a basic script": "vbscript:x",
    "data": "data:text/html,&lt;script>alert(1)&lt;/script>",
    "a drawing of data": "data:image/svg+xml;base64,PHN2Zz4=",
    "a file": "file:///etc/passwd",
    "a script in a query": "http://x.example/?u=javascript:alert(1)",
}
PLACES = {
    "a": "<p>Words <a href='{}'>of a link</a> go on.</p>",
    "a title": "<p>Words <a href='/x' title='{}'>of a link</a> go on.</p>",
    "area": "<map name=m><area href='{}' alt=x></map>",
    "img": "<img src='{}' alt=words>",
    "alt": "<img src=/x.png alt='{}'>",
    "title of an image": "<img src=/x.png title='{}' alt=x>",
    "srcset": "<img srcset='{} 1x, /b.png 2x' alt=x>",
    "lazy images": "<img data-src='{}' data-lazy-src='{}' data-original='{}' alt=x>",
    "old images": "<img src=/x.png longdesc='{}' usemap='{}' lowsrc='{}' dynsrc='{}' alt=x>",
    "picture": "<picture><source srcset='{}'><img src='{}' alt=x></picture>",
    "video": "<video src='{}' poster='{}' controls><source src='{}'><track src='{}'></video>",
    "audio": "<audio src='{}' controls></audio>",
    "blockquote": "<blockquote cite='{}'><p>Words of a quotation go here.</p></blockquote>",
    "quotation": "<p>Words <q cite='{}'>quoted</q> and <ins cite='{}'>new</ins> <del cite='{}'>old</del> go on.</p>",
    "iframe": "<iframe src='{}'></iframe>",
    "video of a site": "<iframe src='https://www.youtube.com/embed/{}'></iframe>",
    "object": "<object data='{}' classid='{}' codebase='{}'></object><embed src='{}'>",
    "form": "<form action='{}'><button formaction='{}'>go</button><input type=image src='{}'></form>",
    "background": "<table background='{}'><tr><td background='{}'>a<td>b</table>",
    "svg": "<svg><a xlink:href='{}' href='{}'><text>x</text></a><image xlink:href='{}' /><use href='{}'/></svg>",
    "animation": "<svg><a><animate attributeName=href values='{}'/><text>x</text></a></svg>",
    "math": "<math href='{}'><mi xlink:href='{}'>x</mi></math>",
    "ping": "<p>Words <a href=/x ping='{}'>of a link</a>.</p>",
    "amp": "<amp-img src='{}' alt=x></amp-img>",
    "figure": "<figure><a href='{}'><img src='{}' alt=x></a><figcaption><a href='{}'>of it</a></figcaption></figure>",
    "footnote": "<p>Words<sup><a href='{}'>1</a></sup> go on.</p>",
    "heading": "<h2><a href='{}'>Words</a></h2>",
    "cell": "<table><tr><th>a<th>b<tr><td><a href='{}'>x</a><td><img src='{}' alt=y></table>",
    "caption": "<table><caption><a href='{}'>c</a></caption><tr><td>a<td>b<tr><td>c<td>d</table>",
    "item": "<ul><li><a href='{}'>words of an item</a></ul>",
    "definition": "<dl><dt><a href='{}'>t</a><dd><a href='{}'>d</a></dl>",
    "code": "<pre><a href='{}'>x = 1</a></pre><p>Some <code>{}</code> words of it go on.</p>",
    "summary": "<details><summary><a href='{}'>s</a></summary>d</details>",
    "noscript": "<noscript><img src='{}'></noscript><img src=data:image/gif;base64,AA alt=x>",
    "text": "<p>{} are some words of text that go on.</p>",
    "markdown": "<p>[words]({}) and ![words]({}) and &lt;{}&gt; go on.</p><p>[words][1].</p><p>[1]: {}</p>",
    "abbreviation": "<p>Words <abbr title='{}'>abc</abbr> go on.</p>",
    "time": "<time datetime='{}'>words</time>",
    "base": "<base href='{}'><p>Words <a href=x>of a link</a>.</p>",
}
HEADS = {
    "canonical": "<link rel=canonical href='{}'>",
    "og:url": "<meta property=og:url content='{}'>",
    "og:image": "<meta property=og:image content='{}'>",
    "twitter": "<meta name=twitter:image content='{}'>",
    "refresh": "<meta http-equiv=refresh content='0;url={}'>",
    "licence": "<link rel=license href='{}'><meta name=dc.rights content='{}'>",
    "author": "<link rel=author href='{}'><meta name=author content='Jane {}'>",
    "image": "<link rel=image_src href='{}'><link rel=icon href='{}'>",
    "json": (
        '<script type=application/ld+json>{"@type":"Article","headline":"Words","url":"{}","image":"{}","license":"{}",'
        '"author":{"@type":"Person","name":"Jane Doe","url":"{}"},"mainEntityOfPage":"{}"}</script>'
    ),
}


def _harmless(result: Extraction) -> None:
    assert_inert_once_read(result)
    assert_leads_nowhere(result)


def cases() -> Iterator[Case]:
    for name, address in ADDRESSES.items():
        for place, markup in PLACES.items():
            html = page(article(markup.replace("{}", address)))
            yield Case(f"{name} in {place}", html, shows=SENTENCES[:1], also=_harmless)
        for place, markup in HEADS.items():
            html = page(ARTICLE, markup.replace("{}", address))
            yield Case(f"{name} in the head: {place}", html, shows=SENTENCES[:1], also=_harmless)

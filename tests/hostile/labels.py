"""More of encodings: every kind of label, lying headers, wide encodings without a mark, cut characters, odd metas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.hostile.case import ARTICLE, SENTENCES, Case, article, page
from tests.hostile.encodings import TEXTS

__all__ = ["cases"]

RUSSIAN, CHINESE, JAPANESE, KOREAN, FRENCH = (
    TEXTS[name][0] for name in ("Russian", "Chinese", "Japanese", "Korean", "French")
)
TAIWANESE, GREEK, HEBREW, THAI = (TEXTS[name][0] for name in ("traditional Chinese", "Greek", "Hebrew", "Thai"))
LABELS = (
    ("x-sjis", "cp932", JAPANESE), ("csshiftjis", "cp932", JAPANESE), ("ms_kanji", "cp932", JAPANESE),
    ("windows-31j", "cp932", JAPANESE), ("x-euc-jp", "euc_jp", JAPANESE), ("utf8", "utf-8", RUSSIAN),
    ("unicode-1-1-utf-8", "utf-8", RUSSIAN), ("x-gbk", "gbk", CHINESE), ("iso-ir-58", "gbk", CHINESE),
    ("gb_2312-80", "gbk", CHINESE), ("chinese", "gbk", CHINESE), ("gb18030", "gb18030", CHINESE + " 😀㐀𠀀"),
    ("csbig5", "big5", TAIWANESE), ("big5-hkscs", "big5hkscs", TAIWANESE), ("korean", "cp949", KOREAN),
    ("windows-949", "cp949", KOREAN), ("latin1", "cp1252", FRENCH), ("l1", "cp1252", FRENCH),
    ("ascii", "cp1252", FRENCH), ("us-ascii", "cp1252", FRENCH), ("macintosh", "mac_roman", FRENCH),
    ("x-mac-roman", "mac_roman", FRENCH),
    ("cp1251", "cp1251", RUSSIAN), ("x-cp1251", "cp1251", RUSSIAN), ("koi", "koi8_r", RUSSIAN),
    ("cyrillic", "iso8859_5", RUSSIAN), ("x-mac-cyrillic", "mac_cyrillic", RUSSIAN), ("866", "cp866", RUSSIAN),
    ("greek8", "iso8859_7", GREEK), ("visual", "iso8859_8", HEBREW), ("logical", "iso8859_8", HEBREW),
    ("iso-8859-8-i", "iso8859_8", HEBREW), ("dos-874", "cp874", THAI), ("iso-8859-11", "cp874", THAI),
)  # fmt: skip
HEADERS = (
    "UTF-8", " utf-8 ", '"utf-8"', "'utf-8'", "utf-8;", "text/html; charset=utf-8", "UTF-8, UTF-8", "none", "", "\0",
    "utf-8\x1b[31m", "utf-16", "utf-32", "x" * 10_000,
)  # fmt: skip
# Labels that no page may be read by: the text is ASCII, and +ADw- stays what it is.
REFUSED = ("utf-7", "utf-7-imap", "x-user-defined", "ebcdic", "cp037", "cesu-8", "bocu-1", "scsu")
REPLACED = (
    "hz-gb-2312",
    "iso-2022-kr",
    "iso-2022-cn",
    "iso-2022-cn-ext",
    "replacement",
)  # nothing of such a page is read
METAS = {
    "a noscript": "<noscript><meta charset=koi8-r></noscript>",
    "a template": "<template><meta charset=koi8-r></template>",
    "a textarea": "<textarea><meta charset=koi8-r></textarea>",
    "a title": "<title><meta charset=koi8-r></title>",
    "an attribute": "<p title='<meta charset=koi8-r>'>",
    "a style": "<style>/*<meta charset=koi8-r>*/</style>",
    "no value": "<meta charset>",
    "an empty value": "<meta charset=''>",
    "a type without content": "<meta http-equiv=content-type>",
    "a content without type": "<meta content='text/html; charset=koi8-r'>",
    "a name": "<meta name=charset content=koi8-r>",
    "a charset without a sign": "<meta http-equiv=content-type content='text/html; charset koi8-r'>",
}
ENTITIES = {
    "a huge number": "&#99999999999999999999;",
    "a huge hexadecimal number": "&#xFFFFFFFFFFFFFFFF;",
    "zeros": "&#" + "0" * 100_000 + "65;",
    "noncharacters": "&#xFFFE;&#xFFFF;&#x1FFFE;",
    "controls": "&#x80;&#x85;&#x9f;",
    "less than nothing": "&#-1;",
    "nothing": "&#;&#x;",
    "a long name": "&" + "a" * 100_000 + ";",
    "no semicolons": "&ampamp &notit; &copy2 &lt&gt",
    "tag characters": "&#xE0041;&#xE007F;",
    "an override": "&#x202E;abc&#x202C;",
    "invisible ones": "&#x200B;&ZeroWidthSpace;&NoBreak;&InvisibleTimes;&af;&ic;&#xFEFF;",
    "halves of pairs": "&#xD800;&#xDFFF;&#55357;&#56832;",
}
SURROGATES = {
    "a text": article("<p>Some win\ud800ter words \udfff and more of them here.</p>"),
    "a tag": ARTICLE + "<p\ud800>x</p\ud800>",
    "a class": ARTICLE + "<p class='\ud800'>x</p>",
    "an address": article("<p>Go <a href='http://x/\ud800'>words of a link</a> on.</p>"),
    "a description": article("<img src=a.png alt='\udfff'>"),
    "a name": page(ARTICLE, "<meta name=author content='Jane \ud800 Doe'>"),
    "json": page(ARTICLE, '<script type=application/ld+json>{"@type":"Article","headline":"a \ud800 b"}</script>'),
    "a rule": page(ARTICLE, "<style>.\ud800{display:none}</style>"),
    "the wrong order": article("<p>Some words \ude00\ud83d and more of them.</p>"),
}


def _page(text: str, declared: str = "") -> str:
    body = f"<article><h1>{text.split('.')[0][:40]}</h1>" + f"<p>{text}</p>" * 3 + "</article>"
    return page(body, f"<meta charset='{declared}'>" if declared else "")


def cases() -> Iterator[Case]:
    yield from (replace(case, about="reading") for case in _labels())


def _labels() -> Iterator[Case]:
    for label, codec, text in LABELS:
        yield Case(f"label {label}, by meta", _page(text, label).encode(codec), shows=(text[-15:],))
        given = {"encoding": label.upper()}
        yield Case(f"label {label}, by header", _page(text).encode(codec), shows=(text[-15:],), options=given)
    for header in HEADERS:
        given = {"encoding": header}
        yield Case(f"header {header[:30]!r}", _page(RUSSIAN, "utf-8").encode(), shows=(RUSSIAN[-20:],), options=given)
    for label in REFUSED:
        html = page(ARTICLE + "<p>Some words, +ADw-script+AD4-alert(1)+ADw-/script+AD4-, and others.</p>")
        declared = html.replace("<head>", f"<head><meta charset={label}>").encode()
        yield Case(f"never read by {label}, declared", declared, shows=SENTENCES[:1], hides=("<script",))
        given = {"encoding": label}
        yield Case(f"never read by {label}", html.encode(), shows=SENTENCES[:1], hides=("<script",), options=given)
    for label in REPLACED:
        refused: dict[str, Any] = {"hides": (*SENTENCES[:1], "<script"), "warns": ("decode_error",)}
        declared = page(ARTICLE).replace("<head>", f"<head><meta charset={label}>").encode()
        yield Case(f"replaced, for it declares {label}", declared, **refused)
        yield Case(f"replaced, for {label} is given", page(ARTICLE).encode(), options={"encoding": label}, **refused)
    yield from _wide()
    yield from _damaged()
    for name, head in METAS.items():
        html = _page(RUSSIAN).replace("</head>", head + "</head>")
        yield Case(f"utf-8 with a meta in {name}", html.encode(), shows=(RUSSIAN[-20:],))
    for name, entity in ENTITIES.items():
        words = f"<p>Some words before {entity} and some words after it, all kept.</p>"
        yield Case(f"entity: {name}", article(words), shows=("Some words before", "and some words after it, all kept."))
    for name, html in SURROGATES.items():
        yield Case(f"halves of pairs in {name}", html, shows=SENTENCES[:1])


def _wide() -> Iterator[Case]:
    for codec in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        label = codec[:-3] + codec[-2:]
        plain = page(ARTICLE).encode(codec)
        yield Case(f"{codec} of ASCII", plain, shows=SENTENCES)
        yield Case(f"{codec} of ASCII, header utf-8", plain, shows=SENTENCES, options={"encoding": "utf-8"})
        yield Case(f"{codec} of ASCII, cut", plain[:-1], shows=SENTENCES[:1])
        yield Case(f"{codec} of ASCII, a byte more", plain + b"\0", shows=SENTENCES[:1])
        given = {"encoding": label}
        yield Case(
            f"{codec} of Russian, by header", _page(RUSSIAN).encode(codec), shows=(RUSSIAN[-20:],), options=given
        )
        yield Case(f"{codec} of Chinese", _page(CHINESE).encode(codec), shows=(CHINESE[-20:],))
        yield Case(f"{codec} of Chinese, meta utf-8", _page(CHINESE, "utf-8").encode(codec), shows=(CHINESE[-20:],))
    lying = {"encoding": "utf-16be"}
    yield Case("utf-16-le, header utf-16be", _page(RUSSIAN).encode("utf-16-le"), shows=(RUSSIAN[-20:],), options=lying)
    yield Case("two marks", b"\xef\xbb\xbf" * 2 + _page(RUSSIAN).encode(), shows=(RUSSIAN[-20:],), hides=("\ufeff",))
    yield Case("a mark in text", "\ufeff" + _page(RUSSIAN), shows=(RUSSIAN[-20:],), hides=("\ufeff",))


def _damaged() -> Iterator[Case]:
    for label, codec, text in (
        ("gb18030", "gb18030", CHINESE), ("big5", "big5", TAIWANESE), ("shift_jis", "cp932", JAPANESE),
        ("euc-jp", "euc_jp", JAPANESE), ("euc-kr", "euc_kr", KOREAN), ("iso-2022-jp", "iso2022_jp", JAPANESE),
    ):  # fmt: skip
        data = _page(text, label).encode(codec)
        yield Case(f"{label} cut in a character", data + f"<p>{text[:3]}".encode(codec)[:-1], shows=(text[-20:],))
        for stray in (b"\xff\xff ", b"\x80 "):
            yield Case(f"{label} with {stray!r}", data.replace(b"<h1>", b"<h1>" + stray, 1), shows=(text[-20:],))
    odd = _page(JAPANESE, "iso-2022-jp").encode("iso2022_jp").replace(b"<h1>", b"<h1>\x1b(Q\x1b$@")
    yield Case("iso-2022-jp with unknown escapes", odd, shows=(JAPANESE[-15:],))
    twice = "déjà vécu".encode().decode("cp1252")
    words = f"<p>The words {twice} were read wrongly before this page was saved.</p>"
    yield Case(
        "encoded twice, and put right", page(article(words), "<meta charset=utf-8>").encode(), shows=("déjà vécu",)
    )
    quotes = "<p>He said “no” – and that was it… all of it, déjà vu.</p>"
    for declared in ("", "<meta charset=iso-8859-1>", "<meta charset=us-ascii>"):
        data = page(article(quotes), declared).encode("cp1252")
        yield Case(f"curly quotes of Windows, declared {declared!r}", data, shows=("“no” – and that was it…",))

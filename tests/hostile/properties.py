"""What must hold of every result, whatever the input: shared by the hostile cases, the property tests and the fuzzer.

clean      valid Unicode without control characters, byte order marks, tag characters or runs of invisible ones
inert      HTML and Markdown carry no element, attribute or address beyond the allow-list
whole      every form can be written, JSON and XML can be read back
reasoned   an empty or cut result has a status and a warning that says why
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import get_args
from xml.etree import ElementTree

from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from thresher.output.record import Style, to_table
from thresher.result.diagnosis import Status
from thresher.result.extraction import Extraction

__all__ = [
    "ALLOWED",
    "assert_clean",
    "assert_inert",
    "assert_inert_markdown",
    "assert_inert_once_read",
    "assert_leads_nowhere",
    "assert_sound",
    "forms",
]

# Elements our HTML is made of, with their attributes.
ALLOWED: dict[str, set[str]] = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title"},
    "ol": {"start"},
    "li": {"id", "value"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
    "div": {"dir"},
    "details": {"open"},
} | {
    name: set()
    for name in """
        html head body p h1 h2 h3 h4 h5 h6 ul blockquote pre code table caption tbody tr dl dt dd figure figcaption
        summary strong em del ins mark sub sup kbd q br hr
    """.split()
}
# What a reader of Markdown writes besides.
_CELL = ALLOWED["td"] | {"style"}  # a table that Markdown cannot say is HTML in it, too
_AS_READ = ALLOWED | {"code": {"class"}, "thead": set(), "s": set(), "td": _CELL, "th": _CELL}
_IN_TABLES = ALLOWED | {"a": {"href", "rel"}, "th": {"scope"}}
_LONG = 20_000  # characters
_SCHEMES = ("", "http", "https", "mailto")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]")
# No script needs two of these in a row, but an emoji's style before the joiner of the next.
_SMUGGLED = re.compile(
    "(?!\ufe0f\u200d(?![\u200b-\u200d]))[\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
)
_MARKDOWN_ADDRESS = re.compile(r"(?<!\\)(?:\\\\)*\]\(\s*<?\s*([^)\s>]*)")
_MARKDOWN_HTML = re.compile(r"(?<!\\)<(/?[A-Za-z][^>\s]*)[^>]*>")
_CODE = re.compile(r"(`{3,})[^\n]*\n.*?\n *\1|(`+)(?!`).+?(?<!`)\2(?!`)", re.DOTALL)


def forms(result: Extraction) -> dict[str, str]:
    """Everything a result can be written as."""
    return {
        "text": result.text,
        "text with links and images": result.render("text", links=True, images=True),
        "markdown": result.markdown,
        "html": result.html,
        "xml": result.xml,
        "hidden": result.hidden,
        "json": json.dumps(result.to_dict(blocks=True), ensure_ascii=False),
        "metadata": json.dumps(result.metadata.to_dict(), ensure_ascii=False),
        "warnings": "\n".join(result.warnings),
        "blocks": "\n".join(f"{block.text}\n{block.xpath}\n{block.reasons}" for block in result.blocks),
        **(_tables(result) if len(result.text) <= _LONG else {}),
    }


def _tables(result: Extraction) -> dict[str, str]:
    """The rows of tables, with the summary in them; to draw those of very long texts takes longer than to read them."""
    record = result.record(source=result.page.url or "")
    return {f"table, {style}": to_table(record, style) for style in get_args(Style)}


def assert_clean(written: str, form: str = "") -> None:
    """Valid UTF-8 that no terminal takes for a command and in which nothing unseen is said."""
    written.encode()
    found = _CONTROLS.search(written) or _SMUGGLED.search(written)
    assert found is None, f"{form}: {found[0]!r} at {found.start()} in {written[max(0, found.start() - 40) :][:80]!r}"


def assert_inert(html: str, allowed: Mapping[str, set[str]] = ALLOWED) -> None:
    """A parser finds allowed elements, attributes and addresses, and nothing else."""
    for node in LexborHTMLParser(html).css("*"):
        assert node.tag in allowed, node.html
        assert set(node.attributes) <= allowed[node.tag], node.html
        for name in ("href", "src"):
            assert _is_harmless(node.attributes.get(name) or ""), node.html


def assert_inert_markdown(markdown: str) -> None:
    """Outside of code no tag but ours, and no address that runs.

    A crude reader looks first: it mistakes some code for prose, so that it sees more addresses and tags than CommonMark
    does.  Where it sees a bad one, the exact reader, which is slow, decides.
    """
    prose = _CODE.sub("", markdown)
    tags = {name.strip("/").lower() for name in _MARKDOWN_HTML.findall(prose)}
    if not tags <= set(ALLOWED) or not all(map(_is_harmless, _MARKDOWN_ADDRESS.findall(prose))):
        _assert_inert_once_read(markdown)


def assert_inert_once_read(result: Extraction) -> None:
    """What a reader of Markdown that lets HTML through, and makes links of bare addresses, shows of it is inert."""
    _assert_inert_once_read(result.markdown)


def _assert_inert_once_read(markdown: str) -> None:
    assert_inert(MarkdownIt("gfm-like", {"html": True, "linkify": True}).render(markdown), _AS_READ)


def assert_leads_nowhere(result: Extraction) -> None:
    """The addresses in metadata, in XML and in the lists of links and images run nothing."""
    known = result.metadata.to_dict()
    found = [str(known[name]) for name in ("url", "image", "license") if known.get(name)]
    for element in ElementTree.fromstring(result.xml).iter():
        found += [value for name, value in element.attrib.items() if name in ("target", "url", "src", "href")]
    record = result.record()
    found += [link.url for link in (*record.links, *record.images)]
    assert all(map(_is_harmless, found)), found


def _is_harmless(address: str) -> bool:
    head = re.split("[/?#]", address)[0]
    return (head.split(":")[0].lower() if ":" in head else "") in _SCHEMES


def assert_sound(result: Extraction) -> None:
    """All properties that hold of every result."""
    written = forms(result)
    for form, text in written.items():
        assert_clean(text, form)
    assert_inert(written["html"])
    assert_inert(written.get("table, html", ""), _IN_TABLES)
    assert_inert_markdown(written["markdown"])
    json.loads(written["json"])
    assert ElementTree.fromstring(written["xml"]).tag == "doc"
    assert result.status in get_args(Status)
    assert 0 <= result.confidence <= 1
    empty = not result.text.strip()
    codes = {warning.partition(":")[0] for warning in result.warnings}
    if result.status == "ok":
        assert not empty, "an empty result that says it is fine"
    elif result.status == "partial":
        assert not empty
        assert codes & {"too_deep", "too_large", "decode_error"}, codes
    else:
        assert result.status in codes, (result.status, codes)

"""What `/v2/scrape` gives of a page, made in the processes that read pages: (request, pages) -> JSON."""

from __future__ import annotations

import re
from typing import Any

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from thresher.output.references import references
from thresher.page import Page
from thresher.page.attributes import values
from thresher.page.columns import tag_mask
from thresher.parse import parse
from thresher.parse.encoding.decode import decode
from thresher.result.extraction import Extraction, extract
from thresher.text.summary import summarise

__all__ = ["scrape_data"]

Json = dict[str, Any]

_MAX_METAS, _MAX_META_LENGTH = 200, 2_000  # meta elements that are passed on, and characters of each
_OPEN_GRAPH = re.compile(r"og:[a-z_:]+")


def scrape_data(request: Json, pages: list[bytes]) -> Json:
    """The formats that are wanted, metadata, and the status and warnings of the extraction."""
    html, url = pages[0], request.get("url")
    page = parse(html, url=url, encoding=request.get("encoding"))
    metas = _metas(page)
    if request["include"] or request["exclude"]:
        text = decode(html, request.get("encoding")).text
        page = parse(_select_elements(text, request["include"], request["exclude"]), url=url)
    result = extract(page, method=request["method"])
    data: Json = {"status": result.status, "warnings": list(result.warnings), "metadata": _metadata(result, metas)}
    formats = request["formats"]
    if "links" in formats or "images" in formats:
        links, images = references(page, result.keep, result.elements)
        addresses = {"links": [link.url for link in links], "images": [image.url for image in images]}
        data |= {name: list(dict.fromkeys(addresses[name])) for name in addresses if name in formats}
    if "markdown" in formats:
        data["markdown"] = result.markdown
    if "html" in formats:
        data["html"] = result.html
    if "rawHtml" in formats:
        data["rawHtml"] = decode(html, request.get("encoding")).text
    if "summary" in formats:
        data["summary"] = summarise(result.text, language=result.metadata.language)
    return data


def _select_elements(html: str, include: list[str], exclude: list[str]) -> str:
    """The page without some elements, or with some only, in the order of the page."""
    tree = LexborHTMLParser(html)
    try:
        for selector in exclude:
            for node in tree.css(selector):
                node.decompose()
        if not include:
            return tree.html or ""
        included = tree.css(", ".join(include))
    except (SelectolaxError, ValueError) as error:
        raise ValueError(f"includeTags and excludeTags are CSS selectors: {error}") from None
    inside = {node.mem_id for node in included}
    outer = [node for node in included if not _is_inside(node, inside)]
    head = tree.head.html if tree.head else ""
    return f"<html>{head}<body>{''.join(node.html or '' for node in outer)}</body></html>"


def _is_inside(node: Any, chosen: set[int]) -> bool:
    above = node.parent
    while above is not None:
        if above.mem_id in chosen:
            return True
        above = above.parent
    return False


def _metas(page: Page) -> dict[str, str]:
    """The meta elements by name, the first of each."""
    metas: dict[str, str] = {}
    named = values(page, "name") | values(page, "property")
    contents = values(page, "content")
    is_meta = tag_mask(page, "meta")
    for row in sorted(named):
        if is_meta[row] and row in contents and len(metas) < _MAX_METAS:
            metas.setdefault(named[row].strip()[:100], contents[row][:_MAX_META_LENGTH])
    return metas


def _metadata(result: Extraction, metas: dict[str, str]) -> Json:
    facts = result.metadata
    fields = {
        "title": facts.title,
        "description": facts.description,
        "language": facts.language,
        "keywords": metas.get("keywords"),
        "robots": metas.get("robots"),
        "author": facts.author,
        "publishedTime": facts.datetime or facts.date,
        "modifiedTime": facts.modified,
    }
    graph = {_camel(name): value for name, value in metas.items() if _OPEN_GRAPH.fullmatch(name)}
    return {**metas, **graph, **{name: value for name, value in fields.items() if value}}


def _camel(name: str) -> str:
    """og:site_name -> ogSiteName."""
    first, *others = re.split(r"[:_]", name)
    return first + "".join(word.capitalize() for word in others)

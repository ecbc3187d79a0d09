"""Crunch: one filter after the other, each a walk over the elements."""

from __future__ import annotations

from collections.abc import Collection

from tests.reference.segments import body, branch, linked, seen_words, texts
from thresher.methods.crunch import CELLS, LISTS, Options
from thresher.page import Page


def kept_elements(page: Page, options: Options, ad_hosts: Collection[str]) -> list[bool]:
    words = seen_words(page)
    gone: set[int] = set()
    for row in range(len(page)):
        name = page.name(row)
        total = sum(words[k] for k in texts(page, row))
        in_links = sum(words[k] for k in texts(page, row) if linked(page, k))
        inner = [page.name(other) for other in branch(page, row)]
        if (
            (options.advertisements and is_advertisement(page, row, ad_hosts))
            or (options.link_lists is not None and name in CELLS and in_links > options.link_lists * (total - in_links))
            or (options.text_links and name == "a")
            or (options.forms and name == "form" and total < sum(words[k] for k in texts(page, body(page))) / 2)
            or (options.text_lists is not None and name in LISTS and is_text_list(total, in_links, inner, options))
            or (options.image_cells and name in ("td", "th") and not total and {"img", "picture"} & set(inner))
        ):
            gone.update(branch(page, row))
    left = [count if int(page.owner[k]) not in gone else 0 for k, count in enumerate(words)]
    for row in range(len(page)):
        if page.name(row) == "table" and sum(left[k] for k in texts(page, row)) < options.empty_tables:
            gone.update(branch(page, row))
    return [row not in gone for row in range(len(page))]


def is_text_list(total: int, in_links: int, inner: list[str], options: Options) -> bool:
    assert options.text_lists is not None
    items = sum(name in ("li", "dd", "dt") for name in inner)
    return not in_links and total < options.text_lists * items


def is_advertisement(page: Page, row: int, ad_hosts: Collection[str]) -> bool:
    attributes = page.attributes(row)
    if any('"' in name for name in attributes):  # a malformed tag; the kernel does not read its attributes
        return False
    for name in ("href", "src"):
        scheme, slashes, rest = attributes.get(name, "").partition("//")
        host = rest.split("/")[0].split(":")[0].lower()
        if slashes and scheme.lower() in ("", "http:", "https:"):
            for ad_host in ad_hosts:
                if host == ad_host or host.endswith("." + ad_host):
                    return True
    return False

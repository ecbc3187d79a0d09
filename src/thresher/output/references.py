"""The links and images of the kept content."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from thresher.output import document, inline
from thresher.output.build import build
from thresher.page import Page
from thresher.page.types import Bools

__all__ = ["ContentImage", "ContentLink", "references"]


class ContentLink(NamedTuple):
    """A link of the content: its words and where it leads."""

    text: str
    url: str

    def __str__(self) -> str:
        return f"{self.text} <{self.url}>" if self.text else f"<{self.url}>"


class ContentImage(NamedTuple):
    """An image of the content: its alternative text, its address, and the caption beside it."""

    alt: str
    url: str
    caption: str = ""

    def __str__(self) -> str:
        return str(ContentLink(self.alt, self.url))


def references(
    page: Page, keep: Bools, elements: Bools | None = None
) -> tuple[tuple[ContentLink, ...], tuple[ContentImage, ...]]:
    """The links and the images of the kept content, each address once, in the order of the page."""
    content = build(page, keep, links=True, images=True, tables=True, elements=elements)
    links: dict[tuple[int, str], list[str]] = {}
    images: dict[str, ContentImage] = {}
    for run, caption in _runs([*content.blocks, *content.notes]):
        if run.kind == inline.IMAGE:
            images.setdefault(run.value, ContentImage(run.description, run.value, caption))
            continue
        for mark in run.marks:
            if mark.kind == "link":
                words = links.setdefault((mark.row, mark.address), [])
                words.append((" " if run.gap and words else "") + run.value)
    named: dict[str, str] = {}
    for (_, url), words in links.items():
        named[url] = named.get(url) or "".join(words)
    return tuple(ContentLink(text, url) for url, text in named.items()), tuple(images.values())


def _runs(blocks: list[Any], caption: str = "") -> Iterator[tuple[inline.Run, str]]:
    """All pieces of lines below some blocks, each with the caption that goes with it; the tree is of bounded depth."""
    for place, block in enumerate(blocks):
        own = caption
        if isinstance(block, document.Figure):
            own = " ".join(_words(inner) for inner in block.blocks if isinstance(inner, document.Caption))
        elif place + 1 < len(blocks) and isinstance(blocks[place + 1], document.Caption):
            own = _words(blocks[place + 1])
        for run in getattr(block, "runs", ()):
            yield run, own
        yield from _runs([*getattr(block, "caption", ()), *getattr(block, "blocks", ())], own)


def _words(block: document.Caption) -> str:
    return "".join((" " if run.gap else "") + run.value for run in block.runs if run.kind != inline.IMAGE).strip()

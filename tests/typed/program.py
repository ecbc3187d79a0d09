"""A program that uses the public names: what type checkers are asked about (tests/test_typed.py)."""

from __future__ import annotations

from pathlib import Path

import thresher
from thresher.errors import FetchError
from thresher.fetch import FetchLimits, Gate


def titles(pages: list[bytes]) -> list[str | None]:
    return [result.title for result in thresher.extract_many(pages, workers=1, focus="precision")]


def longest_block(html: bytes) -> thresher.Block | None:
    result: thresher.Extraction = thresher.extract(html, url="https://example.org/", focus="recall")
    kept = [block for block in result.blocks if block.kept]
    return max(kept, key=lambda block: len(block.text), default=None)


def facts(html: str) -> dict[str, str | float | None]:
    result = thresher.extract(html)
    return {
        "title": result.metadata.title,
        "status": result.status,
        "confidence": result.confidence,
        "author": result.posts[0].author if result.posts else None,
        "first link": result.links[0].url if result.links else None,
        "chunk": result.chunks(max_tokens=100)[0].text,
    }


def fetched(url: str) -> str:
    with Gate(limits=FetchLimits(seconds=5)) as gate:
        try:
            response = gate.fetch(url)
        except FetchError as error:
            return error.reason
    return thresher.extract(response.body, url=response.url, encoding=response.encoding).markdown


def elements(page: thresher.Page) -> int:
    return len(page) + sum(len(text) for text in page.text)


if __name__ == "__main__":
    page = Path("examples/threshing.html").read_bytes()
    block = longest_block(page)
    assert block is not None
    assert facts(page.decode())["status"] == "ok"
    print(titles([page]), elements(thresher.parse(page)), round(block.score, 2))

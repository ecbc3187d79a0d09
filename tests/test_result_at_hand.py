"""What a person at a prompt sees of a result, and results by address."""

from __future__ import annotations

import asyncio
import inspect
import pydoc

import pytest

import thresher
from tests.test_extraction import ARTICLE
from thresher.http.response import Headers, Response


def test_a_result_is_one_line():
    result = thresher.extract(ARTICLE)
    assert str(result).startswith("Wheat and chaff · ok · ")
    assert "words · confidence 0." in str(result)
    assert "\n" not in repr(result)
    assert len(repr(result)) < 200
    assert "no confidence" in str(thresher.extract(ARTICLE, method="plain"))


def test_explain_prints_the_blocks(capsys: pytest.CaptureFixture[str]):
    result = thresher.extract(ARTICLE)
    assert result.explain() is None
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(result.blocks)
    assert {line[0] for line in lines} == {"✓", "✗"}


def test_help_of_fetch_begins_with_the_function():
    shown = pydoc.render_doc(thresher.fetch, renderer=pydoc.plaintext)
    assert "thresher.fetch(url) -> Response" in shown.splitlines()[3]
    assert next(iter(inspect.signature(thresher.fetch).parameters)) == "url"


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(gate: object, url: str, headers: object = None) -> Response:
        status = 404 if url.endswith("missing") else 200
        return Response(url=url, requested_url=url, status=status, headers=Headers(()), body=ARTICLE.encode())

    monkeypatch.setattr("thresher.fetch.gate.Gate.fetch", fetch)


def test_a_page_by_its_address(web: None):
    result = thresher.extract_url("https://example.org/a", focus="recall")
    assert (result.status, result.page.url, result.focus) == ("ok", "https://example.org/a", "recall")
    missing = thresher.extract_url("https://example.org/missing")
    assert missing.status == "failed"
    assert missing.warnings[0] == "http_404: the server answered 404 Not Found"


def test_the_same_in_an_event_loop(web: None):
    async def both() -> tuple[str, int]:
        result = await thresher.aextract_url("https://example.org/a")
        return result.status, (await thresher.afetch("https://example.org/a")).status

    assert asyncio.run(both()) == ("ok", 200)

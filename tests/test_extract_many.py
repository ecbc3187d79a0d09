"""Many pages at once: in order, each by itself, whatever one of them does."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest

import thresher
from tests.test_extraction import ARTICLE
from thresher.result.many import ExtractProcesses, extract_many

PAGES = [ARTICLE.replace("two sticks", f"{number} sticks") for number in range(12)]


def test_results_come_in_order_and_are_those_of_extract():
    results = list(thresher.extract_many(PAGES, workers=2, focus="recall"))
    wanted = [thresher.extract(page, focus="recall") for page in PAGES]
    assert [result.to_dict() for result in results] == [result.to_dict() for result in wanted]


def test_what_cannot_be_extracted_is_a_result():
    pages = [ARTICLE, 3, {"html": ARTICLE, "url": "https://example.org/a"}, {"htm": ""}, b"\x89PNG\r\n\x1a\n"]
    results = list(extract_many(pages, workers=1))
    assert [result.status for result in results] == ["ok", "failed", "ok", "failed", "not_html"]
    assert "html is a page, as bytes or str, not int" in results[1].warnings[0]
    assert results[2].page.url == "https://example.org/a"
    assert (results[1].text, results[1].confidence) == ("", None)


def test_a_process_that_dies_costs_one_page(monkeypatch: pytest.MonkeyPatch):
    with ExtractProcesses(1) as processes:
        assert processes.extract(ARTICLE).status == "ok"
        processes._workers[0]._child.kill()
        assert [result.status for result in processes.extract_in_order([ARTICLE, ARTICLE], {})] == ["failed", "ok"]


def test_pages_without_end_are_read_a_few_ahead():
    read = 0

    def pages() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield ARTICLE

    results = extract_many(pages(), workers=1)
    assert next(results).status == "ok"
    results.close()
    assert read < 10


def test_pages_and_results_can_be_pickled():
    result = thresher.extract(ARTICLE)
    again = pickle.loads(pickle.dumps(result))
    assert again.to_dict(blocks=True) == result.to_dict(blocks=True)

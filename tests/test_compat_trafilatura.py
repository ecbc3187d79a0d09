"""Programs written for trafilatura: the same calls, the same kinds of answers."""

from __future__ import annotations

import inspect
import json

import pytest

from tests.test_extraction import ARTICLE
from thresher.compat import trafilatura as ours
from thresher.http.response import Headers, Response

theirs = pytest.importorskip("trafilatura", reason="trafilatura is in the extra `bench`")

DATED = ARTICLE.replace("<title>", '<meta property="article:published_time" content="2024-05-03"><title>')
CALLS = [
    {},
    {"output_format": "markdown"},
    {"output_format": "markdown", "with_metadata": True},
    {"output_format": "json"},
    {"output_format": "json", "with_metadata": True},
    {"output_format": "csv"},
    {"output_format": "xml"},
    {"output_format": "html"},
    {"favor_precision": True, "include_comments": False, "fast": True},
    {"favor_recall": True, "include_links": True, "include_images": True, "include_tables": False},
    {"include_formatting": True},
    {"url": "https://example.org/a", "only_with_metadata": True},
    {"url": "https://example.org/a", "url_blacklist": {"https://example.org/a"}},
    {"target_language": "de"},
]


@pytest.mark.parametrize("arguments", CALLS, ids=str)
@pytest.mark.parametrize("page", [DATED, DATED.encode()], ids=["text", "bytes"])
def test_the_same_call_has_an_answer_of_the_same_kind(page, arguments):
    wanted, given = theirs.extract(page, **arguments), ours.extract(page, **arguments)
    if "target_language" in arguments:
        assert given is None  # they need another package to tell the language
        return
    assert type(given) is type(wanted)
    if given and arguments.get("output_format") == "json":
        assert set(json.loads(given)) == set(json.loads(wanted))
    elif given:
        assert "two sticks and a chain" in given
        assert given.startswith("---") == wanted.startswith("---")


@pytest.mark.parametrize("name", ["extract", "bare_extraction", "extract_metadata", "fetch_url"])
def test_every_argument_of_theirs_is_one_of_ours(name):
    wanted = inspect.signature(getattr(theirs, name)).parameters
    given = inspect.signature(getattr(ours, name)).parameters
    assert [argument for argument in wanted if argument not in given] == []
    shared = [argument for argument in given if argument in wanted]
    assert shared == list(wanted)  # and they stand in the same order
    simple = (bool, str, type(None))
    for argument, parameter in wanted.items():
        if isinstance(parameter.default, simple) and argument != "config":
            assert given[argument].default == parameter.default, argument


def test_documents_have_the_same_fields():
    wanted, given = theirs.bare_extraction(ARTICLE, with_metadata=True), ours.bare_extraction(ARTICLE)
    assert list(given.as_dict()) == list(wanted.as_dict())
    assert "two sticks and a chain" in given.text
    assert ours.bare_extraction(ARTICLE, as_dict=True)["title"] == given.title == "Wheat and chaff"
    described = ours.extract_metadata(ARTICLE, default_url="https://example.org/a")
    assert list(described.as_dict()) == list(theirs.extract_metadata(ARTICLE).as_dict())
    assert described.title == "Wheat and chaff"


def test_a_tree_and_a_response_are_pages():
    from lxml.html import fromstring

    assert ours.extract(fromstring(ARTICLE)) == ours.extract(ARTICLE)

    class Answer:
        data = ARTICLE.encode()

    assert ours.extract(Answer()) == ours.extract(ARTICLE)
    with pytest.raises(TypeError, match="filecontent is a page"):
        ours.extract(3)


def test_nothing_is_none():
    for page in ("", "<p>", b"\x89PNG\r\n\x1a\n"):
        assert ours.extract(page) is None
        assert ours.bare_extraction(page) is None


def test_what_cannot_be_followed_says_what_to_use():
    with pytest.raises(TypeError, match="takes no 'prune_xpath' here; use site rules"):
        ours.extract(ARTICLE, prune_xpath="//aside")
    with pytest.raises(TypeError, match="takes no 'focus' here; use favor_precision"):
        ours.extract(ARTICLE, focus="recall")
    with pytest.raises(TypeError, match=r"takes no 'nonsense' here; docs/migrate\.md"):
        ours.bare_extraction(ARTICLE, nonsense=1)
    with pytest.raises(AttributeError, match="must be one of"):
        ours.extract(ARTICLE, output_format="pdf")
    with pytest.warns(UserWarning, match="ignores deduplicate"):
        assert ours.extract(ARTICLE, deduplicate=True)


def test_pages_are_fetched_through_the_gate(monkeypatch: pytest.MonkeyPatch):
    def fetch(gate: object, url: str, headers: object = None) -> Response:
        status = 404 if url.endswith("missing") else 200
        return Response(url=url, requested_url=url, status=status, headers=Headers(()), body=ARTICLE.encode())

    assert ours.fetch_url("http://127.0.0.1/") is None
    monkeypatch.setattr("thresher.fetch.gate.Gate.fetch", fetch)
    assert ours.extract(ours.fetch_url("https://example.org/")) == ours.extract(ARTICLE)
    assert ours.fetch_url("https://example.org/missing") is None

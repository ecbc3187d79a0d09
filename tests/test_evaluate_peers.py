"""Peers: each runs where it is installed, and says what to install where it is not."""

from __future__ import annotations

import sys

import pytest

from thresher.errors import MissingExtra, UnknownMethod
from thresher.evaluate import peers

STORY = " ".join(
    "The thresher beats the grain out of the ears, and the wind carries the chaff away from the floor, "
    f"as it did in the year {year} when the farmers of the valley brought in their harvest."
    for year in range(1900, 1906)
)
PAGE = f"""<!doctype html><html lang=en><head><title>Harvest</title></head><body>
<nav><ul><li><a href=/a>Home</a></li><li><a href=/b>Login</a></li></ul></nav>
<article><h1>The harvest</h1><p>{STORY}</p><p>{STORY}</p><p>{STORY}</p></article>
<footer><a href=/c>Imprint</a></footer></body></html>"""


@pytest.mark.parametrize("name", peers.names())
def test_every_installed_peer_finds_the_story(name):
    if not peers.version(name):
        pytest.skip("not installed")
    text = peers.load(name)(PAGE, "http://farm.test/harvest")
    assert "as it did in the year 1905" in text
    assert "Imprint" not in text


@pytest.mark.parametrize("name", peers.names())
def test_a_missing_peer_names_the_extra(name, monkeypatch):
    for module in ("trafilatura", "resiliparse.extract.html2text", "readability", "justext", "newspaper"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, "boilerpy3.extractors", None)
    with pytest.raises(MissingExtra, match=r"\.\[bench\]"):
        peers.load(name)


def test_an_unknown_peer_lists_those_that_exist():
    with pytest.raises(UnknownMethod, match="peer:trafilatura"):
        peers.load("peer:nobody")


def test_the_version_names_the_library(monkeypatch):
    monkeypatch.setattr(peers.metadata, "version", lambda distribution: "1.2")
    assert peers.version("peer:readability") == "readability-lxml 1.2"


def test_blocks_of_a_summary_do_not_run_together():
    pytest.importorskip("readability")
    text = peers.load("peer:readability")(PAGE.replace("<p>The", "<p>Unbroken<br>The"), None)
    assert "Unbroken" in text.split()

"""Rendering without a browser: styles, settings, the command line of Chromium, saved pages."""

from __future__ import annotations

import dataclasses
import gzip
import json
import math

import numpy as np
import pytest

import thresher
from thresher.errors import FetchError, MissingProgram, RenderError
from thresher.page import Problem
from thresher.render import Settings, Styles, chromium, saved
from thresher.render.settings import wait_from_text
from thresher.render.styles import PROPERTIES, ComputedDeclarations


def test_styles_answer_for_all_elements_at_once():
    style = Styles.make({"display": ["block", "", "inline", "block"], "width": ["12px", "", "-1.5e+03px", "auto"]})
    assert style.names == ("display", "width")
    assert style.of("display").tolist() == ["block", "", "inline", "block"]
    assert style.equals("display", "block", "none").tolist() == [True, False, False, True]
    assert style.equals("display").tolist() == [False] * 4
    widths = style.pixels("width").tolist()
    assert widths[0] == 12
    assert widths[2] == -1500
    assert math.isnan(widths[1])
    assert math.isnan(widths[3])
    assert style.codes["display"].tolist() == [0, -1, 1, 0]
    with pytest.raises(KeyError, match="display, width"):
        style.of("color")


def test_properties_are_longhands_and_named_once():
    assert len(set(PROPERTIES)) == len(PROPERTIES)
    assert {"display", "float", "border-left-width", "padding-top", "border-top-left-radius"} <= set(PROPERTIES)
    assert not {"margin", "border", "font", "overflow"} & set(PROPERTIES)


@pytest.mark.parametrize(
    "wrong",
    [
        {"viewport": (0, 800)},
        {"viewport": (1280, 100_000)},
        {"timeout": 0},
        {"timeout": math.nan},
        {"wait": ""},
        {"wait": -1.0},
        {"wait": math.inf},
        {"bytes": 0},
        {"memory": -5},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Settings(**wrong)


def test_settings_know_hosts_and_waits():
    assert Settings(allow_hosts="localhost:80").allow_hosts == ("localhost:80",)
    with pytest.raises(FetchError, match="names no host"):
        Settings(allow_hosts=("a b",))
    assert wait_from_text("2.5") == 2.5
    assert wait_from_text("#main > p") == "#main > p"
    settings = Settings(timeout=10)
    assert 0 < settings.killing < settings.reserve < settings.timeout


def test_a_missing_browser_comes_with_the_command_that_installs_it(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("THRESHER_CHROMIUM", raising=False)
    monkeypatch.setattr(chromium, "_PROGRAM_PATHS", ())
    with pytest.raises(MissingProgram, match="apt-get install chromium"):
        chromium.find_chromium()
    own = tmp_path / "my-chromium"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    assert chromium.find_chromium(own) == own
    monkeypatch.setenv("THRESHER_CHROMIUM", str(own))
    assert chromium.find_chromium() == own
    with pytest.raises(MissingProgram, match="nowhere"):
        chromium.find_chromium("/nowhere/chromium")


def test_the_sandbox_is_on_for_everybody_but_root(monkeypatch):
    monkeypatch.setattr(chromium.os, "geteuid", lambda: 1000)
    assert not chromium.needs_no_sandbox()
    monkeypatch.setattr(chromium.os, "geteuid", lambda: 0)
    assert chromium.needs_no_sandbox()
    safe = chromium.flags("/tmp/p", 9, sandbox=True)
    assert not any("sandbox" in flag for flag in safe)
    assert "--no-sandbox" in chromium.flags("/tmp/p", 9, sandbox=False)


def test_every_way_past_the_proxy_is_shut():
    flags = chromium.flags("/tmp/p", 4711, sandbox=True)
    assert "--proxy-server=http://127.0.0.1:4711" in flags
    assert "--proxy-bypass-list=<-loopback>" in flags
    assert "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1" in flags
    assert "--disable-quic" in flags
    assert "--webrtc-ip-handling-policy=disable_non_proxied_udp" in flags
    assert "--remote-debugging-pipe" in flags
    assert not any(flag.startswith("--remote-debugging-port") for flag in flags)


def test_the_browser_gets_no_secrets_of_the_environment(monkeypatch):
    monkeypatch.setenv("SOME_TOKEN", "secret")
    monkeypatch.setenv("http_proxy", "http://elsewhere:1")
    passed = chromium._environment("/tmp/p")
    assert "secret" not in passed.values()
    assert "http_proxy" not in passed
    assert passed["HOME"] == "/tmp/p"


def test_declarations_answer_for_elements_that_were_read():
    declarations = ComputedDeclarations(
        ("color", "float"), ("red", "left"), *(np.array(c, np.int32) for c in ([2, 5], [0, 2, 3], [0, 1, 1], [0, 1, 1]))
    )
    assert declarations.entries(2) == [("color", "red"), ("float", "left")]
    assert declarations.entries(5) == [("float", "left")]
    assert declarations.entries(3) == declarations.entries(6) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"rows": [5, 2]},
        {"start": [0, 3]},
        {"start": [1, 2, 3]},
        {"name": [0, 2, 1]},
        {"value": [0, 1, -1]},
        {"rows": [0, 9_999]},
    ],
)
def test_declarations_that_do_not_fit_are_refused(wrong):
    record = saved.to_dict(_page())
    fit = {"names": ["color", "float"], "values": ["red", "left"], "rows": [2, 5]}
    fit |= {"start": [0, 2, 3], "name": [0, 1, 1], "value": [0, 1, 1]}
    assert saved.loads(json.dumps(record | {"declarations": fit}).encode()).style.declarations.entries(5)
    with pytest.raises(RenderError):
        saved.loads(json.dumps(record | {"declarations": fit | wrong}).encode())


def _page():
    page = thresher.parse("<title>T</title><p>One &amp; <b>two</b></p><script type='application/ld+json'>{}</script>")
    box = np.full((len(page), 4), np.nan, np.float32)
    box[2:] = [1.5, 2.015625, 30, 4]
    style = Styles.make({"display": ["", "block", "inline", "", "none", "block"][: len(page)]}, (400, 300))
    return dataclasses.replace(
        page, url="https://a.example/", box=box, style=style, problems=(Problem("late", "too slow"),)
    )


@pytest.mark.parametrize("name", ["page.json.gz", "page.json"])
def test_a_saved_page_comes_back_as_it_was(tmp_path, name):
    page = _page()
    saved.save(page, tmp_path / name)
    back = saved.load(tmp_path / name)
    assert back.markup == page.markup
    assert back.text == page.text
    assert back.url == page.url
    assert back.islands == page.islands
    assert back.problems == page.problems
    assert back.size == page.size
    for column in ("tag", "parent", "end", "depth", "first", "last", "tag_start", "block", "owner", "spaced"):
        np.testing.assert_array_equal(getattr(back, column), getattr(page, column))
    np.testing.assert_array_equal(back.box, page.box)
    assert back.style.of("display").tolist() == page.style.of("display").tolist()
    assert back.style.viewport == (400, 300)
    saved.save(back, tmp_path / ("again" + name))
    assert (tmp_path / ("again" + name)).read_bytes() == (tmp_path / name).read_bytes()


def test_a_page_without_boxes_can_be_saved_too(tmp_path):
    saved.save(thresher.parse("<p>x"), tmp_path / "p.json")
    back = saved.load(tmp_path / "p.json")
    assert back.box is None
    assert back.style is None
    assert back.text == ("x",)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"\x1f\x8b broken",
        b'{"format": "thresher-page", "version": 1}',
        b'{"format": "thresher-page", "version": 1, "html": "no < tags"}',
        b'{"format": "thresher-page", "version": 1, "html": "<html></html>", "box": [null, null]}',
        b'{"format": "thresher-page", "version": 1, "html": "<html></html>",'
        b' "style": {"display": {"values": [], "codes": [3]}}}',
        b'{"format": "thresher-page", "version": 99, "html": ""}',
    ],
)
@pytest.mark.parametrize("name", ["p.json", "p.json.gz"])
def test_a_file_that_is_no_saved_page_is_said_to_be_none(tmp_path, data, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") and not data.startswith(b"\x1f") else data)
    with pytest.raises(RenderError, match=r"no page saved|cannot be unpacked"):
        saved.load(path)


def test_saved_pages_are_plain_json(tmp_path):
    saved.save(_page(), tmp_path / "p.json")
    record = json.loads((tmp_path / "p.json").read_text())
    assert record["format"] == "thresher-page"
    assert record["box"][0] is None
    assert len(record["box"]) == len(_page())

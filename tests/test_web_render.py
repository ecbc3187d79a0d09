"""A page whose text comes from a script, rendered by the app."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("fastapi")

from tests.web_app import client, page, token
from thresher.web.rendering import can_render

pytestmark = pytest.mark.skipif(not can_render(), reason="no Chromium to render with")

_TEXT = "The combine harvester reaps, threshes and winnows in a single run over the field, and leaves the straw there. "
_SCRIPT = f"app.innerHTML = `<main><p>{_TEXT * 5}</p></main>`"
SHELL = f"<!doctype html><title>Shell</title><body><div id=app></div><script>{_SCRIPT}</script>"


def test_what_a_script_writes_is_extracted_after_rendering():
    with client() as app:
        form = {"kind": "html", "html": SHELL, "fresh": "1", "form": "text"}
        plain = app.post("/try", data=form, headers=token(app))
        assert "combine harvester" not in plain.text
        id = re.search(r'name="source" value="([^"]+)"', plain.text)[1]
        again = {"source": id, "form": "text", "rendered": "true"}
        rendered = app.post("/try", data=again, headers=token(app))
        assert rendered.status_code == 200, rendered.text
        assert "combine harvester" in rendered.text
        frame = app.get(f"/frame/{id}", params={"rendered": "true"})
        assert "combine harvester" in frame.text
        assert "<script" not in frame.text
        layout = app.post(
            "/compare", data={"source": id, "methods": "semantic", "rendered": "true"}, headers=token(app)
        )
        assert layout.status_code == 200


def test_a_method_that_reads_boxes_has_the_page_rendered():
    with client() as app:
        form = {"kind": "html", "html": page(), "fresh": "1", "method": "layout", "form": "text"}
        answer = app.post("/try", data=form, headers=token(app))
        assert answer.status_code == 200, answer.text
        assert "threshing machine" in answer.text

"""The app learns a site (crawl, render, cluster, label, train, extract), over its HTTP API and in its pages."""

from __future__ import annotations

import re
import time

import pytest

pytest.importorskip("fastapi")

from click.testing import CliRunner

from tests import paper_site
from tests.browser import family
from tests.clock import PATIENCE
from tests.local_site import LocalSite, Reply
from tests.paper_site import PAGES, paragraphs, url_of
from tests.web_app import client, token
from thresher.cli import main
from thresher.methods.cluster.blocks import of_pages
from thresher.methods.cluster.picture import svg
from thresher.web.rendering import can_render

needs_browser = pytest.mark.skipif(not can_render(), reason="no Chromium to render with")
_WAIT = max(PATIENCE, 120)


def answers():
    kinds = {".css": "text/css", "html": "text/html; charset=utf-8"}
    return {path: Reply(text.encode(), kind=kinds[path[-4:]]) for path, text in paper_site.files().items()}


@pytest.fixture(scope="module")
def site():
    with LocalSite(answers()) as served:
        yield served


@pytest.fixture(scope="module")
def app(site):
    with client(allow_hosts=(site.host,), crawl_delay=0.0) as found:
        yield found


def ended(app, address):
    """The run when it is over."""
    deadline = time.monotonic() + _WAIT
    while time.monotonic() < deadline:
        state = app.get(address).json()
        if state["state"] not in ("waiting", "running"):
            return state
        time.sleep(0.1)
    raise AssertionError(state)


@pytest.fixture(scope="module")
def learned(app, site):
    begun = app.post("/site/learn", json={"url": site.url(url_of(1)), "pages": PAGES})
    assert begun.status_code == 202, begun.text
    assert [stage["stage"] for stage in begun.json()["stages"]] == ["crawl", "render", "cluster", "label", "train"]
    return ended(app, begun.json()["address"])


@needs_browser
def test_a_site_is_learned_and_its_page_extracted(learned):
    assert learned["state"] == "done", learned
    assert {stage["state"] for stage in learned["stages"]} == {"done"}
    assert learned["stages"][0]["done"] == learned["stages"][1]["done"] == PAGES
    assert learned["result"]["text"].split("\n\n") == paragraphs(1)
    assert learned["result"]["method"] == "cluster"
    assert len(learned["pages"]) == PAGES
    content = [one for one in learned["learned"]["clusters"] if one["content"]]
    assert [one["blocks"] for one in content] == [5 * PAGES]
    assert learned["learned"]["held_out"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


@needs_browser
def test_the_model_is_downloaded_and_used_on_the_command_line(app, site, learned, tmp_path):
    downloaded = app.get(learned["model"])
    assert downloaded.status_code == 200
    assert f'filename="127.0.0.1-{site.port}.npz"' in downloaded.headers["content-disposition"]
    (tmp_path / "site.npz").write_bytes(downloaded.content)
    arguments = ["extract", site.url(url_of(5)), "--model", str(tmp_path / "site.npz"), "--allow-host", site.host]
    extracted = CliRunner().invoke(main, arguments)
    assert extracted.exit_code == 0, extracted.output
    assert extracted.stdout.strip().split("\n\n") == paragraphs(5)
    again = {"kind": "url", "url": site.url(url_of(4)), "fresh": "1", "method": "cluster", "form": "text"}
    files = {"model": ("site.npz", downloaded.content)}
    given = app.post("/try", data=again, files=files, headers=token(app))
    assert given.status_code == 200, given.text
    assert all(text in given.text for text in paragraphs(4))
    wrong = app.post("/try", data={**again, "method": "seeker"}, files=files, headers=token(app))
    assert wrong.status_code == 400
    assert "a model of cluster" in wrong.text
    broken = app.post("/try", data=again, files={"model": ("x.npz", b"no model")}, headers=token(app))
    assert broken.status_code in (400, 422)
    assert "no model" in broken.text


@needs_browser
def test_the_app_shows_each_stage_and_then_content_table_clusters_and_model(app, site):
    form = {"kind": "url", "url": site.url(url_of(2)), "learn": "1", "pages": str(PAGES), "form": "text"}
    begun = app.post("/try", data=form, headers=token(app))
    assert begun.status_code == 200, begun.text
    address = re.search(r'data-poll="([^"]+)"', begun.text)[1]
    assert all(
        f'<span class="name">{name}</span>' in begun.text for name in ("Crawl", "Render", "Cluster", "Label", "Train")
    )
    assert f'data-post="{address}/cancel"' in begun.text
    ended(app, address)
    shown = app.get(address, headers={"X-Fragment": "1"})
    assert shown.status_code == 200, shown.text
    assert "data-poll" not in shown.text
    assert all(text in shown.text for text in paragraphs(2))
    assert 'id="tab-clusters"' in shown.text
    assert "<svg xmlns" in shown.text
    assert re.search(r'href="/model/[\w-]+"', shown.text)
    for name in ("title", "author", "date", "summary", "text", "links", "images"):
        assert f'<th scope="row">{name}</th>' in shown.text
    id = re.search(r'name="source" value="([^"]+)"', shown.text)[1]
    other = app.post("/try", data={"source": id, "method": "auto", "form": "text"}, headers=token(app))
    assert other.status_code == 200
    kept = app.post("/try", data={"source": id, "method": "cluster", "form": "text"}, headers=token(app))
    assert all(text in kept.text for text in paragraphs(2))
    assert paragraphs(2)[0][:40] in app.get(f"/reading/{id}", params={"method": "cluster"}).text
    assert paragraphs(2)[0][:40] in app.get(f"/frame/{id}", params={"method": "cluster"}).text


@pytest.mark.parametrize("method", ["site", "temex"])
def test_methods_that_compare_pages_find_them_without_a_browser(app, site, method):
    form = {"kind": "url", "url": site.url(url_of(2)), "fresh": "1", "method": method, "form": "text", "pages": "3"}
    begun = app.post("/try", data=form, headers=token(app))
    assert begun.status_code == 200, begun.text
    address = re.search(r'data-poll="([^"]+)"', begun.text)[1]
    state = ended(app, address)
    assert state["state"] == "done", state
    assert len(state["pages"]) == 3
    assert "model" not in state
    shown = app.get(address, headers={"X-Fragment": "1"})
    assert paragraphs(2)[3] in shown.text
    assert "3 other pages" in shown.text
    id = re.search(r'name="source" value="([^"]+)"', shown.text)[1]
    again = app.post("/try", data={"source": id, "method": method, "siblings": ""}, headers=token(app))
    assert "data-poll" not in again.text  # they are there


@needs_browser
def test_siblings_that_are_named_are_learned_from_instead_of_a_crawl(app, site):
    siblings = [site.url(url_of(number)) for number in (3, 4, 5)]
    begun = app.post("/site/learn", json={"url": site.url(url_of(2)), "siblings": siblings})
    assert begun.json()["stages"][0]["stage"] == "render"
    state = ended(app, begun.json()["address"])
    assert state["state"] == "done", state
    assert len(state["pages"]) == 4


@needs_browser
def test_a_method_that_needs_boxes_renders_by_itself(app, site):
    form = {"kind": "url", "url": site.url(url_of(2)), "fresh": "1", "method": "layout", "form": "text"}
    answer = app.post("/try", data=form, headers=token(app))
    assert answer.status_code == 200, answer.text
    assert paragraphs(2)[0] in answer.text


@needs_browser
def test_cancel_ends_the_run_and_its_processes(site):
    slow = {path: Reply(one.body, headers=one.headers, kind=one.kind, seconds=0.3) for path, one in answers().items()}
    before = family()
    with LocalSite(slow) as far, client(allow_hosts=(far.host,), crawl_delay=0.3) as app:
        begun = app.post("/site/learn", json={"url": far.url(url_of(1)), "pages": PAGES}).json()
        deadline = time.monotonic() + _WAIT
        while len(far.paths) < 3 and time.monotonic() < deadline:
            time.sleep(0.05)
        cancelled = app.post(begun["address"] + "/cancel").json()
        assert cancelled["state"] == "cancelled"
        asked = len(far.asked)
        time.sleep(1.5)
        assert len(far.asked) <= asked + 1  # one may have been under way
        assert app.get(begun["address"]).json()["state"] == "cancelled"
        shown = app.get(begun["address"], headers={"X-Fragment": "1"})
        assert "Cancelled" in shown.text
    while not family() <= before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert family() <= before


def test_a_new_question_ends_the_run_that_it_replaces(site):
    with client(allow_hosts=(site.host,), crawl_delay=5.0) as app:
        first = {"kind": "url", "url": site.url(url_of(1)), "fresh": "1", "method": "site"}
        begun = app.post("/try", data=first, headers=token(app))
        run = re.search(r'name="run" value="([^"]+)"', begun.text)[1]
        app.post("/try", data={**first, "method": "auto", "run": run}, headers=token(app))
        assert app.get(f"/site/learn/{run}").json()["state"] == "cancelled"


def test_runs_are_bounded_in_number_pages_and_time(site):
    with client(allow_hosts=(site.host,), crawl_delay=5.0, site_runs=1, site_seconds=1.0, site_pages=10) as app:
        wish = {"url": site.url(url_of(1)), "method": "site", "pages": 5}
        assert app.post("/site/learn", json=wish | {"pages": 11}).status_code == 400
        assert app.post("/site/learn", json=wish | {"pages": 1}).status_code == 400
        begun = [app.post("/site/learn", json=wish) for _ in range(12)]
        assert [one.status_code for one in begun][:2] == [202, 202]
        assert begun[-1].status_code == 429
        assert begun[-1].headers["retry-after"] == "60"
        state = ended(app, begun[0].json()["address"])
        assert state["state"] == "failed"
        assert "more than 1 s" in state["error"]["message"]


def test_bad_input_is_refused_with_a_reason(app, site):
    def refused(status, word, **wishes):
        answer = app.post("/site/learn", json={"url": site.url(url_of(1)), **wishes})
        assert answer.status_code == status, answer.text
        assert word in answer.json()["error"]["message"]

    refused(400, "no method", method="nonsense")
    refused(400, "leave out model=", method="cluster:model=/etc/passwd")
    refused(400, "learns nothing", method="auto")
    refused(400, "8 other pages at most", siblings=["http://a.example/"] * 9)
    refused(400, "starts with http", url="ftp://example.org/")
    refused(502, "not a public address", url="http://10.1.2.3/")
    assert app.post("/site/learn", json={"url": site.url(), "more": 1}).status_code == 400
    form = {"kind": "url", "url": site.url(url_of(1)), "learn": "1", "pages": "many"}
    assert app.post("/try", data=form, headers=token(app)).status_code == 400
    assert app.get("/site/learn/none").status_code == 410
    assert app.post("/site/learn/none/cancel").status_code == 410
    assert app.get("/model/none").status_code == 410


@needs_browser
def test_a_page_without_an_address_needs_a_model(app):
    answer = app.post(
        "/try", data={"kind": "html", "html": "<p>One", "fresh": "1", "method": "cluster"}, headers=token(app)
    )
    assert answer.status_code == 422
    assert "give its address, or a model" in answer.text
    assert "tick" not in answer.text


def test_a_page_that_was_not_learned_has_no_model(app, site):
    form = {"kind": "url", "url": site.url(url_of(1)), "fresh": "1"}
    id = re.search(r'name="source" value="([^"]+)"', app.post("/try", data=form, headers=token(app)).text)[1]
    assert app.get(f"/model/{id}").status_code == 404


def test_private_sites_are_not_crawled_for_strangers(site):
    with client(crawl_delay=0.0) as app:
        answer = app.post("/site/learn", json={"url": site.url(url_of(1)), "method": "site"})
        assert answer.status_code == 502


def test_learning_and_models_ask_for_the_token_and_keep_other_sites_out(site):
    with client(allow_hosts=(site.host,), token="a-long-secret") as app:
        wish = {"url": site.url(url_of(1)), "method": "site"}
        assert app.post("/site/learn", json=wish).status_code == 401
        assert app.get("/model/x").status_code == 401
        assert app.get("/site/learn/x").status_code == 401
        assert app.post("/site/learn/x/cancel").status_code == 401
        bearer = {"Authorization": "Bearer a-long-secret"}
        foreign = {**bearer, "Origin": "https://elsewhere.example"}
        assert app.post("/site/learn", json=wish, headers=foreign).status_code == 403
        assert app.post("/site/learn/x/cancel", headers=foreign).status_code == 403
        assert (
            app.post("/try", data={"learn": "1", "url": wish["url"]}, headers=bearer).status_code == 403
        )  # no page of ours
        assert app.post("/site/learn/x/cancel", headers=bearer).status_code == 410


def test_texts_in_the_picture_are_escaped():
    from tests.rendered_site import rendered

    page = rendered('<body><p class="a">&lt;script&gt;alert(1)&lt;/script&gt; "quoted" &amp; \x0b more</p>')
    blocks = of_pages([page])
    picture = svg(blocks, 0, [0] * len(blocks), [True] * len(blocks))
    assert "<script" not in picture
    assert "&lt;script&gt;" in picture
    assert "\x0b" not in picture
    import xml.etree.ElementTree as tree

    tree.fromstring(picture)

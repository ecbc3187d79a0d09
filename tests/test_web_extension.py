"""What the browser add-on asks of the server: pairing, live pages, siblings, corrections, the benchmark."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("fastapi")

from tests.local_site import LocalSite, Reply
from tests.web_app import client, page, token
from thresher.evaluate.datasets import open_dataset
from thresher.evaluate.run import evaluate
from thresher.web.extension.live_page import read_live, unmarked

ORIGIN = "moz-extension://0f8fad5b-d9cb-469f-a165-70867728950e"
OTHER = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
MARK = "t0123456789ab"
URL = "https://example.org/a"


@pytest.fixture
def app(tmp_path):
    with client(data=tmp_path) as found:
        yield found


def code_of(app):
    return app.app.state.context.pairings.code


def paired(app, origin=ORIGIN):
    """The headers of a paired add-on."""
    answer = app.post("/extension/pair", json={"code": code_of(app).lower()}, headers={"Origin": origin})
    assert answer.status_code == 200, answer.text
    return {"Origin": origin, "Authorization": f"Bearer {answer.json()['token']}"}


def live(html, url=URL, hidden=()):
    """A page as the add-on sends it: numbers on its elements, a box for each, `display: none` for some."""
    pieces, number = html.split("<"), 0
    marked = [pieces[0]]
    for piece in pieces[1:]:
        name = piece.split(">")[0].split(" ")[0]
        if name[0] in "/!":
            marked.append(f"<{piece}")
        else:
            marked.append(f'<{name} {MARK}="{number}"{piece[len(name) :]}')
            number += 1
    box = [None if at in hidden else [0, 20 * at, 600, 20] for at in range(number)]
    shown = {"visibility": "visible", "opacity": "1", "font-size": "16px", "overflow-x": "visible"}
    shown |= {"overflow-y": "visible", "clip-path": "none", "position": "static", "float": "none", "display": "block"}
    style = {
        name: {"values": [value], "codes": [-1 if at in hidden else 0 for at in range(number)]}
        for name, value in shown.items()
    }
    return {"url": url, "html": "".join(marked), "mark": MARK, "viewport": [1280, 800], "box": box, "style": style}


def uploaded(app, headers, html, **more):
    answer = app.post("/extension/page", json=live(html, **more), headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["source"]


def test_an_add_on_is_paired_once_and_then_asks_with_origin_and_token(app):
    headers = paired(app)
    answer = app.post("/extension/hello", json={}, headers=headers)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert {"auto", "site", "layout"} <= {one["name"] for one in answer.json()["methods"]}
    stored = (app.app.state.context.settings.data / "extensions.json").read_text()
    assert headers["Authorization"].split()[1] not in stored


def test_a_pairing_outlives_the_server(tmp_path):
    with client(data=tmp_path) as app:
        headers = paired(app)
    with client(data=tmp_path) as app:
        assert app.post("/extension/hello", json={}, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"Origin": OTHER}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": ""}, 401),
    ],
)
def test_every_other_origin_and_token_is_refused(app, change, status):
    headers = paired(app) | change
    for path in ("/extension/hello", "/extension/page", "/extract"):
        answer = app.post(path, json={}, headers=headers)
        assert answer.status_code == status
        if change.get("Origin"):
            assert "access-control-allow-origin" not in answer.headers


def test_a_program_without_an_origin_is_refused(app):
    headers = {"Authorization": paired(app)["Authorization"]}
    assert app.post("/extension/hello", json={}, headers=headers).status_code == 403


@pytest.mark.parametrize("path", ["/try", "/compare", "/v2/scrape", "/label/name", "/login", "/site/learn"])
def test_a_paired_add_on_reaches_its_own_part_only(app, path):
    headers = paired(app) | {"X-Thresher-Token": token(app)["X-Thresher-Token"]}
    assert app.post(path, json={}, headers=headers).status_code == 403
    assert app.get("/", headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("origin", "path", "status"),
    [
        (ORIGIN, "/extension/extract", 204),
        (ORIGIN, "/extract", 204),
        (OTHER, "/extension/pair", 204),
        (OTHER, "/extension/extract", 405),
        (ORIGIN, "/try", 403),
        ("https://evil.example", "/extension/extract", 405),
        ("https://evil.example", "/extension/pair", 405),
    ],
)
def test_preflights_are_answered_for_paired_add_ons_alone(app, origin, path, status):
    paired(app)
    headers = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    answer = app.options(path, headers=headers)
    allowed = status == 204
    assert (answer.status_code == 204) == allowed
    assert (answer.headers.get("access-control-allow-origin") == origin) == allowed
    assert ("Authorization" in answer.headers.get("access-control-allow-headers", "")) == allowed


def test_a_web_site_cannot_pair_and_guessing_takes_time(app):
    right = code_of(app)
    answer = app.post("/extension/pair", json={"code": right}, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    tried = [
        app.post("/extension/pair", json={"code": "AAAA-AAAA-AAAA"}, headers={"Origin": OTHER}).status_code
        for _ in range(6)
    ]
    assert tried == [401] * 5 + [429]
    assert app.post("/extension/pair", json={"code": right}, headers={"Origin": OTHER}).status_code == 429


def test_the_token_of_the_server_is_not_asked_of_a_paired_add_on(tmp_path):
    with client(data=tmp_path, token="a token of sixteen characters") as app:
        headers = paired(app)
        assert app.post("/extension/hello", json={}, headers=headers).status_code == 200
        assert app.get("/extension").status_code == 401


def test_people_see_the_code_and_can_end_a_pairing(app):
    headers = paired(app)
    shown = app.get("/extension").text
    assert code_of(app) in shown
    assert ORIGIN in shown
    left = app.post("/extension/forget", data={"origin": ORIGIN}, headers=token(app)).text
    assert ORIGIN not in left
    assert app.post("/extension/hello", json={}, headers=headers).status_code == 403


def test_blocks_are_told_by_the_numbers_of_the_add_on(app):
    headers = paired(app)
    source = uploaded(app, headers, page())
    answer = app.post("/extension/extract", json={"source": source}, headers=headers).json()
    assert answer["result"]["title"] == "On threshing"
    assert "threshing machine" in answer["result"]["markdown"]
    assert answer["html"].startswith("<h1>")
    assert answer["words"] > 200
    sent = live(page())["html"]
    kept = {number for mark in answer["marks"] if mark["kept"] for number, _, _ in mark["texts"]}
    numbers = {name: f'<{name} {MARK}="' for name in ("h1", "li", "p")}
    first_p = int(sent.split(numbers["p"])[1].split('"')[0])
    assert kept == {int(sent.split(numbers["h1"])[1].split('"')[0]), *range(first_p, first_p + 4)}
    assert all(mark["reasons"] for mark in answer["marks"])


def test_what_the_browser_hides_is_no_content(app):
    headers = paired(app)
    html = page(text="Buy now.")
    number = live(html)["html"].split("<p ")[2].split('"')[1]
    source = uploaded(app, headers, html, hidden=[int(number)])
    answer = app.post("/extension/extract", json={"source": source}, headers=headers).json()
    shown = {number for mark in answer["marks"] for number, _, _ in mark["texts"]}
    assert int(number) not in shown
    assert answer["result"]["text"].count("Buy now.") == 3


def test_layout_methods_read_the_boxes(app):
    headers = paired(app)
    source = uploaded(app, headers, page())
    asked = {"source": source, "method": "layout"}
    assert app.post("/extension/extract", json=asked, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "change",
    [{"box": [[0, 0, 1]]}, {"mark": "x y"}, {"style": {"display": {"values": [], "codes": [7]}}}, {"box": [["a"] * 4]}],
)
def test_a_page_that_does_not_fit_is_refused(app, change):
    headers = paired(app)
    source = app.post("/extension/page", json=live(page()) | change, headers=headers).json()["source"]
    answer = app.post("/extension/extract", json={"source": source}, headers=headers)
    assert answer.status_code == 422, answer.text


def test_a_live_page_is_the_page_without_its_numbers():
    sent = live(page())
    read = read_live(json.dumps({"format": "thresher-live", **sent}).encode())
    assert MARK.encode() not in read.page.markup
    assert unmarked(sent["html"], MARK) == page()
    assert read.page.box.shape == (len(read.page), 4)
    assert (read.number[1:] >= 0).all()


def test_siblings_come_from_the_browser_or_through_the_gate(tmp_path):
    with LocalSite({}) as site:
        for name in ("one", "two", "three"):
            site.answers[f"/{name}"] = Reply(page(title=f"Page {name}", text=f"Words of {name}.").encode())
        html = page(menu=("one", "two", "three"))
        with client(data=tmp_path, allow_hosts=(site.host,)) as app:
            headers = paired(app)
            source = uploaded(app, headers, html, url=site.url("/start"))
            urls = app.post("/extension/links", json={"source": source, "count": 3}, headers=headers).json()["urls"]
            assert sorted(urls) == [site.url("/one"), site.url("/three"), site.url("/two")]
            assert site.asked == []
            sent = [{"url": url, "html": page(title=url, text=url)} for url in urls]
            asked = {"source": source, "method": "site", "siblings": sent, "compared": 2}
            answer = app.post("/extension/extract", json=asked, headers=headers)
            assert answer.status_code == 200, answer.text
            assert answer.json()["siblings"] == urls
            assert site.asked == []
            asked = {"source": source, "method": "site", "gather": 2}
            answer = app.post("/extension/extract", json=asked, headers=headers)
            assert len(answer.json()["siblings"]) == 3
            assert sorted(site.paths) == ["/one", "/three", "/two"]
            link = app.post("/extension/fetch", json={"url": site.url("/one")}, headers=headers).json()
            assert link["url"] == site.url("/one")


def test_a_correction_is_a_label_and_a_rule_for_the_next_page(app, tmp_path):
    headers = paired(app)
    note = (
        '<div class="terms"><p>{} Every reader of this page may copy, share and print the article above as often as '
        "they like, for any purpose whatever it may be.</p></div>"
    )
    html = page().replace("</article>", note.format("Terms.") + "</article>")
    source = uploaded(app, headers, html)
    before = app.post("/extension/extract", json={"source": source}, headers=headers).json()
    assert "may copy" in before["result"]["text"]
    number = int(live(html)["html"].split('<div t0123456789ab="')[1].split('"')[0])
    asked = {"source": source, "changes": [[number, False]], "labeller": "ada"}
    after = app.post("/extension/correct", json=asked, headers=headers).json()
    assert "may copy" not in after["result"]["text"]
    assert after["learned"] == ["drop div.terms"]
    labels = (tmp_path / "labels.jsonl").read_text()
    assert '"label": "noise"' in labels
    assert '"xpath": "/html/body/article/div"' in labels
    assert (tmp_path / "corrected.txt").read_text() == f"{URL}\n"
    following = page(title="Another", text="Other words.").replace(
        "</article>", note.format("Conditions.") + "</article>"
    )
    source = uploaded(app, headers, following, url="https://www.example.org/b")
    answer = app.post("/extension/extract", json={"source": source}, headers=headers).json()
    assert "may copy" not in answer["result"]["text"]
    assert any("site rule: drop div.terms" in mark["reasons"] for mark in answer["marks"])
    left = app.post("/extension/rules", json={"url": URL, "forget": True}, headers=headers).json()
    assert left == {"rules": []}
    assert not (tmp_path / "rules" / "example.org.json").exists()


def test_what_was_corrected_can_be_labelled_on(app, tmp_path):
    from thresher.labelling.queue import open_queue

    headers = paired(app)
    source = uploaded(app, headers, page())
    number = int(live(page())["html"].split(f'<h1 {MARK}="')[1].split('"')[0])
    asked = {"source": source, "changes": [[number, False]]}
    assert app.post("/extension/correct", json=asked, headers=headers).status_code == 200
    queue = open_queue(tmp_path / "corrected.txt", tmp_path / "labels.jsonl.pages")
    assert [entry.id for entry in queue.entries] == [URL]
    assert queue.entries[0].load().data.decode() == page()


def test_a_selection_becomes_markdown(app):
    asked = {"html": '<p>Some <b>bold</b> and a <a href="/x">link</a></p><script>1</script>', "url": URL}
    answer = app.post("/extension/markdown", json=asked, headers=paired(app))
    assert answer.json() == {"markdown": "Some **bold** and a [link](https://example.org/x)\n"} or answer.json() == {
        "markdown": "Some **bold** and a [link](https://example.org/x)"
    }


def test_a_page_of_the_add_on_opens_in_the_app(app):
    source = uploaded(app, paired(app), page())
    shown = app.get(f"/?source={source}&rendered=true&method=cetd").text
    assert "data-now" in shown
    assert f'value="{source}"' in shown
    form = {"source": source, "rendered": "true", "kind": "url"}
    answer = app.post("/try", data=form, headers=token(app))
    assert answer.status_code == 200
    assert "On threshing" in answer.text


def saved_sites(folder):
    """Two small sites in the layout of `sites`."""
    for site in ("mill", "barn"):
        files = folder / site / "files"
        files.mkdir(parents=True)
        (folder / site / "gold").mkdir()
        for name in ("key", "one", "two", "three"):
            html = page(
                title=f"{site} {name}", text=f"Words of {name} in {site}.", menu=("key.html", "one.html", "two.html")
            )
            (files / f"{name}.html").write_text(html)
        label = {
            "path": "key.html",
            "url": f"http://{site}.test/key.html",
            "page_type": "article",
            "gold_selectors": ["article"],
            "exclude_selectors": [],
            "gold_file": "gold/1.txt",
        }
        (folder / site / "gold" / "1.txt").write_text(f"{site} key Words of key in {site}.")
        (folder / site / "site.json").write_text(json.dumps({"id": site, "key_pages": [label]}))
    return folder


def test_the_benchmark_has_the_figures_of_evaluate(tmp_path):
    sites = saved_sites(tmp_path / "sites")
    run = evaluate(open_dataset(sites), ["site", "auto"], ("nodes", "bow"), jobs=1, cache=tmp_path / "cache")
    with client(data=tmp_path / "data", benchmark=sites) as app:
        headers = paired(app)
        listed = app.post("/extension/benchmark", json={}, headers=headers).json()
        assert [one["site"] for one in listed["pages"]] == ["barn", "mill"]
        for method in ("site", "auto"):
            for outcome in run.select(method):
                asked = {"id": outcome.record, "method": method}
                one = app.post("/extension/benchmark/page", json=asked, headers=headers).json()
                assert one["site"] == outcome.site
                assert one["status"] == outcome.status
                for measure in ("nodes", "bow"):
                    score = outcome.scores[measure]
                    assert one["scores"][measure] == {
                        "precision": score.precision,
                        "recall": score.recall,
                        "f1": score.f1,
                    }
        asked = {"id": "../../etc/passwd", "method": "auto"}
        assert app.post("/extension/benchmark/page", json=asked, headers=headers).status_code == 400


def test_without_saved_sites_there_is_no_benchmark(app):
    assert app.post("/extension/benchmark", json={}, headers=paired(app)).status_code == 404

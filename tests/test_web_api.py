"""The HTTP API: what the library says, in JSON; what a bad page costs; what Firecrawl's clients see."""

from __future__ import annotations

import gzip
import json
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

pytest.importorskip("fastapi")

import thresher
from tests.clock import PATIENCE
from tests.local_site import LocalSite, Reply
from tests.web_app import client, page, serving, token
from thresher.web.workers import WorkerPool

ARTICLE = page(
    head='<meta name=description content="About grain"><meta property="og:site_name" content="Barn">',
    more='<p class=extra>See <a href="/next">the next page</a>, please, it has more about straw.</p>',
)
HIDING = page(head="<link rel=stylesheet href=x.css>", more="<p class=js-hide>Nobody sees what is written here.</p>")


@pytest.fixture(scope="module")
def site():
    answers = {
        "/page": Reply(ARTICLE.encode()),
        "/latin": Reply(page(text="Müller fährt Mähdrescher").encode("latin-1"), kind="text/html; charset=iso-8859-1"),
        "/missing": Reply(page(title="Nothing here").encode(), 404),
        "/slow": Reply(b"x", seconds=3),
        "/pdf": Reply(b"%PDF-1.7 ...", kind="application/pdf"),
        "/echo": lambda path: Reply(page().encode()),
    }
    with LocalSite(answers) as found:
        yield found


@pytest.fixture(scope="module")
def app(site):
    with client(allow_hosts=(site.host,), fetch_seconds=2.0) as found:
        yield found


def test_html_in_the_json_of_the_library_out(app):
    url = "https://example.org/a"
    answer = app.post("/extract", json={"html": ARTICLE, "url": url})
    assert answer.status_code == 200
    assert answer.json() == json.loads(json.dumps(thresher.extract(ARTICLE, url=url).to_dict()))


@pytest.mark.parametrize(
    "wishes", [{"method": "bte"}, {"focus": "recall"}, {"blocks": True}, {"method": "cetd", "blocks": True}]
)
def test_options_are_those_of_the_library(app, wishes):
    given = {name: value for name, value in wishes.items() if name != "blocks"}
    expected = thresher.extract(ARTICLE, **given).to_dict(blocks=wishes.get("blocks", False))
    assert app.post("/extract", json={"html": ARTICLE, **wishes}).json() == json.loads(json.dumps(expected))
    raw = app.post(
        "/extract", content=ARTICLE.encode(), params=wishes, headers={"Content-Type": "text/html; charset=utf-8"}
    )
    assert raw.json() == json.loads(json.dumps(expected))


def test_what_may_be_hidden_is_left_out_if_wished(app):
    wishes = {"html": HIDING, "method": "plain"}
    kept, left_out = (app.post("/extract", json=wishes | {"hidden": how}).json() for how in ("default", "strict"))
    assert "Nobody sees" in kept["text"]
    assert "Nobody sees" not in left_out["text"]
    assert any(warning.startswith("unjudged: ") for warning in left_out["warnings"])
    assert app.post("/extract", json=wishes | {"hidden": "no"}).status_code == 400


def test_further_formats(app):
    found = app.post("/extract", json={"html": ARTICLE, "formats": ["html", "xml"]}).json()
    result = thresher.extract(ARTICLE)
    assert (found["html"], found["xml"]) == (result.html, result.xml)


def test_a_url_is_fetched_and_its_transport_told(app, site):
    found = app.post("/extract", json={"url": site.url("/latin")}).json()
    assert "Müller fährt Mähdrescher" in found["text"]
    assert (found["http"]["status"], found["http"]["url"]) == (200, site.url("/latin"))


def test_an_address_in_the_query_gives_what_post_gives(app, site):
    posted = app.post("/extract", json={"url": site.url("/page"), "focus": "recall", "blocks": True}).json()
    query = {"url": site.url("/page"), "focus": "recall", "blocks": "true"}
    answer = app.get("/extract", params=query)
    assert answer.headers["content-type"] == "application/json"
    for name in ("text", "markdown", "blocks", "title", "status", "warnings"):
        assert answer.json()[name] == posted[name]
    assert answer.json()["http"]["url"] == site.url("/page")


@pytest.mark.parametrize(
    "query",
    ["", "url=", "url=ftp://example.org", "url=https://example.org&surprise=1", "url=https://example.org&focus=x"],
)
def test_a_bad_query_says_why(app, query):
    answer = app.get(f"/extract?{query}")
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]


def test_an_address_in_the_path_gives_markdown(app, site):
    answer = app.get(f"/r/{site.url('/page')}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    head, text = answer.text.removeprefix("---\n").split("---\n\n", 1)
    facts = {name: json.loads(value) for name, value in (line.split(": ", 1) for line in head.splitlines())}
    assert (facts["title"], facts["url"], facts["status"]) == ("On threshing", site.url("/page"), "ok")
    assert text.strip() == thresher.extract(ARTICLE, url=site.url("/page")).markdown.strip()


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("http://{host}/search?q=a%26b&url=x&focus=y", "/search?q=a%26b&url=x&focus=y"),
        ("http://{host}/a%2Fb%20c%3Fd//e", "/a%2Fb%20c%3Fd//e"),
        ("http:/{host}/one-slash", "/one-slash"),
        ("http%3A%2F%2F{host}%2Fa%3Fb%3Dc", "/a?b=c"),
    ],
)
def test_the_address_is_asked_for_as_it_was_written(app, site, written, asked):
    answer = app.get("/r/" + written.format(host=site.host))
    assert 'warnings: ["http_404' in answer.text
    assert site.paths[-1] == asked


def test_what_cannot_be_read_by_its_address(app, site):
    assert 'status: "not_html"' in app.get(f"/r/{site.url('/pdf')}").text
    for address, status in (("", 400), ("ftp://example.org/", 400), ("http://10.0.0.1/", 502)):
        answer = app.get(f"/r/{address}")
        assert answer.status_code == status
        assert answer.json()["error"]["message"]


def test_an_error_page_says_so(app, site):
    found = app.post("/extract", json={"url": site.url("/missing")}).json()
    assert found["http"]["status"] == 404
    assert any(one.startswith("http_404") for one in found["warnings"])


def test_siblings_are_addresses_or_html(app, site):
    lonely = app.post("/extract", json={"html": ARTICLE, "method": "site", "url": site.url("/page")})
    assert (lonely.status_code, lonely.json()["error"]["code"]) == (422, "needs_siblings")
    others = [site.url("/echo"), page(title="Another", text="other words")]
    found = app.post("/extract", json={"html": ARTICLE, "method": "site", "url": site.url("/page"), "siblings": others})
    assert found.status_code == 200, found.text


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "bad_request"),
        ({"html": "<p>x", "method": "nonsense"}, "unknown_method"),
        ({"html": "<p>x", "method": "lqf:quota=high"}, "bad_request"),
        ({"html": "<p>x", "focus": "sideways"}, "bad_request"),
        ({"html": "<p>x", "surprise": 1}, "bad_request"),
        ({"html": 5}, "bad_request"),
        ([], "bad_request"),
        ({"html": "<p>x", "siblings": ["<p>"] * 9}, "too_many"),
        ({"url": "ftp://example.org"}, "bad_url"),
    ],
)
def test_bad_requests_say_why(app, body, code):
    answer = app.post("/extract", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
    assert answer.json()["error"]["message"]


def test_options_of_a_method_are_part_of_its_name(app):
    listing = "<main><p>Some words of prose.</p><p>Half <a href=/a>link</a></p></main>"
    for method in ("lqf:quota=0.25", "lqf:quota=0.75", "seeker:none"):
        found = app.post("/extract", json={"html": listing, "method": method}).json()
        assert found["text"] == thresher.extract(listing, method=method).text
    headers = {"Content-Type": "text/html"}
    assert app.post("/extract?method=lqf:quota=0.75", content=listing, headers=headers).status_code == 200
    unknown = app.post("/extract?quota=0.75", content=listing, headers=headers)
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (400, "bad_request")


def test_broken_json_and_halves_of_characters(app):
    headers = {"Content-Type": "application/json"}
    assert app.post("/extract", content=b'{"html": "<p>', headers=headers).status_code == 400
    assert app.post("/extract", content=b'{"html": "<p>\\ud800 half"}', headers=headers).status_code in (200, 400)


def test_bytes_are_decoded_as_the_header_says(app):
    body = page(text="Müller fährt").encode("latin-1")
    answer = app.post("/extract", content=body, headers={"Content-Type": "text/html; charset=iso-8859-1"})
    assert "Müller fährt" in answer.json()["text"]


def test_what_is_no_page_is_a_result_with_a_status(app, site):
    assert app.post("/extract", json={"url": site.url("/pdf")}).json()["status"] == "not_html"
    assert app.post("/extract", json={"html": ""}).json()["status"] == "empty"


def test_requests_are_bounded():
    with client(body_bytes=20_000) as small:
        answer = small.post("/extract", json={"html": "x" * 30_000})
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
        chunks = (b"y" * 5_000 for _ in range(10))
        answer = small.post("/extract", content=chunks, headers={"Content-Type": "text/html"})
        assert answer.status_code == 413


def test_a_bad_page_costs_its_own_request_only(monkeypatch):
    run = WorkerPool.run

    def sabotaged(self, task, request, *pages):
        return run(self, task.replace("thresher.web.tasks:extracted", "tests.web_faults:extracted"), request, *pages)

    monkeypatch.setattr(WorkerPool, "run", sabotaged)
    with client(workers=2, page_seconds=2.0, page_mb=512) as app:

        def ask(word):
            answer = app.post("/extract", json={"html": page(text=word)})
            return answer.status_code, answer.json().get("error", {}).get("code")

        first = app.post("/extract", json={"html": page()}).json()["process"]
        with ThreadPoolExecutor(8) as threads:
            words = ["CRASH", "fine", "HANG", "fine", "MEMORY", "BUG", "fine", "fine"]
            found = list(threads.map(ask, words))
        expected = {
            "CRASH": (500, "crash"),
            "HANG": (504, "time"),
            "MEMORY": (507, "memory"),
            "BUG": (500, "failed"),
            "fine": (200, None),
        }
        assert found == [expected[word] for word in words]
        assert ask("fine") == (200, None)
        assert isinstance(first, int)
        replaced = re.search(r"thresher_workers_replaced_total (\d+)", app.get("/metrics").text)
        assert int(replaced[1]) >= 3


def test_too_many_requests_are_told_when_to_come_back(monkeypatch):
    run = WorkerPool.run

    def slowed(self, task, request, *pages):
        return run(self, "tests.web_faults:extracted", request, *pages)

    monkeypatch.setattr(WorkerPool, "run", slowed)
    with client(workers=1, queue=2) as app:
        app.post("/extract", json={"html": page()})
        with ThreadPoolExecutor(6) as threads:
            found = list(threads.map(lambda _: app.post("/extract", json={"html": page(text="SLEEP")}), range(6)))
        assert sorted(answer.status_code for answer in found) == [200, 200, 200, 429, 429, 429]
        refused = next(answer for answer in found if answer.status_code == 429)
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.json()["error"]["code"] == "busy"


def test_pages_of_clients_who_left_are_not_read(monkeypatch):
    run, read = WorkerPool.run, []

    async def slowed(self, task, request, *pages):
        found = await run(self, "tests.web_faults:extracted", request, *pages)
        read.append(pages[0])
        return found

    monkeypatch.setattr(WorkerPool, "run", slowed)
    with serving() as address:
        host = address.removeprefix("http://")
        head = f"POST /extract HTTP/1.1\r\nHost: {host}\r\nContent-Type: text/html\r\nContent-Length: 12\r\n\r\n"
        waiting = [socket.create_connection(host.split(":")) for _ in range(30)]
        for one in waiting:
            one.sendall(head.encode() + b"<p>SLEEP</p>")
        while "thresher_requests_waiting 29" not in httpx.get(f"{address}/metrics").text:
            time.sleep(0.05)
        for one in waiting:
            one.close()
        answer = httpx.post(f"{address}/extract", json={"html": page()}, timeout=PATIENCE)
    assert answer.status_code == 200
    assert read == [page().encode()]


def test_a_page_is_read_no_further_when_nobody_waits_for_it(monkeypatch):
    run = WorkerPool.run
    monkeypatch.setattr(WorkerPool, "run", lambda self, task, *rest: run(self, "tests.web_faults:extracted", *rest))
    with serving(workers=1, page_seconds=9 * PATIENCE) as address:
        # The process is up: a page that still waits for one is not begun.
        assert httpx.post(f"{address}/extract", json={"html": page()}, timeout=PATIENCE).status_code == 200
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{address}/extract", json={"html": "<p>HANG"}, timeout=1)
        answer = httpx.post(f"{address}/extract", json={"html": page()}, timeout=PATIENCE)
        replaced = re.search(r"thresher_workers_replaced_total (\d+)", httpx.get(f"{address}/metrics").text)
    assert (answer.status_code, int(replaced[1])) == (200, 1)


def test_a_worker_is_replaced_after_so_many_pages():
    with client(recycle_pages=2) as app:
        assert [app.post("/extract", json={"html": page()}).status_code for _ in range(5)] == [200] * 5
        replaced = re.search(r"thresher_workers_replaced_total (\d+)", app.get("/metrics").text)
        assert int(replaced[1]) == 2


def test_health_and_metrics(app):
    assert app.get("/health").json()["status"] == "ok"
    app.post("/extract", json={"html": page()})
    text = app.get("/metrics").text
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[0-9.e+]+', line) for line in lines), (
        text
    )
    assert 'thresher_requests_total{route="/extract",status="200"}' in text
    assert 'thresher_pages_total{status="ok"}' in text


def test_the_reference_lists_every_route_of_the_api(app):
    html = app.get("/docs").text
    for path in app.get("/openapi.json").json()["paths"]:
        assert f"</span>{path}</h2>" in html
    assert "cdn" not in html


# Firecrawl


def test_scrape_gives_what_firecrawl_gives(app, site):
    formats = ["markdown", "html", "rawHtml", "links", "images", "summary"]
    answer = app.post("/v2/scrape", json={"url": site.url("/page"), "formats": formats})
    assert answer.status_code == 200
    body = answer.json()
    assert body["success"] is True
    data = body["data"]
    assert data["markdown"].startswith("# On threshing")
    assert "<h1>" in data["html"]
    assert data["rawHtml"] == ARTICLE
    assert data["summary"]
    meta = data["metadata"]
    assert (meta["title"], meta["description"], meta["ogSiteName"]) == ("On threshing", "About grain", "Barn")
    assert (meta["sourceURL"], meta["statusCode"], meta["language"]) == (site.url("/page"), 200, "en")


def test_scrape_of_the_whole_page(app, site):
    main = app.post("/v2/scrape", json={"url": site.url("/page"), "formats": ["markdown", "links"]}).json()["data"]
    whole = {"url": site.url("/page"), "formats": ["markdown", "links"], "onlyMainContent": False}
    everything = app.post("/v2/scrape", json=whole).json()["data"]
    assert "Imprint" not in main["markdown"]
    assert "Imprint" in everything["markdown"]
    assert site.url("/shop") in everything["links"]


def test_scrape_with_chosen_elements(app, site):
    request = {"url": site.url("/page"), "onlyMainContent": False, "includeTags": [".extra"]}
    assert app.post("/v2/scrape", json=request).json()["data"]["markdown"].startswith("See [the next page]")
    request = {"url": site.url("/page"), "onlyMainContent": False, "excludeTags": ["article", ".extra", "nav"]}
    assert "grain" not in app.post("/v2/scrape", json=request).json()["data"]["markdown"]
    request["includeTags"] = ["][", "p"]
    assert app.post("/v2/scrape", json=request).json()["code"] == "BAD_REQUEST"


def test_an_error_page_is_a_success_with_its_status(app, site):
    body = app.post("/v2/scrape", json={"url": site.url("/missing")}).json()
    assert body["success"] is True
    assert (body["data"]["metadata"]["statusCode"], body["data"]["metadata"]["error"]) == (404, "Not Found")


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        ({}, 400, "BAD_REQUEST"),
        ({"url": "nonsense"}, 400, "BAD_REQUEST"),
        ({"url": "http://10.0.0.1/"}, 403, "SCRAPE_SITE_NOT_ALLOWED"),
        ({"url": "http://no-such-host.invalid/"}, 500, "SCRAPE_DNS_RESOLUTION_ERROR"),
        ({"url": "{site}/slow", "timeout": 300}, 408, "SCRAPE_TIMEOUT"),
        ({"url": "{site}/page", "formats": ["screenshot"]}, 400, "BAD_REQUEST"),
        ({"url": "{site}/page", "formats": [{"type": "json", "prompt": "x"}]}, 400, "BAD_REQUEST"),
        ({"url": "{site}/page", "actions": [{"type": "click"}]}, 400, "BAD_REQUEST"),
        ({"url": "{site}/page", "headers": {"Host": "evil"}}, 400, "BAD_REQUEST"),
        ({"url": "{site}/page", "headers": {"X": "a\nb"}}, 400, "BAD_REQUEST"),
    ],
)
def test_failures_have_firecrawls_shape(app, site, request_, status, code):
    if "url" in request_:
        request_ = {**request_, "url": request_["url"].replace("{site}", f"http://{site.host}")}
    answer = app.post("/v2/scrape", json=request_)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["success"] is False
    assert answer.json()["error"]


def test_options_without_meaning_here_are_named(app, site):
    request = {"url": site.url("/page"), "formats": [{"type": "markdown"}], "mobile": True, "maxAge": 0, "newOption": 1}
    data = app.post("/v2/scrape", json=request).json()["data"]
    assert data["markdown"]
    assert "ignored: mobile, newOption" in data["warning"]


def test_a_gzipped_file_is_unpacked_as_on_the_command_line(app):
    def upload(data, name="page.html.gz"):
        return app.post("/try", data={"kind": "file", "fresh": "1"}, files={"file": (name, data)}, headers=token(app))

    assert "On threshing" in upload(gzip.compress(ARTICLE.encode())).text
    broken = upload(gzip.compress(ARTICLE.encode())[:50])
    assert broken.status_code == 400
    assert "cut off or broken" in broken.text
    bomb = upload(gzip.compress(b"<p>" + bytes(200_000_000), 1))
    assert bomb.status_code == 200


def test_what_cannot_be_labelled_comes_last_and_has_no_confidence(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.html").write_bytes(b"%PDF-1.7")
    (folder / "b.html").write_text(page(), encoding="utf-8")
    with client(label=folder, labels=tmp_path / "labels.jsonl") as app:
        while "…</span>" in (queue := app.get("/label").text):
            time.sleep(0.05)
    cells = r'<th scope="row">(.*?)</th>\s*<td>(.*?)</td>\s*<td class="left">(.*?)</td>'
    (first, sure, ok), last = re.findall(cells, queue)
    assert (first, ok, last) == ("b", "ok", ("a", "–", "not_html"))
    assert float(sure) <= 1

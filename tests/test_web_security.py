"""No web site may ask in the user's place, nothing of a page runs, and every answer says so in its headers."""

from __future__ import annotations

import asyncio
import re
from html.parser import HTMLParser

import pytest

pytest.importorskip("fastapi")

from tests.web_app import BASE, client, page, token
from thresher.output.painting import BlockMark, paint
from thresher.parse import parse
from thresher.web.settings import ServerSettings, is_loopback

SECRET = "a token of sixteen characters"


@pytest.fixture(scope="module")
def app():
    with client(names=("thresher.example",)) as found:
        yield found


@pytest.fixture(scope="module")
def locked():
    with client(token=SECRET) as found:
        yield found


def shown(app, html):
    """Upload a page; the answer and the painted page."""
    answer = app.post("/try", data={"kind": "html", "html": html, "fresh": "1"}, headers=token(app))
    assert answer.status_code == 200, answer.text
    id = re.search(r'name="source" value="([^"]+)"', answer.text)[1]
    return answer, app.get(f"/frame/{id}"), app.get(f"/reading/{id}")


@pytest.mark.parametrize("path", ["/", "/compare", "/evaluate", "/docs", "/openapi.json", "/health", "/metrics"])
def test_every_page_has_a_strict_policy(app, path):
    answer = app.get(path)
    assert answer.status_code == 200
    assert_strict(answer)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("PUT", "/", 403),
        ("POST", "/try", 403),
        ("POST", "/extract", 415),
        ("GET", "/asset/x/y", 410),
        ("GET", "/extract", 400),
        ("GET", "/extract/nowhere", 404),
        ("GET", "/r/", 400),
    ],
)
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_errors_have_it_too(app, method, path, status, accept):
    answer = app.request(method, path, headers={"Accept": accept})
    assert answer.status_code == status
    assert_strict(answer)
    assert answer.headers["content-type"].startswith(accept)


def test_so_does_a_failure_of_ours(app, monkeypatch):
    def broken(*arguments):
        raise RuntimeError("<script>secret</script>")

    monkeypatch.setattr("thresher.web.compare.method_groups", broken)
    answer = app.get("/compare", headers={"Accept": "text/html"})
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert_strict(answer)


def assert_strict(answer):
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8177", "localhost:8177", "localhost", "[::1]:8177", "192.168.1.9:8177", "thresher.example"]
)
def test_addresses_and_our_own_names_are_served(app, host):
    assert app.get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8177",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "",
        "127.0.0.1:1;x",
        "a b",
    ],
)
def test_a_rebound_name_is_refused(app, host):
    for path in ("/health", "/", "/static/app.js"):
        assert app.get(path, headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:9999", "http://localhost:8177"])
@pytest.mark.parametrize("path", ["/extract", "/v2/scrape", "/try", "/compare", "/login"])
def test_another_origin_cannot_post(app, origin, path):
    answer = app.post(path, json={"html": page()}, headers={"Origin": origin, **token(app)})
    assert answer.status_code == 403


@pytest.mark.parametrize("mode", ["cors", "no-cors", "navigate"])
def test_another_site_cannot_read_by_get(app, mode):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": "iframe"}
    assert app.get("/metrics", headers=headers).status_code == 403


@pytest.mark.parametrize("path", ["/extract?url=https://example.org/", "/r/https://example.org/"])
def test_a_link_from_elsewhere_fetches_nothing(app, monkeypatch, path):
    monkeypatch.setattr(app.app.state.context.sources, "fetch", None)
    for arriving in ("document", "iframe", "image"):
        headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": arriving}
        assert app.get(path, headers=headers).status_code == 403


def test_a_link_from_elsewhere_opens_the_app(app):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    answer = app.get("/?url=https://example.org/%22onfocus=alert(1)", headers=headers)
    assert answer.status_code == 200
    assert 'value="https://example.org/&#34;onfocus=alert(1)"' in answer.text


@pytest.mark.parametrize("given", [{}, {"X-Thresher-Token": "guess"}, {"Origin": BASE}, {"X-Thresher-Token": "é"}])
def test_changes_need_the_token_of_our_pages(app, given):
    given = {name: value.encode() for name, value in given.items()}
    answer = app.post("/try", data={"kind": "html", "html": page(), "fresh": "1"}, headers=given)
    assert answer.status_code == 403


def test_no_answer_allows_other_origins(app):
    for headers in ({"Origin": "https://evil.example"}, {"Access-Control-Request-Method": "POST"}):
        answer = app.options("/extract", headers=headers)
        assert answer.status_code >= 400
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_server_with_a_token_asks_for_it(locked):
    assert locked.get("/health").status_code == 200
    assert locked.get("/static/app.css").status_code == 200
    for path in ("/", "/metrics", "/docs", "/openapi.json", "/frame/x"):
        assert locked.get(path).status_code == 401
    answer = locked.post("/extract", json={"html": page()})
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert locked.get("/", headers={"Accept": "text/html"}).text.count('name="token"') == 1


def test_a_bearer_token_opens_the_api(locked):
    for given, status in ((SECRET, 200), (SECRET + "x", 401), ("", 401)):
        answer = locked.get("/metrics", headers={"Authorization": f"Bearer {given}"})
        assert answer.status_code == status


def test_a_visitor_logs_in_once(locked):
    assert locked.post("/login", data={"token": "wrong"}).status_code == 401
    answer = locked.post("/login", data={"token": SECRET}, follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert answer.status_code == 303
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert SECRET not in cookie
    assert locked.get("/").status_code == 200
    locked.cookies.clear()


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("10.0.0.1", False),
        ("example.org", False),
    ],
)
def test_what_is_loopback(host, expected):
    assert is_loopback(host) is expected
    assert ServerSettings(host=host).host == host


ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><animate onbegin=alert(1) attributeName=x>",
    '<a href="javascript:alert(1)">click</a>',
    '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
    '<form action="https://evil.example/"><button formaction="https://evil.example/">x</button></form>',
    '<meta http-equiv=refresh content="0;url=https://evil.example/">',
    '<base href="https://evil.example/"><link rel=stylesheet href=https://evil.example/x.css>',
    "<object data=x></object><embed src=x><applet code=x></applet>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<style></style><script>alert(1)</script></style><style>@import 'https://evil.example/x.css';</style>",
    "<textarea></textarea><script>alert(1)</script></textarea><xmp><script>alert(1)</script></xmp>",
    "<video src=x poster=https://evil.example/x.png><source src=x><track src=x></video>",
    '<p style="background:url(https://evil.example/x.png)" onclick=alert(1) id=thr-1 class="thr-kept">styled</p>',
    "<plaintext><script>alert(1)</script>",
]
_LIVE = re.compile(
    r"<\s*/?\s*(script|iframe|frame|object|embed|applet|form|base|meta\s+http-equiv|animate|set|source|track|template)\b"
    r"|\son[a-z]+\s*=|javascript:|srcdoc|formaction|\saction=|\shref=|\ssrc=|\sposter=|\ssrcset=",
    re.IGNORECASE,
)


class Elements(HTMLParser):
    """The elements of a document with their attributes."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    @classmethod
    def of(cls, html):
        parser = cls()
        parser.feed(html)
        return parser.found


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_of_a_page_is_live_in_the_frame(attack):
    painted = paint(parse(page(more=attack)), {0: BlockMark("kept", '"><script>alert(1)</script>')}).html
    tags = "".join(re.findall(r"<[^>]*>", re.sub(r"<style>.*?</style>", "", painted, flags=re.DOTALL)))
    assert not _LIVE.search(tags.replace('title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"', "")), tags


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_in_content_and_titles_reach_our_pages_as_text(app, attack):
    escaped = attack.replace("<", "&lt;")
    answer, frame, reading = shown(app, page(title=f"T {escaped}", text=escaped, more=attack))
    elements = Elements.of(answer.text)
    assert not {name for name, _ in elements} & {
        "script",
        "style",
        "object",
        "embed",
        "form",
        "base",
        "meta",
        "link",
        "svg",
    }
    for name, attributes in elements:
        assert not [one for one in attributes if one.startswith("on")]
        addresses = [attributes[one] for one in ("href", "src") if one in attributes]
        assert all(one.startswith(("/frame/", "/reading/", "/download/")) for one in addresses)
        assert name != "iframe" or attributes["sandbox"] is None
    assert [name for name, _ in elements].count("iframe") == 2
    for framed in (frame, reading):
        assert framed.status_code == 200
        policy = framed.headers["content-security-policy"]
        assert policy.startswith("sandbox; default-src 'none'; ")
        assert "allow" not in policy
        assert "script" not in policy


def test_a_name_of_a_file_is_text(app):
    name = "<img src=x onerror=alert(1)>.html"
    answer = app.post("/try", data={"kind": "file", "fresh": "1"}, files={"file": (name, page())}, headers=token(app))
    assert answer.status_code == 200
    assert "<img src=x" not in answer.text
    assert "&lt;img src=x" in answer.text


def test_pages_of_other_schemes_and_private_hosts_are_not_fetched(app):
    for url, code in (
        ("file:///etc/passwd", "bad_url"),
        ("http://127.0.0.1:1/", "blocked_address"),
        ("http://[::1]:1/", "blocked_address"),
        ("http://169.254.169.254/latest/meta-data", "blocked_address"),
        ("gopher://x", "bad_url"),
    ):
        answer = app.post("/extract", json={"url": url})
        assert answer.json()["error"]["code"] == code
        assert answer.status_code in (400, 502)


def test_an_asset_is_handed_out_only_if_its_page_names_it(app):
    answer, _, _ = shown(app, page(more="<img src=https://evil.example/x.png>"))
    id = re.search(r'name="source" value="([^"]+)"', answer.text)[1]
    assert app.get(f"/asset/{id}/0123456789abcdef").status_code == 404
    assert app.get("/asset/guess/0123456789abcdef").status_code == 410


def test_head_is_get_without_a_body(app):
    for path in ("/", "/health", "/static/app.js"):
        answer = app.head(path)
        assert answer.status_code == 200
        assert_strict(answer)
    assert app.head("/nowhere").status_code == 404


def test_a_visitor_who_leaves_while_sending_is_no_error_of_ours(app, caplog):
    """The application is asked as a server does whose client went away in the middle of its request."""
    asked = {
        "type": "http", "method": "POST", "path": "/extract", "raw_path": b"/extract", "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"text/html"), (b"content-length", b"9")],
    }  # fmt: skip
    messages = iter([{"type": "http.request", "body": b"<p>", "more_body": True}, {"type": "http.disconnect"}])

    async def receive():
        return next(messages)

    async def send(message):
        raise AssertionError("nobody is there")

    asyncio.run(app.app(asked, receive, send))
    assert not caplog.records

"""Pages that would rather not be read: each comes back within its time with a reason, the next page is fine, and no
process is left."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.browser import family, html, needs_chromium, pool  # noqa: F401
from tests.clock import PATIENCE
from tests.raw_server import RawServer, answer
from thresher.errors import FetchError, NotHtml, RenderError
from thresher.render import Pool, render

pytestmark = needs_chromium

SECONDS = 4.0  # for a page, or more where the machine is busy

TEXT = "<p>Some text</p>"


def script(code: str) -> bytes:
    return html(f"{TEXT}<script>{code}</script><p>and more</p>")


def drip(connection, request):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Some text</p>" + b" " * 2000)
    while True:
        connection.sendall(b"<i>more</i> ")
        time.sleep(0.1)


def flood(connection, request):
    kind = b"application/octet-stream\r\nContent-Disposition: attachment; filename=bomb"
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\n\r\n")
    while True:
        connection.sendall(b"x" * 65536)


PAGES = {
    # What is there is read, and a problem says what was cut.
    "/loop": script("onload = () => setTimeout(() => { while (true) {} }, 10)"),
    "/alerts": script("while (true) alert('again')"),
    "/dialogs": script("alert(1); document.title = confirm(2) + ' ' + prompt(3)"),
    "/reload": script("location.reload()"),
    "/windows": script("for (let i = 0; i < 30; i++) window.open('/windows')"),
    "/frames": html(f"{TEXT}<iframe src=/frames></iframe><iframe src=/frames?2></iframe>"),
    "/unload": script("onbeforeunload = event => { event.preventDefault(); event.returnValue = 'stay' }"),
    "/drip": drip,
    "/stuck": html(f"<script src=/silent></script>{TEXT}"),
    "/bomb-inside": html(f"{TEXT}<iframe src=/bomb></iframe><a id=a href=/bomb download></a><script>a.click()"),
    "/attribute": script("document.body.setAttribute('x', 'y'.repeat(20e6))"),
    # What cannot be read ends with an error.
    "/bomb": flood,
    "/dom": script("const s = 'x'.repeat(1000); for (let i = 0; i < 1e5; i++) {"
                   "const p = document.createElement('p'); p.textContent = s + i; document.body.append(p) }"),
    "/deep": script("let p = document.body; for (let i = 0; i < 1e5; i++) {"
                    "const d = document.createElement('div'); p.append(d); p = d }"),
    "/memory": script("const kept = []; while (true) kept.push(new Uint8Array(5e7).fill(1))"),
    "/silent": lambda connection, request: time.sleep(60),
    "/fine": html("<p>All is well"),
    "/error": answer(b"", "503 Service Unavailable"),
    "*": answer(b"", "404 Not Found"),
}  # fmt: skip


@pytest.fixture(scope="module")
def site():
    with RawServer(PAGES) as server:
        yield server


@pytest.fixture(scope="module")
def seconds(site, pool):  # noqa: F811
    """The time that a page gets: many times what an easy one takes here and now."""
    for _ in range(2):
        start = time.monotonic()
        render(site.url("/fine"), pool=pool, allow_hosts=[site.host], wait="load", scroll=False, timeout=60.0)
    return max(SECONDS, 8 * (time.monotonic() - start))


@pytest.fixture
def visit(site, pool, seconds):  # noqa: F811
    """Renders a page of the site, looks at the clock, and at whether the next page is fine."""

    def visited(path, **changes):
        how = {"pool": pool, "allow_hosts": [site.host], "timeout": seconds, "scroll": False, **changes}
        with pool.browser(how.get("memory", 2_000)):
            pass  # it is running: its start is not the page's time
        start = time.monotonic()
        try:
            return render(site.url(path), **how)
        finally:
            assert time.monotonic() - start < seconds + PATIENCE  # and not for ever
            assert render(site.url("/fine"), **{**how, "wait": "load", "timeout": 60.0}).text == ("All is well",)

    return visited


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/loop", "late"),
        ("/alerts", "late"),
        ("/drip", "late"),
        ("/stuck", "late"),
        ("/dialogs", None),
        ("/reload", None),
        ("/windows", None),
        ("/frames", None),
        ("/unload", None),
        ("/bomb-inside", None),
    ],
)
def test_what_is_there_is_read(visit, path, code):
    page = visit(path)
    assert "Some text" in page.text
    found = [problem.code for problem in page.problems]
    assert code is None or code in found


@pytest.mark.parametrize(
    ("path", "reasons"),
    [
        ("/dom", {"timeout", "memory", "crashed"}),
        ("/deep", {"timeout", "memory", "crashed"}),
        ("/memory", {"memory", "crashed", "timeout"}),
    ],
)
def test_what_overwhelms_the_browser_ends_with_a_reason(visit, path, reasons):
    try:
        found = {problem.code for problem in visit(path, memory=700).problems}
    except RenderError as error:
        found = {error.reason}
    # A fast machine gets through a hundred megabytes: then it says what was cut.
    assert found & (reasons | {"late", "too_large", "too_deep"})


def test_a_download_is_no_page(visit):
    with pytest.raises(NotHtml, match="download"):
        visit("/bomb")


def test_a_server_that_never_answers_costs_its_time_only(visit):
    with pytest.raises(FetchError) as raised:
        visit("/silent", timeout=3.0)
    assert raised.value.reason == "timeout"


def test_an_error_without_a_page_is_told_by_its_number(visit):
    with pytest.raises(FetchError, match="the server answered 503") as raised:
        visit("/error")
    assert raised.value.reason == "http_503"


def test_long_attributes_and_many_bytes_are_cut(visit):
    page = visit("/attribute")
    assert "Some text" in page.text
    assert page.attribute(2, "x") is None
    small = visit("/drip", bytes=1_500)
    assert "too_large" in [problem.code for problem in small.problems]


def test_nothing_is_left_of_a_pool_that_was_closed(site):
    before = family()
    browsers = Pool()
    render(site.url("/fine"), pool=browsers, allow_hosts=[site.host], wait="load")
    assert len(family()) > len(before)
    profile = Path(browsers._idle[0][0]._profile)
    browsers.close()
    assert family() <= before
    end = time.monotonic() + 10
    while profile.exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not profile.exists()

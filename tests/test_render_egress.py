"""No page reaches an address that it may not: each way that a page has to the network is tried in the real Chromium.

A server that nobody may talk to counts its connections.  The same page with that server allowed shows that the ways
work, so that zero means something.
"""

from __future__ import annotations

import socket
import ssl

import pytest
import trustme

from tests.browser import html, needs_chromium, pool  # noqa: F401
from tests.raw_server import RawServer, answer
from thresher.errors import FetchError
from thresher.render import Pool, render

pytestmark = needs_chromium


def ways(there: str, port: int, udp: int) -> str:
    """A page that tries everything to reach `there`, and UDP at a port of this machine."""
    return f"""
<link rel=preconnect href={there}><link rel=prefetch href={there}/prefetch><link rel=stylesheet href={there}/css>
<link rel=preload as=image href={there}/preload><link rel=manifest href={there}/manifest><link rel=icon href={there}/i>
<script type=speculationrules>{{"prerender": [{{"source": "list", "urls": ["{there}/prerender"]}}]}}</script>
<p id=said>start</p>
<img src={there}/image><img src=http://localhost:{port}/image><img src=http://2130706433:{port}/number>
<img src=http://0.0.0.0:{port}/zero><img src=http://[::ffff:127.0.0.1]:{port}/mapped><img src=/redirect>
<iframe src={there}/frame></iframe><iframe src=/redirect></iframe><iframe src=/refresh></iframe>
<iframe name=post></iframe><form id=form method=post action={there}/form target=post></form>
<object data={there}/object></object><embed src={there}/embed><video src={there}/video autoplay></video>
<script>
const say = word => document.getElementById('said').append(' ' + word);
fetch('{there}/fetch').then(() => say('FETCHED'), () => say('refused'));
fetch('/redirect').then(() => say('REDIRECTED'), () => say('refused'));
fetch('/open').then(r => r.text()).then(say);
new WebSocket('ws://127.0.0.1:{port}/socket');
new EventSource('{there}/events');
navigator.sendBeacon('{there}/beacon', 'x');
window.open('{there}/window');
document.getElementById('form').submit();
new Worker(URL.createObjectURL(new Blob(["fetch('{there}/worker').catch(() => 0);new WebSocket('ws://127.0.0.1:{port}/')"])));
for (const make of [
  () => new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{udp}'}}]}}),
  () => new WebTransport('https://127.0.0.1:{udp}/'),
  () => navigator.serviceWorker.register('/worker.js').then(() => say('SERVICE')),
]) try {{ make(); say('MADE') }} catch (error) {{}}
</script>"""


RTC = """<script>const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:%d'}]});
peer.createDataChannel('x'); peer.createOffer().then(offer => peer.setLocalDescription(offer));</script>"""


@pytest.fixture
def udp():
    """A UDP socket of this machine, and nobody may write to it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        one.settimeout(0.3)
        yield one


def nothing_came(udp: socket.socket) -> bool:
    try:
        udp.recv(1000)
    except TimeoutError:
        return True
    return False


def test_no_way_leads_to_an_address_that_is_not_allowed(pool, udp):  # noqa: F811
    with RawServer(answer(b"", access_control_allow_origin="*", content_type="text/html")) as there:
        pages = {
            "/": html(ways(there.url("").rstrip("/"), there.port, udp.getsockname()[1])),
            "/redirect": answer(b"", "302 Found", location=there.url("/redirected")),
            "/refresh": html(f"<meta http-equiv=refresh content='0;url={there.url('/refreshed')}'>"),
            "/open": answer(b"allowed"),
            "*": answer(b""),
        }
        with RawServer(pages) as site:
            page = render(site.url(), allow_hosts=[site.host], pool=pool, wait=1.5, scroll=False)
            said = page.inner_text(0)
            assert there.connections == 0
            assert "allowed" in said
            assert said.count("refused") == 2
            assert "MADE" not in said
            assert "SERVICE" not in said
            assert "blocked_address" in [problem.code for problem in page.problems]
            free = render(site.url(), allow_hosts=["127.0.0.1"], pool=pool, wait=1.5, scroll=False)
    assert "FETCHED" in free.inner_text(0)
    reached = {request.split()[1].decode() for request in there.requests}
    wanted = "/image /frame /fetch /socket /redirected /refreshed /worker /form /css /beacon /events /object /embed"
    assert reached >= set(wanted.split()), "these ways work when they are allowed"
    assert nothing_came(udp)


@pytest.mark.parametrize("how", ["redirect", "refresh", "script"])
def test_a_page_cannot_go_on_to_a_private_address(pool, how):  # noqa: F811
    with RawServer(html("<p>secret")) as there:
        body = {
            "redirect": answer(b"", "307 Temporary Redirect", location=there.url()),
            "refresh": html(f"<p>public</p><meta http-equiv=refresh content='0;url={there.url()}'>"),
            "script": html(f"<p>public</p><script>location.replace({there.url()!r})</script>"),
        }[how]
        with RawServer(body) as site, pytest.raises(FetchError) as raised:
            render(site.url(), allow_hosts=[site.host], pool=pool, scroll=False)
        assert raised.value.reason == "blocked_address"
        assert there.connections == 0


def test_webrtc_sends_nothing_even_where_no_script_of_ours_has_removed_it(pool, udp, monkeypatch):  # noqa: F811
    monkeypatch.setattr("thresher.render.tab._PRELUDE", "")
    page = render("<!doctype html><p>x" + RTC % udp.getsockname()[1], pool=pool, wait=1.5, scroll=False)
    assert page.text == ("x",)
    assert nothing_came(udp)


def test_names_are_looked_up_by_the_proxy_alone_and_judged_there():
    asked = []

    def resolver(host, port):
        asked.append(host)
        return [(socket.AF_INET, ("127.0.0.1", port))]

    with RawServer(html("<p>hello")) as site, Pool(resolver=resolver) as browsers:
        url = f"http://site.example:{site.port}/"
        with pytest.raises(FetchError) as raised:
            render(url, pool=browsers, wait="load")
        assert raised.value.reason == "blocked_address"
        assert site.connections == 0
        page = render(url, pool=browsers, allow_hosts=[f"site.example:{site.port}"], wait="load")
    assert page.text == ("hello",)
    assert page.url == url
    assert "site.example" in asked


def test_https_goes_through_tunnels_and_certificates_are_checked(pool):  # noqa: F811
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)  # by an authority that nobody knows
    with RawServer(html("<p>secret"), tls=context) as there:
        for hosts, reason in (((), "blocked_address"), ((there.host,), "tls")):
            with pytest.raises(FetchError) as raised:
                render(there.url(), pool=pool, allow_hosts=hosts, wait="load")
            assert raised.value.reason == reason
            assert bool(there.connections) == bool(hosts)
        assert there.requests == []


def test_local_files_and_browser_pages_are_out_of_reach(pool, tmp_path):  # noqa: F811
    secret = tmp_path / "secret.html"
    secret.write_text("<p>secret of the disk")
    source = f"""<!doctype html><p id=p>page</p><iframe src="{secret.as_uri()}"></iframe><iframe src="chrome://version">
    </iframe><script>fetch("{secret.as_uri()}").then(r => r.text()).then(t => p.append(t), () => p.append(' refused'));
    try {{ window.open("{secret.as_uri()}") }} catch (error) {{}}</script>"""
    page = render(source, pool=pool, wait="idle", scroll=False)
    assert page.inner_text(0) == "page refused"
    for address in (secret.as_uri(), "chrome://version", "view-source:http://example.org"):
        # Neither is an address to render: it is taken for HTML, and shown as the text that it is.
        assert render(address, pool=pool, wait="load", scroll=False).inner_text(0) == address

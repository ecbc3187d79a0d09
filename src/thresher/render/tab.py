"""One page in a browser context of its own: opened, led to an address, watched, and closed.

A context shares nothing with another: no cookies, no cache, no storage, and its own proxy.  What a page may do to its
surroundings is answered here, as it happens:

    dialogs          dismissed                      new windows, service workers    closed
    downloads        refused                        the document, when it is given  handed over in place of a request
"""

from __future__ import annotations

import base64
import time
from dataclasses import dataclass, field
from typing import Any

from thresher.errors import FetchError, NotHtml, RenderError
from thresher.fetch.limits import Deadline
from thresher.render.cdp import CdpConnection, TimedOut
from thresher.render.proxy import Proxy
from thresher.render.settings import RenderSettings

__all__ = ["PLACEHOLDER_URL", "DocumentResponse", "Tab"]

PLACEHOLDER_URL = "https://page.invalid/"  # of a page without an address; such a name is never registered (RFC 2606)

_PAGE_TYPES = ("text/html", "application/xhtml+xml", "text/xml", "application/xml", "image/svg+xml", "text/plain", "")
_IDLE_SECONDS = 0.5  # without a request
_MAX_LOADING_SECONDS = 5.0  # a request that takes longer is no part of loading the page
_ENDLESS_REQUESTS = frozenset({"EventSource", "WebSocket", "Ping"})
_CLOSED_TARGETS = frozenset({"page", "service_worker", "shared_worker", "background_page", "webview"})
# The gate's reasons for what the browser calls net::ERR_…
_REASONS = {
    "REDIRECTS": "too_many_redirects",
    "CERT": "tls",
    "SSL": "tls",
    "EMPTY_RESPONSE": "disconnected",
    "CLOSED": "disconnected",
    "RESET": "disconnected",
    "INVALID_HTTP": "protocol",
    "RESPONSE_HEADERS": "protocol",
    "ENCODING": "bad_encoding",
    "AUTH_CREDENTIALS": "http_401",
    "UNSAFE_PORT": "bad_url",
    "INVALID_URL": "bad_url",
}
# Before any script of the page: nobody is there to answer, and no other way to the network.  Both would do without (the
# events below, the browser's flags), but a loop of dialogs cannot be interrupted, one of empty calls can.
_PRELUDE = """
window.alert = window.print = function () {};
window.confirm = function () { return false; };
window.prompt = function () { return null; };
delete Navigator.prototype.serviceWorker;
delete window.RTCPeerConnection; delete window.webkitRTCPeerConnection; delete window.WebTransport;
"""


@dataclass(frozen=True, slots=True)
class DocumentResponse:
    """How the server answered for the document itself."""

    url: str
    status: int
    kind: str  # the MIME type


@dataclass(slots=True, eq=False)
class Tab:
    """A page being shown.  Use `Tab.open`, and `close` whatever happens."""

    connection: CdpConnection
    settings: RenderSettings
    proxy: Proxy
    context: str = ""
    target: str = ""
    session: str = ""
    frame: str = ""
    wanted: str = ""  # the address that was last asked for, after redirects
    answer: DocumentResponse | None = None
    loaded: bool = False  # the load event of the current document has fired
    under_way: dict[str, float] = field(default_factory=dict)  # requests, and since when
    moved: float = 0.0  # when one of them last began or ended
    timers_run: bool = False  # its virtual time has passed, so its timers have run
    crashed: bool = False
    documents: int = 0  # that the page has gone through
    downloads: int = 0
    left_for: str = ""  # where a given document tried to go
    _document: tuple[str, bytes] | None = field(default=None, repr=False)

    @property
    def idle(self) -> bool:
        """Whether it is loaded and no request has been under way for a while.  Those that take long are polls of a
        server, and do not count."""
        now = time.monotonic()
        waiting = any(now - since < _MAX_LOADING_SECONDS for since in self.under_way.values())
        return self.loaded and not waiting and now - self.moved >= _IDLE_SECONDS

    @classmethod
    def open(cls, connection: CdpConnection, settings: RenderSettings, proxy: Proxy, deadline: Deadline) -> Tab:
        """A blank page in a context of its own."""
        tab = cls(connection, settings, proxy)
        connection.on_event = tab._on_event

        def ask(method: str, **params: Any) -> dict[str, Any]:
            return connection.call(method, params, deadline=deadline)

        through = {"proxyServer": proxy.address, "proxyBypassList": "<-loopback>"}
        tab.context = ask("Target.createBrowserContext", **through)["browserContextId"]
        ask("Browser.setDownloadBehavior", behavior="deny", browserContextId=tab.context, eventsEnabled=True)
        tab.target = ask("Target.createTarget", url="about:blank", browserContextId=tab.context)["targetId"]
        ask("Target.setDiscoverTargets", discover=True)
        tab.session = ask("Target.attachToTarget", targetId=tab.target, flatten=True)["sessionId"]
        *_, tree = connection.call_all(
            [*_preparations(settings), ("Page.getFrameTree", {})], tab.session, deadline=deadline
        )
        tab.frame = tree["frameTree"]["frame"]["id"]
        return tab

    def ask(self, method: str, deadline: Deadline, **params: Any) -> dict[str, Any]:
        """Call the page."""
        return self.connection.call(method, params, self.session, deadline=deadline)

    def go(self, url: str, html: bytes | None, deadline: Deadline) -> None:
        """Lead the page to an address; with `html`, that is what the address answers.

        FetchError for a network that did not lead there, NotHtml for what is no page, RenderError for the rest.
        """
        if html is not None:
            self._document = (url.partition("#")[0], html)
            self.ask("Fetch.enable", deadline, patterns=[{"urlPattern": "*", "resourceType": "Document"}])
        self.wanted = url
        self.loaded = False  # what was said of the blank page counts no more
        try:
            navigation = self.ask("Page.navigate", deadline, url=url)
        except TimedOut:
            raise FetchError(f"{url}: no answer within {deadline.seconds:g} seconds", "timeout", url) from None
        trouble = navigation.get("errorText", "")
        if navigation.get("isDownload") or self.downloads:
            raise NotHtml("the address leads to a file to download, not to a page")
        if trouble:
            raise self.failure(trouble)
        self.connection.pump(deadline, lambda: self.answer is not None or self.loaded or self.crashed)
        if self.answer is not None and self.answer.kind not in _PAGE_TYPES:
            raise NotHtml(f"the address leads to {self.answer.kind}, not to an HTML page")

    def close(self, deadline: Deadline) -> None:
        """End the page with everything that it keeps; no handler of its own is asked."""
        self.connection.on_event = lambda session, method, params: None
        if self.context:
            self.connection.call("Target.disposeBrowserContext", {"browserContextId": self.context}, deadline=deadline)

    def check(self) -> None:
        """RenderError once the page has crashed."""
        if self.crashed:
            raise RenderError("the page has crashed: it took too much memory, or met a bug of the browser", "crashed")

    def failure(self, trouble: str) -> Exception:
        """The error that a failed navigation stands for: what the proxy noted, or what the browser says."""
        url = self.wanted
        if "BLOCKED_BY_CLIENT" in trouble or "ERR_ABORTED" in trouble:
            return RenderError(f"{url}: the browser stopped loading it ({trouble})", "aborted")
        note = self.proxy.refusal(url)
        if note is not None:
            return FetchError(note.message, note.reason, url)
        if self.answer is not None and "RESPONSE_CODE" in trouble:  # an error without a page
            return FetchError(f"the server answered {self.answer.status}", f"http_{self.answer.status}", url)
        reason = next((reason for word, reason in _REASONS.items() if word in trouble), "connect")
        return FetchError(f"{url}: {trouble}", reason, url)

    def _on_event(self, session: str, method: str, params: dict[str, Any]) -> None:
        send = self.connection.send
        if method == "Target.targetCreated":
            self._on_target(params["targetInfo"])
        elif method == "Browser.downloadWillBegin":
            self.downloads += 1
        elif session != self.session:
            return
        elif method == "Page.javascriptDialogOpening":
            # Leaving is allowed; everything else is answered with no.
            send("Page.handleJavaScriptDialog", {"accept": params.get("type") == "beforeunload"}, session)
        elif method == "Fetch.requestPaused":
            self._on_request(params)
        elif method in ("Inspector.targetCrashed", "Target.targetCrashed"):
            self.crashed = True
        elif method in ("Network.loadingFinished", "Network.loadingFailed"):
            self.under_way.pop(params["requestId"], None)
            self.moved = time.monotonic()
        elif method == "Emulation.virtualTimeBudgetExpired":
            self.timers_run = True
        elif method == "Network.requestWillBeSent":
            self.moved = time.monotonic()
            if params.get("type") not in _ENDLESS_REQUESTS:
                self.under_way[params["requestId"]] = self.moved
            if params.get("type") == "Document" and params.get("frameId") == self.frame:
                self.wanted = params["request"]["url"]
        elif method == "Network.responseReceived":
            if params.get("type") == "Document" and params.get("frameId") == self.frame:
                response = params["response"]
                kind = response.get("mimeType", "").lower()
                self.answer = DocumentResponse(response.get("url", ""), int(response.get("status", 0)), kind)
        elif method == "Page.lifecycleEvent" and params.get("frameId") == self.frame:
            self._on_life(params["name"])
        elif method == "Page.frameStoppedLoading" and params.get("frameId") == self.frame:
            self.loaded = True  # also when it was stopped, by going elsewhere and not getting there

    def _on_life(self, name: str) -> None:
        if name == "init":
            self.documents += 1
            self.loaded = False
            self.under_way.clear()
        elif name == "load":
            self.loaded = True
            self.moved = time.monotonic()

    def _on_target(self, info: dict[str, Any]) -> None:
        """Close what a page opens beside itself."""
        if info.get("browserContextId") != self.context or info.get("targetId") == self.target or not self.target:
            return
        if info.get("type") in _CLOSED_TARGETS:
            self.connection.send("Target.closeTarget", {"targetId": info["targetId"]})

    def _on_request(self, params: dict[str, Any]) -> None:
        """Answer for the given document with it, again if the page reloads itself.  Frames go to the proxy; where else
        the page itself wants to go, it stays."""
        number, session = params["requestId"], self.session
        if self._document is None or params.get("frameId") != self.frame:
            self.connection.send("Fetch.continueRequest", {"requestId": number}, session)
            return
        url, html = self._document
        wanted = params["request"]["url"]
        if wanted != url:
            self.left_for = wanted
            self.connection.send("Fetch.failRequest", {"requestId": number, "errorReason": "Aborted"}, session)
            return
        headers = [{"name": "Content-Type", "value": "text/html; charset=utf-8"}]
        body = base64.b64encode(html).decode()
        answer = {"requestId": number, "responseCode": 200, "responseHeaders": headers, "body": body}
        self.connection.send("Fetch.fulfillRequest", answer, session)


def _preparations(settings: RenderSettings) -> list[tuple[str, dict[str, Any]]]:
    """The calls that prepare a page before it navigates."""
    width, height = settings.viewport
    calls: list[tuple[str, dict[str, Any]]] = [
        (
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        ),
        ("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}),
        ("Network.setBypassServiceWorker", {"bypass": True}),
        ("Page.enable", {}),
        ("Page.setLifecycleEventsEnabled", {"enabled": True}),
        ("Page.addScriptToEvaluateOnNewDocument", {"source": _PRELUDE}),
    ]
    if not settings.javascript:
        calls.append(("Emulation.setScriptExecutionDisabled", {"value": True}))
    if settings.user_agent:
        calls.append(("Emulation.setUserAgentOverride", {"userAgent": settings.user_agent}))
    return calls

"""Who may ask, and what every answer carries.

The server reads pages for whoever asks, some of them from private hosts that were allowed, so no web site that its
user happens to visit may ask in their place:

    Host            an address, localhost or a name that the server was told: a foreign name that was made to point
                    here (DNS rebinding) is refused
    Origin          of whatever is not GET must be our own, if a browser sends it; so must Sec-Fetch-Site.  Another
                    site may link to our pages, not to addresses that have a page fetched
    X-Thresher-Token   of whatever changes something: a secret that only our own pages can read.  The API does without,
                    as programs send no Origin and browsers always do
    add-ons         of a browser ask with an Origin of their own and a token for it (`extension.cors`)
    token           of everybody, when the server has one: as a bearer token, or once in a form, then as a cookie.  Who
                    guesses waits: a wrong bearer token is answered after a second, the form by `attempts`

No answer leaves without a content security policy that allows no inline script or style, errors included.  The
one exception is pages that are shown (`/frame/…`): their own styles may work, nothing else, in an origin of their own.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import re
import secrets
import time
from hashlib import sha256
from typing import TYPE_CHECKING

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher.text.log import logger
from thresher.web.answers import Refused, failure_response
from thresher.web.extension.cors import check_extension, extension_headers, is_preflight, preflight_headers

if TYPE_CHECKING:
    from thresher.web.context import Context
    from thresher.web.settings import ServerSettings

__all__ = ["COOKIE", "HEADER", "Guard", "Secrets", "same"]

HEADER = "x-thresher-token"
COOKIE = "thresher"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with no-referrer a browser sends forms with `Origin: null`
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_API = frozenset({"/extract", "/v2/scrape", "/login", "/site/learn"})  # no page of ours posts here; Origin is enough
_CANCEL = re.compile(r"/site/learn/[\w-]+/cancel")  # whoever knows the secret name of a run may end it
_FETCHING = ("/extract", "/r/")  # by GET, too: no link on another web site may have a page fetched
_WITHOUT_TOKEN = ("/health", "/login", "/static/", "/asset/")  # without the server's token; assets have secret names
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?")
_WRONG_TOKEN_SECONDS = 1.0
_LOG = logger("thresher.web")


class Secrets:
    """Made anew when the server starts: what our own pages send along, and what a visitor who logged in has."""

    def __init__(self) -> None:
        key = secrets.token_bytes(32)
        self.page = hmac.new(key, b"page", sha256).hexdigest()
        self.visitor = hmac.new(key, b"visitor", sha256).hexdigest()


class Guard:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, context: Context) -> None:
        self.app, self.context = app, context
        self.arrived = 0  # bytes of requests that are being answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["method"] == "HEAD":  # as GET; the server that runs us sends no body with it
            scope = {**scope, "method": "GET"}
        answer = _Answer(self.context, scope, send)
        body = _Body(self, receive, answer)
        request = Request(scope, body)
        try:
            check_host(request, self.context)
            answer.headers = extension_headers(request, self.context)
            if answer.headers and is_preflight(request):
                await Response(status_code=204, headers=preflight_headers(request))(scope, body, answer)
                return
            check(request, self.context)
            await self.app(scope, body, answer)
        except Refused as refused:
            if refused.code == "token" and "authorization" in request.headers:
                await asyncio.sleep(_WRONG_TOKEN_SECONDS)
            await self._fail(request, answer, refused)
        except ClientDisconnect:  # nobody is left to be answered, and nothing went wrong here
            pass
        except asyncio.CancelledError:
            if not body.left:
                raise
        except Exception:
            if answer.started:
                raise
            _LOG.exception("%s %s", scope["method"], scope["path"])
            await self._fail(request, answer, Refused(500, "bug", "something went wrong here; the log has the details"))
        finally:
            body.close()

    async def _fail(self, request: Request, answer: _Answer, refused: Refused) -> None:
        if not answer.started:
            await failure_response(self.context, request, refused)(request.scope, request.receive, answer)


def check_host(request: Request, context: Context) -> None:
    """Raise Refused for a request under a name that is not ours."""
    if not _is_ours(request.headers.get("host", ""), context.settings):
        raise Refused(421, "host", "this server is not known under that name; start it with --name to allow it")


def check(request: Request, context: Context) -> None:
    """Raise Refused for a request that must not be answered."""
    settings, headers, path = context.settings, request.headers, request.url.path
    _check_length(headers.get("content-length", "0"), settings)
    if check_extension(request, context):
        return
    foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    arriving = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    safe = request.method in _SAFE
    arriving = arriving and not path.startswith(_FETCHING)
    if foreign and not (safe and (arriving or path.startswith("/asset/"))):
        raise Refused(403, "origin", "another web site asked for this")
    if not safe:
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in _origins(headers["host"]):
            raise Refused(403, "origin", "another web site asked for this")
    if (
        settings.token
        and not path.startswith(_WITHOUT_TOKEN)
        and not _is_authorised(request, settings.token, context.secrets)
    ):
        raise Refused(401, "token", "this server asks for its token", {"WWW-Authenticate": "Bearer"})
    by_program = path in _API or _CANCEL.fullmatch(path)
    if not safe and not by_program and not same(headers.get(HEADER, ""), context.secrets.page):
        raise Refused(403, "stale", "this page is from before the server was started again; load it anew")


def _check_length(length: str, settings: ServerSettings) -> None:
    if not (length.isascii() and length.isdigit()) or int(length[:18]) > settings.body_bytes:
        raise _too_large(settings)


def _is_ours(host: str, settings: ServerSettings) -> bool:
    """A Host header that a rebound name cannot have: an address, localhost, or a name of the server's own."""
    match = _HOST.fullmatch(host.lower())
    if match is None:
        return False
    name = match[1].strip("[]")
    if name in {"localhost", settings.host.lower(), *(one.lower() for one in settings.names)}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _origins(host: str) -> tuple[str, str]:
    """Ourselves, directly or behind a proxy that speaks TLS."""
    return f"http://{host.lower()}", f"https://{host.lower()}"


def _is_authorised(request: Request, token: str, secrets: Secrets) -> bool:
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and same(bearer.strip(), token):
        return True
    return same(request.cookies.get(COOKIE, ""), secrets.visitor)


def same(given: str, wanted: str) -> bool:
    """Compared in a time that says nothing about either."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def _too_large(settings: ServerSettings) -> Refused:
    return Refused(413, "too_large", f"requests may have {settings.body_bytes:,} bytes")


class _Body:
    """The request's body, counted against its own limit, the limit of all requests together, and the clock.

    From its end on it is watched whether somebody still waits for the answer.  When they leave, what was begun for
    them is cancelled: a page that waits for its turn is not read, one that is being read is read to its end.
    """

    def __init__(self, guard: Guard, receive: Receive, answer: _Answer) -> None:
        self.guard, self.receive, self.answer, self.taken, self.done = guard, receive, answer, 0, False
        self.end = time.monotonic() + guard.context.settings.body_seconds
        self.left = False  # the client, before it had its answer
        self._asking = asyncio.current_task()
        self._watching: asyncio.Task[None] | None = None

    def close(self) -> None:
        """The request is over."""
        self.guard.arrived -= self.taken
        if self._watching is not None:
            self._watching.cancel()

    async def _watch(self) -> None:
        while (await self.receive())["type"] != "http.disconnect":
            pass
        if not self.answer.started and self._asking is not None:
            self.left = True
            self._asking.cancel()

    async def __call__(self) -> Message:
        if self.done:
            return await self.receive()
        settings = self.guard.context.settings
        try:
            message = await asyncio.wait_for(self.receive(), max(self.end - time.monotonic(), 0.01))
        except TimeoutError:
            raise Refused(408, "slow", f"the request did not arrive within {settings.body_seconds:g} s") from None
        size = len(message.get("body", b""))
        self.taken += size
        self.guard.arrived += size
        self.done = not message.get("more_body", False)
        if self.done:
            self._watching = asyncio.create_task(self._watch())
        if self.taken > settings.body_bytes:
            raise _too_large(settings)
        if self.guard.arrived > settings.body_budget and self.guard.arrived > self.taken:
            again = str(self.guard.context.pool.retry_after)
            raise Refused(429, "busy", f"too much at a time; try again in {again} s", {"Retry-After": again})
        return message


class _Answer:
    """Sends an answer with our headers on it, and notes it for the metrics."""

    def __init__(self, context: Context, scope: Scope, send: Send) -> None:
        self.context, self.scope, self.send = context, scope, send
        self.began, self.started = time.monotonic(), False
        self.headers: dict[str, str] = {}  # by which an add-on may read it

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            if self.scope["path"].startswith("/static/"):
                headers.setdefault("Cache-Control", "no-cache")  # kept, but asked for: the package may be another
            for name, value in (_HEADERS | self.headers).items():
                headers.setdefault(name, value)
            # The path of the route, not of the request: nobody's addresses, and only as many as there are routes.
            route = getattr(self.scope.get("route"), "path", "other")
            self.context.metrics.answered(route, message["status"], time.monotonic() - self.began)
        await self.send(message)

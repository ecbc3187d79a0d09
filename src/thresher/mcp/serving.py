"""The server over HTTP: who may ask it, and where it listens.

    GET  /health     whether it is up, for those who watch over it
    POST /mcp        the protocol (streamable HTTP)

On this machine alone by default.  Beyond it everybody is asked for a token: `Authorization: Bearer SECRET`.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from thresher import __version__
from thresher.mcp.server import AgentServer

__all__ = ["http_app", "is_loopback"]

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_MAX_BODY = 32 << 20  # bytes of a request: pages may be given as HTML


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    return host.strip("[]") in _LOOPBACK or host.startswith("127.")


def http_app(server: AgentServer, host: str, names: Sequence[str] = (), token: str | None = None) -> ASGIApp:
    """The ASGI application."""
    server.custom_route("/health", methods=["GET"])(_health)
    # A page in a browser on this machine could ask under a name of its own that points here; it knows no token.
    own = [f"[{name}]" if ":" in name else name for name in (*_LOOPBACK, *names, host.strip("[]"))]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=token is None,
        allowed_hosts=[*own, *(f"{name}:*" for name in own)],
        allowed_origins=[
            f"{scheme}://{name}{port}" for scheme in ("http", "https") for name in own for port in ("", ":*")
        ],
    )
    app = server.streamable_http_app(
        json_response=True, stateless_http=True, transport_security=security, max_request_body_size=_MAX_BODY
    )
    return _Guard(app, token) if token else app


async def _health(request: Request) -> Response:
    return JSONResponse({"status": "ok", "version": __version__})


class _Guard:
    """Lets through who knows the token, and who asks for the server's health."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._expected = app, f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers: dict[bytes, Any] = dict(scope.get("headers", ()))
        known = secrets.compare_digest(headers.get(b"authorization", b""), self._expected)
        if scope["type"] == "http" and scope["path"] != "/health" and not known:
            refusal = JSONResponse(
                {"error": "a token is needed: Authorization: Bearer …"}, 401, {"WWW-Authenticate": "Bearer"}
            )
            await refusal(scope, receive, send)
        else:
            await self._app(scope, receive, send)

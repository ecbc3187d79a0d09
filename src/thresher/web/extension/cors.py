"""What browsers are told about requests of add-ons: preflights, and which answers an add-on may read.

An add-on asks with its origin, which its browser sends and no page can forge, and with its token.  Its origin alone
opens nothing: it gets a preflight answered and may read that its token is wrong.  Pairing is open to every add-on, as
it asks for the code.  Every other origin is refused as before (`web.security`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request

from thresher.web.answers import Refused
from thresher.web.extension.pairing import is_extension_origin

if TYPE_CHECKING:
    from thresher.web.context import Context

__all__ = ["PAIR", "check_extension", "extension_headers", "is_preflight", "preflight_headers"]

PAIR = "/extension/pair"
_ASKED_BY_EXTENSIONS = "/extension/"
_API = frozenset({"/extract"})
_PREFLIGHT_SECONDS = "600"


def extension_headers(request: Request, context: Context) -> dict[str, str]:
    """The headers by which an add-on may read the answer; none for whoever is no add-on, or not paired."""
    origin = request.headers.get("origin", "")
    path = request.url.path
    if not is_extension_origin(origin) or not _is_open(path):
        return {}
    if path != PAIR and not context.pairings.knows(origin):
        return {}
    return {"Access-Control-Allow-Origin": origin, "Vary": "Origin"}


def is_preflight(request: Request) -> bool:
    """Whether a browser asks if it may ask."""
    return request.method == "OPTIONS" and "access-control-request-method" in request.headers


def preflight_headers(request: Request) -> dict[str, str]:
    """What a preflight is answered beside `extension_headers`."""
    headers = {
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": "Authorization, Content-Type",
        "Access-Control-Max-Age": _PREFLIGHT_SECONDS,
    }
    if request.headers.get("access-control-request-private-network") == "true":
        headers["Access-Control-Allow-Private-Network"] = "true"
    return headers


def check_extension(request: Request, context: Context) -> bool:
    """Whether an add-on asks that may: with its origin and its token, or to be paired.  Refused for other add-ons."""
    origin = request.headers.get("origin", "")
    if not is_extension_origin(origin):
        return False
    path = request.url.path
    if request.method != "POST" or not _is_open(path):
        raise Refused(403, "origin", "add-ons may not ask for this")
    if path == PAIR:
        return True
    if not context.pairings.knows(origin):
        raise Refused(403, "origin", "this add-on is not paired with this server; pair it first")
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not context.pairings.allows(origin, token.strip()):
        raise Refused(401, "token", "that is not the token of this add-on; pair it again")
    return True


def _is_open(path: str) -> bool:
    return path in _API or path.startswith(_ASKED_BY_EXTENSIONS)

"""Answers that are no success, in the form that whoever asked can read: a page, a piece of one, or JSON.

/frame/…, /reading/…  a line of text, for a frame
    /v2/…                 {"success": false, "code": …, "error": …}      as Firecrawl's clients expect it
X-Fragment: 1         a piece of a page, put where the result would have come
Accept: text/html     a page
otherwise             {"error": {"code": …, "message": …}}
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

if TYPE_CHECKING:
    from thresher.web.context import Context

__all__ = ["FRAGMENT", "FRAME_POLICY", "Refused", "failure_response"]

FRAGMENT = "x-fragment"  # the header that our own script sends
_FRAMES = ("/frame/", "/reading/")
# For pages under inspection: no scripts, no forms, no origin; pictures and sheets only if we hand them out.
FRAME_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'{sheets}; img-src data:{pictures}; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)


# Where HTTP's own words ("Bad Gateway") would sound as if this server were broken.
_PHRASES = {
    400: "That does not work",
    404: "There is nothing here",
    413: "That is too large",
    422: "That does not work",
    429: "Too much at a time",
    502: "The page could not be fetched",
    504: "The page took too long",
}


class Refused(Exception):
    """A request that gets no result: an HTTP status, a word for programs, a sentence for people."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.headers = status, code, message, dict(headers or {})


def failure_response(context: Context, request: Request, refused: Refused) -> Response:
    """The answer to a request that was refused or failed."""
    path = request.url.path
    if path.startswith("/v2/"):
        body = {"success": False, "code": refused.code.upper(), "error": refused.message}
        return JSONResponse(body, refused.status, refused.headers)
    if path.startswith(_FRAMES):
        policy = FRAME_POLICY.format(sheets="", pictures="")
        return PlainTextResponse(refused.message, refused.status, refused.headers | {"Content-Security-Policy": policy})
    source = getattr(request.state, "source", "")  # the page that is shown, if there is one
    values = {"refused": refused, "phrase": _phrase(refused.status), "source": source}
    if FRAGMENT in request.headers:
        return context.page(request, "problem.html", refused.status, refused.headers, **values)
    if "text/html" in request.headers.get("accept", ""):
        name = "login.html" if refused.code == "token" else "error.html"
        return context.page(request, name, refused.status, refused.headers, **values)
    return JSONResponse({"error": {"code": refused.code, "message": refused.message}}, refused.status, refused.headers)


def _phrase(status: int) -> str:
    """What went wrong, in a few words for people."""
    standard = status in set(HTTPStatus)
    return _PHRASES.get(status) or (HTTPStatus(status).phrase if standard else "Error")

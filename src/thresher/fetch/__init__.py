"""thresher.fetch(url) -> Response: get one page from the web, from public addresses only.

    response = thresher.fetch("https://example.org/", *, allow_hosts=(), limits=FetchLimits(), user_agent=…, cache=None,
                              headers=None)
    with Gate(cache="pages") as gate: gate.fetch(…)                many fetches over kept connections

`fetch` below explains the arguments.  This is the one gate to the network: every request of the program goes through
it.

limits       how long, how much: limits of a fetch, and its clock
addresses    which IP addresses may be connected to
connect      name -> judged address -> socket
channel      the socket as the HTTP engine sees it, bounded in time and header bytes (head: repairs response heads)
connections  one request and its response, connections kept (httpcore2: HTTP/1.1 and HTTP/2)
cache        answers on disk (freshness: what their headers allow)
gate         redirects, retries, credentials, the cache: Gate (agent: who we say we are; cookies: within one chain)
robots       what a site lets crawlers do
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType

from thresher.errors import FetchError
from thresher.fetch.agent import USER_AGENT
from thresher.fetch.gate import Gate
from thresher.fetch.limits import FetchLimits
from thresher.http.response import Headers, Response

__all__ = ["USER_AGENT", "FetchError", "FetchLimits", "Gate", "Headers", "Response", "fetch"]


def fetch(
    url: str,
    *,
    allow_hosts: Iterable[str] = (),
    limits: FetchLimits = FetchLimits(),
    user_agent: str = USER_AGENT,
    cache: str | Path | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Get one page from the web.  Only public addresses, unless their host is in `allow_hosts`.

    url          http or https
    allow_hosts  `HOST` or `HOST:PORT`: private addresses that may be fetched from all the same
    limits       seconds, idle seconds, bytes, header bytes, redirects
    cache        a folder for answers; None keeps nothing
    headers      sent along; only Accept, Accept-Language and User-Agent follow a redirect to another origin

    A status of 400 and above is a response; FetchError, with a one-word `reason`, means that there is none.
    """
    with Gate(allow_hosts, limits, user_agent, cache) as gate:
        return gate.fetch(url, headers=headers)


class _Package(ModuleType):
    """`thresher.fetch` is a package and yet `thresher.fetch(url)` fetches."""

    __call__ = staticmethod(fetch)


__signature__ = inspect.signature(fetch)  # of calls, for `help` and editors
sys.modules[__name__].__class__ = _Package

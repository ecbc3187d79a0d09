"""Cookies within one chain of redirects, and never beyond the origin that set them.

Some sites set a cookie and redirect to the same address until it comes back.  Nothing is kept for later fetches.
"""

from __future__ import annotations

import re

from thresher.http.response import Headers

__all__ = ["ChainCookies"]

_COOKIE = re.compile(r"\s*([^\s=;,\x00-\x20\x7f]+)\s*=\s*([^;\x00-\x1f\x7f]*)")
_EXPIRED = re.compile(r";\s*max-age\s*=\s*(?:-\d+|0+)\s*(?:;|$)", re.IGNORECASE)
_MAX_HEADER_LENGTH = 8_192  # characters sent; a server that sets more gets none back
Origin = tuple[str, str, int]


class ChainCookies:
    """What each origin of a chain has set."""

    def __init__(self) -> None:
        self._jars: dict[Origin, dict[str, str]] = {}

    def keep(self, origin: Origin, headers: Headers) -> None:
        """Remember the cookies of a redirect."""
        jar = self._jars.setdefault(origin, {})
        for line in headers.get_all("set-cookie"):
            match = _COOKIE.match(line)
            if match and _EXPIRED.search(line):
                jar.pop(match[1], None)
            elif match:
                jar[match[1]] = match[2].strip()

    def header(self, origin: Origin) -> str:
        """The Cookie header for a request; "" when there is nothing to send."""
        line = "; ".join(f"{name}={value}" for name, value in self._jars.get(origin, {}).items())
        return line if len(line) <= _MAX_HEADER_LENGTH and line.isascii() else ""

"""Which pages belong to the site that is crawled.

    domain   every host below the registrable domain of a start address: www., blog. and docs.example.org are one site
    host     the hosts of the start addresses; with and without `www.` is one host
    path     the folders of the start addresses on their hosts: https://example.org/docs covers /docs and /docs/…

The registrable domain is told with the suffixes of hosters: two blogs at github.io are two sites.  IP addresses and
bare names (localhost) have none: there the host and its port must be the same.  Other ports of a domain belong to the
site if a start address has them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from thresher.http.domains import registrable_domain
from thresher.http.urls import without_www

__all__ = ["Reach", "Scope"]

Reach = Literal["domain", "host", "path"]


@dataclass(frozen=True, slots=True)
class Scope:
    """The places a crawl may go to; see the module for what they are."""

    reach: Reach
    places: frozenset[str]

    @classmethod
    def around(cls, seeds: Iterable[str], reach: Reach) -> Scope:
        """The scope of a crawl that starts at these canonical addresses."""
        places = set()
        for seed in seeds:
            host, port, path = _parts(seed)
            domain = registrable_domain(host)
            if reach == "domain":
                places |= {f"{domain}:{port}", f"{domain}:"} if domain else {f"{host}:{port}"}
            elif reach == "host":
                places.add(f"{without_www(host)}:{port}")
            else:
                places.add(f"{without_www(host)}:{port}{_folder(path)}")
        return cls(reach, frozenset(places))

    def covers(self, url: str) -> bool:
        """Whether a canonical address belongs to the site."""
        host, port, path = _parts(url)
        if self.reach == "domain":
            return f"{registrable_domain(host) or host}:{port}" in self.places
        place = f"{without_www(host)}:{port}"
        if self.reach == "host":
            return place in self.places
        whole = place + path
        return any(whole == folder.rstrip("/") or whole.startswith(folder) for folder in self.places)


def _parts(url: str) -> tuple[str, str, str]:
    """Host, port ("" for the usual one) and path."""
    parts = urlsplit(url)
    return parts.hostname or "", str(parts.port or ""), parts.path


def _folder(path: str) -> str:
    """The folder an address stands for, with a slash at its end: a last segment with a dot in it is a file."""
    start, _, last = path.rpartition("/")
    return f"{start}/" if "." in last or not last else f"{path}/"

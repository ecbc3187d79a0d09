"""What a fetch gives back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from thresher.http.media_types import charset_of, media_type

__all__ = ["Headers", "Response"]


class Headers(Mapping[str, str]):
    """Header fields; names in any case.  Fields that come several times are joined with a comma."""

    __slots__ = ("_values", "pairs")

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self.pairs = tuple((name.lower(), value) for name, value in pairs)
        self._values: dict[str, list[str]] = {}
        for name, value in self.pairs:
            self._values.setdefault(name, []).append(value)

    def get_all(self, name: str) -> list[str]:
        """Every value of a field, in order: Set-Cookie cannot be joined."""
        return list(self._values.get(name.lower(), ()))

    def __getitem__(self, name: str) -> str:
        return ", ".join(self._values[name.lower()])

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({dict(self)!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A page as it came, after redirects.  A status of 400 and above is a response, too: look at `ok`."""

    url: str  # where it came from in the end, without fragment and credentials
    requested_url: str  # what was asked for
    status: int
    headers: Headers
    body: bytes = field(repr=False)  # with every content encoding undone
    redirects: tuple[str, ...] = ()  # the addresses that led to `url`, in order; empty without redirects
    from_cache: bool = False  # the body is the one on disk, with or without the server's consent to it
    truncated: bool = False  # the connection ended before the body did; what came is there
    elapsed: float = 0.0  # seconds, retries and redirects included
    address: str | None = None  # the IP address it came from
    http_version: str = ""  # "HTTP/1.1", "HTTP/2"

    @property
    def ok(self) -> bool:
        """Whether the server says that this is what was asked for."""
        return 200 <= self.status < 300

    @property
    def content_type(self) -> str | None:
        """The media type in lower case, without parameters: "text/html"."""
        return media_type(self.headers.get("content-type")) or None

    @property
    def encoding(self) -> str | None:
        """The charset that the transport names, for `thresher.extract(encoding=…)`."""
        return charset_of(self.headers.get("content-type"))

    @property
    def downgraded(self) -> bool:
        """Whether a redirect led from https to http, so that anybody on the way could have changed the page."""
        schemes = [url.partition(":")[0] for url in (*self.redirects, self.url)]
        return ("https", "http") in pairwise(schemes)

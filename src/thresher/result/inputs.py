"""What people name as inputs: files, gzipped files, standard input, and addresses on the web."""

from __future__ import annotations

import gzip
import re
import sys
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thresher.errors import FetchError, MissingExtra, ThresherError
from thresher.text.log import logger

if TYPE_CHECKING:
    from thresher.fetch.gate import Gate
    from thresher.http.response import Response

__all__ = ["Input", "InputError", "Reader", "is_page", "is_url", "read", "with_scheme"]

_LOG = logger("thresher.result")

# An address without its scheme: a host whose last part is letters, and perhaps a port and a path.
_HOST = re.compile(r"(?:[a-z0-9-]+\.)+([a-z]{2,24})(?::\d{1,5})?(?:[/?#]\S*)?", re.IGNORECASE)
_FILE_ENDINGS = frozenset(
    "html htm xhtml mhtml mht xml txt text md json jsonl gz bz2 zip warc arc csv pdf php asp aspx".split()
)
_URL = re.compile(r"https?:[/\\]", re.IGNORECASE)


class InputError(ThresherError):
    """An input that cannot be read; `reason` is one word for programs."""

    def __init__(self, message: str, reason: str = "unreadable") -> None:
        super().__init__(message, reason)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Input:
    """What was read, and for pages from the web how they came."""

    data: bytes
    response: Response | None = None
    assumed: str = ""  # the address that was taken for one without its scheme

    @property
    def url(self) -> str | None:
        return self.response.url if self.response else None

    @property
    def encoding(self) -> str | None:
        return self.response.encoding if self.response else None

    @property
    def failure(self) -> str | None:
        """`http_404` and the like: the server says that this is not the page that was asked for."""
        return f"http_{self.response.status}" if self.response and not self.response.ok else None

    @property
    def problems(self) -> list[str]:
        """What the reader should know of the transport, as `code: sentence`."""
        if self.response is None:
            return []
        problems = [f"assumed: no such file, so this is {self.assumed}"] if self.assumed else []
        if self.failure:
            known = self.response.status in set(HTTPStatus)
            phrase = f" {HTTPStatus(self.response.status).phrase}" if known else ""
            problems.append(f"{self.failure}: the server answered {self.response.status}{phrase}")
        if self.response.truncated:
            problems.append("truncated: the connection ended before the page did")
        if self.response.downgraded:
            problems.append("downgraded: a redirect led from https to http")
        return problems

    def to_dict(self) -> dict[str, Any]:
        """The transport for JSON; nothing for files."""
        if self.response is None:
            return {}
        names = ("url", "status", "content_type", "redirects", "from_cache", "truncated", "address")
        return {"http": {name: getattr(self.response, name) for name in names}}


class Reader:
    """Reads inputs; addresses through one gate, which is opened when the first is met."""

    def __init__(
        self,
        allow_hosts: Iterable[str] = (),
        timeout: float | None = None,
        cache: Path | None = None,
        user_agent: str | None = None,
    ) -> None:
        self.allow_hosts, self.timeout, self.cache, self._user_agent = allow_hosts, timeout, cache, user_agent

    def read(self, source: str, headers: Mapping[str, str] | None = None) -> Input:
        """The bytes of an address, a file, or of standard input for `-`; InputError with the reason if none come.

        `headers` go with the request for an address.
        """
        address = with_scheme(source)
        if not is_url(address):
            _LOG.debug("reading %s", source)
            return Input(read(source))
        try:
            response = self.gate.fetch(address, headers=headers)
        except FetchError as error:
            asked = error.url or address
            where = f" ({asked})" if asked != source else ""
            raise InputError(f"{error.reason}: {error}{where}", error.reason) from error
        except MissingExtra as error:
            raise InputError(str(error), "missing_extra") from error
        return Input(response.body, response, address if address != source else "")

    @property
    def agent(self) -> str:
        """Who we say we are."""
        from thresher.fetch.agent import USER_AGENT

        return self._user_agent or USER_AGENT

    @cached_property
    def gate(self) -> Gate:
        """The one gate; opened when it is first asked for."""
        from thresher.fetch.gate import Gate
        from thresher.fetch.limits import FetchLimits

        limits = FetchLimits(seconds=self.timeout) if self.timeout else FetchLimits()
        return Gate(self.allow_hosts, limits, self.agent, self.cache)

    def browser_settings(self) -> dict[str, Any]:
        """The same wishes for pages that a browser opens; who it says it is, is its own unless one was named."""
        named = {"timeout": self.timeout, "user_agent": self._user_agent}
        return {"allow_hosts": tuple(self.allow_hosts), **{name: value for name, value in named.items() if value}}

    def close(self) -> None:
        if "gate" in self.__dict__:
            self.gate.close()


def is_url(source: str) -> bool:
    """Whether an input is an address on the web and not the name of a file."""
    return _URL.match(source) is not None


def with_scheme(source: str) -> str:
    """The address that an input without a scheme is, `example.org/news`: what no file is called, and looks like one."""
    host = _HOST.fullmatch(source)
    if host is None or host[1].lower() in _FILE_ENDINGS or Path(source).exists():
        return source
    return f"https://{source}"


def is_page(source: str) -> bool:
    """Whether something is an input, by its looks: standard input, an address, or a file."""
    return source == "-" or is_url(with_scheme(source)) or "." in source or _is_readable(Path(source))


def _is_readable(path: Path) -> bool:
    return path.is_file() or path.is_fifo()  # <(…) in a shell


def read(source: str) -> bytes:
    """The bytes of a file, or of standard input for `-`; a name that ends in .gz is unpacked."""
    from thresher.parse.limits import LIMITS

    try:
        # One byte beyond what is read of any page, so that it is known to be longer; a bomb is not unpacked.
        most = LIMITS.bytes + 1
        if source == "-":
            return sys.stdin.buffer.read(most)
        with gzip.open(source) if source.endswith(".gz") else open(source, "rb") as file:
            return file.read(most)
    except FileNotFoundError:
        advice = "; of addresses only http and https are read" if "://" in source else ""
        raise InputError(f"no such file or directory{advice}") from None
    except IsADirectoryError:
        raise InputError("this is a folder; name the files in it") from None
    except OSError as error:
        raise InputError((error.strerror or str(error)).lower()) from None
    except (EOFError, zlib.error):
        raise InputError("the gzip data is cut off or broken") from None

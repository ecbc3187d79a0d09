"""Content encodings undone while the body streams in, each layer within the byte limit.

    Content-Encoding: deflate, gzip      applied in this order, so undone from the right
    raw -> [gzip] -> [deflate] -> body   every arrow counts its bytes; too many end with `too_large`

A layer gives its output in pieces of 256 KB, and each piece passes all further layers before the next is made, so a
bomb of any depth costs a few pieces of memory and ends as soon as one layer has given more than the limit.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Protocol

from thresher.errors import FetchError

__all__ = ["accepted", "decoded", "layers", "zstd"]

_PIECE = 262_144  # bytes that a layer gives at a time
_MOST_LAYERS = 5  # nobody wraps a page in more than two
_WINDOW = 23  # bits: RFC 9659 keeps zstd on the web to windows of 8 MB
_TOKEN = re.compile(r"[^\s,]+")
# Encodings that exist but that we cannot undo.  Any other word is a mistake, such as "utf-8" or "none": browsers
# take the body as it is then, and so do we.
_UNSUPPORTED = frozenset({"compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip", "br", "zstd"})


class Layer(Protocol):
    """One encoding being undone."""

    @property
    def whole(self) -> bool:
        """Whether the data so far is complete."""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What comes out for this input, at most _PIECE bytes at a time."""


class _Gzip:
    """gzip, also several members in a row; what follows the last one is ignored, as browsers do."""

    def __init__(self) -> None:
        self._unzip = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self._begun = self._over = False

    @property
    def whole(self) -> bool:
        return self._over or self._unzip.eof or not self._begun

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while data and not self._over:
            if self._unzip.eof:
                if not b"\x1f\x8b".startswith(data[:2]):
                    self._over = True
                    return
                self._unzip = zlib.decompressobj(16 + zlib.MAX_WBITS)
            self._begun = True
            yield from _inflated(self._unzip, data)
            data = self._unzip.unused_data


class _Deflate:
    """deflate: a zlib stream by the standard, a bare one from some servers."""

    def __init__(self) -> None:
        self._inflate: Any = None
        self._head = b""

    @property
    def whole(self) -> bool:
        return self._inflate.eof if self._inflate else not self._head

    def pieces(self, data: bytes) -> Iterator[bytes]:
        if self._inflate is None:
            self._head += data
            if len(self._head) < 2:
                return
            # A zlib header is a multiple of 31 and names method 8.
            is_zlib = self._head[0] & 15 == 8 and int.from_bytes(self._head[:2], "big") % 31 == 0
            self._inflate = zlib.decompressobj(zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS)
            data = self._head
        if not self._inflate.eof:
            yield from _inflated(self._inflate, data)


def _inflated(state: Any, data: bytes) -> Iterator[bytes]:
    """All that comes out of a zlib object for this input; it may hold more back than its unread input shows."""
    piece = b""
    while (data or len(piece) == _PIECE) and not state.eof:
        piece = state.decompress(data, _PIECE)
        yield piece
        data = state.unconsumed_tail


class _Brotli:
    def __init__(self, module: Any) -> None:
        self._state = module.Decompressor()
        self._begun = False

    @property
    def whole(self) -> bool:
        return not self._begun or bool(self._state.is_finished())

    def pieces(self, data: bytes) -> Iterator[bytes]:
        self._begun = True
        while not self._state.is_finished():
            piece = self._state.process(data, output_buffer_limit=_PIECE)
            if not piece:
                return
            yield piece
            data = b""


class _Zstd:
    """zstd, also several frames in a row."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._state: Any = None

    @property
    def whole(self) -> bool:
        return self._state is None or self._state.eof

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while data or (self._state and not self._state.eof and not self._state.needs_input):
            if self._state is None or self._state.eof:
                options = {self._module.DecompressionParameter.window_log_max: _WINDOW}
                self._state = self._module.ZstdDecompressor(options=options)
            yield self._state.decompress(data, _PIECE)
            data = self._state.unused_data if self._state.eof else b""


def _brotli() -> Any:
    try:
        import brotli
    except ImportError:
        return None
    return brotli


def zstd() -> Any:
    """The module for Zstandard, in the standard library from Python 3.14 on; None where there is none."""
    try:
        return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    except ImportError:
        return None


def _known() -> dict[str, Callable[[], Layer]]:
    """What can be undone here.  brotli and zstd come with the `fetch` extra."""
    known: dict[str, Callable[[], Layer]] = {"gzip": _Gzip, "x-gzip": _Gzip, "deflate": _Deflate}
    if module := zstd():
        known["zstd"] = lambda: _Zstd(module)
    if (brotli := _brotli()) and hasattr(brotli.Decompressor, "can_accept_more_data"):
        known["br"] = lambda: _Brotli(brotli)
    return known


def accepted() -> str:
    """The Accept-Encoding header."""
    return ", ".join(name for name in _known() if not name.startswith("x-"))


def layers(header: str) -> list[Layer]:
    """The layers to undo for a Content-Encoding header, the outermost first."""
    known = _known()
    names = [
        name for name in (token.lower() for token in _TOKEN.findall(header)) if name in known or name in _UNSUPPORTED
    ]
    if len(names) > _MOST_LAYERS:
        raise FetchError(f"{len(names)} content encodings on top of each other", "bad_encoding")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise FetchError(f"the body comes as {unknown[0]!r}, which was not asked for", "bad_encoding")
    return [known[name]() for name in reversed(names)]


def decoded(raw: Iterable[bytes], undo: list[Layer], limit: int, check: Callable[[], object]) -> Iterator[bytes]:
    """The body, piece by piece.  `check` is called for each piece, so that a deadline holds while decoding too."""
    stream: Iterable[bytes] = _counted(raw, limit, check)
    for layer in undo:
        stream = _counted(_undone(stream, layer), limit, check)
    return iter(stream)


def _undone(stream: Iterable[bytes], layer: Layer) -> Iterator[bytes]:
    try:
        for data in stream:
            yield from layer.pieces(data)
    except (FetchError, OSError):
        raise
    except Exception as error:  # zlib.error, brotli.error, ZstdError: they have no common base
        raise FetchError(f"the body is not encoded as its header says ({error})", "bad_encoding") from error


def _counted(stream: Iterable[bytes], limit: int, check: Callable[[], object]) -> Iterator[bytes]:
    total = 0
    for data in stream:
        check()
        total += len(data)
        if total > limit:
            raise FetchError(f"the page has more than {limit:,} bytes", "too_large")
        if data:
            yield data

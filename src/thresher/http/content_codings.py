"""Content encodings undone while the body streams in, each layer within the byte limit.

    Content-Encoding: deflate, gzip      applied in this order, so undone from the right
    raw -> [gzip] -> [deflate] -> body   every arrow counts its bytes; too many end with `too_large`

A decoder gives its output in pieces of 256 KB, and each piece passes all further decoders before the next is made, so a
bomb of any depth costs a few pieces of memory and ends as soon as one of them has given more than the limit.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Protocol

from thresher.errors import FetchError

__all__ = ["accept_encoding", "decode_stream", "decoders_for", "zstd"]

_PIECE_BYTES = 262_144  # that a decoder gives at a time
_MAX_LAYERS = 5  # nobody wraps a page in more than two
_MAX_WINDOW_LOG = 23  # RFC 9659 keeps zstd on the web to windows of 8 MB
_TOKEN = re.compile(r"[^\s,]+")
# Encodings that exist but that we cannot undo.  Any other word is a mistake, such as "utf-8" or "none": browsers
# take the body as it is then, and so do we.
_UNSUPPORTED = frozenset({"compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip", "br", "zstd"})


class Decoder(Protocol):
    """One content coding being undone."""

    @property
    def whole(self) -> bool:
        """Whether the data so far is complete."""

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What comes out for this input, at most _PIECE_BYTES at a time."""


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
    while (data or len(piece) == _PIECE_BYTES) and not state.eof:
        piece = state.decompress(data, _PIECE_BYTES)
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
            piece = self._state.process(data, output_buffer_limit=_PIECE_BYTES)
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
                options = {self._module.DecompressionParameter.window_log_max: _MAX_WINDOW_LOG}
                self._state = self._module.ZstdDecompressor(options=options)
            yield self._state.decompress(data, _PIECE_BYTES)
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


def _available() -> dict[str, Callable[[], Decoder]]:
    """The content codings that can be undone here.  brotli and zstd come with the `fetch` extra."""
    decoders: dict[str, Callable[[], Decoder]] = {"gzip": _Gzip, "x-gzip": _Gzip, "deflate": _Deflate}
    if module := zstd():
        decoders["zstd"] = lambda: _Zstd(module)
    if (brotli := _brotli()) and hasattr(brotli.Decompressor, "can_accept_more_data"):
        decoders["br"] = lambda: _Brotli(brotli)
    return decoders


def accept_encoding() -> str:
    """The Accept-Encoding header."""
    return ", ".join(name for name in _available() if not name.startswith("x-"))


def decoders_for(header: str) -> list[Decoder]:
    """The decoders for a body with this Content-Encoding header, that of the outermost coding first."""
    available = _available()
    names = [
        name
        for name in (token.lower() for token in _TOKEN.findall(header))
        if name in available or name in _UNSUPPORTED
    ]
    if len(names) > _MAX_LAYERS:
        raise FetchError(f"{len(names)} content encodings on top of each other", "bad_encoding")
    unknown = [name for name in names if name not in available]
    if unknown:
        raise FetchError(f"the body comes as {unknown[0]!r}, which was not asked for", "bad_encoding")
    return [available[name]() for name in reversed(names)]


def decode_stream(
    raw: Iterable[bytes], decoders: list[Decoder], limit: int, check: Callable[[], object]
) -> Iterator[bytes]:
    """The body, piece by piece.  `check` is called for each piece, so that a deadline holds while decoding too."""
    stream: Iterable[bytes] = _counted(raw, limit, check)
    for decoder in decoders:
        stream = _counted(_decoded(stream, decoder), limit, check)
    return iter(stream)


def _decoded(stream: Iterable[bytes], decoder: Decoder) -> Iterator[bytes]:
    try:
        for data in stream:
            yield from decoder.pieces(data)
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

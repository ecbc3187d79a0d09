"""Gzip and Zstandard: a decoder for every member, so that a broken one cannot take the others with it.

Memory: one window of the file, one piece of content, and what the format makes a decoder remember: 32 KB with gzip,
with Zstandard up to 2^`_MAX_WINDOW_LOG` bytes.  No piece exceeds `PIECE` bytes, however much a member promises.
"""

from __future__ import annotations

import re
import struct
import zlib
from typing import Any, BinaryIO

from thresher.errors import MissingExtra
from thresher.http.content_codings import zstd
from thresher.warc.streams import PIECE, RECORD, WINDOW, BrokenMember, Plain, Position, Stream

__all__ = ["Gzip", "Members", "Zstd", "open_stream", "zstd_module"]

_FEED_BYTES = 1 << 15  # compressed bytes given to a decoder at once
_MAX_WINDOW_LOG = 27  # 128 MB; the format allows terabytes
_MAX_SEARCHED_BYTES = 1 << 20  # bytes of content searched for a record in a member that does not begin with one


class Members(Stream):
    """A decoder per member; subclasses know the magic number and the decoder."""

    magic: bytes
    error: type[Exception]

    def __init__(self, file: BinaryIO, size: int) -> None:
        super().__init__(file, size)
        self._decoder: Any = None
        self._next = 0  # offset of the next byte to feed
        self._ended = True

    def open(self, offset: int) -> bool:
        offset = self.skip(offset)
        self.member = self._next = self.end = offset
        self._ended = True
        if offset >= self.size:
            return False
        if not self._bytes(offset, len(self.magic)).startswith(self.magic):
            zeros = ", but zeros" if self._bytes(offset, 1) == b"\0" else ""
            raise BrokenMember(offset, f"no {self.name} member begins here{zeros}")
        self._decoder, self._ended = self._new_decoder(), False
        return True

    def read(self) -> bytes:
        while not self._ended:
            feed = self._unread_input()
            if feed is None:
                feed = self._rest(self._next, _FEED_BYTES)
                self._next += len(feed)
                if not feed:
                    raise BrokenMember(self.member, f"the file ends inside this {self.name} member", cut=True)
            try:
                piece: bytes = self._decoder.decompress(feed, PIECE)
            except self.error as error:
                raise BrokenMember(self.member, _reason(error)) from None
            if self._decoder.eof:
                self._ended = True
                self.end = self._next - len(self._decoder.unused_data)
            if piece:
                return piece
        return b""

    def find(self, offset: int, stop: int | None = None) -> Position | None:
        stop = self.size if stop is None else min(stop, self.size)
        while offset < stop:
            data = self._bytes(offset, WINDOW)
            at = data.find(self.magic)
            while 0 <= at < stop - offset:
                inner = self._record_in(offset + at)
                if inner is not None:
                    return Position(offset + at, inner)
                at = data.find(self.magic, at + 1)
            offset += max(len(data) - len(self.magic) + 1, 1)
        return None

    def salvage(self, offset: int) -> bytes:
        decoder = self._new_decoder()
        content = b""
        for byte in self._bytes(offset, _FEED_BYTES):
            try:
                content += decoder.decompress(bytes((byte,)), PIECE)
            except self.error:
                break
            if decoder.eof or len(content) > PIECE:
                break
        return content

    def _record_in(self, offset: int) -> int | None:
        """Where in the content of the member the first record begins; None if there is none or no member."""
        content = b""
        try:
            self.open(offset)
            while len(content) < _MAX_SEARCHED_BYTES and (piece := self.read()):
                content += piece
                if RECORD.match(content):
                    return 0
        except BrokenMember:
            # A broken member still holds a record if it begins as one: the reader shall say that it is lost.
            return 0 if RECORD.match(self.salvage(offset)) else None
        record = RECORD.search(content)
        return record.start() if record else None

    def _new_decoder(self) -> Any:
        """A decoder for one member, with `eof` and `unused_data`."""
        raise NotImplementedError

    def _unread_input(self) -> bytes | None:
        """What the decoder has to be fed again to give more of what it was fed; None when it needs new input."""
        raise NotImplementedError


class Gzip(Members):
    """RFC 1952: members with a checksum each, zeros for padding between them."""

    name = "gzip"
    magic = b"\x1f\x8b\x08"
    error = zlib.error

    def _new_decoder(self) -> Any:
        return zlib.decompressobj(wbits=31)

    def _unread_input(self) -> bytes | None:
        return self._decoder.unconsumed_tail or None


class Zstd(Members):
    """RFC 8878, with the dictionary that a WARC file may carry in a skippable frame at its start.

    https://iipc.github.io/warc-specifications/specifications/warc-zstd/
    """

    name = "zstd"
    magic = b"\x28\xb5\x2f\xfd"

    _MAX_DICTIONARY_BYTES = 1 << 25  # bytes
    _DICTIONARY = 0x184D2A5D

    def __init__(self, file: BinaryIO, size: int) -> None:
        super().__init__(file, size)
        self._zstd = zstd_module()
        self.error = self._zstd.ZstdError
        self._options = {self._zstd.DecompressionParameter.window_log_max: _MAX_WINDOW_LOG}
        self._known = self._dictionary()

    def _new_decoder(self) -> Any:
        return self._zstd.ZstdDecompressor(self._known, self._options)

    def _unread_input(self) -> bytes | None:
        return None if self._decoder.needs_input else b""

    def skip(self, offset: int) -> int:
        while (frame := self._skippable(offset)) is not None:
            offset += 8 + frame[1]
        return super().skip(offset)

    def _skippable(self, offset: int) -> tuple[int, int] | None:
        """Magic number and length of the skippable frame at an offset, if one is there, and whole."""
        head = self._bytes(offset, 8)
        if len(head) < 8 or not _is_skippable(head):
            return None
        magic, length = struct.unpack("<II", head)
        return (magic, length) if offset + 8 + length <= self.size else None

    def _dictionary(self) -> Any:
        frame = self._skippable(0)
        if frame is None or frame[0] != self._DICTIONARY or frame[1] > self._MAX_DICTIONARY_BYTES:
            return None
        data = self._bytes(8, frame[1])
        try:
            if data.startswith(self.magic):
                data = self._zstd.ZstdDecompressor(None, self._options).decompress(data, self._MAX_DICTIONARY_BYTES)
            return self._zstd.ZstdDict(data)
        except (self.error, ValueError):
            return None  # then every frame that needs it is broken, and reported so


def zstd_module() -> Any:
    """Zstandard; MissingExtra where it is not there."""
    module = zstd()
    if module is None:
        raise MissingExtra("Zstandard needs: pip install 'thresher[fetch]'")
    return module


def open_stream(file: BinaryIO, size: int, name: str = "") -> Stream:
    """The stream that fits the first bytes of a file, or its name where these are damaged."""
    head = file.read(5)
    file.seek(0)
    if head.startswith(b"WARC/"):
        return Plain(file, size)
    if head.startswith(Gzip.magic) or name.endswith(".gz"):
        return Gzip(file, size)
    if head.startswith(Zstd.magic) or _is_skippable(head) or name.endswith(".zst"):
        return Zstd(file, size)
    return Plain(file, size)


def _is_skippable(head: bytes) -> bool:
    return head[1:4] == b"\x2a\x4d\x18" and head[0] & 0xF0 == 0x50


def _reason(error: Exception) -> str:
    """The decoder's words without its number."""
    return re.sub(r"^Error -?\d+ while decompressing data: ", "", str(error))

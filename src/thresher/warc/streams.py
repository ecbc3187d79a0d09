"""Archives as streams of members that survive damage.

    file --window--> compressed bytes --one decoder per member--> pieces of the member's content

An archive of web pages is a chain of members (gzip) or frames (Zstandard), by the standards one per record.  Each
member is decoded by a decoder of its own, so a broken one cannot take the others with it: `read` raises `BrokenMember`,
and `find` looks for the next place in the file where a member begins that holds the start of a record.

A place is a `Position`: the member's offset in the file, and the bytes of its content that come before.  Without
compression there are no members, and the second number is always 0.

This module has what all kinds share, and the kind without compression; `members.py` has gzip and Zstandard.
"""

from __future__ import annotations

import re
from typing import BinaryIO, NamedTuple

__all__ = ["OVERWRITTEN", "PIECE", "RECORD", "RECORD_START", "WINDOW", "BrokenMember", "Plain", "Position", "Stream"]

# How every record begins: a version, then the first of its headers.  The header makes it hard to meet by accident.
RECORD = re.compile(rb"WARC/\d\.\d+[ \t]*\r?\n[A-Za-z][A-Za-z0-9-]*[ \t]*:")
RECORD_START = 128  # bytes in which that fits

WINDOW = 1 << 18  # bytes of the file read at once
PIECE = 1 << 18  # bytes of content returned at once

_MAX_GAP_BYTES = 16  # zeros between two members: fewer than any record has, so none was lost there
OVERWRITTEN = bytes(_MAX_GAP_BYTES + 1)
_MAX_PADDING_BYTES = 4096  # zeros at the end of a file, where tapes and disks fill a block
_BLOCK_BYTES = 512  # of which such blocks are multiples


class Position(NamedTuple):
    """A place in an archive."""

    member: int  # offset of the member in the file
    inner: int = 0  # bytes of its content before the place


class BrokenMember(Exception):
    """A member that cannot be decoded, or ends before its end."""

    def __init__(self, offset: int, reason: str, cut: bool = False) -> None:
        super().__init__(reason)
        self.offset = offset
        self.reason = reason
        self.cut = cut  # the file ends here: what was decoded so far is genuine


class Stream:
    """What the three kinds share: a window over the file, and the search for the next record."""

    name = "plain"

    def __init__(self, file: BinaryIO, size: int) -> None:
        self.size = size
        self.member = 0  # offset of the member that is being read
        self.end = 0  # offset behind it, once it has ended
        self._file = file
        self._window = b""
        self._start = 0  # offset of the window

    def open(self, offset: int) -> bool:
        """Begin to read the member at an offset; False at the end of the file, BrokenMember where no member begins."""
        raise NotImplementedError

    def read(self) -> bytes:
        """The next piece of the member; empty when it has ended as it should."""
        raise NotImplementedError

    def find(self, offset: int, stop: int | None = None) -> Position | None:
        """The first record that begins in a member at `offset` or later, and before `stop`."""
        raise NotImplementedError

    def salvage(self, offset: int) -> bytes:
        """What of a broken member can be decoded, at most one piece: fed byte by byte up to the damage."""
        return b""

    def position_of(self, member: int, inner: int) -> Position:
        """The position of a byte: without compression every offset is a member of its own."""
        return Position(member, inner)

    def skip(self, offset: int) -> int:
        """Past what may stand between members: a few zeros, or at the end of the file blocks or the rest of one.

        Others stand where something was, which may be the last record: they are damage, and not skipped.
        """
        start = self._bytes(offset, _MAX_PADDING_BYTES + 1)
        zeros = len(start) - len(start.lstrip(b"\0"))
        fills_block = offset + zeros == self.size and not (zeros % _BLOCK_BYTES and self.size % _BLOCK_BYTES)
        return offset + zeros if zeros <= (_MAX_PADDING_BYTES if fills_block else _MAX_GAP_BYTES) else offset

    def _bytes(self, offset: int, length: int) -> bytes:
        """Bytes of the file, fewer only at its end."""
        at = offset - self._start
        if at < 0 or at + length > len(self._window):
            if self._start + len(self._window) != offset:
                self._file.seek(offset)
            self._window = self._read_fully(max(length, WINDOW))
            self._start, at = offset, 0
        return self._window[at : at + length]

    def _rest(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes, as many as the window holds; none at the end of the file."""
        at = offset - self._start
        if 0 <= at < len(self._window):
            return self._window[at : at + length]
        return self._bytes(offset, length)

    def _read_fully(self, length: int) -> bytes:
        """Remote files may return less than was asked for."""
        pieces, got = [], 0
        while got < length and (piece := self._file.read(length - got)):
            pieces.append(piece)
            got += len(piece)
        return b"".join(pieces)


class Plain(Stream):
    """No compression: the file is its own content, and every offset can be read from."""

    def open(self, offset: int) -> bool:
        self.member = self.end = offset
        return offset < self.size

    def read(self) -> bytes:
        piece = self._rest(self.end, PIECE)
        self.end += len(piece)
        return piece

    def find(self, offset: int, stop: int | None = None) -> Position | None:
        stop = self.size if stop is None else min(stop, self.size)
        while offset < stop:
            data = self._bytes(offset, WINDOW)
            record = RECORD.search(data)
            if record:
                return Position(offset + record.start()) if offset + record.start() < stop else None
            offset += max(len(data) - RECORD_START, 1)
        return None

    def position_of(self, member: int, inner: int) -> Position:
        return Position(member + inner)

"""The place where an archive is being read: bytes at hand, each with its position, over the members of a stream."""

from __future__ import annotations

import re
from typing import Protocol

from thresher.warc.head import BLANK_LINE
from thresher.warc.streams import OVERWRITTEN, RECORD, RECORD_START, BrokenMember, Position, Stream

__all__ = ["END_OF_RECORD", "Cursor"]

END_OF_RECORD = b"\r\n\r\n"

_MAX_HEAD_BYTES = 1 << 20  # bytes
_NEWLINES = re.compile(rb"[\r\n]*")
# What may be the first bytes of a record whose others stand in the next member.
_CUT_START = re.compile(rb"W(?:A(?:R(?:C(?:/\d*(?:\.\d*[ \t]*(?:\r?\n?[A-Za-z0-9-]*[ \t]*)?)?)?)?)?)?\Z")


class _Content(Protocol):
    """What takes the bytes of a record."""

    length: int

    def add(self, piece: bytes) -> None: ...


class Cursor:
    """Bytes at hand, each with its position, over the members of a stream."""

    def __init__(self, stream: Stream, start: Position) -> None:
        self._stream = stream
        self.seek(start)

    def seek(self, position: Position) -> None:
        """Go somewhere; nothing is read before it is needed."""
        self._buffer = b""
        self._at = 0
        self._base = 0  # bytes that were in the buffer before
        self._marks: list[tuple[int, int]] = []  # bytes read before a member, and its offset
        self._ahead: Position | None = position  # the member to open when the buffer is used up

    @property
    def position(self) -> Position:
        """Of the next byte."""
        if self._ahead is not None and self._at == len(self._buffer):
            return self._ahead
        here = self._base + self._at
        while len(self._marks) > 1 and self._marks[1][0] <= here:
            del self._marks[0]
        before, member = self._marks[0]
        return self._stream.position_of(member, here - before)

    def more(self) -> bool:
        """Get the next piece of the open member; False when it has ended."""
        if self._ahead is not None:
            return False
        piece = self._stream.read()
        if not piece:
            self._ahead = Position(self._stream.skip(self._stream.end))
            return False
        self._base += self._at
        self._buffer = self._buffer[self._at :] + piece  # copies nothing when the buffer is used up
        self._at = 0
        return True

    def _open_ahead(self) -> None:
        """Open the member ahead, and skip to the wanted place in it."""
        ahead, self._ahead = self._ahead, None
        assert ahead is not None, "a member lies ahead"
        if not self._stream.open(ahead.member):
            self._ahead = Position(self._stream.size)
            return
        self._buffer, self._at, self._base = b"", 0, ahead.inner
        self._marks = [(0, self._stream.member)]
        skipped = 0
        while skipped < ahead.inner and (piece := self._stream.read()):
            skipped += len(piece)
            self._buffer = piece[len(piece) - max(skipped - ahead.inner, 0) :]

    def _fill(self, length: int) -> None:
        """Have so many bytes at hand, or all that the member still has."""
        while len(self._buffer) - self._at < length and self.more():
            pass

    # Between records

    def at_content(self) -> bool:
        """Skip ends of lines; False when there is nothing else in this member."""
        if self._ahead is not None and self._at == len(self._buffer):
            self._open_ahead()
        while True:
            self._at = _end_of_lines(self._buffer, self._at)
            if self._at < len(self._buffer):
                return True
            if not self.more():
                return False

    def at_record(self, further: int = 0) -> bool:
        """Whether a record begins here, or so many bytes further; it may go on in the next member."""
        self._fill(further + RECORD_START)
        while _CUT_START.match(self._buffer, self._at + further) and self._continues():
            self._fill(further + RECORD_START)
        return RECORD.match(self._buffer, self._at + further) is not None

    def to_record(self) -> None:
        """Skip to the next start of a record in this member, or to its end."""
        self._at += 1
        while True:
            record = self._next_start()
            if record is not None:
                self._at = record
                return
            self._at = max(len(self._buffer) - RECORD_START, self._at)
            if not self.more():
                self._at = len(self._buffer)
                return

    def _next_start(self) -> int | None:
        """Where in what is at hand the next record begins, also if it goes on in the next member."""
        record = RECORD.search(self._buffer, self._at)
        while record is None and self._ends_in_start() and self._continues():
            self._fill(RECORD_START)
            record = RECORD.search(self._buffer, self._at)
        return record.start() if record else None

    def _ends_in_start(self) -> bool:
        return _CUT_START.search(self._buffer, max(self._at, len(self._buffer) - RECORD_START)) is not None

    # Inside a record

    def head(self) -> bytes | None:
        """Take everything up to the blank line; None when there is none within reason, or a record begins before."""
        while True:
            blank = BLANK_LINE.search(self._buffer, self._at)
            if blank:
                head = self._buffer[self._at : blank.end()]
                cut = RECORD.search(head, 1)  # the rest of this head is missing, and another one follows
                self._at += cut.start() if cut else len(head)
                return None if cut else head
            if len(self._buffer) - self._at > _MAX_HEAD_BYTES:
                self._at += 1
                return None
            if not self.more() and not self._continues():
                self._at = len(self._buffer)
                return None

    def read_into(self, length: int, content: _Content) -> bool:
        """Take so many bytes; False when a record or the end comes before."""
        while content.length < length:
            if self._at == len(self._buffer) and not self.more() and not self._continues():
                return False
            piece = self._buffer[self._at : self._at + length - content.length]
            self._at += len(piece)
            content.add(piece)
        return True

    def read_to_record(self, content: _Content) -> bool:
        """Take everything before the next record; True when the file ends first."""
        if self._ahead is not None and self._at == len(self._buffer):
            self._open_ahead()
        while True:
            self._fill(RECORD_START)
            record = self._next_start()
            stop = max(len(self._buffer) - RECORD_START, self._at) if record is None else record
            if self._ahead is not None and record is None:
                stop = len(self._buffer)
            if stop > self._at:
                content.add(self._buffer[self._at : stop])
                self._at = stop
            if record is not None:
                return False
            if not self.more() and self._at == len(self._buffer) and not self._continues():
                return self.position.member >= self._stream.size

    def ends_record(self) -> bool:
        """After the block: an end of line, a record, or nothing more in this member, whose checksum then holds."""
        self._fill(RECORD_START)
        lines = _end_of_lines(self._buffer, self._at) - self._at
        ends = self._buffer.count(b"\n", self._at, self._at + lines) >= 2 or self._at + lines == len(self._buffer)
        if ends or self.at_record(lines):
            self._at += lines
            return True
        return False

    def end_of_lines(self) -> bytes:
        """The ends of lines that follow in this member, no more than close a record."""
        self._fill(len(END_OF_RECORD))
        return self._buffer[self._at : min(_end_of_lines(self._buffer, self._at), self._at + len(END_OF_RECORD))]

    def at_zeros(self) -> bool:
        """So many zeros follow that something was overwritten, in this record or behind it."""
        self._fill(RECORD_START)
        return self._buffer.startswith(OVERWRITTEN, self._at)

    def at_garbage(self) -> bool:
        """Something follows in this member, and it is no record."""
        return not self.at_record() and self._at < len(self._buffer)

    def _continues(self) -> bool:
        """After the end of a member: go on in the next one, unless a record begins there or it is broken or missing."""
        ahead = self._ahead
        if ahead is None or ahead.member >= self._stream.size:
            return False
        first = b""
        try:
            self._stream.open(ahead.member)
            while len(first) < RECORD_START and (piece := self._stream.read()):
                first += piece
        except BrokenMember:
            return False
        if not first or RECORD.match(first):
            return False
        self._ahead = None
        self._marks.append((self._base + len(self._buffer), self._stream.member))
        self._base += self._at
        self._buffer = self._buffer[self._at :] + first
        self._at = 0
        return True


def _end_of_lines(buffer: bytes, at: int) -> int:
    newlines = _NEWLINES.match(buffer, at)
    return newlines.end() if newlines else at

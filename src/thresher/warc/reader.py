"""WARC: records one after the other, past whatever is broken between them.  ISO 28500:2017.

    WARC/1.0 CRLF  name: value CRLF …  CRLF  block of Content-Length bytes  CRLF CRLF

A record ends where its length says, if what follows is an end of line, the end of the member, or another record.
Otherwise the length is wrong, and the record ends where the next one begins.  A member that begins like a record is
one, even if the record before has not had all its bytes.  Three kinds of trouble, each with its `Problem`:

    truncated   the archive ends inside the record, or is overwritten with zeros there; what is there is genuine
    length      the length was wrong, the content is what stands before the next record; listed in `wrong_lengths`
    damaged     its member cannot be decoded or fails its checksum; the content is not given

Whatever belongs to no record is a `Damage`, from its first byte to where reading went on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from thresher.page import Problem
from thresher.parse.limits import LIMITS
from thresher.warc.cursor import END_OF_RECORD, Cursor
from thresher.warc.head import BLANK_LINE, parse_fields, whole_number
from thresher.warc.streams import OVERWRITTEN, RECORD, BrokenMember, Position, Stream

__all__ = ["MAX_RECORD_BYTES", "Damage", "Headers", "Wants", "WarcReader", "WarcRecord"]

MAX_RECORD_BYTES = LIMITS.bytes + (
    1 << 20
)  # of a page as it is stored, with its head; what is beyond would not be read anyway

_ID = re.compile(r"<?[!-~]+>?")

Headers = Mapping[str, str]
Wants = Callable[[Headers, bytes], bool]
"""Is the content wanted?  Asked once per record with the start of it."""

_MAX_START_BYTES = 1 << 20  # bytes of content held at most before that is asked
_SNIFFED_BYTES = 512  # bytes behind the head of a response by which its kind can be told


@dataclass(frozen=True, slots=True)
class WarcRecord:
    """One record as it stands in the archive."""

    position: Position
    headers: Headers  # names in lower case
    content: bytes  # empty unless wanted; at most as long as the reader's limit
    length: int  # of the whole block
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Damage:
    """A stretch of the file that gave no record."""

    start: int
    stop: int  # where reading went on; the size of the file when nothing came after
    reason: str


class WarcReader:
    """The records that begin at `start` or later and in a member before `stop`.

    After the last one, `next` is where the following slice has to begin, `damage` lists what was skipped, and
    `wrong_lengths` the records that are there but not as long as they say.
    """

    def __init__(
        self, stream: Stream, start: Position = Position(0), stop: int | None = None, limit: int = MAX_RECORD_BYTES
    ) -> None:
        self.damage: list[Damage] = []
        self.wrong_lengths: list[Damage] = []
        self.next = start
        self._stream = stream
        self._stop = stream.size if stop is None else min(stop, stream.size)
        self._limit = limit
        self._cursor = Cursor(stream, start)
        self._last: WarcRecord | None = None  # not given out before it is known what follows it
        self._lost: list[WarcRecord] = []
        self._skipped: Position | None = None  # where something began that is no record

    def records(self, wants: Wants = lambda headers, start: True) -> Iterator[WarcRecord]:
        """Every record in the order of the file."""
        while self._begin():
            yield from self._take_finished()
            self._last = self._record(wants)
        yield from self._take_finished()
        self.next = self._cursor.position

    def _take_finished(self) -> list[WarcRecord]:
        records = [self._last, *self._lost] if self._last else self._lost
        self._last, self._lost = None, []
        return records

    # From the end of one record to the start of the next

    def _begin(self) -> bool:
        """Go to the next start of a record; False when none is left in this slice."""
        cursor = self._cursor
        skipped, self._skipped = self._skipped, None
        while cursor.position.member < self._stop:
            try:
                if not cursor.at_content():
                    continue  # the next member, or the end
                if cursor.at_record():
                    break
                skipped = skipped or cursor.position
                cursor.to_record()
            except BrokenMember as broken:
                if skipped and skipped.member < broken.offset:
                    self._report_skipped(skipped, broken.offset)
                self._recover(broken, skipped)
                skipped = None
        self._report_skipped(skipped, cursor.position.member)
        return cursor.position.member < self._stop

    def _recover(self, broken: BrokenMember, skipped: Position | None = None) -> None:
        """Report a broken member, keep the head of its record if it can be read, and go on behind it."""
        problem = Problem("damaged", broken.reason)
        last = self._last
        if last and last.position.member == broken.offset:
            if skipped:  # a record, then nonsense, then a wrong checksum: who knows where the nonsense began
                self._last = replace(last, content=b"", length=0, problem=problem)
        else:
            headers = _headers(self._stream.salvage(broken.offset))
            if headers is not None and _is_plausible(headers):
                self._lost.append(WarcRecord(Position(broken.offset), headers, b"", 0, problem))
        self._resume(broken)

    def _resume(self, broken: BrokenMember) -> bool:
        """Report a broken member and go on behind it; whether anything follows."""
        next_record = self._stream.find(broken.offset + 1)
        self._report(broken.offset, next_record.member if next_record else self._stream.size, broken.reason)
        self._cursor.seek(next_record or Position(self._stream.size))
        return next_record is not None

    def _report_skipped(self, start: Position | None, stop: int) -> None:
        if start is not None and (start.inner or self._stream.skip(start.member) < stop):
            where = f", {start.inner:,} bytes into the member" if start.inner else ""
            self._report(start.member, stop, f"no record begins here{where}")

    def _report(self, start: int, stop: int, reason: str) -> None:
        self.damage.append(Damage(start, stop, reason))

    # One record

    def _record(self, wants: Wants) -> WarcRecord | None:
        cursor = self._cursor
        start = cursor.position
        try:
            head = cursor.head()
        except BrokenMember as broken:
            self._recover(broken)
            return None
        headers = _headers(head) if head else None
        if headers is None:
            self._skipped = start
            return None
        body = cursor.position
        content = _Content(wants, headers, self._limit)
        declared = headers.get("content-length", "")
        length = whole_number(declared)
        problem = None
        try:
            whole = length is not None and cursor.read_into(length, content)
            if whole and cursor.at_zeros() and not self._holds_record(body, length):
                problem = Problem("truncated", "it ends in zeros, and more follow") if content.ends_in_zero else None
            elif (
                not whole
                or content.holds_end_of(cursor.end_of_lines())
                or not cursor.ends_record()
                or (cursor.at_garbage() and self._holds_record(body, length))
            ):
                cursor.seek(body)
                content = content.again()
                problem = self._to_next_record(content, declared, length)
                self.wrong_lengths.append(Damage(start.member, cursor.position.member, problem.message))
        except BrokenMember as broken:
            follows = self._resume(broken)
            if broken.cut and not follows:  # else a break made the member read on, over those behind it
                whole = length is not None and content.length == length
                reason = "the file ends before the checksum of this record" if whole else broken.reason
                problem = Problem("truncated", reason)
            else:
                if not _is_plausible(headers):
                    return None
                problem = Problem("damaged", broken.reason)
                content = _Content(wants, headers, 0)
        return WarcRecord(start, headers, content.kept(), content.length, problem)

    def _holds_record(self, body: Position, length: int | None) -> bool:
        """Whether another record begins inside a block: then this one is cut off, and its length fits by accident."""
        cursor, inside = self._cursor, _Content(lambda headers, start: True, {}, self._limit)
        after = cursor.position
        cursor.seek(body)
        cursor.read_into(length or 0, inside)
        cursor.seek(after)
        return RECORD.search(inside.kept()) is not None

    def _to_next_record(self, content: _Content, declared: str, length: int | None) -> Problem:
        """Give everything up to the next record, less the end of line before it."""
        cursor = self._cursor
        ended = cursor.read_to_record(content)
        content.strip()
        if ended and self._stream.name == "plain" and content.length < (length or 0):
            return Problem("truncated", "the file ends inside this record")
        return Problem("length", f"Content-Length is {declared or 'missing'}, the record has {content.length} bytes")


class _Content:
    """The block of a record: kept if it is wanted, and as far as the limit allows; always counted.

    It comes in pieces that end anywhere, so they are held until the head of a response is complete.
    """

    def __init__(self, wants: Wants, headers: Headers, limit: int) -> None:
        self.length = 0
        self._tail = b""
        self._head_bytes = 0  # of a response, as far as it is known
        self._start = bytearray()
        self._ready = _MAX_START_BYTES  # bytes of the start that are enough to ask
        self._pieces: list[bytes] = []
        self._room = limit
        self._wanted: bool | None = None
        self._arguments = wants, headers, limit

    def again(self) -> _Content:
        return _Content(*self._arguments)

    def add(self, piece: bytes) -> None:
        self.length += len(piece)
        self._tail = (self._tail + piece[-4:])[-4:]
        if self._wanted is not None:
            self._keep(piece)
            return
        seen = len(self._start)
        self._start += piece
        blank = BLANK_LINE.search(self._start, max(seen - 3, 0)) if self._ready == _MAX_START_BYTES else None
        if blank:
            self._head_bytes = blank.end()
            self._ready = min(blank.end() + _SNIFFED_BYTES, _MAX_START_BYTES)
        if len(self._start) >= self._ready:
            self._ask()

    @property
    def ends_in_zero(self) -> bool:
        return self._tail.endswith(b"\0")

    def holds_end_of(self, lines: bytes) -> bool:
        """Whether some of the end of lines that closes the record is counted as content: its length is too large.  A
        response without a body ends in such lines itself."""
        missing = END_OF_RECORD.removesuffix(lines)
        closes = END_OF_RECORD.endswith(lines) and self._tail.endswith(missing)
        return bool(missing) and closes and self.length != self._head_bytes

    def kept(self) -> bytes:
        """What is kept of it, in one piece."""
        if self._wanted is None and self._start:
            self._ask()
        return b"".join(self._pieces)

    def _ask(self) -> None:
        wants, headers, _ = self._arguments
        start, self._start = bytes(self._start), bytearray()
        self._wanted = wants(headers, start)
        self._keep(start)

    def _keep(self, piece: bytes) -> None:
        if self._wanted and self._room:
            self._pieces.append(piece[: self._room])
            self._room -= len(self._pieces[-1])

    def strip(self) -> None:
        """Take off the end of line that closes a record."""
        kept = self.kept()
        if kept.endswith(END_OF_RECORD) and len(kept) == self.length:
            self._pieces = [kept.removesuffix(END_OF_RECORD)]
            self.length -= len(END_OF_RECORD)


def _is_plausible(headers: Headers) -> bool:
    """Whether the head of a damaged record is good enough to say which record was lost."""
    return headers.get("warc-type", "").isalpha() and _ID.fullmatch(headers.get("warc-record-id", "")) is not None


def _headers(head: bytes) -> dict[str, str] | None:
    """Names in lower case and values; None where the head of no record stands."""
    blank = BLANK_LINE.search(head)
    if not blank or not RECORD.match(head) or OVERWRITTEN in head:  # its end may be that of another record's head
        return None
    return parse_fields(head[: blank.start()])[1]

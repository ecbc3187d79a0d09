"""The store: every label that was ever given, in a file that is only ever appended to.

    write     lock the file, read what others wrote meanwhile, write all lines of a batch at once, fsync
    crash     a last line without its end is set aside in FILE.torn when the file is next opened: no label that was
              acknowledged is in it, and nothing is thrown away
    undo      another line, which says that a batch never happened

What counts is folded from the lines of a page: of one labeller's answers to one question about one element the last
that was neither taken back nor undone.  Several processes may share a file; each reads on where it stopped.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from thresher.batch.store import sync_folder
from thresher.errors import DatasetError
from thresher.labelling.entries import (
    Clear,
    Entry,
    Question,
    State,
    Status,
    StoredLabel,
    Undo,
    entry_line,
    now,
    parse_line,
    stored_label,
)
from thresher.learn.labelfile import Label, Name

__all__ = ["LabelStore"]

_QUESTIONS: tuple[Question, ...] = ("content", "segment")
_READ_BYTES = 1 << 20  # bytes at a time


class LabelStore:
    """The labels in a file.  Methods may be called from any thread."""

    def __init__(self, path: str | Path, fsync: Callable[[int], None] = os.fsync) -> None:
        self.path = Path(path)
        self.problems: list[str] = []  # lines that hold no entry; they are left where they are
        self._fsync = fsync
        self._lock = threading.RLock()
        self._pages: dict[str, list[Entry]] = {}
        self._offset, self._file_id = 0, (0, 0)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._opened() as descriptor:
                self._catch_up(descriptor, repair=True)
        except OSError as error:
            raise DatasetError(f"labels cannot be kept in {self.path}: {error.strerror or error}") from None

    # Reading

    def pages(self) -> list[str]:
        """The pages that have entries, in that order."""
        with self._lock:
            self._refresh()
            return list(self._pages)

    def labels(self, page: str) -> list[Label]:
        """The labels of a page that count, in the order in which they were given."""
        with self._lock:
            self._refresh()
            entries = list(self._pages.get(page, ()))
        undone = {entry.undo for entry in entries if isinstance(entry, Undo)}
        labels: dict[tuple[str, str, str], Label] = {}
        for entry in entries:
            if isinstance(entry, StoredLabel) and not (entry.batch and entry.batch in undone):
                one = entry.label
                labels.pop((one.xpath, one.labeller, one.question), None)
                labels[one.xpath, one.labeller, one.question] = one
            elif isinstance(entry, Clear) and entry.batch not in undone:
                labels.pop((entry.xpath, entry.labeller, entry.clear), None)
        return list(labels.values())

    def status(self, page: str) -> dict[str, State]:
        """How far each labeller is with a page; nothing for those who have not begun."""
        with self._lock:
            self._refresh()
            return {one.labeller: one.status for one in self._pages.get(page, ()) if isinstance(one, Status)}

    # Labelling

    def add(self, page: str, labeller: str, labels: Sequence[tuple[str, Name]]) -> str:
        """A labeller gives elements, by their XPath, a label each; the batch, which `undo` takes back as a whole."""
        batch = secrets.token_hex(8)
        self._append([stored_label(page, xpath, name, labeller, batch) for xpath, name in labels])
        return batch

    def clear(self, page: str, labeller: str, xpaths: Sequence[str]) -> str:
        """A labeller takes back what they said about some elements."""
        batch, time = secrets.token_hex(8), now()
        self._append([Clear(page, xpath, q, labeller, time, batch) for xpath in xpaths for q in _QUESTIONS])
        return batch

    def undo(self, page: str, labeller: str) -> list[str]:
        """The labeller's last batch on a page never happened; its elements, none when there is nothing to undo."""
        with self._lock:
            self._refresh()
            entries = self._pages.get(page, [])
            undone = {entry.undo for entry in entries if isinstance(entry, Undo)}
            own = [one for one in entries if isinstance(one, StoredLabel | Clear) and _labeller(one) == labeller]
            left = [one for one in own if one.batch and one.batch not in undone]
            if not left:
                return []
            batch = left[-1].batch
            self._append([Undo(page, labeller, now(), batch)])
            xpaths = [
                one.label.xpath if isinstance(one, StoredLabel) else one.xpath for one in left if one.batch == batch
            ]
            return list(dict.fromkeys(xpaths))

    def mark(self, page: str, labeller: str, status: State) -> None:
        """A labeller is done with a page, skips it, or takes it up again."""
        self._append([Status(page, labeller, now(), status)])

    # The file

    def _append(self, entries: Sequence[Entry]) -> None:
        """Write entries so that all of them are on the disk when this returns, or none count."""
        data = b"".join(map(entry_line, entries))
        with self._lock, self._opened() as descriptor:
            self._catch_up(descriptor, repair=True)
            size = os.fstat(descriptor).st_size
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(descriptor, view) :]
                self._fsync(descriptor)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(descriptor, size)  # half a batch would be worse than none
                raise
            self._catch_up(descriptor)

    def _refresh(self) -> None:
        """Read what other processes have written."""
        try:
            about = self.path.stat()
        except OSError:
            return
        if (about.st_dev, about.st_ino) == self._file_id and about.st_size == self._offset:
            return
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            self._catch_up(descriptor)
        finally:
            os.close(descriptor)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """The file for reading and appending, locked against other processes."""
        is_new = not self.path.exists()
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            with suppress(ImportError):  # no locks on this system: one process only
                import fcntl

                fcntl.flock(descriptor, fcntl.LOCK_EX)
            if is_new:
                sync_folder(self.path.parent)
            yield descriptor
        finally:
            os.close(descriptor)

    def _catch_up(self, descriptor: int, repair: bool = False) -> None:
        """Read on from where we stopped; with `repair`, under the lock, see to a line that has no end."""
        about = os.fstat(descriptor)
        file_id = about.st_dev, about.st_ino
        if file_id != self._file_id or about.st_size < self._offset:  # another file took its place
            self._pages, self._offset, self._file_id, self.problems = {}, 0, file_id, []
        data = _read(descriptor, self._offset)
        whole = data.rfind(b"\n") + 1
        if repair and whole < len(data):
            if _entry(data[whole:]) is not None:  # only its end is missing
                os.write(descriptor, b"\n")
                data, whole = data + b"\n", len(data) + 1
            else:
                self._set_aside(data[whole:])
                os.ftruncate(descriptor, self._offset + whole)
        for one in data[:whole].split(b"\n"):
            if one.strip():
                entry = _entry(one)
                if entry is None:
                    self.problems.append(f"no entry: {one[:80].decode('utf-8', 'replace')}")
                else:
                    self._pages.setdefault(entry.page, []).append(entry)
        self._offset += whole

    def _set_aside(self, torn: bytes) -> None:
        """Keep what a crash left of a line, before it goes."""
        target = self.path.with_name(self.path.name + ".torn")
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(descriptor, torn + b"\n")
            self._fsync(descriptor)
        finally:
            os.close(descriptor)


def _entry(data: bytes) -> Entry | None:
    try:
        return parse_line(data)
    except (ValueError, RecursionError):
        return None


def _labeller(entry: StoredLabel | Clear) -> str:
    return entry.label.labeller if isinstance(entry, StoredLabel) else entry.labeller


def _read(descriptor: int, offset: int) -> bytes:
    pieces = []
    while piece := os.pread(descriptor, _READ_BYTES, offset):
        pieces.append(piece)
        offset += len(piece)
    return b"".join(pieces)

"""Results on disk, so that a run goes on where it stopped and a second one costs nothing.

One row per (page and labels, method, version of its code); the key is made of digests, so a changed page,
label or line of code is a new key.  Rows nobody asked for in a month are dropped.

Keeping results is a convenience: where the disk cannot (no place to write, full, a damaged file) the cache says so once
and remembers for this run only.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from thresher.evaluate.measures import Score
from thresher.evaluate.results import Status

SCHEMA = """
CREATE TABLE IF NOT EXISTS results (
    record TEXT, method TEXT, version TEXT, entry TEXT, used TEXT DEFAULT CURRENT_DATE,
    PRIMARY KEY (record, method, version)
) WITHOUT ROWID
"""
FILE = "results.sqlite"


@dataclass(frozen=True, slots=True)
class Key:
    """Page and labels (a digest), the method's name, and its version (a digest of code)."""

    record: str
    method: str
    version: str


@dataclass(frozen=True, slots=True)
class CachedScores:
    """What is remembered of one method on one page."""

    seconds: float
    status: Status = "done"
    problem: str = ""
    scores: dict[str, Score] = field(default_factory=dict)

    def to_json(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> CachedScores:
        loaded = json.loads(text)
        scores = {name: Score(**values) for name, values in loaded.pop("scores").items()}
        return cls(**loaded, scores=scores)


def default_folder() -> Path:
    """`$XDG_CACHE_HOME/thresher/evaluate`, or below `~/.cache`."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "thresher" / "evaluate"


class ScoreCache:
    """The table in a folder.  Many processes may read while one writes.  No fault of the disk is raised."""

    def __init__(self, folder: Path, announce: Callable[[str], None] = lambda words: None) -> None:
        self._folder, self._announce = folder, announce
        self._connection = sqlite3.connect(":memory:")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(folder / FILE, timeout=60)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            with self._connection:
                self._connection.execute(SCHEMA)
        except (OSError, sqlite3.Error) as reason:
            self._use_memory(reason)

    def get(self, key: Key) -> CachedScores | None:
        """What is known under this key."""
        query = "SELECT entry FROM results WHERE record = ? AND method = ? AND version = ?"
        row = None
        with self._memory_on_failure():
            row = self._connection.execute(query, (key.record, key.method, key.version)).fetchone()
        return CachedScores.from_json(row[0]) if row else None

    def put(self, entries: Iterable[tuple[Key, CachedScores]]) -> None:
        """Write entries, all or none, and on disk before this returns: a killed run loses none of them."""
        rows = [(key.record, key.method, key.version, entry.to_json()) for key, entry in entries]
        with self._memory_on_failure(), self._connection:
            self._connection.executemany(
                "INSERT OR REPLACE INTO results (record, method, version, entry) VALUES (?, ?, ?, ?)", rows
            )

    def touch(self, keys: Iterable[Key]) -> None:
        """Note that these were asked for today."""
        rows = [(key.record, key.method, key.version) for key in keys]
        with self._memory_on_failure(), self._connection:
            self._connection.executemany(
                "UPDATE results SET used = CURRENT_DATE "
                "WHERE record = ? AND method = ? AND version = ? AND used < CURRENT_DATE",
                rows,
            )

    def drop_unused(self) -> None:
        """Forget what was neither written nor asked for in 30 days."""
        with self._memory_on_failure(), self._connection:
            self._connection.execute("DELETE FROM results WHERE used < date('now', '-30 days')")

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def _memory_on_failure(self) -> Iterator[None]:
        """Go on in memory when the disk fails in the body."""
        try:
            yield
        except sqlite3.Error as reason:
            self._use_memory(reason)

    def _use_memory(self, reason: Exception) -> None:
        self._connection.close()
        self._connection = sqlite3.connect(":memory:")
        self._connection.execute(SCHEMA)
        self._announce(f"{self._folder}: results are not kept, {reason}; --cache FOLDER keeps them elsewhere")

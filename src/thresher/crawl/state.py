"""The database of a crawl: facts, sizes of files, rules of hosts.  SQLite, locked as long as a crawl has it open.

A write-ahead log and short transactions: a process that is killed loses the transaction it is in, and nothing else.
Two crawls cannot write into one folder.  `frontier` keeps the addresses in the same database, so that an address and
the files that hold its page change in one transaction.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thresher.errors import SiteError
from thresher.fetch.robots import RobotsFile

__all__ = ["State"]

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS files (name TEXT PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS robots (origin TEXT PRIMARY KEY, fetched REAL NOT NULL, status INTEGER NOT NULL, "
    "body BLOB NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID",
)


class State:
    """One open database; used by one thread."""

    schema: tuple[str, ...] = _SCHEMA

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        """Open or create the state.  `identity` is what makes a crawl this crawl and no other."""
        self._connection = sqlite3.connect(path, timeout=0.2, isolation_level=None)
        try:
            for pragma in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = NORMAL"):
                self._connection.execute(f"PRAGMA {pragma}")
            with self.transaction():
                for statement in self.schema:
                    self._connection.execute(statement)
                self._check(json.dumps(identity, sort_keys=True))
        except sqlite3.DatabaseError as error:
            self.close()
            if "locked" in str(error):
                raise SiteError(
                    f"another crawl is writing to {path.parent}: wait for it, or use another folder"
                ) from None
            raise SiteError(f"{path} cannot be used ({error}): start again in another folder") from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside, or nothing of it."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def fact(self, name: str, default: Any = None) -> Any:
        rows = self.rows("SELECT value FROM facts WHERE name = ?", name)
        return rows[0][0] if rows else default

    def set_fact(self, name: str, value: Any) -> None:
        self._connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def sizes(self) -> dict[str, int]:
        """How much of each file is good."""
        return dict(self.rows("SELECT name, size FROM files"))

    def set_sizes(self, sizes: Mapping[str, int]) -> None:
        self._connection.executemany("INSERT OR REPLACE INTO files VALUES (?, ?)", sizes.items())

    def robots(self, origin: str) -> RobotsFile | None:
        """The rules of an origin, as they were last fetched."""
        rows = self.rows("SELECT origin, fetched, status, body, reason FROM robots WHERE origin = ?", origin)
        return RobotsFile(*rows[0]) if rows else None

    def set_robots(self, file: RobotsFile) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO robots VALUES (?, ?, ?, ?, ?)",
            (file.origin, file.fetched, file.status, file.body, file.reason),
        )

    def rows(self, query: str, *values: Any) -> list[Any]:
        return self._connection.execute(query, values).fetchall()

    def number(self, query: str, *values: Any) -> int:
        """The number that a query gives."""
        return int(self._connection.execute(query, values).fetchone()[0])

    def _check(self, identity: str) -> None:
        known = self.fact("identity")
        if known is None:
            self.set_fact("identity", identity)
        elif known != identity:
            before, now = json.loads(known), json.loads(identity)
            different = ", ".join(name for name in sorted({*before, *now}) if before.get(name) != now.get(name))
            raise SiteError(
                f"this folder holds another crawl (different: {different}): use another folder for this one"
            )

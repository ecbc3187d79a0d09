"""Which add-ons may ask: each is paired once, by a code that this server shows and its user types or clicks.

    code     shown by `thresher serve` and on /extension; made anew when the server starts
    origin   of the add-on, which its browser names in every request and no web site can have:
             moz-extension://UUID, chrome-extension://ID
    token    given to the add-on for the code; from then on it asks with both, its origin and its token

The file has the SHA-256 of each token, so that nobody who reads it can ask.  Pairings outlive the server.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import threading
from datetime import date
from hashlib import sha256
from pathlib import Path

from thresher.text.log import logger

__all__ = ["Pairings", "is_extension_origin"]

_ORIGIN = re.compile(r"(?:moz|chrome)-extension://[a-z0-9-]{8,64}")
_CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without letters that look like figures
_CODE_GROUPS, _GROUP_LENGTH = 3, 4  # 60 bits
_MAX_PAIRINGS = 20
_LOG = logger("thresher.web")


def is_extension_origin(origin: str) -> bool:
    """Whether an Origin header is that of an add-on, which no web page can send."""
    return _ORIGIN.fullmatch(origin) is not None


class Pairings:
    """The paired add-ons, in a file.  Methods may be called from any thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.code = "-".join(
            "".join(secrets.choice(_CODE_ALPHABET) for _ in range(_GROUP_LENGTH)) for _ in range(_CODE_GROUPS)
        )
        self._lock = threading.Lock()
        self._known: dict[str, dict[str, str]] | None = None

    def pair(self, origin: str, code: str) -> str | None:
        """The token for an add-on that knows the code; None for one that does not."""
        if not is_extension_origin(origin) or not _equal(_plain(code), _plain(self.code)):
            return None
        token = secrets.token_urlsafe(32)
        with self._lock:
            known = self._read()
            known.pop(origin, None)
            while len(known) >= _MAX_PAIRINGS:
                del known[next(iter(known))]  # the oldest
            known[origin] = {"token": _digest(token), "paired": date.today().isoformat()}
            self._write(known)
        return token

    def knows(self, origin: str) -> bool:
        """Whether an add-on is paired."""
        with self._lock:
            return origin in self._read()

    def allows(self, origin: str, token: str) -> bool:
        """Whether this is the token of the add-on with this origin."""
        with self._lock:
            entry = self._read().get(origin, {})
        return _equal(_digest(token), entry.get("token", ""))

    def listed(self) -> dict[str, str]:
        """The origins of the paired add-ons, each with the day on which it was paired."""
        with self._lock:
            return {origin: entry.get("paired", "") for origin, entry in self._read().items()}

    def forget(self, origin: str) -> None:
        """End a pairing: the token is worth nothing from now on."""
        with self._lock:
            known = self._read()
            if known.pop(origin, None) is not None:
                self._write(known)

    def _read(self) -> dict[str, dict[str, str]]:
        if self._known is None:
            try:
                stored = json.loads(self.path.read_text(encoding="utf-8"))
                self._known = {str(origin): {str(k): str(v) for k, v in one.items()} for origin, one in stored.items()}
            except FileNotFoundError:
                self._known = {}
            except (OSError, ValueError, AttributeError) as error:
                _LOG.warning("%s cannot be read, so no add-on is paired: %s", self.path, error)
                self._known = {}
        return self._known

    def _write(self, known: dict[str, dict[str, str]]) -> None:
        """Replace the file as a whole; only its owner may read it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(".part")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(known, file, indent=1)
        os.replace(draft, self.path)


def _plain(code: str) -> str:
    """A code as people type it: spaces, hyphens and case do not matter."""
    return re.sub(r"[\s-]", "", code).upper()


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def _equal(given: str, wanted: str) -> bool:
    return bool(wanted) and secrets.compare_digest(given.encode("utf-8", "replace"), wanted.encode())

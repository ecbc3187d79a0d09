"""Pages as a browser shows them, each rendered by a program of its own: python -m thresher.web.rendering

A browser is a large thing and a page may hang it, so no thread of the server waits inside one: the program ends within
its time or is ended, and its browser with it.  Its input is a line of JSON and the page, its output the page as
`thresher.render.saved` writes it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from functools import cache
from typing import TYPE_CHECKING

from thresher.errors import FetchError, ThresherError

if TYPE_CHECKING:
    from thresher.web.settings import ServerSettings
    from thresher.web.sources import LoadedPage

__all__ = ["BrowserRenderer", "can_render"]

_MAX_RENDERINGS, _MAX_WAITING = 2, 16
_START_SECONDS = 20.0  # seconds beyond those of the page, for the browser


@cache
def can_render() -> bool:
    """Whether there is a browser."""
    try:
        from thresher.render.chromium import find_chromium

        find_chromium()
    except (ImportError, ThresherError):
        return False
    return True


class BrowserRenderer:
    """A few renderings at a time; used in one event loop."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._turns = asyncio.Semaphore(_MAX_RENDERINGS)
        self._waiting = 0

    async def render(self, source: LoadedPage) -> bytes:
        """The page after a browser had it, as saved; Refused when there is none."""
        from thresher.web.answers import Refused

        if not can_render():
            raise Refused(501, "no_browser", "rendering needs Chromium, and there is none on this machine")
        if self._waiting >= _MAX_WAITING:
            raise Refused(429, "busy", "too many pages are being rendered; try again in 10 s", {"Retry-After": "10"})
        request = {
            "url": source.url,
            "encoding": source.encoding,
            "fetched": source.fetched,
            "allow_hosts": list(self._settings.allow_hosts),
            "timeout": self._settings.fetch_seconds,
        }
        self._waiting += 1
        try:
            async with self._turns:
                code, out, message = await self._run(json.dumps(request).encode() + b"\n" + source.data)
        finally:
            self._waiting -= 1
        if code is None:
            raise Refused(504, "timeout", "the browser did not come to an end with this page")
        if code:
            raise Refused(502, "render", f"the page could not be rendered: {message[:500] or 'the browser broke'}")
        return out

    async def _run(self, message: bytes) -> tuple[int | None, bytes, str]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "thresher.web.rendering"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            waited = asyncio.wait_for(process.communicate(message), self._settings.fetch_seconds + _START_SECONDS)
            out, errors = await waited
        except TimeoutError:
            return None, b"", ""
        finally:
            if process.returncode is None:
                process.kill()  # the watchdog of its browser sees to that one
                await process.wait()
        lines = errors.decode("utf-8", "replace").strip().splitlines()
        return process.returncode, out, lines[-1] if lines else ""


def main() -> None:
    """Render one page."""
    from thresher.render import render
    from thresher.render.saved import to_dict

    line, _, html = sys.stdin.buffer.read().partition(b"\n")
    request = json.loads(line)
    # What was fetched is asked for again by the browser itself, cookies, scripts and all.
    what = request["url"] if request["fetched"] else html
    try:
        page = render(
            what,
            url=None if request["fetched"] else request["url"],
            allow_hosts=request["allow_hosts"],
            encoding=request["encoding"],
            timeout=request["timeout"],
        )
    except FetchError as error:
        sys.exit(f"{error.reason}: {error}")
    except ThresherError as error:
        sys.exit(str(error))
    sys.stdout.buffer.write(json.dumps(to_dict(page), separators=(",", ":")).encode("utf-8", "replace"))


if __name__ == "__main__":
    main()

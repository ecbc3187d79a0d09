"""How a page is rendered: one frozen value.

    Settings(viewport=(1280, 800), wait="idle", scroll=True, timeout=30)

`wait` says when a page is done, always after its load event:

    "load"       at once
    "idle"       when no request has been under way for half a second, at the latest after some seconds; a page that has
                 next to no text then is given some more of its own time, faster than the clock
    2.5          after so many seconds
    "#article"   when an element matches this CSS selector

What takes longer than `timeout` is captured as it is, shortly before; a browser that cannot even do that is killed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from thresher.fetch.addresses import Policy
from thresher.render.styles import VIEWPORT

__all__ = ["RenderSettings", "wait_from_text"]

_VIEWPORT_SIDES = (50, 8_000)  # CSS pixels: the least and the most of a window's side


@dataclass(frozen=True, slots=True)
class RenderSettings:
    """Everything that decides what a rendered page looks like, and what it may cost."""

    viewport: tuple[int, int] = VIEWPORT  # width and height of the window, CSS pixels
    wait: str | float = "idle"  # "load", "idle", seconds, or a CSS selector
    scroll: bool = True  # go down the page and back, so that what loads lazily loads
    timeout: float = 30.0  # seconds for the whole page, from when a browser is ready; it is killed then
    javascript: bool = True
    offline: bool = False  # nothing but the given HTML: every request is refused
    allow_hosts: tuple[str, ...] = ()  # HOST or HOST:PORT: private addresses that may be asked all the same
    bytes: int = 64_000_000  # that a page may load, all its resources together
    memory: int = 2_000  # MB that the browser may use
    user_agent: str | None = None  # None: the browser's own

    def __post_init__(self) -> None:
        width, height = self.viewport
        if not (
            _VIEWPORT_SIDES[0] <= width <= _VIEWPORT_SIDES[1] and _VIEWPORT_SIDES[0] <= height <= _VIEWPORT_SIDES[1]
        ):
            raise ValueError(
                f"a viewport has sides of {_VIEWPORT_SIDES[0]} to {_VIEWPORT_SIDES[1]:,} pixels, not {self.viewport!r}"
            )
        for name in ("timeout", "bytes", "memory"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, not {getattr(self, name)!r}")
        if isinstance(self.wait, str) and not self.wait.strip():
            raise ValueError("wait is load, idle, a number of seconds or a CSS selector, not an empty text")
        if not isinstance(self.wait, str) and not 0 <= self.wait < float("inf"):
            raise ValueError(f"wait must be 0 seconds or more, not {self.wait!r}")
        hosts: Iterable[str] = (self.allow_hosts,) if isinstance(self.allow_hosts, str) else self.allow_hosts
        object.__setattr__(self, "allow_hosts", tuple(hosts))
        Policy.of(self.allow_hosts)  # raises for what names no host, before anything runs

    @property
    def reserve(self) -> float:
        """Seconds at the end of `timeout` that are kept for capturing what is there."""
        return min(max(0.3 * self.timeout, 3.0), 0.5 * self.timeout, 8.0)

    @property
    def killing(self) -> float:
        """Seconds of these in which a browser that is still busy is killed."""
        return min(0.05 * self.timeout, 0.5)


def wait_from_text(text: str) -> str | float:
    """`wait` as it is written on a command line: a number is a number of seconds."""
    try:
        return float(text)
    except ValueError:
        return text

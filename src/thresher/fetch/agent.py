"""Who we say we are."""

from __future__ import annotations

from thresher import __version__

__all__ = ["USER_AGENT"]

USER_AGENT = f"thresher/{__version__} (content extraction)"

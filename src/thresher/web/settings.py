"""The settings of the server."""

from __future__ import annotations

import ipaddress
import os
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["ServerSettings", "data_folder", "is_loopback"]


def data_folder() -> Path:
    """`$XDG_DATA_HOME/thresher`, or below `~/.local/share`: what people make here and want to keep."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "thresher"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server bound to this address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Where to listen, whom to let in, how much one request may cost."""

    host: str = "127.0.0.1"
    port: int = 8177
    token: str | None = None  # asked of everybody when there is one
    names: tuple[str, ...] = ()  # host names under which the server is reached, beside addresses and localhost
    allow_hosts: tuple[str, ...] = ()  # private hosts from which pages may be fetched
    user_agent: str | None = None
    cache: Path | None = None  # folder of fetched pages
    fetch_seconds: float = 30.0
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)  # processes that read pages
    queue: int = 200  # requests that may wait for one
    page_seconds: float = 20.0  # of the processor, for one page
    page_mb: int = 2048  # memory that one page may take
    recycle_pages: int = 2_000  # after which a process is replaced
    body_bytes: int = 48_000_000  # of one request; a page has at most 32 million, and JSON escapes some
    body_budget: int = 512_000_000  # of all requests at a time
    head_seconds: float = 10.0  # for the head of a request to arrive
    body_seconds: float = 60.0  # for its body
    connections: int = 500  # at a time
    siblings: int = 8  # other pages of the site that a request may name
    site_runs: int = 2  # sites that are learned at a time
    site_pages: int = 50  # pages that one of them may have
    site_seconds: float = 900.0  # for one of them
    site_mb: int = 3072  # memory for what is learned from its pages
    crawl_delay: float = 1.0  # seconds between two requests to a site that is learned
    reports: tuple[Path, ...] = ()  # JSON lines of `thresher evaluate`, or folders of them
    data: Path = field(default_factory=data_folder)  # labels, rules of sites, paired add-ons
    benchmark: Path | None = None  # saved sites, for the benchmark of the add-on
    label: Path | None = None  # pages to label: a folder, a WARC archive, a list of addresses
    labels: Path | None = None  # the file of labels; in `data` unless given
    bases: tuple[Path, ...] = ()  # data sets that a retraining may add to the labelled pages


def __getattr__(name: str) -> Any:
    if name == "Settings":
        warnings.warn("thresher.web.settings.Settings is now ServerSettings", DeprecationWarning, stacklevel=2)
        return ServerSettings
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

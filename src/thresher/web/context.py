"""What the parts of the application share: settings, processes, pages in memory, templates, secrets, counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from thresher import __version__
from thresher.web.attempts import LoginAttempts
from thresher.web.extension.pairing import Pairings
from thresher.web.extension.site_files import SiteFiles
from thresher.web.metrics import Metrics
from thresher.web.rendering import BrowserRenderer
from thresher.web.security import Secrets
from thresher.web.settings import ServerSettings
from thresher.web.site_runs import SiteRuns
from thresher.web.sources import Sources
from thresher.web.workers import WorkerPool

__all__ = ["STATIC", "Context", "Here", "NavigationEntry", "context"]

STATIC = Path(__file__).parent / "static"


class NavigationEntry(NamedTuple):
    """A part of the application in the navigation."""

    name: str
    path: str


@dataclass(slots=True)
class Context:
    """One per application; `context(request)` gives it to a route."""

    settings: ServerSettings
    pool: WorkerPool
    sources: Sources
    renderer: BrowserRenderer
    runs: SiteRuns
    pairings: Pairings
    site_files: SiteFiles
    logins: LoginAttempts = field(default_factory=LoginAttempts)
    secrets: Secrets = field(default_factory=Secrets)
    metrics: Metrics = field(default_factory=Metrics)
    navigation: list[NavigationEntry] = field(default_factory=list)
    templates: Environment = field(default_factory=lambda: _environment())

    def page(
        self, request: Request, name: str, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any
    ) -> HTMLResponse:
        """A template with what every page needs: navigation, the secret of our own pages, the version."""
        shared = {
            "navigation": self.navigation,
            "path": request.url.path,
            "page_token": self.secrets.page,
            "version": __version__,
        }
        return HTMLResponse(self.templates.get_template(name).render(**shared, **values), status, dict(headers or {}))


def context(request: Request) -> Context:
    """The context of the application that a request came to."""
    return cast(Context, request.app.state.context)


Here = Annotated[Context, Depends(context)]  # for routes


def _environment() -> Environment:
    # Everything is escaped, whatever the template is called, and a name that is not there is an error.
    environment = Environment(
        loader=PackageLoader("thresher.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["thousands"] = lambda number: f"{number:,}"
    return environment

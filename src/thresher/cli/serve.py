"""thresher serve: the web app and the HTTP API."""

from __future__ import annotations

import errno
import secrets
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.options import Number, web_options
from thresher.result.inputs import Reader

if TYPE_CHECKING:
    from thresher.web.label_session import LabelSession
    from thresher.web.settings import ServerSettings

__all__ = ["bound", "command"]

_MIN_TOKEN_LENGTH = 16


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8177, show_default=True, help="0 takes a free one.")
@click.option("--token", metavar="SECRET", help="Ask everybody for this.  [default: made up, beyond loopback]")
@click.option("--name", "names", multiple=True, metavar="HOST", help="A name under which the server is reached.")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes that read pages.")
@click.option("--queue", type=click.IntRange(0), default=200, show_default=True, help="Requests that may wait for one.")
@click.option(
    "--page-seconds",
    type=Number(0, min_open=True),
    default=20.0,
    show_default=True,
    help="Time of the processor for one page.",
)
@click.option(
    "--reports",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    metavar="PATH",
    help="Results to browse: a file from `thresher evaluate --json`, or a folder of them.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where labels and pairings are kept; or saved sites (SITE/site.json), the benchmark of the browser add-on.",
)
@click.option(
    "--label",
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH",
    help="Pages to label: a folder of HTML, a WARC archive, or a file with an address a line.",
)
@click.option(
    "--labels",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file of labels.  [default: labels.jsonl in --data]",
)
@click.option(
    "--base",
    "bases",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    metavar="DIR",
    help="A data set that a retraining may add to the labelled pages.",
)
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
@web_options
def command(
    host: str,
    port: int,
    token: str | None,
    names: tuple[str, ...],
    workers: int | None,
    queue: int,
    page_seconds: float,
    reports: tuple[Path, ...],
    data: Path | None,
    label: Path | None,
    labels: Path | None,
    bases: tuple[Path, ...],
    no_open: bool,
    reader: Reader,
) -> None:
    """Start the web app and the HTTP API, and open the browser.

    \b
      thresher serve                                     http://127.0.0.1:8177/
      thresher serve --allow-host intranet.example       pages of a private host, too
      thresher evaluate data/wcxb --json > results.jsonl
      thresher serve --reports results.jsonl             browse them, down to the single page
      thresher serve --label pages/ --labels labels.jsonl --base data/wcxb
      thresher serve --data data/sites                   the benchmark of the browser add-on
      curl -s localhost:8177/extract -H 'Content-Type: application/json' -d '{"url": "https://example.org/"}'

    The server listens to this machine alone.  With --host 0.0.0.0 others reach it, too: everybody is then asked for a
    token, which is printed at the start, and names other than addresses must be given with --name.  There is no TLS:
    put a proxy in front of it.  Stop it with Ctrl-C.

    --label gives people pages to label, the least certain first; the labels become a data set, and a model that you
    accept or not (docs/labelling.md).  The browser add-on is paired with the code that is printed at the start
    (docs/extension.md).

    docs/web.md describes the app and the API; /docs of the server has its reference.
    """
    from thresher.errors import MissingExtra

    try:
        import uvicorn

        from thresher.web.app import create_app
        from thresher.web.connections import server_config
        from thresher.web.settings import ServerSettings, is_loopback
    except ImportError as missing:
        if (missing.name or "").startswith("thresher"):
            raise
        raise click.ClickException(str(MissingExtra("the web app needs: pip install 'thresher[web]'"))) from None
    if token is not None and len(token) < _MIN_TOKEN_LENGTH:
        raise click.UsageError(f"a token has {_MIN_TOKEN_LENGTH} characters at least")
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(24)
    given: dict[str, Any] = {"workers": workers, "fetch_seconds": reader.timeout} | _folders(data)
    settings = ServerSettings(
        host=host,
        token=token,
        names=names,
        allow_hosts=tuple(reader.allow_hosts),
        user_agent=reader.agent,
        cache=reader.cache,
        queue=queue,
        page_seconds=page_seconds,
        reports=reports,
        label=label,
        labels=labels,
        bases=bases,
        **{name: value for name, value in given.items() if value is not None},
    )
    app = create_app(settings)
    if label is not None:
        app.state.label_session = _label_session(settings)
    listening = bound(host, port)
    code: str = app.state.context.pairings.code
    _announce(settings, listening.getsockname()[1], code, not no_open and sys.stderr.isatty())
    server = uvicorn.Server(server_config(app, settings, timeout_graceful_shutdown=5))
    server.run(sockets=[listening])


def _folders(data: Path | None) -> dict[str, Path | None]:
    """What --data names: saved sites to measure methods on, or the folder of what people make here."""
    from thresher.evaluate.datasets.sites import Sites

    is_sites = data is not None and data.is_dir() and Sites.recognises(data)
    return {"benchmark": data} if is_sites else {"data": data}


def _label_session(settings: ServerSettings) -> LabelSession:
    """The pages to label and the file of labels; what is wrong with them is reported before anything is announced."""
    from thresher.errors import ThresherError
    from thresher.web.label_session import LabelSession

    try:
        return LabelSession(settings)
    except ThresherError as error:
        raise click.ClickException(str(error)) from None


def bound(host: str, port: int) -> socket.socket:
    """The socket to listen on: nothing is announced that does not work."""
    bare = host.strip("[]")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((bare, port))
        listening.listen(2048)  # whoever comes before the server is up waits
    except OSError as error:
        listening.close()
        reason = (error.strerror or str(error)).lower()
        other = "--port" if error.errno in (errno.EADDRINUSE, errno.EACCES) else "--host"
        raise click.ClickException(f"cannot listen on {host}:{port}: {reason}; choose another with {other}") from None
    return listening


def _announce(settings: ServerSettings, port: int, code: str, is_open: bool) -> None:
    """Say on stderr where the server is, and open the browser there once it can be reached."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host).strip("[]")
    address = f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
    click.echo(f"Thresher is at {address}  (Ctrl-C stops it)", err=True)
    if settings.token:
        click.echo(f"It asks for this token: {settings.token}", err=True)
    click.echo(f"Browser add-on: pair it at {address}extension, or with the code {code}", err=True)
    if is_open:
        opener = threading.Timer(1.0, webbrowser.open, [address])
        opener.daemon = True
        opener.start()

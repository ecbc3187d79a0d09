"""thresher mcp: tools for agents."""

from __future__ import annotations

import secrets
import sys
from typing import TYPE_CHECKING

import click

from thresher.cli.options import strict_option, web_options
from thresher.result.inputs import Reader

if TYPE_CHECKING:
    from thresher.result.extraction import Hidden

__all__ = ["command"]

_MIN_TOKEN_LENGTH = 16


@click.command("mcp")
@click.option("--http", is_flag=True, help="Serve over HTTP instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where to listen, with --http.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8178, show_default=True, help="0 takes a free one.")
@click.option("--token", metavar="SECRET", help="Ask everybody for this.  [default: made up, beyond loopback]")
@click.option("--name", "names", multiple=True, metavar="HOST", help="A name under which the server is reached.")
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes that read pages.")
@strict_option
@web_options
def command(
    http: bool,
    host: str,
    port: int,
    token: str | None,
    names: tuple[str, ...],
    workers: int,
    hidden: Hidden,
    reader: Reader,
) -> None:
    """Give agents tools that read web pages (Model Context Protocol).

    \b
      thresher mcp                                       for an agent program that starts it
      thresher mcp --cache ~/.cache/thresher             pages are kept between sessions
      thresher mcp --strict                              nothing that a reader may not see
      thresher mcp --http                                http://127.0.0.1:8178/mcp

    The tools: extract, extract_many, site, explain, search_in_page.  Pages that were read are resources.  Only public
    addresses are fetched, unless --allow-host names them, and no files are read.  With --http and another --host than
    this machine everybody is asked for a token, which is printed at the start.

    docs/agents.md has what to paste into the settings of agent programs.
    """
    from thresher.errors import MissingExtra

    try:
        from thresher.mcp.pages import Pages
        from thresher.mcp.server import create_server
        from thresher.mcp.serving import http_app, is_loopback
    except ImportError as missing:
        if (missing.name or "").startswith("thresher"):
            raise
        raise click.ClickException(str(MissingExtra("the MCP server needs: pip install 'thresher[mcp]'"))) from None
    if token is not None and len(token) < _MIN_TOKEN_LENGTH:
        raise click.UsageError(f"a token has {_MIN_TOKEN_LENGTH} characters at least")
    pages = Pages(reader, workers, hidden)
    try:
        server = create_server(pages)
        if not http:
            server.run("stdio")
            return
        import uvicorn

        from thresher.cli.serve import bound

        if token is None and not is_loopback(host):
            token = secrets.token_urlsafe(24)
        listening = bound(host, port)
        click.echo(f"MCP is at http://{host}:{listening.getsockname()[1]}/mcp  (Ctrl-C stops it)", err=True)
        if token:
            click.echo(f"It asks for this token: {token}", err=True)
        sys.stderr.flush()
        config = uvicorn.Config(http_app(server, host, names, token), log_level="warning", timeout_graceful_shutdown=5)
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        pages.close()

"""thresher render: a page as Chromium shows it, with boxes and styles."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from thresher.cli.options import Number, allow_host_option, complete_files, page_options, user_agent_option
from thresher.cli.rendering import viewport, wait
from thresher.errors import FetchError, MissingProgram, NotHtml, RenderError
from thresher.page import Page
from thresher.result.inputs import InputError, is_url, read
from thresher.text.printing import plain, plain_lines

__all__ = ["command"]

_PAGE, _HTML, _PICTURE = (".json", ".json.gz"), (".html", ".htm"), (".png",)


@click.command("render")
@click.argument("source", metavar="INPUT", shell_complete=complete_files)
@click.option("-o", "--output", metavar="FILE", help="Write here: page.json.gz, page.html or shot.png, by the ending.")
@click.option("--screenshot", metavar="FILE", help="Also write a picture of the whole page (PNG).")
@click.option(
    "--overlay",
    type=click.Choice(["zones", "columns", "content"]),
    help="Draw what the layout analysis sees over the picture.",
)
@click.option(
    "--viewport",
    callback=viewport,
    default="1280x800",
    show_default=True,
    metavar="WxH",
    help="Size of the window in CSS pixels.",
)
@click.option(
    "--wait",
    callback=wait,
    default="idle",
    show_default=True,
    metavar="WHEN",
    help="When the page is done: load, idle, a number of seconds after load, or a CSS selector.",
)
@click.option("--scroll/--no-scroll", default=True, help="Go down the page, so that what loads lazily loads.")
@click.option("--javascript/--no-javascript", default=True, help="Run the page's scripts.")
@click.option("--offline", is_flag=True, help="Load nothing: a file is shown without what it refers to.")
@click.option(
    "--timeout",
    type=Number(min=1),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="For the whole page; what is there by then is taken.",
)
@allow_host_option("Let the page talk to this host although its address is private.  May be repeated.")
@user_agent_option("as Chromium does")
@click.option("--chromium", metavar="FILE", help="The browser.  [default: chromium on the PATH]")
@page_options
def command(
    source: str,
    output: str | None,
    screenshot: str | None,
    overlay: str | None,
    url: str | None,
    encoding: str | None,
    chromium: str | None,
    **changes: Any,
) -> None:
    """Show a page in headless Chromium and keep what it looks like.

    INPUT is an address (http or https), a file, a gzipped file, or - for standard input.

    \b
      thresher render https://example.org/ -o page.json.gz        elements, boxes, computed styles
      thresher render page.html --url https://example.org/a       the page after its scripts ran, as HTML
      thresher render page.html -o shot.png                       a picture of the whole page
      thresher render page.html --overlay columns -o shot.png     with the column tree drawn over it
      thresher extract page.json.gz -m layout                     extract from what was rendered

    Every request of the browser passes the same rules as our own: public addresses only, unless --allow-host names the
    host.  The page gets a browser context of its own, no files, no downloads, no dialogs, and is killed at --timeout.

    Exit: 0 done, 1 the page could not be rendered, 2 wrong usage.
    """
    from thresher.render import BrowserPool, RenderSettings, Screenshot, render, with_screenshot
    from thresher.render.render_page import normalised_url

    _check(output, screenshot, overlay)
    try:
        given = normalised_url(source) if is_url(source) else read(source)
        settings = RenderSettings(**changes)
        with BrowserPool(chromium=chromium) as pool:
            how: dict[str, Any] = {"encoding": encoding, "settings": settings, "pool": pool}
            how |= {} if is_url(source) else {"url": url}
            if screenshot or overlay or (output or "").endswith(_PICTURE):
                shot = with_screenshot(given, **how)
            else:
                shot = Screenshot(render(given, **how), b"")
        for problem in shot.page.problems:
            click.echo(f"{plain(source)}: {plain(str(problem))}", err=True)
        _write(shot.page, shot.png, output, screenshot, overlay)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except (FetchError, RenderError, InputError) as error:
        _fail(source, f"{error.reason}: {error}")
    except (MissingProgram, NotHtml) as error:
        _fail(source, str(error))
    except OSError as error:
        _fail(source, f"cannot write {error.filename!r}: {(error.strerror or str(error)).lower()}")


def _check(output: str | None, screenshot: str | None, overlay: str | None) -> None:
    """Usage errors, before the browser is started."""
    if output is not None and not output.endswith((*_PAGE, *_HTML, *_PICTURE)):
        raise click.UsageError("-o writes page.json.gz (or .json), page.html or shot.png: choose one of these endings")
    if screenshot is not None and not screenshot.endswith(_PICTURE):
        raise click.UsageError("--screenshot writes a PNG: choose a name that ends in .png")
    if overlay and not (screenshot or (output or "").endswith(_PICTURE)):
        raise click.UsageError("--overlay draws on a picture: name it with -o shot.png")


def _write(page: Page, png: bytes, output: str | None, screenshot: str | None, overlay: str | None) -> None:
    if png and overlay:
        from thresher.methods.layout.overlay import draw

        png = draw(page, png, overlay)  # type: ignore[arg-type]
    for name in filter(None, (screenshot, output if (output or "").endswith(_PICTURE) else None)):
        Path(name).write_bytes(png)
    if output is None:
        if not screenshot:
            html = page.markup.decode("utf-8", "replace") + "\n"
            # As it is, for programs; what may be a command to a terminal does not reach one.
            sys.stdout.write(plain_lines(html) if sys.stdout.isatty() else html)
    elif output.endswith(_PAGE):
        from thresher.render.saved import save

        save(page, output)
    elif output.endswith(_HTML):
        Path(output).write_bytes(page.markup)


def _fail(source: str, message: str) -> None:
    click.echo(f"{plain(source)}: {plain(message)}", err=True)
    sys.exit(1)

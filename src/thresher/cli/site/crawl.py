"""thresher site crawl: the pages of a site into a folder."""

from __future__ import annotations

import json
import shlex
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.options import allow_host_option, delay_option, timeout_option, user_agent_option
from thresher.errors import FetchError, MissingExtra, SiteError
from thresher.text.printing import plain

if TYPE_CHECKING:
    from thresher.crawl.options import CrawlProgress, CrawlSummary

__all__ = ["command"]

_LINE_SECONDS = 30.0  # seconds between two lines where nobody watches
_ENDINGS = {
    "complete": "the site is complete as far as it may be followed",
    "pages": "the pages wanted are there",
    "requests": "the limit for requests is reached",
    "stopped": "stopped before the end",
    "unreachable": "hosts could not be reached; the same command tries again",
}


@click.command("crawl", context_settings={"max_content_width": 100})
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder to write to; the same command goes on with what is there.",
)
@click.option("--pages", type=click.IntRange(min=1), default=100, show_default=True, help="HTML pages to keep.")
@click.option(
    "--depth", type=click.IntRange(min=0), default=5, show_default=True, help="Links to follow from a start address."
)
@click.option(
    "--scope",
    type=click.Choice(["domain", "host", "path"]),
    default="domain",
    show_default=True,
    help="Stay on the registered domain with its sub-domains, on the host, or in the folder of the URL.",
)
@delay_option("Between two requests to one host; more if its robots.txt asks for it.")
@click.option("--include", multiple=True, metavar="REGEX", help="Follow only addresses that match.  May be repeated.")
@click.option("--exclude", multiple=True, metavar="REGEX", help="Follow no addresses that match.  May be repeated.")
@click.option("--sitemaps/--no-sitemaps", default=True, help="Start from sitemaps and feeds, too.")
@click.option(
    "--variants",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Addresses to follow that differ in their query only.",
)
@click.option(
    "--jobs", "-j", type=click.IntRange(min=1), default=4, show_default=True, help="Hosts asked at the same time."
)
@allow_host_option()
@user_agent_option()
@timeout_option("For one page.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as an object on standard output.")
def command(urls: tuple[str, ...], folder: Path, as_json: bool, **settings: Any) -> None:
    """Fetch the pages of a site into a folder, politely.

    Into DIR go pages-00000.warc.gz (WARC 1.1), index.jsonl (a line about every record), left-out.jsonl (addresses
    without a record, and why) and state.sqlite.  Stop it with Ctrl-C or kill it: the same command goes on where
    it was, and nothing is fetched or written twice.

    robots.txt, Crawl-delay, nofollow and noindex are obeyed.  URL may be a page, a sitemap or a feed.

    \b
    The first hundred pages of a site:
      thresher site crawl https://example.org/ -o example
    Its manual only, and a thousand pages of it:
      thresher site crawl https://example.org/manual/ -o manual --scope path --pages 1000
    A site on this machine, as fast as it can:
      thresher site crawl http://127.0.0.1:8000/ -o local --allow-host 127.0.0.1:8000 --delay 0
    Everything but the forum:
      thresher site crawl https://example.org/ -o example --exclude '/forum/'

    \b
    Exit status: 0 done; 1 a URL gave nothing, or a host could not be reached; 2 wrong usage; 130 stopped by Ctrl-C.
    """
    from thresher.crawl import crawl

    stop = threading.Event()
    try:
        options = _options(**settings)
        with _signals(stop) as caught, _shown(options.pages) as watch:
            summary = crawl(urls, folder, options, stop=stop, watch=watch)
    except (SiteError, FetchError) as error:
        raise click.UsageError(plain(str(error))) from None
    except MissingExtra as error:
        raise click.ClickException(str(error)) from None
    except (OSError, sqlite3.Error) as error:
        raise click.ClickException(f"{plain(str(error))}; the same command goes on from here") from None
    for line in _lines(summary):
        click.echo(plain(line), err=True)
    if summary.ended == "stopped":
        click.echo(f"to go on: {plain(shlex.join(['thresher', *sys.argv[1:]]))}", err=True)
    if as_json:
        click.echo(json.dumps({**asdict(summary), "folder": str(summary.folder)}))
    if caught:
        sys.exit(128 + caught[0])
    sys.exit(1 if summary.failed_seeds or summary.parked else 0)


def _options(*, variants: int, timeout: float, user_agent: str | None, sitemaps: bool, **others: Any) -> Any:
    from thresher.crawl.options import CrawlOptions
    from thresher.crawl.traps import TrapLimits
    from thresher.fetch.agent import USER_AGENT
    from thresher.fetch.limits import FetchLimits

    if user_agent and not user_agent.isascii():
        raise click.UsageError("--user-agent is in ASCII, for robots.txt files name crawlers so")
    return CrawlOptions(
        traps=TrapLimits(variants=variants),
        limits=FetchLimits(seconds=timeout),
        user_agent=user_agent or USER_AGENT,
        sitemaps=sitemaps,
        **others,
    )


@contextmanager
def _signals(stop: threading.Event) -> Iterator[list[int]]:
    """Stop at the first signal, at once at the second; gives the signals that came."""
    caught: list[int] = []

    def handle(number: int, frame: object) -> None:
        caught.append(number)
        if len(caught) > 1:
            raise KeyboardInterrupt
        stop.set()
        click.echo("stopping when the requests under way are done; once more to stop at once", err=True)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield caught
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _shown(pages: int) -> Iterator[Callable[[CrawlProgress], None]]:
    """A bar on stderr where somebody looks at it, else a line now and then."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _line_now_and_then()
        return
    columns = (
        TextColumn("pages"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=pages)

        def show(now: Any) -> None:
            troubles = f"{now.errors} errors, " if now.errors else ""
            bar.update(task, completed=now.pages, description=f"{troubles}{escape(_short(now.url))}")

        yield show


def _line_now_and_then() -> Callable[[CrawlProgress], None]:
    last = [time.monotonic()]

    def show(now: CrawlProgress) -> None:
        if time.monotonic() - last[0] >= _LINE_SECONDS:
            last[0] = time.monotonic()
            click.echo(f"{now.pages} of {now.wanted} pages, {now.requests} requests, {now.errors} errors", err=True)

    return show


def _short(url: str) -> str:
    url = plain(url)
    return url if len(url) <= 60 else f"{url[:30]}…{url[-29:]}"


def _lines(summary: CrawlSummary) -> Iterator[str]:
    """The summary for people."""
    yield (
        f"{summary.pages} pages, {summary.files} other files, {sum(summary.errors.values())} errors, "
        f"{summary.requests} requests; this run took {summary.seconds:.0f} s: {summary.folder}"
    )
    if summary.errors:
        yield f"errors: {_counts(summary.errors)}"
    if summary.left_out:
        yield f"left out: {_counts(summary.left_out)}"
    for host, why in summary.parked.items():
        yield f"{host}: {why}"
    for url, why in summary.failed_seeds.items():
        if why not in summary.parked.values():
            yield f"{url}: {why}"
    more = f"; {summary.waiting} more are known" if summary.waiting else ""
    yield f"{_ENDINGS[summary.ended]}{more}"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))

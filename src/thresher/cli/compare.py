"""thresher compare: several methods on one page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from thresher.cli.options import complete_files, known_methods, page_options, web_options
from thresher.cli.rendering import saved_page
from thresher.cli.tables import console, shortened
from thresher.page.types import Floats
from thresher.result.inputs import InputError, Reader
from thresher.text.printing import json_line, plain

if TYPE_CHECKING:
    from thresher.result.extraction import Extraction

__all__ = ["command"]


@click.command("compare")
@click.argument("source", metavar="INPUT", shell_complete=complete_files)
@click.option(
    "-m",
    "--methods",
    default="auto,bte,semantic,plain",
    show_default=True,
    callback=known_methods,
    help="Names, separated by commas; options behind a colon: lqf,lqf:quota=0.75.",
)
@click.option("--json", "as_json", is_flag=True, help="One object: words, agreement, blocks.")
@page_options
@web_options
def command(
    source: str, methods: list[str], as_json: bool, url: str | None, encoding: str | None, reader: Reader
) -> None:
    """Run several methods on one page, side by side.

    INPUT is a file, a gzipped file, - for standard input, an address (http or https), or a page that `thresher render`
    has written: methods that read the layout need one.

    The first table shows which blocks each method keeps, the second how far they agree: the characters that both of
    two methods keep, as a share of those that either keeps.

    \b
      thresher compare page.html --methods auto,accb,cetd
      thresher render page.html -o page.json.gz && thresher compare page.json.gz --methods auto,layout
    """
    from thresher.parse import parse
    from thresher.result.agreement import agreement as agree
    from thresher.result.extraction import extract

    try:
        given = reader.read(source)
        page = saved_page(given)
    except InputError as error:
        click.echo(f"{plain(source)}: {plain(str(error))}", err=True)
        sys.exit(1)
    if page is None:
        page = parse(given.data, url=url or given.url, encoding=encoding or given.encoding)
    results = {name: extract(page, method=name) for name in methods}
    for warning in (*given.problems, *_warnings(results)):
        click.echo(f"{plain(source)}: {plain(warning)}", err=True)
    agreement = agree(results)
    if as_json:
        click.echo(json_line(_report(results, agreement)))
    else:
        _print(results, agreement)
    if given.failure or any(result.status == "not_html" for result in results.values()):
        sys.exit(1)
    if not any(result.keep.any() for result in results.values()):
        sys.exit(3)


def _warnings(results: dict[str, Extraction]) -> list[str]:
    """What was said of the page, each once; with the methods of which it was said where that was not of all."""
    methods_of: dict[str, list[str]] = {}
    for name, result in results.items():
        for warning in result.warnings:
            methods_of.setdefault(warning, []).append(name)
    return [
        warning if len(names) == len(results) else f"{', '.join(names)}: {warning}"
        for warning, names in methods_of.items()
    ]


def _report(results: dict[str, Extraction], agreement: Floats) -> dict[str, object]:
    from thresher.result.agreement import side_by_side

    names = list(results)
    return {
        "methods": {
            name: {"status": result.status, "words": len(result.text.split())} for name, result in results.items()
        },
        "agreement": {
            a: {b: round(float(agreement[i, j]), 4) for j, b in enumerate(names)} for i, a in enumerate(names)
        },
        "blocks": [{"text": block.text, "kept": block.kept_by} for block in side_by_side(results)],
    }


def _print(results: dict[str, Extraction], agreement: Floats) -> None:
    from rich.table import Table
    from rich.text import Text

    from thresher.result.agreement import side_by_side

    names = list(results)
    blocks = Table(*names, "text", title="what each method keeps", title_justify="left")
    for block in side_by_side(results):
        marks = [Text("✓", "green") if name in block.kept_by else Text("·", "dim") for name in names]
        blocks.add_row(*marks, Text(plain(shortened(block.text)), "" if block.kept_by else "dim"))
    table = Table("", "words", *names, title="agreement", title_justify="left")
    for i, (name, result) in enumerate(results.items()):
        table.add_row(name, str(len(result.text.split())), *(f"{share:.2f}" for share in agreement[i]))
    out = console()
    out.print(blocks)
    out.print(table)

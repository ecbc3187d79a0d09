"""thresher explain: every block of a page with its verdict."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.options import (
    complete_files,
    method_option,
    page_options,
    site_option,
    strict_option,
    web_options,
)
from thresher.cli.rendering import RenderingExtractor, Wish, render_options
from thresher.cli.tables import console, shortened
from thresher.result.inputs import InputError, Reader
from thresher.text.printing import json_line, plain

if TYPE_CHECKING:
    from thresher.page import Page
    from thresher.result.extraction import Extraction
    from thresher.rules.rules import SiteRules

__all__ = ["command"]


@click.command("explain")
@click.argument("source", metavar="INPUT", shell_complete=complete_files)
@method_option
@click.option("--focus", type=click.Choice(["precision", "balanced", "recall"]), default="balanced", show_default=True)
@strict_option
@click.option(
    "--only",
    type=click.Choice(["kept", "dropped", "hidden"]),
    help="Show only these blocks; hidden: what readers do not see, and why.",
)
@click.option("--json", "as_json", is_flag=True, help="One object a block: text, kept, score, reasons, xpath.")
@site_option
@render_options
@page_options
@web_options
def command(
    source: str,
    method: str,
    focus: str,
    hidden: str,
    only: str | None,
    as_json: bool,
    site: SiteRules | None,
    render: Wish,
    wait: str | float | None,
    url: str | None,
    encoding: str | None,
    reader: Reader,
) -> None:
    """Show every block of a page: kept or not, score, reasons.

    INPUT is a file, a gzipped file, - for standard input, or an address (http or https).

    \b
      thresher explain page.html
      thresher explain page.html --only dropped
      thresher explain page.html --only hidden                  what readers do not see, and what hides it
      thresher explain https://example.org/page
      thresher explain https://example.org/app --render auto
      thresher explain page.html --json | jq 'select(.kept | not) | .text'
    """
    from rich.table import Table
    from rich.text import Text

    from thresher.result.blocks import unseen
    from thresher.result.extraction import extract

    try:
        page = reader.read(source)
        how: dict[str, Any] = {"url": url or page.url, "encoding": encoding or page.encoding}

        def take(html: bytes | Page) -> Extraction:
            return extract(html, method=method, focus=focus, site=site, hidden=hidden, **how)  # type: ignore[arg-type]

        result = RenderingExtractor(render, reader, wait).extract(page, **how, take=take)
    except InputError as error:
        click.echo(f"{plain(source)}: {plain(str(error))}", err=True)
        sys.exit(1)
    for warning in (*page.problems, *result.warnings):
        click.echo(f"{plain(source)}: {plain(warning)}", err=True)
    blocks = unseen(result) if only == "hidden" else result.blocks
    shown = [block for block in blocks if only is None or block.kept == (only == "kept")]
    if as_json:
        for block in shown:
            record = {name: getattr(block, name) for name in ("text", "kept", "score", "reasons", "xpath")}
            click.echo(json_line(record))
    else:
        confidence = "" if result.confidence is None else f"confidence {result.confidence:.2f}, "
        title = f"{result.status}, {confidence}{sum(b.kept for b in result.blocks)} of "
        title += f"{len(result.blocks)} blocks kept by {method}"
        has_reasons = any(block.reasons for block in shown)  # most methods give none
        table = Table("", "score", "text", *["reasons"] * has_reasons, title=title, title_justify="left")
        for block in shown:
            style = "" if block.kept else "dim"
            mark = Text("✓", "green") if block.kept else Text("✗", "red")
            text = Text(plain(shortened(block.text)), style)
            reasons = [Text(plain("; ".join(block.reasons)), style)] * has_reasons
            table.add_row(mark, f"{block.score:.2f}", text, *reasons)
        console().print(table if shown else Text(title))
    if result.status == "not_html" or page.failure:
        sys.exit(1)
    if not result.keep.any():
        sys.exit(3)

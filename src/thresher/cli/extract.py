"""thresher extract: pages in, main content out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.options import (
    complete_files,
    method_option,
    model_option,
    page_options,
    site_option,
    web_options,
)
from thresher.cli.rendering import RenderingExtractor, Wish, render_options
from thresher.cli.results import ExtractedInput, extract_all, result_options
from thresher.result.inputs import Reader

if TYPE_CHECKING:
    from thresher.page import Page
    from thresher.result.extraction import Extraction
    from thresher.rules.rules import SiteRules

__all__ = ["command"]


@click.command("extract")
@click.argument("inputs", nargs=-1, metavar="INPUT...", shell_complete=complete_files)
@method_option
@result_options
@click.option("--join", is_flag=True, help="With -o FILE: several pages into one file.")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Fetch and extract N pages at a time, each in a process of its own.",
)
@click.option("--plain-text", is_flag=True, help="Pass plain text and Markdown through instead of refusing them.")
@model_option
@site_option
@render_options
@page_options
@web_options
def command(
    inputs: tuple[str, ...],
    method: str,
    focus: str,
    hidden: str,
    plain_text: bool,
    render: Wish,
    wait: str | float | None,
    model: str | None,
    site: SiteRules | None,
    url: str | None,
    encoding: str | None,
    reader: Reader,
    jobs: int,
    **wishes: Any,
) -> None:
    """Take the main content out of pages.

    INPUT is a file, a gzipped file, - for standard input (or nothing, in a pipe), or an address (http or https; one
    without it is taken for https).  The command's name may be left out: `thresher page.html`.

    \b
      thresher extract page.html
      thresher extract https://example.org/page -f markdown
      thresher extract page.html -f markdown --url https://example.org/page
      thresher extract saved/*.html -f md -j 4 -o texts/
      thresher extract saved/*.html -f md -o book.md --join
      thresher extract saved/*.html --site example.json
      thresher extract https://example.org/app --render auto
      thresher extract https://example.org/page --strict        nothing that a reader may not see
      thresher extract https://example.org/news/17 --model example.npz
      thresher extract saved/*.html -f table --table-style csv > pages.csv
      curl -s https://example.org/ | thresher extract - --json | jq -r .text

    Several pages on standard output or in one file have their names above them.  Only public addresses are fetched,
    unless --allow-host names them.  A page that comes with an error (404 and the like) is not printed, except with
    --json, where every input has its line and `status` and `reason` say what failed.

    Exit: 0 done, 1 an input failed (the others still run), 2 wrong usage, 3 nothing extracted, 4 held back
    (--min-confidence, --language).
    """
    from thresher import methods

    if model and method == "auto":
        from thresher.result.models import method_of_model

        method = method_of_model(model)
        render = "auto" if method == "cluster" and render == "never" else render  # it reads rendered pages only
    if model and "model" not in methods.split(method)[0].Options.__dataclass_fields__:
        raise click.UsageError(f"method {method} has no model to choose")

    with _extractor(jobs) as extract:
        extractor = Extractor(
            extract,
            reader,
            RenderingExtractor(render, reader, wait),
            url,
            encoding,
            {"method": method, "focus": focus, "hidden": hidden, "site": site, "plain_text": plain_text}
            | ({"options": {"model": model}} if model else {}),
        )
        extract_all(inputs or _standard_input(), extractor, jobs=jobs, **wishes)


@dataclass(frozen=True, slots=True)
class Extractor:
    """From the name of an input to what is extracted."""

    extract: Callable[..., Extraction]
    reader: Reader
    renderer: RenderingExtractor
    url: str | None
    encoding: str | None
    wishes: dict[str, Any]

    def __call__(self, source: str) -> ExtractedInput:
        page_input = self.reader.read(source)
        how: dict[str, Any] = {
            "url": self.url or page_input.url,
            "encoding": self.encoding or page_input.encoding,
        }

        def take(page: bytes | Page) -> Extraction:
            return self.extract(page, **how, **self.wishes)

        return ExtractedInput(page_input, self.renderer.extract(page_input, **how, take=take))


@contextmanager
def _extractor(jobs: int) -> Iterator[Callable[..., Extraction]]:
    """`extract`, here or in as many processes."""
    if jobs == 1:
        from thresher.result.extraction import extract

        yield extract
        return
    from thresher.result.many import ExtractProcesses

    with ExtractProcesses(jobs) as processes:
        yield processes.extract


def _standard_input() -> tuple[str, ...]:
    if sys.stdin.isatty():
        raise click.UsageError("Missing argument 'INPUT...': a file, an address, or - for standard input.")
    return ("-",)

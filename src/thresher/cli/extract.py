"""thresher extract: pages in, main content out."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

import click

from thresher.cli.options import Number, method_option, model_option, page_options, site_option, web_options
from thresher.cli.rendering import RenderingExtractor, Wish, render_options
from thresher.cli.target import Target
from thresher.result.inputs import Input, InputError, Reader
from thresher.text.printing import json_line, plain

if TYPE_CHECKING:
    from thresher.page import Page
    from thresher.result.extraction import Extraction
    from thresher.rules.rules import SiteRules

__all__ = ["ExtractedInput", "command", "extract_all", "result_options"]

Function = TypeVar("Function", bound=Callable[..., Any])

DONE, FAILED, NOTHING, DOUBTFUL = 0, 1, 3, 4  # exit codes; 2 is click's, for wrong usage
_ENDINGS = {"text": ".txt", "markdown": ".md", "html": ".html", "json": ".json", "xml": ".xml"}
_TABLE_ENDINGS = {"terminal": ".txt", "csv": ".csv", "html": ".html"}
_PIPED_WIDTH = 100  # columns of a table, where there is no terminal to ask


def result_options(function: Function) -> Function:
    """What to print and where: the options of every command that extracts."""
    options = (
        click.option(
            "-f",
            "--format",
            "form",
            type=click.Choice([*_ENDINGS, "table"]),
            default="text",
            show_default=True,
            help="What to print.",
        ),
        click.option(
            "--table-style",
            type=click.Choice(list(_TABLE_ENDINGS)),
            default="terminal",
            show_default=True,
            help="With --format table: drawn with lines, or a CSV file, or HTML.",
        ),
        click.option(
            "--sentences",
            type=click.IntRange(min=1),
            default=3,
            show_default=True,
            help="With --format table: sentences of the summary.",
        ),
        click.option("--json", "as_json", is_flag=True, help="The same as --format json: one object a line."),
        click.option(
            "--focus",
            type=click.Choice(["precision", "balanced", "recall"]),
            default="balanced",
            show_default=True,
            help="Keep less and surer, or more.",
        ),
        click.option("-o", "--output", metavar="FILE", help="Write here; a folder gets one file per input."),
        click.option("--with-metadata", is_flag=True, help="Put title, author, date, … before text and Markdown."),
        click.option("--links/--no-links", default=None, help="Keep link targets.  [default: not in text]"),
        click.option("--images/--no-images", default=None, help="Keep images.  [default: not in text]"),
        click.option("--tables/--no-tables", default=True, help="Keep tables."),
        click.option("--captions/--no-captions", default=True, help="Keep captions of pictures."),
        click.option(
            "--min-confidence",
            type=Number(0, 1),
            default=0.0,
            help="Hold back results below this; exit with 4.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command("extract")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@method_option
@result_options
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
    plain_text: bool,
    render: Wish,
    wait: str | float | None,
    model: str | None,
    site: SiteRules | None,
    url: str | None,
    encoding: str | None,
    reader: Reader,
    **wishes: Any,
) -> None:
    """Take the main content out of pages.

    INPUT is a file, a gzipped file, - for standard input, or an address (http or https).

    \b
      thresher extract page.html
      thresher extract https://example.org/page -f markdown
      thresher extract page.html -f markdown --url https://example.org/page
      thresher extract saved/*.html -f markdown -o texts/
      thresher extract saved/*.html --site example.json
      thresher extract https://example.org/app --render auto
      thresher extract https://example.org/news/17 --model example.npz
      thresher extract saved/*.html -f table --table-style csv > pages.csv
      curl -s https://example.org/ | thresher extract - --json | jq -r .text

    Only public addresses are fetched, unless --allow-host names them.  A page that comes with an error (404 and the
    like) is not printed, except with --json, where every input has its line and `status` and `reason` say what failed.

    Exit: 0 done, 1 an input failed (the others still run), 2 wrong usage, 3 nothing extracted, 4 below
    --min-confidence.
    """
    from thresher import methods
    from thresher.result.extraction import extract

    if model and method == "auto":
        method = _method_of(model)
        render = "auto" if method == "cluster" and render == "never" else render  # it reads rendered pages only
    if model and "model" not in methods.split(method)[0].Options.__dataclass_fields__:
        raise click.UsageError(f"method {method} has no model to choose")

    renderer = RenderingExtractor(render, reader, wait)

    def extracted(source: str) -> ExtractedInput:
        page_input = reader.read(source)
        how: dict[str, Any] = {"url": url or page_input.url, "encoding": encoding or page_input.encoding}

        def take(page: bytes | Page) -> Extraction:
            return extract(
                page,
                method=method,
                focus=focus,  # type: ignore[arg-type]
                options={"model": model} if model else None,
                site=site,
                plain_text=plain_text,
                **how,
            )

        return ExtractedInput(page_input, renderer.extract(page_input, **how, take=take))

    extract_all(inputs, extracted, **wishes)


def _method_of(model: str) -> str:
    """The method that a model was made for."""
    from thresher.errors import NeedsModel
    from thresher.methods.cluster.model import is_model
    from thresher.methods.seeker.model import load

    if is_model(model):
        return "cluster"
    try:
        load(model)
    except NeedsModel:
        return "auto"
    return "seeker"


class ExtractedInput(NamedTuple):
    """An input, what was taken out of it, and what else --json tells."""

    page: Input
    result: Extraction
    more: dict[str, Any] | None = None


def extract_all(
    inputs: tuple[str, ...],
    extracted: Callable[[str], ExtractedInput],
    *,
    form: str,
    as_json: bool,
    output: str | None,
    with_metadata: bool,
    links: bool | None,
    images: bool | None,
    tables: bool,
    captions: bool,
    min_confidence: float,
    table_style: str = "terminal",
    sentences: int = 3,
) -> NoReturn:
    """Print what is extracted from each input, and exit.  `extracted` raises InputError for what it cannot read."""
    form = "json" if as_json else form
    ending = _TABLE_ENDINGS[table_style] if form == "table" else _ENDINGS[form]
    target = Target.of(output, inputs, ending)
    worst: list[int] = []
    first = True
    with target.opened() as write:
        for source in _with_progress(inputs):
            try:
                extraction = extracted(source)
            except InputError as error:
                _complain(source, str(error))
                worst.append(FAILED)
                if form != "json":
                    continue
                written = _line({"input": source, "status": "failed", "reason": error.reason, "warnings": [str(error)]})
            else:
                code = _judge(source, extraction.page, extraction.result, min_confidence)
                worst.append(code)
                if code != DONE and form != "json":
                    continue
                if code == DOUBTFUL:
                    held_back = {"input": source, "status": "held_back", "reason": "low_confidence"}
                    written = _line(
                        {**held_back, "confidence": round(extraction.result.confidence or 0.0, 4), "warnings": []}
                    )
                elif form == "table":
                    written = _table(extraction.result, source, table_style, sentences, first or target.is_folder)
                else:
                    shown = {"links": links, "images": images, "tables": tables, "captions": captions}
                    written = _written(extraction, form, source, with_metadata, shown)
            # Without it the last paragraph of a page and the first of the next are one, and a paragraph with the
            # dashes of metadata under it is a heading.
            gap = "\n" if form in ("text", "markdown") and not (first or target.is_folder) else ""
            write(source, gap + written)
            first = False
    sys.exit(next((code for code in (FAILED, NOTHING, DOUBTFUL) if code in worst), DONE))


def _judge(source: str, page: Input, result: Extraction, min_confidence: float) -> int:
    """The exit code for one result, with a word on stderr about everything that is not as it should be."""
    for warning in (*page.problems, *result.warnings):
        if not (page.failure and warning.startswith("not_html: ")):  # what an error is written in is no news
            _complain(source, warning)
    if page.failure or result.status == "not_html":
        return FAILED
    if not result.keep.any():
        return NOTHING
    if (result.confidence or 0.0) < min_confidence:
        confidence = "no confidence" if result.confidence is None else f"confidence {result.confidence:.2f}"
        _complain(source, f"{confidence} is below {min_confidence:.2f}, held back")
        return DOUBTFUL
    return DONE


def _written(
    extraction: ExtractedInput, form: str, source: str, with_metadata: bool, shown: dict[str, bool | None]
) -> str:
    page, result, more = extraction
    if form == "json":
        record = {"input": source, **result.to_dict(), **page.to_dict(), **(more or {})}
        record["warnings"] = [*page.problems, *record["warnings"]]
        # An error page may be a fine page to extract from; it is still not the page that was asked for.
        failed = {"status": "http_error", "reason": page.failure} if page.failure else {}
        return _line(record | failed)
    body = result.render(form, **shown)  # type: ignore[arg-type]
    if with_metadata and form in ("text", "markdown"):
        body = _front_matter(result.metadata.to_dict()) + body
    return body.rstrip("\n") + "\n"


def _table(result: Extraction, source: str, style: str, sentences: int, first: bool) -> str:
    """A page as a table; the first line of a CSV file has the names of its columns."""
    from thresher.output.record import csv_head, to_table

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _PIPED_WIDTH
    record = result.record(plain(source), sentences)
    head = csv_head() if style == "csv" and first else ""
    return head + to_table(record, style, width=width)  # type: ignore[arg-type]


def _line(record: dict[str, Any]) -> str:
    return json_line(record) + "\n"


def _front_matter(metadata: dict[str, Any]) -> str:
    """Metadata as YAML front matter; JSON values are YAML values."""
    shown = {name: value for name, value in metadata.items() if value and name not in ("source", "sources")}
    lines = [f"{name}: {json_line(value)}" for name, value in shown.items()]
    return "\n".join(["---", *lines, "---", "", ""])


def _with_progress(inputs: tuple[str, ...]) -> Any:
    """The inputs, with a bar on stderr when there are many and somebody watches."""
    if len(inputs) < 20 or not sys.stderr.isatty():
        return inputs
    from rich.console import Console
    from rich.progress import track

    return track(inputs, "extracting", console=Console(stderr=True))


def _complain(source: str, message: str) -> None:
    click.echo(f"{plain(source)}: {plain(message)}", err=True)

"""What commands that extract print: their options, and results written one after the other.

Several pages in one stream stand apart: front matter names each page in Markdown, a line with its name in the other
forms.  JSON and CSV have a record for each page as it is.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

import click

from thresher.cli.options import Number, strict_option
from thresher.cli.target import Target
from thresher.result.inputs import Input, InputError
from thresher.text.printing import json_line, plain

if TYPE_CHECKING:
    from thresher.result.extraction import Extraction

__all__ = ["ExtractedInput", "extract_all", "result_options"]

Function = TypeVar("Function", bound=Callable[..., Any])

DONE, FAILED, NOTHING, HELD_BACK = 0, 1, 3, 4  # exit codes; 2 is click's, for wrong usage
_ENDINGS = {"text": ".txt", "markdown": ".md", "html": ".html", "json": ".json", "xml": ".xml"}
_SHORT = {"md": "markdown", "txt": "text"}
_TABLE_ENDINGS = {"terminal": ".txt", "csv": ".csv", "html": ".html"}
_TABLE_WIDTH = 100  # columns of a table, where there is no terminal to ask
_BAR_FROM = 5  # inputs


class Form(click.Choice[str]):
    """A form of output, by its name or the ending of its files."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(_SHORT.get(value, value), param, ctx)


def result_options(function: Function) -> Function:
    """What to print and where: the options of every command that extracts."""
    options = (
        click.option(
            "-f",
            "--format",
            "form",
            type=Form([*_ENDINGS, "table"]),
            default="text",
            show_default=True,
            help="What to print; md is markdown, txt is text.",
        ),
        click.option("--markdown", "as_markdown", is_flag=True, help="The same as --format markdown."),
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
        strict_option,
        click.option("-o", "--output", metavar="FILE", help="Write here; a folder (FOLDER/) gets one file per input."),
        click.option("--with-metadata", is_flag=True, help="Put title, author, date, … before text and Markdown."),
        click.option("--comments", is_flag=True, help="Print comments of readers, too, after the content."),
        click.option("--links/--no-links", default=None, help="Keep link targets.  [default: not in text]"),
        click.option("--images/--no-images", default=None, help="Keep images.  [default: not in text]"),
        click.option("--tables/--no-tables", default=True, help="Keep tables."),
        click.option("--captions/--no-captions", default=True, help="Keep captions of pictures."),
        click.option("--language", metavar="CODE", help="Hold back pages in other languages than this (en, de, …)."),
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


class ExtractedInput(NamedTuple):
    """An input, what was taken out of it, and what else --json tells."""

    page: Input
    result: Extraction
    more: dict[str, Any] | None = None


class InputReport(NamedTuple):
    """What is to be said of one input: the result as it is written, if any, complaints, and an exit code."""

    written: str | None
    complaints: list[str]
    code: int


def extract_all(
    inputs: tuple[str, ...],
    extracted: Callable[[str], ExtractedInput],
    *,
    output: str | None,
    form: str,
    as_markdown: bool,
    as_json: bool,
    table_style: str,
    join: bool = False,
    jobs: int = 1,
    **wishes: Any,
) -> NoReturn:
    """Print what is extracted from each input, and exit.  `extracted` raises InputError for what it cannot read; with
    `jobs` it is called by several threads."""
    form = "json" if as_json else "markdown" if as_markdown else form
    ending = _TABLE_ENDINGS[table_style] if form == "table" else _ENDINGS[form]
    records = form == "json" or (form == "table" and table_style == "csv")
    target = Target.of(output, inputs, ending, join=join or records)
    several = len(inputs) > 1 and not target.is_folder and not records
    printer = Printer(extracted, form, table_style, several, **wishes)
    codes = set()
    first = True
    with target.opened() as write, _progress(len(inputs)) as report:
        for done, (source, page) in enumerate(zip(inputs, _in_order(printer.report, inputs, jobs), strict=True), 1):
            for complaint in page.complaints:
                click.echo(f"{plain(source)}: {plain(complaint)}", err=True)
            codes.add(page.code)
            if page.written is not None:
                alone = first or target.is_folder
                head = printer.head if alone else "" if records else "\n"
                write(source, head + page.written)
                first = False
            report("extracting", done, len(inputs))
    sys.exit(next((code for code in (FAILED, NOTHING, HELD_BACK) if code in codes), DONE))


def _in_order(report: Callable[[str], InputReport], inputs: tuple[str, ...], jobs: int) -> Iterator[InputReport]:
    """The reports in the order of the inputs, `jobs` of them in the making at a time."""
    if jobs == 1:
        yield from map(report, inputs)
        return
    with ThreadPoolExecutor(jobs) as threads:
        try:
            yield from threads.map(report, inputs)
        finally:
            threads.shutdown(cancel_futures=True)


@contextmanager
def _progress(inputs: int) -> Iterator[Callable[[str, int, int], None]]:
    """A bar on stderr when there are many inputs and somebody watches."""
    if inputs < _BAR_FROM or not sys.stderr.isatty():
        yield lambda what, done, of: None
        return
    from thresher.cli.progress import progress_bar

    with progress_bar() as report:
        yield report


@dataclass(frozen=True, slots=True)
class Printer:
    """Extracts from an input, and writes what came of it."""

    extracted: Callable[[str], ExtractedInput]
    form: str
    table_style: str
    several: bool  # pages in one stream, which must be told apart
    with_metadata: bool
    links: bool | None
    images: bool | None
    tables: bool
    captions: bool
    comments: bool
    language: str | None
    min_confidence: float
    sentences: int

    @property
    def head(self) -> str:
        """What stands before the first result of a file."""
        if self.form != "table" or self.table_style != "csv":
            return ""
        from thresher.output.record import csv_head

        return csv_head()

    def report(self, source: str) -> InputReport:
        try:
            extraction = self.extracted(source)
        except InputError as error:
            failed = {"input": source, "status": "failed", "reason": error.reason, "warnings": [str(error)]}
            return InputReport(_line(failed) if self.form == "json" else None, [str(error)], FAILED)
        page, result, _ = extraction
        # What an error is written in is no news.
        complaints = [
            w for w in (*page.problems, *result.warnings) if not (page.failure and w.startswith("not_html: "))
        ]
        code = self._code(page, result)
        doubt = self._doubt(result) if code == DONE else None
        if doubt:
            complaints.append(f"{doubt[1]}, held back")
            held_back = _line(_held_back(source, result, doubt[0])) if self.form == "json" else None
            return InputReport(held_back, complaints, HELD_BACK)
        return InputReport(self._written(extraction, source, code), complaints, code)

    def _code(self, page: Input, result: Extraction) -> int:
        """The exit code for one result."""
        if page.failure or result.status in ("not_html", "failed"):
            return FAILED
        if not result.keep.any():
            return NOTHING
        return DONE

    def _doubt(self, result: Extraction) -> tuple[str, str] | None:
        """Why a result is held back, as a word and a sentence; None if it is not."""
        if (result.confidence or 0.0) < self.min_confidence:
            confidence = "no confidence" if result.confidence is None else f"confidence {result.confidence:.2f}"
            return "low_confidence", f"{confidence} is below {self.min_confidence:.2f}"
        language = result.metadata.language if self.language else None
        if self.language and language != self.language.lower():
            return "language", f"its language is {language or 'not known'}, not {self.language}"
        return None

    def _written(self, extraction: ExtractedInput, source: str, code: int) -> str | None:
        """The result as it goes into the output; None if nothing of it does."""
        page, result, more = extraction
        if self.form == "json":
            record = {"input": source, **result.to_dict(), **page.to_dict(), **(more or {})}
            record["warnings"] = [*page.problems, *record["warnings"]]
            # An error page may be a fine page to extract from; it is still not the page that was asked for.
            failed = {"status": "http_error", "reason": page.failure} if page.failure else {}
            return _line(record | failed)
        if code != DONE:
            return None
        if self.form == "table":
            return self._table(result, source)
        body = result.render(
            self.form,  # type: ignore[arg-type]
            links=self.links,
            images=self.images,
            tables=self.tables,
            captions=self.captions,
            comments=self.comments,
        )
        return self._above(result, source) + body.rstrip("\n") + "\n"

    def _above(self, result: Extraction, source: str) -> str:
        """What stands above a result: its metadata, and where several follow one another, which page it is."""
        named = {"input": source} if self.several else {}
        facts = result.metadata.to_dict() if self.with_metadata and self.form in ("text", "markdown") else {}
        if facts or (named and self.form == "markdown"):
            from thresher.output.front_matter import front_matter

            return front_matter(named | facts)
        if not named:
            return ""
        line = plain(source)
        return f"===== {line} =====\n\n" if self.form == "text" else f"<!-- {line.replace('--', '- -')} -->\n"

    def _table(self, result: Extraction, source: str) -> str:
        """A page as a table."""
        from thresher.cli.tables import piped_width
        from thresher.output.record import to_table

        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else piped_width(_TABLE_WIDTH)
        record = result.record(plain(source), self.sentences)
        return to_table(record, self.table_style, width=width)  # type: ignore[arg-type]


def _held_back(source: str, result: Extraction, reason: str) -> dict[str, Any]:
    confidence = None if result.confidence is None else round(result.confidence, 4)
    return {"input": source, "status": "held_back", "reason": reason, "confidence": confidence, "warnings": []}


def _line(record: dict[str, Any]) -> str:
    return json_line(record) + "\n"

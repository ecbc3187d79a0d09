"""thresher extract: pages in, main content out."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TextIO, TypeVar

import click

from thresher.cli.inputs import Input, InputError, Reader, is_url, plain
from thresher.cli.options import method_option, model_option, page_options, site_option, web_options
from thresher.errors import NeedsEvidence

if TYPE_CHECKING:
    from thresher.extraction import Extraction
    from thresher.site.rules import SiteRules

__all__ = ["Extracted", "command", "extract_all", "result_options"]

Function = TypeVar("Function", bound=Callable[..., Any])

DONE, FAILED, NOTHING, DOUBTFUL = 0, 1, 3, 4  # exit codes; 2 is click's, for wrong usage
_LONGEST_NAME = 100  # characters of a file name that is made of an address
_ENDINGS = {"text": ".txt", "markdown": ".md", "html": ".html", "json": ".json", "xml": ".xml"}


def result_options(function: Function) -> Function:
    """What to print and where: the options of every command that extracts."""
    options = (
        click.option(
            "-f",
            "--format",
            "form",
            type=click.Choice(list(_ENDINGS)),
            default="text",
            show_default=True,
            help="What to print.",
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
        click.option(
            "--min-confidence",
            type=click.FloatRange(0, 1),
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
@model_option
@site_option
@page_options
@web_options
def command(
    inputs: tuple[str, ...],
    method: str,
    focus: str,
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
      curl -s https://example.org/ | thresher extract - --json | jq -r .text

    Only public addresses are fetched, unless --allow-host names them.  A page that comes with an error (404 and the
    like) is not printed, except with --json, where every input has its line and `status` and `reason` say what failed.

    Exit: 0 done, 1 an input failed (the others still run), 2 wrong usage, 3 nothing extracted, 4 below
    --min-confidence.
    """
    from thresher import methods
    from thresher.extraction import extract

    if model and "model" not in methods.module(method).Options.__dataclass_fields__:
        raise click.UsageError(f"method {method} has no model to choose")

    def extracted(source: str) -> Extracted:
        page = reader.read(source)
        result = extract(
            page.data,
            method=method,
            url=url or page.url,
            encoding=encoding or page.encoding,
            focus=focus,  # type: ignore[arg-type]
            options={"model": model} if model else None,
            site=site,
        )
        return Extracted(page, result)

    extract_all(inputs, extracted, **wishes)


class Extracted(NamedTuple):
    """An input, what was taken out of it, and what else --json tells."""

    page: Input
    result: Extraction
    more: dict[str, Any] | None = None


def extract_all(
    inputs: tuple[str, ...],
    extracted: Callable[[str], Extracted],
    *,
    form: str,
    as_json: bool,
    output: str | None,
    with_metadata: bool,
    links: bool | None,
    images: bool | None,
    tables: bool,
    min_confidence: float,
) -> NoReturn:
    """Print what is extracted from each input, and exit.  `extracted` raises InputError for what it cannot read."""
    form = "json" if as_json else form
    folder = _folder(output, inputs)
    worst: list[int] = []
    with _opened(output, folder) as sink:
        for source in _with_progress(inputs):
            try:
                found = extracted(source)
            except NeedsEvidence as error:  # the same for every input
                raise click.UsageError(str(error)) from None
            except InputError as error:
                _complain(source, str(error))
                worst.append(FAILED)
                if form != "json":
                    continue
                written = _line({"input": source, "status": "failed", "reason": error.reason, "warnings": [str(error)]})
            else:
                code = _judge(source, found.page, found.result, min_confidence)
                worst.append(code)
                if code == DOUBTFUL or (code != DONE and form != "json"):
                    continue
                written = _written(found, form, source, with_metadata, links, images, tables)
            if folder:
                (folder / _file_name(source, form)).write_text(written, encoding="utf-8")
            else:
                sink.write(written)
                sink.flush()
    sys.exit(next((code for code in (FAILED, NOTHING, DOUBTFUL) if code in worst), DONE))


def _judge(source: str, page: Input, result: Extraction, min_confidence: float) -> int:
    """The exit code for one result, with a word on stderr about everything that is not as it should be."""
    for warning in (*page.problems, *result.warnings):
        _complain(source, warning)
    if page.failure or result.status == "not_html":
        return FAILED
    if not result.keep.any():
        return NOTHING
    if result.confidence < min_confidence:
        _complain(source, f"confidence {result.confidence:.2f} is below {min_confidence:.2f}, held back")
        return DOUBTFUL
    return DONE


def _written(
    found: Extracted,
    form: str,
    source: str,
    with_metadata: bool,
    links: bool | None,
    images: bool | None,
    tables: bool,
) -> str:
    page, result, more = found
    if form == "json":
        record = {"input": source, **result.to_dict(), **page.to_dict(), **(more or {})}
        record["warnings"] = [*page.problems, *record["warnings"]]
        # An error page may be a fine page to extract from; it is still not the page that was asked for.
        failed = {"status": "http_error", "reason": page.failure} if page.failure else {}
        return _line(record | failed)
    body = result.render(form, links=links, images=images, tables=tables)  # type: ignore[arg-type]
    if with_metadata and form in ("text", "markdown"):
        body = _front_matter(result.metadata.to_dict()) + body
    return body.rstrip("\n") + "\n"


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _front_matter(metadata: dict[str, Any]) -> str:
    """Metadata as YAML front matter; JSON values are YAML values."""
    shown = {name: value for name, value in metadata.items() if value and name not in ("source", "sources")}
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in shown.items()]
    return "\n".join(["---", *lines, "---", "", ""])


def _folder(output: str | None, inputs: tuple[str, ...]) -> Path | None:
    if output is None or not (output.endswith("/") or Path(output).is_dir()):
        return None
    names = [_file_name(source, "text") for source in inputs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise click.UsageError(f"two inputs would be written to {twice!r} in {output!r}; run them apart")
    Path(output).mkdir(parents=True, exist_ok=True)
    return Path(output)


def _file_name(source: str, form: str) -> str:
    if is_url(source):
        return _slug(source) + _ENDINGS[form]
    stem = "stdin" if source == "-" else Path(source.removesuffix(".gz")).stem
    return stem + _ENDINGS[form]


def _slug(url: str) -> str:
    """A file name for an address: its words, and a digest where they are not all of it."""
    whole = url.partition(":")[2].strip("/\\")
    words = re.sub(r"[^\w.-]+", "-", whole).strip(".-")
    if len(words) <= _LONGEST_NAME and words == whole.replace("/", "-"):
        return words
    return f"{words[:_LONGEST_NAME]}-{hashlib.sha256(url.encode()).hexdigest()[:8]}"


def _opened(output: str | None, folder: Path | None) -> AbstractContextManager[TextIO]:
    if output is None or folder:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # whatever the locale says
        return nullcontext(sys.stdout)
    try:
        return open(output, "w", encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"cannot write {output!r}: {(error.strerror or str(error)).lower()}") from None


def _with_progress(inputs: tuple[str, ...]) -> Any:
    """The inputs, with a bar on stderr when there are many and somebody watches."""
    if len(inputs) < 20 or not sys.stderr.isatty():
        return inputs
    from rich.console import Console
    from rich.progress import track

    return track(inputs, "extracting", console=Console(stderr=True))


def _complain(source: str, message: str) -> None:
    click.echo(f"{plain(source)}: {plain(message)}", err=True)

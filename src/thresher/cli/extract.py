"""thresher extract: pages in, main content out."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from thresher.cli.inputs import InputError, plain, read
from thresher.cli.options import method_option, page_options

if TYPE_CHECKING:
    from thresher.extraction import Extraction

__all__ = ["command"]

DONE, FAILED, NOTHING, DOUBTFUL = 0, 1, 3, 4  # exit codes; 2 is click's, for wrong usage
_ENDINGS = {"text": ".txt", "markdown": ".md", "html": ".html", "json": ".json", "xml": ".xml"}


@click.command("extract")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@method_option
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(list(_ENDINGS)),
    default="text",
    show_default=True,
    help="What to print.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json: one object a line.")
@click.option(
    "--focus",
    type=click.Choice(["precision", "balanced", "recall"]),
    default="balanced",
    show_default=True,
    help="Keep less and surer, or more.",
)
@click.option("-o", "--output", metavar="FILE", help="Write here; a folder gets one file per input.")
@page_options
@click.option("--with-metadata", is_flag=True, help="Put title, author, date, … before text and Markdown.")
@click.option("--links/--no-links", default=None, help="Keep link targets.  [default: not in text]")
@click.option("--images/--no-images", default=None, help="Keep images.  [default: not in text]")
@click.option("--tables/--no-tables", default=True, help="Keep tables.")
@click.option(
    "--min-confidence", type=click.FloatRange(0, 1), default=0.0, help="Hold back results below this; exit with 4."
)
def command(
    inputs: tuple[str, ...],
    method: str,
    form: str,
    as_json: bool,
    focus: str,
    output: str | None,
    url: str | None,
    encoding: str | None,
    with_metadata: bool,
    links: bool | None,
    images: bool | None,
    tables: bool,
    min_confidence: float,
) -> None:
    """Take the main content out of pages.

    INPUT is a file, a gzipped file or - for standard input.

    \b
      thresher extract page.html
      thresher extract page.html -f markdown --url https://example.org/page
      thresher extract saved/*.html -f markdown -o texts/
      curl -s https://example.org/ | thresher extract - --json | jq -r .text

    Exit: 0 done, 1 an input failed (the others still run), 2 wrong usage, 3 nothing extracted, 4 below
    --min-confidence.
    """
    from thresher.extraction import extract

    form = "json" if as_json else form
    folder = _folder(output, inputs)
    worst: list[int] = []
    with _opened(output, folder) as sink:
        for source in _with_progress(inputs):
            try:
                result = extract(read(source), method=method, url=url, encoding=encoding, focus=focus)  # type: ignore[arg-type]
            except InputError as error:
                _complain(source, str(error))
                worst.append(FAILED)
                continue
            code = _judge(source, result, min_confidence)
            worst.append(code)
            if code == DOUBTFUL or (code != DONE and form != "json"):
                continue
            written = _written(result, form, source, with_metadata, links, images, tables)
            if folder:
                (folder / _file_name(source, form)).write_text(written, encoding="utf-8")
            else:
                sink.write(written)
                sink.flush()
    sys.exit(next((code for code in (FAILED, NOTHING, DOUBTFUL) if code in worst), DONE))


def _judge(source: str, result: Extraction, min_confidence: float) -> int:
    """The exit code for one result, with a word on stderr about everything that is not as it should be."""
    for warning in result.warnings:
        _complain(source, warning)
    if result.status == "not_html":
        return FAILED
    if not result.keep.any():
        return NOTHING
    if result.confidence < min_confidence:
        _complain(source, f"confidence {result.confidence:.2f} is below {min_confidence:.2f}, held back")
        return DOUBTFUL
    return DONE


def _written(
    result: Extraction,
    form: str,
    source: str,
    with_metadata: bool,
    links: bool | None,
    images: bool | None,
    tables: bool,
) -> str:
    if form == "json":
        return json.dumps({"input": source, **result.to_dict()}, ensure_ascii=False) + "\n"
    body = result.render(form, links=links, images=images, tables=tables)  # type: ignore[arg-type]
    if with_metadata and form in ("text", "markdown"):
        body = _front_matter(result.metadata.to_dict()) + body
    return body.rstrip("\n") + "\n"


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
    stem = "stdin" if source == "-" else Path(source.removesuffix(".gz")).stem
    return stem + _ENDINGS[form]


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

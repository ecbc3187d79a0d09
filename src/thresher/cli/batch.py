"""thresher batch: archives in, rows out."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

import click

from thresher.cli.options import Number, allow_host_option, complete_files, method_option, strict_option
from thresher.errors import ThresherError
from thresher.text.printing import json_line, plain

if TYPE_CHECKING:
    from collections import Counter

    from thresher.batch.driver import Report

__all__ = ["command"]

_MAX_SHOWN = 10  # damages and failures printed; `status` lists all


@click.command("batch", context_settings={"max_content_width": 100})
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...", shell_complete=complete_files)
@click.option("-o", "--output", metavar="FOLDER", help="Where parts and manifests go; a path or an fsspec URL.")
@method_option
@click.option("--focus", type=click.Choice(["precision", "balanced", "recall"]), default="balanced", show_default=True)
@strict_option
@click.option("--format", "form", type=click.Choice(["parquet", "jsonl"]), default="parquet", show_default=True)
@click.option(
    "--schema",
    type=click.Choice(["thresher", "datatrove"]),
    default="thresher",
    show_default=True,
    help="datatrove: text, id, and everything else in metadata, as FineWeb has it.",
)
@click.option(
    "--compression",
    type=click.Choice(["none", "gzip", "zstd"]),
    help="Of the parts.  [default: zstd for Parquet, none for JSON lines]",
)
@click.option("--markdown", is_flag=True, help="Also a column with the content as Markdown.")
@click.option(
    "--dedupe",
    is_flag=True,
    help="Also columns with a fingerprint of the text, and the first page with nearly the same.",
)
@click.option("--language", metavar="CODE", help="Pages in other languages (en, de, …) give rows without text.")
@click.option(
    "--timing", is_flag=True, help="Also a column with the CPU seconds of each page; manifests always have them."
)
@click.option("--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True)
@click.option("--workers", "-j", type=click.IntRange(min=1), help="Worker processes; one per core unless given.")
@click.option("--ray-address", metavar="ADDRESS", help="A running Ray cluster, for --engine ray.")
@click.option(
    "--input-format",
    type=click.Choice(["warc", "html", "jsonl", "parquet", "urls"]),
    help="What the inputs are, where their names do not say.",
)
@click.option("--html-column", default="html", show_default=True, help="Of JSONL and Parquet inputs.")
@click.option(
    "--include",
    type=click.Choice(["html", "all"]),
    default="html",
    show_default=True,
    help="Responses that hold HTML, or everything that was fetched.",
)
@click.option("--by-site", is_flag=True, help="First count what recurs on the pages of each host, then leave it out.")
@click.option(
    "--sketch-mb", type=click.IntRange(min=1), default=256, show_default=True, help="Memory for these counts."
)
@click.option(
    "--slice-mb",
    type=Number(min=0.001),
    default=64,
    show_default=True,
    help="Of an input that become one part.",
)
@click.option(
    "--slice-pages",
    type=click.IntRange(min=1),
    default=500,
    show_default=True,
    help="Files or addresses that become one part.",
)
@click.option("--page-seconds", type=Number(min=0.1), default=30, show_default=True, help="Time for one page.")
@click.option("--page-mb", type=click.IntRange(min=64), default=2048, show_default=True, help="Memory for one page.")
@click.option(
    "--recycle-pages",
    type=click.IntRange(min=1),
    default=5000,
    show_default=True,
    help="Pages after which the process that reads them is replaced.",
)
@click.option(
    "--recycle-mb",
    type=click.IntRange(min=64),
    default=1024,
    show_default=True,
    help="Memory after which it is replaced.",
)
@click.option("--delay", type=Number(min=0), default=1, show_default=True, help="Seconds between requests to a host.")
@allow_host_option("A private host that a URL list may name.")
@click.option("--overwrite", is_flag=True, help="Throw away what the folder holds of an earlier run.")
@click.option("--repair", is_flag=True, help="Read all parts, and make those anew whose bytes have changed.")
@click.option(
    "--progress",
    "style",
    type=click.Choice(["auto", "json", "none"]),
    default="auto",
    show_default=True,
    help="On stderr: a bar or lines, JSON lines, or nothing.",
)
@click.option("--verify", is_flag=True, help="With status: read all parts and compare their digests.")
def command(inputs: tuple[str, ...], output: str | None, verify: bool, style: str, **options: Any) -> None:
    """Extract whole archives: WARC, folders of HTML, JSONL, Parquet, lists of URLs.

    INPUT is a path, a glob, a folder, or an fsspec URL (s3://…).  WARC may be gzipped, zstd or plain, and broken: what
    cannot be read is reported, everything else comes out.  Every page gives one row; one without text says why in
    `error`.

    \b
      thresher batch crawl/*.warc.gz -o texts
      thresher batch s3://commoncrawl/crawl-data/…/*.warc.gz -o s3://mine/texts --engine ray
      thresher batch saved-pages/ -o texts --format jsonl --markdown
      thresher batch pages.parquet -o texts --html-column content --schema datatrove
      thresher batch site.warc.gz -o texts --by-site
      thresher batch urls.txt -o texts
      thresher batch status texts

    Kill it at any time and start the same command again: it goes on where it was, and the result is the same, byte for
    byte, whatever the engine and the number of workers.  The result is on stdout as one JSON object.

    Exit: 0 done, 1 an input was damaged or could not be read (all others are done), 2 wrong usage, 3 no page had text.
    """
    if inputs[0] == "status" and output is None:
        _status(inputs[1:], verify)
        return
    if output is None:
        raise click.UsageError("name a folder for the result: -o FOLDER")
    from thresher.batch.driver import run
    from thresher.batch.job import Job, WorkerLimits
    from thresher.batch.progress import progress_shown

    signal.signal(signal.SIGTERM, _terminated)
    if options["ray_address"]:
        os.environ["THRESHER_RAY_ADDRESS"] = options["ray_address"]
    job = Job(
        inputs=inputs,
        output=output,
        input_format=options["input_format"],
        method=options["method"],
        focus=options["focus"],
        hidden=options["hidden"],
        format=options["form"],
        schema=options["schema"],
        compression=options["compression"],
        markdown=options["markdown"],
        timing=options["timing"],
        language=options["language"],
        dedupe=options["dedupe"],
        include=options["include"],
        html_column=options["html_column"],
        by_site=options["by_site"],
        sketch_mb=options["sketch_mb"],
        slice_bytes=int(options["slice_mb"] * (1 << 20)),
        slice_pages=options["slice_pages"],
        allow_hosts=options["allow_hosts"],
    )
    limits = WorkerLimits(
        options["page_seconds"], options["page_mb"], options["recycle_pages"], options["recycle_mb"], options["delay"]
    )
    try:
        with progress_shown(style) as watch:  # type: ignore[arg-type]
            workers = options["workers"] or _cores()
            report = run(job, limits, options["engine"], workers, options["overwrite"], watch, options["repair"])
    except ThresherError as error:
        click.echo(plain(str(error)), err=True)
        sys.exit(_code(error))
    except KeyboardInterrupt:
        click.echo("stopped; start the same command again to go on", err=True)
        sys.exit(130)
    _complain(report)
    click.echo(json_line(_report_dict(report, output)))
    sys.exit(1 if report.failed or report.damage else 0 if report.rows > report.errors.total() else 3)


def _cores() -> int:
    from thresher.evaluate.run import cores

    return cores()


def _status(outputs: tuple[str, ...], verify: bool) -> None:
    """thresher batch status FOLDER..."""
    from thresher.batch.overview import status

    if not outputs:
        raise click.UsageError("name the folder of a run: thresher batch status FOLDER")
    worst = 0
    for output in outputs:
        try:
            summary = status(output, verify)
        except ThresherError as error:
            click.echo(plain(str(error)), err=True)
            worst = 1
            continue
        click.echo(json_line(summary))
        worst = max(worst, int(bool(summary.get("wrong"))))
    sys.exit(worst)


def _report_dict(report: Report, output: str) -> dict[str, Any]:
    return {
        "output": output,
        "rows": report.rows,
        "rows_without_text": report.errors.total(),
        "errors": dict(report.errors.most_common()),
        "skipped": dict(report.skipped.most_common()),
        "damage": len(report.damage),
        "failed": len(report.failed),
        "parts": report.parts,
        "bytes_written": report.size,
        "cpu_seconds": round(report.seconds, 3),
    } | ({} if report.duplicates is None else {"duplicates": report.duplicates})


def _complain(report: Report) -> None:
    """Say on stderr what was damaged and what failed, the first ones by name."""
    lines = list(report.warnings)
    if not report.rows and report.skipped:
        lines.append(f"no page among the records: {_counts(report.skipped)}")
        if report.skipped["conversion"] or report.skipped["metadata"]:
            lines.append("WET and WAT files hold what was made of pages; the pages are in the WARC files beside them")
    lines += [
        f"{source}: damaged from byte {damage['start']:,} to {damage['stop']:,} ({damage['reason']})"
        for source, damage in report.damage[:_MAX_SHOWN]
    ]
    if len(report.damage) > _MAX_SHOWN:
        lines.append(f"… and {len(report.damage) - _MAX_SHOWN:,} more damages; see thresher batch status")
    lines += [f"{name}: {reason}" for name, reason in report.failed[:_MAX_SHOWN]]
    if len(report.failed) > _MAX_SHOWN:
        lines.append(f"… and {len(report.failed) - _MAX_SHOWN:,} more slices failed")
    for line in lines:
        click.echo(plain(line), err=True)


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counter.most_common())


def _code(error: ThresherError) -> int:
    from thresher.batch.driver import Stopped
    from thresher.errors import MissingExtra

    return 1 if isinstance(error, (Stopped, MissingExtra)) else 2


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    """Leave in good order: workers are ended, drafts taken away."""
    click.echo("stopped; start the same command again to go on", err=True)
    sys.exit(128 + number)

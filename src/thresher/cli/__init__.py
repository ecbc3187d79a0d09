"""The command line: one file per command, loaded when it is called (groups).

config      settings from thresher.toml or pyproject.toml
program     the program around the commands: streams, errors, exit codes
results     what commands that extract print (target: where)
options     options that several commands share (rendering: those of the browser)
target      where results are written
progress    long work on stderr
tables      tables on the terminal

Results go to stdout, progress and complaints to stderr.  Exit codes: 0 done, 1 an input failed, 2 wrong usage,
3 nothing extracted, 4 held back (--min-confidence, --language), 130 stopped with Ctrl-C.
"""

from __future__ import annotations

import click

from thresher import __version__
from thresher.cli.groups import configure_program
from thresher.cli.program import Program
from thresher.kernels import compiled

__all__ = ["main"]

# The commands in the order of --help, each with the line that --help prints: no command is loaded to list it.
_COMMANDS = {
    "extract": "Take the main content out of pages.",
    "explain": "Show every block of a page: kept or not, score, reasons.",
    "compare": "Run several methods on one page, side by side.",
    "methods": "List the extraction methods.",
    "render": "Show a page in headless Chromium and keep what it looks like.",
    "batch": "Extract whole archives: WARC, folders, tables, lists of URLs.",
    "evaluate": "Measure methods and other tools on a data set.",
    "papers": "Repeat a paper's experiment: its tables, with our figures beside them.",
    "site": "Crawl a site, compare its pages, learn what repeats on them.",
    "train": "Fit a learned method to labelled pages.",
    "serve": "Start the web app and the HTTP API.",
    "mcp": "Give agents tools that read web pages.",
    "schema": "Print the JSON Schema of what is written.",
    "completion": "Print the completion script of a shell.",
}


@click.group(cls=Program, package=__name__, lines=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    f"{__version__} ({'compiled' if compiled() else 'not compiled'})",
    "-V",
    "--version",
    prog_name="thresher",
    message="%(prog)s %(version)s",
)
@click.option(
    "--config",
    metavar="FILE",
    envvar="THRESHER_CONFIG",
    is_eager=True,
    expose_value=False,
    callback=configure_program,
    help="Settings: a TOML file, or none.  [default: the nearest thresher.toml or [tool.thresher] of pyproject.toml]",
)
@click.option("-v", "--verbose", is_flag=True, help="Log what happens to stderr: requests, retries, encodings, cuts, …")
@click.pass_context
def main(ctx: click.Context, verbose: bool) -> None:
    """Take the main content out of web pages and leave the chaff.

    \b
      thresher extract page.html                    plain text
      thresher extract page.html -f markdown        Markdown
      curl -s URL | thresher extract - --json       one JSON object a line
      thresher explain page.html                    why each block was kept or dropped

    `thresher COMMAND --help` tells more.  Options can be set in thresher.toml, in the working folder or above, a table
    for each command; or in pyproject.toml under [tool.thresher]:

    \b
      [extract]
      format = "markdown"
    """
    import logging

    from thresher.text.log import shown

    ctx.with_resource(shown(logging.DEBUG if verbose else logging.WARNING))

"""The command line: one file per command, loaded when it is called.

Results go to stdout, progress and complaints to stderr.  Exit codes: 0 done, 1 an input failed, 2 wrong usage,
3 nothing extracted, 4 below --min-confidence.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from thresher import __version__

__all__ = ["main"]

# The commands in the order of --help, each with the line that --help prints: no command is loaded to list it.
_COMMANDS = {
    "extract": "Take the main content out of pages.",
    "explain": "Show every block of a page: kept or not, score, reasons.",
    "compare": "Run several methods on one page, side by side.",
    "methods": "List the extraction methods.",
    "evaluate": "Measure methods and other tools on a data set.",
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"thresher.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(f"{error.message}  Commands: {', '.join(_COMMANDS)}.", ctx) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="thresher")
def main() -> None:
    """Take the main content out of web pages and leave the chaff.

    \b
      thresher extract page.html                    plain text
      thresher extract page.html -f markdown        Markdown
      curl -s URL | thresher extract - --json       one JSON object a line
      thresher explain page.html                    why each block was kept or dropped

    `thresher COMMAND --help` tells more.
    """

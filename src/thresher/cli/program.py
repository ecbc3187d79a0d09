"""The program around the commands: streams that take any text, and an end that people and scripts can read.

    what ended it                            what is said on stderr      exit code
    wrong usage, missing evidence            how to use it               2
    an error raised on purpose               its message                 1
    a full disk, a file that is not there    what the system says        1
    Ctrl-C                                   stopped                     130

Nothing of this is a traceback.  One is left for mistakes of our own.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Any, TextIO, cast

import click

from thresher.cli.groups import LazyGroup
from thresher.errors import NeedsEvidence, ThresherError
from thresher.result.inputs import is_page
from thresher.text.printing import plain, plain_lines

__all__ = ["Program"]

_EXIT_INTERRUPTED = 130  # 128 + SIGINT, as shells count


class Program(LazyGroup):
    """The outermost group of commands."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        _prepare_streams()
        try:
            try:
                return super().main(*arguments, **options)
            finally:
                sys.stdout.flush()  # here, where it can still be said that it failed
        except OSError as error:
            sys.stdout = _nothing("w")  # what could not be written must not be tried again at the very end
            where = f"{error.filename}: " if isinstance(error.filename, str) else ""
            click.ClickException(plain(f"{where}{(error.strerror or str(error)).lower()}")).show()
            sys.exit(1)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """A page in the place of a command: `thresher page.html` extracts it."""
        named = args[0] in self.lines
        return super().resolve_command(ctx, args if named or not is_page(args[0]) else ["extract", *args])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what it complains of may quote names of files, which may hold commands for the terminal."""
        try:
            return self._invoked(ctx)
        except click.ClickException as error:
            vars(error)["message"] = plain_lines(error.message)
            raise

    def _invoked(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except NeedsEvidence as error:
            raise click.UsageError(str(error)) from None
        except ThresherError as error:
            raise click.ClickException(str(error)) from None
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
            sys.exit(_EXIT_INTERRUPTED)


def _prepare_streams() -> None:
    """Standard streams that are there, whoever closed them, and an output that takes any text in any locale."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, _nothing(mode))
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")


def _nothing(mode: str) -> TextIO:
    """A stream that gives nothing and takes everything."""
    return cast(TextIO, open(os.devnull, mode))

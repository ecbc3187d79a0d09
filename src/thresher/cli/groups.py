"""A group of commands, each in a file of its own that is loaded when the command is called."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.config import ConfigFile, load, section

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["LazyGroup", "configure_program"]

CONFIG = "thresher.cli.config"  # in `Context.meta`: the file of settings


class LazyGroup(click.Group):
    """Commands `package.NAME:command`.  `lines` has their names in the order of --help, each with its line there."""

    def __init__(self, *arguments: Any, package: str, lines: dict[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.package, self.lines = package, lines

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lines:
            return None
        command: click.Command = import_module(f"{self.package}.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.lines.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands, without loading them, and the options."""
        from click.shell_completion import CompletionItem

        commands = [CompletionItem(name, help=line) for name, line in self.lines.items() if name.startswith(incomplete)]
        return commands + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            name, command, rest = super().resolve_command(ctx, args)
        except click.UsageError as error:
            close = get_close_matches(args[0], self.lines, n=1)
            advice = f"Did you mean {close[0]!r}?  " if close else ""
            raise click.UsageError(f"{error.message}  {advice}Commands: {', '.join(self.lines)}.", ctx) from None
        if command is not None and name in (ctx.default_map or {}):
            self._configure(ctx, str(name), command)
        return name, command, rest

    def _configure(self, ctx: click.Context, name: str, command: click.Command) -> None:
        """What the file of settings says of a command, as the defaults of its options."""
        file: ConfigFile = ctx.find_root().meta[CONFIG]
        above = [one.info_name for one in _chain(ctx)][1:]  # without the program itself
        words = (*map(str, above), name)
        commands = command.lines if isinstance(command, LazyGroup) else {}
        table = section(file, words, command, (ctx.default_map or {})[name], commands)
        ctx.default_map = {**(ctx.default_map or {}), name: table}


def configure_program(ctx: click.Context, parameter: click.Parameter, chosen: str | None) -> None:
    """The callback of --config: read the file of settings before other options are looked at."""
    if ctx.resilient_parsing:  # a shell completes a line
        return
    file = load(chosen)
    if file is not None:
        assert isinstance(ctx.command, LazyGroup)
        ctx.meta[CONFIG] = file
        ctx.default_map = section(file, (), ctx.command, file.tables, ctx.command.lines)


def _chain(ctx: click.Context) -> list[click.Context]:
    return [*(_chain(ctx.parent) if ctx.parent else []), ctx]

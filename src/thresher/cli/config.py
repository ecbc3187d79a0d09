"""Settings of the command line from a file: what an option is where it is not given.

    thresher.toml                    pyproject.toml
    [extract]                        [tool.thresher.extract]
    format = "markdown"              format = "markdown"
    min-confidence = 0.5             min-confidence = 0.5

The file is looked for in the working folder and above: the nearest thresher.toml, or pyproject.toml that has
[tool.thresher].  A table is a command, its keys are that command's long options, with hyphens or underscores;
`[site.crawl]` is a command of a group, and keys above all tables are options of `thresher` itself.

load       --config or the search -> the tables of the file
section    the table of one command, checked against its options
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

__all__ = ["ConfigFile", "load", "section"]

_NAME, _PROJECT = "thresher.toml", "pyproject.toml"
_TABLE = b"tool.thresher"  # the name of our table, in whatever way the file is written
_NONE = "none"  # as --config
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file with settings, and its tables as they were read."""

    path: Path
    tables: dict[str, Any]


def load(chosen: str | None) -> ConfigFile | None:
    """The file that was chosen (`none` for none at all), else the nearest one."""
    if chosen is None:
        return _nearest()
    if chosen == _NONE:
        return None
    path = Path(chosen)
    return ConfigFile(path, _tables(path, path.name == _PROJECT))


def section(file: ConfigFile, words: tuple[str, ...], command: click.Command, table: Any, commands: Any) -> Any:
    """The table of a command by the names of its parameters; `commands` are those of a group, whose tables stay as
    they are.  A UsageError names what is wrong with it, and the file."""
    where = f"{file.path}: " + (f"[{'.'.join(words)}] " if words else "")
    if not isinstance(table, dict):
        raise click.UsageError(f"{where}must be a table with the options of the command")
    options = {
        name.removeprefix("--"): option
        for option in command.params
        if isinstance(option, click.Option) and option.name not in ("config", "help", "version")
        for name in option.opts
        if name.startswith("--")
    }
    checked: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("_", "-")
        if key in commands:
            checked[key] = value
        elif name in options:
            option = options[name]
            checked[str(option.name)] = _value(f"{where}{key}", command, option, value)
        else:
            raise click.UsageError(f"{where}{_unknown(key, name, [*commands, *options])}")
    return checked


def _value(where: str, command: click.Command, option: click.Option, value: Any) -> Any:
    if not isinstance(value, list if option.multiple else (str, int, float)):
        raise click.UsageError(f"{where}: must be {'a list' if option.multiple else 'text, a number, true or false'}")
    try:
        option.type_cast_value(click.Context(command), value)
    except click.BadParameter as error:
        raise click.UsageError(f"{where}: {error.message}") from None
    return value


def _unknown(key: str, name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=1)
    advice = f"did you mean {close[0]}?" if close else f"there are {', '.join(sorted(known))}"
    return f"{key}: no such setting; {advice}"


def _nearest() -> ConfigFile | None:
    try:
        here = Path.cwd()
    except OSError:  # the working folder is gone
        return None
    for folder in (here, *here.parents):
        for name in (_NAME, _PROJECT):
            path = folder / name
            if not _is_file(path):
                continue
            if name == _PROJECT and not _names_us(path):
                continue
            if not _is_trusted(path):
                click.echo(f"{path} belongs to somebody else and is not read; --config {path} reads it", err=True)
                continue
            return ConfigFile(path, _tables(path, name == _PROJECT))
    return None


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def _names_us(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return _TABLE in file.read(_MAX_BYTES)
    except OSError:  # a project's file that may not be read says nothing to us
        return False


def _is_trusted(path: Path) -> bool:
    """Whether it is the user's own, or the system's: in a shared folder anybody can leave a file.  Windows knows no
    such owners."""
    return os.name == "nt" or path.stat().st_uid in (os.getuid(), 0)


def _tables(path: Path, of_project: bool) -> dict[str, Any]:
    import tomllib

    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise click.UsageError(f"{path}: a file of settings has {_MAX_BYTES:,} bytes at most")
        tables: Any = tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise click.UsageError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise click.UsageError(f"{path}: no TOML: {error}") from None
    if of_project:
        tables = tables.get("tool", {}).get("thresher", {})
    if not isinstance(tables, dict):
        raise click.UsageError(f"{path}: tool.thresher must be a table")
    return tables

"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["known_method", "method_option", "page_options"]

Function = TypeVar("Function", bound=Callable[..., Any])


def known_method(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """Check a method's name, or a comma-separated list of names, before any work is done."""
    from thresher import methods
    from thresher.errors import UnknownMethod

    for name in value.split(","):
        try:
            methods.module(name.strip())
        except UnknownMethod as error:
            raise click.BadParameter(str(error), ctx, parameter) from None
    return value


method_option = click.option(
    "-m",
    "--method",
    default="auto",
    show_default=True,
    callback=known_method,
    help="How to extract; `thresher methods` lists them.",
)


def page_options(function: Function) -> Function:
    """Where a page comes from, for files and standard input, which do not say."""
    function = click.option("--encoding", metavar="NAME", help="The charset that came with the page.")(function)
    return click.option("--url", metavar="URL", help="Where the page comes from; links are resolved against it.")(
        function
    )

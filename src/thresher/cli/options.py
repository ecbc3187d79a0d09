"""Options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from thresher.errors import FetchError
from thresher.result.inputs import Reader, is_url
from thresher.text.printing import plain

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = [
    "Number",
    "allow_host_option",
    "data_option",
    "delay_option",
    "in_a_folder",
    "known_method",
    "known_methods",
    "markdown_option",
    "method_option",
    "model_option",
    "page_options",
    "site_option",
    "strict_option",
    "timeout_option",
    "user_agent_option",
    "web_options",
]

Function = TypeVar("Function", bound=Callable[..., Any])


class Number(click.FloatRange):
    """A number in a range; click alone takes `nan`, which is in every range, and `inf`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is no number to count with", param, ctx)
        return number


def known_method(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    """Check a method's name with its options before any work is done."""
    from thresher import methods
    from thresher.errors import UnknownMethod, WrongOption

    try:
        methods.split(value)
    except (UnknownMethod, WrongOption) as error:
        raise click.BadParameter(str(error), ctx, parameter) from None
    return value


def complete_files(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What a shell offers for an input: files."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def known_methods(ctx: click.Context, parameter: click.Parameter, value: str) -> list[str]:
    """The methods of a comma-separated list, each once, checked."""
    return list(dict.fromkeys(known_method(ctx, parameter, name.strip()) for name in value.split(",")))


method_option = click.option(
    "-m",
    "--method",
    default="auto",
    show_default=True,
    callback=known_method,
    help="How to extract, e.g. accb or lqf:quota=0.75; `thresher methods` lists them.",
)


strict_option = click.option(
    "--strict",
    "hidden",
    is_flag=True,
    callback=lambda ctx, parameter, value: "strict" if value else "default",
    help="Leave out what may be hidden though nobody can tell without a browser (--render), and say so.",
)


model_option = click.option(
    "--model",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Weights of your own, from `thresher train`, or a site's from `thresher site learn --method cluster`; they "
    "name the method.",
)


data_option = click.option(
    "--data",
    "folders",
    multiple=True,
    required=True,
    metavar="DIR",
    help="A data set of labelled pages, as `thresher evaluate` reads them; may be given several times.",
)


def in_a_folder(ctx: click.Context, parameter: click.Parameter, value: Path | None) -> Path | None:
    """A file that is written when the work is done: whether there is a folder for it is said before."""
    if value is not None and not value.parent.is_dir():
        raise click.BadParameter(f"{value.parent}: no such folder", ctx, parameter)
    return value


markdown_option = click.option(
    "--markdown",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=in_a_folder,
    metavar="FILE",
    help="Also write the tables as Markdown, with the command line at the head.",
)


def _rules(ctx: click.Context, parameter: click.Parameter, value: Path | None) -> Any:
    """Read a file of site rules before any work is done."""
    if value is None:
        return None
    from thresher.errors import RulesError
    from thresher.rules.rules import SiteRules

    try:
        return SiteRules.load(value)
    except RulesError as error:
        raise click.BadParameter(plain(str(error)), ctx, parameter) from None


site_option = click.option(
    "--site",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_rules,
    metavar="FILE",
    help="Rules of the page's site, written by `thresher site learn` or by hand.",
)


def _known_encoding(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """An encoding that there is: on a command line a name that is not known is a slip."""
    from thresher.parse.encoding.declared import encoding_named

    if value is not None and not encoding_named(value):
        message = f"no encoding is called {value!r}; try utf-8, windows-1252, gb18030, …"
        raise click.BadParameter(message, ctx, parameter)
    return value


def _address(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """An address that links can be resolved against."""
    if value is not None and not is_url(value):
        raise click.BadParameter(f"{plain(value)!r} is no address; it begins with https:// or http://", ctx, parameter)
    return value


def page_options(function: Function) -> Function:
    """Where a page comes from, for files and standard input, which do not say."""
    function = click.option(
        "--encoding", callback=_known_encoding, metavar="NAME", help="The charset that came with the page."
    )(function)
    return click.option(
        "--url",
        callback=_address,
        metavar="URL",
        help="Where the page comes from; links are resolved against it.",
    )(function)


def _known_hosts(ctx: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Check the hosts of --allow-host before any work is done."""
    if value:
        from thresher.fetch.addresses import Policy

        try:
            Policy.of(value)
        except FetchError as error:
            raise click.BadParameter(str(error), ctx, parameter) from None
    return value


def allow_host_option(
    help: str = "Fetch from this host although its address is private.  May be repeated.",
) -> Callable[[Function], Function]:
    """`allow_hosts`: private hosts that may be asked."""
    return click.option(
        "--allow-host", "allow_hosts", multiple=True, callback=_known_hosts, metavar="HOST[:PORT]", help=help
    )


def timeout_option(help: str) -> Callable[[Function], Function]:
    """`timeout`: seconds."""
    return click.option(
        "--timeout",
        type=Number(min=0, min_open=True),
        default=30,
        show_default=True,
        metavar="SECONDS",
        help=help,
    )


def delay_option(help: str) -> Callable[[Function], Function]:
    """`delay`: seconds between requests."""
    return click.option("--delay", type=Number(min=0), default=1.0, show_default=True, metavar="SECONDS", help=help)


def user_agent_option(default: str = "thresher/VERSION") -> Callable[[Function], Function]:
    """`user_agent`: a name, or None for our own."""
    help = f"Who to say we are.  [default: {default}]"
    return click.option("--user-agent", callback=_sendable, metavar="NAME", help=help)


def _sendable(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value and not value.isprintable():
        raise click.BadParameter("it has characters that no header may have", ctx, parameter)
    return value


def web_options(function: Function) -> Function:
    """How pages are fetched; the command gets a `reader: Reader` that reads files and addresses alike."""

    @allow_host_option()
    @timeout_option("For a fetch, with all its redirects and retries.")
    @click.option(
        "--cache",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="Keep fetched pages here, and use them while they are fresh.",
    )
    @user_agent_option()
    @wraps(function)
    def wrapper(
        *arguments: Any,
        allow_hosts: tuple[str, ...],
        timeout: float,
        cache: Path | None,
        user_agent: str | None,
        **options: Any,
    ) -> Any:
        if cache is not None:
            try:
                cache.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise click.UsageError(
                    f"cannot write to {str(cache)!r}: {(error.strerror or str(error)).lower()}"
                ) from None
        reader = Reader(allow_hosts, timeout, cache, user_agent)
        try:
            return function(*arguments, reader=reader, **options)
        finally:
            reader.close()

    return cast(Function, wrapper)

"""Rendering as commands see it: the options of the browser, and `--render auto|always|never` of those that extract.

    never    the page as it came
    always   the page as Chromium shows it
    auto     as it came, and as Chromium shows it when that is a shell which a script fills, when nothing was found in
             it, when it only leads elsewhere, when the verdict is doubtful, or when the method needs boxes; without
             Chromium, as it came

A result from the browser says so: `rendered`.  When `auto` wanted to render and could not, it says `not_rendered`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from thresher.errors import FetchError, MissingProgram, NeedsLayout, NotHtml, RenderError
from thresher.page import Page, Problem
from thresher.result.inputs import Input, InputError, Reader

if TYPE_CHECKING:
    from thresher.result.extraction import Extraction

__all__ = ["RenderingExtractor", "render_options", "saved_page", "viewport", "wait"]

Function = TypeVar("Function", bound=Callable[..., Any])
Wish = Literal["auto", "always", "never"]
Take = Callable[[bytes | Page], "Extraction"]

_MIN_CONFIDENCE = 0.5  # confidence below which `auto` asks the browser
_SAVED_PAGE = re.compile(rb'\s*\{\s*"format":\s*"thresher-page"')


def viewport(ctx: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """`1280x800`."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", value.strip())
    if not match:
        raise click.BadParameter("write WIDTHxHEIGHT, such as 1280x800", ctx, parameter)
    return int(match[1]), int(match[2])


def wait(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | float | None:
    """`load`, `idle`, seconds, or a selector."""
    if value is None:
        return None
    from thresher.render.settings import RenderSettings, wait_from_text

    when = wait_from_text(value)
    try:
        RenderSettings(wait=when)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, parameter) from None
    return when


def render_options(function: Function) -> Function:
    """Options of the browser, for commands that may use it."""
    options = (
        click.option(
            "--render",
            "render",
            type=click.Choice(["auto", "always", "never"]),
            default="never",
            show_default=True,
            help="Read pages as Chromium shows them; auto: where a script fills them, or the verdict is doubtful.",
        ),
        click.option(
            "--wait",
            callback=wait,
            metavar="WHEN",
            help="Rendered pages are done at: load, idle, a number of seconds, a CSS selector.  [default: idle]",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


class RenderingExtractor:
    """Extracts from pages, through the browser where that is wished or needed."""

    def __init__(self, wish: Wish, reader: Reader, when: str | float | None = None) -> None:
        self._wish, self._reader, self._when = wish, reader, when

    def extract(self, page_input: Input, url: str | None, encoding: str | None, take: Take) -> Extraction:
        """What `take` makes of a page; InputError when `--render always` cannot be done."""
        saved = saved_page(page_input)
        if saved is not None:
            return take(saved)
        if self._wish == "always":
            return take(self._rendered(page_input, url, encoding, "as asked"))
        if self._wish == "never":
            return take(page_input.data)
        try:
            plain = take(page_input.data)
            why = _reason(plain)
        except NeedsLayout as needed:
            return take(self._rendered(page_input, url, encoding, "because the method needs boxes", needed))
        if why is None or page_input.failure:
            return plain
        try:
            shown = take(self._rendered(page_input, url, encoding, why))
        except InputError as error:
            return _with(plain, Problem("not_rendered", f"it should be rendered, {why}, but: {error}"))
        if _rank(shown) >= _rank(plain) or _is_unjudged(plain):
            return shown
        return _with(plain, Problem("not_rendered", "the page was rendered as well, and that made it no clearer"))

    def _rendered(
        self, page_input: Input, url: str | None, encoding: str | None, why: str, needed: Exception | None = None
    ) -> Page:
        """The page in the browser.  An address is opened there: what was fetched may depend on cookies and headers."""
        from thresher.render import render

        changes = self._reader.browser_settings() | ({"wait": self._when} if self._when is not None else {})
        try:
            if page_input.response is not None:
                page = render(page_input.response.url, **changes)
            else:
                page = render(page_input.data, url=url, encoding=encoding, **changes)
        except MissingProgram as error:
            raise InputError(str(error), "missing_program") from (needed or error)
        except NotHtml as error:
            raise InputError(f"not_html: {error}", "not_html") from error
        except (FetchError, RenderError) as error:
            raise InputError(f"{error.reason}: {error}", error.reason) from error
        note = Problem("rendered", f"this is the page as Chromium shows it, {why}")
        # The input says itself with what error it came.
        problems = [problem for problem in page.problems if problem.code != page_input.failure]
        return replace(page, url=url or page.url, problems=(*problems, note))


def _reason(result: Extraction) -> str | None:
    """Why a browser may see more than we do; None if there is no reason to think so."""
    if result.status == "js_shell":
        return "because a script fills it"
    if result.status == "controls":
        return "because only its controls were there"
    if _is_unjudged(result):
        return "because nobody can tell otherwise what it hides"
    if result.status == "empty":
        return "because nothing was found in it"
    if any(problem.code == "elsewhere" for problem in result.problems):
        return "because it leads to another page"
    if result.status in ("ok", "partial") and (result.confidence or 1.0) < _MIN_CONFIDENCE:
        return "because the verdict was doubtful"
    return None


def _is_unjudged(result: Extraction) -> bool:
    return any(problem.code == "unjudged" for problem in result.problems)


def _rank(result: Extraction) -> tuple[bool, float]:
    return bool(result.keep.any()) and result.status not in ("js_shell", "controls"), result.confidence or 0.0


def _with(result: Extraction, problem: Problem) -> Extraction:
    return replace(result, problems=(*result.problems, problem))


def saved_page(page_input: Input) -> Page | None:
    """The page that `thresher render -o page.json.gz` has written; None for every other input."""
    if not _SAVED_PAGE.match(page_input.data):
        return None
    from thresher.render.saved import loads

    try:
        return loads(page_input.data)
    except RenderError as error:
        raise InputError(str(error)) from error

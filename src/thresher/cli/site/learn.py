"""thresher site learn: what repeats on a site, as a file of rules."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from thresher.cli.inputs import is_url, plain
from thresher.cli.options import known_method
from thresher.errors import MissingExtra, NeedsEvidence, NeedsSiblings, RulesError, SiteError

if TYPE_CHECKING:
    from thresher.page import Page
    from thresher.site.archive import SavedPage
    from thresher.site.rules import Rule, SiteRules

__all__ = ["command"]


@click.command("learn", context_settings={"max_content_width": 100})
@click.argument("source", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the rules here; rules of your own that are there already stay.  [default: standard output]",
)
@click.option(
    "--pages",
    type=click.IntRange(min=3),
    default=100,
    show_default=True,
    help="Compare so many pages, evenly spread over those there are.",
)
@click.option("--root", metavar="URL", help="The address of a folder of HTML files, as in https://example.org/.")
@click.option(
    "-m",
    "--method",
    default="auto",
    show_default=True,
    callback=known_method,
    help="The method that says where the content stands on most pages.",
)
def command(source: Path, output: Path | None, pages: int, root: str | None, method: str) -> None:
    """Write what repeats on a site into a file of rules.

    DIR is the folder of a crawl, a WARC file, or a folder of HTML files.  The rules say in CSS selectors what to drop
    (menus, side columns, footers, notices: what many pages have word for word) and where the content stands.  From then
    on single pages are extracted with them:

    \b
      thresher site crawl https://example.org/ -o example --pages 50
      thresher site learn example -o example.json
      thresher extract https://example.org/news/17 --site example.json

    The file is yours to change.  Take out a rule that is wrong, add what the site needs, one rule a line:

    \b
      {"keep": "div.spec-table"}                          all text in these elements, whatever the method says
      {"drop": ".promo, aside.partners"}                  none of it
      {"drop_text": "Share this page with your friends"}  no block with these words and no others

    The rule on the nearest element around a text decides; of two on one element the later one.  Rules without `seen`
    count as written by hand: they stay when the same file is learned again.  `thresher extract` says when the rules no
    longer fit the site.
    """
    from thresher.site.memory import learn

    if root is not None and not is_url(root):
        raise click.UsageError("--root is an address, as in https://example.org/")
    try:
        by_hand = _by_hand(output)
        with warnings.catch_warnings(record=True) as noticed:
            warnings.simplefilter("always")
            found = _parsed(_spread(_saved(source, root), pages))
        for warning in noticed:
            click.echo(plain(str(warning.message)), err=True)
        rules = learn(found, method)
        rules = replace(rules, rules=(*rules.rules, *by_hand))
        if output is None:
            click.echo(rules.to_json(), nl=False)
        else:
            rules.save(output)
    except NeedsSiblings:
        raise click.UsageError(f"{method} compares pages; rules are learned with one that reads single pages") from None
    except NeedsEvidence as error:
        raise click.UsageError(str(error)) from None
    except (MissingExtra, RulesError, SiteError) as error:
        raise click.ClickException(plain(str(error))) from None
    _report(rules, output)


def _by_hand(output: Path | None) -> list[Rule]:
    """The rules in the file that is to be written which nobody learned."""
    from thresher.site.rules import SiteRules

    if output is None or not output.exists():
        return []
    return [rule for rule in SiteRules.load(output).rules if rule.seen is None]


def _saved(source: Path, root: str | None) -> Iterator[SavedPage]:
    from thresher.site.archive import pages

    return pages(source, root)


def _spread(saved: Iterable[SavedPage], most: int) -> list[SavedPage]:
    """At most so many, evenly spread: every one, then every second, every fourth, … as more and more come."""
    kept: list[SavedPage] = []
    step = 1
    for number, page in enumerate(saved):
        if number % step:
            continue
        if len(kept) == most:
            kept, step = kept[::2], 2 * step
            if number % step:
                continue
        kept.append(page)
    return kept


def _parsed(saved: list[SavedPage]) -> list[Page]:
    """The pages, with a bar on stderr where somebody watches."""
    from thresher.parse import parse

    def page(one: SavedPage) -> Page:
        return parse(one.html, url=one.url, encoding=one.encoding)

    if not sys.stderr.isatty():
        return [page(one) for one in saved]
    from rich.console import Console
    from rich.progress import track

    return [page(one) for one in track(saved, "reading", console=Console(stderr=True), transient=True)]


def _report(rules: SiteRules, output: Path | None) -> None:
    kinds = Counter(rule.kind for rule in rules.rules)
    said = ", ".join(f"{kinds[kind]} {kind}" for kind in ("keep", "drop", "drop_text") if kinds[kind]) or "no rules"
    where = f" in {output}" if output else ""
    click.echo(plain(f"{rules.pages} pages of {rules.site or 'a site without a name'}: {said}{where}"), err=True)

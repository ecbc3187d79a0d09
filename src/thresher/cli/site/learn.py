"""thresher site learn: what repeats on a site, as a file of rules."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.options import allow_host_option, delay_option, in_a_folder, known_method, user_agent_option
from thresher.errors import (
    FetchError,
    MissingExtra,
    MissingProgram,
    NeedsEvidence,
    NeedsSiblings,
    RulesError,
    SiteError,
)
from thresher.result.inputs import is_url
from thresher.site.gathering import Gathering, saved_pages
from thresher.text.printing import plain

if TYPE_CHECKING:
    from thresher.methods.cluster import Options
    from thresher.methods.cluster.learning import Clustering
    from thresher.methods.cluster.relevance import Labelling, Measure
    from thresher.page import Page
    from thresher.rules.rules import SiteRule, SiteRules
    from thresher.site.archive import SavedPage

__all__ = ["command"]

_PAGES, _RENDERED_PAGES = 100, 20


@click.command("learn", context_settings={"max_content_width": 100})
@click.argument("source", metavar="URL|DIR")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=in_a_folder,
    metavar="FILE",
    help="Write here; rules of your own that are there already stay.  [default: standard output, for rules]",
)
@click.option(
    "--pages",
    type=click.IntRange(min=3),
    help="Compare so many pages, evenly spread over those there are.  [default: 100; 20 with cluster]",
)
@click.option("--root", metavar="URL", help="The address of a folder of HTML files, as in https://example.org/.")
@click.option(
    "-m",
    "--method",
    default="auto",
    show_default=True,
    callback=known_method,
    help="The method that says where the content stands on most pages; cluster: learn a model instead of rules.",
)
@click.option(
    "--relevance",
    type=click.Choice(["pieces", "subsequence"]),
    default="pieces",
    show_default=True,
    help="With cluster: how blocks are compared with descriptions; subsequence is the paper's.",
)
@click.option(
    "--labels",
    type=click.Choice(["grown", "site", "page"]),
    default="grown",
    show_default=True,
    help="With cluster, what is content: the site's best cluster and what stands beside it; that cluster alone (the "
    "paper's); the best of each page.",
)
@click.option(
    "--clustering",
    type=click.Choice(["dbscan", "kmeans"]),
    default="dbscan",
    show_default=True,
    help="With cluster: by density, as in the paper, or by K-Means.",
)
@delay_option("Of a URL: between two requests; more if its robots.txt asks for it.")
@allow_host_option()
@user_agent_option()
def command(
    source: str,
    output: Path | None,
    pages: int | None,
    root: str | None,
    method: str,
    relevance: Measure,
    labels: Labelling,
    clustering: Clustering,
    **fetching: Any,
) -> None:
    """Write what repeats on a site into a file of rules.

    DIR is the folder of a crawl, a WARC file, or a folder of HTML files; of a URL some pages are crawled first.  The
    rules say in CSS selectors what to drop (menus, side columns, footers, notices: what many pages have word for word)
    and where the content stands.  From then on single pages are extracted with them:

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

    With `--method cluster` the pages are rendered, their blocks clustered by looks, and the cluster that is closest to
    the pages' descriptions learned as content; the model knows new pages of the site (docs/cluster.md).  DIR may hold
    pages that `thresher render -o page.json.gz` has written.

    \b
      thresher site learn https://example.org/ --method cluster -o example.npz
      thresher extract https://example.org/news/17 --model example.npz
    """
    from thresher.methods.cluster import Options
    from thresher.site.memory import learn

    if root is not None and not is_url(root):
        raise click.UsageError("--root is an address, as in https://example.org/")
    wanted = Gathering(source, pages or (_RENDERED_PAGES if method == "cluster" else _PAGES), root, **fetching)
    if method == "cluster":
        _learn_model(wanted, output, Options(relevance=relevance, labels=labels, clustering=clustering))
        return
    try:
        by_hand = _by_hand(output)
        with warnings.catch_warnings(record=True) as noticed:
            warnings.simplefilter("always")
            parsed = _parsed(saved_pages(wanted))
        for warning in noticed:
            click.echo(plain(str(warning.message)), err=True)
        rules = learn(parsed, method)
        rules = replace(rules, rules=(*rules.rules, *by_hand))
        if output is None:
            click.echo(rules.to_json(), nl=False)
        else:
            rules.save(output)
    except NeedsSiblings:
        raise click.UsageError(f"{method} compares pages; rules are learned with one that reads single pages") from None
    except NeedsEvidence as error:
        raise click.UsageError(str(error)) from None
    except (FetchError, MissingExtra, RulesError, SiteError) as error:
        raise click.ClickException(plain(str(error))) from None
    _report(rules, output)


def _learn_model(wanted: Gathering, output: Path | None, options: Options) -> None:
    from thresher.cli.site.cluster import learn_model

    if output is None:
        raise click.UsageError("a model is no text: name a file for it with -o model.npz")
    try:
        learn_model(wanted, output, options)
    except (FetchError, MissingExtra, MissingProgram, SiteError) as error:
        raise click.ClickException(plain(str(error))) from None


def _by_hand(output: Path | None) -> list[SiteRule]:
    """The rules in the file that is to be written which nobody learned."""
    from thresher.rules.rules import SiteRules

    if output is None or not output.exists():
        return []
    return [rule for rule in SiteRules.load(output).rules if rule.seen is None]


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
    counts = ", ".join(f"{kinds[kind]} {kind}" for kind in ("keep", "drop", "drop_text") if kinds[kind]) or "no rules"
    where = f" in {output}" if output else ""
    click.echo(plain(f"{rules.pages} pages of {rules.site or 'a site without a name'}: {counts}{where}"), err=True)

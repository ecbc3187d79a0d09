"""thresher site: commands about a whole web site, one file each, loaded when they are called.

cluster      learn --method cluster
"""

from __future__ import annotations

import click

from thresher.cli.groups import LazyGroup

__all__ = ["command"]

# In the order of --help, each with the line that --help prints.
_COMMANDS = {
    "crawl": "Fetch the pages of a site into a folder, politely.",
    "extract": "Take the main content out of a page, seen from other pages of its site.",
    "learn": "Write what repeats on a site into a file of rules.",
}


@click.group("site", cls=LazyGroup, package=__name__, lines=_COMMANDS)
def command() -> None:
    """Work with a whole site.

    \b
      thresher site crawl https://example.org/ -o example      its pages, as WARC files and an index
      thresher site extract https://example.org/news/17        a page, compared with others of its site
      thresher site learn example -o example.json              what repeats there, for `thresher extract --site`

    `thresher site COMMAND --help` tells more.
    """

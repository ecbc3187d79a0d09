"""thresher methods: what there is to choose from."""

from __future__ import annotations

import json

import click

__all__ = ["command"]


@click.command("methods")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="One object a line: name, description.")
def command(name: str | None, as_json: bool) -> None:
    """List the extraction methods, or explain the one of that NAME: what it does, and its options.

    Each can be given to `thresher extract -m NAME` and in Python to `thresher.extract(html, method=NAME)`, with its
    options if you like.

    \b
      thresher methods lqf
      thresher extract page.html -m lqf:quota=0.75
      thresher compare page.html -m dsc,dsc:window=25:share=0.4
    """
    from thresher import methods
    from thresher.errors import UnknownMethod

    if name is not None:
        try:
            about, options = methods.manual(name)
        except UnknownMethod as error:
            raise click.UsageError(str(error)) from None
        if as_json:
            entry = {"name": name, "description": methods.describe(name), "manual": about, "options": options}
            click.echo(json.dumps(entry, ensure_ascii=False))
        else:
            click.echo("\n".join((about, "", "Options", "", *options) if options else (about,)))
        return
    width = max(map(len, methods.names()))
    for name in methods.names():
        description = methods.describe(name)
        if as_json:
            click.echo(json.dumps({"name": name, "description": description}, ensure_ascii=False))
        else:
            click.echo(f"{name:{width}}  {description}")

"""thresher methods: what there is to choose from."""

from __future__ import annotations

import json

import click

__all__ = ["command"]


@click.command("methods")
@click.option("--json", "as_json", is_flag=True, help="One object a line: name, description.")
def command(as_json: bool) -> None:
    """List the extraction methods.

    Each can be given to `thresher extract -m NAME` and in Python to `thresher.extract(html, method=NAME)`.
    """
    from thresher import methods

    width = max(map(len, methods.names()))
    for name in methods.names():
        description = methods.describe(name)
        if as_json:
            click.echo(json.dumps({"name": name, "description": description}, ensure_ascii=False))
        else:
            click.echo(f"{name:{width}}  {description}")

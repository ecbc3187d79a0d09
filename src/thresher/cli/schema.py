"""thresher schema: the JSON that commands write, as a JSON Schema."""

from __future__ import annotations

import json
from typing import Any

import click

__all__ = ["command"]


@click.command("schema")
@click.argument("kind", type=click.Choice(["result", "line", "batch"]), default="result")
def command(kind: str) -> None:
    """Print the JSON Schema of what is written.

    \b
      thresher schema             what `result.to_dict()` gives, and POST /extract answers
      thresher schema line        a line of `thresher extract --json`, also of an input that failed
      thresher schema batch       a row of `thresher batch`

    It is made from the types of the program.  A field keeps its name and type; new ones may be added
    (docs/stability.md).
    """
    click.echo(json.dumps(_schema(kind), indent=2, ensure_ascii=False))


def _schema(kind: str) -> dict[str, Any]:
    if kind == "batch":
        from thresher.batch.schema import row_schema

        return row_schema()
    from thresher.result.schema import line_schema, result_schema

    return result_schema() if kind == "result" else line_schema()

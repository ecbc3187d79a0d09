"""Write the pages that are printed from the program itself: python docs/generate.py [--check]

docs/commands/NAME.md from `thresher NAME --help`, docs/methods/NAME.md from the method's docstring.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from thresher import methods
from thresher.cli import main as cli

DOCS = Path(__file__).parent
FIGURES = {"ccb": ("ccb.svg",), "sls": ("sls-before.svg", "sls-after.svg")}  # pictures in docs/images


def command_page(name: str) -> str:
    context = click.Context(cli, info_name="thresher")
    command = cli.get_command(context, name)
    assert command is not None
    text = command.get_help(click.Context(command, info_name=f"thresher {name}", parent=None, terminal_width=100))
    return f"# thresher {name}\n\n```text\n{text}\n```\n"


def method_page(name: str) -> str:
    module = methods.module(name)
    page = f"# {name}\n\n```text\n{(module.__doc__ or '').strip()}\n```\n\n## Options\n\n"
    fields = module.Options.__dataclass_fields__.values()
    page += "".join(f"- `{field.name}` (default `{field.default!r}`)\n" for field in fields) or "None.\n"
    page += f'\nUse it: `thresher extract page.html -m {name}`, or `thresher.extract(html, method="{name}")`.\n'
    return page + "".join(f"\n![{name}](../images/{figure})\n" for figure in FIGURES.get(name, ()))


def pages() -> dict[Path, str]:
    found = {DOCS / "commands" / f"{name}.md": command_page(name) for name in cli.list_commands(click.Context(cli))}
    found |= {DOCS / "methods" / f"{name}.md": method_page(name) for name in methods.names()}
    return found


def main() -> None:
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text() != text]
    if "--check" in sys.argv:
        sys.exit("\n".join(f"{path} is not what the program prints" for path in stale) or 0)
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(pages()[path])


if __name__ == "__main__":
    main()

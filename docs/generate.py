"""Write the pages that are printed from the program itself: python docs/generate.py [--check]

docs/commands/NAME.md from `thresher NAME --help`, with site-crawl.md from `thresher site crawl --help`;
docs/methods/NAME.md from the method's docstring; docs/man/thresher.1, the man page; docs/schema.json from
`thresher schema`.
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path

import click

from thresher import methods, parse
from thresher.cli import main as cli
from thresher.errors import NeedsEvidence, NeedsLayout, NeedsSiblings
from thresher.result.schema import result_schema

DOCS = Path(__file__).parent
FIGURES = {
    "ccb": ("ccb.svg",),
    "sls": ("sls-before.svg", "sls-after.svg"),
    "layout": ("layout-zones.png", "layout-columns.png", "layout-content.png"),
}  # pictures in docs/images


def command_pages(group: click.Group, path: tuple[str, ...] = ()) -> dict[str, str]:
    """The pages of a group's commands, and of the commands of groups among them, by name."""
    found = {}
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        words = (*path, name)
        title = f"thresher {' '.join(words)}"
        text = command.get_help(click.Context(command, info_name=title, parent=None, terminal_width=100))
        found["-".join(words)] = f"# {title}\n\n```text\n{text}\n```\n"
        if isinstance(command, click.Group):
            found |= command_pages(command, words)
    return found


def needs(name: str) -> type[NeedsEvidence] | None:
    """What a method asks for beyond a page."""
    try:
        methods.get(name)(parse("<p>A page"))
    except NeedsEvidence as error:
        return type(error)
    return None


def method_page(name: str) -> str:
    text, options = methods.manual(name)
    page = f"# {name}\n\n```text\n{text}\n```\n\n## Options\n\n"
    page += "".join(f"- {option}\n" for option in options) or "None.\n"
    values = {field: about.default for field, about in methods.module(name).Options.__dataclass_fields__.items()}
    for option, value in [pair for pair in values.items() if pair[1]][:1]:  # no pages, no empty path
        page += f'\nSet with the name: `-m {name}:{option}={value}`, or `method="{name}:{option}={value}"`.\n'
    alone = f'`thresher extract page.html -m {name}`, or `thresher.extract(html, method="{name}")`'
    compared = f'`thresher site extract URL -m {name}`, or `thresher.extract(html, method="{name}", siblings=pages)`'
    rendered = f'`thresher extract page.html --render always -m {name}`, or `thresher.extract(page, method="{name}")`'
    rendered += " with a page from `thresher.render`"
    usage = {NeedsSiblings: compared, NeedsLayout: rendered}.get(needs(name), alone)
    page += f"\nUse it: {usage}.\n"
    return page + "".join(f"\n![{name}](../images/{figure})\n" for figure in FIGURES.get(name, ()))


def manual() -> str:
    """The man page: the program, then every command with its options."""
    lines = ['.TH THRESHER 1 "" "thresher" "User Commands"', ".SH NAME", "thresher \\- main content of web pages"]
    lines += [".SH SYNOPSIS", ".B thresher", r"[\-v] \fICOMMAND\fR [\fIOPTION\fR]... [\fIINPUT\fR]..."]
    lines += [".SH DESCRIPTION", *as_roff(cli.help or "")]
    lines += [".SH COMMANDS", *manual_of(cli)]
    lines += [
        ".SH EXIT STATUS",
        "0 done, 1 an input failed, 2 wrong usage, 3 nothing extracted, 4 held back, 130 stopped.",
    ]
    return "\n".join(lines) + "\n"


def manual_of(group: click.Group, path: str = "thresher") -> list[str]:
    """The commands of a group, each with its text and its options."""
    lines = []
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        context = click.Context(command, info_name=name)
        usage = " ".join(command.collect_usage_pieces(context))
        lines += [f".SS {path} {name} {roff(usage)}", *as_roff(command.help or "")]
        for parameter in command.params:
            record = parameter.get_help_record(context)
            if record:
                lines += [".TP", rf"\fB{roff(record[0])}\fR", roff(record[1])]
        if isinstance(command, click.Group):
            lines += manual_of(command, f"{path} {name}")
    return lines


def as_roff(text: str) -> list[str]:
    """Paragraphs; those after a \\b as they stand."""
    lines = []
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        verbatim = paragraph.startswith("\b")
        body = roff(paragraph.removeprefix("\b\n"))
        lines += [".PP", *([".nf", body, ".fi"] if verbatim else [" ".join(body.split())])]
    return lines


def roff(text: str) -> str:
    """What groff would take for a request or a hyphen is escaped, and what is not ASCII."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(letter if letter.isascii() else f"\\[u{ord(letter):04X}]" for letter in text)
    return "\n".join(rf"\&{line}" if line[:1] in (".", "'") else line for line in text.split("\n"))


def pages() -> dict[Path, str]:
    found = {DOCS / "commands" / f"{name}.md": text for name, text in command_pages(cli).items()}
    found[DOCS / "man" / "thresher.1"] = manual()
    found[DOCS / "schema.json"] = json.dumps(result_schema(), indent=2, ensure_ascii=False) + "\n"
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

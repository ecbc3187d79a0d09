"""Every code block of the docs is run.

    ```python                  run in a folder with `examples/`, an archive in `crawl/` and a server at example.org
    ```python needs=NAME,…     run where these modules (or programs) are installed
    ```python alone            is what others paste: it names nothing of ours, and is read by the compiler only
    ```sh                      every command of ours has these arguments, every file that is named is there

The names `thresher`, `html`, `url`, `others`, `pages`, `result`, `text` stand for what a page speaks of.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from tests.archives import page
from tests.local_site import LocalSite, Reply
from thresher.cli import main

ROOT = Path(__file__).parents[1]
PROLOGUE = """
import thresher
from thresher.fetch import addresses

addresses.is_public = lambda address: True
addresses.Policy.names = lambda self, host, port: True
html, url = open("examples/threshing.html", "rb").read(), "https://example.org/page"
others = [(f"https://example.org/{name}", open(f"saved/{name}.html", "rb").read()) for name in (1, 2, 3)]
pages = [thresher.parse(html, url=url) for url, html in others]
result = thresher.extract(html, url=url)
text = result.text
"""
OTHERS = set("pip pipx python python3 pytest pre-commit curl jq git docker apt-get man mkdocs sudo source eval".split())


class Code(NamedTuple):
    page: str
    line: int
    info: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(language: str) -> list[Code]:
    """The blocks of a language in all pages."""
    fence = re.compile(rf"^```{language}([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    sources = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [
        Code(str(source.relative_to(ROOT)), text.count("\n", 0, block.start()) + 1, block[1].strip(), block[2])
        for source in sources
        for text in [source.read_text(encoding="utf-8")]
        for block in fence.finditer(text)
    ]


@pytest.fixture(scope="module")
def example_org() -> Iterator[LocalSite]:
    example = Reply((ROOT / "examples/threshing.html").read_bytes())
    with LocalSite({"/": Reply(page(1)), "/page": example, "/article": example}) as site:
        yield site


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the pages speak of."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for name in ("saved", "crawl"):
        (tmp_path / name).mkdir()
    with open(tmp_path / "crawl/pages.warc.gz", "wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number in (1, 2, 3):
            (tmp_path / f"saved/{number}.html").write_bytes(page(number))
            with open(tmp_path / f"saved/{number}.html", "rb") as body:
                head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
                address = f"https://example.org/{number}"
                writer.write_record(writer.create_warc_record(address, "response", payload=body, http_headers=head))
    return tmp_path


@pytest.mark.parametrize("code", blocks("python"), ids=lambda code: code.name)
def test_python_runs(code: Code, folder: Path, example_org: LocalSite) -> None:
    compile(code.text, code.name, "exec")
    if code.info == "alone":
        assert "thresher" not in re.sub(r"[\"'].*?[\"']|THRESHER_\w+|#.*", "", code.text)
        return
    needs = re.fullmatch(r"(?:needs=([\w,]+))?", code.info)
    assert needs, f"{code.name}: what does {code.info!r} mean?"
    for name in (needs[1] or "").split(","):
        if name and importlib.util.find_spec(name) is None and not shutil.which(name):
            pytest.skip(f"{name} is not installed")
    program = PROLOGUE + code.text.replace("https://example.org", example_org.url("").rstrip("/"))
    (folder / "program.py").write_text(f"if __name__ == '__main__':\n{indented(program)}", encoding="utf-8")
    environment = {**os.environ, "HAYSTACK_TELEMETRY_ENABLED": "False"}
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def commands(text: str) -> Iterator[list[str]]:
    """The single commands of a block of shell."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        start = 0
        for end in [*(at for at, word in enumerate(words) if word in ("|", "&&", ";", "||")), len(words)]:
            command = [word for word in words[start:end] if not re.fullmatch(r"[A-Z_]+=.*", word)]
            start = end + 1
            if command:
                yield command


@pytest.mark.parametrize("code", blocks("sh"), ids=lambda code: code.name)
def test_shell_commands_are_ours_and_take_these_arguments(code: Code) -> None:
    for command in commands(code.text):
        program, *arguments = command
        arguments = arguments[: arguments.index(">")] if ">" in arguments else arguments
        if program.rpartition("/")[2] == "thresher":
            parse_arguments(arguments)
        else:
            assert (ROOT / program).is_file() or program.rpartition("/")[2] in OTHERS, f"{code.name}: {program}"
            for name in arguments:
                if name.endswith(".py") and "/" in name:
                    assert (ROOT / name).exists(), f"{code.name}: {name}"


def parse_arguments(arguments: list[str]) -> None:
    """An error of usage for options that the command does not have; values are not looked at."""
    command: click.Command = main
    while True:
        context = click.Context(command, info_name=command.name)
        parser = command.make_parser(context)
        parser.allow_interspersed_args = command.allow_interspersed_args
        _, rest, _ = parser.parse_args(arguments)
        if not isinstance(command, click.Group) or not rest:
            return
        _, chosen, arguments = command.resolve_command(context, rest)
        assert chosen is not None
        command = chosen


def test_an_option_that_there_is_not_is_noticed() -> None:
    with pytest.raises(click.UsageError):
        parse_arguments(["site", "crawl", "https://example.org/", "--no-such-option"])

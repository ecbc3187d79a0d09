"""Every block of shell in the docs is run by bash, in a folder with the files that the pages speak of.

    ```sh               run; it must end with success
    ```console          run as well; what it shows after a command is what the command prints, `…` stands for anything
    … needs=NAME,…      where these programs (or modules) are installed
    … serves            its servers are started one by one, must answer at a port, and are stopped
    … data=FOLDER       on that folder of the data sets, where it is (tests/data.py)
    … installs          fetches packages or images: commands of ours have these arguments, files that are named exist
    … long              benchmarks, clusters: the same
    … small=5000:5,…    run with these numbers in the place of those that stand there

`thresher` is this checkout, which may fetch from this machine; https://example.org and port 8000 are a server on it,
and port 8177 is `thresher serve`.  `pip install` does nothing: tests/test_docs.py knows the extras.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest

from tests.data import DATA
from tests.docs_world import OPEN_GATE, ROOT, Code, blocks, example_org, furnish, skip_without
from tests.local_site import LocalSite
from thresher.cli import main

SHELL = blocks("sh", "console")
READ_ONLY = ("installs", "long")
OTHERS = set("pip python python3 pre-commit docker unzip".split())
# One process is enough for these pages, and this server need not be spared.
SETTINGS = "batch.workers = 1\nserve.workers = 1\nmcp.workers = 1\nsite.crawl.delay = 0\nsite.learn.delay = 0\n"


def kind(code: Code) -> str:
    return code.info.partition("=")[0]


def setting(code: Code, name: str) -> list[str]:
    """What follows `name=` in the first line of a block."""
    given = re.search(rf"\b{name}=(\S+)", code.info)
    return given[1].split(",") if given else []


def made_small(code: Code) -> str:
    text = code.text
    for number, small in (pair.split(":") for pair in setting(code, "small")):
        assert re.search(rf"\b{number}\b", text)
        text = re.sub(rf"\b{number}\b", small, text)
    return text


class World:
    """A folder, a server that stands for example.org, and commands that know of it."""

    def __init__(self, folder: Path, site: LocalSite) -> None:
        self.folder, self.site = folder, site
        programs, modules = folder / ".venv/bin", folder / ".venv/modules"
        for made in (programs, modules):
            made.mkdir(parents=True)
        # Read by every Python that is started, those of workers too.
        (modules / "sitecustomize.py").write_text(OPEN_GATE)
        (folder / "thresher.toml").write_text(SETTINGS)
        for name, line in {"thresher": f'exec {sys.executable} -m thresher "$@"', "pip": "exit 0"}.items():
            (programs / name).write_text(f"#!/bin/sh\n{line}\n")
            (programs / name).chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": f"{modules}:{os.environ.get('PYTHONPATH', '')}".rstrip(":"),
            "HOME": str(folder),  # nobody's settings or caches
            "BROWSER": "true",
            "OPENBLAS_NUM_THREADS": "1",
        }

    def here(self, text: str) -> str:
        """With addresses of this machine for those that the docs name."""
        text = text.replace("https://example.org", self.site.url("").rstrip("/"))
        return re.sub(r"\b(127\.0\.0\.1|localhost):8000\b", self.site.host, text)

    def run(self, command: str) -> str:
        """What a command prints."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", self.here(command)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, f"{command}\nexit status {done.returncode}\n{done.stdout}{done.stderr}"
        return (done.stdout + done.stderr).replace(self.site.host, "example.org").replace("127.0.0.1", "example.org")

    @contextmanager
    def serving(self, command: str) -> Iterator[int]:
        """The port at which the server of a command answers."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        words = [*shlex.split(self.here(command), comments=True), "--port", str(port)]
        with open(self.folder / "server.log", "wb") as log:
            server = subprocess.Popen(
                words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        try:
            wait_for(port, server, self.folder / "server.log")
            yield port
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(150)


def wait_for(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and server.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"it does not answer: {log.read_text()}")


@pytest.fixture(scope="module")
def site() -> Iterator[LocalSite]:
    with example_org() as running:
        yield running


@pytest.fixture
def world(tmp_path: Path, site: LocalSite) -> World:
    furnish(tmp_path, site.url("").rstrip("/"))
    return World(tmp_path, site)


@pytest.mark.parametrize(
    "code", [code for code in SHELL if kind(code) in ("", "needs", "data")], ids=lambda code: code.name
)
def test_shell_runs(code: Code, world: World) -> None:
    skip_without(code.info)
    for name in setting(code, "data"):
        if not (DATA / name).is_dir():
            pytest.skip(f"{name} is not in {DATA}; set THRESHER_DATA to its folder")
        for folder in DATA.iterdir():
            (world.folder / folder.name).symlink_to(folder)
    if "localhost:8177" in code.text:
        with world.serving("thresher serve --no-open") as port:
            world.run(code.text.replace("localhost:8177", f"localhost:{port}"))
    elif code.language == "sh":
        world.run(made_small(code))
    else:
        for command, shown in steps(code.text):
            printed = world.run(command)
            assert not shown or matches(printed, shown), f"{command}\nprints:\n{printed}"


def steps(text: str) -> list[tuple[str, str]]:
    """The commands of a session, each with what is shown after it."""
    first, *parts = re.split(r"^\$ ", text, flags=re.MULTILINE)
    assert not first, "a session begins with a prompt"
    return [(command, shown.strip()) for command, _, shown in (part.partition("\n") for part in parts)]


def matches(printed: str, shown: str) -> bool:
    pattern = ".*".join(map(re.escape, re.split(r"\s*…\s*", shown)))
    return bool(re.fullmatch(pattern, printed.strip(), re.DOTALL))


def test_what_a_session_shows_is_compared() -> None:
    assert steps("$ one\n$ two   # why\n1\n2\n") == [("one", ""), ("two   # why", "1\n2")]
    assert matches("7 pages of a\nand more\n", "… pages of a\n…")
    assert not matches("7 pages of a\n", "8 pages of a")


@pytest.mark.parametrize("code", [code for code in SHELL if kind(code) == "serves"], ids=lambda code: code.name)
def test_servers_answer(code: Code, world: World) -> None:
    lines = [line.removeprefix("$ ") for line in code.text.splitlines()]
    assert any(map(is_server, lines))
    for line in lines:
        if is_server(line):
            with world.serving(line):
                pass
        else:
            world.run(line)


def is_server(line: str) -> bool:
    return bool(re.match(r"thresher (serve\b|mcp --http)", line))


def test_what_is_only_read_stays_little() -> None:
    """Whoever adds a block that cannot be run counts it here."""
    counted = Counter(map(kind, SHELL))
    assert counted == {"": 14, "needs": 10, "serves": 6, "data": 1, "installs": 4, "long": 6}


def commands(text: str) -> Iterator[list[str]]:
    """The single commands of a block of shell."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        start = 0
        for end in [*(at for at, word in enumerate(words) if word in ("|", "&&", ";", "||")), len(words)]:
            command = [word for word in words[start:end] if not re.fullmatch(r"[A-Z_]+=.*", word)]
            start = end + 1
            if command:
                yield command


@pytest.mark.parametrize("code", [code for code in SHELL if kind(code) in READ_ONLY], ids=lambda code: code.name)
def test_commands_that_are_only_read_take_these_arguments(code: Code) -> None:
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

"""The steps of the Dockerfile, in a virtual environment: wheels, an installation without the network, two servers."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
TOKEN = "a-secret-of-enough-letters"


def test_every_stage_ends_as_a_user_without_rights() -> None:
    stages = re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)[2:]
    assert [stage.split()[2] for stage in stages] == ["base", "browser", "plain"]
    for stage in stages[:2]:
        assert re.findall(r"^USER (\w+)", stage, re.MULTILINE)[-1] == "thresher"
    assert "HEALTHCHECK" in stages[0]


def test_what_is_copied_is_let_through() -> None:
    let_through = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    needed = ["pyproject.toml", "setup.py", "README.md", "LICENSE", "container", "src", "docs/man"]
    assert set(needed) <= set(let_through)
    assert all((ROOT / name).exists() for name in let_through)
    for name in re.findall(r"container/\w+", DOCKERFILE):
        assert os.access(ROOT / name, os.X_OK), name


def services() -> dict[str, list[str]]:
    described = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    for service in described.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    return {
        name: [TOKEN if "THRESHER_TOKEN" in word else word for word in service["command"]]
        for name, service in described.items()
    }


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment that was made as the image is."""
    folder = tmp_path_factory.mktemp("container")
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "container", "src", "docs/man"):
        target = folder / "source" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        ignored = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "*.egg-info")
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target, ignore=ignored)
        else:
            shutil.copy(ROOT / name, target)
    subprocess.run([sys.executable, "-m", "venv", folder / "image"], check=True)
    python = folder / "image/bin/python"
    # Not compiled: that takes minutes and is what other tests are for.
    environment = {**os.environ, "THRESHER_PURE": "1", "PYTHON": str(python)}
    environment.pop("PYTHONPATH", None)
    extras = "web,mcp"  # without those that are large
    steps = folder / "source/container"
    wheels = subprocess.run(
        [steps / "wheels", folder / "wheels", extras], env=environment, capture_output=True, text=True
    )
    if wheels.returncode and re.search("No matching distribution|Connection|resolve", wheels.stderr):
        pytest.skip(f"no index of packages can be reached: {wheels.stderr[-300:]}")
    assert wheels.returncode == 0, wheels.stderr
    done = subprocess.run(
        [steps / "install", folder / "wheels", extras], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "thresher, version" in done.stdout or done.stdout.startswith("thresher ")
    return folder / "image/bin"


@contextmanager
def running(installed: Path, words: list[str], port: int) -> Iterator[subprocess.Popen[bytes]]:
    environment = {**os.environ, "XDG_DATA_HOME": str(installed.parent)}
    environment.pop("PYTHONPATH", None)
    process = subprocess.Popen(
        [installed / "thresher", *words, "--port", str(port)], env=environment, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.parametrize("name", ["serve", "mcp"])
def test_the_services_of_compose_come_up_healthy(installed: Path, name: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    health = [sys.executable, ROOT / "container/health", str(port)]
    assert subprocess.run(health).returncode == 1
    with running(installed, services()[name], port) as process:
        deadline = time.monotonic() + 120
        while subprocess.run(health).returncode and time.monotonic() < deadline:
            assert process.poll() is None, "the server has ended"
            time.sleep(0.5)
        assert subprocess.run(health).returncode == 0


def test_the_man_page_is_installed(installed: Path) -> None:
    assert (installed.parent / "share/man/man1/thresher.1").exists()

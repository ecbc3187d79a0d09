"""`thresher serve`: what it refuses before it starts, and that it starts and stops."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

pytest.importorskip("fastapi")

from click.testing import CliRunner

from thresher.cli import main


def test_a_token_must_be_long():
    result = CliRunner().invoke(main, ["serve", "--token", "short"])
    assert result.exit_code == 2
    assert "16 characters" in result.stderr


def test_a_port_that_is_taken_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(main, ["serve", "--port", port])
    assert result.exit_code == 1
    assert f"cannot listen on 127.0.0.1:{port}" in result.stderr


def test_it_starts_and_stops():
    command = [sys.executable, "-m", "thresher", "serve", "--port", "0", "--workers", "1", "--host", "0.0.0.0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            address = server.stderr.readline().split()[3]
            secret = server.stderr.readline().split()[-1]
            request = urllib.request.Request(f"{address}metrics", headers={"Authorization": f"Bearer {secret}"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                assert answer.status == 200
            with pytest.raises(urllib.error.HTTPError, match="401"):
                urllib.request.urlopen(f"{address}metrics", timeout=60)
            server.send_signal(signal.SIGINT)
            assert server.wait(60) in (0, 1, 130, -2)
        finally:
            server.kill()

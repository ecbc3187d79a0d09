"""Whatever happens, no browser is left behind.  The browser here is a shell script with a family of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from thresher.errors import RenderError
from thresher.render import chromium, watchdog
from thresher.render.chromium import Chromium

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")

# Children in sessions of their own, a grandchild whose parent has gone: what a process group alone would miss.
FAMILY = """
setsid sleep 1000 &
(setsid sh -c 'sleep 1001 & sleep 1002' &)
"""
# Answers the first call, as a browser would.
ANSWER = """
printf '{"id":1,"result":{"product":"Fake/1"}}\\0' >&4
"""


@pytest.fixture
def fake(tmp_path):
    """Makes a browser of a few lines of shell."""

    def make(script: str) -> Path:
        path = tmp_path / "chromium"
        path.write_text("#!/bin/sh\necho $$ > " + str(tmp_path / "pid") + "\n" + textwrap.dedent(script))
        path.chmod(0o755)
        return path

    return make


def below() -> list[int]:
    return watchdog.descendants(os.getpid())


def alive(pids: list[int]) -> list[int]:
    """Those that still run; the buried and the undead do not count."""
    found = []
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.append(pid)
    return found


def wait_until(so, seconds=20.0):
    end = time.monotonic() + seconds
    while not so() and time.monotonic() < end:
        time.sleep(0.02)
    return so()


def test_killing_ends_the_whole_family_and_removes_the_profile(fake):
    before = set(below())
    browser = Chromium(fake(FAMILY + ANSWER + "sleep 1003"), 1000)
    assert browser.version == "Fake/1"
    assert browser.alive
    profile = Path(browser._profile)
    assert profile.exists()
    assert wait_until(lambda: len(set(below()) - before) >= 5)
    family = [pid for pid in below() if pid not in before and pid != browser._watchdog.pid]
    assert browser.kill() == watchdog.RELEASED
    assert alive(family) == []
    assert wait_until(lambda: not profile.exists())
    assert not browser.alive
    assert browser.kill() == watchdog.RELEASED, "twice is as good as once"


def test_a_browser_that_ends_by_itself_takes_its_family_along(fake):
    before = set(below())
    browser = Chromium(fake(FAMILY + ANSWER + "sleep 0.3; exit 1"), 1000)
    family = [pid for pid in below() if pid not in before and pid != browser._watchdog.pid]
    assert wait_until(lambda: not browser.alive)
    assert alive(family) == []
    browser.kill()


def test_a_program_killed_outright_leaves_nothing(fake, tmp_path):
    path = fake(FAMILY + ANSWER + "sleep 1003")
    program = f"""
        import os, sys, time
        from pathlib import Path
        from thresher.render.chromium import Chromium
        browser = Chromium(Path({str(path)!r}), 1000)
        print(browser._watchdog.pid, browser._profile, flush=True)
        time.sleep(1000)
    """
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True)
    try:
        number, profile = child.stdout.readline().split()
        family = [int(number), *watchdog.descendants(int(number))]
        assert len(alive(family)) >= 3
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    assert wait_until(lambda: alive(family) == [])
    assert not Path(profile).exists()


def test_a_killed_keeper_takes_the_browser_along(fake, tmp_path):
    browser = Chromium(fake(ANSWER + "exec sleep 1003"), 1000)
    main = int((tmp_path / "pid").read_text())
    os.kill(browser._watchdog.pid, signal.SIGKILL)
    assert wait_until(lambda: alive([main]) == [])
    browser.kill()
    assert not Path(browser._profile).exists()


def test_too_much_memory_ends_the_browser_with_that_reason(fake):
    hog = f"{sys.executable} -c 'import time; data = bytearray(80_000_000); time.sleep(1000)' &"
    browser = Chromium(fake(ANSWER + hog + "\nsleep 1003"), 40)
    with pytest.raises(RenderError, match="40 MB") as raised, browser.explain_failures():
        browser.connection.call("Never.answered", deadline=chromium.Deadline.after(30))
    assert raised.value.reason == "memory"
    assert not browser.alive


@pytest.mark.parametrize(
    ("script", "words", "reason"),
    [
        ("exit 3", "ended", "crashed"),
        ("echo 'FATAL: No usable sandbox! Update your kernel' >&2; exit 1", "chromium-sandbox", "no_sandbox"),
        ("echo 'FATAL: out of luck' >&2; exit 1", "out of luck", "crashed"),
        ("sleep 1000", "busy", "timeout"),
    ],
)
def test_a_browser_that_does_not_start_says_why(fake, monkeypatch, script, words, reason):
    monkeypatch.setattr(chromium, "_MAX_START_SECONDS", 2.0)
    before = set(alive(below()))
    with pytest.raises(RenderError, match=words) as raised:
        Chromium(fake(script), 1000)
    assert raised.value.reason == reason
    assert wait_until(lambda: set(alive(below())) <= before)


def test_descriptors_are_not_leaked(fake):
    path = fake(ANSWER + "sleep 1003")
    Chromium(path, 1000).kill()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        Chromium(path, 1000).kill()
    assert len(os.listdir("/proc/self/fd")) == before

"""The process between us and the browser, whose only task is that no browser is left behind.

    ours  --leash (a pipe)-->  watchdog  --fork-->  chromium and its family

The watchdog starts the browser, adopts every orphan of it (PR_SET_CHILD_SUBREAPER), and waits.  When the leash closes
(we let go, exit, crash, or are killed with -9), when our process is gone, when the browser ends, or when it uses more
memory than allowed, it kills the whole family, waits until none is left, and removes the profile.

It runs as a script of its own, without the package: `python -I -S watchdog.py IN OUT MEGABYTES PROFILE COMMAND…`, where
IN and OUT are descriptors that the browser gets as 3 and 4 (`--remote-debugging-pipe`).  When nobody is left it writes
why to its output, before it removes the profile: 0 the leash closed, 1 the browser ended by itself, 3 too much memory.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import select
import signal
import sys
import time

__all__ = ["ENDED", "MEMORY", "RELEASED", "descendants"]

RELEASED, ENDED, MEMORY = 0, 1, 3

_SUBREAPER, _DEATH_SIGNAL = 36, 1  # prctl
_MEMORY_CHECK_SECONDS = 0.25  # seconds between two looks at the family's memory
_CHECKS_PER_PROCESS_LIST = 4  # until it is looked for anew
_MAX_KILL_SECONDS = 10.0  # seconds for the killed to be gone


def main(arguments: list[str]) -> int:
    incoming, outgoing, megabytes = map(int, arguments[:3])
    profile, command = arguments[3], arguments[4:]
    parent = os.getppid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the leash decides
    _prctl(_SUBREAPER, 1)
    browser = _start(command, incoming, outgoing, profile)
    os.close(incoming)
    os.close(outgoing)
    why = ENDED
    try:
        why = _watch(browser, parent, megabytes)
    finally:
        _kill(browser)
        with contextlib.suppress(OSError):
            os.write(sys.stdout.fileno(), b"%d" % why)
        _remove(profile)
    return why


def descendants(root: int) -> list[int]:
    """Every process below `root`, found in /proc; none where there is no /proc."""
    children: dict[int, list[int]] = {}
    for pid in _processes():
        with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat") as file:
            # The name stands in parentheses and may hold some itself; state and parent follow.
            parent = int(file.read().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(pid)
    processes: list[int] = []
    waiting = [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        processes += below
        waiting += below
    return processes


def _processes() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def _start(command: list[str], incoming: int, outgoing: int, profile: str) -> int:
    """Fork and become the browser, in a group of its own, with its pipes where it looks for them."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)  # should somebody kill the watchdog
        log = os.open(os.path.join(profile, "stderr"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        null = os.open(os.devnull, os.O_RDWR)
        # The descriptors may themselves be 3 or 4: copied out of the way first.
        moved = [os.dup(number) for number in (null, null, log, incoming, outgoing)]
        high = max(moved) + 1
        moved = [_dup_above(number, max(high, 10)) for number in moved]
        for place, number in enumerate(moved):
            os.dup2(number, place, inheritable=True)
        os.closerange(5, 256)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        os.execv(command[0], command)
    except BaseException as error:
        os.write(2, f"cannot start {command[0]}: {error}\n".encode())
    finally:
        os._exit(127)


def _dup_above(number: int, least: int) -> int:
    import fcntl

    return fcntl.fcntl(number, fcntl.F_DUPFD, least)


def _watch(browser: int, parent: int, megabytes: int) -> int:
    leash = sys.stdin.fileno()
    family: list[int] = []
    for look in itertools.count():
        ready, _, _ = select.select([leash], [], [], _MEMORY_CHECK_SECONDS)
        if (ready and not os.read(leash, 4096)) or os.getppid() != parent:
            return RELEASED
        if _reap(browser):
            return ENDED
        if look % _CHECKS_PER_PROCESS_LIST == 0:  # all processes of the machine are looked at for that
            family = descendants(os.getpid())
        if _anonymous_memory(family) > megabytes * 1_000_000:
            return MEMORY
    return ENDED


def _reap(browser: int) -> bool:
    """Bury the dead of the family; whether the browser itself is among them."""
    gone = False
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return True
        if not pid:
            return gone
        gone |= pid == browser


def _anonymous_memory(pids: list[int]) -> int:
    """Bytes of memory that the processes use and share with no file."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith("RssAnon:"):
                    total += int(line.split()[1]) * 1024
                    break
    return total


def _kill(browser: int) -> None:
    """Kill the family until nobody is left: what is orphaned on the way becomes our own child."""
    give_up = time.monotonic() + _MAX_KILL_SECONDS
    while time.monotonic() < give_up:
        with contextlib.suppress(OSError):
            os.killpg(browser, signal.SIGKILL)
        for pid in descendants(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(0.005)
            continue
        return  # no child is left


def _remove(profile: str) -> None:
    import shutil  # only now: it would double the time to start

    for _ in range(5):
        shutil.rmtree(profile, ignore_errors=True)
        if not os.path.exists(profile):
            return
        time.sleep(0.05)


def _prctl(option: int, value: int) -> None:
    """Linux only; elsewhere the process group has to do."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Find Chromium, start it with everything shut that a stranger's page could use, and end it for good.

The browser talks to us through two pipes and to the network through our proxy alone:

    --remote-debugging-pipe                   no port that another process could find
    --proxy-server, --proxy-bypass-list       everything through a proxy, loopback included
    --host-resolver-rules                     no name is ever looked up by the browser itself
    --disable-quic, webrtc policy             no UDP past the proxy

The command-line proxy is a port where nobody listens: it is for what the browser wants on its own account.  Each page
has its own proxy (tab.py).  The profile is a temporary folder; the watchdog removes it when the browser is gone.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from thresher.errors import MissingProgram, RenderError
from thresher.fetch.limits import Deadline
from thresher.render import watchdog
from thresher.render.cdp import BrowserGone, CdpConnection, TimedOut
from thresher.text.log import logger

__all__ = ["Chromium", "find_chromium", "flags", "needs_no_sandbox"]

_LOG = logger("thresher.render")

_PROGRAM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
_PROGRAM_PATHS = (
    "/usr/bin/chromium",
    "/usr/lib/chromium/chromium",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
_MAX_START_SECONDS = 20.0  # seconds to start in
_MAX_KILL_SECONDS = 20.0  # seconds for a killed browser to be gone; it takes a fraction of one
_ENDING_WATCHDOGS: list[subprocess.Popen[bytes]] = []  # watchdogs that remove their profiles
_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "TZ", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "LD_LIBRARY_PATH")
_DISABLED_FEATURES = (
    "AutofillServerCommunication,BackForwardCache,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,"
    "InterestFeedContentSuggestions,MediaRouter,OptimizationHints,PreconnectToSearch,Prerender2,Translate,WebTransport,"
    "AcceptCHFrame,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LocalNetworkAccessChecks,PrivateNetworkAccessChecks"
)

_FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    # Nothing of its own accord
    *"--no-first-run --no-default-browser-check --disable-background-networking --disable-component-update".split(),
    *"--disable-sync --disable-default-apps --disable-extensions --disable-domain-reliability --no-pings".split(),
    *"--disable-component-extensions-with-background-pages --disable-client-side-phishing-detection".split(),
    *"--disable-breakpad --disable-crash-reporter --metrics-recording-only --password-store=basic".split(),
    *"--disable-search-engine-choice-screen --use-mock-keychain --safebrowsing-disable-auto-update".split(),
    f"--disable-features={_DISABLED_FEATURES}",
    # No way past the proxy, no device, no prompt
    # Both names of one switch, for older and newer browsers: without it WebRTC sends UDP wherever a page says.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    *"--disable-quic --proxy-bypass-list=<-loopback> --dns-prefetch-disable".split(),
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    *"--deny-permission-prompts --disable-notifications --disable-speech-api --block-new-web-contents".split(),
    *"--disable-file-system --disable-usb-keyboard-detect --mute-audio".split(),
    # The same picture everywhere
    *"--disable-gpu --hide-scrollbars --force-device-scale-factor=1 --force-color-profile=srgb".split(),
    *"--font-render-hinting=none --disable-lcd-text".split(),
    # A page in the background is as good as one that is looked at
    *"--disable-renderer-backgrounding --disable-backgrounding-occluded-windows".split(),
    *"--disable-background-timer-throttling --disable-hang-monitor".split(),
    # /dev/shm is 64 MB in containers
    "--disable-dev-shm-usage",
)

# Settings that have no flag; the pages' contexts inherit them.
_PREFERENCES = {
    "webrtc": {"ip_handling_policy": "disable_non_proxied_udp"},
    "plugins": {"always_open_pdf_externally": True},  # no viewer: a PDF is a download, and those are refused
    "download_restrictions": 3,  # all
    "printing": {"enabled": False},
    "net": {"network_prediction_options": 2},  # none
}


@atexit.register
def _wait_for_watchdogs() -> None:
    for one in _ENDING_WATCHDOGS:
        with contextlib.suppress(subprocess.TimeoutExpired):
            one.wait(timeout=_MAX_KILL_SECONDS)


def find_chromium(program: str | Path | None = None) -> Path:
    """The browser to use: what was asked for, what THRESHER_CHROMIUM names, or what is on the PATH.

    MissingProgram says how to install one.
    """
    wanted = program or os.environ.get("THRESHER_CHROMIUM")
    for candidate in (wanted,) if wanted else (*_PROGRAM_NAMES, *_PROGRAM_PATHS):
        path = shutil.which(str(candidate))
        if path:
            return Path(path).absolute()
    message = f"no browser at {str(wanted)!r}" if wanted else "rendering needs Chromium, and none is on the PATH"
    raise MissingProgram(
        f"{message}; install it with: sudo apt-get install chromium   "
        "(or name one: --chromium FILE, or the environment variable THRESHER_CHROMIUM)"
    )


def needs_no_sandbox() -> bool:
    """Whether the browser's sandbox cannot work: Chromium refuses to set one up for root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def flags(profile: str, port: int, *, sandbox: bool) -> list[str]:
    """The command line after the program's name."""
    open_box = [] if sandbox else ["--no-sandbox", "--test-type"]
    return [*_FLAGS, f"--proxy-server=http://127.0.0.1:{port}", f"--user-data-dir={profile}", *open_box, "about:blank"]


class Chromium:
    """A running browser.  `kill` returns when nothing of it is left."""

    def __init__(self, program: Path, memory: int) -> None:
        self.memory = memory
        self._blackhole = socket.socket()  # bound and never listening: whoever connects is refused
        self._blackhole.bind(("127.0.0.1", 0))
        self._profile = tempfile.mkdtemp(prefix="thresher-chromium-")
        _write_preferences(self._profile)
        self.sandbox = not needs_no_sandbox()
        command = [
            str(program),
            *flags(self._profile, self._blackhole.getsockname()[1], sandbox=self.sandbox),
        ]
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        leash, self._leash = os.pipe()
        try:
            keeping = [sys.executable, "-I", "-S", watchdog.__file__, str(theirs_in), str(theirs_out), str(memory)]
            self._watchdog = subprocess.Popen(
                [*keeping, self._profile, *command],
                stdin=leash,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs_in, theirs_out),
                start_new_session=True,  # Ctrl-C is for us
                env=_environment(self._profile),
            )
        except BaseException:
            for number in (ours_in, ours_out, self._leash):
                os.close(number)
            shutil.rmtree(self._profile, ignore_errors=True)
            self._blackhole.close()
            raise
        finally:
            for number in (theirs_in, theirs_out, leash):
                os.close(number)
        self.connection = CdpConnection(ours_in, ours_out)
        self._alive = True
        self._why = watchdog.RELEASED
        try:
            with self.explain_failures():
                answer = self.connection.call("Browser.getVersion", deadline=Deadline.after(_MAX_START_SECONDS))
        except BaseException:
            self.kill()
            raise
        self.version: str = answer.get("product", "")
        _LOG.info("browser started: %s, process %d", self.version, self._watchdog.pid)

    @property
    def alive(self) -> bool:
        return self._alive and self._watchdog.poll() is None

    @contextlib.contextmanager
    def explain_failures(self) -> Iterator[None]:
        """Turn a browser that ended or does not answer into a RenderError with the cause; it is dead then."""
        try:
            yield
        except BrowserGone as gone:
            last = self._last_error()
            status = self.kill()
            if status == watchdog.MEMORY:
                raise RenderError(
                    f"the page took more than {self.memory:,} MB of memory; allow more with memory=…", "memory"
                ) from gone
            if "sandbox" in last.lower():
                raise RenderError(
                    "the browser found no sandbox to run in; install one with: sudo apt-get install chromium-sandbox",
                    "no_sandbox",
                ) from gone
            raise RenderError(f"the browser ended: {gone}{': ' + last if last else ''}", "crashed") from gone
        except TimedOut as late:
            self.kill()
            raise RenderError(
                f"the page kept the browser busy until its time was up ({late}); allow more with --timeout",
                "timeout",
            ) from late

    def kill(self) -> int:
        """End the browser and everything it started; why it ended, as the watchdog says."""
        if not self._alive:
            return self._why
        self.release()
        assert self._watchdog.stdout is not None
        waiting = select.poll()
        waiting.register(self._watchdog.stdout, select.POLLIN)
        ready = waiting.poll(_MAX_KILL_SECONDS * 1000)
        status = self._watchdog.stdout.read(1) if ready else b""
        self._watchdog.stdout.close()
        self._why = int(status) if status.isdigit() else watchdog.ENDED
        _LOG.info("browser ended: process %d", self._watchdog.pid)
        if not status:  # somebody has killed the watchdog, or it hangs
            self._watchdog.kill()
            shutil.rmtree(self._profile, ignore_errors=True)
        # The watchdog goes on to remove the profile; it is waited for at the end of the program.
        _ENDING_WATCHDOGS.append(self._watchdog)
        _ENDING_WATCHDOGS[:] = [one for one in _ENDING_WATCHDOGS if one.poll() is None]
        return self._why

    def release(self) -> None:
        """Let go without waiting.  After a fork that is all the child may do: the browser is the parent's."""
        if self._alive:
            self._alive = False
            os.close(self._leash)
            self.connection.close()
            self._blackhole.close()

    def _last_error(self) -> str:
        """The last line with an error that the browser has printed."""
        with contextlib.suppress(OSError), open(os.path.join(self._profile, "stderr"), "rb") as file:
            file.seek(max(os.fstat(file.fileno()).st_size - 4096, 0))
            lines = file.read().decode("utf-8", "replace").splitlines()
            grave = [line for line in lines if "FATAL" in line or "sandbox" in line.lower() or "cannot start" in line]
            return "".join(char for char in (grave or [""])[-1] if char.isprintable())[:300]
        return ""


def _write_preferences(profile: str) -> None:
    folder = Path(profile, "Default")
    folder.mkdir()
    (folder / "Preferences").write_text(json.dumps(_PREFERENCES))


def _environment(profile: str) -> dict[str, str]:
    """Little: secrets in our environment are none of the browser's business, and its files belong in the profile."""
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    homes = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "TMPDIR")
    return {**kept, **dict.fromkeys(homes, profile)}

"""Firefox with the add-on, driven by its own remote protocol (Marionette), as geckodriver does: no driver is needed.

A message is its length, a colon and JSON: [0, number, command, parameters], answered by [1, number, error, result].
"""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clock import PATIENCE

__all__ = ["Firefox", "firefox_browser", "needs_firefox"]

_FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
needs_firefox = pytest.mark.skipif(_FIREFOX is None, reason="no Firefox on the PATH: apt-get install firefox-esr")
_PREFERENCES = {
    "marionette.port": 0,
    "network.dns.localDomains": "site.test",
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "",
    "extensions.update.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "toolkit.telemetry.enabled": False,
}
_ID = "thresher@thresher.invalid"
_POLICY = f"const policy = WebExtensionPolicy.getByID({json.dumps(_ID)});"


class Firefox:
    """A session of Marionette."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._stream = self._socket.makefile("rb")
        self._number = 0
        self._read()  # who is there
        self.ask("WebDriver:NewSession", capabilities={})
        self.uuid = ""

    def ask(self, command: str, **parameters: Any) -> Any:
        self._number += 1
        data = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(data), data))
        _, _, error, result = self._read()
        if error:
            raise RuntimeError(f"{command}: {error['error']}: {error['message']}")
        return result.get("value", result) if isinstance(result, dict) else result

    def _read(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self._stream.read(1)
        return json.loads(self._stream.read(int(length[:-1])))

    def install(self, folder: Path) -> None:
        """The add-on, until the browser ends."""
        self.ask("Addon:Install", path=str(folder), temporary=True)
        self.uuid = self.privileged(f"{_POLICY} return policy.mozExtensionHostname")

    def url(self, path: str) -> str:
        return f"moz-extension://{self.uuid}/{path}"

    def privileged(self, script: str) -> Any:
        """Run a script as the browser itself."""
        self.ask("Marionette:SetContext", value="chrome")
        try:
            return self.ask("WebDriver:ExecuteScript", script=script, args=[])
        finally:
            self.ask("Marionette:SetContext", value="content")

    def click_button(self) -> None:
        """Click the button of the add-on, as its keyboard shortcut does; a popup that is open is closed before."""
        self.privileged("for (const one of document.querySelectorAll('panel')) one.hidePopup(true)")
        self.privileged(
            f"""{_POLICY}
            const {{ExtensionParent}} = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
            ExtensionParent.apiManager.global.browserActionFor(policy.extension).triggerAction(window);"""
        )

    def goto(self, url: str) -> None:
        self.ask("WebDriver:Navigate", url=url)

    def run(self, script: str, *arguments: Any) -> Any:
        """A value from the page that is shown."""
        return self.ask("WebDriver:ExecuteScript", script=f"return ({script})", args=list(arguments), sandbox=None)

    def wait(self, script: str, *arguments: Any) -> Any:
        """The same once it is there."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            value = self.run(script, *arguments)
            if value:
                return value
            time.sleep(0.1)
        raise AssertionError(f"{script} is still {value!r} after {PATIENCE} s")

    def new_tab(self) -> str:
        """A tab that is in front; its handle."""
        handle = self.ask("WebDriver:NewWindow", type="tab", focus=True)["handle"]
        self.show(handle)
        return str(handle)

    def tabs(self) -> list[str]:
        return list(self.ask("WebDriver:GetWindowHandles"))

    def show(self, handle: str) -> None:
        self.ask("WebDriver:SwitchToWindow", handle=handle, focus=True)

    def actions(self, *actions: dict[str, Any]) -> None:
        self.ask("WebDriver:PerformActions", actions=list(actions))

    def press(self, key: str) -> None:
        steps = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self.actions({"type": "key", "id": "keys", "actions": steps})

    def click_at(self, x: float, y: float) -> None:
        steps: list[dict[str, Any]] = [{"type": "pointerMove", "x": int(x) - 2, "y": int(y), "duration": 0}]
        steps += [{"type": "pointerMove", "x": int(x), "y": int(y), "duration": 50}]
        steps += [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        self.actions({"type": "pointer", "id": "mouse", "actions": steps})

    def screenshot(self) -> bytes:
        import base64

        return base64.b64decode(self.ask("WebDriver:TakeScreenshot", full=False))


@contextlib.contextmanager
def firefox_browser() -> Iterator[Firefox]:
    """A browser with a profile of its own."""
    with tempfile.TemporaryDirectory(prefix="thresher-firefox-") as folder:
        profile = Path(folder)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [str(_FIREFOX), "--headless", "--marionette", "--remote-allow-system-access", "--no-remote"]
        process = subprocess.Popen(
            [*command, "--profile", folder, "--width=1100", "--height=860"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"HOME": folder, "PATH": "/usr/bin:/bin", "MOZ_DISABLE_CONTENT_SANDBOX": "1", "LANG": "C.UTF-8"},
        )
        try:
            yield Firefox(_port(profile, process))
        finally:
            process.kill()
            process.wait()


def _port(profile: Path, process: subprocess.Popen[bytes]) -> int:
    deadline = time.monotonic() + PATIENCE
    file = profile / "MarionetteActivePort"
    while time.monotonic() < deadline and process.poll() is None:
        if file.is_file() and (text := file.read_text().strip()):
            return int(text)
        time.sleep(0.1)
    pytest.skip("Firefox does not start here")

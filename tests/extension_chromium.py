"""Chromium with the unpacked add-on, as its tests drive it: the button, its popup, the marks in a page."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Page, sync_playwright

from tests.clock import PATIENCE

__all__ = ["EXTENSION", "ExtensionBrowser", "extension_browser", "needs_chromium", "wait_for"]

EXTENSION = Path(__file__).parents[1] / "extension"
_CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(_CHROMIUM is None, reason="no Chromium on the PATH")


def wait_for(value: Callable[[], Any]) -> Any:
    """The value once it is there."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        current = value()
        if current:
            return current
        time.sleep(0.05)
    raise AssertionError(f"{value()!r} after {PATIENCE} s")


class ExtensionBrowser:
    """One browser with the add-on.  `desk` is a page of the add-on: what tests ask of it is asked there."""

    def __init__(self, context: Any) -> None:
        self.context = context
        worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")
        self.worker = worker
        self.id = worker.url.split("/")[2]
        self.desk: Page = context.pages[0]
        self.desk.goto(self.url("options/options.html"))
        self.protocol = context.browser.new_browser_cdp_session()

    def url(self, path: str) -> str:
        return f"chrome-extension://{self.id}/{path}"

    @contextlib.contextmanager
    def page(self, url: str) -> Iterator[Page]:
        """A page of the web in a tab of its own; no script of it may fail."""
        errors: list[str] = []
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(url)
        try:
            yield page
        finally:
            self.popup("view.close()")
            for one in self.context.pages:
                if one is not self.desk:
                    one.close()
        assert errors == []

    def click_button(self, page: Page) -> None:
        """Click the button of the add-on, as a user does: the popup opens, and the tab may be read."""
        page.bring_to_front()
        tabs = {"filter": [{"type": "tab"}, {"exclude": True}]}
        target = wait_for(
            lambda: [
                one["targetId"]
                for one in self.protocol.send("Target.getTargets", tabs)["targetInfos"]
                if one["url"] == page.url and one["embedderData"]["tabActive"]
            ]
        )[0]
        self.protocol.send("Extensions.triggerAction", {"id": self.id, "targetId": target})

    def popup(self, script: str) -> Any:
        """A value from the popup that is open, `view` in the script; None while there is none."""
        return self.desk.evaluate(
            f"() => {{ const [view] = chrome.extension.getViews({{type: 'popup'}}); return view ? ({script}) : null }}"
        )

    def popup_text(self, section: str) -> str:
        """The text of a section of the popup, once it is shown."""
        script = f"(one => !one || one.hidden ? '' : one.innerText)(view.document.querySelector('#{section}'))"
        return str(wait_for(lambda: self.popup(script)))

    def close_popup(self) -> None:
        self.popup("view.close()")
        wait_for(lambda: self.popup("true") is None)

    def result(self, page: Page) -> dict[str, Any]:
        """What the add-on holds of a page."""
        key = f"tab-{self.tab_id(page)}"
        held: dict[str, Any] = self.desk.evaluate("key => chrome.storage.session.get(key)", key).get(key, {})
        return held

    def tab_id(self, page: Page) -> int:
        tabs = "url => chrome.tabs.query({}).then(all => all.filter(tab => tab.url === url).map(tab => tab.id))"
        return int(wait_for(lambda: self.desk.evaluate(tabs, page.url))[0])

    def in_page(self, page: Page, name: str, *arguments: Any) -> Any:
        """What a function of the content script says."""
        script = """([tabId, name, given]) => chrome.scripting.executeScript({target: {tabId}, args: [name, given],
            func: (name, given) => globalThis.thresherPage?.[name]?.(...given) ?? null}).then(([{result}]) => result)"""
        return self.desk.evaluate(script, [self.tab_id(page), name, list(arguments)])

    def marks(self, page: Page) -> list[dict[str, Any]]:
        """The blocks that are marked in a page, once they are."""
        marks: list[dict[str, Any]] = wait_for(lambda: self.in_page(page, "shown"))
        return marks

    def pair(self, address: str, code: str) -> None:
        """Type the code on the page of settings."""
        self.desk.goto(self.url("options/options.html"))
        self.desk.fill("#address", address.removeprefix("http://"))
        self.desk.fill("#code", code)
        self.desk.click("#pair button.primary")
        wait_for(lambda: "Paired with" in self.desk.inner_text("#state"))


@contextlib.contextmanager
def extension_browser() -> Iterator[ExtensionBrowser]:
    """Every name under .test is this machine, and no other machine can be reached."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            "",
            executable_path=_CHROMIUM,
            headless=False,
            viewport={"width": 1100, "height": 760},
            accept_downloads=True,
            ignore_default_args=["--disable-extensions"],
            args=[
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                f"--disable-extensions-except={EXTENSION}",
                f"--load-extension={EXTENSION}",
                "--enable-unsafe-extension-debugging",
                "--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ],
        )
        try:
            yield ExtensionBrowser(context)
        finally:
            context.close()

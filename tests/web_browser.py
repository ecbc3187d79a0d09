"""What tests of the web app in a real browser share: Chromium under playwright, or the reason why they are skipped."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, expect, sync_playwright

__all__ = ["browser", "check_phone", "expect", "needs_chromium", "opened"]

_CHROMIUM = shutil.which("chromium")
_PATIENCE = 30_000  # ms
needs_chromium = pytest.mark.skipif(_CHROMIUM is None, reason="no Chromium on the PATH")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


@contextlib.contextmanager
def opened(browser: Browser, **options: Any) -> Iterator[Page]:
    """A tab in which no script may fail and nothing may pop up."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True, **options)
    found = context.new_page()
    found.set_default_timeout(_PATIENCE)
    expect.set_options(timeout=_PATIENCE)
    errors: list[str] = []
    found.on("pageerror", lambda error: errors.append(str(error)))
    found.on("dialog", lambda dialog: errors.append(f"dialog: {dialog.message}"))
    yield found
    context.close()
    assert not errors


def check_phone(found: Page, address: str) -> None:
    """The page fits a phone, has one heading, and its controls have names."""
    found.set_viewport_size({"width": 360, "height": 700})
    found.goto(address)
    assert found.evaluate("document.documentElement.scrollWidth") <= 360
    nameless = found.evaluate(
        """[...document.querySelectorAll("input:not([type=hidden]), select, textarea, button, a")].filter(
            one => !(one.labels?.length || one.textContent.trim() || one.ariaLabel)).map(one => one.outerHTML)"""
    )
    assert nameless == []
    assert found.locator("h1").count() == 1

"""One page from address to Page: a browser, a proxy, a tab, a wait, a capture, and the problems met on the way.

Two clocks run.  At the first, `timeout` less a reserve, waiting ends: loading is stopped, and a script that does not
come to its end is interrupted.  What there is then is captured.  At the second, just before `timeout`, the browser is
killed.
"""

from __future__ import annotations

import base64
import contextlib
import time
from collections import Counter
from dataclasses import replace
from urllib.parse import quote

from thresher.errors import FetchError, NotHtml
from thresher.fetch.addresses import Policy
from thresher.fetch.limits import Deadline
from thresher.http.urls import parse_url
from thresher.page import Page, Problem
from thresher.render.capture import capture
from thresher.render.cdp import BrowserGone, CdpError, TimedOut
from thresher.render.chromium import Chromium
from thresher.render.pool import BrowserPool
from thresher.render.proxy import Proxy
from thresher.render.settings import RenderSettings
from thresher.render.tab import PLACEHOLDER_URL, Tab
from thresher.render.waiting import evaluate, wait_until_done
from thresher.text.log import logger, without_query

__all__ = ["normalised_url", "render_page"]

_LOG = logger("thresher.render")

_MAX_PICTURE_PIXELS = 16_000  # pixels of a picture; beyond, browsers have no texture for it
_MAX_ANSWER_SECONDS = 1.0  # seconds for a page to answer before its scripts are interrupted
_RELOADS = 3  # documents in a row
_MAX_CLOSE_SECONDS = 5.0  # seconds to close a page in
_MAX_SHOWN_ADDRESS = 200  # characters of an address
_IN_FRAGMENTS = "!#$%&'()*+,/:;=?@[]~|"
_ERROR_PAGE = "chrome-error:"


def render_page(
    url: str | None, html: bytes | None, settings: RenderSettings, pool: BrowserPool, picture: bool
) -> tuple[Page, bytes]:
    """The page at an address, or of HTML, and a picture of it if one is wanted."""
    where = normalised_url(url) if url is not None else PLACEHOLDER_URL
    policy = Policy.of(settings.allow_hosts)
    failure: Exception | None = None
    with pool.browser(settings.memory) as chromium, contextlib.ExitStack() as stack:
        start = time.monotonic()  # with the browser at hand: its start is not the page's fault
        end = Deadline(start + settings.timeout - settings.killing, settings.timeout)
        wait = settings.timeout - settings.reserve
        soon = Deadline(start + wait, wait)
        proxy = stack.enter_context(Proxy(policy, end, settings.offline, settings.bytes, pool.resolver))
        stack.enter_context(chromium.explain_failures())
        tab = Tab.open(chromium.connection, settings, proxy, end)
        try:
            page, png = _load_and_capture(tab, where, html, soon, end, picture)
        except (FetchError, NotHtml) as error:  # the browser is well
            failure = error
        _close(chromium, tab)
        _LOG.debug("%s: shown in %.1f s", without_query(where), time.monotonic() - start)
    if failure is not None:
        raise failure
    address = page.url if html is None else url
    return replace(page, url=address, problems=(*page.problems, *_network_problems(proxy, chromium))), png


def normalised_url(url: str) -> str:
    """An address in its one spelling, with its fragment: applications read it."""
    _, mark, fragment = url.strip().partition("#")
    return str(parse_url(url)) + mark + quote(fragment, safe=_IN_FRAGMENTS)


def _load_and_capture(
    tab: Tab, where: str, html: bytes | None, soon: Deadline, end: Deadline, picture: bool
) -> tuple[Page, bytes]:
    tab.go(where, html, soon)
    problems = wait_until_done(tab, soon)
    problems += _stop_scripts(tab, end)
    address = evaluate(tab, "document.URL", end)
    if isinstance(address, str) and address.startswith(_ERROR_PAGE):
        raise tab.failure("the page went on to this address, and it could not be loaded")
    png = _screenshot(tab, end) if picture else b""  # first: what tells texts from their background takes them away
    page = capture(tab, end)
    tab.check()
    problems += _page_problems(tab)
    shown = address if isinstance(address, str) and address.startswith("http") else where
    return replace(page, url=shown, problems=(*page.problems, *problems)), png


def _stop_scripts(tab: Tab, end: Deadline) -> list[Problem]:
    """Stop loading and scripts before the capture; interrupt a script that does not stop by itself."""
    tab.connection.send("Emulation.setScriptExecutionDisabled", {"value": True}, tab.session)
    # A page that reloads itself all the time comes to its end now.
    restless = tab.documents >= _RELOADS
    if not (tab.loaded or restless):
        tab.proxy.close()  # a parser that waits for a script goes on when the script cannot come
    tab.connection.pump(Deadline.after(end.left() / 2) if restless else _short_deadline(end), lambda: tab.loaded)
    tab.connection.send("Page.stopLoading", {}, tab.session)
    problems: list[Problem] = []
    while end.left() > 0:
        try:
            evaluate(tab, "0", _short_deadline(end))
            break
        except TimedOut:  # more than once: a loop of dialogs survives the first
            tab.connection.send("Runtime.terminateExecution", {}, tab.session)
            problems = [Problem("late", "a script of the page did not come to its end and was interrupted")]
    return problems


def _short_deadline(end: Deadline) -> Deadline:
    """The time in which a page has to answer; a part of what is left, when that is little."""
    return Deadline.after(min(_MAX_ANSWER_SECONDS, end.left() / 6))


def _screenshot(tab: Tab, end: Deadline) -> bytes:
    size = tab.ask("Page.getLayoutMetrics", end)["cssContentSize"]
    width, height = min(size["width"], _MAX_PICTURE_PIXELS), min(size["height"], _MAX_PICTURE_PIXELS)
    clip = {"x": 0, "y": 0, "width": max(width, 1), "height": max(height, 1), "scale": 1}
    screenshot = tab.ask("Page.captureScreenshot", end, format="png", captureBeyondViewport=True, clip=clip)
    return base64.b64decode(screenshot["data"])


def _close(chromium: Chromium, tab: Tab) -> None:
    """Close the page; a browser that does not survive that, or takes long, is not kept: we have what we wanted."""
    try:
        tab.close(Deadline.after(_MAX_CLOSE_SECONDS))
    except (BrowserGone, CdpError, TimedOut):
        chromium.kill()


def _page_problems(tab: Tab) -> list[Problem]:
    """Problems of the page itself: an error status, a redirect by script that was not followed."""
    problems = []
    if tab.answer is not None and tab.answer.status >= 400:
        problems.append(Problem(f"http_{tab.answer.status}", f"the server answered {tab.answer.status}"))
    if tab.left_for:
        problems.append(
            Problem("left", f"the page wanted to go on to {tab.left_for[:_MAX_SHOWN_ADDRESS]}; it was kept")
        )
    return problems


def _network_problems(proxy: Proxy, chromium: Chromium) -> list[Problem]:
    """Problems of the network (refused addresses, too many bytes) and of the browser (no sandbox)."""
    problems = []
    blocked = Counter(f"{one.host}:{one.port}" for one in proxy.refused if one.reason == "blocked_address")
    if blocked:
        some = ", ".join(list(blocked)[:3]) + (", …" if len(blocked) > 3 else "")
        words = f"requests to private addresses were refused: {some}; --allow-host lets them pass"
        problems.append(Problem("blocked_address", words))
    if proxy.full:
        problems.append(Problem("too_large", f"the page loaded more than {proxy.limit:,} bytes; the rest is missing"))
    if not chromium.sandbox:
        words = (
            "THE BROWSER RAN WITHOUT ITS SANDBOX, because root started it; run as another user for pages of strangers"
        )
        problems.append(Problem("no_sandbox", words))
    return problems

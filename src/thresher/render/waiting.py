"""Waiting until a page is done: loaded, idle, some seconds later, or when a selector matches; then scrolling.

Scripts of ours run in a world of their own (`Page.createIsolatedWorld`): they see the page's document, not what its
scripts have made of `document.querySelector`.  Nothing here waits beyond `deadline`, the moment at which the page is
captured as it is; the problems say what did not come.
"""

from __future__ import annotations

import json
import time
from typing import Any

from thresher.fetch.limits import Deadline
from thresher.page import Problem
from thresher.render.cdp import CdpError, TimedOut
from thresher.render.tab import Tab

__all__ = ["evaluate", "wait_until_done"]

_MAX_IDLE_SECONDS = 5.0  # after the load event; a page that polls its server is never idle
_POLL_SECONDS = 0.1  # between two looks for a selector
_MAX_SCREENS = 30  # that are scrolled through; some pages have no end
_SCREEN_SECONDS = 0.06  # on each: three frames, in which observers of the view are called

_MIN_TEXT = 250  # characters of text outside of links: a page with less is waited for

# Whether a page has text, or no script to bring it; also in open shadow trees and frames of its own site.
_HAS_TEXT_SCRIPT = """((least) => {
  let seen = 0;
  const look = (root) => {
    const kinds = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
    const walker = document.createTreeWalker(root, kinds, (node) => node.nodeType === 1 &&
      (node.matches("a, nav, script, style, noscript") || getComputedStyle(node).display === "none")
      ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    for (let node; seen < least && (node = walker.nextNode());) {
      if (node.nodeType === 3) seen += node.data.trim().length;
      const inside = node.shadowRoot || (node.contentDocument && node.contentDocument.documentElement);
      if (inside) look(inside);
    }
  };
  look(document.documentElement);
  return seen >= least || document.scripts.length === 0;
})"""
_HEIGHT_SCRIPT = "Math.max(document.documentElement.scrollHeight, document.body ? document.body.scrollHeight : 0)"


def wait_until_done(tab: Tab, deadline: Deadline) -> list[Problem]:
    """Wait as the settings say, then scroll; what did not come in time, as problems."""
    wait = tab.settings.wait
    problems: list[Problem] = []
    if not _until(tab, deadline, lambda: tab.loaded):
        return [_late("the page was still loading")]
    if wait == "idle":
        _idle(tab, deadline)
    elif isinstance(wait, str) and wait != "load":
        problems = _selector(tab, wait, deadline)
    elif not isinstance(wait, str):
        _until(tab, Deadline(min(deadline.end, time.monotonic() + wait), wait), lambda: False)
    if tab.settings.scroll and deadline.left() > 0:
        _scroll(tab, deadline)
    if wait == "idle" and deadline.left() > 0:
        _run_timers(tab, deadline)
    tab.check()
    return problems


def evaluate(tab: Tab, expression: str, deadline: Deadline) -> Any:
    """The value of an expression in an isolated world; None if the page is navigating."""
    try:
        world = tab.ask("Page.createIsolatedWorld", deadline, frameId=tab.frame, worldName="thresher")
        context = world["executionContextId"]
        response = tab.ask("Runtime.evaluate", deadline, expression=expression, contextId=context, returnByValue=True)
    except CdpError:
        return None
    if "exceptionDetails" in response:
        return None
    return response.get("result", {}).get("value")


def _until(tab: Tab, deadline: Deadline, so: Any) -> bool:
    """Watch until something is so; False at the deadline.  RenderError if the page crashes meanwhile."""
    came = tab.connection.pump(deadline, lambda: tab.crashed or tab.proxy.full or so())
    tab.check()
    return came and bool(so())


def _idle(tab: Tab, deadline: Deadline) -> None:
    end = min(deadline.end, time.monotonic() + _MAX_IDLE_SECONDS)
    while not tab.idle and time.monotonic() < end:
        _until(tab, Deadline(min(end, time.monotonic() + _POLL_SECONDS), _POLL_SECONDS), lambda: False)


def _run_timers(tab: Tab, deadline: Deadline) -> None:
    """A page with next to no text may have set a timer to fill itself: let its clock run ahead until that has rung.

    The clock stands still while requests are under way, and for good when its time is over.
    """
    try:
        if evaluate(tab, f"{_HAS_TEXT_SCRIPT}({_MIN_TEXT})", deadline) is not False:
            return
        policy = {"policy": "pauseIfNetworkFetchesPending", "budget": _MAX_IDLE_SECONDS * 1000}
        tab.ask("Emulation.setVirtualTimePolicy", deadline, **policy)
        _until(
            tab,
            Deadline(min(deadline.end, time.monotonic() + _MAX_IDLE_SECONDS), _MAX_IDLE_SECONDS),
            lambda: tab.timers_run,
        )
    except (CdpError, TimedOut):
        return


def _selector(tab: Tab, selector: str, deadline: Deadline) -> list[Problem]:
    look = f"try {{ document.querySelector({json.dumps(selector)}) !== null }} catch (e) {{ 'bad' }}"
    while deadline.left() > 0:
        try:
            matched = evaluate(tab, look, deadline)
        except TimedOut:
            break
        if matched is True:
            return []
        if matched == "bad":
            return [
                Problem("selector", f"{selector!r} is no CSS selector; the page was captured as it was when loaded")
            ]
        _until(tab, Deadline(min(deadline.end, time.monotonic() + _POLL_SECONDS), _POLL_SECONDS), lambda: False)
    return [Problem("selector", f"nothing on the page matched {selector!r} in time; it was captured as it was")]


def _scroll(tab: Tab, deadline: Deadline) -> None:
    """Go down screen by screen, wait for what that loads, and go back to the top."""
    height = tab.settings.viewport[1]
    try:
        for screen in range(1, _MAX_SCREENS + 1):
            whole = evaluate(tab, f"window.scrollTo(0, {screen * height}), {_HEIGHT_SCRIPT}", deadline)
            pause = Deadline(min(deadline.end, time.monotonic() + _SCREEN_SECONDS), _SCREEN_SECONDS)
            _until(tab, pause, lambda: False)
            if not isinstance(whole, (int, float)) or whole <= (screen + 1) * height or deadline.left() <= 0:
                break
        if not tab.idle:
            _idle(tab, deadline)
        evaluate(tab, "window.scrollTo(0, 0)", deadline)
    except TimedOut:
        return


def _late(what: str) -> Problem:
    return Problem("late", f"{what} when its time was up; what was there is in the result")

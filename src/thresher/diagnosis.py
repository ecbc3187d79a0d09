"""Why a result is what it is: status, confidence and warnings.

Nothing is lost in silence.  An empty result says whether the page was no HTML, a shell that a script would fill, a
wall in front of the content, or simply empty; a cut one says what was cut; a poor one has a low confidence.

`MEANINGS` is the one place that lists the statuses and the codes of warnings; docs/statuses.md explains them.
"""

from __future__ import annotations

import re
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from thresher import attributes
from thresher.columns import chars, readable, tag_mask
from thresher.css.cascade import unread
from thresher.data.tags import NUMBER
from thresher.page import Page, Problem
from thresher.tree import block_sum

__all__ = ["MEANINGS", "Status", "diagnose"]

Status = Literal["ok", "partial", "empty", "blocked", "js_shell", "not_html", "too_large", "too_deep", "decode_error"]

# Every code that a warning may open with; those of a status first.
MEANINGS: dict[str, str] = {
    "ok": "the result is whole",
    "partial": "something was cut or damaged on the way; a warning says what, and the result is what is left",
    "empty": "the page has no text, or none that looks like main content",
    "blocked": "a wall stands in front of the content: a check for robots, a denied visitor",
    "js_shell": "a script fills the page; render it in a browser first",
    "not_html": "the input is something else: a PDF, an image, an archive, JSON, a feed, plain text",
    "too_large": "bytes, tags, attributes or style rules beyond the budget were not read (`Limits`)",
    "too_deep": "elements nested beyond the budget were unwrapped: their text stays, their structure is lost",
    "decode_error": "bytes that are not valid in the page's encoding became U+FFFD",
    "unknown_encoding": "no encoding has the name that was given; what the page says of itself counted",
    "plain_text": "the input was plain text or Markdown, and was passed through as asked",
    "recovered": "text that readers do not see at first is part of the result: the page's JSON-LD where the page lacks "
    "it, closed tabs and accordions (focus='recall', or where the page is made of them)",
    "closed": "much text in closed tabs or accordions is not part of the result; focus='recall' reads it",
    "low_confidence": "the method doubts its own verdict",
    "unused": "the method has no use for an argument",
}

_CUTS: tuple[Status, ...] = ("too_deep", "too_large", "decode_error")  # problems that leave a result partial
_LOW = 0.5  # confidence below which a result comes with advice
_ADVICE = "look at `thresher explain`, try focus='recall', or give other pages of the site (`thresher site extract`)"
_EMPTY_ADVICE = "try focus='recall', or render the page in a browser first if a script fills it (`thresher render`)"
_LITTLE = 250  # characters: a page with less text than this is suspected to be a shell or a wall

# Roots into which single-page applications render.
_ROOTS = frozenset({"root", "app", "__next", "___gatsby", "__nuxt", "app-root", "q-app", "main-app", "react-root"})
# Phrases of pages that stand in front of the content: checks for robots, consent, blocked visitors.
_WALL = re.compile(
    r"""just\ a\ moment | checking\ (?:your\ browser|if\ the\ site\ connection)
    | verify(?:ing)?\ (?:that\ )?you\ are\ (?:a\ )?human | are\ you\ (?:a\ )?(?:human|robot)
    | access\ (?:to\ this\ page\ has\ been\ )?denied | attention\ required | unusual\ traffic
    | enable\ (?:javascript\ and\ )?cookies | security\ check | pardon\ our\ interruption
    | request\ (?:was\ )?blocked | 403\ forbidden | too\ many\ requests | captcha""",
    re.IGNORECASE | re.VERBOSE,
)
_NEEDS_SCRIPT = re.compile(
    r"""(?:enable|requires?|activate|turn\ on|without)\W+(?:\w+\W+){0,3}javascript
    | javascript\W+(?:\w+\W+){0,4}(?:enabled?|required|disabled)""",
    re.IGNORECASE | re.VERBOSE,
)


def diagnose(
    page: Page, keep: NDArray[np.bool_], score: NDArray[np.float64], confidence: float | None = None
) -> tuple[Status, float, tuple[Problem, ...]]:
    """The status of a result, the confidence in it, and everything worth a warning.

    `confidence` is the method's own, where it has one; a low one says what to try.
    """
    problems = list(page.problems)
    seen = int(chars(page) @ readable(page))
    if unread(page):
        problems.append(Problem("too_large", "too many style rules to read them all; hidden text may be in the result"))
    codes = {problem.code for problem in problems}
    cut = next((code for code in _CUTS if code in codes), None)
    kept = int(chars(page) @ keep)
    if "not_html" in codes:
        return "not_html", 0.0, tuple(problems)
    if seen < _LITTLE:
        wall = _wall(page)
        if wall:
            problems.append(Problem("blocked", f"the page stands in front of its content: {wall!r}"))
            return "blocked", 0.05, tuple(problems)
        if _is_shell(page, seen, cut is not None):
            problems.append(Problem("js_shell", "the page is filled by a script; render it in a browser first"))
            return "js_shell", 0.05, tuple(problems)
    if not kept:
        if cut:
            return cut, 0.0, tuple(problems)
        message = "the page has no readable text" if not seen else "no block looks like main content; " + _EMPTY_ADVICE
        problems.append(Problem("empty", message))
        return "empty", 0.0, tuple(problems)
    if confidence is None:
        confidence = _confidence(page, keep, score, kept)
    elif confidence < _LOW:
        problems.append(Problem("low_confidence", "the verdict is doubtful; " + _ADVICE))
    return "partial" if cut else "ok", confidence, tuple(problems)


def _confidence(page: Page, keep: NDArray[np.bool_], score: NDArray[np.float64], kept: int) -> float:
    """How far the verdict stands from doubt: the characters' mean certainty, less for very short results.

    A block's certainty is |2·score - 1|; a result of c characters counts as c / (c + 200).
    """
    weight = block_sum(page, chars(page) * readable(page))
    certainty = float((np.abs(2 * score - 1) * weight).sum() / max(int(weight.sum()), 1))
    return certainty * kept / (kept + 200)


def _wall(page: Page) -> str | None:
    """The phrase that gives a wall away, from the title or the little text there is."""
    rows = np.flatnonzero(page.tag == NUMBER["title"])[:1].tolist()
    said = " ".join(page.inner_text(row) for row in rows) + " " + " ".join(page.cut(np.flatnonzero(readable(page))))
    match = _WALL.search(said)
    return match[0] if match else None


def _is_shell(page: Page, seen: int, cut: bool) -> bool:
    """Nearly no text, and a sign that a script brings it: an empty application root, a plea to enable scripts,
    application state, or far more code than markup (unless what is missing there was cut)."""
    ids = attributes.values(page, "id")
    empty_root = any(value.lower() in _ROOTS and page.first[row] == page.last[row] for row, value in ids.items())
    noscript = np.flatnonzero(tag_mask(page, "noscript"))
    plea = any(_NEEDS_SCRIPT.search(page.inner_text(row)) for row in noscript.tolist())
    state = any(island.tag == "script" and "ld+json" not in island.type for island in page.islands)
    code = page.size - len(page.markup)
    return empty_root or plea or state or (not cut and seen < _LITTLE // 2 and code > 20_000)

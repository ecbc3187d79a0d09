"""Why a result is what it is: status, confidence and warnings.

Nothing is lost in silence.  An empty result says whether the page was no HTML, a shell that a script would fill, a
wall in front of the content, or simply empty; a cut one says what was cut; a poor one has a low confidence.

docs/statuses.md lists the statuses and the codes of warnings.
"""

from __future__ import annotations

import re
from typing import Literal

import numpy as np

from thresher.page import Page, Problem, attributes
from thresher.page.columns import chars_in, in_link, tag_mask
from thresher.page.tree import subtree_sum, texts_within
from thresher.page.verdict import Verdict
from thresher.result.redirects import elsewhere
from thresher.result.set_aside import unjudged
from thresher.result.walls import ADVICE, wall
from thresher.text.patterns import compile_later
from thresher.visible.hidden import styles_unread
from thresher.visible.readable import readable, sizes

__all__ = ["Status", "diagnose"]

Status = Literal[
    "ok",
    "partial",
    "empty",
    "blocked",
    "login",
    "consent",
    "unavailable",
    "not_found",
    "controls",
    "js_shell",
    "not_html",
    "too_large",
    "too_deep",
    "decode_error",
    "failed",
]

_CUTS: tuple[Status, ...] = ("too_deep", "too_large", "decode_error")  # problems that leave a result partial
_LOW_CONFIDENCE, _FAIR_CONFIDENCE = 0.5, 0.7  # below which a result comes with advice, and with a hint
_ADVICE = "look at `thresher explain`, try focus='recall', or give other pages of the site (`thresher site extract`)"
_EMPTY_ADVICE = "try focus='recall', or render the page in a browser first if a script fills it (`thresher render`)"
_UNJUDGED_ADVICE = (
    "nothing is left but what may be hidden; render the page in a browser (`--render always`), which tells"
)
_WAIT_ADVICE = "the browser did not see it filled: wait longer, or for an element of the content (`--wait`)"
_MIN_PAGE_CHARS = 250  # characters: a page with less text than this is suspected to be a shell or a wall

# Roots into which single-page applications render.
_ROOTS = frozenset({"root", "app", "__next", "___gatsby", "__nuxt", "app-root", "q-app", "main-app", "react-root"})
_ROOTS |= {"main", "content", "main-content", "page-content"}  # and of other pages that a script fills
_BESIDE = ("nav", "header", "footer", "aside")  # what stands around the hole that a script fills
_SHOWS = ("iframe", "frame", "video", "audio", "canvas", "object", "embed", "form")  # content without text
# All that stands there until the script has done so.
_PLACEHOLDER = compile_later(
    r"""(?:(?:page|content|data)\s+is\s+)?loading | please\s+wait | bitte\s+warten | wird\s+geladen | lädt | laden
    | chargement(?:\s+en\s+cours)? | cargando | carregando | caricamento | (?:ид[её]т\s+)?загрузка
    | ładowanie | yükleniyor
    | 加载中 | 正在加载 | 載入中 | 読み込み中 | 로딩\s?중 | جاري?\s+التحميل""",
    re.IGNORECASE | re.VERBOSE,
)
_NEEDS_SCRIPT = compile_later(
    r"""(?:enable|requires?|activate|turn\ on|without)\W+(?:\w+\W+){0,3}javascript
    | javascript\W+(?:\w+\W+){0,4}(?:enabled?|required|disabled)""",
    re.IGNORECASE | re.VERBOSE,
)


def diagnose(verdict: Verdict, *, has_media: bool = False) -> tuple[Status, float | None, tuple[Problem, ...]]:
    """The status of a result, the confidence in it, and everything worth a warning.

    Confidence is the method's own; None where it has no model that would tell.  A low one says what to try.
    `has_media` tells that pictures or videos were chosen: a gallery is not empty.
    """
    page, kept, confidence = verdict.page, verdict.kept_chars, verdict.confidence
    problems = list(page.problems)
    seen = sizes(page).seen
    if styles_unread(page):
        risk = "all text may be hidden, and is left out" if page.strict else "hidden text may be in the result"
        problems.append(Problem("too_large", f"too many style rules to read them all; {risk}"))
    doubt = unjudged(page) if page.strict else None
    if doubt:
        problems.append(doubt)
    codes = {problem.code for problem in problems} if problems else frozenset()
    cut = next((code for code in _CUTS if code in codes), None) if codes else None
    if "not_html" in codes:
        return "not_html", 0.0, tuple(problems)
    stands_there = wall(verdict)
    if stands_there:
        advice = f"{ADVICE[stands_there.status]} ({stands_there.evidence!r})"
        problems.append(Problem(stands_there.status, advice))
        return stands_there.status, 0.05, tuple(problems)
    if not doubt and ((seen < _MIN_PAGE_CHARS and _is_shell(page, seen, cut is not None)) or _has_hole(page)):
        advice = "render it in a browser first" if page.box is None else _WAIT_ADVICE
        problems.append(Problem("js_shell", "the page is filled by a script; " + advice))
        return "js_shell", 0.05, tuple(problems)
    if seen < _MIN_PAGE_CHARS:
        other = elsewhere(page)
        if other:
            problems.append(Problem("elsewhere", other))
    if not kept and not has_media:
        if cut:
            return cut, 0.0, tuple(problems)
        message = "the page has no readable text" if not seen else "no block looks like main content; " + _EMPTY_ADVICE
        message = _UNJUDGED_ADVICE if doubt else message
        problems.append(Problem("empty", message))
        return "empty", 0.0, tuple(problems)
    if confidence is not None and confidence < _LOW_CONFIDENCE:
        problems.append(Problem("low_confidence", "the verdict is doubtful; " + _ADVICE))
    elif confidence is not None and confidence < _FAIR_CONFIDENCE:
        problems.append(Problem("fair_confidence", "some of the verdict may be wrong; " + _ADVICE))
    return "partial" if cut else "ok", confidence, tuple(problems)


def _has_hole(page: Page) -> bool:
    """Nearly no text beside links, menus, headers and footers, and an empty place where the content would stand: a
    `main`, a root of an application, or one that says "Loading…" and hardly more."""
    if sizes(page).outside_links >= 4 * _MIN_PAGE_CHARS:
        return False
    own = readable(page) & ~(in_link(page) | texts_within(page, tag_mask(page, *_BESIDE)))
    own_chars = chars_in(page, own)
    if own_chars >= _MIN_PAGE_CHARS:
        return False
    shows = tag_mask(page, *_SHOWS) + 0.5 * tag_mask(page, "img")  # one picture may be what turns until then
    empty = (page.first == page.last) & (subtree_sum(page, shows) < 1)
    own_names = np.flatnonzero(empty & (page.tag == 0)).tolist()  # <app-root>, <my-app>
    if (empty & tag_mask(page, "main")).any() or any(page.name(row).endswith(("-root", "-app")) for row in own_names):
        return True
    empty &= tag_mask(page, "div", "section", "article")
    named = attributes.columns(page, "id")[0]
    for row, name in attributes.values_of_rows(page, "id", named[empty[named]]).items():
        if name.lower() in _ROOTS and "tabindex" not in page.attributes(row):  # a target of "Skip to…"
            return True
    waiting = [text for text in page.cut(np.flatnonzero(own)) if _PLACEHOLDER.fullmatch(text.strip(" .…\n\t"))]
    return (
        bool(waiting) and own_chars - sum(map(len, waiting)) < _MIN_PAGE_CHARS // 4
    )  # no button that is loading beside a text


def _is_shell(page: Page, seen: int, cut: bool) -> bool:
    """Nearly no text, and a sign that a script brings it: a plea to enable scripts, application state, or far more
    code than markup (unless what is missing there was cut)."""
    noscript = np.flatnonzero(tag_mask(page, "noscript"))
    plea = any(_NEEDS_SCRIPT.search(page.inner_text(row)) for row in noscript.tolist())
    state = any(island.tag == "script" and "ld+json" not in island.type for island in page.islands)
    code = page.size - len(page.markup)
    return plea or state or (not cut and seen < _MIN_PAGE_CHARS // 2 and code > 20_000)

"""Text that a page has only in its structured data: the article or the product's description in its JSON-LD.

Shops and newspapers fill their pages by scripts, or show the first paragraph only, and write the whole text into the
data for search engines.  It is taken where the visible page lacks it:

    the item is what the page is about (`metadata.items`),
    its text is more than twice as long as what was kept,
    less than half of it can be read on the page, and
    what was kept is next to nothing, or the beginning of that text: no other text comes in beside an article.

The text then stands as an `article` at the end of the page's body, and every output is made from that page.  What was
kept of the visible page and stands in the text too (a teaser) is kept once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from thresher import output
from thresher.page import Page, Problem
from thresher.page.columns import chars, chars_in
from thresher.page.tree import block_first, block_sum
from thresher.page.types import Bools, Floats
from thresher.page.verdict import Verdict
from thresher.parse import parse
from thresher.parse.scan import scan
from thresher.text.log import logger
from thresher.text.patterns import compile_later
from thresher.visible.readable import readable

__all__ = ["text_of_subject", "with_added", "with_article", "with_structured_text"]

_LOG = logger("thresher.result")


_MIN_CHARS = 250  # of a text worth recovering
_MIN_RATIO = 2  # of its length to that of the kept text
_MIN_SHARE = 0.5
_MAX_CHARS = 1_000_000
_WINDOW, _WINDOWS = 24, 40  # characters, samples of a text that are looked for on the page
_REASON = "for: the page's JSON-LD has it as the text of what the page is about"
_TEXT = compile_later(r'"(?:articleBody|description|text)"\s*:\s*"([^"\\]*(?:\\.[^"\\]*)*)', re.DOTALL)
_MAX_WRITTEN_OUT = 3  # characters of a plain text for each of the string that it was
_MARKUP = compile_later(r"<(?:b|strong|em|i|a|span|script|style)\b[^<>]*>", re.IGNORECASE)
_LINES = compile_later(
    r"<(?:p|br|div|ul|ol|li|h[1-6]|table|blockquote)\b[^<>]*>", re.IGNORECASE
)  # markup that makes lines
# Where the text of an item stands, by the item's type; articles come as many types.
_PRODUCTS = frozenset({"product", "productmodel", "productgroup", "individualproduct", "vehicle", "car"})
_POSTS = frozenset({"discussionforumposting", "socialmediaposting", "question"})


def with_structured_text(verdict: Verdict) -> Verdict:
    """The verdict on the page with the text that stands only in its JSON-LD; the same verdict if there is none."""
    page, keep = verdict.page, verdict.keep
    if page.box is not None or not page.islands:
        return verdict
    kept_chars = verdict.kept_chars
    if not _may_have(page, kept_chars):
        return verdict
    text = text_of_subject(page)
    if len(text) < max(_MIN_CHARS, _MIN_RATIO * kept_chars):
        return verdict
    shown, kept = (output.to_text(page, texts) for texts in (readable(page), keep))
    if _share(text, shown) >= _MIN_SHARE or (kept_chars >= _MIN_CHARS and _share(kept, text) < _MIN_SHARE):
        return verdict
    whole = with_article(page, text)
    if whole is None:
        return verdict
    _LOG.info("recovered %d characters of text from the page's JSON-LD", len(text))
    problem = Problem(
        "recovered",
        f"{len(text):,} characters of text of the page's JSON-LD, which the visible page lacks, is part of the result",
    )
    longer = with_added(verdict, whole, problem, _REASON, keep & ~_repeated(page, keep, text))
    return replace(longer, confidence=_confidence(whole, longer.keep, longer.score))


def with_added(verdict: Verdict, whole: Page, problem: Problem, reason: str, keep: Bools) -> Verdict:
    """The verdict on a page with texts of its data at its end: they are kept, and of the others what `keep` says."""
    added = np.ones(len(whole.start) - len(verdict.page.start), bool)
    blocks = int(whole.block[-1]) + 1 - len(verdict.score)
    return replace(
        verdict,
        page=whole,
        keep=np.append(keep, added),
        score=np.append(verdict.score, np.ones(blocks)),
        reasons=partial(_reasons, verdict, reason),
        problems=(*verdict.problems, problem),
    )


def _confidence(page: Page, keep: Bools, score: Floats) -> float:
    """How far the verdict stands from doubt: the characters' mean certainty, less for very short results.

    A block's certainty is |2·score - 1|; a result of c characters counts as c / (c + 200).
    """
    kept = chars_in(page, keep)
    weight = block_sum(page, chars(page) * readable(page))
    certainty = float((np.abs(2 * score - 1) * weight).sum() / max(int(weight.sum()), 1))
    return certainty * kept / (kept + 200)


def _reasons(verdict: Verdict, reason: str, block: int) -> Iterator[str]:
    """Why a block is kept: the added text for what it is, the others as before."""
    if block >= len(verdict.score):
        yield reason
    elif verdict.reasons is not None:
        yield from verdict.reasons(block)


def _may_have(page: Page, kept_chars: int) -> bool:
    """Whether any data of the page has a text that is long enough, told without reading it."""
    least = max(_MIN_CHARS, _MIN_RATIO * kept_chars)
    for island in page.islands:
        if len(island.text) > least and "ld+json" in island.type:
            texts = _TEXT.finditer(island.text)
            if any(_MAX_WRITTEN_OUT * (match.end(1) - match.start(1)) >= least for match in texts):
                return True
    return False


def text_of_subject(page: Page) -> str:
    """The text of the item that the page is about, as its JSON-LD has it: paragraphs on their lines; "" for none."""
    from thresher.metadata.evidence import sources_of
    from thresher.metadata.items import types

    for source in sources_of(page):
        item = source.subject
        if source.name != "json-ld" or item is None:
            continue
        kinds = types(item)
        name = "description" if kinds & _PRODUCTS else "text" if kinds & _POSTS else "articleBody"
        value = item.get(name) or item.get("articleBody")
        return _plain(value)
    return ""


def _plain(value: Any) -> str:
    """A string of JSON-LD as text: some write HTML into it, some write that with entities."""
    if not isinstance(value, str):
        return ""
    value = value[:_MAX_CHARS].replace("\0", "")  # a NUL ends a text in the columns
    if "&" in value:
        from html import unescape  # with a table of all names

        value = unescape(value)
    lines = _LINES.search(value) is not None
    if lines or _MARKUP.search(value):
        page = parse(value if lines else "<br><br>".join(value.splitlines()))
        return output.to_text(page, readable(page))
    return "\n".join(line for line in (" ".join(line.split()) for line in value.splitlines()) if line)


def _share(text: str, whole: str) -> float:
    """The share of a text that stands in another, by samples of it, white space left out."""
    text, whole = _bare(text), _bare(whole)
    places = np.linspace(0, max(len(text) - _WINDOW, 0), _WINDOWS).astype(int).tolist()
    return sum(text[at : at + _WINDOW] in whole for at in places) / len(places)


def _bare(text: str) -> str:
    return "".join(text.split()).casefold()


def _repeated(page: Page, keep: Bools, text: str) -> Bools:
    """Kept texts of blocks that the text has too."""
    bare = _bare(text)
    first = block_first(page)
    repeated = np.zeros(len(keep), bool)
    for start, stop in pairwise([*first.tolist(), len(keep)]):
        if keep[start:stop].any():
            some = _bare("".join(page.cut(np.flatnonzero(keep[start:stop]) + start)))
            repeated[start:stop] = len(some) >= _WINDOW and some in bare
    return repeated


def with_article(page: Page, text: str) -> Page | None:
    """The page with a text in an `article` as the last thing in its body; None for a page without a body."""
    at = page.markup.rfind(b"</body>")
    if at < 0:
        return None
    from html import escape

    lines = [escape(line, quote=False).replace("\xa0", "&nbsp;") for line in text.splitlines() if line.strip()]
    article = "<article>" + "".join(f"<p>{line}</p>" for line in lines) + "</article>"
    longer = scan(page.markup[:at] + article.encode("utf-8", "replace") + page.markup[at:], escaped=True)
    if longer is None:
        return None
    tag = np.append(page.tag, longer.tag[len(page) :])  # shadow roots have the tags that they stand for
    tag.setflags(write=False)
    known = {name: getattr(page, name) for name in ("islands", "url", "encoding", "size", "problems")}
    return replace(longer, tag=tag, **known)

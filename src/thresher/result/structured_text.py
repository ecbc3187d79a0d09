"""Text that a page carries but does not show: the article or the product's description in its JSON-LD.

Shops and newspapers fill their pages by scripts, or show the first paragraph only, and write the whole text into the
data for search engines.  It is taken where the visible page lacks it:

    the item is what the page is about (`metadata.items`),
    its text is more than twice as long as what was found,
    less than half of it can be read on the page, and
    what was found is next to nothing, or the beginning of that text: no other text comes in beside an article.

The text then stands as an `article` at the end of the page's body, and every output is made from that page.  What was
kept of the visible page and stands in the text too (a teaser) is kept once.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape, unescape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher import output
from thresher.page import Page
from thresher.page.columns import chars
from thresher.page.tree import block_first
from thresher.parse import parse
from thresher.parse.scan import scan
from thresher.visible.readable import readable

__all__ = ["Carried", "is_carried", "text_of_subject", "with_carried"]

Bools = NDArray[np.bool_]

_LEAST = 250  # characters of a text worth recovering
_TIMES = 2  # as long as what was found it must be
_HALF = 0.5
_LONGEST = 1_000_000
_WINDOW, _WINDOWS = 24, 40  # characters, samples of a text that are looked for on the page
_ADDED = "carried from"  # the first text that was added, in the page's memo
_HINT = re.compile(r'"(?:articleBody|description|text)"\s*:')
_MARKUP = re.compile(r"<(?:b|strong|em|i|a|span|script|style)\b[^<>]*>", re.IGNORECASE)
_LINES = re.compile(
    r"<(?:p|br|div|ul|ol|li|h[1-6]|table|blockquote)\b[^<>]*>", re.IGNORECASE
)  # markup that makes lines
# Where the text of an item stands, by the item's type; articles come as many types.
_PRODUCTS = frozenset({"product", "productmodel", "productgroup", "individualproduct", "vehicle", "car"})
_POSTS = frozenset({"discussionforumposting", "socialmediaposting", "question"})


class Carried(NamedTuple):
    """A page with the text it carries at its end, and what to keep of it."""

    page: Page
    keep: Bools
    characters: int  # that were added


def with_carried(page: Page, keep: Bools) -> Carried | None:
    """The page with the text it carries and lacks; None if there is none.  `keep` is what was found without."""
    found = int((chars(page) * keep).sum())
    if page.box is not None or not _may_carry(page, found):
        return None
    text = text_of_subject(page)
    if len(text) < max(_LEAST, _TIMES * found):
        return None
    shown, kept = (output.to_text(page, texts) for texts in (readable(page), keep))
    if _share(text, shown) >= _HALF or (found >= _LEAST and _share(kept, text) < _HALF):
        return None
    whole = _with_article(page, text)
    if whole is None:
        return None
    added = len(whole.start) - len(page.start)
    keep = np.append(keep & ~_repeated(page, keep, text), np.ones(added, bool))
    return Carried(whole, keep, len(text))


def is_carried(page: Page, text: int) -> bool:
    """Whether a text of a page was added from its data."""
    first: int = page._memo.get(_ADDED, len(page.start))
    return text >= first


def _may_carry(page: Page, found: int) -> bool:
    """Whether any data of the page is long enough, told without reading it."""
    least = max(_LEAST, _TIMES * found)
    return any(
        "ld+json" in island.type and len(island.text) > least and _HINT.search(island.text) for island in page.islands
    )


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
    value = value[:_LONGEST].replace("\0", "")  # a NUL ends a text in the columns
    if "&" in value:
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
    for start, stop in zip(first.tolist(), np.append(first[1:], len(keep)).tolist(), strict=True):
        if keep[start:stop].any():
            some = _bare("".join(page.cut(np.flatnonzero(keep[start:stop]) + start)))
            repeated[start:stop] = len(some) >= _WINDOW and some in bare
    return repeated


def _with_article(page: Page, text: str) -> Page | None:
    """The page with a text in an `article` as the last thing in its body; None for a page without a body."""
    at = page.markup.rfind(b"</body>")
    if at < 0:
        return None
    lines = [escape(line, quote=False).replace("\xa0", "&nbsp;") for line in text.splitlines() if line.strip()]
    article = "<article>" + "".join(f"<p>{line}</p>" for line in lines) + "</article>"
    longer = scan(page.markup[:at] + article.encode("utf-8", "replace") + page.markup[at:], escaped=True)
    if longer is None:
        return None
    tag = np.append(page.tag, longer.tag[len(page) :])  # shadow roots have the tags that they stand for
    tag.setflags(write=False)
    known = {name: getattr(page, name) for name in ("islands", "url", "encoding", "size", "problems")}
    longer = replace(longer, tag=tag, **known)
    longer._memo[_ADDED] = len(page.start)
    return longer

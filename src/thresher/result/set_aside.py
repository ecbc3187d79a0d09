"""What the result leaves out and keeps apart, text that no reader sees and comments; and a warning if it is much, or if
nobody can tell whether a reader sees it.

A page hides menus, dialogs and templates as a matter of course.  So of hidden text only prose counts: blocks of some
length outside links.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from thresher.methods.auto.comments import are_called, comments
from thresher.page import Page, Problem
from thresher.page.columns import chars, chars_in, in_link, tag_mask, words
from thresher.page.tree import block_sum, nearest, within
from thresher.page.types import Bools
from thresher.page.verdict import Verdict
from thresher.text.invisible import without_invisible
from thresher.visible.hidden import causes, doubtful
from thresher.visible.readable import in_doubt, readable, sizes

__all__ = ["doubts", "hidden_texts", "much_set_aside", "unjudged"]

_MIN_SHARE = 0.5  # of the characters that are kept
_MIN_HIDDEN_SHARE = 0.2  # the same for hidden text: what is called so in error should not be lost in silence
_MIN_CHARS = 500
_MIN_HIDDEN_CHARS = 200
_MIN_PROSE_WORDS = 15  # of a block
_MAX_NAMED_CAUSES = 3


def hidden_texts(page: Page) -> Bools:
    """The texts of the body that cannot be read."""
    return ~(within(page, tag_mask(page, "head", "title"))[page.owner] | readable(page))


def much_set_aside(verdict: Verdict) -> tuple[Problem, ...]:
    """Warnings where hidden prose is more than a fifth of what was kept, or comments more than half."""
    page, keep, kept = verdict.page, verdict.keep, verdict.kept_chars
    enough = max(_MIN_CHARS, int(_MIN_SHARE * kept))
    enough_hidden = max(_MIN_HIDDEN_CHARS, int(_MIN_HIDDEN_SHARE * kept))
    problems = []
    size = _hidden_prose(page, keep) if sizes(page).unseen >= enough_hidden else 0
    if size >= enough_hidden:
        message = f"{size:,} characters of prose that the page hides were left out; they are in `result.hidden`"
        problems.append(Problem("hidden_text", message))
    may_have = are_called(page) and chars_in(page, readable(page) & ~keep) >= enough
    size = chars_in(page, comments(page, keep)) if may_have else 0
    if size >= enough:
        message = f"{size:,} characters of comments were left out; they are in `result.comments`"
        problems.append(Problem("comments_apart", message))
    return tuple(problems)


def doubts(page: Page) -> dict[int, str]:
    """Why nobody can tell whether a text is hidden, by its number: of a page that is judged strictly."""
    texts = np.flatnonzero(in_doubt(page))
    if not len(texts):
        return {}
    why = causes(page)
    rows = nearest(page, doubtful(page))[page.owner[texts]]
    return {text: without_invisible(why[row]) for text, row in zip(texts.tolist(), rows.tolist(), strict=True)}


def unjudged(page: Page) -> Problem | None:
    """What a strict judge leaves out because nobody can tell whether it is hidden, by the causes that take most."""
    sizes: Counter[str] = Counter()
    length = chars(page)
    for text, cause in doubts(page).items():
        sizes[cause] += int(length[text])
    if not sizes:
        return None
    named = "; ".join(cause for cause, _ in sizes.most_common(_MAX_NAMED_CAUSES))
    message = f"{sizes.total():,} characters that may be hidden were left out ({named}); they are in `result.hidden`; "
    return Problem("unjudged", message + "a browser tells whether they are (`--render always`)")


def _hidden_prose(page: Page, keep: Bools) -> int:
    """How many characters of prose the page hides and the result leaves out."""
    hidden = hidden_texts(page) & ~(keep | in_link(page))
    return chars_in(page, hidden & (block_sum(page, words(page) * hidden) >= _MIN_PROSE_WORDS)[page.block])

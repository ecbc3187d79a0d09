"""What the result leaves out and keeps apart, text that no reader sees and comments; and a warning if it is much.

A page hides menus, dialogs and templates as a matter of course.  So of hidden text only prose counts: blocks of some
length outside links.
"""

from __future__ import annotations

import numpy as np

from thresher.methods.auto.comments import comments
from thresher.page import Page, Problem
from thresher.page.columns import chars, in_link, tag_mask, words
from thresher.page.tree import block_sum, within
from thresher.page.types import Bools
from thresher.visible.readable import readable

__all__ = ["hidden_texts", "much_set_aside"]

_MIN_SHARE = 0.5  # of the characters that are kept
_MIN_CHARS = 500
_MIN_PROSE_WORDS = 15  # of a block


def hidden_texts(page: Page) -> Bools:
    """The texts of the body that cannot be read."""
    return ~(within(page, tag_mask(page, "head", "title"))[page.owner] | readable(page))


def much_set_aside(page: Page, keep: Bools) -> tuple[Problem, ...]:
    """Warnings where more than half as much as was kept is hidden prose, or comments."""
    length = chars(page)
    enough = max(_MIN_CHARS, int(_MIN_SHARE * (length @ keep)))
    problems = []
    hidden = hidden_texts(page) & ~keep
    if int(length @ hidden) >= enough:
        hidden &= ~in_link(page)
        prose = hidden & (block_sum(page, words(page) * hidden) >= _MIN_PROSE_WORDS)[page.block]
        size = int(length @ prose)
        if size >= enough:
            message = f"{size:,} characters of prose that the page hides were left out; they are in `result.hidden`"
            problems.append(Problem("hidden_text", message))
    if int(np.sum(length)) >= enough:
        size = int(length @ comments(page, keep))
        if size >= enough:
            message = f"{size:,} characters of comments were left out; they are in `result.comments`"
            problems.append(Problem("comments_apart", message))
    return tuple(problems)

"""RBMTD: equal subtrees in the same position on all pages.  Vieira et al., World Wide Web 12(2):171-211, 2009.

A bottom-up mapping of trees: two nodes are mapped when they are equal and everything below them is.  Of the subtrees
that pages share, those are template that stand in exactly the same position on all of them (paper 002, section 4).

    H_v = number for name, attributes and the children's H, or for a text's words      site.subtrees.subtrees
    P_v = number for the places of v and its ancestors among their siblings            site.subtrees.positions
    template: v with (P_v, H_v) among the nodes of every page compared                 template

If v is template then so is all below it, for equal subtrees have equal parts in equal places.

Choices.  A place is the number of a node among its siblings, elements and texts counted; scripts, styles, comments and
blank texts, which `parse` takes out, are not.  Attributes that carry the state of one page do not count
(`site.fingerprint`).  Names of ancestors do not count either: a position is numbers.

It is careful.  One more element on a page moves all that follows, so it seldom takes content for template and leaves
much template in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods._options import Count, option
from thresher.methods._template import Bools, compared, content_elements, content_texts
from thresher.page import Page
from thresher.page.columns import column
from thresher.page.verdict import Verdict
from thresher.template.fingerprint import Keys, mixed
from thresher.template.nodes import nodes
from thresher.template.subtrees import positions, subtrees

__all__ = ["NEEDS", "Options", "judge", "template"]


NEEDS: frozenset[str] = frozenset({"siblings"})


@dataclass(frozen=True, slots=True)
class Options:
    siblings: tuple[Page, ...] = ()
    pages: Count = option(4, "how many of them are compared")


def template(page: Page, options: Options) -> Bools:
    """Which nodes, elements and texts, stand unchanged in the same position on every page."""
    others = compared("rbmtd", page, options.siblings, options.pages)
    same = np.full(len(nodes(page)), bool(others))
    for other in others:
        same &= np.isin(_placed(page), _placed(other))
    return same


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable texts that are no template."""
    repeated = template(page, options)
    return Verdict(page, content_texts(page, repeated), elements=content_elements(page, repeated))


@column
def _placed(page: Page) -> Keys:
    """(P_v, H_v) as one number."""
    return mixed(positions(page), subtrees(page))

"""Site: what a page does not share with its neighbours.  Alarte, Insa, Silva, Tamarit, WISE 2018 (paper 002).

A key page is compared with n pages of its site (`Options.pages`, the n-SET of the paper, n = 4).  In its DOM tree,
whose nodes are elements and texts,

    occurrences_v = pages in which v is repeated: equal, at the same place      Algorithm 1, site.mapping
    candidates    = nodes with occurrences 0
    reduced set   = candidates without a candidate above them                   Algorithm 2, reduced
    one node in it: that is the main content.  Else
    branch        = the parent of a reduced node with the most descendants      Algorithm 3, main_branch
    the reduced nodes outside the branch go                                     Algorithm 4, in_branch
    siblings that are left are replaced by their parent, again and again        Algorithm 5, main_content
    main content  = what is left, with all below it                             judge

The algorithms are as printed.  Algorithm 5 leaves a third sibling beside the parent that replaced the first two; it
lies below that parent, so the content is the same.

Choices.  The paper leaves to an earlier one which nodes are equal.  Texts are with the same words, elements with the
same name and, as `equal` has it (`template.mapping`),

    attributes   the same attributes
    children     the same attributes and the same number of children      the default
    text         the same attributes and, if they hold nothing but text, the same text

On the 46 pages of `sites` their words F1 is 0.888, 0.930, 0.907 and their nodes F1 0.778, 0.822, 0.808; on 151 pages of
35 other hosts, in wcxb, their words F1 is 0.634, 0.643, 0.642.  With `attributes` two articles of bare paragraphs have
equal elements at equal places, only their texts are candidates, all parents are alike, and the first of them is the
branch; with `children` the element around the paragraphs is a candidate where their number differs.

`html`, `head` and `body` are equal on all pages: content systems write the page's number there, and nothing would be
repeated.  Nothing in the `head` is a candidate, for none of it is shown (with `attributes` that is worth 0.025 of words
F1).  Comments, scripts and white space between tags are no nodes.  Pages are chosen as in section 2.1
(`template.nset`), and copies of the key page are left out, of which the paper says nothing: they make all of its
content template.  A candidate may be repeated on `repeats` pages; the paper tried 2, 3 and 4 and found them worse than
0, as we do (docs/site.md).  `choice=random` is its comparison in Table 2.  Where the main content has no text, all
candidate pictures and videos belong to it: in a gallery each may have a parent of its own, all alike, and Algorithm 3
takes the first.

It fails where Algorithm 3 finds the most descendants elsewhere than the text: a calendar or a tag cloud that differs
from page to page outweighs an article in one element; and where Algorithm 5 takes in the template's children of a
parent with two candidates: a body whose title and text are two candidates among menus is taken whole.  `site_plus` is
our answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from thresher.data.tags import NUMBER
from thresher.methods._needs import missing
from thresher.methods._options import Count, Whole, option
from thresher.methods._template import compared
from thresher.page import Page
from thresher.page.types import Bools
from thresher.page.verdict import Verdict
from thresher.template.mapping import occurrences
from thresher.template.media import media
from thresher.template.nodes import Nodes, nodes, within
from thresher.template.nset import at_random
from thresher.visible.readable import readable

__all__ = ["NEEDS", "Options", "content_nodes", "in_branch", "judge", "main_branch", "main_content", "reduced"]


NEEDS: frozenset[str] = frozenset({"siblings"})


@dataclass(frozen=True, slots=True)
class Options:
    siblings: Sequence[Page] = ()
    pages: Count = option(4, "siblings to compare with, n")
    equal: Literal["attributes", "children", "text"] = option("children", "what equal elements share beside the name")
    repeats: Whole = option(0, "pages in which a candidate may be repeated")
    choice: Literal["distances", "random"] = option("distances", "how the pages are chosen among those given")
    seed: Whole = option(0, "of the random choice")


def reduced(table: Nodes, candidates: Bools) -> Bools:
    """Algorithm 2: the candidates that stand for all others, those whose parent is none.

    A node below a candidate is a candidate (Theorem 1), so the highest one is the one without a candidate parent.
    """
    highest: Bools = candidates.copy()
    highest[1:] &= ~candidates[table.parent[1:]]
    return highest


def main_branch(table: Nodes, reduced_set: Bools) -> int:
    """Algorithm 3: of the parents of reduced nodes the one with the largest subtree; the first of equals."""
    parent = table.parent[reduced_set]
    return int(parent[np.argmax(table.end[parent] - parent)])


def in_branch(table: Nodes, reduced_set: Bools, branch: int) -> Bools:
    """Algorithm 4: the reduced nodes below the branch."""
    final = np.zeros(len(table), bool)
    below = slice(branch + 1, int(table.end[branch]))
    final[below] = reduced_set[below]
    return final


def main_content(table: Nodes, reduced_set: Bools) -> Bools:
    """Algorithm 5: two nodes with one parent are replaced by it, until no two are left.

    A parent is in the result when two of its children are, so the deepest nodes decide first: one step per level.
    """
    content: Bools = reduced_set.copy()
    rows = np.flatnonzero(content)
    for depth in range(int(table.depth[rows].max(initial=0)), 0, -1):
        level = np.flatnonzero(content & (table.depth == depth))
        parents, children = np.unique(table.parent[level], return_counts=True)
        content[parents[children > 1]] = True
    return content


def content_nodes(page: Page, others: Sequence[Page], options: Options = Options()) -> Bools:
    """The main content of a page, as nodes, seen from some others of its site."""
    table = nodes(page)
    reduced_set = reduced(table, _candidates(page, others, options))
    if np.count_nonzero(reduced_set) > 1:
        branch = main_branch(table, reduced_set)
        reduced_set = main_content(table, in_branch(table, reduced_set, branch))
    return within(table, reduced_set)


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable texts of the main content; the pictures where it has none."""
    table, others = nodes(page), _others(page, options)
    content = content_nodes(page, others, options)
    keep = content[table.text] & readable(page)
    if others and not keep.any():
        shown = table.element[media(page)]
        content[shown] |= _candidates(page, others, options)[shown]
    return Verdict(page, keep, elements=content[table.element])


def _candidates(page: Page, others: Sequence[Page], options: Options) -> Bools:
    """The nodes that other pages do not have, outside of the head."""
    table = nodes(page)
    head = np.zeros(len(table), bool)
    head[table.element] = page.tag == NUMBER["head"]
    candidates: Bools = (occurrences(page, others, options.equal) <= options.repeats) & ~within(table, head)
    return candidates


def _others(page: Page, options: Options) -> list[Page]:
    siblings = options.siblings
    if options.choice == "random":
        if not siblings:
            raise missing("site", "siblings")
        return at_random(page, siblings, options.pages, options.seed)
    return compared("site", page, siblings, options.pages)

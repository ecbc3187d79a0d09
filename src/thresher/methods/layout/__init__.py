"""Layout: the column with the most paragraphs.  Rae, Kim, Le, Thoma, DocEng 2018 (paper 003).

doi:10.1145/3209280.3229115

    zone tree      the rendered page cut where its lines break               section 3.1, layout.zones
    column tree    zones merged where they share left and right edges        section 3.2, layout.column_tree
    paragraphs     leaf zones of two sentences with a verb each              section 3.3, layout.paragraphs
    score          a column's share of the words in paragraphs               section 3.3, layout.main_column
    search         down to the child with the highest score; before a step
                   that loses more than delta of it the search ends          section 3.3, layout.main_column

All that the found column holds is main content.  Where the definition leaves a choice open, the modules named above say
what was chosen.

Departures.  The verb test is a list of verbs and endings in place of a tagger, for English; other languages have none.
Where paragraphs of two sentences hold less than a quarter of the page's words, zones of one sentence are paragraphs
too, and all zones where there is not one sentence: the paper's journals have no such pages, others do.  A zone is
compared with the zone before it, not with the column so far.  A sentence has three words or more.  A float of one word
stands in its line.  `strict=true` is the paper as printed, with none of these but the first: a page without
paragraphs then has no main content.

It fails as columns do: menus and footers that are as wide as the text, and stand in one column with it, are taken; so
is everything on a page of one column.  A text that the style cuts into many narrow columns is one only from its parent
up.

The page must be rendered: `thresher render page.html -o page.json.gz`, then extract from that, or
`thresher extract --render always -m layout`.

Parts:

    zones         the page cut where its lines break, as a tree
    column_tree   zones that share their left and right edges
    paragraphs    zones of two sentences or more (verbs in English)
    main_column   the column with the most words in paragraphs
    overlay       what the analysis sees, drawn over a picture of the page
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from thresher.methods._needs import missing
from thresher.methods._options import Share, option
from thresher.methods.layout.column_tree import Columns, collapsed, columns
from thresher.methods.layout.main_column import column_leaves, column_scores, leaf_texts, main_column, whole_elements
from thresher.methods.layout.paragraphs import paragraphs, word_counts
from thresher.methods.layout.zones import Zones, strict_zones, zones
from thresher.page import Page
from thresher.page.verdict import Verdict
from thresher.visible.browser import is_laid_out

__all__ = ["NEEDS", "Options", "content_column", "judge"]


NEEDS: frozenset[str] = frozenset({"layout"})


@dataclass(frozen=True, slots=True)
class Options:
    delta: Share = option(0.3, "a step that loses more of the score than this ends the search")
    tolerance: Share = option(0.10, "share of a column's width by which edges may differ")
    strict: bool = option(False, "the paper as printed")


def zone_tree(page: Page, options: Options = Options()) -> Zones:
    return strict_zones(page) if options.strict else zones(page)


def content_column(page: Page, options: Options = Options()) -> tuple[Columns, int]:
    """The column tree, and the column of the main content in it; -1 where a page has none."""
    tree = zone_tree(page, options)
    tree_of_columns = collapsed(columns(tree, options.tolerance, options.strict), options.tolerance)
    is_paragraph = paragraphs(page, tree, options.strict)
    score = column_scores(tree, tree_of_columns, word_counts(page, tree), is_paragraph)
    if options.strict and not is_paragraph.any():
        return tree_of_columns, -1
    return tree_of_columns, main_column(tree_of_columns, score, options.delta)


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable texts of the main column."""
    if not is_laid_out(page):
        raise missing("layout", "layout")
    tree = zone_tree(page, options)
    keep = np.zeros(len(page.start), bool)
    if len(tree):
        tree_of_columns, column = content_column(page, options)
        if column >= 0:
            keep = leaf_texts(tree, column_leaves(tree, tree_of_columns, column))
    return Verdict(page, keep, elements=whole_elements(page, keep))

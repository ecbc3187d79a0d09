"""content-seeker: segments and content by decision trees, then a filter.  Louvan (paper 000).

Samuel Louvan, "Extracting the Main Content from HTML Documents".

    type       news, blog, forum or another page, given or detected               seeker.types
    segments   the elements are met depth first; the first that the segment
               tree calls good on a way down is a segment                         seeker.segments
    content    the segments that the content tree calls content, by what it
               says of the segment and of the leaves inside                       seeker.content
    filter     LBS for news and blogs, TP for forums, as in the paper             seeker.filters

Each page type has trees of its own.  They are trained on the elements of labelled pages with the features of section
2.2 (seeker.features): inner text, inner html, images, forms, tables, cells, list items, links, stop words, the ratio of
anchored text, DOM height, and position, width and height once the page is rendered.

Choices.  The paper labelled segments by hand; here they follow from the gold text (learn.seeker.examples).  Trees are
trained by scikit-learn, which is not needed to run them.  `focus` moves the threshold of content.  A fourth
pair of trees, `other`, stands for the pages that are neither articles nor forums; they get no filter.

`strict=true` is the paper as printed: a segment is what the segment tree calls good, `span` is structural, content is
what the content tree says of the segment alone, and the filter is applied whatever it leaves.

It fails where a page is built like none that the trees have seen, and on what they cannot see: the meaning of words.

Parts:

    stopwords   function words of each text, and the page's own most frequent words
    features    section 2.2 for all elements of a page at once (sums: what an element holds; surroundings: where it
                stands; cues: what its names say)
    segments    structural elements; the outermost good ones are the segments
    content     which segments are main content (filters: what LBS, SLS and TP keep of them)
    trees       a decision tree as arrays
    model       the trees of each page type, from an .npz file
    types       news, blog, forum or another page
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from thresher.methods._options import option
from thresher.methods.seeker.content import Segments, segments
from thresher.methods.seeker.features import FEATURES
from thresher.methods.seeker.filters import Filter, filtered
from thresher.methods.seeker.model import Classifiers, load
from thresher.methods.seeker.types import PageType, detect
from thresher.page import Page, memoised
from thresher.page.tree import block_first
from thresher.page.types import Bools, Floats
from thresher.page.verdict import Verdict

__all__ = ["FILTER", "NEEDS", "STRICT_THRESHOLD", "THRESHOLD", "VARIANTS", "Options", "judge", "kept", "load_model"]


NEEDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    page_type: Literal["auto", "news", "blog", "forum", "other"] = option(
        "auto",
        "whose trees are asked; auto: detected",
    )
    post_filter: Literal["auto", "none", "lbs", "sls", "tp"] = option("auto", "auto: by the type of the page")
    focus: Literal["precision", "balanced", "recall"] = option("balanced", "moves the threshold on the same scores")
    model: str = option("", "a file from `thresher train seeker`; the shipped trees without")
    strict: bool = option(False, "the paper as printed: the two trees and the filter, and nothing else")


load_model = load  # reads a file of option `model`
THRESHOLD = {"precision": 0.6, "balanced": 0.45, "recall": 0.25}
STRICT_THRESHOLD = 0.5  # what a tree answers
FILTER: Mapping[PageType, Filter] = {"news": "lbs", "blog": "lbs", "forum": "tp", "other": "none"}
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    name: {"post_filter": name} for name in ("none", "lbs", "sls", "tp")
}  # `seeker:lbs` is the method with post_filter="lbs"
_MAX_REASONS = 3  # questions of the tree that are told


def judge(page: Page, options: Options = Options()) -> Verdict:
    """The readable texts of the content segments that the filter leaves."""
    page_type = _type(page, options)
    post_filter: Filter = FILTER[page_type] if options.post_filter == "auto" else options.post_filter
    trees = _trees(page_type, options)
    threshold = STRICT_THRESHOLD if options.strict else THRESHOLD[options.focus]
    keep = kept(page, trees, post_filter, threshold, options.strict)
    score = _scores(page, _segments(page, trees, options.strict), keep, threshold)
    return Verdict(page, keep, score, reasons=partial(_reasons, page, trees, options.strict))


def kept(
    page: Page,
    trees: Classifiers,
    post_filter: Filter,
    threshold: float = THRESHOLD["balanced"],
    strict: bool = False,
) -> Bools:
    """The same with these trees and this filter."""
    of_page = _segments(page, trees, strict)
    return filtered(page, of_page.row[of_page.content(threshold)], post_filter, strict)


def _scores(page: Page, segmented: Segments, keep: Bools, threshold: float) -> Floats:
    """For each block of the page how likely its segment is content; 0 outside of segments, halved where the
    filter took the block out."""
    score = np.zeros(len(page.start))
    for row, p in zip(segmented.row.tolist(), segmented.probability.tolist(), strict=True):
        score[page.first[row] : page.last[row]] = p
    score[(score >= threshold) & ~keep] /= 2
    if not len(score):
        return score
    return np.maximum.reduceat(score, block_first(page))


def _reasons(page: Page, trees: Classifiers, strict: bool, block: int) -> Iterator[str]:
    """What the content tree asked about the block's segment: the answers that moved it most, in words."""
    segmented = _segments(page, trees, strict)
    text = int(block_first(page)[block])
    around = np.flatnonzero((page.first[segmented.row] <= text) & (text < page.last[segmented.row]))
    if not len(around):
        yield "against: it is in no segment"
        return
    segment = int(around[0])
    asked = list(trees.content.path(segmented.x[segment]))
    for question in sorted(asked, key=lambda one: -abs(one.after - one.before))[:_MAX_REASONS]:
        sign = "for" if question.after >= question.before else "against"
        relation = "no value" if np.isnan(question.value) else "≤" if question.smaller else ">"
        value = "" if np.isnan(question.value) else f" {question.threshold:.3g}"
        name = page.name(int(segmented.row[segment]))
        yield f"{sign}: {FEATURES[question.feature]} of its <{name}> {relation}{value}"


def _type(page: Page, options: Options) -> PageType:
    return _detected(page) if options.page_type == "auto" else options.page_type


_detected = memoised(detect)


def _trees(page_type: PageType, options: Options) -> Classifiers:
    """The trees of the type; a model of one's own may lack some, then any of its trees are better than none."""
    model = load(options.model)
    return model.get(page_type) or next(iter(model.values()))


def _segments(page: Page, trees: Classifiers, strict: bool = False) -> Segments:
    """The segments of a page, computed once for the same trees."""
    memo, key = page._memo, ("seeker.segments", strict)
    known = memo.get(key)
    if known is None or known[0] is not trees:
        known = memo[key] = trees, segments(page, trees, strict)
    segmented: Segments = known[1]
    return segmented

"""The rules that `auto` applies after the network, as one table.

A rule is a row: its name, whether it keeps or drops, the function that gives its blocks, the reason that `explain`
gives, what it looks for, and the pages on which it holds.  Most pages have nothing that a rule could be about, as one
look at the blocks finds out for all (kernels/lines.py, kernels/candidates.py).

The rules that keep see the likely blocks (threshold).  Those that drop follow one another, each sees what is left by
the ones before it.  A rule that does not hold with focus="recall" is applied to the balanced choice of blocks with any
other focus, so that what `precision` keeps `balanced` keeps too.

    thresher extract page.html -m auto:without=byline              one rule less
    thresher evaluate data -m auto,auto:without=byline+contents    two, measured
    python benchmarks/auto_rules.py data                           what each is worth

    rule        what a rule is, and on which pages it holds
    sections    title, headings, code, captions
    contents    the table of contents
    boxes       dialogs, headings of boxes that are dropped, sign-up forms
    comments    comments under an article
    byline      bylines and datelines, author boxes (credits: which lines are such)
    notices     related links, labels of advertisements, copyright notices
"""

from __future__ import annotations

from thresher.methods.auto.kernels import columns as col
from thresher.methods.auto.rules.boxes import dialog, orphan_heading, sign_up
from thresher.methods.auto.rules.byline import author_box, byline
from thresher.methods.auto.rules.comments import article_comments
from thresher.methods.auto.rules.contents import contents
from thresher.methods.auto.rules.notices import advert, copyright_notice, related_links
from thresher.methods.auto.rules.rule import (
    COMMENTS,
    DIALOGS,
    FIELDS,
    FRAGMENTS,
    PICTURES,
    Evidence,
    Rule,
    article_or_service,
    candidates,
    maybe_article,
    maybe_article_not_docs,
    on_page,
)
from thresher.methods.auto.rules.sections import caption, code, section_heading, title

__all__ = ["NAMES", "RULES", "Evidence", "Rule", "candidates", "on_page"]

_CAPTION, _BYLINE = col.CAPTION | PICTURES, col.BYLINE | col.PUBLISHED

RULES = (
    Rule("title", "keep", title, "it is the title of the page", col.UNTITLED),
    Rule("heading", "keep", section_heading, "it is the heading of text that is kept", col.HEADING),
    Rule("code", "keep", code, "it is code in text that is kept", col.CODE),
    Rule("caption", "keep", caption, "it is the caption of a picture or figure in text that is kept", _CAPTION),
    Rule("contents", "drop", contents, "the table of contents", FRAGMENTS),
    Rule("dialog", "drop", dialog, "a dialog that lies over the page", DIALOGS),
    Rule("orphan", "drop", orphan_heading, "the heading of a box that is left out", col.ORPHAN, article_or_service),
    Rule("comments", "drop", article_comments, "a comment under an article", COMMENTS, maybe_article, False),
    Rule("related", "drop", related_links, "links to related pages", col.RELATED, maybe_article_not_docs, False),
    Rule("byline", "drop", byline, "a byline: says who wrote it or when", _BYLINE, maybe_article, False),
    Rule("author", "drop", author_box, "a box about the author", col.AUTHOR, maybe_article, False),
    Rule("advert", "drop", advert, "the label of an advertisement", col.ADVERT, maybe_article, False),
    Rule("signup", "drop", sign_up, "a form to sign up with an e-mail address", FIELDS, maybe_article, False),
    Rule("copyright", "drop", copyright_notice, "a copyright notice", col.COPYRIGHT, maybe_article, False),
)
NAMES = tuple(rule.name for rule in RULES)

"""What the name of an element means to the loops of `output`: a bit for each of these, in the order of their names here
(and in the loops, which have the numbers as constants of C)."""

from __future__ import annotations

import numpy as np

from thresher.data.tags import HEADINGS, TAGS

__all__ = [
    "ARTICLE",
    "ENCLOSED",
    "EXTRA",
    "FORMULA",
    "LISTING",
    "PRESENT",
    "SPAN",
    "TABLE",
    "TRAITS",
]

_NAMES: dict[str, tuple[str, ...]] = {
    "separates": ("i", "img", "input", "svg"),  # what stands on both sides
    "raised": ("sup", "sub", "rt", "rp"),  # or lowered
    "formats": tuple("b strong i em u s small big font mark var q ins del strike".split()),  # and no more
    "alone": ("a", "kbd", "label"),  # stands so
    "list": ("ul", "ol", "menu", "dir", "dl"),
    "terms": ("dl",),  # a list of terms
    "group": ("div",),  # of terms in one
    "break": ("br",),
    "item": ("li", "dt", "dd"),
    "code": ("code", "pre", "samp", "tt", "kbd"),
    "row": ("tr",),
    "cell": ("td", "th"),
    "head cell": ("th",),
    "caption": ("caption",),  # of a table
    "image": ("img",),
    "heading": HEADINGS,
    "first heading": ("h1",),
    "table": ("table",),
    "listing": ("pre", "listing"),
    "span": ("code", "tt", "samp"),  # of code
    "enclosed": ("rt", "q"),  # printed between signs
    "formula": ("math", "thresher-tex"),
    "article": ("article",),
}
_BITS = {name: 1 << bit for bit, name in enumerate(_NAMES)}

TRAITS = np.array([sum(_BITS[trait] for trait, names in _NAMES.items() if name in names) for name in TAGS], np.int32)
TRAITS.setflags(write=False)

TABLE, LISTING, SPAN, ENCLOSED, FORMULA, ARTICLE = (
    _BITS[trait] for trait in ("table", "listing", "span", "enclosed", "formula", "article")
)
# What a survey tells beside the traits of elements with kept texts (survey_kernels): those of all elements, moved by so
# many bits, and above them what EXTRA says.
PRESENT = 24
EXTRA = 48

"""Element names and what they mean for reading a page.  Data only.

`TAGS` gives every name its number; number 0 stands for any name that is not in the table (custom
elements, typing errors).  The groups below are the ones the columns and the renderers ask about.
Sources: the HTML standard's index of elements and its rendering section (which elements are
`display: block` without a style sheet), MathML Core and SVG 2 for the few foreign names we read.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["BLOCK", "CLOSES", "HEADINGS", "LAZY_ADDRESSES", "NUMBER", "RAW", "TAGS", "UNREAD", "VOID", "group"]

# Elements without content and without a closing tag.
VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

# Attributes in which scripts that load images late keep the address until then, best first.
LAZY_ADDRESSES = tuple(
    """
    data-src data-original data-lazy-src data-lazy data-original-src data-orig-file data-actualsrc data-hi-res-src
    data-full-src data-image-src data-cfsrc nitro-lazy-src data-echo data-url
    """.split()
)

# Elements that start and end a block of text.  Beyond the standard's display:block list: table parts,
# and `button`, `select`, `textarea`, which stand in boxes of their own.  Not `title` and `noscript`, which show
# nothing: drawings in a line have titles, and images in a line fallbacks.
BLOCK = frozenset(
    """
    address article aside blockquote body caption center colgroup col dd details dialog dir div dl dt fieldset
    figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe legend li listing
    main menu nav noframes object ol optgroup option p plaintext pre search section select summary
    table tbody td template textarea tfoot th thead tr ul video audio xmp button marquee canvas
    """.split()
)

# Text below these is not shown as text of the page, whatever the style sheet says.
UNREAD = frozenset(
    """
    head title noscript template iframe noembed noframes object audio video canvas svg select option optgroup
    datalist textarea script style rp annotation annotation-xml progress meter mphantom
    """.split()
)

# Text inside these is written as it stands, unescaped.
RAW = frozenset("script style iframe noembed noframes xmp plaintext".split())

# What a start tag closes when its end tag was left out, so that a run of unclosed ones is not deep.
_CELLS = {"td", "th"}
_ROWS = _CELLS | {"tr"}
CLOSES: dict[str, frozenset[str]] = {
    **{name: frozenset({name}) for name in ("p", "li", "option", "colgroup")},
    **{name: frozenset({"dt", "dd"}) for name in ("dt", "dd")},
    **{name: frozenset(_CELLS) for name in _CELLS},
    **{name: frozenset(_ROWS | {"thead", "tbody", "tfoot"}) for name in ("thead", "tbody", "tfoot")},
    "tr": frozenset(_ROWS),
}

_INLINE = """
    a abbr acronym applet b bdi bdo big blink cite code data datalist del dfn em font i image ins kbd label map mark
    meter nobr noembed output picture progress q rb rbc rp rt rtc ruby s samp script shadow slot small span strike
    strong style sub sup time tt u var
"""
# The foreign names the renderers and features read by name.
_FOREIGN = """
    math semantics annotation annotation-xml mi mo mn ms mtext mrow mfrac msqrt mroot msub msup msubsup munder mover
    munderover mtable mtr mtd mspace mstyle menclose mfenced mpadded mphantom merror mmultiscripts
    g path use symbol defs desc foreignobject text tspan rect circle line polygon polyline ellipse lineargradient
    radialgradient stop clippath mask pattern filter
"""
# What `parse` leaves where a <script type="math/tex"> stood, so that the formula keeps its place.
_OURS = "thresher-tex"

TAGS: tuple[str, ...] = (
    "",
    *sorted(VOID | BLOCK | UNREAD | set(CLOSES) | set(_INLINE.split()) | set(_FOREIGN.split()) | {_OURS}),
)
NUMBER: dict[str, int] = {name: number for number, name in enumerate(TAGS)}


def group(names: frozenset[str] | set[str] | tuple[str, ...]) -> NDArray[np.bool_]:
    """A mask over TAGS: `group(BLOCK)[page.tag]` is True for block elements."""
    mask = np.zeros(len(TAGS), bool)
    mask[[NUMBER[name] for name in names]] = True
    mask.setflags(write=False)
    return mask

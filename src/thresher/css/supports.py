"""`@supports`: whether a browser of today reads a declaration.

    supported = not term | term (and term)* | term (or term)*
    term = "(" supported ")" | "(" property: value ")" | selector(…) | font-tech(…) …

A property is one that browsers have if it is in the list below; of those that may hide, the value must be valid, too.
Other values, selectors and fonts are taken for read: nearly all conditions of real sheets ask for what has come since.
"""

from __future__ import annotations

from thresher.css.hiding import effect_of
from thresher.text.patterns import compile_later

__all__ = ["supported"]

# Of the properties in use; those that begin with "-webkit-" are in all browsers, those with another prefix in few.
_PROPERTIES = frozenset(
    b"""
    accent-color align-content align-items align-self align-tracks all anchor-name animation animation-composition
    animation-delay animation-direction animation-duration animation-fill-mode animation-iteration-count animation-name
    animation-play-state animation-range animation-timeline animation-timing-function appearance aspect-ratio
    backdrop-filter backface-visibility background background-attachment background-blend-mode background-clip
    background-color background-image background-origin background-position background-repeat background-size block-size
    border border-block border-bottom border-collapse border-color border-end-end-radius border-image
    border-image-source border-inline border-left border-radius border-right border-spacing border-style border-top
    border-width bottom box-decoration-break box-shadow box-sizing break-after break-before break-inside caption-side
    caret-color clear clip clip-path clip-rule color color-scheme column-count column-fill column-gap column-rule
    column-span column-width columns contain contain-intrinsic-size container container-name container-type content
    content-visibility counter-increment counter-reset counter-set cursor direction display empty-cells field-sizing
    fill filter flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap float font font-display
    font-family font-feature-settings font-kerning font-optical-sizing font-palette font-size font-size-adjust
    font-stretch font-style font-synthesis font-variant font-variation-settings font-weight gap grid grid-area
    grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-gap grid-gap grid-row grid-row-gap
    grid-template grid-template-areas grid-template-columns grid-template-rows hanging-punctuation height
    hyphenate-character hyphens image-orientation image-rendering initial-letter inline-size inset inset-area
    inset-block inset-block-start inset-inline inset-inline-start interpolate-size isolation justify-content
    justify-items justify-self left letter-spacing line-break line-clamp line-height list-style list-style-image
    list-style-type margin margin-block margin-bottom margin-inline margin-inline-start margin-left margin-right
    margin-top margin-trim mask mask-border mask-composite mask-image mask-position mask-repeat mask-size max-block-size
    max-height max-inline-size max-width min-block-size min-height min-inline-size min-width mix-blend-mode object-fit
    object-position offset offset-path opacity order orphans outline outline-color outline-offset outline-style
    outline-width overflow overflow-anchor overflow-block overflow-clip-margin overflow-inline overflow-wrap overflow-x
    overflow-y overscroll-behavior padding padding-block padding-bottom padding-inline padding-inline-start padding-left
    padding-right padding-top paint-order perspective place-content place-items place-self pointer-events position
    position-anchor position-area position-try print-color-adjust quotes resize right rotate row-gap ruby-align
    ruby-position scale scroll-behavior scroll-margin scroll-padding scroll-snap-align scroll-snap-stop scroll-snap-type
    scroll-timeline scrollbar-color scrollbar-gutter scrollbar-width shape-image-threshold shape-margin shape-outside
    stroke tab-size table-layout text-align text-align-last text-box text-box-trim text-combine-upright text-decoration
    text-decoration-color text-decoration-line text-decoration-skip-ink text-decoration-style text-decoration-thickness
    text-emphasis text-indent text-justify text-orientation text-overflow text-rendering text-shadow text-size-adjust
    text-spacing-trim text-transform text-underline-offset text-underline-position text-wrap text-wrap-style top
    touch-action transform transform-box transform-origin transform-style transition transition-behavior
    transition-delay transition-duration transition-property transition-timing-function translate unicode-bidi
    user-select vertical-align view-timeline view-transition-name visibility white-space widows width will-change
    word-break word-spacing word-wrap writing-mode z-index zoom
    """.split()
)
# Those whose values `effect_of` knows whether they are valid.
_VALUE_CHECKED = frozenset(b"display visibility opacity overflow position width height".split())
_WORD = compile_later(rb"\s*(not|and|or)?\s*([-a-z]*)\s*\(")
_BRACKET = compile_later(rb'"[^"]*"?|\'[^\']*\'?|[()]')
_MAX_NESTING = 20


def supported(condition: bytes, depth: int = 0) -> bool:
    """Whether a condition, in lower case, holds."""
    verdict: bool | None = None
    at = 0
    while match := _WORD.match(condition, at):
        word, function = match.groups()
        stop = _closing(condition, match.end())
        inside = condition[match.end() : stop].strip()
        holds = True if function else _term(inside, depth)
        if word == b"or":
            verdict = bool(verdict) or holds
        elif word == b"and":
            verdict = verdict is not False and holds
        else:
            verdict = not holds if word == b"not" else holds
        at = stop + 1
    return bool(verdict)


def _term(inside: bytes, depth: int) -> bool:
    if inside.startswith((b"(", b"not")) and depth < _MAX_NESTING:
        return supported(inside, depth + 1)
    name = inside.partition(b":")[0].strip()
    if name in _VALUE_CHECKED:
        return effect_of(inside) is not None
    return name in _PROPERTIES or name.startswith((b"--", b"-webkit-"))


def _closing(text: bytes, at: int) -> int:
    """Where the bracket that was opened before `at` closes."""
    depth = 1
    for match in _BRACKET.finditer(text, at):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if not depth:
            return match.start()
    return len(text)

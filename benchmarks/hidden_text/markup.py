"""Elements and attributes that are likely to hide a text, and such that are not; `{}` is the text."""

# ruff: noqa: E501  (a declaration or a page a line)
from __future__ import annotations

__all__ = ["MARKUP"]

_LONG_BOX = '<div style="height: {}px; overflow: {}"><div style="height: {}px"></div>'

# name -> (markup that is likely to hide, markup that is not)
MARKUP: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "hidden attribute": (
        ("<p hidden>{}</p>", '<div hidden=""><p>{}</p></div>'),
        ('<p data-hidden="">{}</p>', '<p hidden style="display: block">{}</p>'),
    ),
    "dialog": (("<dialog>{}</dialog>", "<div popover>{}</div>"), ("<dialog open>{}</dialog>",)),
    "aria-hidden": ((), ('<p aria-hidden="true">{}</p>', '<div aria-hidden="true"><p>{}</p></div>')),
    "template": (("<template><p>{}</p></template>",), ("<p><slot>{}</slot></p>",)),
    "fallback": (
        ("<video><p>{}</p></video>", "<canvas>{}</canvas>", "<audio>{}</audio>", "<iframe>{}</iframe>"),
        ("<object>{}</object>", "<unknown-element>{}</unknown-element>"),
    ),
    "form": (
        ("<datalist><option>{}</option></datalist>",),
        ("<fieldset><legend>{}</legend></fieldset>", "<label>{}</label>"),
    ),
    "font element": (
        ('<font color="white">{}</font>', '<table bgcolor="black"><td><font color="#000000">{}</font></table>'),
        ('<font color="navy">{}</font>', '<table bgcolor="black"><td><font color="#ffffff">{}</font></table>'),
    ),
    "svg": (("<svg><desc>{}</desc></svg>", "<svg><title>{}</title></svg>"), ()),
    "nested size": (
        (
            '<div style="font-size: .1em"><div style="font-size: .1em"><p>{}</p></div></div>',
            '<div style="font-size: 20%"><p style="font-size: 10%">{}</p></div>',
            '<div style="font-size: 1px"><p style="font-size: 2em">{}</p></div>',
            '<div style="zoom: .2"><p style="zoom: .2">{}</p></div>',
            '<div style="transform: scale(.2)"><p style="transform: scale(.2)">{}</p></div>',
            '<div style="opacity: .1"><p style="opacity: .1">{}</p></div>',
            '<div style="font-size: 0"><p style="font-size: 3em">{}</p></div>',
        ),
        (
            '<div style="font-size: .1em"><p style="font-size: 16px">{}</p></div>',
            '<div style="font-size: 0"><p style="font-size: 1rem">{}</p></div>',
            '<div style="font-size: .1em"><p style="font-size: 10em">{}</p></div>',
            '<div style="zoom: .2"><p style="zoom: 5">{}</p></div>',
            '<div style="font-size: 90%"><p style="font-size: 90%">{}</p></div>',
            '<div style="visibility: hidden"><p style="visibility: visible">{}</p></div>',
        ),
    ),
    "nested overflow": (
        (
            _LONG_BOX.format(20, "hidden", 500) + "<p>{}</p></div>",
            _LONG_BOX.format(24, "clip", 900) + "{}</div>",
            '<div style="max-height: 30px; overflow: hidden"><p style="margin-top: 400px">{}</p></div>',
            '<div style="width: 30px; height: 20px; overflow: hidden"><p style="margin-left: 400px">{}</p></div>',
            '<div style="height: 20px; overflow: hidden; position: relative">'
            '<p style="position: absolute; top: 300px">{}</p></div>',
            '<div style="overflow: hidden; width: 0"><div style="width: 300px">{}</div></div>',
        ),
        (
            _LONG_BOX.format(200, "auto", 500) + "<p>{}</p></div>",
            _LONG_BOX.format(20, "visible", 300) + "<p>{}</p></div>",
            '<div style="height: 20px; overflow: hidden"><p style="position: absolute; top: 300px">{}</p></div>',
            '<div style="height: 300px; overflow: hidden"><p>{}</p></div>',
            '<div style="overflow: hidden"><p>{}</p></div>',
        ),
    ),
    "nested colour": (
        (
            '<div style="background: navy"><p style="color: navy">{}</p></div>',
            '<div style="color: white"><p>{}</p></div>',
            '<div style="background: black; color: white"><p style="background: white">{}</p></div>',
            '<div style="background: #123456"><p style="color: rgb(18, 52, 86)">{}</p></div>',
            '<div style="background: #808080"><p style="color: #828282">{}</p></div>',
        ),
        (
            '<div style="background: navy; color: white"><p>{}</p></div>',
            '<div style="color: white"><p style="color: black">{}</p></div>',
            '<div style="color: white"><p style="background: teal">{}</p></div>',
            '<div style="background: black"><p style="color: white">{}</p></div>',
            '<div style="background: #808080"><p style="color: #000">{}</p></div>',
        ),
    ),
    "clip-path url": (
        (
            '<svg width="0" height="0"><clipPath id="cut"></clipPath></svg><p style="clip-path: url(#cut)">{}</p>',
            '<svg width="0" height="0"><clipPath id="cut"><rect width="0" height="0"/></clipPath></svg>'
            '<p style="clip-path: url(#cut)">{}</p>',
            '<svg width="0" height="0"><mask id="cut"></mask></svg><p style="mask: url(#cut)">{}</p>',
        ),
        (
            '<svg width="0" height="0"><clipPath id="cut"><rect width="3000" height="900"/></clipPath></svg>'
            '<p style="clip-path: url(#cut)">{}</p>',
            '<p style="clip-path: url(#absent)">{}</p>',
        ),
    ),
    "shadow root": (
        (
            '<div><template shadowrootmode="open"><p>Another text.</p></template><p>{}</p></div>',
            '<div><template shadowrootmode="open"><style>p {{ display: none }}</style><p>{}</p></template></div>',
            '<div><template shadowrootmode="closed"><p hidden>{}</p></template></div>',
            '<div><template shadowrootmode="open"><style>:host {{ opacity: 0 }}</style><p>{}</p></template></div>',
            '<div><template shadowrootmode="open"><slot name="a"></slot></template><p slot="b">{}</p></div>',
            '<div><template shadowrootmode="open"><style>::slotted(p) {{ display: none }}</style><slot></slot>'
            "</template><p>{}</p></div>",
        ),
        (
            '<div><template shadowrootmode="open"><p>{}</p></template></div>',
            '<div><template shadowrootmode="open"><slot></slot></template><p>{}</p></div>',
            '<div><template shadowrootmode="open"><style>p {{ display: none }}</style><slot></slot></template><p>{}</p></div>',
            '<div><template shadowrootmode="open"><slot name="a"></slot></template><p slot="a">{}</p></div>',
            "<style>p.none {{ display: none }}</style>"
            '<div><template shadowrootmode="open"><p class="none">{}</p></template></div>',
        ),
    ),
}  # fmt: skip
